/* chance.c: see chance.h. */
#include "chance.h"

#include <assert.h>
#include <string.h>

#define MILLION 1000000u

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void chance_init(struct chance *chance, uint64_t seed, enum chance_stream stream)
{
    uint64_t state = seed;
    uint64_t root = splitmix(&state);
    state = root + (uint64_t) stream * 0xd1342543de82ef95u;
    for (uint32_t i = 0; i < 4; i++)
        chance->word[i] = splitmix(&state);
}

static uint64_t rotated(uint64_t word, uint32_t by)
{
    return word << by | word >> (64 - by);
}

uint64_t chance_draw(struct chance *chance)
{
    uint64_t *word = chance->word;
    uint64_t  result = rotated(word[1] * 5, 7) * 9;
    uint64_t  shifted = word[1] << 17;
    word[2] ^= word[0];
    word[3] ^= word[1];
    word[1] ^= word[2];
    word[0] ^= word[3];
    word[2] ^= shifted;
    word[3] = rotated(word[3], 45);
    return result;
}

/* The bias is below 2^-20 for every bound used here, and no test of ours could tell. */
uint64_t chance_below(struct chance *chance, uint64_t bound)
{
    assert(bound > 0);
    return chance_draw(chance) % bound;
}

uint64_t chance_between(struct chance *chance, uint64_t least, uint64_t most)
{
    assert(least <= most);
    return least + chance_below(chance, most - least + 1);
}

bool chance_is(struct chance *chance, uint32_t millionths)
{
    return chance_below(chance, MILLION) < millionths;
}

/* -mean * ln(u) with u = x / 2^64: The place of x's first bit gives the logarithm's whole part, the
 * bits behind it a straight line for the rest. Then it goes from base 2 to base e. */
uint64_t chance_wait(struct chance *chance, uint64_t mean)
{
    uint64_t x = chance_draw(chance) | 1;
    uint32_t zeros = (uint32_t) __builtin_clzll(x);
    uint64_t rest = (x << zeros << 1) >> 48;
    uint64_t log2 = ((uint64_t) (zeros + 1) << 16) - rest;
    uint64_t natural = log2 * 45426 >> 16;
    return (mean >> 8) * natural / 256 + 1;
}

void chance_fill(struct chance *chance, uint8_t *bytes, size_t size)
{
    while (size > 0) {
        uint64_t word = chance_draw(chance);
        size_t   some = size < sizeof word ? size : sizeof word;
        memcpy(bytes, &word, some);
        bytes += some;
        size -= some;
    }
}
