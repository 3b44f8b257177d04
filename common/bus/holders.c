/* holders.c: see holders.h. */
#include "bus/holders.h"

#include <stdlib.h>
#include <string.h>

#include "bus/porter.h"

#define CAPACITY_LEAST 1024u

static uint64_t hash_of(const uint8_t *topic, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ topic[i]) * 1099511628211u;
    return hash;
}

static uint32_t place_of(const struct holders *holders, const struct holding *holding)
{
    uint64_t mixed = (holding->topic ^ holding->guest * 11400714819323198485u) * 1099511628211u;
    return (uint32_t) (mixed >> 32) & (holders->capacity - 1);
}

bool holders_open(struct holders *holders, uint32_t most)
{
    memset(holders, 0, sizeof *holders);
    holders->most = most;
    holders->capacity = CAPACITY_LEAST;
    holders->list = calloc(holders->capacity, sizeof *holders->list);
    return holders->list != NULL;
}

void holders_close(struct holders *holders)
{
    free(holders->list);
    memset(holders, 0, sizeof *holders);
}

/* Its place, or the free one where it would go. */
static uint32_t find(const struct holders *holders, const struct holding *sought)
{
    uint32_t at = place_of(holders, sought);
    while (holders->list[at].guest != 0 &&
           (holders->list[at].guest != sought->guest || holders->list[at].topic != sought->topic))
        at = (at + 1) & (holders->capacity - 1);
    return at;
}

/* Frees a place and moves those up that had stepped aside for it. */
static void free_place(struct holders *holders, uint32_t hole)
{
    uint32_t mask = holders->capacity - 1;
    for (uint32_t at = (hole + 1) & mask; holders->list[at].guest != 0; at = (at + 1) & mask) {
        uint32_t home = place_of(holders, &holders->list[at]);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            holders->list[hole] = holders->list[at];
            hole = at;
        }
    }
    memset(&holders->list[hole], 0, sizeof holders->list[hole]);
    holders->used--;
}

static bool is_there(const struct holding *holding)
{
    return holding->guest != 0 && porter_guest(holding->file) == holding->guest;
}

/* Forgets what was held by those who have left, and makes room if that is not enough. */
static void make_room(struct holders *holders)
{
    struct holders larger = { .most = holders->most, .capacity = holders->capacity };
    uint32_t       staying = 0;
    for (uint32_t at = 0; at < holders->capacity; at++)
        staying += is_there(&holders->list[at]);
    if (staying >= holders->capacity / 2 && staying < holders->most)
        larger.capacity *= 2;
    larger.list = calloc(larger.capacity, sizeof *larger.list);
    if (larger.list == NULL)
        return;
    for (uint32_t at = 0; at < holders->capacity; at++)
        if (is_there(&holders->list[at])) {
            larger.list[find(&larger, &holders->list[at])] = holders->list[at];
            larger.used++;
        }
    free(holders->list);
    *holders = larger;
}

static struct holding holding_of(int file, const uint8_t *topic, size_t size)
{
    return (
        struct holding){ .topic = hash_of(topic, size), .guest = porter_guest(file), .file = file };
}

bool holders_add(struct holders *holders, int file, const uint8_t *topic, size_t size)
{
    struct holding holding = holding_of(file, topic, size);
    if (holding.guest == 0)
        return false;
    if (holders->list[find(holders, &holding)].guest != 0)
        return false;
    if (holders->used >= holders->capacity / 4 * 3)
        make_room(holders);
    if (holders->used >= holders->capacity / 4 * 3)
        return false;
    holders->list[find(holders, &holding)] = holding;
    holders->used++;
    return true;
}

bool holders_remove(struct holders *holders, int file, const uint8_t *topic, size_t size)
{
    struct holding holding = holding_of(file, topic, size);
    uint32_t       at = find(holders, &holding);
    if (holding.guest == 0 || holders->list[at].guest == 0)
        return false;
    free_place(holders, at);
    return true;
}
