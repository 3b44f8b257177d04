/* java.c: java.util.Random, bit for bit, as its documentation prescribes it.
 *
 * A linear congruential generator of 48 bits of which the high ones are given away. It has a single
 * sequence: both streams name it, so rules that want two independent ones get one, interleaved. */
#include <assert.h>
#include <string.h>

#include "dice/kinds.h"

#define MULTIPLIER UINT64_C(0x5DEECE66D)
#define INCREMENT UINT64_C(0xB)
#define MASK_48 ((UINT64_C(1) << 48) - 1)

static uint32_t java_bits(struct dice *dice, uint32_t count)
{
    assert(count >= 1 && count <= 32);
    dice->state[0] = (dice->state[0] * MULTIPLIER + INCREMENT) & MASK_48;
    return (uint32_t) (dice->state[0] >> (48 - count));
}

/* Random.nextLong(): ((long) next(32) << 32) + next(32). The second half is a signed int, so a negative
 * one borrows from the first. */
static uint64_t java_u64(struct dice *dice, uint32_t stream)
{
    assert(stream <= 1);
    uint64_t high = java_bits(dice, 32);
    uint64_t low = java_bits(dice, 32);
    uint64_t borrow = low >> 31;
    return ((high - borrow) << 32) + low;
}

const struct dice_kind dice_kind_java = { .name = "java", .bits = java_bits, .u64 = java_u64 };

void dice_java(struct dice *dice, uint64_t seed)
{
    memset(dice, 0, sizeof *dice);
    dice->kind = &dice_kind_java;
    dice->state[0] = (seed ^ MULTIPLIER) & MASK_48; /* As Random's constructor scrambles it. */
}
