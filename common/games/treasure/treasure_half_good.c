/* treasure_half_good.c: what makes half a map a good one (R-H4 to R-H10), and making one. */
#include <assert.h>

#include "dice/draw.h"
#include "games/treasure/treasure_rules.h"

static void count_terrain(const struct treasure_setup *setup, const uint8_t *field,
                          uint32_t count[3])
{
    for (uint32_t i = 0; i < treasure_half_size(setup); i++)
        count[field[i]]++;
}

/* Water on an edge: `count` fields from `first`, `stride` apart. */
static uint32_t edge_water(const uint8_t *field, uint32_t first, uint32_t stride, uint32_t count)
{
    uint32_t water = 0;
    for (uint32_t i = 0; i < count; i++)
        water += field[first + i * stride] == TREASURE_WATER;
    return water;
}

static void count_edges(const struct treasure_setup *setup, const uint8_t *field, uint32_t edge[4])
{
    uint32_t w = setup->width, h = setup->height;
    edge[0] = edge_water(field, 0, 1, w);
    edge[1] = edge_water(field, (h - 1) * w, 1, w);
    edge[2] = edge_water(field, 0, w, h);
    edge[3] = edge_water(field, w - 1, w, h);
}

/* Most water on an edge: the first two are as long as the half is wide. */
static uint32_t edge_most(const struct treasure_setup *setup, uint32_t edge)
{
    bool is_long = (edge < 2) == (setup->width >= setup->height);
    return is_long ? setup->edge_long : setup->edge_short;
}

struct flood {
    const uint8_t *field;
    uint32_t       waiting;
    uint16_t       queue[TREASURE_FIELDS_MAX];
    uint8_t        wet[TREASURE_FIELDS_MAX]; /* Reached, or not to be reached. */
};

static void reach(struct flood *flood, uint32_t field)
{
    if (flood->wet[field])
        return;
    flood->wet[field] = 1;
    flood->queue[flood->waiting++] = (uint16_t) field;
}

/* Steps up, down, left and right. */
static void spread(struct flood *flood, uint32_t at, uint32_t width, uint32_t size)
{
    assert(width > 0);
    if (at % width > 0)
        reach(flood, at - 1);
    if (at % width < width - 1)
        reach(flood, at + 1);
    if (at >= width)
        reach(flood, at - width);
    if (at + width < size)
        reach(flood, at + width);
}

/* Whether all land hangs together under steps up, down, left and right. */
static bool is_one_region(const struct treasure_setup *setup, const uint8_t *field)
{
    struct flood flood = { .field = field, .waiting = 0 };
    uint32_t     w = setup->width, size = treasure_half_size(setup), land = 0, first = 0;

    for (uint32_t i = size; i-- > 0;) {
        flood.wet[i] = field[i] == TREASURE_WATER;
        first = flood.wet[i] ? first : i;
        land += !flood.wet[i];
    }
    if (land == 0)
        return true;
    reach(&flood, first);
    for (uint32_t done = 0; done < flood.waiting; done++)
        spread(&flood, flood.queue[done], w, size);
    return flood.waiting == land;
}

void treasure_count_half(const struct treasure_setup *setup, const struct treasure_half *half,
                         struct treasure_counts *counts)
{
    *counts = (struct treasure_counts){ 0 };
    count_terrain(setup, half->field, counts->terrain);
    count_edges(setup, half->field, counts->edge);
    counts->is_joined = is_one_region(setup, half->field);
}

void treasure_judge_half(const struct treasure_setup *setup, const struct treasure_half *half,
                         struct treasure_faults *faults)
{
    struct treasure_counts count;

    treasure_count_half(setup, half, &count);
    if (half->castles != 1 && !(half->castles == 0 && setup->castle_random))
        treasure_add_fault(faults, TREASURE_CASTLE_COUNT);
    if (half->misplaced > 0)
        treasure_add_fault(faults, TREASURE_CASTLE_NOT_ON_GRASS);
    if (count.terrain[TREASURE_MOUNTAIN] < setup->min_mountain)
        treasure_add_fault(faults, TREASURE_TOO_FEW_MOUNTAIN);
    if (count.terrain[TREASURE_GRASS] < setup->min_grass)
        treasure_add_fault(faults, TREASURE_TOO_FEW_GRASS);
    if (count.terrain[TREASURE_WATER] < setup->min_water)
        treasure_add_fault(faults, TREASURE_TOO_FEW_WATER);
    for (uint32_t i = 0; i < 4; i++)
        if (count.edge[i] > edge_most(setup, i))
            treasure_add_fault(faults, TREASURE_EDGE_TOP + i);
    if (!count.is_joined)
        treasure_add_fault(faults, TREASURE_ISLAND);
}

/* Making one, with some more water and mountains than need be where there is room. A random order
 * of the fields gives the first ones water, the next ones mountains, and the next one the castle.
 * This is done again and again until the half is a good one. Odd set-ups rarely have one by chance:
 * then water is put only where no edge and no region objects. */
#define SHUFFLES_MAX 64

struct wanted {
    uint32_t size, water, mountains;
};

static bool is_dry(const struct treasure_setup *setup, const uint8_t *field)
{
    uint32_t water[4];
    count_edges(setup, field, water);
    for (uint32_t i = 0; i < 4; i++)
        if (water[i] > edge_most(setup, i))
            return false;
    return is_one_region(setup, field);
}

/* Puts mountains and the castle onto grass, in order; returns the field of the castle. */
static int32_t raise_mountains(const uint16_t *order, const struct wanted *wanted, uint8_t *field)
{
    uint32_t mountains = 0;
    for (uint32_t i = 0; i < wanted->size; i++) {
        if (field[order[i]] != TREASURE_GRASS)
            continue;
        if (mountains == wanted->mountains)
            return order[i];
        field[order[i]] = TREASURE_MOUNTAIN;
        mountains++;
    }
    return TREASURE_NOWHERE;
}

static bool shuffle_water(const struct treasure_setup *setup, struct dice *dice, uint16_t *order,
                          const struct wanted *wanted, uint8_t *field)
{
    memset(field, TREASURE_GRASS, wanted->size);
    draw_shuffle(dice, order, wanted->size);
    for (uint32_t i = 0; i < wanted->water; i++)
        field[order[i]] = TREASURE_WATER;
    return is_dry(setup, field);
}

static bool place_water(const struct treasure_setup *setup, const uint16_t *order,
                        const struct wanted *wanted, uint8_t *field)
{
    uint32_t water = 0;
    memset(field, TREASURE_GRASS, wanted->size);
    for (uint32_t i = 0; i < wanted->size && water < wanted->water; i++) {
        field[order[i]] = TREASURE_WATER;
        if (is_dry(setup, field))
            water++;
        else
            field[order[i]] = TREASURE_GRASS;
    }
    return water >= setup->min_water;
}

/* Returns the field of the castle; TREASURE_NOWHERE: it did not come out. */
static int32_t build(const struct treasure_setup *setup, struct dice *dice, uint8_t *field)
{
    uint16_t      order[TREASURE_FIELDS_MAX];
    uint32_t      size = treasure_half_size(setup);
    uint32_t      least = setup->min_mountain + setup->min_grass + setup->min_water;
    bool          is_roomy = size > least + 3;
    struct wanted wanted = { size, setup->min_water + is_roomy,
                             setup->min_mountain + 2u * is_roomy };
    for (uint32_t i = 0; i < size; i++)
        order[i] = (uint16_t) i;
    for (uint32_t i = 0; i < SHUFFLES_MAX; i++)
        if (shuffle_water(setup, dice, order, &wanted, field))
            return raise_mountains(order, &wanted, field);
    if (!place_water(setup, order, &wanted, field))
        return TREASURE_NOWHERE;
    return raise_mountains(order, &wanted, field);
}

bool treasure_propose(const void *of_setup, const void *of_state, uint32_t seat, struct dice *dice,
                      struct command *command, uint8_t *text, uint32_t text_max)
{
    const struct treasure_setup *setup = of_setup;
    const struct treasure_state *state = of_state;
    uint8_t                      field[TREASURE_FIELDS_MAX];
    uint32_t                     size = treasure_half_size(setup);

    if (state->phase != TREASURE_HALVES || seat >= TREASURE_SEATS || state->seat[seat].has_half ||
        text_max < 2 * size)
        return false;
    int32_t castle = build(setup, dice, field);
    if (castle == TREASURE_NOWHERE)
        return false;
    for (uint32_t i = 0; i < size; i++) {
        text[2 * i] = '0';
        text[2 * i + 1] = (uint8_t) ((int32_t) i == castle ? '0' : '1' + field[i]);
    }
    *command =
        (struct command){ .kind = TREASURE_SUBMIT_HALF, .text_size = 2 * size, .text = text };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    return true;
}
