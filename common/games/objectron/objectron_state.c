/* objectron_state.c: questions about squares, and about what lies and stands on them. */
#include "games/objectron/objectron_state.h"

static const int8_t columns[8] = { 0, 1, 1, 1, 0, -1, -1, -1 };
static const int8_t rows[8] = { -1, -1, 0, 1, 1, 1, 0, -1 };

int32_t objectron_dx(uint32_t dir)
{
    return columns[dir & 7];
}

int32_t objectron_dy(uint32_t dir)
{
    return rows[dir & 7];
}

int32_t objectron_beside(const struct objectron_state *state, int32_t square, int32_t dx,
                         int32_t dy)
{
    int32_t x = square % state->width + dx, y = square / state->width + dy;
    if (x < 0 || y < 0 || x >= state->width || y >= state->height)
        return -1;
    return y * state->width + x;
}

int32_t objectron_step(const struct objectron_state *state, int32_t square, uint32_t dir)
{
    return objectron_beside(state, square, objectron_dx(dir), objectron_dy(dir));
}

void objectron_around(const struct objectron_state *state, int32_t square, int32_t around[8])
{
    int32_t width = state->width, x = square % width, y = square / width;
    if (x > 0 && y > 0 && x < width - 1 && y < state->height - 1) { /* The many, quickly. */
        for (uint32_t dir = 0; dir < 8; dir++)
            around[dir] = square + rows[dir] * width + columns[dir];
        return;
    }
    for (uint32_t dir = 0; dir < 8; dir++) {
        int32_t to_x = x + columns[dir], to_y = y + rows[dir];
        bool    inside = to_x >= 0 && to_y >= 0 && to_x < width && to_y < state->height;
        around[dir] = inside ? to_y * width + to_x : -1;
    }
}

/* Items stand in order of their ids. */
int32_t objectron_item_of(const struct objectron_state *state, word id)
{
    const struct objectron_item *item = objectron_items(state);
    int32_t                      from = 0, to = state->items;
    while (from < to) {
        int32_t middle = (from + to) / 2;
        if (item[middle].id == id)
            return middle;
        if (item[middle].id < id)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}

int32_t objectron_lying(const struct objectron_state *state, int32_t square, uint32_t kind)
{
    const struct objectron_item *item = objectron_items(state);
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].kind == kind && item[i].state != OBJECTRON_ACTIVE && item[i].at == square)
            return i;
    return -1;
}

int32_t objectron_active(const struct objectron_state *state, int32_t square)
{
    const struct objectron_item *item = objectron_items(state);
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].state == OBJECTRON_ACTIVE && item[i].at == square)
            return i;
    return -1;
}

int32_t objectron_carried_flag(const struct objectron_state *state, uint32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    for (uint32_t i = 0; i < player->carried; i++)
        if (objectron_items(state)[player->inventory[i]].kind == OBJECTRON_FLAG)
            return player->inventory[i];
    return -1;
}

int32_t objectron_player_on(const struct objectron_state *state, int32_t square)
{
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (state->player[seat].alive && state->player[seat].at == square)
            return seat;
    return -1;
}

bool objectron_dark(const struct objectron_state *state, int32_t square)
{
    const struct objectron_failure *failure = objectron_failures(state);
    for (int32_t i = 0; i < state->failures; i++)
        if (failure[i].primary == square || failure[i].secondary == square ||
            failure[i].tertiary == square)
            return true;
    return false;
}

/* Fields. */

bool objectron_charged(const struct objectron_state *state, int32_t square)
{
    const struct objectron_field *field = objectron_fields(state);
    for (int32_t i = 0; i < state->fields; i++)
        if (field[i].on && objectron_field_covers(&field[i], square))
            return true;
    return false;
}

uint32_t objectron_caught(const struct objectron_state *state, const struct objectron_field *field)
{
    uint32_t caught = 0;
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (state->player[seat].alive && objectron_field_covers(field, state->player[seat].at))
            caught |= 1u << seat;
    return caught;
}
