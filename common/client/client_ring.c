/* client_ring.c: see client_ring.h. Pure. */
#include "client/client_ring.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

/* A record's size stands before it, in so many bytes that what follows is aligned for anything. */
#define HEAD (alignof(max_align_t) > sizeof(size_t) ? alignof(max_align_t) : sizeof(size_t))

static size_t place_of(size_t size)
{
    return HEAD + ((size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1));
}

void ring_init(struct client_ring *ring, void *memory, size_t capacity)
{
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    memset(ring, 0, sizeof *ring);
    ring->bytes = memory;
    ring->capacity = capacity;
}

void *ring_reserve(struct client_ring *ring, size_t size)
{
    size_t place = place_of(size);
    if (ring->count == 0) {
        ring->first = ring->end = 0;
        ring->wrapped = false;
    }
    if (!ring->wrapped && ring->capacity - ring->end < place) {
        if (ring->first < place)
            return NULL;
        ring->limit = ring->end;
        ring->end = 0;
        ring->wrapped = true;
    }
    if (ring->wrapped && ring->first - ring->end < place)
        return NULL;
    return ring->bytes + ring->end + HEAD;
}

void ring_put(struct client_ring *ring, size_t size)
{
    size_t room = (ring->wrapped ? ring->first : ring->capacity) - ring->end;
    assert(place_of(size) <= room);
    memcpy(ring->bytes + ring->end, &size, sizeof size);
    ring->end += place_of(size);
    ring->count++;
}

void *ring_first(const struct client_ring *ring, size_t *size)
{
    if (ring->count == 0)
        return NULL;
    memcpy(size, ring->bytes + ring->first, sizeof *size);
    return ring->bytes + ring->first + HEAD;
}

void *ring_behind(const struct client_ring *ring, void *record, size_t *size)
{
    size_t at = (size_t) ((uint8_t *) record - HEAD - ring->bytes);
    memcpy(size, ring->bytes + at, sizeof *size);
    at += place_of(*size);
    if (ring->wrapped && at == ring->limit)
        at = 0;
    if (at == ring->end)
        return NULL;
    memcpy(size, ring->bytes + at, sizeof *size);
    return ring->bytes + at + HEAD;
}

void ring_drop(struct client_ring *ring)
{
    size_t size;
    assert(ring->count > 0);
    memcpy(&size, ring->bytes + ring->first, sizeof size);
    ring->first += place_of(size);
    ring->count--;
    if (ring->wrapped && ring->first == ring->limit) {
        ring->first = 0;
        ring->wrapped = false;
    }
}
