/* arena.c: see arena.h. */
#include "wire/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

static void *arena_alloc(void *arena, size_t size)
{
    return arena_take(arena, size);
}

/* Single pieces are not taken back; the whole arena is, by arena_reset. */
static void arena_free(void *arena, void *piece)
{
    (void) arena;
    (void) piece;
}

void arena_init(struct arena *arena, void *bytes, size_t capacity)
{
    assert((uintptr_t) bytes % alignof(max_align_t) == 0);
    arena->bytes = bytes;
    arena->capacity = capacity;
    arena->allocator = (ProtobufCAllocator){ arena_alloc, arena_free, arena };
    arena_reset(arena);
}

void arena_reset(struct arena *arena)
{
    arena->used = 0;
    arena->exhausted = false;
}

/* A size comes from a peer as often as not, so the sum is never formed before it is known to fit. */
void *arena_take(struct arena *arena, size_t size)
{
    const size_t step = alignof(max_align_t);
    size_t       room = arena->capacity - arena->used;
    if (size > room) {
        arena->exhausted = true;
        return NULL;
    }
    void  *piece = arena->bytes + arena->used;
    size_t padded = (size + step - 1) / step * step;
    arena->used = padded > room ? arena->capacity : arena->used + padded;
    memset(piece, 0, size);
    return piece;
}
