/* objectron_fields.c: force fields come into being, switch, hold and kill. */
#include "games/objectron/objectron_rules.h"

#define REACH 3
#define PERIOD 2

static int32_t size_of(int32_t number)
{
    return number < 0 ? -number : number;
}

/* How a field goes from one generator to another: they are in one row, column or diagonal and near enough,
 * or this is false. */
static bool span(const struct objectron_state *state, int32_t from, int32_t to,
                 struct objectron_field *field)
{
    int32_t dx = to % state->width - from % state->width;
    int32_t dy = to / state->width - from / state->width;
    int32_t longer = size_of(dx) > size_of(dy) ? size_of(dx) : size_of(dy);
    if ((dx != 0 && dy != 0 && size_of(dx) != size_of(dy)) || longer > REACH || longer == 0)
        return false;
    field->from = (int16_t) from;
    field->step = (int8_t) ((dy * state->width + dx) / longer);
    field->length = (uint8_t) (longer + 1);
    return true;
}

/* Whether two generators have a field, which is filled in: both lie on the grid, and nothing but free
 * squares between them. Who is carried is at -1, a hole. */
static bool is_pair(const struct objectron_state *state, uint32_t a, uint32_t b,
                    struct objectron_field *field)
{
    const struct objectron_item *item = objectron_items(state);
    *field = (struct objectron_field){ .a = (uint16_t) a, .b = (uint16_t) b };
    if (!span(state, item[a].at, item[b].at, field))
        return false;
    for (uint32_t i = 0; i < field->length; i++)
        if (!objectron_free(state, objectron_field_square(field, i)))
            return false;
    return true;
}

static void add(struct objectron_state *state, struct objectron_field *field)
{
    assert(state->fields < state->fields_most);
    field->id = state->next_field++;
    objectron_fields(state)[state->fields++] = *field;
}

void objectron_connect_all(struct objectron_state *state)
{
    const struct objectron_item *item = objectron_items(state);
    struct objectron_field       field;
    for (uint32_t a = 0; a < (uint32_t) state->items; a++)
        for (uint32_t b = a + 1; item[a].kind == OBJECTRON_GENERATOR && b < (uint32_t) state->items;
             b++)
            if (item[b].kind == OBJECTRON_GENERATOR && is_pair(state, a, b, &field))
                add(state, &field);
}

static void say_created(struct objectron *o, const struct objectron_field *field)
{
    const struct objectron_state *state = o->state;
    sink_open(o->out, TO_ALL, OBJECTRON_FIELD_CREATED);
    sink_put(o->out, field->id);
    sink_put(o->out, objectron_items(state)[field->a].id);
    sink_put(o->out, objectron_items(state)[field->b].id);
    sink_put(o->out, field->length);
    for (uint32_t i = 0; i < field->length; i++) {
        int32_t square = objectron_field_square(field, i);
        sink_put(o->out, square % state->width);
        sink_put(o->out, square / state->width);
    }
    sink_close(o->out);
}

void objectron_connect(struct objectron *o, int32_t generator)
{
    struct objectron_state      *state = o->state;
    const struct objectron_item *item = objectron_items(state);
    struct objectron_field       field;
    uint32_t                     own = (uint32_t) generator;
    o->fresh = state->next_field;
    for (uint32_t other = 0; other < (uint32_t) state->items; other++) {
        uint32_t first = other < own ? other : own;
        if (other == own || item[other].kind != OBJECTRON_GENERATOR ||
            !is_pair(state, first, other + own - first, &field))
            continue;
        add(state, &field);
        say_created(o, &field);
    }
}

/* Tells who is held now and was not, and the other way round. */
static void settle_held(struct objectron *o)
{
    struct objectron_state *state = o->state;
    uint32_t                held = 0;
    for (int32_t i = 0; i < state->fields; i++)
        if (objectron_fields(state)[i].on)
            held |= objectron_caught(state, &objectron_fields(state)[i]);
    for (int32_t seat = 0; seat < state->seats; seat++) {
        const struct objectron_player *player = &state->player[seat];
        if (((held ^ state->held) >> seat & 1) != 0)
            SAY(o, held >> seat & 1 ? OBJECTRON_PLAYER_HELD : OBJECTRON_PLAYER_RELEASED, seat,
                SQUARE(state, player->at));
    }
    state->held = held;
}

void objectron_disconnect(struct objectron *o, int32_t generator)
{
    struct objectron_state *state = o->state;
    struct objectron_field *field = objectron_fields(state);
    int32_t                 kept = 0;
    for (int32_t i = 0; i < state->fields; i++) {
        if (field[i].a != generator && field[i].b != generator)
            field[kept++] = field[i];
        else
            SAY(o, OBJECTRON_FIELD_REMOVED, field[i].id);
    }
    for (int32_t i = kept; i < state->fields; i++)
        field[i] = (struct objectron_field){ 0 };
    state->fields = kept;
    settle_held(o);
}

/* Counts an action; returns who is caught for the second time. */
static uint32_t tick(struct objectron *o, struct objectron_field *field)
{
    if (field->id >= o->fresh)
        return 0;
    field->counter++;
    if (field->counter < PERIOD)
        return 0;
    field->counter = 0;
    field->on = !field->on;
    SAY(o, OBJECTRON_FIELD_SWITCHED, field->id, field->on);
    if (!field->on)
        return 0;
    uint32_t caught = objectron_caught(o->state, field);
    uint32_t again = caught & field->trapped;
    field->trapped = (uint16_t) caught;
    return again;
}

void objectron_fields_tick(struct objectron *o)
{
    uint32_t again = 0;
    for (int32_t i = 0; i < o->state->fields; i++)
        again |= tick(o, &objectron_fields(o->state)[i]);
    settle_held(o);
    if (again != 0)
        objectron_eliminate(o, again, OBJECTRON_DOUBLE_TRAP);
}

/* Nobody moves while actions are empty, and fields do not depend on dice: when each switches follows
 * from its counter. So no copy of the state is needed to see what is to come. */
static uint32_t caught_again_at(const struct objectron_state *state,
                                const struct objectron_field *field, int32_t action)
{
    int32_t before = (field->counter + action - 1) / PERIOD; /* Switchings until then. */
    bool    was_on = (field->on + before) % 2 == 1;
    if ((field->counter + action) % PERIOD != 0 || was_on)
        return 0;
    /* Who is on it now was so each time it went on since; and if it is on, when it last did. */
    uint32_t caught = objectron_caught(state, field);
    return before > 0 ? caught : caught & field->trapped;
}

bool objectron_would_trap(const struct objectron_state *state, uint32_t seat, int32_t actions)
{
    uint32_t alive = 0, gone = 0;
    for (int32_t other = 0; other < state->seats; other++)
        alive |= (uint32_t) state->player[other].alive << other;
    for (int32_t action = 1; action <= actions; action++) {
        for (int32_t i = 0; i < state->fields; i++)
            gone |= caught_again_at(state, &objectron_fields(state)[i], action);
        uint32_t left = alive & ~gone;
        if ((gone >> seat & 1) != 0)
            return true;
        if ((left & (left - 1)) == 0)
            return false; /* One is left, or none: the game is over. */
    }
    return false;
}
