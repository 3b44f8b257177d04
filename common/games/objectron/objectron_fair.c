/* objectron_fair.c: the squares that are about as far from one player as from any other.
 *
 * Everybody's ways grow by one step at a time, all rows at once. A square is a bit, so a whole row
 * of neighbours is two shifts. A square is fair if those who come to it last are at most two steps
 * behind those who come first. */
#include <string.h>

#include "games/objectron/objectron_rules.h"

#define DIFFERENCE 2
#define WORDS 2 /* Of 64 columns each. */

struct squares {
    uint64_t row[OBJECTRON_SIDE_MAX][WORDS];
};

static void set(struct squares *squares, int32_t x, int32_t y)
{
    squares->row[y][x / 64] |= UINT64_C(1) << (x % 64);
}

static bool has(const struct squares *squares, int32_t x, int32_t y)
{
    return (squares->row[y][x / 64] >> (x % 64) & 1) != 0;
}

/* All that is there, and what is beside it, of the free squares; true if that is more. */
static bool grow(struct squares *reached, const struct squares *free, int32_t height)
{
    uint64_t above[WORDS] = { 0 }, more = 0;
    for (int32_t y = 0; y < height; y++) {
        uint64_t near[WORDS];
        for (uint32_t i = 0; i < WORDS; i++) {
            uint64_t below = y + 1 < height ? reached->row[y + 1][i] : 0;
            near[i] = above[i] | reached->row[y][i] | below;
            above[i] = reached->row[y][i];
        }
        uint64_t wide[WORDS] = { near[0] | near[0] << 1 | near[0] >> 1 | near[1] << 63,
                                 near[1] | near[1] << 1 | near[1] >> 1 | near[0] >> 63 };
        for (uint32_t i = 0; i < WORDS; i++) {
            reached->row[y][i] = wide[i] & free->row[y][i];
            more |= reached->row[y][i] & ~above[i];
        }
    }
    return more != 0;
}

/* Players who walk from their starts, in step. `first` are the squares to which the first of them came at
 * each of the last steps, the newest in front. */
struct walk {
    int32_t        height, seats;
    struct squares free, fair, seen;
    struct squares first[DIFFERENCE + 1];
    struct squares reached[OBJECTRON_PLAYERS_MAX];
};

/* What has been reached, by anybody and by all; adds what has turned out to be fair. */
static void compare(struct walk *walk)
{
    for (uint32_t i = DIFFERENCE; i > 0; i--)
        memcpy(walk->first[i].row, walk->first[i - 1].row,
               (size_t) walk->height * sizeof walk->seen.row[0]);
    for (int32_t y = 0; y < walk->height; y++)
        for (uint32_t i = 0; i < WORDS; i++) {
            uint64_t any = 0, all = UINT64_MAX;
            for (int32_t seat = 0; seat < walk->seats; seat++) {
                any |= walk->reached[seat].row[y][i];
                all &= walk->reached[seat].row[y][i];
            }
            walk->first[0].row[y][i] = any & ~walk->seen.row[y][i];
            walk->seen.row[y][i] = any;
            walk->fair.row[y][i] |= walk->first[DIFFERENCE].row[y][i] & all;
        }
}

static void clear(struct walk *walk)
{
    size_t bytes = (size_t) walk->height * sizeof walk->seen.row[0];
    memset(walk->free.row, 0, bytes);
    memset(walk->fair.row, 0, bytes);
    memset(walk->seen.row, 0, bytes);
    for (uint32_t i = 0; i <= DIFFERENCE; i++)
        memset(walk->first[i].row, 0, bytes);
    for (int32_t seat = 0; seat < walk->seats; seat++)
        memset(walk->reached[seat].row, 0, bytes);
}

void objectron_mark_fair(const struct objectron_state *state, uint8_t *fair)
{
    struct walk walk; /* Not all of it is needed for a small grid. */
    walk.height = state->height;
    walk.seats = state->seats;
    clear(&walk);
    for (int32_t at = 0; at < objectron_squares(state); at++)
        if (objectron_free(state, at))
            set(&walk.free, at % state->width, at / state->width);
    for (int32_t seat = 0; seat < walk.seats; seat++) {
        int32_t home = state->player[seat].home;
        set(&walk.reached[seat], home % state->width, home / state->width);
    }
    compare(&walk);
    for (uint32_t quiet = 0; quiet <= DIFFERENCE; quiet++) {
        for (int32_t seat = 0; seat < walk.seats; seat++)
            if (grow(&walk.reached[seat], &walk.free, walk.height))
                quiet = 0;
        compare(&walk);
    }
    for (int32_t y = 0; y < state->height; y++)
        for (int32_t x = 0; x < state->width; x++)
            *fair++ = has(&walk.fair, x, y);
}
