/* engine_marks.c: what others were told of our matches, compared with what the journal has. Pure.
 *
 * Nobody is told of an act that is not kept. So a relay that was told act 749 of a match, or another chain, proves
 * that a journal with 733 acts was set back: an older copy, a log cut short, a standby that lacked the last
 * commits. Such a match is held. It is not played on as if the lost acts had never been, until the operator says
 * that they are given up, or that the match is to end. */
#include <string.h>

#include "contract/stream.pb-c.h"
#include "schema/cells.h"
#include "services/engine/engine_parts.h"

#define SEEK_AGAIN_MS 2000u
/* Slots of an engine that fell together with its server come within this time. */
#define DOUBT_MS 60000u

/* What the players read; the log names numbers and remedy. */
static const char set_back[] = "others were told later acts of it: the store was set back";
static const char vanished[] = "others were told acts of it, and it is not there: the store was "
                               "set back; \"arbiter match abort\" ends its table";

static void say_held(const struct hosted *hosted, const char *who, struct outbox *out)
{
    struct text text;
    text_clear(&text);
    text_put(&text, "match ");
    engine_put_id(&text, hosted->id);
    text_put(&text, " is held at act ");
    text_put_number(&text, (int64_t) hosted->match->number);
    text_put(&text, ": ");
    text_put(&text, who);
    text_put(&text, " was told act ");
    text_put_number(&text, (int64_t) hosted->held_to);
    text_put(&text, ", so the store was set back; \"arbiter match accept ID\" goes on without the "
                    "lost acts, \"arbiter match abort ID\" ends it");
    outbox_say(out, SAY_ERROR, &text);
}

/* Whether this match has lost something: its number, or its chain, is not the one that was told. */
static bool has_lost(const struct hosted *hosted, uint64_t number, const uint8_t *chain)
{
    const struct match *match = hosted->match;
    if (number <= hosted->given_up || number < match->number)
        return false;
    return number > match->number ||
           (chain != NULL && memcmp(chain, match->chain, sizeof match->chain) != 0);
}

static void hold(struct engine *engine, struct hosted *hosted, uint64_t number, const char *who,
                 struct outbox *out)
{
    if (hosted->quarantined != NULL && (hosted->held_to == 0 || hosted->held_to >= number))
        return;
    engine_touch(engine, hosted);
    hosted->held_to = number;
    if (hosted->quarantined == NULL)
        engine_held(engine, hosted, set_back);
    say_held(hosted, who, out);
}

/* It is over and was forgotten, or it vanished: the journal's headers say which. */
static void look_for(struct engine *engine, const uint8_t *id)
{
    for (uint32_t i = 0; i < engine->sought_count; i++)
        if (memcmp(engine->sought[i], id, MATCH_ID_SIZE) == 0)
            return;
    if (engine->sought_count < SOUGHT_MAX && !engine_unread_is_known(engine, id))
        memcpy(engine->sought[engine->sought_count++], id, MATCH_ID_SIZE);
}

/* One after the other. An answer that does not come, because its batch was not kept, is asked for again. */
void engine_seek(struct engine *engine, struct outbox *out)
{
    struct query query;
    if (engine->sought_count == 0 || engine->now_ms < engine->sought_ms)
        return;
    engine->sought_ms = engine->now_ms + SEEK_AGAIN_MS;
    engine->sought_number = (engine->sought_number + 1) % SLOTS;
    engine->sought_found = false;
    journal_ask_row(&query, engine_read_tag(engine, READ_SOUGHT, engine->sought_number),
                    JOURNAL_MATCHES, outbox_copy(out, engine->sought[0], MATCH_ID_SIZE));
    outbox_read(out, &query);
}

void engine_sought_done(struct engine *engine, const struct event *event, struct outbox *out)
{
    uint8_t id[MATCH_ID_SIZE];
    if ((event->tag & 0xffff) != engine->sought_number || engine->sought_count == 0)
        return;
    memcpy(id, engine->sought[0], sizeof id);
    bool is_gone = event->failed == 0 && !engine->sought_found;
    engine->sought_ms = 0;
    if (event->failed != 0)
        return;
    engine->sought_count--;
    memmove(engine->sought[0], engine->sought[1], engine->sought_count * sizeof engine->sought[0]);
    if (is_gone && engine_table_find(engine, id) == NULL)
        engine_unread_add(engine, id, vanished, false, out);
    engine_seek(engine, out);
}

void engine_mark_heard(struct engine *engine, const uint8_t *id, uint64_t number,
                       const uint8_t *chain, const char *who, struct outbox *out)
{
    struct hosted *hosted = engine_table_find(engine, id);
    if (hosted == NULL)
        look_for(engine, id);
    else if (hosted->match != NULL && hosted->phase != PHASE_OVER &&
             has_lost(hosted, number, chain))
        hold(engine, hosted, number, who, out);
}

void engine_mark_doubted(struct engine *engine, struct hosted *hosted, uint64_t number,
                         const uint8_t *chain, struct outbox *out)
{
    struct text text;
    if (hosted->is_doubted || hosted->match == NULL || !has_lost(hosted, number, chain))
        return;
    engine_touch(engine, hosted);
    hosted->is_doubted = true;
    text_clear(&text);
    text_put(&text, "match ");
    engine_put_id(&text, hosted->id);
    text_put(&text, " stands at act ");
    text_put_number(&text, (int64_t) hosted->match->number);
    text_put(&text, ", and a player says that he was told act ");
    text_put_number(&text, (int64_t) number);
    text_put(&text,
             "; it goes on, for that may be a lie: if several say so, its store was set back");
    outbox_say(out, SAY_WARNING, &text);
}

/* Relays count a slot by the epochs and acts they were told. More than the journal has of its own epoch: it had this
 * epoch before, and begins a new one that nobody has heard of. */
static bool was_counted_further(const struct slot *slot, const Arbiter__Stream__MovedAsk *ask)
{
    return ask->epoch > slot->epoch || (ask->epoch == slot->epoch && ask->count > slot->count);
}

static void take_anew(struct engine *engine, struct slot *slot, uint64_t epoch, struct outbox *out)
{
    struct text text;
    text_clear(&text);
    text_put(&text, "relays know epoch ");
    text_put_number(&text, (int64_t) epoch);
    text_put(&text, " of slot ");
    text_put_number(&text, slot - engine->slots);
    text_put(&text, " further than the journal: the store was set back; the slot is taken anew "
                    "above it");
    outbox_say(out, SAY_ERROR, &text);
    slot->lease = epoch + 1;
    slot->state = SLOT_LEAVING;
    slot->was_ours = false;
    engine->must_ask_slots = true;
    engine->marks_ms = engine->now_ms + engine->settings.marks_ms; /* They are said once more. */
    out->wants_commit = true;
}

void engine_marks_doubt(struct engine *engine)
{
    engine->doubt_ms = engine->now_ms + DOUBT_MS;
}

void engine_marks_await(struct engine *engine, struct slot *slot, struct outbox *out)
{
    bool is_doubted = !engine->settings.takes_all_slots && engine->now_ms < engine->doubt_ms;
    memset(slot->marked, 0, sizeof slot->marked);
    slot->marks_ms = is_doubted ? engine->now_ms + engine->settings.marks_ms : 0;
    if (is_doubted)
        outbox_wake(out, slot->marks_ms);
}

/* A relay that follows a slot asks what moved as soon as it is taken. So nobody waits for a second where all relays
 * have asked. */
static void note_marked(const struct engine *engine, struct slot *slot, const struct caller *relay)
{
    bool is_awaited = false;
    if (slot->state != SLOT_OURS || slot->marks_ms == 0)
        return;
    for (uint32_t i = 0; i < PEERS_MAX; i++) {
        const struct peer *peer = &engine->peers.list[i];
        bool               is_relay = peer->role == ROLE(FANOUT);
        if (is_relay && memcmp(peer->key, relay->key, sizeof peer->key) == 0)
            slot->marked[i / 8] |= (uint8_t) (1u << i % 8);
        is_awaited =
            is_awaited || (is_relay && ((uint32_t) slot->marked[i / 8] >> i % 8 & 1u) == 0);
    }
    if (!is_awaited)
        slot->marks_ms = 0;
}

void engine_on_marks(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__MovedAsk *ask = BODY(Arbiter__Stream__MovedAsk, event);
    struct slot                     *slot = &engine->slots[ask->slot];
    for (size_t i = 0; i < ask->n_marks; i++) {
        const Arbiter__Stream__Moved *mark = ask->marks[i];
        if (mark->match_id.len == MATCH_ID_SIZE && mark->has_number &&
            header_slot(mark->match_id.data) == ask->slot)
            engine_mark_heard(engine, mark->match_id.data, mark->number,
                              mark->chain.len == MATCH_HASH_SIZE ? mark->chain.data : NULL,
                              "a relay", out);
    }
    engine_seek(engine, out);
    note_marked(engine, slot, &event->caller);
    /* With leases, a higher epoch is another engine's. */
    if ((engine->settings.takes_all_slots || ask->epoch == slot->epoch) &&
        was_counted_further(slot, ask))
        take_anew(engine, slot, ask->epoch, out);
}

static uint64_t heard_ms(const struct engine *engine, uint32_t slot)
{
    uint64_t of_slot = engine->slots[slot].marks_ms;
    return of_slot > engine->marks_ms ? of_slot : engine->marks_ms;
}

bool engine_marks_are_heard(const struct engine *engine, uint32_t slot)
{
    return engine->now_ms >= heard_ms(engine, slot);
}

/* A slot that was never used has lost nothing. */
bool engine_awaits_marks(const struct engine *engine, uint32_t slot)
{
    return !engine_marks_are_heard(engine, slot) && engine->slots[slot].from > 0;
}

void engine_refuse_early(const struct engine *engine, const struct event *event, struct outbox *out)
{
    uint64_t until_ms = heard_ms(engine, event->header.slot);
    engine_refuse(engine, event, REFUSAL(AGAIN),
                  until_ms > engine->now_ms ? until_ms - engine->now_ms : 0,
                  "The engine has just begun, and compares what it read with what others know; ask "
                  "again.",
                  out);
}

bool engine_may_go_on(const struct engine *engine, const struct hosted *hosted,
                      const struct event *event, struct outbox *out)
{
    if (!hosted->is_recovered || engine_marks_are_heard(engine, hosted->slot))
        return true;
    engine_refuse_early(engine, event, out);
    return false;
}

static void say_released(const struct hosted *hosted, struct outbox *out)
{
    struct text text;
    text_clear(&text);
    text_put(&text, "match ");
    engine_put_id(&text, hosted->id);
    text_put(&text, " is released at act ");
    text_put_number(&text, (int64_t) hosted->match->number);
    text_put(&text, " by the operator: acts up to ");
    text_put_number(&text, (int64_t) hosted->held_to);
    text_put(&text, " are given up");
    outbox_say(out, SAY_WARNING, &text);
}

void engine_release(struct engine *engine, struct hosted *hosted, struct outbox *out)
{
    engine_touch(engine, hosted);
    engine_fence(engine, hosted, out);
    say_released(hosted, out);
    hosted->given_up = hosted->held_to;
    hosted->held_to = 0;
    engine_held(engine, hosted, NULL);
    engine_row_of_match(hosted, JOURNAL_LIVE, out);
    engine_table_moved(engine, hosted);
    engine_clock_recovered(engine, hosted);
}
