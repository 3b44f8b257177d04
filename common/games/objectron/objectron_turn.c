/* objectron_turn.c: the course of turns and actions, who is next, and what ends a turn. */
#include "games/objectron/objectron_rules.h"

static bool is_held(const struct objectron_state *state, uint32_t seat)
{
    return objectron_charged(state, state->player[seat].at);
}

/* Who has not moved and cannot, by a move or with what an item would free; of one action left no item takes the
 * move's. */
static bool is_boxed_in(const struct objectron_state *state, uint32_t seat)
{
    if (state->left == 0 || state->moved || is_held(state, seat) ||
        objectron_can_move(state, seat, false))
        return false;
    return !(objectron_has_item_action(state, seat) && objectron_can_move(state, seat, true));
}

/* Starting a turn. */

static void say_skipped(struct objectron *o, uint32_t seat, bool penalty)
{
    const struct objectron_player *player = &o->state->player[seat];
    SAY(o, OBJECTRON_TURN_SKIPPED, seat, o->state->turn, penalty ? 2 : 1, player->skip,
        player->pending);
}

static void enter_turn(struct objectron *o, uint32_t seat)
{
    struct objectron_state *state = o->state;
    state->turn++;
    state->current = (int32_t) seat;
    state->moved = 0;
    state->turn_start = state->player[seat].at;
    objectron_power_turn(o);
}

/* Begins a player's turn; false if it passes without an action. */
static bool start_turn(struct objectron *o, uint32_t seat)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    enter_turn(o, seat);
    if (player->skip > 0) {
        player->skip--;
        say_skipped(o, seat, false);
        return false;
    }
    if (objectron_dark(state, player->at)) {
        player->pending++;
        SAY(o, OBJECTRON_PENALTY, seat, 2, 1, 0, 1);
    }
    if (player->pending >= state->actions) {
        player->pending -= state->actions;
        say_skipped(o, seat, true);
        return false;
    }
    state->left = state->actions - player->pending;
    state->granted = state->left;
    player->pending = 0;
    SAY(o, OBJECTRON_TURN_STARTED, seat, state->turn, state->left);
    if (!is_boxed_in(state, seat))
        return true;
    objectron_eliminate(o, 1u << seat, OBJECTRON_BOXED_IN);
    return false;
}

/* Goes on to the next living player who has a turn to play. */
static void go_on(struct objectron *o)
{
    struct objectron_state *state = o->state;
    uint32_t                seat = (uint32_t) state->current;
    bool                    playing = false;
    while (!playing && !state->over) {
        do
            seat = (seat + 1) % (uint32_t) state->seats;
        while (!state->player[seat].alive);
        playing = start_turn(o, seat);
    }
}

void objectron_begin(struct objectron *o)
{
    sink_open(o->out, TO_ALL, OBJECTRON_GAME_STARTED);
    sink_put(o->out, o->state->mode);
    sink_put(o->out, o->state->seats);
    sink_put(o->out, 1);
    objectron_view(o->setup, o->state, SPECTATOR, o->out);
    sink_close(o->out);
    go_on(o);
}

/* Actions. */

/* Lets a trail grow older by an action; true if a piece is gone. */
static bool age(struct objectron_player *player)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < player->pieces; i++) {
        struct objectron_piece piece = player->trail[i];
        if (piece.left == 0)
            continue;
        piece.left--;
        player->trail[kept++] = piece;
    }
    bool changed = kept < player->pieces;
    for (uint32_t i = kept; i < OBJECTRON_TRAIL_MAX; i++)
        player->trail[i] = (struct objectron_piece){ 0 };
    player->pieces = (uint8_t) kept;
    return changed;
}

void objectron_spend(struct objectron *o, uint32_t seat, enum objectron_action action)
{
    o->state->left--;
    bool changed = age(&o->state->player[seat]);
    SAY(o, OBJECTRON_ACTION_SPENT, seat, action, o->state->left);
    if (changed && action != OBJECTRON_BY_MOVE)
        objectron_say_trail(o, seat);
}

void objectron_tick(struct objectron *o)
{
    if (o->state->over)
        return;
    objectron_power_tick(o);
    objectron_fields_tick(o);
}

/* Ending a turn. */

static void end_turn(struct objectron *o, uint32_t seat, enum objectron_turn_end reason)
{
    if (o->state->over)
        return;
    SAY(o, OBJECTRON_TURN_ENDED, seat, o->state->turn, reason);
    go_on(o);
}

static void put_out(struct objectron *o, uint32_t seat, enum objectron_exit why)
{
    objectron_eliminate(o, 1u << seat, why);
    end_turn(o, seat, OBJECTRON_OUT);
}

void objectron_after(struct objectron *o, uint32_t seat)
{
    const struct objectron_state *state = o->state;
    if (state->over)
        return;
    if (!state->player[seat].alive)
        end_turn(o, seat, OBJECTRON_OUT);
    else if (state->left == 0)
        end_turn(o, seat, o->loss ? OBJECTRON_LOST : OBJECTRON_USED_UP);
    else if (is_boxed_in(state, seat))
        put_out(o, seat, OBJECTRON_BOXED_IN);
}

/* Whether the player has moved and stands again where the turn began. A turn must not end so. */
static bool is_back(const struct objectron_state *state, uint32_t seat)
{
    return state->moved && state->player[seat].at == state->turn_start && !is_held(state, seat);
}

static bool never_moved(const struct objectron_state *state, uint32_t seat)
{
    return !state->moved && !is_held(state, seat);
}

verdict objectron_judge_end(const struct objectron_state *state, uint32_t seat, bool *loses)
{
    bool back = is_back(state, seat);
    *loses = back || never_moved(state, seat) || objectron_would_trap(state, seat, state->left);
    return back && objectron_can_move(state, seat, false) ? OBJECTRON_NO_END_ON_START : ACCEPTED;
}

void objectron_end_turn(struct objectron *o, uint32_t seat)
{
    const struct objectron_state *state = o->state;
    if (never_moved(state, seat)) {
        put_out(o, seat, OBJECTRON_UNMOVED);
        return;
    }
    if (is_back(state, seat)) {
        put_out(o, seat, OBJECTRON_BOXED_IN);
        return;
    }
    while (state->left > 0 && state->player[seat].alive && !state->over) {
        objectron_spend(o, seat, OBJECTRON_EMPTY);
        objectron_tick(o);
    }
    end_turn(o, seat, state->player[seat].alive ? OBJECTRON_BY_PLAYER : OBJECTRON_OUT);
}

void objectron_resign(struct objectron *o, uint32_t seat)
{
    if ((int32_t) seat == o->state->current)
        put_out(o, seat, OBJECTRON_RESIGNED);
    else
        objectron_eliminate(o, 1u << seat, OBJECTRON_RESIGNED);
}

/* The clock. */

/* Whether a square has no power, or a field on it goes on before so many actions are over. */
static bool is_harmful(const struct objectron_state *state, int32_t square, int32_t actions)
{
    const struct objectron_field *field = objectron_fields(state);
    for (int32_t i = 0; i < state->fields; i++)
        if (!field[i].on && 2 - field[i].counter <= actions &&
            objectron_field_covers(&field[i], square))
            return true;
    return objectron_dark(state, square);
}

/* The first move that is allowed, if possible one that enters no harmful square; -1: there is none.
 * Active grenades are not looked at: the choice would betray them. */
static int32_t choose_move(const struct objectron_state *state, uint32_t seat)
{
    int32_t first = -1, to;
    for (uint32_t dir = 0; dir < 8; dir++) {
        if (objectron_judge_move(state, seat, dir, &to) != ACCEPTED)
            continue;
        int32_t target = objectron_step(state, state->player[seat].at, dir);
        if (!is_harmful(state, target, state->left) && !is_harmful(state, to, state->left))
            return (int32_t) dir;
        if (first < 0)
            first = (int32_t) dir;
    }
    return first;
}

void objectron_time_up(struct objectron *o, uint32_t seat)
{
    const struct objectron_state *state = o->state;
    int32_t                       turn = state->turn, dir;
    bool                          loses;
    SAY(o, OBJECTRON_EXPIRED, seat);
    bool may_end = objectron_judge_end(state, seat, &loses) == ACCEPTED;
    if (!(may_end && (state->moved || !loses)) && (dir = choose_move(state, seat)) >= 0) {
        objectron_spend(o, seat, OBJECTRON_BY_MOVE);
        objectron_make_move(o, seat, (uint32_t) dir);
        objectron_tick(o);
        objectron_after(o, seat);
    }
    if (!state->over && state->turn == turn)
        objectron_end_turn(o, seat);
}
