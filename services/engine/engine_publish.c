/* engine_publish.c: an act becomes a row, a frame, the newest of its slot; and how slots stand. Pure. */
#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/stream.pb-c.h"
#include "services/engine/engine_parts.h"

/* So many matches in one answer about a slot: each takes at most 76 bytes of the 64 KiB of a message. */
#define MOVED_MAX 500u

void engine_act_begin(struct engine *engine, struct hosted *hosted)
{
    const uint8_t *dice = is_hosted_dice(hosted) ? hosted->dice_secret : NULL;
    engine_touch(engine, hosted);
    engine->heard = NULL;
    match_room_init(&engine->room, &hosted->setup->terms, engine->room_memory);
    memcpy(engine->chain_before, hosted->match->chain, sizeof engine->chain_before);
    engine->room.last.bytes = engine->secrets;
    engine->room.last.size = house_secrets(engine->secrets, hosted->match->secret, dice);
}

static ProtobufCBinaryData bytes_of(const void *bytes, size_t size, struct outbox *out)
{
    return (ProtobufCBinaryData){ size, outbox_copy(out, bytes, size) };
}

static void publish_act(const struct engine *engine, const struct hosted *hosted,
                        const struct match_act *act, struct outbox *out)
{
    Arbiter__Stream__Act *frame = outbox_message(out, &arbiter__stream__act__descriptor);
    const struct row     *row = out->rows[out->row_count - 1]; /* The act's own. */
    struct header         header;
    frame->has_number = frame->has_epoch = frame->has_slot_count = frame->has_actor = true;
    frame->number = act->number;
    frame->epoch = hosted->match->epoch;
    frame->slot_count = hosted->slot_count;
    frame->actor = act->actor;
    frame->has_chain_before = frame->has_command_hash = frame->has_body = true;
    frame->chain_before = bytes_of(engine->chain_before, MATCH_HASH_SIZE, out);
    frame->command_hash = (ProtobufCBinaryData){ row->cells[ACTS_COMMAND_HASH].size,
                                                 (uint8_t *) row->cells[ACTS_COMMAND_HASH].bytes };
    frame->body = (ProtobufCBinaryData){ row->cells[ACTS_BODY].size,
                                         (uint8_t *) row->cells[ACTS_BODY].bytes };
    header_init(&header, KIND(ACT), hosted->id);
    header.version = (uint8_t) hosted->protocol;
    header.epoch = hosted->match->epoch;
    header.number = act->number;
    outbox_publish(out, &header, frame);
}

void engine_act_done(struct engine *engine, struct hosted *hosted, const struct match_act *act,
                     const struct header *asked, struct outbox *out)
{
    engine_fence(engine, hosted, out);
    engine_table_moved(engine, hosted);
    if (asked != NULL && asked->session != 0) {
        hosted->is_moved = true;
        hosted->moved_ms = engine->now_ms;
    }
    engine_follow_later(engine, hosted);
    engine_row_of_act(engine, hosted, act, asked, out);
    publish_act(engine, hosted, act, out);
    engine_record_act(engine, hosted, act, out);
    if (hosted->phase == PHASE_PLAYED && match_to_act(hosted->match) == 0)
        engine_match_is_over(engine, hosted, out);
    else if (hosted->phase != PHASE_DICE &&
             act->number - hosted->snapshot >= engine->settings.snapshot_acts)
        engine_row_of_snapshot(hosted, out);
    engine_clock_follow(engine, hosted, out);
}

void engine_act_say(struct engine *engine, struct hosted *hosted, const struct house_said *said,
                    const struct header *asked, struct outbox *out)
{
    struct match_act act;
    engine_act_begin(engine, hosted);
    if (!hosted->aborted)
        engine->room.last.size = 0;
    match_say(hosted->match, said->bytes, said->size, &engine->room, &act);
    engine_act_done(engine, hosted, &act, asked, out);
}

/* The small frames from which everything missing is found. They are fenced, too: who lost a slot must
 * not say how it stands. A slot whose matches have all vanished says its new epoch, so that relays
 * tell what they know. */
void engine_say_slot_counts(struct engine *engine, struct outbox *out)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        const struct slot *slot = &engine->slots[i];
        struct header      header;
        bool               is_awaiting = engine->now_ms < slot->marks_ms;
        if (slot->state != SLOT_OURS || (slot->matches == 0 && !is_awaiting))
            continue;
        Arbiter__Stream__SlotCount *count =
            outbox_message(out, &arbiter__stream__slot_count__descriptor);
        count->has_count = true;
        count->count = slot->count;
        header_init(&header, KIND(SLOT_COUNT), NULL);
        header.slot = (uint8_t) i;
        header.epoch = slot->epoch;
        outbox_fence(out, i, slot->epoch);
        outbox_publish(out, &header, count);
    }
}

static Arbiter__Stream__Moved *moved_of(const struct hosted *hosted, struct outbox *out)
{
    Arbiter__Stream__Moved *moved = outbox_message(out, &arbiter__stream__moved__descriptor);
    moved->has_match_id = moved->has_number = moved->has_chain = true;
    moved->match_id = bytes_of(hosted->id, MATCH_ID_SIZE, out);
    moved->number = hosted->match->number;
    moved->chain = bytes_of(hosted->match->chain, MATCH_HASH_SIZE, out);
    return moved;
}

/* The first match that moved after `count`, in the order in which they moved. */
static const struct hosted *first_moved(const struct slot *slot, uint64_t count)
{
    const struct hosted *hosted = slot->newest;
    while (hosted != NULL && hosted->slot_count > count && hosted->older != NULL &&
           hosted->older->slot_count > count)
        hosted = hosted->older;
    return hosted != NULL && hosted->slot_count > count ? hosted : NULL;
}

void engine_on_moved_ask(struct engine *engine, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__MovedAsk *ask = BODY(Arbiter__Stream__MovedAsk, event);
    struct event                     about = *event;
    about.header.slot = (uint8_t) ask->slot;
    if (!engine_is_from(engine, event, ROLE(FANOUT)) || ask->slot >= SLOTS ||
        !engine_is_slot_here(engine, &about, out))
        return;
    const struct slot *slot = &engine->slots[ask->slot];
    engine_on_marks(engine, event, out);
    if (slot->state != SLOT_OURS) {
        engine_refuse(engine, &about, REFUSAL(AGAIN), 100, "The slot is taken anew; ask again.",
                      out);
        return;
    }
    Arbiter__Stream__MovedAnswer *answer =
        outbox_message(out, &arbiter__stream__moved_answer__descriptor);
    answer->has_slot = answer->has_count = answer->has_more = true;
    answer->slot = ask->slot;
    answer->count = slot->count;
    answer->matches = outbox_take(out, MOVED_MAX * sizeof *answer->matches);
    /* A count that this epoch never had says nothing: then all of them have moved. */
    const struct hosted *at = first_moved(slot, ask->count <= slot->count ? ask->count : 0);
    for (; at != NULL && answer->n_matches < MOVED_MAX; at = at->newer) {
        if (at->match == NULL || at->held_to > 0)
            continue; /* Of a match that is held nobody is told where it stands. */
        answer->matches[answer->n_matches++] = moved_of(at, out);
        answer->count = at->newer != NULL ? at->slot_count : slot->count;
    }
    answer->more = at != NULL;
    engine_answer(engine, &about, KIND(MOVED_ANSWER), 0, answer, out);
}
