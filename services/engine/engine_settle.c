/* engine_settle.c: what became of a batch: kept and said, or undone and "again", or nobody knows. Pure. */
#include <string.h>

#include "services/engine/engine_parts.h"

/* After a batch was refused because of one of its rows, this many batches hold one match each. By
 * then everybody who was asked to ask again has done so. */
#define CAREFUL_BATCHES 256u
/* No news says that a store is there again, so whoever asked must not wait twice as long each time. */
#define BUSY_AGAIN_MS 250u

static void say(enum say_level level, const char *sentence, struct outbox *out)
{
    struct text text;
    text_clear(&text);
    text_put(&text, sentence);
    outbox_say(out, level, &text);
}

/* Everybody who asked in the batch, readers too: nothing has happened, ask again. */
static void refuse_askers(struct engine *engine, uint64_t after_ms, const char *sentence,
                          struct outbox *out)
{
    for (uint32_t i = 0; i < engine->asker_count; i++) {
        const struct asker *asker = &engine->askers[i];
        struct event        event = { .kind = EVENT_MESSAGE, .header = asker->header };
        event.caller.door = asker->door;
        event.caller.route = asker->route;
        engine_refuse(engine, &event, REFUSAL(AGAIN), after_ms, sentence, out);
    }
}

static void on_conflict(struct engine *engine, bool was_changed, struct outbox *out)
{
    struct hosted *hosted = engine_table_find(engine, engine->batch_match);
    if (engine->careful > 0 && was_changed && hosted != NULL) {
        engine_table_quarantine(engine, hosted, "the store refuses its rows", out);
        return;
    }
    say(SAY_WARNING, "the store refused a batch for one of its rows; looking for the match", out);
    engine->careful = CAREFUL_BATCHES;
}

static void on_refused(struct engine *engine, enum store_outcome outcome, bool was_changed,
                       struct outbox *out)
{
    switch (outcome) {
    case STORE_OLD_EPOCH:
        engine->checking = true;
        engine->must_ask_slots = true;
        engine->slots_ms = engine->now_ms;
        refuse_askers(engine, 100, "Another engine may hold this match now; ask again.", out);
        break;
    case STORE_FULL:
        if (!engine->full)
            say(SAY_ERROR, "the disk is full: commands are refused until there is room", out);
        engine->full = true;
        engine->full_until_ms = engine->now_ms + engine->settings.full_ms;
        refuse_askers(engine, engine->settings.full_ms,
                      "The server's disk is full, and nothing has happened; ask again later.", out);
        break;
    case STORE_CONFLICT:
        on_conflict(engine, was_changed, out);
        refuse_askers(engine, 0, "The journal did not take it; ask again.", out);
        break;
    default: refuse_askers(engine, BUSY_AGAIN_MS, "The journal was busy; ask again.", out);
    }
}

static void on_kept(struct engine *engine, struct outbox *out)
{
    engine_undo_forget(&engine->undo);
    if (engine->probing) {
        engine->full = false;
        say(SAY_INFO, "there is room on the disk again", out);
    }
    if (engine->careful > 0 && engine->changed)
        engine->careful--;
    engine_slots_settled(engine, true);
}

static void on_not_kept(struct engine *engine, enum store_outcome outcome, struct outbox *out)
{
    bool was_changed = engine->changed;
    bool was_reading = engine->takes;
    engine_undo_all(&engine->undo);
    engine->facts.undone++;
    engine_slots_settled(engine, false);
    engine->stop_at = 0;
    if (outcome == STORE_UNKNOWN) {
        say(SAY_ERROR, "nobody knows whether the last batch is in the journal: reading it anew",
            out);
        engine_slots_forget_all(engine);
        engine_marks_doubt(engine);
        engine->checking = engine->full = false;
        engine->slots_ms = engine->now_ms;
        return;
    }
    /* Reads that this batch asked for were never made. */
    engine_slots_read_again(engine);
    if (was_reading) {
        engine->takes = false;
        engine->must_ask_slots = true;
    }
    on_refused(engine, outcome, was_changed, out);
}

void engine_settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    struct engine *engine = core;
    if (outcome == STORE_COMMITTED)
        on_kept(engine, out);
    else
        on_not_kept(engine, outcome, out);
    engine_undo_forget(&engine->undo);
    if (engine->must_read_again)
        engine_slots_read_later(engine);
    engine_slots_drop_leaving(engine);
    engine_undo_forget(&engine->undo);
    engine_follow_settled(engine, outcome == STORE_COMMITTED, out);
    engine->batch++;
    engine->changed = false;
    engine->probing = false;
    engine->asker_count = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (engine->slots[i].state == SLOT_READING && engine->slots[i].stage == 0)
            outbox_wake(out, engine->slots[i].again_ms > engine->now_ms ? engine->slots[i].again_ms
                                                                        : engine->now_ms);
    if (engine->must_ask_slots)
        outbox_wake(out, engine->slots_ms);
}
