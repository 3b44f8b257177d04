/* client_spread.c: which fanout a seat listens to. Pure.
 *
 * Nobody assigns readers to fanouts. The directory says which fanouts there are and how busy they
 * are. Each client ranks them for itself, by the slot, by its own luck and by their load. So even
 * the crowd of one match is spread over all of them. When a fanout comes, only those clients move
 * to it for whom it now ranks first. When one goes, its readers take their second choice, which is
 * not the same for all. */
#include "client/client_private.h"

/* What is alike in two clients, or two fanouts, is far apart behind this (splitmix64). */
static uint64_t scatter(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* -log2 of `number` / 2^64 in units of 2^-16, straight lines between the powers of two. */
static uint64_t rarity(uint64_t number)
{
    uint64_t zeros = number == 0 ? 63 : (uint64_t) __builtin_clzll(number);
    uint64_t beyond = number << zeros << 1;
    return ((zeros + 1) << 16) - (beyond >> 48);
}

/* The less the better. Of exponential variates of rates w1, w2, ... the first is the least with a probability in
 * proportion to w1: so shares are in proportion to how idle each fanout is. */
static uint64_t rank(const struct client_core *core, const struct client_seat *seat,
                     const struct peer *fanout)
{
    uint64_t name = core->salt;
    uint64_t idle = fanout->load < 100 ? 101 - fanout->load : 1;
    for (uint32_t i = 0; i < PEER_NAME_MAX && fanout->name[i] != '\0'; i++)
        name = scatter(name ^ (uint8_t) fanout->name[i]);
    uint64_t drawn = scatter(name ^ header_slot(seat->match_id));
    return rarity(drawn) * 101 / idle;
}

/* The best of those that were greeted since `since_ms`; those that are stopping only if there is no other. */
static uint32_t best_since(const struct client_core *core, const struct client_seat *seat,
                           uint64_t since_ms, bool is_draining_good)
{
    const struct peers *peers = &core->peers;
    uint32_t            best = NO_PEER;
    uint64_t            best_rank = UINT64_MAX;
    for (uint32_t i = peers_next(peers, ROLE(FANOUT), NO_PEER); i != NO_PEER;
         i = peers_next(peers, ROLE(FANOUT), i)) {
        const struct peer *fanout = &peers->list[i];
        uint64_t           its_rank = rank(core, seat, fanout);
        if (fanout->draining != is_draining_good || fanout->hello_ms < since_ms ||
            its_rank >= best_rank)
            continue;
        best = i;
        best_rank = its_rank;
    }
    return best;
}

uint32_t spread_choose(const struct client_core *core, const struct client_seat *seat)
{
    uint32_t fanout = best_since(core, seat, 0, false);
    return fanout != NO_PEER ? fanout : best_since(core, seat, 0, true);
}

uint32_t spread_better(const struct client_core *core, const struct client_seat *seat)
{
    const struct peers *peers = &core->peers;
    uint32_t            fanout = best_since(core, seat, seat->chosen_ms, false);
    if (fanout == NO_PEER || seat->fanout == NO_PEER ||
        rank(core, seat, &peers->list[fanout]) >= rank(core, seat, &peers->list[seat->fanout]))
        return NO_PEER;
    return fanout;
}
