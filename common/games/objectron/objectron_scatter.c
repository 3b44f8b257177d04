/* objectron_scatter.c: places items by dice. */
#include <string.h>

#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define SETUP_STREAM 0
#define GRENADE_RADIUS 2
#define DISC_RADIUS 3
#define FAIR_DIFFERENCE 2

/* Where items may lie, and where one of the kind at hand lies already. */
struct meadow {
    struct objectron_state *state;
    struct dice            *dice;
    int32_t                 count; /* Candidates.                      */
    uint8_t                 open[OBJECTRON_SQUARES_MAX];
    uint8_t                 used[OBJECTRON_SQUARES_MAX];
};

static void find_open(struct meadow *meadow)
{
    for (int32_t at = objectron_squares(meadow->state) - 1; at >= 0; at--)
        meadow->open[at] = objectron_free(meadow->state, at);
    for (int32_t seat = 0; seat < meadow->state->seats; seat++)
        meadow->open[meadow->state->player[seat].home] = 0;
    for (int32_t at = objectron_squares(meadow->state) - 1; at >= 0; at--)
        meadow->count += meadow->open[at];
}

/* Whether a square is no further than `radius` from another; 0: everything is. */
static bool is_near(const struct meadow *meadow, int32_t from, int32_t to, int32_t radius)
{
    int32_t width = meadow->state->width;
    int32_t dx = from % width - to % width, dy = from / width - to / width;
    return radius == 0 || (dx >= -radius && dx <= radius && dy >= -radius && dy <= radius);
}

static bool is_candidate(const struct meadow *meadow, int32_t at, int32_t home, int32_t radius)
{
    return meadow->open[at] && !meadow->used[at] && is_near(meadow, at, home, radius);
}

/* Draws one of the unused squares around `home` and puts an item there; -1: there is none. */
static int32_t put_one(struct meadow *meadow, uint32_t kind, int32_t home, int32_t radius)
{
    struct objectron_state *state = meadow->state;
    uint64_t                candidates = 0;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        candidates += is_candidate(meadow, at, home, radius);
    if (candidates == 0)
        return -1;
    uint64_t k = draw_below_u64(meadow->dice, SETUP_STREAM, candidates);
    int32_t  at = 0;
    while (!is_candidate(meadow, at, home, radius) || k-- > 0)
        at++;
    meadow->used[at] = 1;
    objectron_add_item(state, state->items + 1, kind, at);
    return at;
}

static bool has_one_near(const struct meadow *meadow, int32_t home, int32_t radius)
{
    for (int32_t at = 0; at < objectron_squares(meadow->state); at++)
        if (meadow->used[at] && is_near(meadow, at, home, radius))
            return true;
    return false;
}

/* One near every player, and then anywhere until there are enough. */
static void put_fairly(struct meadow *meadow, uint32_t kind, int32_t wanted, int32_t radius)
{
    int32_t placed = 0;
    memset(meadow->used, 0, sizeof meadow->used);
    for (int32_t seat = 0; seat < meadow->state->seats; seat++) {
        int32_t home = meadow->state->player[seat].home;
        if (!has_one_near(meadow, home, radius) && put_one(meadow, kind, home, radius) >= 0)
            placed++;
    }
    while (placed < wanted && put_one(meadow, kind, 0, 0) >= 0)
        placed++;
}

static void put_many(struct meadow *meadow, uint32_t kind, int32_t wanted)
{
    memset(meadow->used, 0, sizeof meadow->used);
    for (int32_t placed = 0; placed < wanted; placed++)
        if (put_one(meadow, kind, 0, 0) < 0)
            return;
}

static void put_teleporters(struct meadow *meadow, int32_t wanted)
{
    struct objectron_state *state = meadow->state;
    int32_t                 first = state->items;
    int32_t                 count = wanted < meadow->count ? wanted : meadow->count;
    if (count < 2)
        count = 0;
    put_many(meadow, OBJECTRON_TELEPORTER, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t other =
            (int32_t) draw_below_u64(meadow->dice, SETUP_STREAM, (uint64_t) (count - 1));
        objectron_items(state)[first + i].dest = (int16_t) (first + other + (other >= i));
    }
}

/* How far each free square is from a start. */
static void measure(const struct objectron_state *state, int32_t home, int16_t *steps)
{
    int16_t queue[OBJECTRON_SQUARES_MAX];
    int32_t head = 0, tail = 0;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        steps[at] = -1;
    steps[home] = 0;
    queue[tail++] = (int16_t) home;
    while (head < tail) {
        int32_t from = queue[head++];
        for (uint32_t dir = 0; dir < 8; dir++) {
            int32_t to = objectron_step(state, from, dir);
            if (to < 0 || !objectron_free(state, to) || steps[to] >= 0)
                continue;
            steps[to] = (int16_t) (steps[from] + 1);
            queue[tail++] = (int16_t) to;
        }
    }
}

/* The charged disc lies about as far from one player as from any other, and on no teleporter. */
static void put_charged(struct meadow *meadow)
{
    struct objectron_state *state = meadow->state;
    int16_t                 steps[OBJECTRON_SQUARES_MAX];
    int16_t                 nearest[OBJECTRON_SQUARES_MAX] = { 0 };
    int16_t                 farthest[OBJECTRON_SQUARES_MAX] = { 0 };
    for (int32_t seat = 0; seat < state->seats; seat++) {
        measure(state, state->player[seat].home, steps);
        for (int32_t at = 0; at < objectron_squares(state); at++) {
            if (seat == 0 || steps[at] < nearest[at])
                nearest[at] = steps[at];
            if (seat == 0 || steps[at] > farthest[at])
                farthest[at] = steps[at];
        }
    }
    for (int32_t at = 0; at < objectron_squares(state); at++)
        meadow->used[at] = farthest[at] - nearest[at] > FAIR_DIFFERENCE ||
                           objectron_lying(state, at, OBJECTRON_TELEPORTER) >= 0;
    put_one(meadow, OBJECTRON_CHARGED_DISC, 0, 0);
}

void objectron_scatter(const struct objectron_setup *setup, struct dice *dice,
                       struct objectron_state *state)
{
    struct meadow meadow = { .state = state, .dice = dice };
    int32_t       squares = setup->squares;
    find_open(&meadow);
    put_fairly(&meadow, OBJECTRON_GRENADE, objectron_percent(squares, setup->grenade_percent),
               GRENADE_RADIUS);
    put_fairly(&meadow, OBJECTRON_DISC, objectron_percent(squares, setup->disc_percent),
               DISC_RADIUS);
    put_teleporters(&meadow, objectron_percent(squares, setup->teleporter_percent));
    put_many(&meadow, OBJECTRON_GENERATOR, objectron_percent(squares, setup->generator_percent));
    if (setup->charged)
        put_charged(&meadow);
}
