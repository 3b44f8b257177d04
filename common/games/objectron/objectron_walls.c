/* objectron_walls.c: generates a grid: straight walls that never touch, so that none cuts a square off. */
#include <string.h>

#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define SETUP_STREAM 0

/* A site where walls are built. `room` of an orientation says for each square how long a wall could be
 * that begins there and goes right, or down. */
struct site {
    struct objectron_state *state;
    struct dice            *dice;
    int32_t                 longest[2]; /* 0 horizontal, 1 vertical. */
    uint8_t                 room[2][OBJECTRON_SQUARES_MAX];
    uint8_t                 taken[OBJECTRON_SQUARES_MAX];
};

static void measure_room(struct site *site)
{
    int32_t width = site->state->width, squares = objectron_squares(site->state);
    for (int32_t at = squares - 1; at >= 0; at--) {
        uint8_t right = at % width + 1 < width ? site->room[0][at + 1] : 0;
        uint8_t below = at + width < squares ? site->room[1][at + width] : 0;
        site->room[0][at] = site->taken[at] ? 0 : (uint8_t) (right + 1);
        site->room[1][at] = site->taken[at] ? 0 : (uint8_t) (below + 1);
    }
}

static uint32_t count_anchors(const struct site *site, uint32_t way, int32_t length)
{
    uint32_t count = 0;
    for (int32_t at = objectron_squares(site->state) - 1; at >= 0; at--)
        count += site->room[way][at] >= length;
    return count;
}

static int32_t anchor(const struct site *site, uint32_t way, int32_t length, uint64_t k)
{
    int32_t at = 0;
    while (site->room[way][at] < length || k-- > 0)
        at++;
    return at;
}

static void build(struct site *site, uint32_t way, int32_t length, int32_t at)
{
    for (int32_t i = 0; i < length; i++) {
        objectron_cells(site->state)[at] = OBJECTRON_WALL;
        for (int32_t k = 0; k < 9; k++) {
            int32_t beside = objectron_beside(site->state, at, k % 3 - 1, k / 3 - 1);
            if (beside >= 0)
                site->taken[beside] = 1;
        }
        at += way == 0 ? 1 : site->state->width;
    }
    measure_room(site);
}

/* Builds a wall of the first length from `first` towards `last` for which there is room; its length. */
static int32_t try_lengths(struct site *site, uint32_t way, int32_t first, int32_t last)
{
    int32_t step = first <= last ? 1 : -1;
    for (int32_t length = first; length != last + step; length += step) {
        uint32_t anchors = count_anchors(site, way, length);
        if (anchors == 0)
            continue;
        uint64_t k = draw_below_u64(site->dice, SETUP_STREAM, anchors);
        build(site, way, length, anchor(site, way, length, k));
        return length;
    }
    return 0;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* One wall, no longer than what is left of all walls; returns its length, 0 if there is no room. */
static int32_t build_one(struct site *site, int32_t left)
{
    uint32_t way = (uint32_t) draw_below_u64(site->dice, SETUP_STREAM, 2);
    int32_t  top = least(site->longest[way], left);
    int32_t  wished = 2 + (int32_t) draw_below_u64(site->dice, SETUP_STREAM, (uint64_t) (top - 1));
    int32_t  built = try_lengths(site, way, wished, 2);
    if (built == 0)
        built = try_lengths(site, 1 - way, least(site->longest[1 - way], left), 2);
    if (built == 0 && wished < top)
        built = try_lengths(site, way, wished + 1, top);
    return built;
}

void objectron_build_walls(const struct objectron_setup *setup, struct dice *dice,
                           struct objectron_state *state)
{
    struct site site = { .state = state, .dice = dice };
    int32_t     most = objectron_percent(objectron_squares(state), setup->wall_percent);
    memset(objectron_cells(state), OBJECTRON_FREE, (size_t) objectron_squares(state));
    site.longest[0] = objectron_percent(state->width, setup->wall_length);
    site.longest[1] = objectron_percent(state->height, setup->wall_length);
    for (int32_t seat = 0; seat < state->seats; seat++)
        site.taken[state->player[seat].home] = 1;
    measure_room(&site);
    uint64_t walls = 1 + draw_below_u64(dice, SETUP_STREAM, (uint64_t) (most / 2));
    for (int32_t built = 1; walls > 0 && most >= 2 && built > 0; walls--) {
        built = build_one(&site, most);
        most -= built;
    }
}
