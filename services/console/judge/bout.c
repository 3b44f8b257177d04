/* bout.c: see bout.h. */
#include "services/console/judge/bout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/plain.pb-c.h"
#include "games/dead/conform/dead_heard_conform.h"
#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/conform/dead_table_conform.h"
#include "games/registry.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/judge/bout_parts.h"

#define LOOK_MS 20
/* Behind the last thing that was expected, so long something else may come. */
#define CAREFUL_S 0.03
#define BEHIND_S 0.05
/* What an event takes here besides its frame. */
#define EVENT_BYTES 512
/* A clock may be early by so much, and on a busy machine late by this share of the patience. */
#define EARLY_S 0.15
#define LATE 0.4
#define PAUSE 0.6 /* Of the time there is. */
#define COMMAND_BYTES 512

bool bout_room_open(struct bout_room *room, struct text *fault)
{
    memset(room, 0, sizeof *room);
    room->house = dead_house_new();
    room->commands = plan_new(registry_find("dead", 0)->command);
    return room->house != NULL && room->commands != NULL && callers_start(&room->callers, fault);
}

void bout_room_close(struct bout_room *room)
{
    callers_stop(&room->callers);
    if (room->house != NULL)
        dead_house_destroy(&room->house);
    if (room->commands != NULL)
        plan_destroy(&room->commands);
}

/* Hearing. */

/* The text of the set-up must come as the file has it. */
static void shorten_config(const struct bout *bout, json_t *event)
{
    json_t     *args = json_object_get(event, "args");
    const char *text = json_string_value(json_object_get(args, "config"));
    const char *file = bout->terms->script->config;
    size_t      same = 0;
    char        sentence[96];
    if (text == NULL)
        return;
    while (text[same] != '\0' && text[same] == file[same])
        same++;
    bool is_whole = text[same] == '\0' && file[same] == '\0';
    (void) snprintf(sentence, sizeof sentence, "a text that differs from the file at byte %zu",
                    same);
    json_object_set_new(args, "config", json_string(is_whole ? "@file" : sentence));
}

/* A frame in the form of the recordings; NULL: it is of no account here. */
static json_t *read_frame(const struct bout *bout, const uint8_t *bytes, size_t size)
{
    Arbiter__Plain__Down *down = arbiter__plain__down__unpack(NULL, size, bytes);
    json_t               *event = NULL;
    if (down != NULL && down->kind_case == ARBITER__PLAIN__DOWN__KIND_BEGINS) {
        arbiter__plain__down__free_unpacked(down, NULL);
        return NULL;
    }
    if (down != NULL && down->kind_case == ARBITER__PLAIN__DOWN__KIND_EVENT)
        event = dead_read_event(down->event.data, down->event.len);
    if (event == NULL)
        event = json_pack("{s:s, s:{}}", "ev", "(bytes that are no Down with an Event)", "args");
    if (down != NULL)
        arbiter__plain__down__free_unpacked(down, NULL);
    shorten_config(bout, event);
    return event;
}

/* A server that sends without end is not listened to without end. */
bool bout_is_flooded(const struct bout *bout)
{
    uint64_t thrown_away = 0;
    for (uint32_t client = 0; client < CALLERS_MAX; client++)
        thrown_away += callers_thrown_away(&bout->room->callers, client);
    return bout->taken_bytes + thrown_away * EVENT_BYTES > BOUT_STEP_MB << 20;
}

static bool take_in(struct bout *bout)
{
    const uint8_t *bytes;
    size_t         size;
    bool           any = false;
    for (uint32_t client = 0; client < CALLERS_MAX; client++)
        while (bout->caller[client].has_spoken && !bout_is_flooded(bout) &&
               callers_hear(&bout->room->callers, client, &bytes, &size)) {
            json_t *event = read_frame(bout, bytes, size);
            bout->room->heard++;
            bout->taken_bytes += size + EVENT_BYTES;
            if (event == NULL)
                continue;
            if (!any && bout->first_s == 0)
                bout->first_s = seconds_now();
            any = true;
            json_array_append_new(bout->caller[client].came, event);
        }
    return any;
}

/* Whether all of a step is there, or something else. */
static bool is_settled(const struct bout *bout, bool *is_wrong)
{
    bool all = true;
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        const struct caller *caller = &bout->caller[client];
        if (!caller->has_spoken)
            continue;
        *is_wrong = *is_wrong || caller_gap(caller) < json_array_size(caller->came);
        all = all && json_array_size(caller->came) >= json_array_size(caller->expected);
    }
    return all;
}

/* Who has lost the connection hears nothing more. A program that ends does that, too. */
static void look_for_cuts(struct bout *bout)
{
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        struct caller *caller = &bout->caller[client];
        if (caller->was_cut || !callers_was_cut(&bout->room->callers, client))
            continue;
        caller->was_cut = true;
        bout->room->heard++; /* Somebody was there. */
    }
}

/* Takes in what comes, until all is there, something else came, or time is up. */
static void listen(struct bout *bout, double until_s)
{
    bool is_wrong = false;
    while (!interrupted()) {
        bool   any = take_in(bout);
        double now = seconds_now();
        if (is_settled(bout, &is_wrong) || bout_is_flooded(bout))
            break;
        if (is_wrong && bout->wrong_s == 0)
            bout->wrong_s = now;
        if (now > until_s || (bout->wrong_s > 0 && now - bout->wrong_s > BEHIND_S))
            break;
        bool has_died = bout->terms->started != NULL && !started_runs(bout->terms->started);
        if (has_died && !any && bout->died_s == 0)
            bout->died_s = now;
        if (bout->died_s > 0 && now - bout->died_s > BEHIND_S)
            break;
        callers_wait(&bout->room->callers, LOOK_MS);
    }
    look_for_cuts(bout);
}

static void listen_for(struct bout *bout, double how_long_s)
{
    double until_s = seconds_now() + how_long_s;
    while (!interrupted() && !bout_is_flooded(bout) && seconds_now() < until_s) {
        callers_wait(&bout->room->callers, 5);
        (void) take_in(bout);
    }
}

/* Speaking. */

static void expect(struct bout *bout)
{
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        struct caller *caller = &bout->caller[client];
        if (caller->has_spoken)
            dead_listen(bout->room->house, client, &caller->has_left, caller->expected);
    }
}

static void open_ears(struct bout *bout, uint32_t client)
{
    struct caller *caller = &bout->caller[client];
    if (caller->has_spoken)
        return;
    caller->has_spoken = true;
    caller->expected = json_array();
    caller->came = json_array();
}

static bool send_step(struct bout *bout, const struct dead_step *step)
{
    static const uint8_t no_command[] = { 0xff, 0xff, 0x01 };
    uint8_t              bytes[COMMAND_BYTES];
    struct callers      *callers = &bout->room->callers;
    struct command       command = dead_step_command(step);
    if (step->kind == DEAD_SILENCE || step->kind == DEAD_PAUSE)
        return true;
    open_ears(bout, step->client);
    if (step->kind == DEAD_NOISE)
        return bout->steps % 2 == 0
                   ? callers_mumble(callers, step->client)
                   : callers_say(callers, step->client, no_command, sizeof no_command);
    size_t size = plan_encode_command(bout->room->commands, &command, bytes, sizeof bytes);
    return callers_say(callers, step->client, bytes, size);
}

/* Whether time ran out when it should have. */
static void look_at_clock(struct bout *bout, double begun_s)
{
    double after_s = bout->first_s - begun_s;
    if (bout->first_s == 0)
        return;
    bout->is_untimely = after_s < (double) bout->terms->timeout_s - EARLY_S ||
                        after_s > (double) bout->terms->timeout_s + LATE * bout->terms->patience_s;
    bout->after_s = after_s;
}

/* A server that listens may still be starting: nobody has heard anything in this game. */
static bool room_is_quiet(const struct bout *bout)
{
    return bout->room->heard == bout->heard_before;
}

/* One step: said here and there, heard here and there. */
static bool take_step(struct bout *bout, const struct dead_step *step)
{
    double begun_s = bout->spoken_s, patience_s = bout->terms->patience_s;
    bout->step = step;
    bout->first_s = bout->wrong_s = bout->after_s = 0;
    bout->is_untimely = false;
    if (!send_step(bout, step))
        return false;
    if (step->kind == DEAD_PAUSE) {
        listen_for(bout, PAUSE * bout->terms->timeout_s);
        return true;
    }
    if (step->kind != DEAD_SILENCE)
        begun_s = bout->spoken_s = seconds_now();
    dead_script_take(step, bout->room->house);
    expect(bout);
    if (room_is_quiet(bout))
        patience_s = bout->terms->start_s;
    if (step->kind == DEAD_SILENCE)
        patience_s += bout->terms->timeout_s;
    bout->waits_s = patience_s;
    listen(bout, begun_s + patience_s);
    if (step->kind == DEAD_SILENCE) {
        look_at_clock(bout, begun_s);
        bout->spoken_s = seconds_now();
    }
    if (bout->terms->is_careful)
        listen_for(bout, CAREFUL_S);
    return true;
}

/* The game. */

/* The last thing: nothing more comes, and the program ends with 0. */
static bool ends_well(struct bout *bout)
{
    struct started *started = bout->terms->started;
    double          begun = seconds_now();
    while (started != NULL && started_runs(started) && !interrupted() && !bout_is_flooded(bout) &&
           seconds_now() - begun < bout->terms->start_s)
        listen_for(bout, 0.01);
    listen_for(bout, BEHIND_S);
    return bout_compare(bout) && (started == NULL || bout_compare_end(bout));
}

static enum bout_end go_through(struct bout *bout)
{
    const struct dead_script *script = bout->terms->script;
    for (bout->steps = 0; bout->steps < script->count; bout->steps++) {
        if (!take_step(bout, &script->step[bout->steps]))
            return BOUT_CANNOT;
        if (interrupted())
            return BOUT_INTERRUPTED;
        if (!bout_compare(bout))
            return BOUT_DIFFERS;
        bout_remember(bout);
    }
    bool is_over = dead_house_inside(bout->room->house).is_over;
    if (is_over && !ends_well(bout))
        return interrupted() ? BOUT_INTERRUPTED : BOUT_DIFFERS;
    if (!is_over)
        listen_for(bout, BEHIND_S);
    return bout_compare(bout) ? BOUT_AGREES : BOUT_DIFFERS;
}

static void close_bout(struct bout *bout)
{
    for (uint32_t client = 0; client < CALLERS_MAX; client++) {
        json_decref(bout->caller[client].expected);
        json_decref(bout->caller[client].came);
    }
    json_decref(bout->story);
    callers_hang_up(&bout->room->callers);
    bout->room->house->close(bout->room->house);
}

enum bout_end bout_play(struct bout_room *room, const struct bout_terms *terms,
                        struct difference *difference)
{
    static struct bout bout;
    memset(&bout, 0, sizeof bout);
    memset(difference, 0, sizeof *difference);
    bout.room = room;
    bout.terms = terms;
    bout.heard_before = room->heard;
    bout.difference = difference;
    if (!dead_script_open(terms->script, room->house, stderr))
        return BOUT_CANNOT;
    bout.story = json_array();
    bout.spoken_s = seconds_now();
    enum bout_end end = go_through(&bout);
    close_bout(&bout);
    return end;
}
