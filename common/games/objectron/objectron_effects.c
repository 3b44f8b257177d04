/* objectron_effects.c: what a square does to who enters it, and how players leave the game. */
#include "dice/draw.h"
#include "games/objectron/objectron_rules.h"

#define PLAY_STREAM 1
#define GRENADE_COST 3
#define GRENADE_COST_DARK 4

void objectron_finish(struct objectron *o, int32_t winner, enum objectron_end reason)
{
    o->state->over = 1;
    o->state->winner = winner;
    o->state->reason = (int32_t) reason;
    SAY(o, OBJECTRON_GAME_OVER, winner < 0 ? ABSENT : winner, reason, ABSENT);
}

void objectron_say_trail(struct objectron *o, uint32_t seat)
{
    const struct objectron_player *player = &o->state->player[seat];
    sink_open(o->out, TO_ALL, OBJECTRON_TRAIL_CHANGED);
    sink_put(o->out, seat);
    sink_put(o->out, player->pieces);
    for (uint32_t i = 0; i < player->pieces; i++) {
        sink_put(o->out, player->trail[i].at % o->state->width);
        sink_put(o->out, player->trail[i].at / o->state->width);
        sink_put(o->out, player->trail[i].link);
        sink_put(o->out, ABSENT);
    }
    sink_close(o->out);
}

void objectron_arm(struct objectron *o, uint32_t seat, int32_t square)
{
    struct objectron_item *item = objectron_items(o->state);
    for (int32_t i = 0; i < o->state->items; i++) {
        if (item[i].state != OBJECTRON_PLACED || item[i].at != square ||
            item[i].by != (int32_t) seat)
            continue;
        item[i].state = OBJECTRON_ACTIVE;
        SAY(o, OBJECTRON_GRENADE_ARMED, item[i].id, SQUARE(o->state, square));
    }
}

/* The squares around, in order of directions, that are free, without teleporters if there are any such;
 * returns how many. There is one: from every free square a way leads to the starts. */
static uint32_t landing_squares(const struct objectron_state *state, int32_t around, int32_t *to)
{
    uint32_t count = 0;
    for (int32_t strict = 1; strict >= 0 && count == 0; strict--)
        for (uint32_t dir = 0; dir < 8; dir++) {
            int32_t at = objectron_step(state, around, dir);
            if (objectron_free(state, at) &&
                !(strict && objectron_lying(state, at, OBJECTRON_TELEPORTER) >= 0))
                to[count++] = at;
        }
    assert(count > 0);
    return count;
}

static void let_flag_fall(struct objectron *o, uint32_t seat, int32_t flag, int32_t square)
{
    struct objectron_item *item = &objectron_items(o->state)[flag];
    objectron_take_out(o->state, seat, flag);
    item->at = (int16_t) square;
    SAY(o, OBJECTRON_FLAG_DROPPED, item->owner, seat, SQUARE(o->state, square));
}

void objectron_drop_flag(struct objectron *o, uint32_t seat, int32_t around)
{
    int32_t to[8];
    int32_t flag = objectron_carried_flag(o->state, seat);
    if (flag < 0)
        return;
    uint32_t count = landing_squares(o->state, around, to);
    let_flag_fall(o, seat, flag, to[draw_below_u64(o->dice, PLAY_STREAM, count)]);
}

static void explode(struct objectron *o, uint32_t seat, int32_t grenade)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    struct objectron_item   *item = &objectron_items(state)[grenade];
    int32_t                  square = item->at;
    bool                     dark = objectron_dark(state, square);
    int32_t                  cost = dark ? GRENADE_COST_DARK : GRENADE_COST;
    int32_t                  now = cost < state->left ? cost : state->left;
    item->state = OBJECTRON_EXPLODED;
    item->by = -1;
    SAY(o, OBJECTRON_GRENADE_EXPLODED, item->id, SQUARE(state, square), seat, dark);
    objectron_drop_flag(o, seat, square);
    state->left -= now;
    player->pending += cost - now;
    o->loss = true;
    SAY(o, OBJECTRON_PENALTY, seat, 1, cost, now, cost - now);
}

static void cut_turn(struct objectron *o, uint32_t seat, int32_t square)
{
    SAY(o, OBJECTRON_TURN_CUT, seat, SQUARE(o->state, square), o->state->left);
    o->state->left = 0;
    o->loss = true;
}

static void capture(struct objectron *o, uint32_t seat)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    int32_t                  flag = objectron_carried_flag(state, seat);
    if (flag < 0)
        return;
    struct objectron_item *item = &objectron_items(state)[flag];
    int32_t                home = state->player[item->owner].home;
    objectron_take_out(state, seat, flag);
    item->at = (int16_t) home;
    player->captured |= 1u << item->owner;
    SAY(o, OBJECTRON_FLAG_CAPTURED, item->owner, seat, SQUARE(state, player->at));
    SAY(o, OBJECTRON_FLAG_RETURNED, item->owner, seat, SQUARE(state, home), 1);
    if ((player->captured | 1u << seat) == (1u << state->seats) - 1)
        objectron_finish(o, (int32_t) seat, OBJECTRON_FLAGS);
}

/* What a square does to who stands on it now; false: the game is over. */
static bool feel(struct objectron *o, uint32_t seat, int32_t square)
{
    struct objectron_state *state = o->state;
    if (state->mode == OBJECTRON_RACE && square == state->player[1 - seat].home) {
        objectron_finish(o, (int32_t) seat, OBJECTRON_FINISH);
        return false;
    }
    int32_t grenade = objectron_active(state, square);
    if (grenade >= 0)
        explode(o, seat, grenade);
    else if (objectron_dark(state, square))
        cut_turn(o, seat, square);
    return true;
}

/* A player has come to a square, and already holds it. Two squares are entered at most: a player
 * who comes out of a teleporter goes into no other. */
void objectron_enter(struct objectron *o, uint32_t seat, int32_t square)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    if (!feel(o, seat, square))
        return;
    int32_t teleporter = objectron_lying(state, square, OBJECTRON_TELEPORTER);
    if (teleporter >= 0) {
        const struct objectron_item *item = objectron_items(state);
        int32_t                      to = item[item[teleporter].dest].at;
        objectron_drop_flag(o, seat, square);
        player->at = (int16_t) to;
        SAY(o, OBJECTRON_PLAYER_TELEPORTED, seat, SQUARE(state, square), SQUARE(state, to),
            item[teleporter].id);
        feel(o, seat, to); /* The player has no flag any more, so nothing is captured there. */
    }
    if (state->mode == OBJECTRON_CTF && player->at == player->home)
        capture(o, seat);
}

/* Leaving the game. */

static void remove_player(struct objectron *o, uint32_t seat, enum objectron_exit why)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    int32_t                  flag = objectron_carried_flag(state, seat);
    player->alive = 0;
    player->pieces = 0;
    state->held &= ~(1u << seat);
    SAY(o, OBJECTRON_PLAYER_ELIMINATED, seat, why, SQUARE(state, player->at));
    if (flag >= 0)
        let_flag_fall(o, seat, flag, player->at);
    while (player->carried > 0)
        objectron_take_out(state, seat, player->inventory[0]);
    for (uint32_t i = 0; i < OBJECTRON_TRAIL_MAX; i++)
        player->trail[i] = (struct objectron_piece){ 0 };
    objectron_arm(o, seat, player->at);
}

void objectron_eliminate(struct objectron *o, uint32_t who, enum objectron_exit why)
{
    const struct objectron_state *state = o->state;
    int32_t                       last = -1;
    bool                          several = false;
    for (uint32_t seat = 0; seat < (uint32_t) state->seats; seat++)
        if (who >> seat & 1)
            remove_player(o, seat, why);
    for (int32_t seat = 0; seat < state->seats; seat++)
        if (state->player[seat].alive) {
            several = last >= 0;
            last = seat;
        }
    if (last < 0)
        objectron_finish(o, last, OBJECTRON_DRAW);
    else if (!several)
        objectron_finish(o, last, OBJECTRON_LAST);
}
