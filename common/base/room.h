/* room.h: memory that is asked for once, at the start, and handed out piece by piece. Pure. */
#ifndef ARBITER_ROOM_H
#define ARBITER_ROOM_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* What a piece of `size` bytes takes up, so that the next one may hold anything. */
static inline size_t room_for(size_t size)
{
    return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

/* The piece that begins here; `at` goes on behind it. */
static inline void *room_take(uint8_t **at, size_t size)
{
    void *taken = *at;
    *at += room_for(size);
    return taken;
}

#endif
