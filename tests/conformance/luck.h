/* luck.h: the randomness of tests: small, seeded, the same on every machine.
 *
 * Not the dice of a match: what a random player decides must not depend on what the rules draw. */
#ifndef ARBITER_TESTS_LUCK_H
#define ARBITER_TESTS_LUCK_H

#include <stdbool.h>
#include <stdint.h>

struct luck {
    uint64_t state;
};

/* SplitMix64. */
static inline uint64_t luck_next(struct luck *luck)
{
    luck->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = luck->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* From 0 to bound-1; the bias of a remainder does no harm here. */
static inline uint32_t luck_below(struct luck *luck, uint32_t bound)
{
    return (uint32_t) (luck_next(luck) % bound);
}

static inline bool luck_one_in(struct luck *luck, uint32_t chance)
{
    return luck_below(luck, chance) == 0;
}

#endif
