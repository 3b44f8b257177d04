/* dice.h: the dice a match owns and its rules are handed.
 *
 * Rules hold no seed and can leak none: they are given a generator and may ask it two things,
 * `bits` and `u64`. The table decides which generator stands behind. Tables with an open seed use
 * `java` (java.util.Random, bit for bit) or `splitmix`. Hosted tables use `chacha`, whose key
 * neither house nor players can choose. The state is flat, so a match's undo copy holds its dice
 * too. */
#ifndef ARBITER_DICE_H
#define ARBITER_DICE_H

#include <stdint.h>

struct dice;

struct dice_kind {
    const char *name; /* "java", "splitmix", "chacha".          */
    uint32_t (*bits)(struct dice *dice, uint32_t count); /* The next `count` bits, 1 to 32. */
    uint64_t (*u64)(struct dice *dice, uint32_t stream); /* The next 64 bits of a stream, 0 or 1. */
};

#define DICE_STATE_WORDS 24

struct dice {
    const struct dice_kind *kind;
    uint64_t                draws;    /* How often they were asked; for tests and traces. */
    uint64_t state[DICE_STATE_WORDS]; /* The generator's own.                             */
};

static inline uint32_t dice_bits(struct dice *dice, uint32_t count)
{
    dice->draws++;
    return dice->kind->bits(dice, count);
}

static inline uint64_t dice_u64(struct dice *dice, uint32_t stream)
{
    dice->draws++;
    return dice->kind->u64(dice, stream);
}

#endif
