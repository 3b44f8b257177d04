/* guard.c: see guard.h. */
#include "guard.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64
#define CANARY_BYTES 64
#define CANARY 0xc5

/* In memory: padding by the shift, this, a canary, the block, a canary. */
struct guard {
    void  *base;
    size_t size;
};

_Static_assert(sizeof(struct guard) <= ALIGNMENT, "the header fits before the first canary");

static struct guard *guard_of(const void *block)
{
    return (struct guard *) (uintptr_t) ((const uint8_t *) block - CANARY_BYTES - ALIGNMENT);
}

void *guard_new(size_t size, size_t shift)
{
    size_t   whole = shift + ALIGNMENT + CANARY_BYTES + size + CANARY_BYTES;
    uint8_t *base = aligned_alloc(ALIGNMENT, (whole + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);

    assert(base != NULL && shift % 8 == 0);
    uint8_t *block = base + shift + ALIGNMENT + CANARY_BYTES;
    *guard_of(block) = (struct guard){ base, size };
    memset(block - CANARY_BYTES, CANARY, CANARY_BYTES);
    memset(block, 0, size);
    memset(block + size, CANARY, CANARY_BYTES);
    return block;
}

bool guard_whole(const void *block)
{
    const uint8_t *before = (const uint8_t *) block - CANARY_BYTES;
    const uint8_t *behind = (const uint8_t *) block + guard_of(block)->size;
    for (uint32_t i = 0; i < CANARY_BYTES; i++)
        if (before[i] != CANARY || behind[i] != CANARY)
            return false;
    return true;
}

void guard_free(void *block)
{
    if (block != NULL)
        free(guard_of(block)->base);
}
