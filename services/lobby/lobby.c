/* lobby.c: the core: its memory, its start, and which event goes where. Pure. */
#include "services/lobby/lobby.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"
#include "services/lobby/lobby_rows.h"

/* Hands out pieces of one block; with `base` NULL it only counts. */
struct placing {
    uint8_t *base;
    size_t   used;
};

static void *place(struct placing *placing, size_t size, size_t count)
{
    size_t   bytes = (size * count + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    uint8_t *at = placing->base == NULL ? NULL : placing->base + placing->used;
    placing->used += bytes;
    return at;
}

static void place_pool(struct placing *placing, struct pool *pool, size_t size, uint32_t count)
{
    *pool = (struct pool){ .base = place(placing, size, count), .size = size, .count = count };
}

static void place_records(struct lobby *lobby, struct placing *placing,
                          const struct lobby_settings *settings)
{
    struct pool *pool = lobby->pool;
    uint32_t     tables = settings->tables_max;
    place_pool(placing, &pool[RECORD_META], sizeof(struct meta), 1);
    place_pool(placing, &pool[RECORD_KEY], sizeof(struct key), settings->keys_max);
    place_pool(placing, &pool[RECORD_PLAYER], sizeof(struct player), settings->players_max);
    place_pool(placing, &pool[RECORD_TABLE], sizeof(struct table), tables);
    place_pool(placing, &pool[RECORD_EVENT], sizeof(struct table_event),
               tables * settings->events_kept);
    place_pool(placing, &pool[RECORD_DESK], settings->desk_bytes, tables);
    place_pool(placing, &pool[RECORD_RESULT], sizeof(struct result), settings->results_max);
    place_pool(placing, &pool[RECORD_TEXT], sizeof(struct text_owner), settings->texts_max);
    place_pool(placing, &pool[RECORD_PERSON], sizeof(struct registrant), settings->persons_max);
    place_pool(placing, &pool[RECORD_AUDIT], sizeof(struct audited), settings->audit_max);
}

/* Lays everything out behind the struct itself; returns how much it takes. */
static size_t place_all(struct lobby *lobby, uint8_t *base, const struct lobby_settings *settings)
{
    struct placing placing = { .base = base };
    uint64_t       names = settings->keys_max + 2 * (uint64_t) settings->players_max +
                     3 * (uint64_t) settings->tables_max;
    uint32_t size = lobby_index_size(2 * names);
    place(&placing, sizeof *lobby, 1);
    place_records(lobby, &placing, settings);
    lobby->index.entries = place(&placing, sizeof(struct index_entry), size);
    lobby->index.size = size;
    lobby->routes = place(&placing, sizeof(struct route), settings->keys_max);
    lobby->clocks = place(&placing, sizeof(struct clock), settings->tables_max);
    lobby->freed_in = place(&placing, sizeof(uint64_t), settings->tables_max);
    lobby->missing = place(&placing, sizeof(bool), settings->players_max);
    lobby->spoken_of = place(&placing, sizeof(bool), settings->players_max);
    lobby->sources = place(&placing, sizeof(struct source), settings->players_max);
    lobby->spendings = place(&placing, sizeof(struct spending), SPENDINGS_MAX);
    lobby->tallies_size = lobby_index_size((uint64_t) settings->players_max + settings->tables_max);
    lobby->tallies = place(&placing, sizeof(struct tally), lobby->tallies_size);
    lobby->services = place(&placing, sizeof(struct service), settings->services_max);
    lobby->texts = place(&placing, LOBBY_TEXT_MAX + 2, settings->texts_max);
    lobby->undo = place(&placing, UNDO_BYTES, 1);
    lobby->askers = place(&placing, sizeof(struct asker), ASKERS_MAX);
    lobby->compiled = place(&placing, settings->setup_bytes, 1);
    for (uint32_t i = 0; i < 2; i++)
        lobby->arena[i].bytes = place(&placing, LOBBY_TREE_BYTES, 1);
    lobby->words = place(&placing, sizeof(word), SINK_WORDS);
    lobby->sentence = place(&placing, SENTENCE_MAX, 1);
    return placing.used;
}

size_t lobby_bytes(const struct lobby_settings *settings)
{
    struct lobby counted;
    return place_all(&counted, NULL, settings);
}

struct lobby *lobby_init(void *memory, const struct lobby_settings *settings)
{
    assert(lobby_judge(settings) == NULL);
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    struct lobby *lobby = memory;
    memset(memory, 0, lobby_bytes(settings));
    place_all(lobby, memory, settings);
    lobby->settings = *settings;
    lobby_index_init(&lobby->index, lobby->index.entries, lobby->index.size);
    for (uint32_t i = 0; i < 2; i++)
        arena_init(&lobby->arena[i], lobby->arena[i].bytes, LOBBY_TREE_BYTES);
    return lobby;
}

static void say(struct outbox *out, enum say_level level, const char *sentence)
{
    struct text text;
    text_clear(&text);
    text_put(&text, sentence);
    outbox_say(out, level, &text);
}

/* Who sits where says who is seated, and whom a table waits for. */
static void seat_players(struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        player_of(lobby, i)->table = player_of(lobby, i)->promised = NOBODY;
        player_of(lobby, i)->at_tables = 0;
    }
    for (uint32_t at = 0; at < lobby->settings.tables_max; at++) {
        const struct table *table = table_of(lobby, at);
        if (table->used == 0)
            continue;
        for (uint32_t i = 0; i < table->seat_count; i++) {
            const struct seat *seat = &table->seat[i];
            bool is_seated = seat->player != NOBODY && !seat->vacant && table->phase != PHASE(OVER);
            if (is_seated)
                player_of(lobby, seat->player)->table = at;
            if (seat->promised != NOBODY && player_of(lobby, seat->promised)->bot)
                player_of(lobby, seat->promised)->promised = at;
        }
        for (uint32_t i = 0; i < MEMBERS_MAX; i++)
            if (table->member[i].player != NOBODY)
                player_of(lobby, table->member[i].player)->at_tables++;
        lobby_clock_begin(lobby, at);
    }
}

struct lobby_settings *lobby_told(struct lobby *lobby)
{
    return &lobby->settings;
}

/* All rows are there. The lobby counts its start, admits whom the settings name, and opens. */
static void open_doors(struct lobby *lobby, struct outbox *out)
{
    struct meta *meta = lobby_touch(lobby, RECORD_META, 0);
    meta->starts++;
    lobby->directory = meta->starts << 32;
    lobby_number_on(lobby);
    memcpy(&lobby->index.salt, lobby->entropy, sizeof lobby->index.salt);
    lobby_remember_all(lobby);
    lobby_admit_seeds(lobby);
    lobby_notice_ends(lobby);
    seat_players(lobby);
    lobby->is_ready = lobby->is_news = true;
    lobby->started_ms = lobby->wall_ms;
    lobby->opened_ms = lobby->now_ms;
    out->wants_commit = true;
    lobby_on_time(lobby, out);
}

static void give_up(struct lobby *lobby, const char *sentence, struct outbox *out)
{
    say(out, SAY_ERROR, sentence);
    outbox_exit(out);
    lobby->is_stopping = true;
    lobby->is_ready = false;
}

static void on_row(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    if (!lobby->is_stopping && !lobby_rows_load(lobby, event->tag, event->row))
        give_up(
            lobby,
            "The store holds more keys, players, tables or registrations than the settings allow: "
            "raise keys_max, players_max, tables_max or persons_max.",
            out);
}

static void on_read_done(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    if (event->failed && !lobby->is_stopping)
        give_up(lobby, "The store could not be read.", out);
    if (lobby->reads_left > 0 && --lobby->reads_left == 0 && !lobby->is_stopping) {
        lobby->is_read = true;
        open_doors(lobby, out);
    }
}

static void on_ping(const struct event *event, struct outbox *out)
{
    const Arbiter__Wire__Ping *ping = BODY(Arbiter__Wire__Ping, event);
    Arbiter__Wire__Pong       *pong = MAKE(out, wire, pong);
    pong->has_nonce = ping->has_nonce;
    pong->nonce = ping->nonce;
    outbox_answer(out, event, KIND(PONG), pong);
}

typedef void handler(struct lobby *lobby, const struct event *event, struct outbox *out);

/* Messages by kind, and where they may come from: a door, or a connection to a service of this role. */
static const struct {
    uint16_t kind;
    uint32_t from; /* directory.Role of a service we are connected to; 0: our own door.           */
    handler *handle;
} handlers[] = {
    { KIND(HELLO), 0, lobby_on_hello },
    { KIND(LOBBY_ASK), 0, lobby_on_ask },
    { KIND(TABLE_ASK), 0, lobby_on_table_ask },
    { KIND(EXPIRE), 0, lobby_on_expire },
    { KIND(WELCOME), ROLE(ENGINE), lobby_on_welcome },
    { KIND(WELCOME), ROLE(WATCHDOG), lobby_on_welcome },
    { KIND(MATCH_STARTED), ROLE(ENGINE), lobby_on_match_started },
    { KIND(HOUSE_REPLY), ROLE(ENGINE), lobby_on_house_reply },
    { KIND(MATCH_OVER), ROLE(ENGINE), lobby_on_match_over },
    { KIND(REGISTERED), ROLE(ENGINE), lobby_on_registered },
};

/* The role of the service at the other end of our own connection; 0: it came in by a door. */
static uint32_t role_behind(const struct lobby *lobby, const struct event *event)
{
    if (event->caller.door != DOOR_PEER)
        return 0;
    uint64_t place = event->caller.route;
    bool     is_known = place < lobby->settings.services_max && lobby->services[place].connected;
    return is_known ? lobby->services[place].role : UINT32_MAX;
}

static void on_message(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    uint32_t from = role_behind(lobby, event);
    if (event->header.kind == KIND(PING) && from == 0) {
        on_ping(event, out);
        return;
    }
    if (from == 0 && lobby->is_ready && !lobby->is_stopping)
        lobby->askers[lobby->asker_count++] =
            (struct asker){ .caller = event->caller, .header = event->header };
    if (!lobby->is_ready && from == 0)
        outbox_refuse(out, event, REFUSAL(AGAIN), "The lobby is starting; ask again.");
    else if (lobby->is_stopping && from == 0)
        outbox_refuse(out, event, REFUSAL(DRAINING), "The lobby is stopping; ask again.");
    else if (lobby->is_ready)
        for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
            if (handlers[i].kind == event->header.kind && handlers[i].from == from)
                handlers[i].handle(lobby, event, out);
}

static void lobby_step(void *core, const struct event *event, struct outbox *out)
{
    struct lobby *lobby = core;
    lobby->now_ms = event->now_ms;
    lobby->wall_ms = event->wall_ms;
    lobby->spoken = event->kind == EVENT_MESSAGE ? event->header.version : 0;
    lobby->entropy = event->entropy;
    lobby_undo_step_begin(lobby);
    switch (event->kind) {
    case EVENT_STARTED: lobby_rows_read(lobby, out); break;
    case EVENT_ROW: on_row(lobby, event, out); break;
    case EVENT_READ_DONE: on_read_done(lobby, event, out); break;
    case EVENT_MESSAGE: on_message(lobby, event, out); break;
    case EVENT_TIME:
        if (lobby->is_read && !lobby->is_ready && !lobby->is_stopping)
            open_doors(lobby, out);
        else if (lobby->is_ready)
            lobby_on_time(lobby, out);
        break;
    case EVENT_STOP:
        lobby->is_stopping = true;
        outbox_exit(out);
        break;
    case EVENT_CHANGED:
        if (lobby->is_ready && !lobby->is_stopping)
            lobby_admit_seeds(lobby);
        break;
    case EVENT_READER:
    case EVENT_READER_GONE:
    case EVENT_CUT: break;
    }
    lobby_undo_step_end(lobby, out);
}

/* Nothing of the batch is there: nothing of it has happened, and whoever asked is told so. */
static void take_back(struct lobby *lobby, struct outbox *out)
{
    lobby_undo_batch(lobby);
    for (uint32_t i = 0; i < lobby->asker_count; i++) {
        struct event event = { .caller = lobby->askers[i].caller,
                               .header = lobby->askers[i].header };
        outbox_refuse(out, &event, REFUSAL(AGAIN), "Nothing was stored, so nothing has happened.");
    }
    bool start_is_kept = meta_of(lobby)->starts == lobby->directory >> 32;
    if (lobby->is_ready && !start_is_kept) {
        say(out, SAY_WARNING, "The store did not take the lobby's start; trying again.");
        lobby->is_ready = false;
        outbox_wake(out, lobby->now_ms + lobby->settings.again_ms);
    }
}

static void lobby_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct lobby *lobby = core;
    if (outcome == STORE_UNKNOWN) {
        give_up(lobby, "Nobody knows whether the last batch was stored; starting anew will tell.",
                out);
    } else if (outcome == STORE_COMMITTED) {
        lobby_undo_forget(lobby);
        if (lobby->is_ready)
            lobby_directory_settle(lobby, out);
    } else {
        take_back(lobby, out);
    }
    lobby->asker_count = 0;
    lobby->batch++;
}

const struct core_ops lobby_ops = {
    .step = lobby_step,
    .settle = lobby_settle,
    .schema = &lobby_schema,
    .bounds = lobby_bounds,
};
