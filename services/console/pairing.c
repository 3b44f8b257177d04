/* pairing.c: see pairing.h. */
#include "services/console/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "services/console/console.h"
#include "services/console/interrupt.h"
#include "wire/json.h"

#define MESSAGE_BYTES ((size_t) 1 << 20)
#define LEGAL_SHOWN 256

struct pairing {
    const struct pairing_terms     *terms;
    const struct contestant *const *entrants;
    struct pairing_result          *result;
    struct playing                  playing;
    struct policy                   policy[2]; /* Of a program: for what is legal, and proposals. */
    void                           *memory[2];
    struct contestant_run           run[SEATS_MAX]; /* By seat. */
    uint8_t                        *bytes;
    struct arena                    arena;
    bool                            swapped;
};

static void *memory_of(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL)
        abort();
    return memory;
}

/* The entrant who sits there. */
static uint32_t entrant_at(const struct pairing *pairing, uint32_t seat)
{
    return (seat + pairing->swapped) % 2;
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
    size_t size = plan_encode_command(table->commands, command, pairing->bytes, MESSAGE_BYTES);
    return message_json(table->wire->command, pairing->bytes, size);
}

static json_t *view_json(struct pairing *pairing, uint32_t seat)
{
    const struct match_terms *terms = &pairing->playing.terms;
    struct sink               sink = { .capacity = terms->bounds.view_words };
    sink.words = memory_of((size_t) sink.capacity * sizeof(word));
    match_view(pairing->playing.match, seat, &sink);
    size_t size =
        plan_encode(pairing->terms->view, sink.words, sink.used, pairing->bytes, MESSAGE_BYTES);
    free(sink.words);
    return message_json(pairing->terms->table->wire->view, pairing->bytes, size);
}

static json_t *legal_json(struct pairing *pairing, uint32_t seat)
{
    struct policy *policy = &pairing->policy[entrant_at(pairing, seat)];
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
    struct policy            *policy = &pairing->policy[entrant_at(pairing, seat)];
    struct command            command;
    json_t                   *ask =
        json_pack("{s:I s:I s:I s:o s:o}", "act", (json_int_t) pairing->playing.match->number,
                  "limit_ms", (json_int_t) pairing->terms->limit_ms, "latency_ms",
                  (json_int_t) pairing->run[seat].latency_ms, "view", view_json(pairing, seat),
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
    if (message == NULL || protobuf_c_message_get_packed_size(message) > MESSAGE_BYTES)
        return false;
    size_t size = protobuf_c_message_pack(message, pairing->bytes);
    return plan_decode_command(table->commands, pairing->bytes, size, &pairing->arena, command) &&
           command->text_size <= MATCH_TEXT_MAX;
}

/* What a program wants to do; false: it forfeits, and why. */
static bool ask_program(struct pairing *pairing, uint32_t seat, struct command *command,
                        const char **why)
{
    struct contestant_run *run = &pairing->run[seat];
    *why = "crashed";
    if (run->pid <= 0 || !contestant_say(run, ask_json(pairing, seat)))
        return false;
    json_t *said = contestant_hear(run, why);
    if (said == NULL)
        return false;
    bool taken = take_command(pairing, said, command);
    json_decref(said);
    *why = "nonsense";
    if (!taken)
        return false;
    /* The think time was measured here, where the line came in. */
    const struct game *game = pairing->playing.terms.game;
    if (command->kind < game->command_kinds &&
        (game->commands[command->kind].flags & COMMAND_TIMED) != 0)
        command->arg[0] = (word) run->latency_ms;
    return true;
}

static void forfeit(struct pairing *pairing, uint32_t entrant, const char *why)
{
    pairing->result->failed = (int32_t) entrant;
    pairing->result->why = why;
    pairing->result->score = entrant == 0 ? -1 : 1;
}

/* One act; false: somebody forfeits. */
static bool act(struct pairing *pairing)
{
    struct playing *playing = &pairing->playing;
    struct command  command;
    const char     *why = "refused";
    seat_mask       awaited = match_to_act(playing->match);
    uint32_t        seat = (uint32_t) __builtin_ctz(awaited), who = entrant_at(pairing, seat);
    bool            has_command = pairing->entrants[who]->is_program
                                      ? ask_program(pairing, seat, &command, &why)
                                      : policy_pick(&pairing->policy[who], playing->match, seat, &command);
    if (has_command)
        why = "refused";
    if (has_command &&
        match_play(playing->match, seat, &command, &playing->room, &playing->act) == ACCEPTED)
        return true;
    forfeit(pairing, who, why);
    return false;
}

static void hello(struct pairing *pairing, uint32_t seat)
{
    const struct table *table = pairing->terms->table;
    json_t             *setup = json_loadb(table->config, table->config_size, 0, NULL);
    json_t *hello = json_pack("{s:s s:i s:i s:o*}", "game", table->wire->game->name, "seat",
                              (int) seat, "seats", (int) table->seats, "setup", setup);
    (void) contestant_say(&pairing->run[seat], json_pack("{s:o}", "hello", hello));
}

static void open_bout(struct pairing *pairing, uint64_t seed)
{
    const struct playing_rules rules = { .policy = POLICY_RANDOM,
                                         .most = pairing->terms->most,
                                         .dice = pairing->terms->table->wire->game->open_dice,
                                         .flags = MATCH_WORDS };
    playing_open(&pairing->playing, pairing->terms->table, &rules);
    playing_begin(&pairing->playing, seed);
    pairing->bytes = memory_of(MESSAGE_BYTES);
    arena_init(&pairing->arena, memory_of(MESSAGE_BYTES), MESSAGE_BYTES);
    for (uint32_t i = 0; i < 2; i++) {
        pairing->memory[i] = memory_of(policy_bytes(&pairing->playing.terms));
        policy_init(&pairing->policy[i], pairing->entrants[i]->policy, 1000, 2 * seed + i,
                    &pairing->playing.terms, pairing->memory[i]);
    }
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        const struct contestant *who = pairing->entrants[entrant_at(pairing, seat)];
        if (who->is_program && contestant_start(&pairing->run[seat], who, pairing->terms->limit_ms,
                                                pairing->terms->start_ms))
            hello(pairing, seat);
    }
}

/* Seats of one entrant stand together: the mean of their outcomes counts. */
static void count_score(struct pairing *pairing)
{
    int32_t outcome[SEATS_MAX] = { 0 }, sum[2] = { 0, 0 }, seats[2] = { 0, 0 };
    if (match_to_act(pairing->playing.match) != 0 || pairing->result->failed >= 0)
        return;
    match_outcome(pairing->playing.match, outcome);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        sum[entrant_at(pairing, seat)] += outcome[seat];
        seats[entrant_at(pairing, seat)]++;
    }
    int32_t more = sum[0] * seats[1] - sum[1] * seats[0];
    pairing->result->score = (more > 0) - (more < 0);
}

static void close_bout(struct pairing *pairing)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    json_t *list = json_array();
    if (match_to_act(pairing->playing.match) == 0)
        match_outcome(pairing->playing.match, outcome);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        json_array_append_new(list, json_integer(outcome[seat]));
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        struct contestant_run *run = &pairing->run[seat];
        uint32_t               who = entrant_at(pairing, seat);
        if (run->slowest_ms > pairing->result->slowest_ms[who])
            pairing->result->slowest_ms[who] = run->slowest_ms;
        if (run->pid > 0)
            (void) contestant_say(run, json_pack("{s:{s:O}}", "over", "outcome", list));
        contestant_end(run);
    }
    json_decref(list);
    for (uint32_t i = 0; i < 2; i++)
        free(pairing->memory[i]);
    free(pairing->arena.bytes);
    free(pairing->bytes);
    playing_close(&pairing->playing);
}

bool pairing_play(const struct pairing_terms *terms, const struct contestant *const entrants[2],
                  uint64_t seed, bool swapped, struct pairing_result *result)
{
    struct pairing pairing = {
        .terms = terms, .entrants = entrants, .result = result, .swapped = swapped
    };
    bool goes_on = true;
    *result = (struct pairing_result){ .failed = -1 };
    open_bout(&pairing, seed);
    while (goes_on && !interrupted() && match_to_act(pairing.playing.match) != 0 &&
           pairing.playing.match->number < terms->most)
        goes_on = act(&pairing);
    result->acts = pairing.playing.match->number;
    count_score(&pairing);
    close_bout(&pairing);
    return !interrupted();
}
