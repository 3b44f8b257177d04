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

int32_t objectron_item_of(const struct objectron_state *state, word id)
{
    const struct objectron_item *item = objectron_items(state);
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].id == id)
            return i;
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

static int32_t distance(int32_t from, int32_t to)
{
    return from < to ? to - from : from - to;
}

static int32_t sign(int32_t number)
{
    return (number > 0) - (number < 0);
}

static int32_t end_of(const struct objectron_state *state, uint16_t generator)
{
    return objectron_items(state)[generator].at;
}

uint32_t objectron_field_length(const struct objectron_state *state,
                                const struct objectron_field *field)
{
    int32_t a = end_of(state, field->a), b = end_of(state, field->b);
    int32_t across = distance(a % state->width, b % state->width);
    int32_t down = distance(a / state->width, b / state->width);
    return (uint32_t) (across > down ? across : down) + 1;
}

int32_t objectron_field_square(const struct objectron_state *state,
                               const struct objectron_field *field, uint32_t index)
{
    int32_t a = end_of(state, field->a), b = end_of(state, field->b);
    int32_t across = sign(b % state->width - a % state->width);
    int32_t down = sign(b / state->width - a / state->width);
    return a + (int32_t) index * (down * state->width + across);
}

bool objectron_field_covers(const struct objectron_state *state,
                            const struct objectron_field *field, int32_t square)
{
    uint32_t length = objectron_field_length(state, field);
    for (uint32_t i = 0; i < length; i++)
        if (objectron_field_square(state, field, i) == square)
            return true;
    return false;
}

bool objectron_charged(const struct objectron_state *state, int32_t square)
{
    const struct objectron_field *field = objectron_fields(state);
    for (int32_t i = 0; i < state->fields; i++)
        if (field[i].on && objectron_field_covers(state, &field[i], square))
            return true;
    return false;
}

uint32_t objectron_caught(const struct objectron_state *state, const struct objectron_field *field)
{
    uint32_t caught = 0;
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (state->player[seat].alive &&
            objectron_field_covers(state, field, state->player[seat].at))
            caught |= 1u << seat;
    return caught;
}
