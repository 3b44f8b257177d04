/* engine_time.c: what is due: slot counts, a store tried again, clocks begun anew, the sweep, the end. Pure.
 *
 * A step must find room in its batch. So it does one heavy thing at a time, and asks to be woken at
 * once if there is more. */
#include <string.h>

#include "services/engine/engine_parts.h"

#define SWEEP_MS 250u
#define SWEEP_LOOKS 4096u /* Matches looked at in a step, ... */
#define SWEEP_DEEDS 64u   /* ... and acted on.                                                  */
#define OVER_AGAIN_MS 2000u
#define BEGUN_AGAIN_MS 10000u /* Each time twice as late ... */
#define BEGUN_DOUBLED_MAX 6u  /* ... up to ten minutes.                                         */
/* Room is scarce when less than this part of it is left. A player who was away for a moment finds
 * the end of the match even then. */
#define SCARCE 8u
#define LINGER_LEAST_MS 30000u
#define STOP_BYTES (256u << 10)
#define STOP_ROWS 512u /* Answers that only acts told get rows, too. */

/* The smallest thing there is to write: our own slot's epoch, as it stands. */
static void probe_store(struct engine *engine, struct outbox *out)
{
    for (uint32_t i = 0; i < SLOTS && !engine->probing; i++) {
        const struct slot *slot = &engine->slots[i];
        if (slot->state != SLOT_OURS)
            continue;
        struct row *row = outbox_row(out, ROW_PUT, JOURNAL_SLOTS, SLOTS_COLUMNS);
        row_number(row, SLOTS_SLOT, i);
        row_number(row, SLOTS_EPOCH, slot->epoch);
        row_number(row, SLOTS_RECORDED, slot->recorded);
        outbox_fence(out, i, slot->epoch);
        engine->probing = true;
        out->wants_commit = true;
    }
    if (!engine->probing)
        engine->full = false; /* There is nothing to try it with; the next write will say. */
}

static void drop_lingering(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    engine_fence(engine, hosted, out);
    engine_rows_of_gone(hosted, out);
    engine_table_drop(engine, hosted);
}

/* Nobody has moved yet. A late copy of StartMatch may have begun the match when its table was
 * already closed, and the answer was lost with the lobby of that time. So the present lobby is
 * told, and ends a match that no table of its wants. */
static bool look_after_begun(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    uint32_t doubled = hosted->told < BEGUN_DOUBLED_MAX ? hosted->told : BEGUN_DOUBLED_MAX;
    if (hosted->is_moved || hosted->phase == PHASE_READING || engine->lobby_door == 0 ||
        engine->now_ms - hosted->told_ms < (uint64_t) BEGUN_AGAIN_MS << doubled)
        return false;
    engine_touch(engine, hosted);
    engine_fence(engine, hosted, out);
    hosted->told_ms = engine->now_ms;
    hosted->told++;
    engine_tell_started(engine, hosted, out);
    return true;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* How long a match that is over is known: the less room there is for new ones, the shorter. */
static uint64_t linger_now(const struct engine *engine)
{
    const struct engine_settings *settings = &engine->settings;
    uint64_t                      whole = 1000 / SCARCE, linger = settings->linger_ms;
    uint64_t                      matches = settings->matches_max - engine->list_count;
    uint64_t                      memory = settings->memory_bytes - engine->slab.used;
    uint64_t                      left =
        smaller(matches * 1000 / settings->matches_max, memory / (settings->memory_bytes / 1000));
    if (linger <= LINGER_LEAST_MS || left >= whole)
        return linger;
    return LINGER_LEAST_MS + (linger - LINGER_LEAST_MS) * left / whole;
}

/* Whether something was done about this match. */
static bool look_after(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    uint64_t gone = engine->now_ms - hosted->told_ms;
    if (hosted->quarantined != NULL || engine->slots[hosted->slot].state != SLOT_OURS)
        return false;
    if (hosted->phase != PHASE_OVER)
        return look_after_begun(engine, hosted, out);
    if (!hosted->heard && gone >= OVER_AGAIN_MS) {
        engine_touch(engine, hosted);
        engine_fence(engine, hosted, out);
        engine_tell_over(engine, hosted, out);
        return true;
    }
    if (!hosted->heard || gone < linger_now(engine) || engine->full)
        return false;
    drop_lingering(engine, hosted, out);
    return true;
}

/* All matches are looked at in turn; a few seconds for a hundred thousand. */
static bool sweep(struct engine *engine, struct outbox *out)
{
    uint32_t deeds = 0;
    uint32_t looks = engine->list_count < SWEEP_LOOKS ? engine->list_count : SWEEP_LOOKS;
    uint32_t most = engine->careful > 0 ? 1 : SWEEP_DEEDS;
    for (; looks > 0 && deeds < most && engine->list_count > 0; looks--) {
        if (engine->sweep_at >= engine->list_count)
            engine->sweep_at = 0;
        if (look_after(engine, engine->list[engine->sweep_at++], out))
            deeds++;
    }
    return deeds > 0;
}

/* Before the end, what was played since the last snapshot gets one, so that the next start is quick. */
static bool save_all(struct engine *engine, struct outbox *out)
{
    size_t   bytes = 0;
    uint32_t rows = out->row_count;
    while (engine->stop_at < engine->list_count && bytes < STOP_BYTES &&
           out->row_count - rows < STOP_ROWS) {
        struct hosted *hosted = engine->list[engine->stop_at++];
        if (hosted->phase != PHASE_PLAYED || hosted->quarantined != NULL ||
            hosted->snapshot == hosted->match->number ||
            engine->slots[hosted->slot].state != SLOT_OURS)
            continue;
        engine_touch(engine, hosted);
        engine_fence(engine, hosted, out);
        engine_row_of_snapshot(hosted, out);
        bytes += match_snapshot_bytes(&hosted->setup->terms);
    }
    return bytes > 0;
}

static void stop_step(struct engine *engine, struct outbox *out)
{
    if (!engine->full && !engine->checking && save_all(engine, out)) {
        out->wants_commit = true;
        return;
    }
    outbox_exit(out);
    out->wants_commit = true;
}

/* What the store must say before anything else can go on. */
static void look_after_store(struct engine *engine, struct outbox *out)
{
    if (engine->must_ask_slots && !engine->takes && engine->now_ms >= engine->slots_ms)
        engine_ask_slots(engine, out);
    engine_recover_slots(engine, out);
    engine_seek(engine, out);
    if (engine->full && engine->now_ms >= engine->full_until_ms && !engine->checking &&
        !engine->probing)
        probe_store(engine, out);
}

static bool heavy_thing(struct engine *engine, struct outbox *out)
{
    if (engine->checking)
        return false;
    if (engine->restarts > 0 && !engine->full && engine->now_ms >= engine->marks_ms &&
        engine_clocks_restart(engine, out))
        return true;
    if (engine_tell_waits(engine, out))
        return true;
    if (engine->now_ms < engine->sweep_ms)
        return false;
    bool more = sweep(engine, out);
    if (!more)
        engine->sweep_ms = engine->now_ms + SWEEP_MS;
    return more;
}

static void ask_to_be_woken(const struct engine *engine, bool more, struct outbox *out)
{
    uint64_t at = more || engine->stopping ? engine->now_ms : engine->sweep_ms;
    if (engine->count_ms < at)
        at = engine->count_ms;
    if (engine->must_ask_slots && engine->slots_ms < at)
        at = engine->slots_ms;
    if (engine->full && engine->full_until_ms < at)
        at = engine->full_until_ms;
    outbox_wake(out, at > engine->now_ms ? at : more ? engine->now_ms : engine->now_ms + 1);
}

void engine_on_time(struct engine *engine, struct outbox *out)
{
    bool more = false;
    look_after_store(engine, out);
    if (engine->stopping) {
        stop_step(engine, out);
    } else {
        if (engine->now_ms >= engine->count_ms) {
            engine->count_ms = engine->now_ms + engine->settings.slot_count_ms;
            if (!engine->checking)
                engine_say_slot_counts(engine, out);
        }
        more = heavy_thing(engine, out);
    }
    ask_to_be_woken(engine, more, out);
}
