/* treasure_clock_conform.c: clock scenarios: a door that measures, and an engine that lets time run out.
 *
 * Times are absolute milliseconds. An act comes to the door at one time and, if it says so, to the
 * rules at a later one, which also answer then. Of an act and an expiry the earlier counts. Where a
 * scenario expects a result, time goes on behind its last event until somebody's is up. */
#include <string.h>

#include "games/treasure/conform/treasure_table_conform.h"

#define HALF "0101010101010101010002020103030101010102010303010101010101010101"
#define NO_HALF "" /* An event of a half says "valid", or that it is none. */

struct clock {
    struct treasure_table table;
    json_int_t            since; /* When the open question was asked. */
    json_int_t            ended; /* When the game was over; -1: it goes on. */
    bool                  begun;
};

static bool is_over(const struct clock *clock)
{
    return clock->begun && clock->table.state->phase == TREASURE_END;
}

/* What the answer of an act begins: the next turn, or the end. Time that is up was up before. A
 * player who asked too early is judged when the turn comes, and not before the rules had what
 * opened it. */
static void after_act(struct clock *clock, json_int_t now, json_int_t answered)
{
    if (is_over(clock) && clock->ended >= 0)
        return;
    if (is_over(clock) && clock->table.state->reason == TREASURE_THINK_TIME)
        clock->ended = clock->since + clock->table.setup->think_ms + 1;
    else if (is_over(clock))
        clock->ended = now;
    else if (clock->table.state->phase == TREASURE_MOVES && answered > clock->since)
        clock->since = answered;
}

static void run_out(struct clock *clock, json_int_t now)
{
    uint32_t wait = clock->table.bounds.answer_ms;
    if (!clock->begun || is_over(clock) || wait == NO_TIME_LIMIT || now < clock->since + wait)
        return;
    treasure_table_expire(&clock->table, 3);
    after_act(clock, now, now);
}

static void register_seat(struct clock *clock, uint32_t seat, json_int_t now)
{
    static const char      person[] = "Ann\nMuster\n01234567";
    struct treasure_table *table = &clock->table;
    struct command         command;
    uint32_t               client;

    treasure_bare(&command, TREASURE_REGISTER);
    command.text = (const uint8_t *) person;
    command.text_size = sizeof person - 1;
    (void) treasure_registration.apply(table->setup, table->desk, seat, &command, &table->out);
    if (treasure_registration.status(table->setup, table->desk) != REGISTRATION_BEGINS)
        return;
    clock->begun = true;
    clock->since = now;
    treasure_table_start(table);
    for (uint32_t i = 0;
         treasure_registration.opening(table->setup, table->desk, i, &client, &command); i++)
        (void) treasure_table_hear(table, client, &command);
}

static void hand_in(struct clock *clock, uint32_t seat, const char *half, json_int_t now)
{
    struct treasure_table *table = &clock->table;
    struct command         command;
    if (clock->begun) {
        (void) treasure_table_half(table, seat, half, now - clock->since);
        after_act(clock, now, now);
        return;
    }
    treasure_bare(&command, TREASURE_SUBMIT_HALF);
    command.text = (const uint8_t *) half;
    command.text_size = (uint32_t) strlen(half);
    (void) treasure_registration.apply(table->setup, table->desk, seat, &command, &table->out);
}

static void act(struct clock *clock, uint32_t seat, json_int_t now, json_int_t answered)
{
    struct command command;
    json_int_t     think = now > clock->since ? now - clock->since : 0;
    treasure_bare(&command, TREASURE_STEP);
    command.arg[0] = think;
    command.arg[1] = TREASURE_UP; /* The half's castle has grass above it. */
    (void) treasure_table_hear(&clock->table, seat, &command);
    after_act(clock, now, answered);
}

/* Without a word of its own, an event that names a seat and a time. */
static void say_bare(struct clock *clock, uint32_t seat, uint32_t kind, json_int_t now)
{
    struct treasure_table *table = &clock->table;
    struct command         command;
    treasure_bare(&command, kind);
    if (clock->begun)
        (void) treasure_table_hear(table, seat, &command);
    else
        (void) treasure_registration.apply(table->setup, table->desk, seat, &command, &table->out);
    after_act(clock, now, now);
}

static void begin(struct clock *clock, json_int_t now)
{
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        register_seat(clock, seat, now);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        hand_in(clock, seat, HALF, now);
}

/* What a half's event calls it: "valid", a half itself, or anything else for one that is not. */
static const char *half_of(const json_t *said)
{
    const char *text = json_string_value(said);
    if (text == NULL || strcmp(text, "valid") == 0)
        return HALF;
    return strlen(text) == sizeof HALF - 1 ? text : NO_HALF;
}

/* False: it is no event of a clock. */
static bool play_event(struct clock *clock, const json_t *event)
{
    const char *name = json_string_value(json_array_get(event, 0));
    bool        starts = name != NULL && strcmp(name, "start") == 0;
    uint32_t    seat = (uint32_t) json_integer_value(json_array_get(event, 1)) - 1;
    json_int_t  now = json_integer_value(json_array_get(event, starts ? 1 : 2));
    json_t     *late = json_array_get(event, 3);
    json_int_t  answered = json_is_integer(late) ? json_integer_value(late) : now;

    if (name == NULL || (!starts && seat >= TREASURE_SEATS))
        return false;
    run_out(clock, answered);
    if (starts)
        begin(clock, now);
    else if (strcmp(name, "registered") == 0)
        register_seat(clock, seat, now);
    else if (strcmp(name, "half") == 0)
        hand_in(clock, seat, half_of(late), now);
    else if (strcmp(name, "act") == 0)
        act(clock, seat, now, answered);
    else if (strcmp(name, "leave") == 0)
        say_bare(clock, seat, TREASURE_LEAVE, now);
    else if (strcmp(name, "malformed") == 0)
        say_bare(clock, seat, TREASURE_MALFORMED, now);
    else
        return false;
    return true;
}

static json_t *tell(const struct clock *clock, bool asks_when)
{
    json_t *came = json_object();
    if (!is_over(clock)) {
        json_object_set_new(came, "result", json_null());
        return came;
    }
    json_object_set_new(came, "result",
                        json_string(treasure_result_name(clock->table.state->result)));
    json_object_set_new(came, "reason",
                        json_string(treasure_reason_name(clock->table.state->reason)));
    if (asks_when)
        json_object_set_new(came, "at", json_integer(clock->ended));
    return came;
}

json_t *treasure_play_clock(const json_t *scenario, FILE *complaints)
{
    struct clock  clock = { .ended = -1 };
    const json_t *expect = json_object_get(scenario, "expect"), *event;
    json_t       *events = json_object_get(scenario, "events"), *came = NULL;
    json_t       *leaves = json_object();
    bool          sound = true;
    size_t        i;

    if (json_object_get(scenario, "config") != NULL)
        json_object_update(leaves, json_object_get(scenario, "config"));
    json_object_set(leaves, "think_ms", json_object_get(scenario, "think_ms"));
    if (treasure_table_open(&clock.table, leaves, 0, complaints)) {
        json_array_foreach(events, i, event) sound = sound && play_event(&clock, event);
        if (!json_is_null(json_object_get(expect, "result")))
            run_out(&clock, INT32_MAX);
        if (sound)
            came = tell(&clock, json_object_get(expect, "at") != NULL);
        treasure_table_close(&clock.table);
    }
    json_decref(leaves);
    return came;
}
