/* objectron_power.c: power fails, wanders and returns. */
#include <string.h>

#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define PLAY_STREAM 1
#define CERTAIN 10000
#define PRIMARY_TURNS 3
#define SECONDARY_PERIOD 2
#define CLOCKWISE 1

static int32_t in_grid_or_none(const struct objectron_state *state, int32_t square)
{
    return objectron_in_grid(state, square) ? square : -1;
}

void objectron_spread(const struct objectron_state *state, struct objectron_failure *failure)
{
    failure->tertiary = -1;
    failure->secondary = -1;
    if (failure->rotation != 0)
        failure->secondary =
            (int16_t) in_grid_or_none(state, objectron_step(state, failure->primary, failure->dir));
}

/* Straight on, or bent to either side. */
void objectron_spread_on(const struct objectron_state *state, struct objectron_failure *failure,
                         uint32_t draw)
{
    static const uint32_t bends[3] = { 0, 7, 1 };
    failure->tertiary = (int16_t) in_grid_or_none(
        state, objectron_step(state, failure->secondary, (failure->dir + bends[draw]) & 7));
}

static void draw_tertiary(struct objectron *o, struct objectron_failure *failure)
{
    if (failure->secondary >= 0)
        objectron_spread_on(o->state, failure, (uint32_t) draw_below_u64(o->dice, PLAY_STREAM, 3));
}

/* Some turns are over for each failure; those that have none left end. */
static void restore(struct objectron *o)
{
    struct objectron_state   *state = o->state;
    struct objectron_failure *failure = objectron_failures(state);
    int32_t                   kept = 0;
    for (int32_t i = 0; i < state->failures; i++) {
        failure[i].turns--;
        if (failure[i].turns > 0)
            failure[kept++] = failure[i];
        else
            SAY(o, OBJECTRON_POWER_RESTORED, failure[i].id, SQUARE(state, failure[i].primary));
    }
    for (int32_t i = kept; i < state->failures; i++)
        failure[i] = (struct objectron_failure){ 0 };
    state->failures = kept;
}

static void fail(struct objectron *o, int32_t square)
{
    struct objectron_state *state = o->state;
    struct objectron_failure new = { .id = state->next_failure++,
                                     .turns = PRIMARY_TURNS,
                                     .primary = (int16_t) square };
    new.dir = (uint8_t) draw_below_u64(o->dice, PLAY_STREAM, 8);
    new.rotation = (uint8_t) (CLOCKWISE + draw_below_u64(o->dice, PLAY_STREAM, 2));
    objectron_spread(state, &new);
    draw_tertiary(o, &new);
    assert(state->failures < state->failures_most);
    objectron_failures(state)[state->failures++] = new;
    sink_open(o->out, TO_ALL, OBJECTRON_POWER_FAILED);
    sink_put(o->out, new.id);
    objectron_put_square(o->out, state, new.primary);
    objectron_put_square(o->out, state, new.secondary);
    objectron_put_square(o->out, state, new.tertiary);
    sink_put(o->out, new.dir + 1);
    sink_put(o->out, new.rotation);
    sink_put(o->out, new.turns);
    sink_close(o->out);
}

void objectron_power_turn(struct objectron *o)
{
    struct objectron_state *state = o->state;
    uint8_t                 primary[OBJECTRON_SQUARES_MAX];
    restore(o);
    if (state->failure_bp == 0)
        return;
    memset(primary, 0, (size_t) objectron_squares(state));
    for (int32_t i = 0; i < state->failures; i++)
        primary[objectron_failures(state)[i].primary] = 1;
    for (int32_t at = 0; at < objectron_squares(state); at++)
        if (objectron_in_grid(state, at) &&
            draw_below_u64(o->dice, PLAY_STREAM, CERTAIN) < (uint64_t) state->failure_bp &&
            !primary[at])
            fail(o, at);
}

static void wander(struct objectron *o, struct objectron_failure *failure)
{
    int16_t secondary = failure->secondary, tertiary = failure->tertiary;
    failure->count++;
    if (failure->rotation == 0)
        return;
    if (failure->count % SECONDARY_PERIOD == 0) {
        failure->dir = (failure->dir + (failure->rotation == CLOCKWISE ? 1 : 7)) & 7;
        objectron_spread(o->state, failure);
    }
    draw_tertiary(o, failure);
    if (failure->secondary == secondary && failure->tertiary == tertiary)
        return;
    sink_open(o->out, TO_ALL, OBJECTRON_POWER_MOVED);
    sink_put(o->out, failure->id);
    objectron_put_square(o->out, o->state, failure->primary);
    objectron_put_square(o->out, o->state, failure->secondary);
    objectron_put_square(o->out, o->state, failure->tertiary);
    sink_close(o->out);
}

void objectron_power_tick(struct objectron *o)
{
    for (int32_t i = 0; i < o->state->failures; i++)
        wander(o, &objectron_failures(o->state)[i]);
}
