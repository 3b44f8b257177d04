/* objectron_walls.c: generates a grid: straight walls that never touch, so that none cuts a square off. */
#include <string.h>

#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define SETUP_STREAM 0
#define SHORTEST 2 /* Of walls, in squares. */

/* A site where walls are built. `room` of an orientation says for each square how long a wall could
 * be that begins there and goes right, or down. `count` says for each length how many squares have
 * that room. */
struct site {
    struct objectron_state *state;
    struct dice            *dice;
    int32_t                 longest[2]; /* 0 horizontal, 1 vertical. */
    int32_t                 count[2][OBJECTRON_SIDE_MAX + 1];
    uint8_t                 room[2][OBJECTRON_SQUARES_MAX];
    uint8_t                 taken[OBJECTRON_SQUARES_MAX];
};

/* Measures a row or a column from its far end, `squares` of them `step` apart. */
static void measure(struct site *site, uint32_t way, int32_t end, int32_t squares, int32_t step)
{
    uint8_t room = 0;
    for (int32_t i = 0, at = end; i < squares; i++, at -= step) {
        room = site->taken[at] ? 0 : (uint8_t) (room + 1);
        site->count[way][site->room[way][at]]--;
        site->count[way][room]++;
        site->room[way][at] = room;
    }
}

/* Measures the rows and columns of an area, from one square to another. */
static void measure_area(struct site *site, int32_t from, int32_t to)
{
    int32_t width = site->state->width, height = site->state->height;
    for (int32_t y = from / width; y <= to / width; y++)
        measure(site, 0, y * width + width - 1, width, 1);
    for (int32_t x = from % width; x <= to % width; x++)
        measure(site, 1, (height - 1) * width + x, height, width);
}

/* How many walls of a length there is room for. */
static int32_t count_anchors(const struct site *site, uint32_t way, int32_t length)
{
    int32_t side = way == 0 ? site->state->width : site->state->height, anchors = 0;
    for (int32_t room = length; room <= side; room++)
        anchors += site->count[way][room];
    return anchors;
}

static int32_t anchor(const struct site *site, uint32_t way, int32_t length, uint64_t k)
{
    int32_t at = 0;
    while (site->room[way][at] < length || k-- > 0)
        at++;
    return at;
}

/* Builds a wall: nothing may be built on what lies around it. */
static void build(struct site *site, uint32_t way, int32_t length, int32_t at)
{
    int32_t width = site->state->width, height = site->state->height;
    int32_t left = at % width, top = at / width;
    int32_t right = left + (way == 0 ? length - 1 : 0), bottom = top + (way == 1 ? length - 1 : 0);
    for (int32_t i = 0; i < length; i++)
        objectron_cells(site->state)[at + i * (way == 0 ? 1 : width)] = OBJECTRON_WALL;
    left -= left > 0;
    top -= top > 0;
    right += right + 1 < width;
    bottom += bottom + 1 < height;
    for (int32_t y = top; y <= bottom; y++)
        memset(&site->taken[y * width + left], 1, (size_t) right - (size_t) left + 1);
    measure_area(site, top * width + left, bottom * width + right);
}

/* Builds a wall as long as this, or the next shorter one for which there is room; its length. */
static int32_t try_lengths(struct site *site, uint32_t way, int32_t longest)
{
    for (int32_t length = longest; length >= SHORTEST; length--) {
        int32_t anchors = count_anchors(site, way, length);
        if (anchors == 0)
            continue;
        uint64_t k = draw_below_u64(site->dice, SETUP_STREAM, (uint64_t) anchors);
        build(site, way, length, anchor(site, way, length, k));
        return length;
    }
    return 0;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* One wall, no longer than what is left of all walls; returns its length, 0 if there is no room. The
 * rules would then try what is longer than wished: where no short wall fits no longer one does. */
static int32_t build_one(struct site *site, int32_t left)
{
    uint32_t way = (uint32_t) draw_below_u64(site->dice, SETUP_STREAM, 2);
    int32_t  top = least(site->longest[way], left);
    int32_t  wished =
        SHORTEST + (int32_t) draw_below_u64(site->dice, SETUP_STREAM, (uint64_t) (top - 1));
    int32_t built = try_lengths(site, way, wished);
    if (built == 0)
        built = try_lengths(site, 1 - way, least(site->longest[1 - way], left));
    return built;
}

static void prepare(struct site *site, const struct objectron_setup *setup)
{
    const struct objectron_state *state = site->state;
    int32_t                       squares = objectron_squares(state);
    memset(objectron_cells(state), OBJECTRON_FREE, (size_t) squares);
    memset(site->taken, 0, (size_t) squares);
    memset(site->count, 0, sizeof site->count);
    memset(site->room[0], 0, (size_t) squares);
    memset(site->room[1], 0, (size_t) squares);
    site->longest[0] = objectron_percent(state->width, setup->wall_length);
    site->longest[1] = objectron_percent(state->height, setup->wall_length);
    for (int32_t seat = 0; seat < state->seats; seat++)
        site->taken[state->player[seat].home] = 1;
    measure_area(site, 0, squares - 1);
}

void objectron_build_walls(const struct objectron_setup *setup, struct dice *dice,
                           struct objectron_state *state)
{
    struct site site; /* Not all of it is needed for a small grid. */
    int32_t     most = objectron_percent(objectron_squares(state), setup->wall_percent);
    site.state = state;
    site.dice = dice;
    prepare(&site, setup);
    uint64_t walls = 1 + draw_below_u64(dice, SETUP_STREAM, (uint64_t) (most / 2));
    for (int32_t built = 1; walls > 0 && most >= SHORTEST && built > 0; walls--) {
        built = build_one(&site, most);
        most -= built;
    }
}
