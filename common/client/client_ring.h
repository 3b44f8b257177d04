/* client_ring.h: records of any size, first in, first out, in memory its owner brings. Pure.
 *
 * Each record stands in one piece, so a pointer into it works. A record that does not fit behind
 * the last one starts again at the beginning. A record is reserved, filled, and then put or
 * left. */
#ifndef ARBITER_CLIENT_RING_H
#define ARBITER_CLIENT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct client_ring {
    uint8_t *bytes;
    size_t   capacity;
    size_t   first;   /* Where the oldest record stands.                                          */
    size_t   end;     /* Where the next one will.                                                 */
    size_t   limit;   /* While `wrapped`: where the records before the beginning end.            */
    bool     wrapped; /* The newest stand before the oldest.                                      */
    uint32_t count;
};

void  ring_init(struct client_ring *ring, void *memory, size_t capacity);
/* Room for a record of so many bytes; NULL: there is none now. */
void *ring_reserve(struct client_ring *ring, size_t size);
/* The record that was reserved last counts; `size` may be less than was reserved. */
void  ring_put(struct client_ring *ring, size_t size);
/* The oldest record; NULL: there is none. */
void *ring_first(const struct client_ring *ring, size_t *size);
/* The record behind this one; NULL: there is none. */
void *ring_behind(const struct client_ring *ring, void *record, size_t *size);
void  ring_drop(struct client_ring *ring);

#endif
