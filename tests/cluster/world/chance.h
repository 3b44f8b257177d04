/* chance.h: a universe's luck: streams of numbers, one for each subsystem, all split from one seed.
 *
 * A stream of its own for each subsystem, so that a fault more does not reshuffle the network. C does
 * not order the arguments of a call: there is one draw per statement, everywhere. No floating point,
 * so that two compilers agree. */
#ifndef ARBITER_CLUSTER_CHANCE_H
#define ARBITER_CLUSTER_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chance_stream {
    CHANCE_PLAN,
    CHANCE_NETWORK,
    CHANCE_FAULTS,
    CHANCE_STORE,
    CHANCE_CLOCKS,
    CHANCE_RUNNER,
    CHANCE_ENTROPY,
    CHANCE_PLAYERS,
    CHANCE_HOSTILE,
    CHANCE_SET_BACK,
    CHANCE_STREAMS
};

/* xoshiro256**, by Blackman and Vigna. */
struct chance {
    uint64_t word[4];
};

void     chance_init(struct chance *chance, uint64_t seed, enum chance_stream stream);
uint64_t chance_draw(struct chance *chance);
/* From 0 to bound-1. */
uint64_t chance_below(struct chance *chance, uint64_t bound);
/* From least to most, both included. */
uint64_t chance_between(struct chance *chance, uint64_t least, uint64_t most);
/* True so often in a million. */
bool     chance_is(struct chance *chance, uint32_t millionths);
/* Exponentially distributed, about; never 0. */
uint64_t chance_wait(struct chance *chance, uint64_t mean);
void     chance_fill(struct chance *chance, uint8_t *bytes, size_t size);

#endif
