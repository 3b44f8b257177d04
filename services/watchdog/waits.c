/* waits.c: whose time runs out when, as the engines say, and Expire when it has. */
#include <string.h>

#include "services/watchdog/watchdog_parts.h"

/* So many Expires in one step. */
#define EXPIRES_STEP_MAX 512u
/* The longest pause between two Expires of one wait. */
#define AGAIN_MAX_MS 10000u
/* A longer wait is taken for one of this length: 8,900 years. */
#define LEFT_MAX_MS (UINT64_C(1) << 48)

void watchdog_waits_init(struct watchdog *watchdog)
{
    uint32_t max = watchdog->settings.waits_max;
    for (uint32_t i = 0; i < max; i++) {
        watchdog->buckets[i] = NO_WAIT;
        watchdog->waits[i].next = i + 1 < max ? i + 1 : NO_WAIT;
    }
    watchdog->free_wait = 0;
}

static uint32_t *bucket_of(struct watchdog *watchdog, const uint8_t *id)
{
    uint64_t mixed;
    memcpy(&mixed, id + 4, sizeof mixed);
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    return &watchdog->buckets[(mixed >> 32) % watchdog->settings.waits_max];
}

static uint32_t find(struct watchdog *watchdog, const uint8_t *id)
{
    uint32_t index = *bucket_of(watchdog, id);
    while (index != NO_WAIT && memcmp(watchdog->waits[index].id, id, HEADER_MATCH_SIZE) != 0)
        index = watchdog->waits[index].next;
    return index;
}

static void tell_if_full(struct watchdog *watchdog, bool is_full, struct outbox *out)
{
    if (watchdog->is_full == is_full)
        return;
    watchdog->is_full = is_full;
    watchdog_alert_waits_full(out, !is_full);
}

/* A place for a match's deadline; NO_WAIT: the engine's repeating will bring it again. */
static uint32_t make(struct watchdog *watchdog, const uint8_t *id, struct outbox *out)
{
    uint32_t index = watchdog->free_wait;
    if (index == NO_WAIT) {
        watchdog->facts.dropped++;
        tell_if_full(watchdog, true, out);
        outbox_full(out, BOUND_WAITS);
        return NO_WAIT;
    }
    struct watchdog_wait *wait = &watchdog->waits[index];
    uint32_t             *bucket = bucket_of(watchdog, id);
    watchdog->free_wait = wait->next;
    memset(wait, 0, sizeof *wait);
    memcpy(wait->id, id, sizeof wait->id);
    wait->is_used = true;
    wait->next = *bucket;
    *bucket = index;
    watchdog->facts.waits++;
    return index;
}

static void drop(struct watchdog *watchdog, uint32_t index, struct outbox *out)
{
    struct watchdog_wait *wait = &watchdog->waits[index];
    uint32_t             *link = bucket_of(watchdog, wait->id);
    while (*link != index)
        link = &watchdog->waits[*link].next;
    *link = wait->next;
    wheel_clear(watchdog->wheel, index);
    wait->is_used = false;
    wait->next = watchdog->free_wait;
    watchdog->free_wait = index;
    watchdog->facts.waits--;
    tell_if_full(watchdog, false, out);
}

/* Seats as bits; what is no seat of any game is left out. */
static uint32_t seats_of(const Arbiter__Watchdog__Wait *said)
{
    uint32_t seats = 0;
    for (size_t i = 0; i < said->n_seats; i++)
        if (said->seats[i] < 32)
            seats |= 1u << said->seats[i];
    return seats;
}

/* Of two tellings of one wait the one with the nearer end is right. What is left is counted from
 * its arrival, and the telling may have been long on its way. A later owner's word replaces
 * everything. */
static void take_wait(struct watchdog *watchdog, uint32_t index, uint32_t peer,
                      const Arbiter__Watchdog__Wait *said)
{
    struct watchdog_wait *wait = &watchdog->waits[index];
    uint64_t              left_ms = said->left_ms < LEFT_MAX_MS ? said->left_ms : LEFT_MAX_MS;
    uint64_t              due_ms = watchdog->now_ms + left_ms;
    uint64_t              epoch = said->has_epoch ? said->epoch : 0;
    bool                  is_same = wait->wait == said->wait && wait->epoch == epoch;
    wait->peer = peer;
    wait->mark = watchdog->mark;
    wait->seats = seats_of(said);
    if (is_same && wait->tries > 0)
        return; /* It has run out; Expire is repeated at a pace of its own. */
    if (is_same && wheel_is_set(watchdog->wheel, index) &&
        wheel_due(watchdog->wheel, index) <= due_ms)
        return;
    wait->wait = said->wait;
    wait->epoch = epoch;
    wait->tries = 0;
    wheel_set(watchdog->wheel, index, due_ms);
}

static void on_wait(struct watchdog *watchdog, uint32_t peer, const Arbiter__Watchdog__Wait *said,
                    struct outbox *out)
{
    if (said->match_id.len != HEADER_MATCH_SIZE || !said->has_wait)
        return;
    uint64_t  epoch = said->has_epoch ? said->epoch : 0;
    uint64_t *highest = &watchdog->epochs[header_slot(said->match_id.data)];
    watchdog->facts.waits_heard++;
    if (epoch < *highest) {
        watchdog->facts.old_epochs++;
        return;
    }
    *highest = epoch;
    uint32_t index = find(watchdog, said->match_id.data);
    if (index != NO_WAIT && watchdog->waits[index].epoch == epoch &&
        said->wait < watchdog->waits[index].wait)
        return; /* Overtaken on its way. */
    /* A wait's number grows, whoever owns the slot: it is that of an act. */
    if (index != NO_WAIT && said->wait < watchdog->waits[index].wait)
        watchdog_note_set_back(said->match_id.data, watchdog->waits[index].wait, said->wait, out);
    if (!said->has_left_ms || seats_of(said) == 0) {
        if (index != NO_WAIT)
            drop(watchdog, index, out); /* No clock runs any more. */
        return;
    }
    if (index == NO_WAIT)
        index = make(watchdog, said->match_id.data, out);
    if (index != NO_WAIT)
        take_wait(watchdog, index, peer, said);
}

void watchdog_on_waits(struct watchdog *watchdog, const struct event *event, struct outbox *out)
{
    const Arbiter__Watchdog__Waits *waits = BODY(Arbiter__Watchdog__Waits, event);
    uint32_t                        peer = peers_of_event(event);
    watchdog->mark++;
    for (size_t i = 0; i < waits->n_waits; i++)
        on_wait(watchdog, peer, waits->waits[i], out);
    if (!waits->has_whole || !waits->whole)
        return;
    for (uint32_t i = 0; i < watchdog->settings.waits_max; i++)
        if (watchdog->waits[i].is_used && watchdog->waits[i].peer == peer &&
            watchdog->waits[i].mark != watchdog->mark)
            drop(watchdog, i, out);
}

/* The engine to be told: the one that named the wait, unless another owns the slot since. */
static uint32_t owner_of(const struct watchdog *watchdog, const struct watchdog_wait *wait)
{
    uint8_t  slot = header_slot(wait->id);
    uint32_t owner = peers_engine_of(&watchdog->peers, slot);
    if (owner != NO_PEER && watchdog->peers.owner_epoch[slot] > wait->epoch)
        return owner;
    return watchdog->peers.list[wait->peer].role == ROLE(ENGINE) ? wait->peer : owner;
}

static void say_expire(struct watchdog *watchdog, const struct watchdog_wait *wait,
                       struct outbox *out)
{
    uint32_t owner = owner_of(watchdog, wait);
    if (owner == NO_PEER)
        return;
    Arbiter__Watchdog__Expire *expire = outbox_message(out, &arbiter__watchdog__expire__descriptor);
    expire->has_match_id = expire->has_wait = true;
    expire->match_id.data = outbox_copy(out, wait->id, sizeof wait->id);
    expire->match_id.len = sizeof wait->id;
    expire->wait = wait->wait;
    expire->seats = outbox_take(out, 32 * sizeof expire->seats[0]);
    for (uint32_t seat = 0; seat < 32; seat++)
        if ((wait->seats >> seat & 1) != 0)
            expire->seats[expire->n_seats++] = seat;
    struct header header;
    header_init(&header, KIND(EXPIRE), wait->id);
    header.epoch = wait->epoch;
    outbox_send(out, DOOR_PEER, peers_connection(owner, DOOR_REQUESTS), &header, expire);
    watchdog->facts.expires++;
    watchdog->facts.expires_again += wait->tries > 0;
}

void watchdog_expire(struct watchdog *watchdog, struct outbox *out)
{
    for (uint32_t i = 0; i < EXPIRES_STEP_MAX; i++) {
        uint32_t index = wheel_next(watchdog->wheel, watchdog->now_ms);
        if (index == NO_TIMER)
            return;
        struct watchdog_wait *wait = &watchdog->waits[index];
        if (wait->tries >= watchdog->settings.expires_max) {
            /* The match may be over, or its engine dead: then its new owner names its waits
             * again. */
            watchdog->facts.given_up++;
            drop(watchdog, index, out);
            continue;
        }
        say_expire(watchdog, wait, out);
        uint64_t again_ms = watchdog->settings.expire_again_ms
                            << (wait->tries < 16 ? wait->tries : 16);
        wait->tries++;
        wheel_set(watchdog->wheel, index,
                  watchdog->now_ms + (again_ms < AGAIN_MAX_MS ? again_ms : AGAIN_MAX_MS));
    }
}
