/* engine.c: the engine's memory, and every event handed to whoever answers it. Pure. */
#include "services/engine/engine.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "contract/directory.pb-c.h"
#include "core/greet.h"
#include "services/engine/engine_parts.h"
#include "wire/names.h"

#define OWN(number, otherwise) ((number) != 0 ? (number) : (otherwise))

/* What one step may copy for its undo at most: a set-up, several matches, the peers, and small things. */
#define STEP_UNDO_BYTES (4u << 20)

static void fill_in(struct engine_settings *own, const struct engine_settings *settings)
{
    *own = *settings;
    own->undo_bytes = OWN(own->undo_bytes, 16u << 20);
    if (own->undo_bytes < 2 * STEP_UNDO_BYTES)
        own->undo_bytes = 2 * STEP_UNDO_BYTES;
    own->room_bytes = OWN(own->room_bytes, 16u << 20) / 64 * 64;
    own->setups_max = OWN(own->setups_max, 1024);
    own->snapshot_acts = OWN(own->snapshot_acts, 16);
    own->dice_ms = OWN(own->dice_ms, 20000);
    own->linger_ms = OWN(own->linger_ms, 600000);
    own->full_ms = OWN(own->full_ms, 1000);
    own->slot_count_ms = OWN(own->slot_count_ms, 250);
    own->waits_ms = OWN(own->waits_ms, 10000);
    own->restarts_max = OWN(own->restarts_max, 64);
}

/* The next power of two, so that a hash's low bits name a bucket. */
static uint32_t bucket_count(uint32_t most)
{
    uint32_t count = 16;
    while (count < most && count < 1u << 30)
        count *= 2;
    return count;
}

/* The pieces of an engine's memory, one behind the other. */
struct layout {
    uint8_t *memory; /* NULL: they are only measured.                                           */
    size_t   used;
};

static void *place(struct layout *layout, size_t size)
{
    void *at = layout->memory != NULL ? layout->memory + layout->used : NULL;
    layout->used += (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    return at;
}

/* Lays everything out; with memory NULL `engine` is a stand-in that only carries the settings. The undo
 * log stands last: it alone differs after a batch that was undone. */
static size_t lay_out(struct engine *engine, uint8_t *memory)
{
    const struct engine_settings *settings = &engine->settings;
    struct layout                 layout = { .memory = memory };
    uint32_t                      buckets = bucket_count(settings->matches_max);
    uint32_t                      setups = bucket_count(settings->setups_max);
    (void) place(&layout, sizeof *engine);
    engine->bucket_mask = buckets - 1;
    engine->buckets = place(&layout, buckets * sizeof(struct hosted *));
    engine->list = place(&layout, settings->matches_max * sizeof(struct hosted *));
    engine->setup_mask = setups - 1;
    engine->setups = place(&layout, setups * sizeof(struct setup *));
    engine->askers = place(&layout, ASKERS_MAX * sizeof(struct asker));
    engine->room_memory = place(&layout, settings->room_bytes);
    engine->scratch = place(&layout, settings->room_bytes);
    void *arena = place(&layout, ENGINE_COMMAND_BYTES);
    void *slab = place(&layout, slab_bytes(settings->memory_bytes));
    void *undo = place(&layout, settings->undo_bytes);
    if (memory != NULL) {
        arena_init(&engine->arena, arena, ENGINE_COMMAND_BYTES);
        slab_init(&engine->slab, slab, settings->memory_bytes);
        engine_undo_init(&engine->undo, undo, settings->undo_bytes);
    }
    return layout.used;
}

size_t engine_bytes(const struct engine_settings *settings)
{
    struct {
        struct engine engine;
    } stand_in;
    memset(&stand_in, 0, sizeof stand_in);
    fill_in(&stand_in.engine.settings, settings);
    return lay_out(&stand_in.engine, NULL);
}

struct engine_settings *engine_told(struct engine *engine)
{
    return &engine->settings;
}

struct engine *engine_init(void *memory, const struct engine_settings *settings)
{
    struct engine *engine = memory;
    fill_in(&engine->settings, settings);
    lay_out(engine, memory);
    peers_init(&engine->peers, &settings->peers);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        engine->slots[slot].wanted = settings->takes_all_slots;
    engine->batch = 1;
    return engine;
}

struct engine_facts engine_facts(const struct engine *engine)
{
    struct engine_facts facts = engine->facts;
    facts.matches = engine->list_count;
    facts.memory_used = engine->slab.used;
    facts.slots = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        facts.slots += engine->slots[slot].state == SLOT_OURS;
    return facts;
}

/* Asked for each turn of the loop, so nothing is counted that need not be. */
static void show(const void *core, struct figures *figures)
{
    const struct engine *engine = core;
    figures->matches = engine->list_count;
    figures->held = engine->held;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        figures->slots += engine->slots[slot].state == SLOT_OURS;
}

static void show_bounds(const void *core, struct fullness *bounds)
{
    const struct engine          *engine = core;
    const struct engine_settings *settings = &engine->settings;
    bounds->of[BOUND_MATCHES] = (struct bound_use){ engine->list_count, settings->matches_max, 0 };
    bounds->of[BOUND_MEMORY] = (struct bound_use){ engine->slab.used, settings->memory_bytes, 0 };
    bounds->of[BOUND_SETUPS] = (struct bound_use){ engine->setup_count, settings->setups_max, 0 };
}

/* Memory is scarce before its last byte is taken: a piece must lie in one page. */
void engine_say_full(const struct engine *engine, struct outbox *out)
{
    if (engine->list_count == engine->settings.matches_max)
        outbox_full(out, BOUND_MATCHES);
    else if (engine->setup_count == engine->settings.setups_max)
        outbox_full(out, BOUND_SETUPS);
    else
        outbox_full(out, BOUND_MEMORY);
}

const struct match *engine_match(const struct engine *engine, const uint8_t id[MATCH_ID_SIZE])
{
    const struct hosted *hosted = engine_table_find(engine, id);
    return hosted != NULL && hosted->quarantined == NULL && hosted->phase != PHASE_READING
               ? hosted->match
               : NULL;
}

/* What a service is told unasked goes to where it last said hello. */
static void on_hello(struct engine *engine, const struct event *event)
{
    if (event->caller.door == DOOR_PEER)
        return;
    if (event->caller.role == ROLE(LOBBY)) {
        engine->lobby_door = event->caller.door;
        engine->lobby_route = event->caller.route;
    }
    if (event->caller.role == ROLE(WATCHDOG))
        engine_watchdog_hello(engine, event);
}

static void on_message(struct engine *engine, const struct event *event, struct outbox *out)
{
    switch (event->header.kind) {
    case KIND(ATTACH): engine_on_attach(engine, event, out); break;
    case KIND(COMMAND): engine_on_command(engine, event, out); break;
    case KIND(LEGAL_ASK): engine_on_legal_ask(engine, event, out); break;
    case KIND(START_MATCH): engine_on_start_match(engine, event, out); break;
    case KIND(CHANGE_SEAT): engine_on_change_seat(engine, event, out); break;
    case KIND(ABORT_MATCH): engine_on_abort_match(engine, event, out); break;
    case KIND(ACCEPT_MATCH): engine_on_accept_match(engine, event, out); break;
    case KIND(REGISTER): engine_on_register(engine, event, out); break;
    case KIND(MATCH_OVER_HEARD): engine_on_match_over_heard(engine, event, out); break;
    case KIND(MOVED_ASK): engine_on_moved_ask(engine, event, out); break;
    case KIND(EXPIRE): engine_on_expire(engine, event, out); break;
    case KIND(LEASES):
        if (engine_is_from(engine, event, ROLE(WATCHDOG)))
            engine_on_leases(engine, event);
        if (engine->must_ask_slots)
            outbox_wake(out, event->now_ms);
        break;
    case KIND(HELLO): on_hello(engine, event); break;
    default: break;
    }
}

/* What peers do is undone with a batch, too: their effects are dropped with it. */
static enum peers_news ask_peers(struct engine *engine, const struct event *event,
                                 struct outbox *out)
{
    uint32_t peer = peers_of_event(event);
    bool     is_directory =
        event->kind == EVENT_MESSAGE && peer != NO_PEER &&
        (event->header.kind == KIND(DIRECTORY) || event->header.kind == KIND(WELCOME));
    if (is_directory)
        engine_undo_keep(&engine->undo, &engine->peers, sizeof engine->peers);
    if (is_directory && peer == PEERS_LOBBY) {
        const Arbiter__Directory__Directory *directory = BODY(Arbiter__Directory__Directory, event);
        if (event->header.kind == KIND(WELCOME))
            directory = (BODY(Arbiter__Directory__Welcome, event))->directory;
        if (directory != NULL)
            engine_directory_heard(engine, directory);
    }
    engine->peers.load =
        (uint32_t) ((uint64_t) engine->list_count * 100 / (engine->settings.matches_max + 1u));
    return peers_step(&engine->peers, event, out);
}

static void on_stop(struct engine *engine, struct outbox *out)
{
    engine->stopping = true;
    engine->peers.draining = engine->peers.has_news = true;
    outbox_wake(out, engine->now_ms);
}

/* Matches read back out of the journal are in no batch of the store's, so they must share none with
 * commands. A match undone with such a batch would be as it was before it was read. */
static bool is_reading_back(const struct engine *engine, const struct event *event)
{
    if (event->kind == EVENT_ROW || event->kind == EVENT_READ_DONE)
        return true;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (engine->slots[i].state == SLOT_READING)
            return true;
    return false;
}

static void engine_step(void *core, const struct event *event, struct outbox *out)
{
    struct engine *engine = core;
    engine->now_ms = event->now_ms;
    engine->wall_ms = event->wall_ms;
    bool is_peers = ask_peers(engine, event, out) != PEERS_NOTHING;
    (void) greet_step(event, out);
    switch (event->kind) {
    case EVENT_STARTED:
        if (engine->settings.takes_all_slots)
            engine->marks_ms = event->now_ms + engine->settings.marks_ms;
        engine_marks_doubt(engine);
        engine_ask_slots(engine, out);
        outbox_wake(out, event->now_ms);
        break;
    case EVENT_MESSAGE:
        if (!is_peers)
            on_message(engine, event, out);
        break;
    case EVENT_TIME: engine_on_time(engine, out); break;
    case EVENT_ROW: engine_on_row(engine, event, out); break;
    case EVENT_READ_DONE: engine_on_read_done(engine, event, out); break;
    case EVENT_STOP: on_stop(engine, out); break;
    default: break;
    }
    if (engine->must_read_again || is_reading_back(engine, event) ||
        engine_undo_room(&engine->undo) < STEP_UNDO_BYTES ||
        (engine->careful > 0 && engine->changed))
        out->wants_commit = true;
}

const struct core_ops engine_ops = { .step = engine_step,
                                     .settle = engine_settle,
                                     .schema = &journal_schema,
                                     .figures = show,
                                     .bounds = show_bounds };
