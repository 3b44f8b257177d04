/* treasure_map.c: two halves become one map, with its castles, treasures and masks.
 *
 * All draws of a match are made here, in the order of R-M4. It is layout, order, a missing castle
 * of each seat, the treasure of each, and then the masks of each snapshot. */
#include "dice/draw.h"
#include "games/treasure/treasure_rules.h"

void treasure_origin(const struct treasure_setup *setup, const struct treasure_state *state,
                     uint32_t seat, int32_t *x, int32_t *y)
{
    bool second = seat != (uint32_t) state->first;
    *x = second && state->side ? (int32_t) setup->width : 0;
    *y = second && !state->side ? (int32_t) setup->height : 0;
}

uint32_t treasure_terrain(const struct treasure_setup *setup, const struct treasure_state *state,
                          int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= treasure_columns(setup, state) || y >= treasure_rows(setup, state))
        return TREASURE_OUTSIDE;
    bool     second = state->side ? x >= setup->width : y >= setup->height;
    uint32_t seat = (uint32_t) state->first ^ (second ? 1u : 0u);
    int64_t  column = state->side && second ? x - setup->width : x;
    int64_t  row = !state->side && second ? y - setup->height : y;
    return treasure_field(setup, state, seat)[row * setup->width + column];
}

bool treasure_is_masked(const struct treasure_setup *setup, const struct treasure_state *state)
{
    return state->phase == TREASURE_MOVES && (uint32_t) state->n < setup->mask_actions;
}

/* The k-th field of a half that is grass and at least `distance` king moves from the castle. For k
 * too large: how many there are. */
static uint32_t find_grass(const struct treasure *at, uint32_t seat, int32_t castle,
                           uint32_t distance, uint32_t k, uint32_t *found)
{
    const uint8_t *field = treasure_field(at->setup, at->state, seat);
    int32_t        width = (int32_t) at->setup->width;
    uint32_t       count = 0;
    for (int32_t i = 0; i < (int32_t) treasure_half_size(at->setup); i++) {
        int32_t  across = i % width - castle % width, down = i / width - castle / width;
        uint32_t columns = (uint32_t) (across < 0 ? -across : across);
        uint32_t rows = (uint32_t) (down < 0 ? -down : down);
        if (field[i] != TREASURE_GRASS || (columns > rows ? columns : rows) < distance)
            continue;
        if (count++ == k)
            *found = (uint32_t) i;
    }
    return count;
}

/* A grass field of the half, as R-M4 and R-T1 draw it; without candidates it may be nearer. */
static uint32_t draw_grass(struct treasure *at, uint32_t seat, int32_t castle, uint32_t distance)
{
    uint32_t found = 0;
    uint32_t count = find_grass(at, seat, castle, distance, UINT32_MAX, &found);
    while (count == 0 && distance > 0)
        count = find_grass(at, seat, castle, --distance, UINT32_MAX, &found);
    assert(count > 0); /* A half has at least two fields of grass. */
    (void) find_grass(at, seat, castle, distance, draw_below(at->dice, count), &found);
    return found;
}

static void place_castle(struct treasure *at, uint32_t seat)
{
    struct treasure_seat *player = &at->state->seat[seat];
    int32_t               width = (int32_t) at->setup->width, left, top;
    int32_t               castle = player->given;

    if (castle == TREASURE_NOWHERE)
        castle = (int32_t) draw_grass(at, seat, 0, 0);
    treasure_origin(at->setup, at->state, seat, &left, &top);
    player->castle_x = player->x = left + castle % width;
    player->castle_y = player->y = top + castle / width;
    int32_t columns = treasure_columns(at->setup, at->state);
    treasure_explored(at->setup, at->state, seat)[player->y * columns + player->x] = 1;
}

static void hide_treasure(struct treasure *at, uint32_t seat)
{
    struct treasure_seat *player = &at->state->seat[seat];
    int32_t               width = (int32_t) at->setup->width, left, top;

    treasure_origin(at->setup, at->state, seat, &left, &top);
    int32_t castle = (player->castle_y - top) * width + player->castle_x - left;
    int32_t found = (int32_t) draw_grass(at, seat, castle, at->setup->treasure_distance);
    player->treasure_x = left + found % width;
    player->treasure_y = top + found / width;
}

void treasure_merge(struct treasure *at)
{
    const struct treasure_setup *setup = at->setup;
    struct treasure_state       *state = at->state;

    state->side = setup->layout == TREASURE_SIDE_BY_SIDE;
    if (setup->layout == TREASURE_RANDOM_LAYOUT)
        state->side = (int32_t) dice_bits(at->dice, 1);
    if (setup->order_random)
        state->first = (int32_t) dice_bits(at->dice, 1);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        place_castle(at, seat);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++)
        hide_treasure(at, seat);
    state->merged = 1;
    state->phase = TREASURE_MOVES;
    treasure_draw_masks(at);
}

/* The k-th field in reading order that is not water, and how many there are. */
static uint32_t find_land(const struct treasure *at, uint32_t k, int32_t *found_x, int32_t *found_y)
{
    uint32_t count = 0;
    for (int32_t y = 0; y < treasure_rows(at->setup, at->state); y++)
        for (int32_t x = 0; x < treasure_columns(at->setup, at->state); x++) {
            if (treasure_terrain(at->setup, at->state, x, y) == TREASURE_WATER)
                continue;
            if (count++ == k) {
                *found_x = x;
                *found_y = y;
            }
        }
    return count;
}

static void show_figures(struct treasure *at)
{
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        struct treasure_seat *player = &at->state->seat[seat];
        player->shown = 1;
        player->shown_x = player->x;
        player->shown_y = player->y;
        player->shown_after = at->state->n;
    }
}

/* R-V5. Without this the first answer would tell where the castle is. */
void treasure_draw_masks(struct treasure *at)
{
    if ((uint32_t) at->state->n == at->setup->mask_actions)
        show_figures(at);
    if (!treasure_is_masked(at->setup, at->state))
        return;
    int32_t  x = 0, y = 0;
    uint32_t land = find_land(at, UINT32_MAX, &x, &y);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        struct treasure_seat *player = &at->state->seat[seat];
        (void) find_land(at, draw_below(at->dice, land), &player->enemy_x, &player->enemy_y);
    }
}
