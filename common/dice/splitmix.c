/* splitmix.c: objectron's dice, two SplitMix64 sequences from one seed.
 *
 * Stream 0 prepares a game, stream 1 plays it, so that a drawn set-up and a loaded one leave the same
 * dice to the players. */
#include <assert.h>
#include <string.h>

#include "dice/kinds.h"

#define SETUP 0
#define PLAY 1
/* The play stream's seed differs by the letters "objectro". */
#define PLAY_SALT UINT64_C(0x6F626A656374726F)

static uint64_t splitmix_u64(struct dice *dice, uint32_t stream)
{
    assert(stream <= 1);
    dice->state[stream] += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = dice->state[stream];
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* For rules that were not written for these dice: the high bits of one draw from the play stream. */
static uint32_t splitmix_bits(struct dice *dice, uint32_t count)
{
    assert(count >= 1 && count <= 32);
    return (uint32_t) (splitmix_u64(dice, PLAY) >> (64 - count));
}

const struct dice_kind dice_kind_splitmix = { .name = "splitmix",
                                              .bits = splitmix_bits,
                                              .u64 = splitmix_u64 };

void dice_splitmix(struct dice *dice, uint64_t seed)
{
    memset(dice, 0, sizeof *dice);
    dice->kind = &dice_kind_splitmix;
    dice->state[SETUP] = seed;
    dice->state[PLAY] = seed ^ PLAY_SALT;
}
