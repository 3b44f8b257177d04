/* objectron_drawn_conform.c: judges walls and items that the dice made, without asking who made them. */
#include <stdlib.h>
#include <string.h>

#include "games/objectron/conform/objectron_conform.h"

static bool is_wall(const struct objectron_state *state, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < state->width && y < state->height &&
           objectron_cells(state)[y * state->width + x] == OBJECTRON_WALL;
}

/* Walls are straight, at least two long, and touch nothing but themselves. */
static const char *judge_wall_square(const struct objectron_state *state, int32_t x, int32_t y)
{
    bool across = is_wall(state, x - 1, y) || is_wall(state, x + 1, y);
    bool down = is_wall(state, x, y - 1) || is_wall(state, x, y + 1);
    if (across == down)
        return across ? "walls touch" : "a wall is one square long";
    for (int32_t dx = -1; dx <= 1; dx += 2)
        for (int32_t dy = -1; dy <= 1; dy += 2)
            if (is_wall(state, x + dx, y + dy))
                return "walls touch at a corner";
    return NULL;
}

static int32_t run_from(const struct objectron_state *state, int32_t x, int32_t y, int32_t dx)
{
    int32_t length = 0;
    while (is_wall(state, x + dx * length, y + (1 - dx) * length))
        length++;
    return length;
}

static const char *judge_walls(const struct objectron_setup *setup,
                               const struct objectron_state *state)
{
    int32_t     most = objectron_percent(objectron_squares(state), setup->wall_percent);
    int32_t     walls = 0, squares = objectron_squares(state);
    const char *broken = NULL;
    for (int32_t at = 0; broken == NULL && at < squares; at++) {
        int32_t x = at % state->width, y = at / state->width;
        if (objectron_cell(state, at) == OBJECTRON_HOLE)
            return "there is a hole";
        if (!is_wall(state, x, y))
            continue;
        walls++;
        broken = judge_wall_square(state, x, y);
        if (run_from(state, x, y, 1) > objectron_percent(state->width, setup->wall_length) ||
            run_from(state, x, y, 0) > objectron_percent(state->height, setup->wall_length))
            return "a wall is too long for its side";
    }
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (!objectron_free(state, state->player[seat].home))
            return "a wall is on a start";
    if (walls == 0 || walls > most)
        return "there are no walls, or too many";
    return broken;
}

static int32_t count_kind(const struct objectron_state *state, uint32_t kind)
{
    int32_t count = 0;
    for (int32_t i = 0; i < state->items; i++)
        count += objectron_items(state)[i].kind == kind;
    return count;
}

static const char *judge_item(const struct objectron_state *state, int32_t index)
{
    const struct objectron_item *item = &objectron_items(state)[index];
    if (item->kind == OBJECTRON_FLAG)
        return item->at == state->player[item->owner].home ? NULL : "a flag is not at home";
    if (!objectron_free(state, item->at))
        return "an item is on no free square";
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (state->player[seat].home == item->at)
            return "an item is on a start";
    if (objectron_lying(state, item->at, item->kind) != index)
        return "two of a kind are on one square";
    if (item->kind == OBJECTRON_TELEPORTER &&
        (item->dest == index || objectron_items(state)[item->dest].kind != OBJECTRON_TELEPORTER))
        return "a teleporter leads nowhere";
    if (item->kind == OBJECTRON_CHARGED_DISC &&
        objectron_lying(state, item->at, OBJECTRON_TELEPORTER) >= 0)
        return "the charged disc is on a teleporter";
    return NULL;
}

static int32_t size_of(int32_t number)
{
    return number < 0 ? -number : number;
}

/* Whether a kind lies in a player's area, or nothing can lie there. */
static bool is_served(const struct objectron_state *state, int32_t home, uint32_t kind,
                      int32_t radius)
{
    bool room = false;
    for (int32_t at = 0; at < objectron_squares(state); at++) {
        int32_t dx = size_of(at % state->width - home % state->width);
        int32_t dy = size_of(at / state->width - home / state->width);
        if (dx > radius || dy > radius || !objectron_free(state, at))
            continue;
        bool start = false;
        for (int32_t seat = 0; seat < state->seats; seat++)
            start = start || state->player[seat].home == at;
        room = room || !start;
        if (objectron_lying(state, at, kind) >= 0)
            return true;
    }
    return !room;
}

static int32_t percent(const struct objectron_state *state, int32_t of_hundred)
{
    int32_t squares = 0;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        squares += objectron_in_grid(state, at);
    return (squares * of_hundred + 99) / 100;
}

static int32_t at_least(int32_t count, int32_t least)
{
    return count < least ? least : count;
}

static const char *judge_counts(const struct objectron_setup *setup,
                                const struct objectron_state *state)
{
    int32_t grenades = at_least(percent(state, setup->grenade_percent), state->seats);
    int32_t discs = at_least(percent(state, setup->disc_percent), state->seats);
    int32_t teleporters = count_kind(state, OBJECTRON_TELEPORTER);
    if (count_kind(state, OBJECTRON_GRENADE) > grenades ||
        count_kind(state, OBJECTRON_DISC) > discs)
        return "there are too many grenades or discs";
    if (teleporters > percent(state, setup->teleporter_percent) || teleporters == 1)
        return "there are too many teleporters, or a lone one";
    if (count_kind(state, OBJECTRON_GENERATOR) > percent(state, setup->generator_percent))
        return "there are too many generators";
    if (count_kind(state, OBJECTRON_CHARGED_DISC) > setup->charged)
        return "there is more than one charged disc";
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (!is_served(state, state->player[seat].home, OBJECTRON_GRENADE, 2) ||
            !is_served(state, state->player[seat].home, OBJECTRON_DISC, 3))
            return "a player has no grenade or no disc near";
    return NULL;
}

const char *objectron_judge_drawn(const struct objectron_table *table, const char *check)
{
    const struct objectron_state *state = table->state;
    const char                   *broken = NULL;
    if (strcmp(check, "walls") == 0)
        return judge_walls(table->setup, state);
    if (strcmp(check, "no_charged") == 0)
        return count_kind(state, OBJECTRON_CHARGED_DISC) > 0 ? "there is a charged disc" : NULL;
    if (strcmp(check, "items") != 0)
        return strcmp(check, "deterministic") == 0 ? NULL : "there is no such check";
    for (int32_t i = 0; broken == NULL && i < state->items; i++)
        broken = judge_item(state, i);
    return broken != NULL ? broken : judge_counts(table->setup, state);
}
