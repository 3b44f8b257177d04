/* serve_record.c: the notes a door takes, and the files that are made of them. */
#include "services/console/classroom/serve_record.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "services/console/classroom/serve_door.h"
#include "services/console/classroom/told.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/records/export.h"

#define RECORDS_MAX 1000000u

static bool path_of(const struct serve_record *record, const char *ending, char path[PATH_MAX])
{
    int size = snprintf(path, PATH_MAX, "%s/%s%s", record->folder, record->name, ending);
    return size > 0 && size < PATH_MAX;
}

static bool fail(struct text *fault, const char *folder, const char *why)
{
    text_clear(fault);
    text_put(fault, "cannot record into ");
    text_put(fault, folder);
    text_put(fault, ": ");
    text_put(fault, why);
    return false;
}

/* The set-up's file is made first: by it a number is taken, and by nobody else. */
static int take_number(struct serve_record *record)
{
    char path[PATH_MAX];
    int  file = -1;
    errno = EEXIST;
    for (uint32_t number = 1; file < 0 && errno == EEXIST && number < RECORDS_MAX; number++) {
        (void) snprintf(record->name, sizeof record->name, "%04u", number);
        errno = ENAMETOOLONG;
        if (path_of(record, ".json", path))
            file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return file;
}

bool serve_record_open(struct serve_record *record, const char *folder,
                       const struct serve_table *table, struct text *fault)
{
    memset(record, 0, sizeof *record);
    record->folder = folder;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(fault, folder, strerror(errno));
    int file = take_number(record);
    if (file < 0)
        return fail(fault, folder, strerror(errno));
    size_t  size = table->table->config_size;
    ssize_t written = write(file, table->table->config, size);
    if (close(file) != 0 || written != (ssize_t) size)
        return fail(fault, folder, written >= 0 ? "there is no room" : strerror(errno));
    record->notes = json_array();
    record->players = json_array();
    return true;
}

uint32_t serve_record_client(struct serve_record *record, uint64_t route)
{
    for (uint32_t i = 0; i < record->clients; i++)
        if (record->route[i] == route)
            return i;
    if (record->clients == RECORD_CLIENTS_MAX)
        return RECORD_CLIENTS_MAX - 1;
    record->route[record->clients] = route;
    return record->clients++;
}

void serve_record_moved(struct serve_record *record, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; record != NULL && i < record->clients; i++)
        if (record->route[i] == from)
            record->route[i] = to;
}

static void note(struct serve_record *record, json_t *line)
{
    if (line != NULL)
        json_array_append_new(record->notes, json_pack("{s:I s:o}", "after",
                                                       (json_int_t) record->after, "line", line));
}

void serve_note_command(struct serve_record *record, struct serve_door *door, uint64_t route,
                        const uint8_t *bytes, size_t size)
{
    if (record == NULL)
        return;
    json_decref(record->said);
    record->said =
        told_command(door->plain.wire->command, serve_record_client(record, route), bytes, size);
}

void serve_note_said(struct serve_record *record, uint64_t after)
{
    if (record == NULL)
        return;
    record->after = after;
    record->is_noting = record->said != NULL;
    note(record, record->said);
    record->said = NULL;
}

void serve_note_done(struct serve_record *record)
{
    if (record == NULL)
        return;
    record->is_noting = false;
    json_decref(record->said);
    record->said = NULL;
}

static const json_t *last_line(const struct serve_record *record)
{
    size_t count = json_array_size(record->notes);
    return count == 0 ? NULL : json_object_get(json_array_get(record->notes, count - 1), "line");
}

void serve_note_event(struct serve_record *record, struct serve_door *door, uint32_t to,
                      const uint8_t *bytes, size_t size, bool is_setup)
{
    if (record == NULL)
        return;
    json_t *line = serve_line(record, door, to, bytes, size);
    if (line != NULL && is_setup)
        json_object_set_new(json_object_get(line, "args"), "config", json_string("@file"));
    if (line != NULL && to == TOLD_ALL && json_equal(line, last_line(record)))
        json_decref(line);
    else
        note(record, line);
}

void serve_note_timeout(struct serve_record *record)
{
    if (record != NULL)
        note(record, json_pack("{s:b}", "timeout", 1));
}

void serve_note_player(struct serve_record *record, uint64_t route, const char *name)
{
    if (record != NULL)
        json_array_append_new(record->players,
                              json_pack("{s:I s:s}", "comm",
                                        (json_int_t) serve_record_client(record, route), "name",
                                        name));
}

/* What the recordings' own list calls it. */
static const char *word_of(enum serve_ending ending, const struct transcript_end *end)
{
    switch (ending) {
    case SERVE_BROKEN_OFF:
    case SERVE_NOT_BEGUN: return "aborted";
    case SERVE_ANNULLED: return "annulled";
    default: return end->word;
    }
}

static const char *why_of(enum serve_ending ending)
{
    switch (ending) {
    case SERVE_FINISHED: return "finished";
    case SERVE_BROKEN_OFF: return "registration broken off";
    case SERVE_NOT_BEGUN: return "nobody began in time";
    case SERVE_OUT_OF_TIME: return "time ran out";
    case SERVE_ANNULLED: return "ended by the house";
    default: return "interrupted";
    }
}

/* One line in one write: doors of one class may write into one folder. */
static bool add_result(struct serve_record *record, const struct serve_door *door,
                       const struct serve_table *table, enum serve_ending ending,
                       const struct transcript_end *end)
{
    char    path[PATH_MAX], id[2 * CLIENT_ID_SIZE + 1], name[24];
    json_t *line = json_object();
    (void) snprintf(name, sizeof name, "%s.jsonl", record->name);
    json_object_set_new(line, "file", json_string(name));
    json_object_set_new(line, "config", json_sprintf("%s.json", record->name));
    json_object_set_new(line, "source", json_string("served"));
    json_object_set_new(line, "end", json_string(word_of(ending, end)));
    json_object_set_new(line, "why", json_string(why_of(ending)));
    json_object_set_new(line, "game", json_string(table->table->wire->game->name));
    json_object_set_new(line, "seed", json_integer((json_int_t) table->seed));
    json_object_set(line, "players", record->players);
    if (door->has_begun) {
        (void) sodium_bin2hex(id, sizeof id, door->match_id, CLIENT_ID_SIZE);
        json_object_set_new(line, "match", json_sprintf("%s.match", record->name));
        json_object_set_new(line, "match_id", json_string(id));
        json_object_set_new(line, "acts", json_integer((json_int_t) end->acts));
    }
    if (end->outcome != NULL)
        json_object_set(line, "outcome", end->outcome);
    char *text = json_dumps(line, 0);
    bool  is_path = snprintf(path, sizeof path, "%s/index.jsonl", record->folder) < PATH_MAX;
    FILE *file = is_path && text != NULL ? fopen(path, "ae") : NULL;
    bool  is_put = file != NULL && fprintf(file, "%s\n", text) > 0;
    is_put = file != NULL && fclose(file) == 0 && is_put;
    if (!is_put)
        complain("%s cannot be written: %s.", path, strerror(errno));
    free(text);
    json_decref(line);
    return is_put;
}

static int write_files(struct serve_record *record, struct serve_door *door,
                       const struct serve_table *table, enum serve_ending ending)
{
    char                      match[PATH_MAX], lines[PATH_MAX];
    struct half_file          file;
    struct transcript_end     end = { .word = "open" };
    const struct export_place place = { .home = door->cluster->home.folder };
    if (!path_of(record, ".match", match) || !path_of(record, ".jsonl", lines))
        return CONSOLE_BAD_INPUT;
    int code = door->has_begun ? export_match(&place, door->match_id, match) : CONSOLE_OK;
    if (code != CONSOLE_OK || !half_file_open(&file, lines))
        return CONSOLE_BAD_INPUT;
    bool is_put =
        serve_transcript(file.stream, record, door, table, door->has_begun ? match : NULL, &end);
    is_put = half_file_close(&file, is_put) && is_put;
    is_put = is_put && add_result(record, door, table, ending, &end);
    json_decref(end.outcome);
    return is_put ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

static void drop(struct serve_record *record)
{
    json_decref(record->notes);
    json_decref(record->players);
    json_decref(record->said);
    memset(record, 0, sizeof *record);
}

void serve_record_forget(struct serve_record *record)
{
    char path[PATH_MAX];
    if (record->folder != NULL && path_of(record, ".json", path))
        (void) unlink(path);
    drop(record);
}

int serve_record_close(struct serve_record *record, struct serve_door *door,
                       const struct serve_table *table, enum serve_ending ending)
{
    int code = write_files(record, door, table, ending);
    drop(record);
    return code;
}
