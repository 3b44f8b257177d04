/* objectron_scatter.c: places items by dice. */
#include <string.h>

#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define SETUP_STREAM 0
#define GRENADE_RADIUS 2
#define DISC_RADIUS 3

/* Where items may lie. `vacant` are the squares on which none of the kind at hand lies yet. They
 * are counted by rows, so that one of them is found without counting all. */
struct meadow {
    struct objectron_state *state;
    struct dice            *dice;
    uint8_t                 open[OBJECTRON_SQUARES_MAX];
    uint8_t                 vacant[OBJECTRON_SQUARES_MAX];
    int32_t                 vacant_in[OBJECTRON_SIDE_MAX];
};

/* A part of the grid, in columns and rows, the last ones included. */
struct area {
    int32_t left, top, right, bottom;
};

static void find_open(struct meadow *meadow)
{
    const struct objectron_state *state = meadow->state;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        meadow->open[at] = objectron_free(state, at);
    for (int32_t seat = 0; seat < state->seats; seat++)
        meadow->open[state->player[seat].home] = 0;
}

static void count_rows(struct meadow *meadow)
{
    for (int32_t y = 0, at = 0; y < meadow->state->height; y++) {
        meadow->vacant_in[y] = 0;
        for (int32_t x = 0; x < meadow->state->width; x++)
            meadow->vacant_in[y] += meadow->vacant[at++];
    }
}

/* None of the next kind lies anywhere yet. */
static void begin_kind(struct meadow *meadow)
{
    memcpy(meadow->vacant, meadow->open, (size_t) objectron_squares(meadow->state));
    count_rows(meadow);
}

static struct area everywhere(const struct objectron_state *state)
{
    return (struct area){ 0, 0, state->width - 1, state->height - 1 };
}

static int32_t within(int32_t value, int32_t last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

static struct area around(const struct objectron_state *state, int32_t square, int32_t radius)
{
    int32_t     x = square % state->width, y = square / state->width;
    struct area all = everywhere(state);
    return (struct area){ within(x - radius, all.right), within(y - radius, all.bottom),
                          within(x + radius, all.right), within(y + radius, all.bottom) };
}

static int32_t vacant_in_row(const struct meadow *meadow, const struct area *area, int32_t y)
{
    const uint8_t *row = &meadow->vacant[y * meadow->state->width];
    int32_t        count = 0;
    if (area->left == 0 && area->right == meadow->state->width - 1)
        return meadow->vacant_in[y];
    for (int32_t x = area->left; x <= area->right; x++)
        count += row[x];
    return count;
}

static int32_t count_vacant(const struct meadow *meadow, const struct area *area)
{
    int32_t count = 0;
    for (int32_t y = area->top; y <= area->bottom; y++)
        count += vacant_in_row(meadow, area, y);
    return count;
}

/* The k-th vacant square of an area, in order of rows; there is one. */
static int32_t find_vacant(const struct meadow *meadow, const struct area *area, int32_t k)
{
    int32_t y = area->top;
    for (int32_t here; k >= (here = vacant_in_row(meadow, area, y)); y++)
        k -= here;
    int32_t at = y * meadow->state->width + area->left;
    while (!meadow->vacant[at] || k-- > 0)
        at++;
    return at;
}

/* Draws one of the vacant squares of an area and puts an item there; false: there is none. */
static bool put_one(struct meadow *meadow, uint32_t kind, const struct area *area)
{
    struct objectron_state *state = meadow->state;
    int32_t                 candidates = count_vacant(meadow, area);
    if (candidates == 0)
        return false;
    uint64_t k = draw_below_u64(meadow->dice, SETUP_STREAM, (uint64_t) candidates);
    int32_t  at = find_vacant(meadow, area, (int32_t) k);
    meadow->vacant[at] = 0;
    meadow->vacant_in[at / state->width]--;
    objectron_add_item(state, state->items + 1, kind, at);
    return true;
}

static bool has_one(const struct meadow *meadow, const struct area *area)
{
    for (int32_t y = area->top; y <= area->bottom; y++)
        for (int32_t x = area->left; x <= area->right; x++) {
            int32_t at = y * meadow->state->width + x;
            if (meadow->open[at] && !meadow->vacant[at])
                return true;
        }
    return false;
}

/* Anywhere, until there are enough or no room is left; how many there are then. */
static int32_t fill(struct meadow *meadow, uint32_t kind, int32_t placed, int32_t wanted)
{
    struct area all = everywhere(meadow->state);
    while (placed < wanted && put_one(meadow, kind, &all))
        placed++;
    return placed;
}

/* One near every player, and then anywhere. */
static void put_fairly(struct meadow *meadow, uint32_t kind, int32_t wanted, int32_t radius)
{
    int32_t placed = 0;
    begin_kind(meadow);
    for (int32_t seat = 0; seat < meadow->state->seats; seat++) {
        struct area near = around(meadow->state, meadow->state->player[seat].home, radius);
        if (!has_one(meadow, &near) && put_one(meadow, kind, &near))
            placed++;
    }
    fill(meadow, kind, placed, wanted);
}

static void put_many(struct meadow *meadow, uint32_t kind, int32_t wanted)
{
    begin_kind(meadow);
    fill(meadow, kind, 0, wanted);
}

/* One alone would lead nowhere. */
static void put_teleporters(struct meadow *meadow, int32_t wanted)
{
    struct objectron_state *state = meadow->state;
    struct area             all = everywhere(state);
    int32_t                 first = state->items;
    begin_kind(meadow);
    if (wanted < 2 || count_vacant(meadow, &all) < 2)
        return;
    int32_t count = fill(meadow, OBJECTRON_TELEPORTER, 0, wanted);
    for (int32_t i = 0; i < count; i++) {
        int32_t other =
            (int32_t) draw_below_u64(meadow->dice, SETUP_STREAM, (uint64_t) (count - 1));
        objectron_items(state)[first + i].dest = (int16_t) (first + other + (other >= i));
    }
}

/* The charged disc lies about as far from one player as from any other, and on no teleporter. */
static void put_charged(struct meadow *meadow)
{
    struct objectron_state *state = meadow->state;
    struct area             all = everywhere(state);
    objectron_mark_fair(state, meadow->vacant);
    for (int32_t at = 0; at < objectron_squares(state); at++)
        meadow->vacant[at] &= meadow->open[at];
    for (int32_t i = 0; i < state->items; i++)
        if (objectron_items(state)[i].kind == OBJECTRON_TELEPORTER)
            meadow->vacant[objectron_items(state)[i].at] = 0;
    count_rows(meadow);
    put_one(meadow, OBJECTRON_CHARGED_DISC, &all);
}

void objectron_scatter(const struct objectron_setup *setup, struct dice *dice,
                       struct objectron_state *state)
{
    struct meadow meadow; /* Not all of it is needed for a small grid. */
    int32_t       squares = setup->squares;
    meadow.state = state;
    meadow.dice = dice;
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
