/* arena.h: memory for one message, given at once and taken back at once.
 *
 * What a peer sent is unpacked here and nowhere else. The ceiling is hard: without it protobuf-c
 * would turn 64 KiB of hostile bytes into 4.7 MB. And there is nothing to free. */
#ifndef ARBITER_ARENA_H
#define ARBITER_ARENA_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t           *bytes;
    size_t             capacity;
    size_t             used;
    bool               exhausted; /* Something was refused since the last reset. */
    ProtobufCAllocator allocator; /* Hands this arena to protobuf-c.             */
};

/* Places an arena over memory its owner keeps. */
void  arena_init(struct arena *arena, void *bytes, size_t capacity);
void  arena_reset(struct arena *arena);
/* Zeroed memory, aligned for anything; NULL if there is no room. */
void *arena_take(struct arena *arena, size_t size);

#endif
