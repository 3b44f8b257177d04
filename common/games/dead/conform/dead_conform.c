/* dead_conform.c: replays a recording line by line and compares what each client hears with what it
 * heard then.
 *
 * Who answers is a house: the rules in this process, or real ones. What a client hears is put into
 * the recording's form as it comes (dead_heard_conform.h). */
#include "games/dead/conform/dead_conform.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/conform/dead_heard_conform.h"
#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/conform/dead_table_conform.h"
#include "games/dead/conform/dead_verdicts_conform.h"
#include "games/lines_conform.h"

#define OPTIONS_MAX_BYTES 128

/* One of the recording's clients. */
struct ear {
    json_t *heard;      /* What it was told and nobody has compared yet.                       */
    bool    has_spoken; /* Before that it is nobody.                                           */
    bool    has_config; /* By the recording: it is told what all are told.                     */
    bool    has_left;   /* It heard that it left; the last it hears.                           */
    json_t *name;       /* What it called itself when it last registered.                      */
};

struct show {
    const char   *path;
    FILE         *complaints;
    uint32_t      line;
    struct house *house;
    json_t       *header;
    uint32_t      registered; /* So many of the header's players, in their order.              */
    struct ear    ears[DEAD_CLIENTS_MAX];
};

static bool complain(const struct show *show, const char *expected, const json_t *came)
{
    char *text = came ? json_dumps(came, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    (void) fprintf(show->complaints, "%s:%u: expected %s, came %s\n", show->path, show->line,
                   expected, text ? text : "nothing");
    free(text);
    return false;
}

/* Hearing. */

static void listen_all(struct show *show)
{
    for (uint32_t client = 0; client < DEAD_CLIENTS_MAX; client++)
        if (show->ears[client].has_spoken)
            dead_listen(show->house, client, &show->ears[client].has_left,
                        show->ears[client].heard);
}

/* Comparing. */

/* The text of a failure is free, but there must be one; everything else must be the same. */
static bool agrees(const json_t *expected, json_t *came)
{
    const json_t *sentence = json_object_get(json_object_get(came, "args"), "message");
    json_t       *message = json_object_get(json_object_get(expected, "args"), "message");
    if (sentence != NULL && json_string_length(message) > 0)
        json_object_set(json_object_get(came, "args"), "message", message);
    return json_equal(expected, came);
}

static bool compare_at(struct show *show, uint32_t client, const json_t *expected)
{
    json_t *heard = show->ears[client].heard;
    json_t *came = json_incref(json_array_get(heard, 0));
    bool    same = came != NULL && agrees(expected, came);
    if (!same) {
        char *text = json_dumps(expected, JSON_COMPACT | JSON_SORT_KEYS);
        complain(show, text, came);
        free(text);
    }
    json_array_remove(heard, 0);
    json_decref(came);
    return same;
}

/* Whether this client is one of those who are told what all are told. */
static bool hears_all(const struct ear *ear)
{
    return ear->has_config && (!ear->has_left || json_array_size(ear->heard) > 0);
}

/* Who has registered must be the next of the players that the header names, under this name. */
static bool is_next_player(struct show *show, uint32_t client)
{
    const json_t *player =
        json_array_get(json_object_get(show->header, "players"), show->registered++);
    json_t *came = json_pack("{s:i, s:O?}", "comm", (int) client, "name", show->ears[client].name);
    bool    same = json_equal(player, came);
    char   *text = player != NULL ? json_dumps(player, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (!same)
        (void) fprintf(show->complaints, "%s:%u: by its header registers %s, here comm %u does\n",
                       show->path, show->line, text != NULL ? text : "nobody more", client);
    free(text);
    json_decref(came);
    return same;
}

/* Those who have not registered when the game begins never will. */
static bool are_all_players(const struct show *show)
{
    size_t players = json_array_size(json_object_get(show->header, "players"));
    if (show->registered == players)
        return true;
    (void) fprintf(show->complaints, "%s:%u: by its header %zu players register, here %u do\n",
                   show->path, show->line, players, show->registered);
    return false;
}

static bool compare_event(struct show *show, const json_t *expected)
{
    const json_t *to = json_object_get(expected, "to");
    json_int_t    one = json_integer_value(to);
    const char   *kind = json_string_value(json_object_get(expected, "ev"));
    if (kind == NULL || (json_is_integer(to) && (one < 0 || one >= DEAD_CLIENTS_MAX)))
        return complain(show, "an event", expected);
    if (json_is_integer(to)) {
        bool is_config = strcmp(kind, "Config") == 0;
        show->ears[one].has_config |= is_config;
        return compare_at(show, (uint32_t) one, expected) &&
               (!is_config || is_next_player(show, (uint32_t) one));
    }
    bool     same = true;
    uint32_t hearers = 0;
    for (uint32_t client = 0; same && client < DEAD_CLIENTS_MAX; client++) {
        if (!hears_all(&show->ears[client]))
            continue;
        same = compare_at(show, client, expected);
        hearers++;
    }
    if (same && hearers > 0 && strcmp(kind, "GameStarted") == 0)
        return are_all_players(show);
    return hearers > 0 ? same : complain(show, "an event that somebody hears", expected);
}

/* Before anybody speaks again, or the recording ends, everything must have been said. */
static bool nothing_is_left(struct show *show)
{
    for (uint32_t client = 0; client < DEAD_CLIENTS_MAX; client++) {
        const json_t *came = json_array_get(show->ears[client].heard, 0);
        if (came != NULL)
            return complain(show, "no further event", came);
    }
    return true;
}

/* Speaking. */

static bool play_command(struct show *show, const json_t *line)
{
    const char    *name = json_string_value(json_object_get(line, "cmd"));
    const json_t  *from = json_object_get(line, "from");
    json_int_t     client = json_integer_value(from);
    struct command command;
    if (name == NULL || !json_is_integer(from) || client < 0 || client >= DEAD_CLIENTS_MAX ||
        json_object_size(line) != 3 ||
        !dead_read_command(name, json_object_get(line, "args"), &command))
        return complain(show, "a command of the game", line);
    struct ear *ear = &show->ears[client];
    if (ear->heard == NULL)
        ear->heard = json_array();
    ear->has_spoken = true;
    if (strcmp(name, "Register") == 0) {
        json_decref(ear->name);
        ear->name = json_incref(json_object_get(json_object_get(line, "args"), "playerName"));
    }
    bool answered = show->house->say(show->house, (uint32_t) client, &command);
    listen_all(show);
    if (!answered)
        (void) fprintf(show->complaints, "%s:%u: no answer came\n", show->path, show->line);
    return answered;
}

static bool play_line(struct show *show, const json_t *line)
{
    if (json_object_get(line, "ev") != NULL)
        return compare_event(show, line);
    if (!nothing_is_left(show))
        return false;
    if (!json_is_true(json_object_get(line, "timeout")) || json_object_size(line) != 1)
        return play_command(show, line);
    bool expired = show->house->expire(show->house);
    listen_all(show);
    if (!expired)
        (void) fprintf(show->complaints, "%s:%u: time did not run out\n", show->path, show->line);
    return expired;
}

static bool play_lines(struct show *show, FILE *file)
{
    char  *text = NULL;
    size_t capacity = 0;
    bool   agreed = true;
    while (agreed && recording_line(file, &text, &capacity, &show->line)) {
        json_t *line = json_loads(text, 0, NULL);
        agreed = line != NULL ? play_line(show, line) : complain(show, "a line of JSON", NULL);
        json_decref(line);
    }
    free(text);
    show->line += agreed;
    return agreed && nothing_is_left(show);
}

/* What the header calls a client. */
static const char *name_of(void *asked, uint32_t client)
{
    const struct show *show = asked;
    size_t             i;
    json_t            *player;
    json_array_foreach(
        json_object_get(show->header, "players"), i,
        player) if (json_integer_value(json_object_get(player, "comm")) ==
                    (json_int_t) client) return json_string_value(json_object_get(player, "name"));
    return NULL;
}

static bool open_table(struct show *show, json_t *header)
{
    char   found[DEAD_PATH_MAX], options[OPTIONS_MAX_BYTES];
    size_t size;
    char  *text = dead_config_text(header, show->path, 1, show->complaints, found, &size);
    if (text == NULL)
        return false;
    (void) snprintf(options, sizeof options, "{\"edition\": \"%.32s\", \"patience\": %" PRId64 "}",
                    json_string_value(json_object_get(header, "edition")),
                    (int64_t) json_integer_value(json_object_get(header, "patience")));
    struct house_table table = { .found = found,
                                 .setup = text,
                                 .options = options,
                                 .seed = json_integer_value(json_object_get(header, "seed")),
                                 .name = name_of,
                                 .asked = show };
    show->header = json_incref(header);
    bool opened = show->house->open(show->house, &table, show->complaints);
    free(text);
    return opened;
}

static bool open_show(struct show *show, FILE *file)
{
    char  *text = NULL;
    size_t capacity = 0;
    show->line = 1;
    json_t *header = getline(&text, &capacity, file) > 0 ? json_loads(text, 0, NULL) : NULL;
    bool    opened = false;
    if (!json_is_string(json_object_get(header, "config")) ||
        !json_is_string(json_object_get(header, "edition")) ||
        !json_is_integer(json_object_get(header, "seed")) ||
        !json_is_array(json_object_get(header, "players")))
        (void) fprintf(show->complaints, "%s:1: no header of a recorded game of the dead\n",
                       show->path);
    else
        opened = open_table(show, header);
    json_decref(header);
    free(text);
    return opened;
}

bool dead_conform_live(const char *path, struct house *house, FILE *complaints, uint32_t *agreed,
                       uint32_t *disagreed)
{
    struct show show = { .path = path, .complaints = complaints, .house = house };
    FILE       *file = fopen(path, "r");
    *agreed = 0;
    *disagreed = 0;
    if (file == NULL) {
        (void) fprintf(complaints, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool verdicts = dead_has_verdicts(file);
    bool opened = verdicts || open_show(&show, file);
    if (verdicts) {
        dead_play_verdicts(path, file, complaints, agreed, disagreed);
    } else if (opened) {
        *agreed = play_lines(&show, file);
        *disagreed = !*agreed;
        house->close(house);
    }
    for (uint32_t client = 0; client < DEAD_CLIENTS_MAX; client++) {
        json_decref(show.ears[client].heard);
        json_decref(show.ears[client].name);
    }
    json_decref(show.header);
    (void) fclose(file);
    return opened;
}

bool dead_conform(const char *path, FILE *complaints, uint32_t *agreed, uint32_t *disagreed)
{
    struct house *house = dead_house_new();
    if (house == NULL)
        return false;
    bool read = dead_conform_live(path, house, complaints, agreed, disagreed);
    dead_house_destroy(&house);
    return read;
}
