/* treasure_spectator.c: what spectators are shown.
 *
 * By default that is common knowledge: what both players know and know of each other. So a player
 * who reads along learns nothing. Where the set-up has spectators see all, snapshots are kept as
 * long as they must wait. What changes with an action is in the snapshot; all else is in the
 * state. */
#include "games/treasure/treasure_rules.h"

static struct treasure_snapshot *snapshot(const struct treasure_setup *setup,
                                          const struct treasure_state *state, int32_t n)
{
    return treasure_ring(state) + (uint32_t) n % treasure_snapshots(setup);
}

static void take(const struct treasure_state *state, struct treasure_snapshot *snap)
{
    snap->n = state->n;
    snap->last = state->last;
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        snap->x[seat] = state->seat[seat].x;
        snap->y[seat] = state->seat[seat].y;
        snap->pending[seat] = state->seat[seat].pending;
        snap->treasure[seat] = state->seat[seat].treasure;
    }
}

static void put_last(struct sink *out, const struct treasure_last *last, bool whole)
{
    sink_put(out, last->id > 0);
    if (last->id == 0)
        return;
    sink_put(out, last->id);
    sink_put(out, last->seat);
    sink_put(out, whole ? last->action : ABSENT);
    treasure_put_field(out, whole && last->readable, last->x, last->y);
    sink_put(out, whole && last->readable ? last->turns : ABSENT);
    sink_put(out, whole && last->violation ? last->violation : ABSENT);
}

static void put_head(struct sink *out, const struct treasure_setup *setup,
                     const struct treasure_state *state, int32_t n, int32_t phase)
{
    sink_put(out, ABSENT);
    sink_put(out, n);
    sink_put(out, phase == TREASURE_MOVES ? n % 2 : ABSENT);
    sink_put(out, phase);
    sink_put(out, state->merged ? treasure_columns(setup, state) : ABSENT);
    sink_put(out, state->merged ? treasure_rows(setup, state) : ABSENT);
    if (state->merged)
        treasure_put_terrain(out, setup, state);
    else
        sink_put(out, 0);
}

static void put_end(struct sink *out, const struct treasure_state *state, int32_t phase)
{
    sink_put(out, phase == TREASURE_END ? state->result : ABSENT);
    sink_put(out, phase == TREASURE_END ? state->reason : ABSENT);
}

/* Everything, as it was in a snapshot. */
static void put_all(struct sink *out, const struct treasure_setup *setup,
                    const struct treasure_state *state, const struct treasure_snapshot *snap,
                    int32_t phase)
{
    put_head(out, setup, state, snap->n, phase);
    sink_put(out, TREASURE_SEATS);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *player = &state->seat[seat];
        sink_put(out, seat);
        treasure_put_area(out, setup, state, seat);
        treasure_put_field(out, true, player->castle_x, player->castle_y);
        treasure_put_field(out, true, snap->x[seat], snap->y[seat]);
        treasure_put_pending(out, &snap->pending[seat]);
        treasure_put_field(out, true, player->treasure_x, player->treasure_y);
        sink_put(out, snap->treasure[seat]);
        sink_put(out, ABSENT);
    }
    put_last(out, &snap->last, true);
    put_end(out, state, phase);
}

/* Terrain, whose turn it is and, once nothing masks them, the figures. That somebody has seen the
 * enemy's castle is not common: its owner is not told. */
static void put_common(struct sink *out, const struct treasure_setup *setup,
                       const struct treasure_state *state)
{
    bool figures = state->merged && !treasure_is_masked(setup, state);
    put_head(out, setup, state, state->n, state->phase);
    sink_put(out, TREASURE_SEATS);
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        sink_put(out, seat);
        if (state->merged)
            treasure_put_area(out, setup, state, seat);
        else
            sink_put(out, 0);
        sink_put(out, 0); /* Castle. */
        treasure_put_field(out, figures, state->seat[seat].x, state->seat[seat].y);
        sink_put(out, 0); /* Countdown. */
        sink_put(out, 0); /* Treasure's place. */
        sink_put(out, ABSENT);
        sink_put(out, ABSENT);
    }
    put_last(out, &state->last, false);
    put_end(out, state, state->phase);
}

const struct treasure_snapshot *treasure_shown(const struct treasure_setup *setup,
                                               const struct treasure_state *state)
{
    int32_t n = state->n - (int32_t) setup->delay;
    if (!setup->watch_all || state->phase != TREASURE_MOVES || n < 0)
        return NULL;
    return snapshot(setup, state, n);
}

void treasure_put_spectator_view(struct sink *out, const struct treasure_setup *setup,
                                 const struct treasure_state *state)
{
    const struct treasure_snapshot *shown = treasure_shown(setup, state);
    struct treasure_snapshot        now;

    if (shown != NULL) {
        put_all(out, setup, state, shown, TREASURE_MOVES);
    } else if (state->merged && state->phase == TREASURE_END) {
        take(state, &now);
        put_all(out, setup, state, &now, TREASURE_END);
    } else {
        put_common(out, setup, state);
    }
}

void treasure_snap(struct treasure *at)
{
    if (at->setup->watch_all)
        take(at->state, snapshot(at->setup, at->state, at->state->n));
}

static void say_watched(const struct treasure *at, const struct treasure_snapshot *snap,
                        int32_t phase)
{
    sink_open(at->out, TO_SPECTATORS_LATER, TREASURE_WATCHED);
    sink_put(at->out, 1);
    put_all(at->out, at->setup, at->state, snap, phase);
    sink_close(at->out);
}

void treasure_show_watchers(struct treasure *at)
{
    struct treasure_state   *state = at->state;
    bool                     over = state->phase == TREASURE_END;
    struct treasure_snapshot now;

    if (!at->setup->watch_all || !state->merged)
        return;
    int32_t due = over ? state->n : state->n + 1 - (int32_t) at->setup->delay;
    for (; state->shown < due; state->shown++)
        say_watched(at, snapshot(at->setup, state, state->shown), TREASURE_MOVES);
    if (!over)
        return;
    take(state, &now);
    say_watched(at, &now, TREASURE_END);
}
