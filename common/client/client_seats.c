/* client_seats.c: the places of seats: those of a match are found without a look at the others. Pure.
 *
 * A gateway has thousands of them, and each frame is about one match. Places whose matches share a
 * bucket are linked by their numbers, the lowest first, so that seats of one match are always gone
 * through in one order. */
#include <string.h>

#include "client/client_private.h"

#define NO_PLACE 0u /* A link is the number of a place, and one. */

uint32_t seats_buckets(const struct client_core_settings *settings)
{
    uint32_t count = 1;
    while (count < settings->seats_max)
        count *= 2;
    return count;
}

static uint32_t *bucket_of(const struct client_core *core, const uint8_t *match_id)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < CLIENT_ID_SIZE; i++)
        hash = (hash ^ match_id[i]) * 16777619u;
    return &core->buckets[(hash ^ hash >> 16) & (seats_buckets(&core->settings) - 1)];
}

struct client_seat *seat_take(struct client_core *core, const uint8_t *match_id)
{
    uint32_t at = core->seats_free;
    while (at < core->settings.seats_max && core->seats[at].is_used)
        at++;
    core->seats_free = at;
    if (at == core->settings.seats_max)
        return NULL;
    struct client_seat *seat = &core->seats[at];
    uint8_t            *command = seat->command;
    memset(seat, 0, sizeof *seat);
    seat->is_used = true;
    seat->command = command;
    memcpy(seat->match_id, match_id, CLIENT_ID_SIZE);
    uint32_t *link = bucket_of(core, match_id);
    while (*link != NO_PLACE && *link < at + 1)
        link = &core->seats[*link - 1].next_place;
    seat->next_place = *link;
    *link = at + 1;
    core->seats_used++;
    return seat;
}

/* Its own link stays: somebody may be on the way along it. */
void seat_release(struct client_core *core, struct client_seat *seat)
{
    uint32_t  at = (uint32_t) (seat - core->seats);
    uint32_t *link = bucket_of(core, seat->match_id);
    if (!seat->is_used)
        return;
    while (*link != at + 1)
        link = &core->seats[*link - 1].next_place;
    *link = seat->next_place;
    seat->is_used = false;
    core->seats_used--;
    if (at < core->seats_free)
        core->seats_free = at;
}

static struct client_seat *along(struct client_core *core, uint32_t place, const uint8_t *match_id)
{
    while (place != NO_PLACE) {
        struct client_seat *seat = &core->seats[place - 1];
        core->seats_looked++;
        if (seat->is_used && memcmp(seat->match_id, match_id, CLIENT_ID_SIZE) == 0)
            return seat;
        place = seat->next_place;
    }
    return NULL;
}

struct client_seat *seat_first(struct client_core *core, const uint8_t *match_id)
{
    return along(core, *bucket_of(core, match_id), match_id);
}

struct client_seat *seat_after(struct client_core *core, const struct client_seat *seat)
{
    return along(core, seat->next_place, seat->match_id);
}

struct client_seat *seat_find(struct client_core *core, const uint8_t *match_id, uint32_t seat)
{
    struct client_seat *found = seat_first(core, match_id);
    while (found != NULL && found->seat != seat)
        found = seat_after(core, found);
    return found;
}
