/* engine_slots.c: which slots are ours: taken by raising their epochs, lost to who raised them after us. Pure.
 *
 *     foreign --wanted, epochs read--> taking --committed--> reading --all matches read--> ours
 *                                         ^                                                 |
 *                                         '---- leaving <--- a lease, or the store, says ---'
 *
 * Epochs are read, raised under fences of what was read, and only then the matches are read: nothing of an
 * older owner can come after. */
#include <string.h>

#include "contract/watchdog.pb-c.h"
#include "schema/cells.h"
#include "services/engine/engine_parts.h"

#define TAKE_AGAIN_MS 1000u
#define READ_AGAIN_MS 200u
/* A lease that has said so for this long is meant, though the store's epoch is above it. The engine
 * that raised the epoch died before a watchdog heard of it, and nobody else would ever take the
 * slot. */
#define LEASE_MEANT_MS 2000u
/* Leases are repeated twice a second; behind such a pause they must say so anew. */
#define LEASES_SILENT_MS 1500u
/* A slot's count goes on from here in each epoch, above whatever it was before: so nobody has to keep it. */
#define COUNT_BASE(epoch) ((epoch) << 32)

void engine_ask_slots(struct engine *engine, struct outbox *out)
{
    struct query query = { .tag = engine_read_tag(engine, READ_SLOTS, 0), .table = JOURNAL_SLOTS };
    engine->takes = true;
    engine->must_ask_slots = false;
    engine->slots_ms = engine->now_ms + TAKE_AGAIN_MS;
    outbox_read(out, &query);
}

void engine_on_slots_row(struct engine *engine, const struct row *row)
{
    uint64_t slot = SLOTS;
    uint64_t epoch = 0;
    uint64_t recorded = 0;
    if (cell_number(row, SLOTS_SLOT, &slot) && cell_number(row, SLOTS_EPOCH, &epoch) &&
        slot < SLOTS) {
        engine->slots[slot].stored = epoch;
        if (engine->slots[slot].state == SLOT_FOREIGN) /* Else we know better. */
            engine->slots[slot].recorded =
                cell_number(row, SLOTS_RECORDED, &recorded) ? recorded : 0;
    }
}

/* Who lost a slot takes it again only by a lease that is newer than what it was lost to. An engine
 * that only does not know what became of its last batch has lost the slot to nobody, if the store
 * has the epoch that it found or raised. */
static bool may_take(const struct engine *engine, const struct slot *slot)
{
    if (slot->state != SLOT_FOREIGN || !slot->wanted || engine->stopping)
        return false;
    if (engine->settings.takes_all_slots)
        return !slot->was_ours;
    bool is_said_still = engine->now_ms - engine->leases_ms < LEASES_SILENT_MS;
    if (is_said_still && engine->now_ms - slot->leased_ms >= LEASE_MEANT_MS)
        return true;
    bool is_ours_still =
        slot->lease >= slot->stored || slot->from == slot->stored || slot->raised == slot->stored;
    return slot->lease > slot->stored || (!slot->was_ours && is_ours_still);
}

static void take(struct engine *engine, uint32_t index, struct outbox *out)
{
    struct slot *slot = &engine->slots[index];
    uint64_t     epoch = slot->stored + 1 > slot->lease ? slot->stored + 1 : slot->lease;
    struct row  *row = outbox_row(out, ROW_PUT, JOURNAL_SLOTS, SLOTS_COLUMNS);
    row_number(row, SLOTS_SLOT, index);
    row_number(row, SLOTS_EPOCH, epoch);
    row_number(row, SLOTS_RECORDED, slot->recorded);
    outbox_fence(out, index, slot->stored);
    slot->state = SLOT_TAKING;
    slot->from = slot->stored;
    slot->epoch = slot->raised = epoch;
}

/* The store says who owns what: what we lost goes, what we want is taken. */
void engine_on_slots_read(struct engine *engine, bool failed, struct outbox *out)
{
    bool some = false;
    engine->takes = false;
    if (failed) {
        engine->must_ask_slots = true;
        return;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        bool         is_held = slot->state == SLOT_OURS || slot->state == SLOT_READING;
        if (is_held && slot->stored != slot->epoch)
            slot->state = SLOT_LEAVING;
        else if (may_take(engine, slot)) {
            take(engine, i, out);
            some = true;
        }
    }
    engine->checking = false;
    if (some)
        out->wants_commit = true;
}

void engine_slots_settled(struct engine *engine, bool committed)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        if (slot->state != SLOT_TAKING)
            continue;
        slot->state = committed ? SLOT_READING : SLOT_FOREIGN;
        slot->stage = 0;
        slot->again_ms = 0;
        slot->run++;
        slot->was_ours = slot->was_ours || committed;
        slot->stored = committed ? slot->epoch : slot->stored;
        slot->count = COUNT_BASE(slot->epoch);
        engine->peers.own_epoch[i] = committed ? slot->epoch : 0;
        engine->peers.has_news = true;
        if (!committed)
            slot->epoch = 0;
        engine->must_ask_slots = engine->must_ask_slots || !committed;
    }
}

/* What is dropped here is not undone: the log is emptied after each. */
static void drop_matches(struct engine *engine, struct slot *slot)
{
    engine_unread_forget(engine, (uint32_t) (slot - engine->slots));
    while (slot->newest != NULL) {
        engine_table_drop(engine, slot->newest);
        engine_undo_forget(&engine->undo);
    }
    slot->reading = slot->unasked = NULL;
    slot->asked = slot->stage = 0;
}

void engine_slots_drop_leaving(struct engine *engine)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        if (slot->state != SLOT_LEAVING)
            continue;
        drop_matches(engine, slot);
        slot->state = SLOT_FOREIGN;
        slot->epoch = 0;
        engine->peers.own_epoch[i] = 0;
        engine->peers.has_news = true;
    }
}

/* Late rows of before are not heard. */
static void begin_anew(struct engine *engine, struct slot *slot, uint64_t again_ms)
{
    drop_matches(engine, slot);
    slot->count = COUNT_BASE(slot->epoch);
    slot->must_read_again = false;
    slot->again_ms = again_ms;
    slot->run++;
}

/* The others' matches are read on: a store that fails now and then would else never be read to its end. */
void engine_slots_read_later(struct engine *engine)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        if (slot->must_read_again && slot->state == SLOT_READING)
            begin_anew(engine, slot, engine->now_ms + READ_AGAIN_MS);
        slot->must_read_again = false;
    }
    engine->must_read_again = false;
}

/* What was read in a batch that was not kept is read once more. */
void engine_slots_read_again(struct engine *engine)
{
    bool some = false;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        if (slot->state != SLOT_READING)
            continue;
        begin_anew(engine, slot, 0);
        some = true;
    }
    engine->setup_failed = false;
    engine->wanted_count = engine->wanted_asked = 0;
    engine->must_read_again = false;
    if (!some)
        return;
    engine->run++;
    /* The answer about the slots, if it is awaited, will not be heard either. */
    engine->must_ask_slots = engine->must_ask_slots || engine->takes;
    engine->takes = false;
}

/* Nobody knows what the store has: everything is taken and read anew. */
void engine_slots_forget_all(struct engine *engine)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &engine->slots[i];
        drop_matches(engine, slot);
        slot->state = SLOT_FOREIGN;
        slot->was_ours = false;
        slot->must_read_again = false;
        slot->epoch = 0;
        engine->peers.own_epoch[i] = 0;
        engine->peers.has_news = true;
    }
    engine->run++;
    engine->wanted_count = engine->wanted_asked = 0;
    engine->takes = engine->setup_failed = false;
    engine->must_ask_slots = true;
}

static void on_lease(struct engine *engine, const Arbiter__Watchdog__Lease *lease)
{
    bool ours = lease->engine != NULL &&
                text_is(lease->engine, text_length(lease->engine), engine->settings.peers.name);
    for (uint32_t i = lease->first; i <= lease->last; i++) {
        struct slot *slot = &engine->slots[i];
        if (slot->wanted != ours || slot->lease != lease->epoch)
            slot->leased_ms = engine->now_ms;
        slot->wanted = ours;
        slot->lease = lease->epoch;
        bool is_held = slot->state == SLOT_OURS || slot->state == SLOT_READING;
        if (!ours && is_held && lease->engine != NULL && lease->epoch > slot->epoch)
            slot->state = SLOT_LEAVING;
        if (may_take(engine, slot))
            engine->must_ask_slots = true;
    }
}

/* A silent watchdog takes nothing from anybody: what is nobody's by the leases stays where it is. */
void engine_on_leases(struct engine *engine, const struct event *event)
{
    const Arbiter__Watchdog__Leases *leases = BODY(Arbiter__Watchdog__Leases, event);
    if (engine->settings.takes_all_slots)
        return;
    /* An engine that slept remembers old leases, and others may have its slots. So it waits for
     * what is said now. */
    for (uint32_t i = 0; i < SLOTS && engine->now_ms - engine->leases_ms >= LEASES_SILENT_MS; i++)
        engine->slots[i].leased_ms = engine->now_ms;
    engine->leases_ms = engine->now_ms;
    for (size_t i = 0; i < leases->n_leases; i++)
        if (leases->leases[i]->first <= leases->leases[i]->last && leases->leases[i]->last < SLOTS)
            on_lease(engine, leases->leases[i]);
}
