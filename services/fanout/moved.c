/* moved.c: which matches of a slot have moved: asked when counts differ, and answered to other fanouts. */
#include "services/fanout/parts.h"

#include <string.h>

#include "contract/directory.pb-c.h"

/* So many in one answer: about 32 KiB. More only if they all moved at the same count. */
#define MOVED_MAX 512u
#define MOVED_HARD_MAX 1024u
/* So many of a slot's matches, those that moved last, are an engine told at its start: about 30 KiB. */
#define MARKS_MAX 512u

const uint8_t *fanout_last_chain(const struct fanout_match *match)
{
    if (match->has_last_chain)
        return match->last_chain;
    return match->has_chain && match->next == match->last + 1 ? match->chain : NULL;
}

static Arbiter__Stream__Moved *moved_of(const struct fanout_match *match, struct outbox *out)
{
    const uint8_t          *chain = fanout_last_chain(match);
    Arbiter__Stream__Moved *moved = outbox_message(out, &arbiter__stream__moved__descriptor);
    moved->has_match_id = moved->has_number = true;
    moved->match_id.data = outbox_copy(out, match->id, sizeof match->id);
    moved->match_id.len = sizeof match->id;
    moved->number = match->last;
    if (chain != NULL) {
        moved->has_chain = true;
        moved->chain.data = outbox_copy(out, chain, CRYPTO_HASH_SIZE);
        moved->chain.len = CRYPTO_HASH_SIZE;
    }
    return moved;
}

static bool is_marked(const struct fanout *fanout, const struct fanout_slot *slot, uint32_t peer)
{
    return slot->marked == peer && slot->marked_ms == fanout->peers.list[peer].started_ms &&
           slot->marked_epoch == slot->epoch;
}

bool fanout_must_mark(const struct fanout *fanout, uint8_t index)
{
    const struct fanout_slot *slot = &fanout->slots[index];
    uint32_t                  peer = fanout_slot_source(fanout, index, slot->request);
    return fanout_upstream_role(fanout) == ROLE(ENGINE) && slot->newest != NO_MATCH &&
           peer != NO_PEER && !is_marked(fanout, slot, peer);
}

static uint32_t count_marks(const struct fanout *fanout, const struct fanout_slot *slot)
{
    uint32_t count = 0;
    for (uint32_t i = slot->newest; i != NO_MATCH && count < MARKS_MAX;
         i = fanout->matches[i].older)
        count += fanout->matches[i].last > 0;
    return count;
}

/* What we were told of the slot's matches. An engine whose store was set back learns it from this alone. False: there
 * is no room for it in this step. */
static bool put_marks(struct fanout *fanout, const struct fanout_slot *slot,
                      Arbiter__Stream__MovedAsk *ask, struct outbox *out)
{
    uint32_t count = count_marks(fanout, slot);
    if (count > fanout->marks_left) {
        fanout->marks_left = 0;
        return false;
    }
    fanout->marks_left -= count;
    ask->marks = outbox_take(out, count * sizeof ask->marks[0]);
    for (uint32_t i = slot->newest; ask->n_marks < count; i = fanout->matches[i].older)
        if (fanout->matches[i].last > 0)
            ask->marks[ask->n_marks++] = moved_of(&fanout->matches[i], out);
    return true;
}

void fanout_ask_moved(struct fanout *fanout, uint8_t index, uint64_t now_ms, struct outbox *out)
{
    struct fanout_slot *slot = &fanout->slots[index];
    uint32_t            peer = fanout_slot_source(fanout, index, slot->request);
    slot->is_asked = true;
    slot->asked_ms = now_ms;
    slot->request++;
    if (peer == NO_PEER)
        return; /* Asked again when there is somebody. */
    Arbiter__Stream__MovedAsk *ask = outbox_message(out, &arbiter__stream__moved_ask__descriptor);
    ask->has_slot = true;
    ask->slot = index;
    ask->has_count = slot->is_known;
    ask->count = slot->is_known ? slot->count : 0;
    ask->has_epoch = true;
    ask->epoch = slot->epoch;
    slot->is_marking = fanout_must_mark(fanout, index) && put_marks(fanout, slot, ask, out);
    struct header header;
    header_init(&header, KIND(MOVED_ASK), NULL);
    header.slot = index;
    header.request = slot->request;
    bool is_engine = fanout_upstream_role(fanout) == ROLE(ENGINE);
    outbox_send(out, DOOR_PEER, peers_connection(peer, is_engine ? DOOR_REQUESTS : DOOR_HISTORY),
                &header, ask);
    fanout->facts.moved_asked++;
}

/* Where the slot stands, by its owner's own word; `is_new`: the owner's first one. */
static void owner_says(struct fanout *fanout, uint8_t index, uint64_t count, bool is_new,
                       struct outbox *out)
{
    struct fanout_slot *slot = &fanout->slots[index];
    if (is_new && slot->is_known && count < slot->count) {
        struct text text;
        text_clear(&text);
        text_put(&text, "a slot has fewer acts under its new owner than it had: was a backup "
                        "restored? asking for all of slot ");
        text_put_number(&text, index);
        outbox_say(out, SAY_ERROR, &text);
        slot->is_known = slot->is_asked = false;
        slot->run_first = slot->run_last = 0;
        slot->stands = count;
    }
    slot->is_heard = true;
    if (slot->stands < count)
        slot->stands = count;
}

void fanout_on_slot_count(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__SlotCount *said = BODY(Arbiter__Stream__SlotCount, event);
    struct fanout_slot               *slot = &fanout->slots[event->header.slot];
    bool                              is_new_owner = event->header.epoch > slot->epoch;
    if (!fanout_slot_takes(fanout, event) || !slot->is_followed || !said->has_count)
        return;
    owner_says(fanout, event->header.slot, said->count, is_new_owner, out);
    if (!slot->is_known && said->count == 0)
        fanout_slot_known(slot, 0);
    if (fanout_slot_is_level(slot))
        outbox_relay(out, &event->header, event->bytes, event->size);
    else if (!slot->is_asked)
        fanout_ask_moved(fanout, event->header.slot, event->now_ms, out);
}

static void set_next(struct fanout_match *match, uint64_t number, const uint8_t *chain)
{
    match->next = number + 1;
    match->has_chain = chain != NULL;
    if (chain != NULL)
        memcpy(match->chain, chain, sizeof match->chain);
}

void fanout_stands_at(struct fanout_match *match, uint64_t number, uint64_t epoch)
{
    match->last = number;
    match->last_epoch = epoch;
}

/* Its owner has another chain at an act we relayed: what we hold is not what happened. */
static bool is_forked(struct fanout *fanout, const struct fanout_match *match, uint64_t number,
                      const uint8_t *chain)
{
    uint8_t known[CRYPTO_HASH_SIZE];
    return chain != NULL && number < match->next && fanout_chain_at(fanout, match, number, known) &&
           memcmp(known, chain, sizeof known) != 0;
}

/* An owner says nothing that is not kept, and the next one has all of it. So who stands before an act of an owner
 * before him has lost it. Of one and the same owner, a lower number is only late. */
static bool is_set_back(const struct fanout *fanout, const struct fanout_match *match,
                        uint64_t number)
{
    return number < match->last && match->last_epoch < fanout->slots[match->slot].epoch;
}

/* What was held is thrown away, and the match is told from here on as its owner does. */
static void mend(struct fanout *fanout, struct fanout_match *match, uint64_t number,
                 const uint8_t *chain, struct outbox *out)
{
    if (is_set_back(fanout, match, number)) {
        fanout->facts.rollbacks++;
        fanout_say(out, SAY_ERROR, match, number,
                   "this is the new owner's last one, and later ones were published: its store was "
                   "set back. What was held is thrown away");
    } else {
        fanout->facts.forks++;
        fanout_say(out, SAY_ERROR, match, number,
                   "the owner has another chain than was relayed; what was held is thrown away");
    }
    fanout_match_disbelieve(fanout, match);
    set_next(match, number, chain);
    fanout_stands_at(match, number, fanout->slots[match->slot].epoch);
}

void fanout_learn(struct fanout *fanout, struct fanout_match *match, uint64_t number,
                  const uint8_t *chain, uint64_t now_ms, struct outbox *out)
{
    bool     is_stand = chain != NULL; /* By its owner's word, and not one of several acts. */
    uint64_t epoch = is_stand ? fanout->slots[match->slot].epoch : EPOCH_UNKNOWN;
    if (is_forked(fanout, match, number, chain) || (is_stand && is_set_back(fanout, match, number)))
        mend(fanout, match, number, chain, out);
    if (number < match->last)
        return;
    if (number > match->last)
        match->has_last_chain = false;
    fanout_stands_at(match, number, epoch);
    if (chain != NULL) {
        memcpy(match->last_chain, chain, sizeof match->last_chain);
        match->has_last_chain = true;
    }
    if (match->next == 0) {
        set_next(match, number, chain);
        fanout_head_soon(fanout, match, now_ms, 0);
    }
    if (number < match->next)
        return;
    if (fanout_match_is_wanted(fanout, match))
        fanout_fetch(fanout, match, now_ms, out);
    else
        set_next(match, number, chain);
}

/* The match that moved; NULL: it is none, or there is no room for it. */
static struct fanout_match *match_of(struct fanout *fanout, const Arbiter__Stream__Moved *moved,
                                     uint32_t slot)
{
    if (moved->match_id.len != HEADER_MATCH_SIZE || !moved->has_number || moved->number == 0 ||
        (moved->has_chain && moved->chain.len != CRYPTO_HASH_SIZE) ||
        header_slot(moved->match_id.data) != slot)
        return NULL;
    return fanout_match_make(fanout, moved->match_id.data);
}

static void take_moved(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__MovedAnswer *answer = BODY(Arbiter__Stream__MovedAnswer, event);
    for (size_t i = 0; i < answer->n_matches; i++) {
        const Arbiter__Stream__Moved *moved = answer->matches[i];
        struct fanout_match          *match = match_of(fanout, moved, answer->slot);
        if (match == NULL)
            continue;
        fanout_match_moved(fanout, match, answer->count);
        fanout_learn(fanout, match, moved->number, moved->has_chain ? moved->chain.data : NULL,
                     event->now_ms, out);
    }
}

void fanout_on_moved_answer(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__MovedAnswer *answer = BODY(Arbiter__Stream__MovedAnswer, event);
    if (!answer->has_slot || answer->slot != event->header.slot || !answer->has_count) {
        fanout->facts.malformed++;
        return;
    }
    struct fanout_slot *slot = &fanout->slots[answer->slot];
    bool                is_new_owner = event->header.epoch > slot->epoch;
    bool                is_more = answer->has_more && answer->more;
    uint64_t            asked_epoch = slot->epoch;
    if (event->header.epoch != 0 && !fanout_slot_takes(fanout, event))
        return;
    if (event->header.request != slot->request)
        return;
    slot->is_asked = false;
    if (slot->is_marking) {
        slot->marked = peers_of_event(event);
        slot->marked_ms = fanout->peers.list[slot->marked].started_ms;
        slot->marked_epoch = asked_epoch;
    }
    if (!slot->is_followed)
        return;
    /* A fanout answers what it knows, which may be less than the owner has said. */
    if (!is_more && fanout_upstream_role(fanout) == ROLE(ENGINE))
        owner_says(fanout, event->header.slot, answer->count, is_new_owner, out);
    take_moved(fanout, event, out);
    fanout_slot_known(slot, answer->count);
    if (is_more)
        fanout_ask_moved(fanout, event->header.slot, event->now_ms, out);
}

/* The first match of the slot that moved behind `count`, in the order in which they did. */
static uint32_t first_behind(const struct fanout *fanout, const struct fanout_slot *slot,
                             uint64_t count)
{
    uint32_t first = NO_MATCH;
    for (uint32_t i = slot->newest; i != NO_MATCH; i = fanout->matches[i].older) {
        if (fanout->matches[i].slot_count <= count)
            break;
        first = i;
    }
    return first;
}

/* Fills the answer in. It ends where the count changes, so that one may ask again from there. */
static void list_moved(const struct fanout *fanout, const struct fanout_slot *slot, uint64_t count,
                       Arbiter__Stream__MovedAnswer *answer, struct outbox *out)
{
    answer->matches = outbox_take(out, MOVED_HARD_MAX * sizeof answer->matches[0]);
    answer->count = slot->count;
    uint64_t before = count;
    for (uint32_t i = first_behind(fanout, slot, count); i != NO_MATCH;
         i = fanout->matches[i].newer) {
        const struct fanout_match *match = &fanout->matches[i];
        bool is_page_full = answer->n_matches >= MOVED_MAX && match->slot_count != before;
        if (is_page_full || answer->n_matches == MOVED_HARD_MAX) {
            answer->has_more = answer->more = true;
            answer->count = before < slot->count ? before : slot->count;
            return;
        }
        before = match->slot_count;
        if (match->last > 0)
            answer->matches[answer->n_matches++] = moved_of(match, out);
    }
}

void fanout_on_moved_ask(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    const Arbiter__Stream__MovedAsk *ask = BODY(Arbiter__Stream__MovedAsk, event);
    if (!ask->has_slot || ask->slot >= SLOTS) {
        outbox_refuse(out, event, REFUSAL(MALFORMED), "slot: one of 0 to 255");
        return;
    }
    const struct fanout_slot *slot = &fanout->slots[ask->slot];
    if (!slot->is_followed || !slot->is_known) {
        outbox_refuse(out, event, REFUSAL(AGAIN),
                      "this fanout does not know the slot yet: subscribe to it, and ask again");
        return;
    }
    Arbiter__Stream__MovedAnswer *answer =
        outbox_message(out, &arbiter__stream__moved_answer__descriptor);
    answer->has_slot = answer->has_count = true;
    answer->slot = ask->slot;
    list_moved(fanout, slot, ask->has_count ? ask->count : 0, answer, out);
    struct header header = event->header;
    header.kind = KIND(MOVED_ANSWER);
    header.epoch = slot->epoch;
    outbox_send(out, event->caller.door, event->caller.route, &header, answer);
}
