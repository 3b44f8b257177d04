/* slots.c: which slots a fanout follows, whose they are, and whether it knows of all their acts. */
#include "services/fanout/parts.h"

#include <string.h>

#include "contract/directory.pb-c.h"

/* New connections that are told in one step what is listened to: up to 256 topics each. */
#define TOLD_MAX 2u

void fanout_slots_init(struct fanout *fanout)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        fanout->slots[i].source = NO_PEER;
        fanout->slots[i].newest = fanout->slots[i].oldest = NO_MATCH;
        fanout->slots[i].idle_ms = HAS_READERS;
    }
}

uint32_t fanout_upstream_role(const struct fanout *fanout)
{
    return fanout->settings.peers.upstream[0] != '\0' ? ROLE(FANOUT) : ROLE(ENGINE);
}

/* The fanout listens to every engine for every slot that it follows. The owner may change faster
 * than the directory says so, and an engine that does not own a slot does not publish in it. */
static void tell_all(struct fanout *fanout, uint8_t slot, struct outbox *out)
{
    for (uint32_t i = 0; i < PEERS_MAX; i++) {
        if (fanout->peers.list[i].role != fanout_upstream_role(fanout))
            continue;
        uint64_t connection = peers_connection(i, DOOR_STREAM);
        if (fanout->slots[slot].is_followed)
            outbox_listen(out, connection, &slot, sizeof slot);
        else
            outbox_unlisten(out, connection, &slot, sizeof slot);
    }
}

static void listen(const struct fanout *fanout, uint32_t peer, struct outbox *out)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        uint8_t topic = (uint8_t) slot;
        if (fanout->slots[slot].is_followed)
            outbox_listen(out, peers_connection(peer, DOOR_STREAM), &topic, sizeof topic);
    }
}

bool fanout_listen_again(struct fanout *fanout, struct outbox *out, uint32_t first_effect)
{
    uint32_t end = out->effect_count, told = 0;
    for (uint32_t i = first_effect; i < end; i++)
        if (out->effects[i].kind == EFFECT_CONNECT && out->effects[i].door == DOOR_STREAM) {
            fanout->must_listen[out->effects[i].route / PEERS_DOORS] = true;
            fanout->has_new_peers = true;
        }
    for (uint32_t i = 0; fanout->has_new_peers && i < PEERS_MAX; i++) {
        if (!fanout->must_listen[i])
            continue;
        if (told == TOLD_MAX)
            return true;
        fanout->must_listen[i] = false;
        if (fanout->peers.list[i].role == fanout_upstream_role(fanout)) {
            listen(fanout, i, out);
            told++;
        }
    }
    fanout->has_new_peers = false;
    return false;
}

static void follow(struct fanout *fanout, uint8_t index, struct outbox *out)
{
    struct fanout_slot *slot = &fanout->slots[index];
    if (slot->is_followed)
        return;
    slot->is_followed = true;
    slot->is_heard = slot->is_asked = false;
    fanout->facts.slots++;
    tell_all(fanout, index, out);
}

static void leave(struct fanout *fanout, uint8_t index, struct outbox *out)
{
    fanout->slots[index].is_followed = false;
    fanout->slots[index].idle_ms = HAS_READERS;
    fanout->facts.slots--;
    tell_all(fanout, index, out);
}

static void on_whole_slot(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    uint8_t index = event->bytes[0];
    bool    is_there = event->kind == EVENT_READER;
    fanout->slots[index].is_whole = is_there;
    if (!is_there)
        return;
    follow(fanout, index, out);
    for (uint32_t i = fanout->slots[index].newest; i != NO_MATCH; i = fanout->matches[i].older)
        fanout_head_soon(fanout, &fanout->matches[i], event->now_ms, HEAD_FIRST_MS);
}

static void on_match(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    static const uint8_t none[HEADER_MATCH_SIZE];
    const uint8_t       *id = event->bytes + 1;
    if (memcmp(id, none, sizeof none) == 0 || header_slot(id) != event->bytes[0])
        return;
    if (event->kind == EVENT_READER_GONE) {
        struct fanout_match *match = fanout_match_find(fanout, id);
        if (match != NULL)
            fanout_match_read(fanout, match, false);
        return;
    }
    follow(fanout, event->bytes[0], out);
    struct fanout_match *match = fanout_match_make(fanout, id);
    if (match == NULL)
        return; /* The reader gets what comes live; for the rest it must ask. */
    fanout_match_read(fanout, match, true);
    fanout_head_soon(fanout, match, event->now_ms, 0);
    fanout_fetch(fanout, match, event->now_ms, out);
}

void fanout_on_reader(struct fanout *fanout, const struct event *event, struct outbox *out)
{
    if (event->size == 1)
        on_whole_slot(fanout, event, out);
    if (event->size == TOPIC_SIZE)
        on_match(fanout, event, out);
}

bool fanout_slot_is_level(const struct fanout_slot *slot)
{
    return slot->is_followed && slot->is_heard && slot->is_known && slot->count >= slot->stands;
}

bool fanout_slot_takes(struct fanout *fanout, const struct event *event)
{
    struct fanout_slot *slot = &fanout->slots[event->header.slot];
    uint64_t            epoch = event->header.epoch;
    if (epoch < slot->epoch) {
        fanout->facts.old_epochs++;
        return false;
    }
    if (epoch > slot->epoch)
        slot->is_heard = false; /* What the owner before said of where the slot stands is old. */
    if (epoch > slot->epoch || slot->source == NO_PEER)
        slot->source = peers_of_event(event);
    slot->epoch = epoch;
    return true;
}

void fanout_slot_known(struct fanout_slot *slot, uint64_t count)
{
    if (!slot->is_known || count > slot->count)
        slot->count = count;
    slot->is_known = true;
    if (slot->run_last != 0 && slot->run_first <= slot->count + 1) {
        if (slot->run_last > slot->count)
            slot->count = slot->run_last;
        slot->run_first = slot->run_last = 0;
    }
    if (slot->stands < slot->count)
        slot->stands = slot->count;
}

void fanout_slot_counted(struct fanout *fanout, uint8_t index, uint64_t count, uint64_t now_ms,
                         struct outbox *out)
{
    struct fanout_slot *slot = &fanout->slots[index];
    if (slot->is_known && count <= slot->count)
        return;
    if (slot->is_known && count == slot->count + 1) {
        fanout_slot_known(slot, count);
        return;
    }
    /* Others are missing before it. It is remembered as part of a run. So under steady load the
     * answer with the missing acts meets those that came while it was on its way. */
    if (slot->run_last != 0 && count == slot->run_last + 1)
        slot->run_last = count;
    else if (count > slot->run_last)
        slot->run_first = slot->run_last = count;
    if (slot->stands < count)
        slot->stands = count;
    if (!slot->is_asked)
        fanout_ask_moved(fanout, index, now_ms, out);
}

static bool is_upstream(const struct fanout *fanout, uint32_t peer)
{
    return peer < PEERS_MAX && fanout->peers.list[peer].role == fanout_upstream_role(fanout);
}

uint32_t fanout_slot_source(const struct fanout *fanout, uint8_t slot, uint32_t attempt)
{
    uint32_t heard = fanout->slots[slot].source;
    uint32_t told = peers_engine_of(&fanout->peers, slot);
    uint32_t first = attempt % 2 == 0 ? heard : told;
    uint32_t second = attempt % 2 == 0 ? told : heard;
    if (is_upstream(fanout, first))
        return first;
    if (is_upstream(fanout, second))
        return second;
    uint32_t any = peers_next(&fanout->peers, fanout_upstream_role(fanout), NO_PEER);
    for (uint32_t i = 0; any != NO_PEER && i < attempt % 8; i++) {
        uint32_t next = peers_next(&fanout->peers, fanout_upstream_role(fanout), any);
        any = next == NO_PEER ? any : next;
    }
    return any;
}

static void look_after(struct fanout *fanout, uint8_t index, uint64_t now_ms, struct outbox *out)
{
    struct fanout_slot *slot = &fanout->slots[index];
    bool is_late = slot->is_asked && now_ms - slot->asked_ms >= fanout->settings.ask_again_ms;
    bool is_free = !slot->is_asked || is_late;
    /* Nobody reads its matches any more, and still what was told of them must not be lost. */
    bool must_mark = fanout->marks_left > 0 && fanout_must_mark(fanout, index);
    if (!slot->is_followed && is_free && must_mark)
        fanout_ask_moved(fanout, index, now_ms, out);
    if (!slot->is_followed)
        return;
    bool must_ask =
        !slot->is_asked && (must_mark || (slot->is_heard && !fanout_slot_is_level(slot)));
    if (is_late || must_ask)
        fanout_ask_moved(fanout, index, now_ms, out);
    if (slot->readers > 0 || slot->is_whole)
        slot->idle_ms = HAS_READERS;
    else if (slot->idle_ms == HAS_READERS)
        slot->idle_ms = now_ms;
    else if (now_ms - slot->idle_ms >= fanout->settings.idle_ms)
        leave(fanout, index, out);
}

void fanout_look_after_slots(struct fanout *fanout, uint64_t now_ms, struct outbox *out)
{
    fanout->facts.level = 0;
    fanout->facts.behind_ms = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct fanout_slot *slot = &fanout->slots[i];
        look_after(fanout, (uint8_t) i, now_ms, out);
        bool is_level = fanout_slot_is_level(slot);
        fanout->facts.level += is_level;
        if (is_level || !slot->is_followed)
            slot->level_ms = now_ms;
        else if (now_ms - slot->level_ms > fanout->facts.behind_ms)
            fanout->facts.behind_ms = now_ms - slot->level_ms;
    }
}
