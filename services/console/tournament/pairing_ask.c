/* pairing_ask.c: programs of a tournament, asked and told by the doors they come by. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "games/treasure/treasure.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/tournament/pairing_parts.h"
#include "json/json.h"

#define LEGAL_SHOWN 256
#define SLICE_MS 100u /* Between two looks at whether a program still lives. */

/* What a program knows, and may do, as JSON. */

static void *memory_of(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static json_t *message_json(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                            size_t size)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, size, bytes);
    json_t           *json = message != NULL ? json_of_message(message) : json_null();
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
    return json;
}

static json_t *command_json(const struct pairing *pairing, const struct command *command)
{
    const struct table *table = pairing->terms->table;
    size_t              size =
        plan_encode_command(table->commands, command, pairing->bytes, PAIRING_MESSAGE_BYTES);
    return message_json(table->wire->command, pairing->bytes, size);
}

static json_t *view_json(struct pairing *pairing, uint32_t seat)
{
    const struct match_terms *terms = &pairing->playing.terms;
    struct sink               sink = { .capacity = terms->bounds.view_words };
    sink.words = memory_of((size_t) sink.capacity * sizeof(word));
    match_view(pairing->playing.match, seat, &sink);
    size_t size = plan_encode(pairing->terms->view, sink.words, sink.used, pairing->bytes,
                              PAIRING_MESSAGE_BYTES);
    free(sink.words);
    return message_json(pairing->terms->table->wire->view, pairing->bytes, size);
}

static json_t *legal_json(struct pairing *pairing, uint32_t seat)
{
    struct policy *policy = &pairing->policy[pairing_entrant(pairing, seat)];
    json_t        *list = json_array();
    match_legal(pairing->playing.match, seat, &policy->list);
    uint64_t count = legal_count(&policy->list);
    for (uint64_t i = 0; i < count && i < LEGAL_SHOWN; i++) {
        struct command command;
        legal_pick(&policy->list, i, &command);
        json_array_append_new(list, command_json(pairing, &command));
    }
    return list;
}

static json_t *ask_json(struct pairing *pairing, uint32_t seat)
{
    const struct match_terms *terms = &pairing->playing.terms;
    struct policy            *policy = &pairing->policy[pairing_entrant(pairing, seat)];
    struct command            command;
    json_t                   *ask =
        json_pack("{s:I s:I s:I s:o s:o}", "act", (json_int_t) pairing->playing.match->number,
                  "limit_ms", (json_int_t) pairing->terms->limit_ms, "latency_ms",
                  (json_int_t) pairing->seat[seat].run.latency_ms, "view", view_json(pairing, seat),
                  "legal", legal_json(pairing, seat));
    if (terms->game->propose != NULL &&
        terms->game->propose(terms->setup, pairing->playing.match->state, seat, &policy->dice,
                             &command, policy->text, terms->bounds.text_bytes))
        json_object_set_new(ask, "proposal", command_json(pairing, &command));
    return json_pack("{s:o}", "ask", ask);
}

/* A command as the bus would bring it. */
static bool take_command(struct pairing *pairing, const json_t *said, struct command *command)
{
    const struct table *table = pairing->terms->table;
    struct text         fault;
    const json_t       *json = json_object_get(said, "command");
    arena_reset(&pairing->arena);
    ProtobufCMessage *message =
        json_is_object(json) ? json_to_message(json, table->wire->command, &pairing->arena, &fault)
                             : NULL;
    if (message == NULL || protobuf_c_message_get_packed_size(message) > PAIRING_MESSAGE_BYTES)
        return false;
    size_t size = protobuf_c_message_pack(message, pairing->bytes);
    return plan_decode_command(table->commands, pairing->bytes, size, &pairing->arena, command) &&
           command->text_size <= MATCH_TEXT_MAX;
}

/* The think time was measured here, where the command came in. */
static void put_think_time(const struct pairing *pairing, struct command *command, uint64_t ms)
{
    const struct game *game = pairing->playing.terms.game;
    if (command->kind < game->command_kinds &&
        (game->commands[command->kind].flags & COMMAND_TIMED) != 0)
        command->arg[0] = (word) ms;
}

/* Lines of JSON. */

static bool ask_lines(struct pairing *pairing, uint32_t seat, struct command *command,
                      const char **why)
{
    struct contestant_run *run = &pairing->seat[seat].run;
    int                    number = contestant_say(run, ask_json(pairing, seat));
    if (number == EAGAIN) {
        contestant_hung(run);
        *why = "hung";
    }
    if (number != 0)
        return false;
    json_t *said = contestant_hear(run, why);
    if (said == NULL)
        return false;
    bool taken = take_command(pairing, said, command);
    json_decref(said);
    *why = "nonsense";
    if (taken)
        put_think_time(pairing, command, run->latency_ms);
    return taken;
}

static void hello(struct pairing *pairing, uint32_t seat)
{
    const struct table *table = pairing->terms->table;
    json_t             *setup = json_loadb(table->config, table->config_size, 0, NULL);
    json_t *hello = json_pack("{s:s s:i s:i s:o*}", "game", table->wire->game->name, "seat",
                              (int) seat, "seats", (int) table->seats, "setup", setup);
    (void) contestant_say(&pairing->seat[seat].run, json_pack("{s:o}", "hello", hello));
}

/* HTTP. All programs that come by it are heard while one is waited for. */

static void serve_http(struct pairing *pairing, uint64_t wait_ms)
{
    struct small_http *doors[SEATS_MAX];
    size_t             count = 0;
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        if (pairing->seat[seat].rest != NULL)
            doors[count++] = &pairing->seat[seat].rest->http;
    if (count > 0)
        small_http_wait(doors, count, wait_ms);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        if (pairing->seat[seat].rest != NULL)
            door_rest_serve(pairing->seat[seat].rest);
}

static bool take_http(struct pairing *pairing, uint32_t *seat, struct command *command)
{
    for (uint32_t i = 0; i < pairing->terms->table->seats; i++) {
        struct door_rest *door = pairing->seat[i].rest;
        bool              is_due = i == *seat || (door != NULL && door_rest_loses(door));
        if (door == NULL || !is_due || !door_rest_take(door, command))
            continue;
        pairing->seat[i].run.has_answered = true;
        *seat = i;
        return true;
    }
    return false;
}

/* Until the time is up, a slice at a time, in which it may have died. */
static bool ask_by_door(struct pairing *pairing, uint32_t *seat, struct command *command,
                        const char **why)
{
    struct pairing_seat *who = &pairing->seat[*seat];
    uint64_t begun_ms = clock_ms(), time_ms = contestant_time_ms(&who->run), passed_ms = 0;
    bool     was_gone = false;
    if (who->plain != NULL)
        door_plain_await(who->plain);
    while (passed_ms <= time_ms && !interrupted()) {
        uint64_t left_ms = time_ms - passed_ms, slice_ms = left_ms < SLICE_MS ? left_ms : SLICE_MS;
        serve_http(pairing, who->plain != NULL ? 0 : slice_ms);
        if (who->rest != NULL && take_http(pairing, seat, command))
            return true;
        if (who->plain != NULL && door_plain_take(who->plain, slice_ms, &pairing->arena, command)) {
            who->run.has_answered = true;
            put_think_time(pairing, command, who->plain->latency_ms);
            return true;
        }
        for (uint32_t i = 0; i < pairing->terms->table->seats; i++)
            contestant_drain(&pairing->seat[i].run);
        *why = "crashed";
        if (was_gone)
            return false;
        was_gone = contestant_is_gone(&who->run); /* What it said before is still to be read. */
        passed_ms = clock_ms() - begun_ms;
    }
    contestant_hung(&who->run);
    *why = "hung";
    return false;
}

bool pairing_ask(struct pairing *pairing, uint32_t *seat, struct command *command, const char **why)
{
    struct pairing_seat *who = &pairing->seat[*seat];
    *why = "crashed";
    if (who->run.pid <= 0)
        return false;
    if (who->rest != NULL || who->plain != NULL)
        return ask_by_door(pairing, seat, command, why);
    return ask_lines(pairing, *seat, command, why);
}

bool pairing_refuse(struct pairing *pairing, uint32_t seat, verdict no)
{
    const struct game *game = pairing->playing.terms.game;
    if (pairing->seat[seat].plain == NULL || contestant_is_gone(&pairing->seat[seat].run))
        return false;
    door_plain_refuse(pairing->seat[seat].plain,
                      no < game->reason_kinds ? &game->reasons[no] : NULL);
    return true;
}

/* Telling. */

static void tell_http(struct pairing *pairing, uint32_t seat)
{
    const struct match_terms *terms = &pairing->playing.terms;
    struct sink               sink = { .capacity = terms->bounds.view_words };
    sink.words = memory_of((size_t) sink.capacity * sizeof(word));
    match_view(pairing->playing.match, seat, &sink);
    size_t size = plan_encode(pairing->terms->view, sink.words, sink.used, pairing->bytes,
                              PAIRING_MESSAGE_BYTES);
    Arbiter__Treasure__View *view = arbiter__treasure__view__unpack(NULL, size, pairing->bytes);
    free(sink.words);
    if (view != NULL && view->viewer_case == ARBITER__TREASURE__VIEW__VIEWER_PLAYER)
        door_rest_told(pairing->seat[seat].rest, view->player);
    if (view != NULL)
        arbiter__treasure__view__free_unpacked(view, NULL);
}

void pairing_tell(struct pairing *pairing)
{
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        if (pairing->seat[seat].rest != NULL)
            tell_http(pairing, seat);
        if (pairing->seat[seat].plain != NULL)
            door_plain_told(pairing->seat[seat].plain, pairing->playing.act.events);
    }
}

/* Opening and closing. */

static bool open_http(struct pairing *pairing, uint32_t seat, char *where, size_t room)
{
    const struct treasure_setup *setup = pairing->playing.terms.setup;
    struct door_rest            *door = memory_of(sizeof *door);
    pairing->seat[seat].rest = door;
    bool is_open = door_rest_open(door, seat, setup->width * setup->height);
    (void) snprintf(where, room, "tcp://127.0.0.1:%u", (unsigned) door->http.port);
    return is_open;
}

static bool open_plain(struct pairing *pairing, uint32_t seat, char *where, size_t room)
{
    struct door_plain *door = memory_of(sizeof *door);
    const uint32_t     seats = pairing->terms->table->seats;
    char               texts[SEATS_MAX][CONTESTANT_NAME_MAX + 16];
    const char        *names[SEATS_MAX];
    for (uint32_t i = 0; i < seats; i++) { /* Of more than two seats an entrant has several. */
        const char *name = pairing->entrants[pairing_entrant(pairing, i)]->name;
        char        number[16] = "";
        if (seats > 2)
            (void) snprintf(number, sizeof number, " %u", i);
        (void) snprintf(texts[i], sizeof texts[i], "%s%s", name, number);
        names[i] = texts[i];
    }
    pairing->seat[seat].plain = door;
    if (!door_plain_open(door, pairing->terms->table, seat, names))
        return false;
    (void) snprintf(where, room, "%s", door_plain_address(door));
    return true;
}

void pairing_open_seat(struct pairing *pairing, uint32_t seat)
{
    const struct contestant *who = pairing->entrants[pairing_entrant(pairing, seat)];
    char                     where[BUS_ADDRESS_MAX] = "";
    bool                     is_open = true;
    if (who->door == CONTESTANT_REST)
        is_open = open_http(pairing, seat, where, sizeof where);
    else if (who->door == CONTESTANT_PLAIN)
        is_open = open_plain(pairing, seat, where, sizeof where);
    const struct pairing_terms *terms = pairing->terms;
    if (who->door == CONTESTANT_BOT)
        return;
    int number = 0;
    if (is_open)
        number = contestant_start(&pairing->seat[seat].run, who, where[0] != '\0' ? where : NULL,
                                  terms->limit_ms, terms->start_ms);
    pairing->seat[seat].run.errors_to = terms->errors;
    if (terms->errors != NULL)
        fprintf(terms->errors, "-- %s, seed %" PRIu64 ", seat %u\n", who->name,
                pairing->playing.seed, (unsigned) seat);
    if (!is_open || number != 0) {
        pairing->result->failed = (int32_t) pairing_entrant(pairing, seat);
        pairing->result->no_start = is_open ? strerror(number) : "no port is free for it";
    } else if (who->door == CONTESTANT_LINES) {
        hello(pairing, seat);
    }
}

/* Those who come by HTTP ask how it ended, and go then by themselves; others have a moment to read it. */
#define READ_MS 200u

static bool is_waited_for(const struct pairing_seat *who, uint64_t passed_ms, uint64_t limit_ms)
{
    bool in_time = who->rest != NULL ? passed_ms < limit_ms : passed_ms < READ_MS;
    return (who->rest != NULL || who->plain != NULL) && in_time && !contestant_is_gone(&who->run);
}

static void linger(struct pairing *pairing)
{
    uint64_t begun_ms = clock_ms();
    bool     some = true;
    while (some && !interrupted()) {
        some = false;
        serve_http(pairing, 0);
        for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
            some = some || is_waited_for(&pairing->seat[seat], clock_ms() - begun_ms,
                                         pairing->terms->limit_ms);
        if (some)
            small_http_wait(NULL, 0, 5);
    }
}

uint64_t pairing_slowest_ms(const struct pairing_seat *seat)
{
    uint64_t by_door = seat->rest != NULL    ? seat->rest->slowest_ms
                       : seat->plain != NULL ? seat->plain->slowest_ms
                                             : 0;
    return by_door > seat->run.slowest_ms ? by_door : seat->run.slowest_ms;
}

static void say_over(struct pairing *pairing, uint32_t seat, json_t *list)
{
    struct pairing_seat *who = &pairing->seat[seat];
    int32_t              score = pairing->result->score;
    bool                 is_first = pairing_entrant(pairing, seat) == 0;
    if (who->rest != NULL && match_to_act(pairing->playing.match) != 0)
        door_rest_over(who->rest, is_first ? score > 0 : score < 0,
                       is_first ? score < 0 : score > 0);
    if (who->rest == NULL && who->plain == NULL && who->run.pid > 0)
        (void) contestant_say(&who->run, json_pack("{s:{s:O}}", "over", "outcome", list));
}

void pairing_close_seats(struct pairing *pairing)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    json_t *list = json_array();
    if (match_to_act(pairing->playing.match) == 0)
        match_outcome(pairing->playing.match, outcome);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        json_array_append_new(list, json_integer(outcome[seat]));
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        say_over(pairing, seat, list);
    linger(pairing);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        struct pairing_seat *who = &pairing->seat[seat];
        contestant_end(&who->run);
        if (who->rest != NULL)
            door_rest_close(who->rest);
        if (who->plain != NULL)
            door_plain_close(who->plain);
        free(who->rest);
        free(who->plain);
    }
    contestants_end_strays();
    json_decref(list);
}
