/* objectron_move.c: judges a move and makes it. */
#include <string.h>

#include "games/objectron/objectron_rules.h"

/* A player whose move is judged. */
struct mover {
    const struct objectron_state *state;
    uint32_t                      seat;
    int32_t                       at;
    bool through; /* As if neither the own trail nor any field were there. */
};

/* The pieces of a player's trail that are in the mover's way. Of the mover's own trail, the last
 * piece is gone with the move. */
static uint32_t pieces_in_way(const struct mover *mover, uint32_t whose)
{
    const struct objectron_player *player = &mover->state->player[whose];
    uint32_t                       pieces = player->pieces;
    if (whose != mover->seat)
        return pieces;
    if (mover->through)
        return 0;
    while (pieces > 0 && player->trail[pieces - 1].left == 0)
        pieces--;
    return pieces;
}

static bool has_trail(const struct mover *mover, int32_t square)
{
    for (uint32_t seat = 0; seat < (uint32_t) mover->state->seats; seat++) {
        uint32_t pieces = pieces_in_way(mover, seat);
        for (uint32_t i = 0; i < pieces; i++)
            if (mover->state->player[seat].trail[i].at == square)
                return true;
    }
    return false;
}

static bool has_field(const struct mover *mover, int32_t square)
{
    return !mover->through && objectron_charged(mover->state, square);
}

/* Whether somebody's trail links the two squares beside a diagonal step. */
static bool is_linked(const struct mover *mover, int32_t a, int32_t b)
{
    for (uint32_t seat = 0; seat < (uint32_t) mover->state->seats; seat++) {
        const struct objectron_player *player = &mover->state->player[seat];
        int32_t                        before = player->at;
        uint32_t                       pieces = pieces_in_way(mover, seat);
        for (uint32_t i = 0; i < pieces; i++) {
            int32_t at = player->trail[i].at;
            if (player->trail[i].link && ((before == a && at == b) || (before == b && at == a)))
                return true;
            before = at;
        }
    }
    return false;
}

static bool is_fenced(const struct mover *mover, int32_t a, int32_t b)
{
    const struct objectron_field *field = objectron_fields(mover->state);
    if (mover->through)
        return false;
    for (int32_t i = 0; i < mover->state->fields; i++)
        if (field[i].on && objectron_field_covers(&field[i], a) &&
            objectron_field_covers(&field[i], b))
            return true;
    return false;
}

static verdict judge_target(const struct mover *mover, int32_t target)
{
    if (!objectron_in_grid(mover->state, target))
        return OBJECTRON_NO_OFF_GRID;
    if (!objectron_free(mover->state, target))
        return OBJECTRON_NO_WALL;
    if (objectron_player_on(mover->state, target) >= 0)
        return OBJECTRON_NO_OCCUPIED;
    if (has_trail(mover, target))
        return OBJECTRON_NO_LIGHT_TRAIL;
    return has_field(mover, target) ? OBJECTRON_NO_FORCE_FIELD : ACCEPTED;
}

static verdict judge_diagonal(const struct mover *mover, uint32_t dir)
{
    if (dir % 2 == 0)
        return ACCEPTED;
    /* The target is in the grid, so are these. */
    int32_t a = mover->at + objectron_dx(dir);
    int32_t b = mover->at + objectron_dy(dir) * mover->state->width;
    if (is_linked(mover, a, b))
        return OBJECTRON_NO_CROSSES_TRAIL;
    return is_fenced(mover, a, b) ? OBJECTRON_NO_CROSSES_FIELD : ACCEPTED;
}

static bool is_blocked(const struct mover *mover, int32_t end)
{
    return end == mover->at || objectron_player_on(mover->state, end) >= 0 ||
           has_trail(mover, end) || has_field(mover, end);
}

/* Judges a step of one whom no field holds. */
static verdict judge_step(const struct mover *mover, uint32_t dir, int32_t *to)
{
    const struct objectron_state *state = mover->state;
    *to = objectron_step(state, mover->at, dir);
    verdict refused = judge_target(mover, *to);
    if (!refused)
        refused = judge_diagonal(mover, dir);
    if (refused)
        return refused;
    int32_t teleporter = objectron_lying(state, *to, OBJECTRON_TELEPORTER);
    if (teleporter >= 0) {
        const struct objectron_item *item = objectron_items(state);
        *to = item[item[teleporter].dest].at;
        if (is_blocked(mover, *to))
            return OBJECTRON_NO_TELEPORT;
    }
    return state->left == 1 && *to == state->turn_start ? OBJECTRON_NO_END_ON_START : ACCEPTED;
}

/* Judges a step of a living player in a direction from 0 to 7; the first test that fails is the
 * verdict. Changes nothing. If it is accepted, `to` is where the player would stand in the end: on
 * the square, or on the other end of its teleporter. */
verdict objectron_judge_move(const struct objectron_state *state, uint32_t seat, uint32_t dir,
                             int32_t *to)
{
    struct mover mover = { state, seat, state->player[seat].at, false };
    assert(state->player[seat].alive && dir < 8);
    return has_field(&mover, mover.at) ? OBJECTRON_NO_HELD : judge_step(&mover, dir, to);
}

uint32_t objectron_moves(const struct objectron_state *state, uint32_t seat)
{
    struct mover mover = { state, seat, state->player[seat].at, false };
    uint32_t     moves = 0;
    int32_t      to;
    if (has_field(&mover, mover.at))
        return 0;
    for (uint32_t dir = 0; dir < 8; dir++)
        if (judge_step(&mover, dir, &to) == ACCEPTED)
            moves |= 1u << dir;
    return moves;
}

bool objectron_can_move(const struct objectron_state *state, uint32_t seat, bool through)
{
    struct mover mover = { state, seat, state->player[seat].at, through };
    int32_t      to;
    for (uint32_t dir = 0; dir < 8; dir++)
        if (judge_step(&mover, dir, &to) == ACCEPTED)
            return true;
    return false;
}

/* The oldest piece falls off behind the others; those there are not are all zero. */
static void leave_piece(struct objectron_player *player, bool link)
{
    struct objectron_piece before[OBJECTRON_TRAIL_MAX];
    if (player->pieces < OBJECTRON_TRAIL_MAX)
        player->pieces++;
    memcpy(before, player->trail, sizeof before);
    memcpy(player->trail + 1, before, sizeof before - sizeof *before);
    player->trail[0] =
        (struct objectron_piece){ .at = player->at, .left = OBJECTRON_TRAIL_MAX - 1, .link = link };
}

/* Makes a step. Before: it was judged and accepted, and its action is spent. The own trail has
 * aged, and nobody stands where the step leads. Afterwards: the player has moved this turn, and the
 * newest piece of trail lies on the square they left. The player stands on the step's square or, if
 * the game goes on, on the other end of its teleporter. No actions were gained. A grenade that the
 * player had placed on the square they left is active. Fields and power do not tick here. README.md
 * has the order of all that. */
void objectron_make_move(struct objectron *o, uint32_t seat, uint32_t dir)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    int32_t                  from = player->at, to = objectron_step(state, from, dir);
    int32_t                  left = state->left;
    assert(player->alive && to >= 0 && objectron_player_on(state, to) < 0);
    leave_piece(player, objectron_lying(state, to, OBJECTRON_TELEPORTER) < 0);
    player->at = (int16_t) to;
    state->moved = 1;
    SAY(o, OBJECTRON_PLAYER_MOVED, seat, SQUARE(state, from), SQUARE(state, to), dir + 1);
    objectron_say_trail(o, seat);
    objectron_arm(o, seat, from);
    objectron_enter(o, seat, to);
    assert(state->moved && player->trail[0].at == from && player->at != from &&
           state->left <= left);
}
