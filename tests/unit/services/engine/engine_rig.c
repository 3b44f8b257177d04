/* engine_rig.c: see engine_rig.h: the shell's loop in a hundred lines, and a store in a list. */
#include "services/engine/engine_rig.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/kinds.h"
#include "json/config_file.h"

#define OUTBOX_BYTES (8u << 20)

static struct engine_game games[RIG_GAMES_MAX];
static uint32_t           game_count;
static uint8_t            scratch[512u << 10];
static uint8_t            arena_bytes[8u << 20];
static struct arena       arena;

static void prepare_games(void)
{
    if (game_count > 0)
        return;
    assert_int_not_equal(sodium_init(), -1);
    arena_init(&arena, arena_bytes, sizeof arena_bytes);
    for (const struct game_wire *const *at = registry_games(); *at != NULL; at++) {
        const struct game_wire *wire = *at;
        games[game_count++] = (struct engine_game){ wire->game,
                                                    { plan_new(wire->command),
                                                      plan_new(wire->event), &crypto_sodium },
                                                    plan_new(wire->view),
                                                    rig_first_table(wire->game) };
    }
}

static size_t compile(const struct game *game, const struct engine_setup_text *text, void *setup,
                      size_t capacity, struct text *fault)
{
    struct config_text config = { "set-up", text->setup, text->setup_size };
    struct config_text options = { "options", text->options, text->options_size };
    size_t             size = 0;
    FILE              *nowhere = fopen("/dev/null", "w");
    void              *compiled = config_compile(game, &config, &options, &size, nowhere);
    fclose(nowhere);
    if (compiled == NULL)
        text_put(fault, "/setup: it is none");
    else if (setup != NULL && size <= capacity)
        memcpy(setup, compiled, size);
    free(compiled);
    return size;
}

/* Signed is what ends in the key's first byte: enough to tell a good ticket from a bad one. */
static bool verify(const uint8_t *signature, const uint8_t *text, size_t size, const uint8_t *key)
{
    return size > 0 && signature[0] == key[0] && signature[1] == text[size - 1];
}

/* The loop. */

static void step(struct rig *rig, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    for (uint32_t i = 0; i < ENTROPY_SIZE; i++) {
        rig->luck = rig->luck * 6364136223846793005u + 1442695040888963407u;
        entropy[i] = (uint8_t) (rig->luck >> 33);
    }
    event->now_ms = rig->now_ms;
    event->wall_ms = 1000000 + rig->now_ms;
    event->entropy = entropy;
    rig->ops->step(rig->core, event, &rig->out);
    if (!rig->holds)
        rig_settle(rig, rig->next);
}

static void keep_said(struct rig *rig, const struct effect *effect)
{
    if (rig->said_count == RIG_SAID_MAX)
        return; /* Only what comes first is looked at. */
    struct rig_said *said = &rig->said[rig->said_count++];
    *said = (struct rig_said){ .effect = effect->kind,
                               .route = effect->route,
                               .header = effect->header };
    if (effect->kind == EFFECT_SAY)
        said->text = *effect->text;
    if (effect->body != NULL) {
        said->size = protobuf_c_message_get_packed_size(effect->body);
        said->bytes = malloc(said->size + 1);
        assert_true(said->size <= (64u << 10));
        protobuf_c_message_pack(effect->body, said->bytes);
    }
}

static void answer_read(struct rig *rig, const struct query *query)
{
    struct event done = { .kind = EVENT_READ_DONE, .tag = query->tag };
    if (query->table == JOURNAL_LIVE)
        rig->store->asked[query->prefix[0].number]++;
    if (query->table == rig->store->failing && rig->store->fails > 0) {
        rig->store->fails--;
        done.failed = true;
        step(rig, &done);
        return;
    }
    for (uint32_t i = 0; i < rig->store->count; i++) {
        uint32_t              at = query->descending ? rig->store->count - 1 - i : i;
        const struct rig_row *row = &rig->store->rows[at];
        if (row->table != query->table || !rig_store_wants(query, row->row))
            continue;
        struct event event = { .kind = EVENT_ROW, .tag = query->tag, .row = row->row };
        step(rig, &event);
        done.rows++;
        if (query->limit > 0 && done.rows == query->limit)
            break;
    }
    step(rig, &done);
}

/* Reads are performed after the outbox is free again, so they are kept meanwhile, bytes included. */
struct reads {
    struct query query[1024];
    uint8_t      bytes[1024][ROW_KEY_MAX][32];
    uint32_t     count;
};

static void keep_read(struct reads *reads, const struct query *query)
{
    assert_true(reads->count < 1024);
    struct query *kept = &reads->query[reads->count];
    *kept = *query;
    for (uint32_t i = 0; i < query->prefix_count; i++)
        if (query->prefix[i].kind >= CELL_BYTES) {
            memcpy(reads->bytes[reads->count][i], query->prefix[i].bytes, query->prefix[i].size);
            kept->prefix[i].bytes = reads->bytes[reads->count][i];
        }
    reads->count++;
}

void rig_settle(struct rig *rig, enum store_outcome outcome)
{
    struct outbox *out = &rig->out;
    struct reads  *reads = calloc(1, sizeof *reads);
    if (out->row_count == 0 && out->fence_count == 0)
        outcome = STORE_COMMITTED;
    else if (outcome == STORE_COMMITTED) {
        outcome = rig_store_commit(rig->store, out);
        rig->batches++;
    }
    if (outcome != STORE_COMMITTED)
        out->effect_count = 0;
    out->row_count = out->fence_count = 0;
    rig->ops->settle(rig->core, outcome, out);
    assert_int_equal(out->row_count + out->fence_count, 0);
    for (uint32_t i = 0; i < out->effect_count; i++) {
        const struct effect *effect = &out->effects[i];
        if (effect->kind == EFFECT_READ)
            keep_read(reads, effect->query);
        else if (effect->kind == EFFECT_EXIT)
            rig->exited = true;
        else
            keep_said(rig, effect);
    }
    outbox_reset(out);
    for (uint32_t i = 0; i < reads->count; i++)
        answer_read(rig, &reads->query[i]);
    free(reads);
}

void rig_event(struct rig *rig, enum core_event_kind kind)
{
    struct event event = { .kind = kind };
    if (kind == EVENT_TIME)
        rig->out.wake_ms = NO_WAKE;
    step(rig, &event);
}

void rig_wait(struct rig *rig, uint64_t ms)
{
    uint64_t until = rig->now_ms + ms;
    for (uint32_t steps = 0; steps < 100000; steps++) {
        if (rig->out.wake_ms > until)
            break;
        if (rig->out.wake_ms > rig->now_ms)
            rig->now_ms = rig->out.wake_ms;
        rig_event(rig, EVENT_TIME);
    }
    rig->now_ms = until;
}

void rig_hear_from(struct rig *rig, uint32_t who, uint32_t route, uint32_t role,
                   const struct header *header, const void *body)
{
    struct event event = { .kind = EVENT_MESSAGE, .header = *header, .body = body };
    event.caller.key[0] = (uint8_t) who;
    event.caller.role = role;
    event.caller.door = DOOR_REQUESTS;
    event.caller.route = route;
    step(rig, &event);
}

void rig_hear(struct rig *rig, uint32_t who, uint32_t role, const struct header *header,
              const void *body)
{
    rig_hear_from(rig, who, who, role, header, body);
}

void rig_open(struct rig *rig, struct rig_store *store,
              void (*change)(struct engine_settings *settings))
{
    prepare_games();
    memset(rig, 0, sizeof *rig);
    rig->store = store;
    rig->now_ms = 5000;
    rig->luck = 77 + store->commits;
    rig->settings = (struct engine_settings){ .helpers = { &crypto_sodium, compile, verify },
                                              .games = games,
                                              .game_count = game_count,
                                              .takes_all_slots = true,
                                              .memory_bytes = 8u << 20,
                                              .matches_max = 200,
                                              .room_bytes = 4u << 20 };
    memcpy(rig->settings.peers.name, "engine-1", 9);
    rig->settings.peers.role = ROLE(ENGINE);
    if (change != NULL)
        change(&rig->settings);
    rig->bytes = engine_bytes(&rig->settings);
    rig->core = aligned_alloc(64, (rig->bytes + 63) / 64 * 64);
    memset(rig->core, 0, rig->bytes);
    rig->engine = engine_init(rig->core, &rig->settings);
    rig->ops = &engine_ops;
    rig->outbox = malloc(OUTBOX_BYTES);
    outbox_init(&rig->out, rig->outbox, OUTBOX_BYTES);
    rig_event(rig, EVENT_STARTED);
    rig_wait(rig, 0);
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    struct header             header;
    header_init(&header, KIND(HELLO), NULL);
    rig_hear(rig, RIG_LOBBY, ROLE(LOBBY), &header, &hello);
    rig_hear(rig, RIG_WATCHDOG, ROLE(WATCHDOG), &header, &hello);
    rig_wait(rig, 10);
    rig_forget(rig);
}

void rig_open_history(struct rig *rig, struct rig_store *store,
                      const struct history_settings *settings)
{
    prepare_games();
    memset(rig, 0, sizeof *rig);
    rig->store = store;
    rig->bytes = history_bytes(settings);
    rig->core = aligned_alloc(64, (rig->bytes + 63) / 64 * 64);
    (void) history_init(rig->core, settings);
    rig->ops = &history_ops;
    rig->outbox = malloc(OUTBOX_BYTES);
    outbox_init(&rig->out, rig->outbox, OUTBOX_BYTES);
}

void rig_forget(struct rig *rig)
{
    for (uint32_t i = 0; i < rig->said_count; i++)
        free(rig->said[i].bytes);
    rig->said_count = 0;
    arena_reset(&arena);
}

void rig_close(struct rig *rig)
{
    rig_forget(rig);
    free(rig->core);
    free(rig->outbox);
}

/* What was said. */

static const struct rig_said *find_said(const struct rig *rig, uint32_t who, uint16_t kind,
                                        uint32_t *count)
{
    const struct rig_said *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < rig->said_count; i++) {
        const struct rig_said *said = &rig->said[i];
        bool                   is_message = said->bytes != NULL;
        bool is_to = who == 0 || (said->effect == EFFECT_SEND && said->route == who);
        if (!is_message || said->header.kind != kind || !is_to)
            continue;
        found = said;
        ++*count;
    }
    return found;
}

uint32_t rig_count(const struct rig *rig, uint32_t who, uint16_t kind)
{
    uint32_t count = 0;
    (void) find_said(rig, who, kind, &count);
    return count;
}

const struct header *rig_last_header(const struct rig *rig, uint32_t who, uint16_t kind)
{
    uint32_t               count = 0;
    const struct rig_said *said = find_said(rig, who, kind, &count);
    assert_non_null(said);
    return &said->header;
}

const void *rig_last(struct rig *rig, uint32_t who, uint16_t kind)
{
    uint32_t               count = 0;
    const struct rig_said *said = find_said(rig, who, kind, &count);
    assert_non_null(said);
    const void *message =
        protobuf_c_message_unpack(kinds_find(kind), &arena.allocator, said->size, said->bytes);
    assert_non_null(message);
    return message;
}

uint32_t rig_refusal(struct rig *rig, uint32_t who)
{
    if (rig_count(rig, who, KIND(REFUSED)) == 0)
        return 0;
    const Arbiter__Wire__Refused *refused = rig_last(rig, who, KIND(REFUSED));
    return (uint32_t) refused->refusal;
}

/* What is said. */

static void id_of(uint8_t id[MATCH_ID_SIZE], uint8_t match)
{
    memset(id, match, MATCH_ID_SIZE);
}

void rig_header(struct header *header, uint16_t kind, uint8_t match, uint32_t seat)
{
    uint8_t id[MATCH_ID_SIZE];
    id_of(id, match);
    header_init(header, kind, id);
    header->seat = seat;
}

const struct match *rig_match(const struct rig *rig, uint8_t match)
{
    uint8_t id[MATCH_ID_SIZE];
    id_of(id, match);
    return engine_match(rig->engine, id);
}

void rig_start(struct rig *rig, uint8_t match, const char *game, const char *setup,
               const char *options, const uint32_t *holders, uint32_t seats, int64_t seed,
               uint64_t turn_ms)
{
    Arbiter__Engine__StartMatch start = ARBITER__ENGINE__START_MATCH__INIT;
    Arbiter__Engine__MatchFacts facts = ARBITER__ENGINE__MATCH_FACTS__INIT;
    Arbiter__Engine__Holder     holder[SEATS_MAX];
    Arbiter__Engine__Holder    *list[SEATS_MAX];
    uint8_t                     keys[SEATS_MAX][CALLER_KEY_SIZE] = { { 0 } };
    struct header               header;
    const struct game_wire     *wire = registry_find(game, 0);
    assert_non_null(wire);
    for (uint32_t i = 0; i < seats; i++) {
        arbiter__engine__holder__init(&holder[i]);
        keys[i][0] = (uint8_t) holders[i];
        holder[i].has_seat = holder[i].has_player = holder[i].has_bot = true;
        holder[i].seat = i;
        holder[i].player = (ProtobufCBinaryData){ 16, keys[i] };
        holder[i].has_key = holders[i] != 0;
        holder[i].key = (ProtobufCBinaryData){ CALLER_KEY_SIZE, keys[i] };
        holder[i].bot = holders[i] == 0;
        holder[i].has_number = rig->numbers != NULL;
        holder[i].number = rig->numbers != NULL ? rig->numbers[i] : 0;
        list[i] = &holder[i];
    }
    facts.game = (char *) (uintptr_t) game;
    facts.setup = (char *) (uintptr_t) setup;
    facts.options = (char *) (uintptr_t) options;
    facts.has_seats = true;
    facts.seats = seats;
    facts.has_seed = seed != 0;
    facts.seed = seed;
    facts.dice = (char *) (uintptr_t) (seed != 0 ? wire->game->open_dice : "chacha");
    facts.has_turn_ms = turn_ms != 0;
    facts.turn_ms = turn_ms;
    facts.has_protocol = rig->protocol != 0;
    facts.protocol = rig->protocol;
    facts.contributors = rig->contributors;
    facts.n_contributors = rig->contributor_count;
    start.match = &facts;
    start.has_code = start.has_spectators = rig->code != NULL;
    start.code = (ProtobufCBinaryData){ rig->code != NULL ? strlen(rig->code) : 0,
                                        (uint8_t *) (uintptr_t) rig->code };
    start.opening = rig->openings;
    start.n_opening = rig->opening_count;
    start.n_holders = seats;
    start.holders = list;
    rig_header(&header, KIND(START_MATCH), match, NO_SEAT);
    rig_hear(rig, RIG_LOBBY, ROLE(LOBBY), &header, &start);
}

uint32_t rig_attach(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat)
{
    Arbiter__Engine__Attach attach = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    uint32_t                before = rig_count(rig, who, KIND(ATTACHED));
    rig_header(&header, KIND(ATTACH), match, seat);
    header.version = header_spoken(rig->version);
    rig_hear(rig, who, ROLE(CLIENT), &header, &attach);
    if (rig_count(rig, who, KIND(ATTACHED)) == before)
        return 0;
    const Arbiter__Engine__Attached *attached = rig_last(rig, who, KIND(ATTACHED));
    return attached->session;
}

void rig_play(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
              uint32_t request, const uint8_t *bytes, size_t size)
{
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play = (ProtobufCBinaryData){ size, (uint8_t *) (uintptr_t) bytes };
    rig_header(&header, KIND(COMMAND), match, seat);
    header.session = session;
    header.request = request;
    rig_hear(rig, who, ROLE(CLIENT), &header, &command);
}

void rig_take(struct rig *rig, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
              uint32_t request, uint32_t heap, uint32_t count)
{
    const struct engine_game *nim = NULL;
    struct command            command = { .kind = 1, .arg = { heap, count } };
    for (uint32_t i = 2; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    for (uint32_t i = 0; i < game_count; i++)
        if (strcmp(games[i].game->name, "nim") == 0)
            nim = &games[i];
    assert_non_null(nim);
    size_t size = plan_encode_command(nim->form.commands, &command, scratch, sizeof scratch);
    rig_play(rig, match, who, seat, session, request, scratch, size);
}

char *rig_setup(const char *path)
{
    size_t size = 0;
    char   whole[512];
    snprintf(whole, sizeof whole, "%s", path);
    char *text = config_read(whole, &size, stderr);
    assert_non_null(text);
    return text;
}

static const struct plan *commands_of(const struct match *match)
{
    return match->terms->form->commands;
}

uint32_t rig_play_on(struct rig *rig, uint8_t match_number, const uint32_t *holders, uint32_t seats,
                     uint32_t commands, uint64_t luck)
{
    const struct match *match = rig_match(rig, match_number);
    assert_non_null(match);
    uint32_t      session[SEATS_MAX] = { 0 };
    uint32_t      request[SEATS_MAX] = { 0 };
    uint32_t      played = 0;
    struct policy policy;
    void         *memory = calloc(1, policy_bytes(match->terms));
    policy_init(&policy, POLICY_RANDOM, 1000, luck, match->terms, memory);
    for (uint32_t seat = 0; seat < seats; seat++)
        session[seat] = rig_attach(rig, match_number, holders[seat], seat);
    for (; played < commands && match_to_act(match) != 0; played++) {
        struct command command;
        uint32_t       seat = policy_seat(&policy, match_to_act(match));
        uint64_t       number = match->number;
        assert_true(policy_pick(&policy, match, seat, &command));
        size_t size = plan_encode_command(commands_of(match), &command, scratch, sizeof scratch);
        rig_play(rig, match_number, holders[seat], seat, session[seat], ++request[seat], scratch,
                 size);
        assert_int_equal(match->number, number + 1);
        if (rig->said_count > RIG_SAID_MAX / 2)
            rig_forget(rig);
    }
    free(memory);
    return played;
}
