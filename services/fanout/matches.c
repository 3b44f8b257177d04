/* matches.c: the matches a fanout knows: found by id, ordered by slot, forgotten by a clock's hand. */
#include "services/fanout/parts.h"

#include <assert.h>
#include <string.h>

void fanout_matches_init(struct fanout *fanout)
{
    for (uint32_t i = 0; i < fanout->settings.matches_max; i++)
        fanout->buckets[i] = NO_MATCH;
}

/* Match ids are random; eight of their bytes are as good a hash as any. */
static uint32_t *bucket_of(struct fanout *fanout, const uint8_t *id)
{
    uint64_t mixed;
    memcpy(&mixed, id + 4, sizeof mixed);
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    return &fanout->buckets[(mixed >> 32) % fanout->settings.matches_max];
}

uint32_t fanout_match_index(const struct fanout *fanout, const struct fanout_match *match)
{
    return (uint32_t) (match - fanout->matches);
}

uint64_t fanout_match_owner(const struct fanout *fanout, const struct fanout_match *match)
{
    return (uint64_t) fanout_match_index(fanout, match) << 32 | match->generation;
}

struct fanout_match *fanout_match_find(struct fanout *fanout, const uint8_t *id)
{
    uint32_t index = *bucket_of(fanout, id);
    while (index != NO_MATCH && memcmp(fanout->matches[index].id, id, HEADER_MATCH_SIZE) != 0)
        index = fanout->matches[index].bucket_next;
    if (index == NO_MATCH)
        return NULL;
    fanout->matches[index].is_touched = true;
    return &fanout->matches[index];
}

static void leave_slot(struct fanout *fanout, struct fanout_match *match)
{
    struct fanout_slot *slot = &fanout->slots[match->slot];
    if (match->newer == NO_MATCH)
        slot->newest = match->older;
    else
        fanout->matches[match->newer].older = match->older;
    if (match->older == NO_MATCH)
        slot->oldest = match->newer;
    else
        fanout->matches[match->older].newer = match->newer;
}

/* Behind all that moved no later: almost always at the end. */
static void enter_slot(struct fanout *fanout, struct fanout_match *match)
{
    struct fanout_slot *slot = &fanout->slots[match->slot];
    uint32_t            index = fanout_match_index(fanout, match);
    uint32_t            newer = NO_MATCH, older = slot->newest;
    while (older != NO_MATCH && fanout->matches[older].slot_count > match->slot_count) {
        newer = older;
        older = fanout->matches[older].older;
    }
    match->newer = newer;
    match->older = older;
    if (newer == NO_MATCH)
        slot->newest = index;
    else
        fanout->matches[newer].older = index;
    if (older == NO_MATCH)
        slot->oldest = index;
    else
        fanout->matches[older].newer = index;
}

void fanout_match_moved(struct fanout *fanout, struct fanout_match *match, uint64_t slot_count)
{
    if (slot_count <= match->slot_count)
        return;
    leave_slot(fanout, match);
    match->slot_count = slot_count;
    enter_slot(fanout, match);
}

/* The last acts of a match that is read are kept before all others. */
static void keep_last_acts(struct fanout *fanout, struct fanout_match *match, bool is_kept)
{
    uint64_t owner = fanout_match_owner(fanout, match);
    for (uint64_t i = 1; i <= fanout->settings.keep_acts && i < match->next; i++) {
        uint32_t act = shelf_find(fanout->shelf, owner, match->next - i);
        if (act != NO_ACT)
            shelf_keep(fanout->shelf, act, is_kept);
    }
}

void fanout_match_disbelieve(struct fanout *fanout, struct fanout_match *match)
{
    keep_last_acts(fanout, match, false);
    match->generation++;
    match->has_chain = match->has_last_chain = false;
}

static void forget(struct fanout *fanout, struct fanout_match *match)
{
    uint32_t  index = fanout_match_index(fanout, match);
    uint32_t *link = bucket_of(fanout, match->id);
    while (*link != index)
        link = &fanout->matches[*link].bucket_next;
    *link = match->bucket_next;
    leave_slot(fanout, match);
    wheel_clear(fanout->heads, index);
    wheel_clear(fanout->fetches, index);
    uint32_t generation = match->generation + 1;
    memset(match, 0, sizeof *match);
    match->generation = generation;
    fanout->facts.matches--;
}

static bool may_be_forgotten(const struct fanout_match *match)
{
    return !match->is_read && !match->is_ready && match->first_ask == NO_ASK &&
           match->fetch_from == 0;
}

/* How many places are looked at for one that can be had, so that a full table costs a frame little. */
#define LOOKED_AT_MAX 4096u

/* A free place: the hand passes once over those touched since it last came by. NULL: there is none. */
static struct fanout_match *free_place(struct fanout *fanout)
{
    for (uint32_t i = 0; i < LOOKED_AT_MAX; i++) {
        struct fanout_match *match = &fanout->matches[fanout->hand];
        fanout->hand = (fanout->hand + 1) % fanout->settings.matches_max;
        if (!match->is_used)
            return match;
        if (match->is_touched) {
            match->is_touched = false;
        } else if (may_be_forgotten(match)) {
            fanout->facts.forgotten++;
            forget(fanout, match);
            return match;
        }
    }
    return NULL;
}

struct fanout_match *fanout_match_make(struct fanout *fanout, const uint8_t *id)
{
    struct fanout_match *match = fanout_match_find(fanout, id);
    if (match != NULL)
        return match;
    match = free_place(fanout);
    if (match == NULL)
        return NULL;
    uint32_t *bucket = bucket_of(fanout, id);
    match->is_used = match->is_touched = true;
    memcpy(match->id, id, sizeof match->id);
    match->slot = header_slot(id);
    match->first_ask = match->last_ask = NO_ASK;
    match->bucket_next = *bucket;
    *bucket = fanout_match_index(fanout, match);
    enter_slot(fanout, match);
    fanout->facts.matches++;
    return match;
}

void fanout_match_read(struct fanout *fanout, struct fanout_match *match, bool is_read)
{
    if (match->is_read == is_read)
        return;
    match->is_read = is_read;
    fanout->slots[match->slot].readers += is_read ? 1u : UINT32_MAX;
    fanout->facts.read += is_read ? 1u : UINT32_MAX;
    keep_last_acts(fanout, match, is_read);
}

bool fanout_match_is_wanted(const struct fanout *fanout, const struct fanout_match *match)
{
    return match->is_read || fanout->slots[match->slot].is_whole;
}
