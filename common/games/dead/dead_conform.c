/* dead_conform.c: replays a recording line by line and compares what comes with what came then.
 *
 * What the original sent to one client alone is in our stream a public event naming the player
 * (ActNow, VoteNow, a CommandFailed without a command), or an answer that is no event at all (the
 * CommandFailed of a refused command); both are addressed here. Names of players and the text of the
 * config are no business of the rules; they are put in here. */
#include "games/dead/dead_conform.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/dead/dead.h"
#include "games/dead/dead_names_conform.h"
#include "games/dead/dead_table_conform.h"

/* A recording being played. */
struct show {
    const char       *path;
    FILE             *complaints;
    uint32_t          line;
    struct dead_table table;
};

static void complain(const struct show *show, const char *expected, const json_t *came)
{
    char *text = came ? json_dumps(came, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    (void) fprintf(show->complaints, "%s:%u: expected %s, came %s\n", show->path, show->line,
                   expected, text ? text : "nothing");
    free(text);
}

/* The text of a failure is free, but there must be one; everything else must be the same. */
static bool agrees(const json_t *expected, json_t *came)
{
    const json_t *sentence = json_object_get(json_object_get(came, "args"), "message");
    json_t       *message = json_object_get(json_object_get(expected, "args"), "message");
    if (sentence != NULL && json_string_length(message) > 0)
        json_object_set(json_object_get(came, "args"), "message", message);
    return json_equal(expected, came);
}

static bool compare_event(struct show *show, const json_t *expected)
{
    json_t *came = dead_table_next(&show->table);
    bool    same = came != NULL && agrees(expected, came);
    if (!same) {
        char *text = json_dumps(expected, JSON_COMPACT | JSON_SORT_KEYS);
        complain(show, text, came);
        free(text);
    }
    json_decref(came);
    return same;
}

/* Before anybody speaks again, or the recording ends, everything must have been said. */
static bool nothing_is_left(struct show *show)
{
    json_t *came = dead_table_next(&show->table);
    if (came == NULL)
        return true;
    complain(show, "no further event", came);
    json_decref(came);
    return false;
}

static bool play_command(struct show *show, const json_t *line)
{
    const char    *name = json_string_value(json_object_get(line, "cmd"));
    const json_t  *from = json_object_get(line, "from");
    json_int_t     client = json_integer_value(from);
    struct command command;
    if (name == NULL || !json_is_integer(from) || client < 0 || client > UINT32_MAX ||
        json_object_size(line) != 3 ||
        !dead_read_command(name, json_object_get(line, "args"), &command)) {
        complain(show, "a command of the game", line);
        return false;
    }
    dead_table_hear(&show->table, (uint32_t) client, &command);
    return true;
}

static bool play_line(struct show *show, const json_t *line)
{
    if (json_object_get(line, "ev"))
        return compare_event(show, line);
    if (!nothing_is_left(show))
        return false;
    if (!json_is_true(json_object_get(line, "timeout")) || json_object_size(line) != 1)
        return play_command(show, line);
    dead_table_expire(&show->table);
    return true;
}

/* Plays all lines behind the header. */
static bool play_lines(struct show *show, FILE *file)
{
    char  *text = NULL;
    size_t capacity = 0;
    bool   agreed = true;
    while (agreed && getline(&text, &capacity, file) > 0) {
        show->line++;
        json_t *line = json_loads(text, 0, NULL);
        if (line == NULL)
            complain(show, "a line of JSON", NULL);
        agreed = line != NULL && play_line(show, line);
        json_decref(line);
    }
    show->line += agreed;
    agreed = agreed && nothing_is_left(show);
    free(text);
    return agreed;
}

static bool open_show(struct show *show, FILE *file)
{
    char  *text = NULL;
    size_t capacity = 0;
    show->line = 1;
    json_t *header = getline(&text, &capacity, file) > 0 ? json_loads(text, 0, NULL) : NULL;
    bool    opened = false;
    if (!json_is_object(header) || !json_is_string(json_object_get(header, "config")) ||
        !json_is_string(json_object_get(header, "edition")) ||
        !json_is_integer(json_object_get(header, "seed")))
        (void) fprintf(show->complaints, "%s:1: no header of a recorded game of the dead\n",
                       show->path);
    else
        opened = dead_table_open(&show->table, header, show->path, show->complaints);
    json_decref(header);
    free(text);
    return opened;
}

bool dead_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed)
{
    struct show show = { .path = path, .complaints = complaints };
    FILE       *file = fopen(path, "r");
    *agreed = 0;
    *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool opened = open_show(&show, file);
    if (opened) {
        *agreed = play_lines(&show, file);
        *disagreed = !*agreed;
        dead_table_close(&show.table);
    }
    (void) fclose(file);
    return opened;
}
