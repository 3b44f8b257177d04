/* engine_bench.c: see engine_bench.h: the shell's loop in a hundred lines, and a store in a list. */
#include "services/engine/engine_bench.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/config_file.h"
#include "wire/kinds.h"

#define OUTBOX_BYTES (8u << 20)

static struct engine_game games[BENCH_GAMES_MAX];
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
                                                    plan_new(wire->view) };
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

/* The store. */

static int compare_cells(const struct cell *one, const struct cell *other)
{
    if (one->kind == CELL_NUMBER)
        return (one->number > other->number) - (one->number < other->number);
    size_t size = one->size < other->size ? one->size : other->size;
    int    order = size > 0 ? memcmp(one->bytes, other->bytes, size) : 0;
    return order != 0 ? order : (one->size > other->size) - (one->size < other->size);
}

static int compare_keys(const struct row *one, const struct row *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int order = compare_cells(&one->cells[i], &other->cells[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static struct row *copy_row(const struct row *row)
{
    struct row *copy = malloc(sizeof *copy + row->count * sizeof copy->cells[0]);
    memcpy(copy, row, sizeof *copy + row->count * sizeof copy->cells[0]);
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->cells[i].kind < CELL_BYTES)
            continue;
        uint8_t *bytes = malloc(row->cells[i].size + 1);
        if (row->cells[i].size > 0)
            memcpy(bytes, row->cells[i].bytes, row->cells[i].size);
        copy->cells[i].bytes = bytes;
    }
    return copy;
}

static void free_row(struct row *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        if (row->cells[i].kind >= CELL_BYTES)
            free((void *) (uintptr_t) row->cells[i].bytes);
    free(row);
}

static uint32_t find_row(const struct bench_store *store, const struct row *row, bool *found)
{
    uint32_t keys = journal_schema.tables[row->table].key_count;
    uint32_t low = 0;
    uint32_t high = store->count;
    while (low < high) {
        uint32_t                middle = (low + high) / 2;
        const struct bench_row *at = &store->rows[middle];
        int order = at->table != row->table ? (at->table > row->table) - (at->table < row->table)
                                            : compare_keys(at->row, row, keys);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < store->count && store->rows[low].table == row->table &&
             compare_keys(store->rows[low].row, row, keys) == 0;
    return low;
}

static uint64_t epoch_of(const struct bench_store *store, uint32_t slot)
{
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_SLOTS &&
            store->rows[i].row->cells[SLOTS_SLOT].number == slot)
            return (uint64_t) store->rows[i].row->cells[SLOTS_EPOCH].number;
    return 0;
}

static void apply(struct bench_store *store, const struct row *row)
{
    bool     found = false;
    uint32_t at = find_row(store, row, &found);
    if (found)
        free_row(store->rows[at].row);
    if (found && row->op == ROW_DELETE) {
        store->count--;
        memmove(&store->rows[at], &store->rows[at + 1],
                (store->count - at) * sizeof store->rows[0]);
    } else if (row->op != ROW_DELETE) {
        if (!found) {
            assert_true(store->count < BENCH_ROWS_MAX);
            memmove(&store->rows[at + 1], &store->rows[at],
                    (store->count - at) * sizeof store->rows[0]);
            store->count++;
        }
        store->rows[at] = (struct bench_row){ row->table, copy_row(row) };
        store->acts += row->table == JOURNAL_ACTS;
    }
}

static enum store_outcome commit(struct bench_store *store, const struct outbox *out)
{
    for (uint32_t i = 0; i < out->fence_count; i++)
        if (epoch_of(store, out->fences[i].slot) != out->fences[i].epoch)
            return STORE_OLD_EPOCH;
    for (uint32_t i = 0; i < out->row_count; i++) {
        bool found = false;
        (void) find_row(store, out->rows[i], &found);
        assert_int_equal(out->rows[i]->count,
                         out->rows[i]->op == ROW_DELETE
                             ? journal_schema.tables[out->rows[i]->table].key_count
                             : journal_schema.tables[out->rows[i]->table].column_count);
        if (found && out->rows[i]->op == ROW_ADD)
            return STORE_CONFLICT;
    }
    for (uint32_t i = 0; i < out->row_count; i++)
        apply(store, out->rows[i]);
    store->commits++;
    return STORE_COMMITTED;
}

struct bench_store *bench_store_new(void)
{
    return calloc(1, sizeof(struct bench_store));
}

void bench_store_free(struct bench_store *store)
{
    for (uint32_t i = 0; i < store->count; i++)
        free_row(store->rows[i].row);
    free(store);
}

uint32_t bench_rows(const struct bench_store *store, enum journal_table table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < store->count; i++)
        count += store->rows[i].table == (uint32_t) table;
    return count;
}

/* The loop. */

static void step(struct bench *bench, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    for (uint32_t i = 0; i < ENTROPY_SIZE; i++) {
        bench->luck = bench->luck * 6364136223846793005u + 1442695040888963407u;
        entropy[i] = (uint8_t) (bench->luck >> 33);
    }
    event->now_ms = bench->now_ms;
    event->wall_ms = 1000000 + bench->now_ms;
    event->entropy = entropy;
    bench->ops->step(bench->core, event, &bench->out);
    if (!bench->holds)
        bench_settle(bench, bench->next);
}

static void keep_said(struct bench *bench, const struct effect *effect)
{
    if (bench->said_count == BENCH_SAID_MAX)
        return; /* Only what comes first is looked at. */
    struct bench_said *said = &bench->said[bench->said_count++];
    *said = (struct bench_said){ .effect = effect->kind,
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

static bool is_wanted(const struct query *query, const struct row *row)
{
    for (uint32_t i = 0; i < query->prefix_count; i++)
        if (compare_cells(&row->cells[i], &query->prefix[i]) != 0)
            return false;
    const struct cell *next = &row->cells[query->prefix_count];
    return (!query->has_from || compare_cells(next, &query->from) >= 0) &&
           (!query->has_to || compare_cells(next, &query->to) <= 0);
}

static void answer_read(struct bench *bench, const struct query *query)
{
    struct event done = { .kind = EVENT_READ_DONE, .tag = query->tag };
    for (uint32_t i = 0; i < bench->store->count; i++) {
        uint32_t                at = query->descending ? bench->store->count - 1 - i : i;
        const struct bench_row *row = &bench->store->rows[at];
        if (row->table != query->table || !is_wanted(query, row->row))
            continue;
        struct event event = { .kind = EVENT_ROW, .tag = query->tag, .row = row->row };
        step(bench, &event);
        done.rows++;
        if (query->limit > 0 && done.rows == query->limit)
            break;
    }
    step(bench, &done);
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

void bench_settle(struct bench *bench, enum store_outcome outcome)
{
    struct outbox *out = &bench->out;
    struct reads  *reads = calloc(1, sizeof *reads);
    if (out->row_count == 0 && out->fence_count == 0)
        outcome = STORE_COMMITTED;
    else if (outcome == STORE_COMMITTED) {
        outcome = commit(bench->store, out);
        bench->batches++;
    }
    if (outcome != STORE_COMMITTED)
        out->effect_count = 0;
    out->row_count = out->fence_count = 0;
    bench->ops->settle(bench->core, outcome, out);
    assert_int_equal(out->row_count + out->fence_count, 0);
    for (uint32_t i = 0; i < out->effect_count; i++) {
        const struct effect *effect = &out->effects[i];
        if (effect->kind == EFFECT_READ)
            keep_read(reads, effect->query);
        else if (effect->kind == EFFECT_EXIT)
            bench->exited = true;
        else
            keep_said(bench, effect);
    }
    outbox_reset(out);
    for (uint32_t i = 0; i < reads->count; i++)
        answer_read(bench, &reads->query[i]);
    free(reads);
}

void bench_event(struct bench *bench, enum core_event_kind kind)
{
    struct event event = { .kind = kind };
    if (kind == EVENT_TIME)
        bench->out.wake_ms = NO_WAKE;
    step(bench, &event);
}

void bench_wait(struct bench *bench, uint64_t ms)
{
    uint64_t until = bench->now_ms + ms;
    for (uint32_t steps = 0; steps < 100000; steps++) {
        if (bench->out.wake_ms > until)
            break;
        if (bench->out.wake_ms > bench->now_ms)
            bench->now_ms = bench->out.wake_ms;
        bench_event(bench, EVENT_TIME);
    }
    bench->now_ms = until;
}

void bench_hear(struct bench *bench, uint32_t who, uint32_t role, const struct header *header,
                const void *body)
{
    struct event event = { .kind = EVENT_MESSAGE, .header = *header, .body = body };
    event.caller.key[0] = (uint8_t) who;
    event.caller.role = role;
    event.caller.door = DOOR_REQUESTS;
    event.caller.route = who;
    step(bench, &event);
}

void bench_open(struct bench *bench, struct bench_store *store,
                void (*change)(struct engine_settings *settings))
{
    prepare_games();
    memset(bench, 0, sizeof *bench);
    bench->store = store;
    bench->now_ms = 5000;
    bench->luck = 77 + store->commits;
    bench->settings = (struct engine_settings){ .helpers = { &crypto_sodium, compile, verify },
                                                .games = games,
                                                .game_count = game_count,
                                                .takes_all_slots = true,
                                                .memory_bytes = 8u << 20,
                                                .matches_max = 200,
                                                .room_bytes = 4u << 20 };
    memcpy(bench->settings.peers.name, "engine-1", 9);
    bench->settings.peers.role = BENCH_ROLE(ENGINE);
    if (change != NULL)
        change(&bench->settings);
    bench->bytes = engine_bytes(&bench->settings);
    bench->core = aligned_alloc(64, (bench->bytes + 63) / 64 * 64);
    bench->engine = engine_init(bench->core, &bench->settings);
    bench->ops = &engine_ops;
    bench->outbox = malloc(OUTBOX_BYTES);
    outbox_init(&bench->out, bench->outbox, OUTBOX_BYTES);
    bench_event(bench, EVENT_STARTED);
    bench_wait(bench, 0);
    Arbiter__Directory__Hello hello = ARBITER__DIRECTORY__HELLO__INIT;
    struct header             header;
    header_init(&header, BENCH_KIND(HELLO), NULL);
    bench_hear(bench, BENCH_LOBBY, BENCH_ROLE(LOBBY), &header, &hello);
    bench_hear(bench, BENCH_WATCHDOG, BENCH_ROLE(WATCHDOG), &header, &hello);
    bench_wait(bench, 10);
    bench_forget(bench);
}

void bench_forget(struct bench *bench)
{
    for (uint32_t i = 0; i < bench->said_count; i++)
        free(bench->said[i].bytes);
    bench->said_count = 0;
    arena_reset(&arena);
}

void bench_close(struct bench *bench)
{
    bench_forget(bench);
    free(bench->core);
    free(bench->outbox);
}

/* What was said. */

static const struct bench_said *find_said(const struct bench *bench, uint32_t who, uint16_t kind,
                                          uint32_t *count)
{
    const struct bench_said *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < bench->said_count; i++) {
        const struct bench_said *said = &bench->said[i];
        bool                     is_message = said->bytes != NULL;
        bool is_to = who == 0 || (said->effect == EFFECT_SEND && said->route == who);
        if (!is_message || said->header.kind != kind || !is_to)
            continue;
        found = said;
        ++*count;
    }
    return found;
}

uint32_t bench_count(const struct bench *bench, uint32_t who, uint16_t kind)
{
    uint32_t count = 0;
    (void) find_said(bench, who, kind, &count);
    return count;
}

const struct header *bench_last_header(const struct bench *bench, uint32_t who, uint16_t kind)
{
    uint32_t                 count = 0;
    const struct bench_said *said = find_said(bench, who, kind, &count);
    assert_non_null(said);
    return &said->header;
}

const void *bench_last(struct bench *bench, uint32_t who, uint16_t kind)
{
    uint32_t                 count = 0;
    const struct bench_said *said = find_said(bench, who, kind, &count);
    assert_non_null(said);
    const void *message =
        protobuf_c_message_unpack(kinds_find(kind), &arena.allocator, said->size, said->bytes);
    assert_non_null(message);
    return message;
}

uint32_t bench_refusal(struct bench *bench, uint32_t who)
{
    if (bench_count(bench, who, BENCH_KIND(REFUSED)) == 0)
        return 0;
    const Arbiter__Wire__Refused *refused = bench_last(bench, who, BENCH_KIND(REFUSED));
    return (uint32_t) refused->refusal;
}

/* What is said. */

static void id_of(uint8_t id[MATCH_ID_SIZE], uint8_t match)
{
    memset(id, match, MATCH_ID_SIZE);
}

void bench_header(struct header *header, uint16_t kind, uint8_t match, uint32_t seat)
{
    uint8_t id[MATCH_ID_SIZE];
    id_of(id, match);
    header_init(header, kind, id);
    header->seat = seat;
}

const struct match *bench_match(const struct bench *bench, uint8_t match)
{
    uint8_t id[MATCH_ID_SIZE];
    id_of(id, match);
    return engine_match(bench->engine, id);
}

void bench_start(struct bench *bench, uint8_t match, const char *game, const char *setup,
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
    start.match = &facts;
    start.n_holders = seats;
    start.holders = list;
    bench_header(&header, BENCH_KIND(START_MATCH), match, NO_SEAT);
    bench_hear(bench, BENCH_LOBBY, BENCH_ROLE(LOBBY), &header, &start);
}

uint32_t bench_attach(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat)
{
    Arbiter__Engine__Attach attach = ARBITER__ENGINE__ATTACH__INIT;
    struct header           header;
    uint32_t                before = bench_count(bench, who, BENCH_KIND(ATTACHED));
    bench_header(&header, BENCH_KIND(ATTACH), match, seat);
    bench_hear(bench, who, BENCH_ROLE(CLIENT), &header, &attach);
    if (bench_count(bench, who, BENCH_KIND(ATTACHED)) == before)
        return 0;
    const Arbiter__Engine__Attached *attached = bench_last(bench, who, BENCH_KIND(ATTACHED));
    return attached->session;
}

void bench_play(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
                uint32_t request, const uint8_t *bytes, size_t size)
{
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play = (ProtobufCBinaryData){ size, (uint8_t *) (uintptr_t) bytes };
    bench_header(&header, BENCH_KIND(COMMAND), match, seat);
    header.session = session;
    header.request = request;
    bench_hear(bench, who, BENCH_ROLE(CLIENT), &header, &command);
}

void bench_take(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
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
    bench_play(bench, match, who, seat, session, request, scratch, size);
}
