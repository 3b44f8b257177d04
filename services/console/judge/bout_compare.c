/* bout_compare.c: where what came differs from what was expected, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/conform/dead_names_conform.h"
#include "services/console/judge/bout_parts.h"

#define STORY_MAX 12
#define SHOWN_MAX 400 /* Bytes of it are shown. */

/* Comparing. */

/* To whom something is told is seen by who hears it; the text of a failure is free, but not empty. */
static bool is_same(const json_t *expected, const json_t *came)
{
    const json_t *one = json_object_get(expected, "args"), *other = json_object_get(came, "args");
    if (!json_equal(json_object_get(expected, "ev"), json_object_get(came, "ev")))
        return false;
    if (json_object_get(one, "message") != NULL)
        return json_string_length(json_object_get(other, "message")) > 0;
    return json_equal(one, other);
}

size_t caller_gap(const struct caller *caller)
{
    size_t i = 0, expected = json_array_size(caller->expected),
           came = json_array_size(caller->came);
    while (i < expected && i < came &&
           is_same(json_array_get(caller->expected, i), json_array_get(caller->came, i)))
        i++;
    return i;
}

static bool is_right(const struct caller *caller)
{
    return !caller->has_spoken ||
           (json_array_size(caller->came) == json_array_size(caller->expected) &&
            caller_gap(caller) == json_array_size(caller->expected));
}

static bool has_event(const json_t *events, const json_t *event)
{
    size_t  i;
    json_t *other;
    json_array_foreach(events, i, other) if (is_same(event, other)) return true;
    return false;
}

/* All of it is there, in another order. */
static bool is_shuffled(const struct caller *caller)
{
    size_t  i;
    json_t *event;
    if (json_array_size(caller->came) != json_array_size(caller->expected))
        return false;
    json_array_foreach(caller->expected, i,
                       event) if (!has_event(caller->came, event)) return false;
    json_array_foreach(caller->came, i,
                       event) if (!has_event(caller->expected, event)) return false;
    return true;
}

/* Who heard something else at the earliest place. */
static uint32_t first_wrong(const struct bout *bout)
{
    uint32_t first = CALLERS_MAX;
    for (uint32_t client = 0; client < CALLERS_MAX; client++)
        if (!is_right(&bout->caller[client]) &&
            (first == CALLERS_MAX ||
             caller_gap(&bout->caller[client]) < caller_gap(&bout->caller[first])))
            first = client;
    return first;
}

/* Words. */

/* A text may have 64 KiB. */
static void put_string(FILE *out, const char *text)
{
    size_t size = strlen(text);
    if (size > SHOWN_MAX)
        for (size = SHOWN_MAX; ((uint8_t) text[size] & 0xc0) == 0x80;) /* Not within a letter. */
            size--;
    (void) fprintf(out, "%.*s%s", (int) size, text, text[size] != '\0' ? "..." : "");
}

static void put_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        put_string(out, json_string_value(value));
    else if (json_is_boolean(value))
        (void) fprintf(out, "%s", json_is_true(value) ? "true" : "false");
    else
        (void) fprintf(out, "%lld", (long long) json_integer_value(value));
}

static char *with_args(const char *name, const json_t *args)
{
    size_t      size, count = 0;
    char       *text = NULL;
    FILE       *out = open_memstream(&text, &size);
    const char *key;
    json_t     *value;
    if (out == NULL)
        abort();
    (void) fprintf(out, "%s(", name);
    json_object_foreach((json_t *) args, key, value)
    {
        (void) fprintf(out, "%s%s=", count++ > 0 ? ", " : "", key);
        if (json_is_string(value) && strcmp(json_string_value(value), "@file") == 0)
            (void) fputs("the file's text", out);
        else
            put_value(out, value);
    }
    (void) fputc(')', out);
    (void) fclose(out);
    return text;
}

char *bout_event_text(const json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "ev"));
    return with_args(name != NULL ? name : "?", json_object_get(event, "args"));
}

/* Texts one behind the other, until NULL. The caller frees what comes of them. */
static char *join_all(const char *const *texts)
{
    size_t size;
    char  *text = NULL;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    for (; *texts != NULL; texts++)
        (void) fputs(*texts, out);
    (void) fclose(out);
    return text;
}

#define join(...) join_all((const char *const[]){ __VA_ARGS__ })

/* "client 2", and what it plays as. */
static void name_client(const struct bout *bout, uint32_t client, char name[64])
{
    uint32_t seat = bout->room->house->seat(bout->room->house, client);
    if (seat == NO_SEAT_HERE)
        (void) snprintf(name, 64, "client %u", client);
    else
        (void) snprintf(name, 64, "client %u (player %u)", client, seat);
}

static char *step_text(const struct bout *bout)
{
    char           name[64];
    struct command command = dead_step_command(bout->step);
    if (bout->step->kind == DEAD_SILENCE)
        return join("nobody says anything until time is up", NULL);
    if (bout->step->kind == DEAD_PAUSE)
        return join("nobody says anything for a while", NULL);
    name_client(bout, bout->step->client, name);
    if (bout->step->kind == DEAD_NOISE)
        return join(name, " sends bytes that are no command", NULL);
    json_t *shown = dead_show_command(&command);
    char   *said =
        with_args(json_string_value(json_object_get(shown, "cmd")), json_object_get(shown, "args"));
    char *text = join(name, " says ", said, NULL);
    free(said);
    json_decref(shown);
    return text;
}

static char *told_text(const struct bout *bout, uint32_t client, const json_t *event)
{
    char name[64], when[64] = "";
    name_client(bout, client, name);
    if (bout->is_untimely)
        (void) snprintf(when, sizeof when, ", %u s after the last command", bout->terms->timeout_s);
    if (event == NULL)
        return join("nothing more for ", name, NULL);
    bool  is_failure = json_object_get(json_object_get(event, "args"), "message") != NULL;
    char *told = is_failure ? join("CommandFailed(message=any text but none)", NULL)
                            : bout_event_text(event);
    bool  is_to_all = json_is_string(json_object_get(event, "to"));
    char *text = join(told, is_to_all ? " for all, so also for " : " for ", name, when, NULL);
    free(told);
    return text;
}

static bool has_died(const struct bout *bout)
{
    return bout->terms->started != NULL && bout->terms->started->pid == 0;
}

static char *came_text(const struct bout *bout, uint32_t client, const json_t *came)
{
    char     text[128] = "";
    uint64_t thrown_away = callers_thrown_away(&bout->room->callers, client);
    if (came == NULL && has_died(bout))
        (void) snprintf(text, sizeof text, "nothing: the program has ended with %d",
                        started_code(bout->terms->started));
    else if (came == NULL && thrown_away > 0)
        (void) snprintf(text, sizeof text,
                        "messages of several frames, or too long (%" PRIu64
                        "); each is one frame, a Down",
                        thrown_away);
    else if (came == NULL && bout_is_flooded(bout))
        (void) snprintf(text, sizeof text, "frames without end, more than %llu MB", BOUT_STEP_MB);
    else if (came == NULL && bout->caller[client].was_cut)
        (void) snprintf(text, sizeof text,
                        "nothing: the connection was cut, as by a frame of more than 64 KiB or by "
                        "what is not ZeroMQ");
    else if (came == NULL)
        (void) snprintf(text, sizeof text, "nothing within %.0f s", bout->waits_s);
    else if (bout->is_untimely)
        (void) snprintf(text, sizeof text, ", %.2f s after it", bout->after_s);
    char *told = came != NULL ? bout_event_text(came) : NULL;
    char *whole = join(told != NULL ? told : "", text, NULL);
    free(told);
    return whole;
}

/* Writing the difference. */

/* The place of an event among those expected, so often told before; the number of them if it is none. */
static size_t place_of(const json_t *events, const json_t *event, size_t told_before)
{
    size_t  i;
    json_t *other;
    json_array_foreach(events, i, other) if (is_same(event, other) && told_before-- == 0) return i;
    return json_array_size(events);
}

static size_t times_before(const json_t *events, const json_t *event, size_t until)
{
    size_t times = 0;
    for (size_t i = 0; i < until; i++)
        times += is_same(event, json_array_get(events, i));
    return times;
}

/* What others heard tells who was meant. */
static void look_around(const struct bout *bout, uint32_t wrong, struct dead_gap *gap)
{
    const json_t *mine = bout->caller[wrong].expected;
    size_t        at = caller_gap(&bout->caller[wrong]);
    size_t        before = gap->expected != NULL ? times_before(mine, gap->expected, at) : 0;
    /* Somebody without a place, or who has left, is told something. */
    gap->is_of_others = gap->expected == NULL && json_array_size(mine) == 0 &&
                        (bout->room->house->seat(bout->room->house, wrong) == NO_SEAT_HERE ||
                         bout->caller[wrong].has_left) &&
                        bout->step->kind != DEAD_SILENCE;
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        const struct caller *caller = &bout->caller[client];
        if (client == wrong || !caller->has_spoken)
            continue;
        size_t theirs =
            gap->expected != NULL ? place_of(caller->expected, gap->expected, before) : 0;
        bool is_theirs = gap->expected != NULL && theirs < json_array_size(caller->expected);
        gap->others_heard = gap->others_heard || (is_theirs && caller_gap(caller) > theirs);
        /* What is for one alone went to another, or came from there. */
        bool went_astray = gap->expected != NULL && !is_theirs &&
                           !has_event(caller->expected, gap->expected) &&
                           has_event(caller->came, gap->expected);
        bool is_astray = gap->came != NULL && has_event(caller->expected, gap->came) &&
                         !has_event(mine, gap->came);
        gap->others_heard = gap->others_heard || went_astray;
        gap->is_of_others = gap->is_of_others || is_astray;
    }
}

static json_t *first_events(const json_t *events, size_t count)
{
    json_t *some = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append(some, json_array_get(events, i));
    return some;
}

static bool must_fail(const struct bout *bout)
{
    const struct caller *caller = &bout->caller[bout->step->client];
    const char          *kind =
        json_string_value(json_object_get(json_array_get(caller->expected, 0), "ev"));
    return bout->step->kind != DEAD_SILENCE && kind != NULL && strcmp(kind, "CommandFailed") == 0;
}

static void write_difference(struct bout *bout, uint32_t client)
{
    const struct caller *caller = &bout->caller[client];
    size_t               at = bout->is_untimely ? 0 : caller_gap(caller);
    json_t              *before = first_events(caller->expected, at);
    struct dead_gap      gap = { .step = bout->step,
                                 .expected = json_array_get(caller->expected, at),
                                 .came = json_array_get(caller->came, at),
                                 .before = before,
                                 .is_refused = must_fail(bout),
                                 .is_shuffled = is_shuffled(caller),
                                 .is_untimely = bout->is_untimely };
    look_around(bout, client, &gap);
    struct difference *difference = bout->difference;
    difference->cause = dead_explain(&gap);
    if (gap.came == NULL && has_died(bout) && started_code(bout->terms->started) != 0)
        difference->cause = (struct dead_cause){ DEAD_TOPIC_START, "2.5",
                                                 "The server runs until the game is over." };
    difference->steps = bout->steps;
    difference->client = client;
    difference->said = step_text(bout);
    difference->expected = told_text(bout, client, gap.expected);
    difference->came = came_text(bout, client, gap.came);
    difference->story = json_incref(bout->story);
    json_decref(before);
}

bool bout_compare(struct bout *bout)
{
    uint32_t client = first_wrong(bout);
    if (client == CALLERS_MAX && bout->is_untimely)
        for (client = 0; json_array_size(bout->caller[client].came) == 0;)
            client++;
    if (client == CALLERS_MAX)
        return true;
    write_difference(bout, client);
    return false;
}

bool bout_compare_end(struct bout *bout)
{
    struct started *started = bout->terms->started;
    bool            has_ended = !started_runs(started);
    if (has_ended && started_code(started) == 0)
        return true;
    char text[96];
    if (has_ended)
        (void) snprintf(text, sizeof text, "exit code %d", started_code(started));
    else if (bout_is_flooded(bout))
        (void) snprintf(text, sizeof text, "frames without end, more than %llu MB", BOUT_STEP_MB);
    else
        (void) snprintf(text, sizeof text, "it still runs %.0f s later", bout->terms->start_s);
    *bout->difference = (struct difference){
        .cause = { DEAD_TOPIC_START, "2.5",
                   "Exit code 0 after the last event of a game, or of none." },
        .steps = bout->steps,
        .client = CALLERS_MAX,
        .said = step_text(bout),
        .expected = strdup("the program ends with exit code 0"),
        .came = strdup(text),
        .story = json_incref(bout->story),
    };
    return false;
}

void difference_close(struct difference *difference)
{
    free(difference->said);
    free(difference->expected);
    free(difference->came);
    json_decref(difference->story);
    memset(difference, 0, sizeof *difference);
}

/* The story: the last steps before the difference. */

static void tell(struct bout *bout, char *text)
{
    if (json_array_size(bout->story) >= STORY_MAX * 4)
        json_array_remove(bout->story, 0);
    json_array_append_new(bout->story, json_string(text));
    free(text);
}

/* What the first client that hears it is told. */
static void tell_events(struct bout *bout)
{
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        size_t  i;
        json_t *event;
        if (json_array_size(bout->caller[client].expected) == 0)
            continue;
        json_array_foreach(bout->caller[client].expected, i, event)
        {
            char *told = bout_event_text(event);
            char  who[64];
            name_client(bout, client, who);
            bool is_to_all = json_is_string(json_object_get(event, "to"));
            tell(bout, join("    ", told, " for ", is_to_all ? "all" : who, NULL));
            free(told);
        }
        return;
    }
}

void bout_remember(struct bout *bout)
{
    tell(bout, step_text(bout));
    tell_events(bout);
    bout->taken_bytes = 0;
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        json_array_clear(bout->caller[client].expected);
        json_array_clear(bout->caller[client].came);
    }
}
