/* draw.h: bounded draws, written once over `bits` and `u64`.
 *
 * `draw_below` and `draw_shuffle` are java.util.Random.nextInt(bound) and Collections.shuffle: three
 * of our games are specified by them, on any dice. `draw_below_u64` is objectron's rejection draw. */
#ifndef ARBITER_DRAW_H
#define ARBITER_DRAW_H

#include <assert.h>
#include <stdint.h>

#include "dice/dice.h"

/* A number from 0 to bound-1, as nextInt(bound) draws it. */
static inline uint32_t draw_below(struct dice *dice, uint32_t bound)
{
    assert(bound > 0 && bound <= INT32_MAX);
    uint32_t draw = dice_bits(dice, 31);
    uint32_t most = bound - 1;
    if ((bound & most) == 0)
        return (uint32_t) (((uint64_t) bound * draw) >> 31);
    /* Java asks whether draw - value + most overflows a signed int: the last, incomplete run of
     * `bound` numbers below 2^31 would make small values likelier. */
    uint32_t value = draw % bound;
    while (draw - value + most > INT32_MAX) {
        draw = dice_bits(dice, 31);
        value = draw % bound;
    }
    return value;
}

/* Shuffles numbers as Collections.shuffle does. */
static inline void draw_shuffle(struct dice *dice, uint16_t *list, uint32_t count)
{
    for (uint32_t left = count; left > 1; left--) {
        uint32_t pick = draw_below(dice, left);
        uint16_t last = list[left - 1];
        list[left - 1] = list[pick];
        list[pick] = last;
    }
}

/* A number from 0 to bound-1 from a 64-bit stream, without bias; it draws even for bound 1. */
static inline uint64_t draw_below_u64(struct dice *dice, uint32_t stream, uint64_t bound)
{
    assert(bound > 0);
    uint64_t least = (0 - bound) % bound;
    uint64_t draw = dice_u64(dice, stream);
    while (draw < least)
        draw = dice_u64(dice, stream);
    return draw % bound;
}

#endif
