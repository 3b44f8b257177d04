/* objectron_legal.c: lists what a player may do, and how much a greedy player likes it. */
#include "games/objectron/objectron_rules.h"

static void list_moves(const struct objectron_state *state, uint32_t seat, struct legal *list)
{
    uint32_t first = list->values;
    int32_t  to;
    for (uint32_t dir = 0; dir < 8; dir++)
        if (objectron_judge_move(state, seat, dir, false, &to) == ACCEPTED)
            legal_value(list, dir + 1);
    if (list->values > first)
        legal_pattern(list, OBJECTRON_MOVE, 1)->arg[0] = legal_since(list, first);
}

static void list_pick_ups(const struct objectron_state *state, uint32_t seat, struct legal *list)
{
    const struct objectron_item *item = objectron_items(state);
    uint32_t                     first = list->values;
    int32_t                      index, at = state->player[seat].at;
    for (int32_t i = 0; i < state->items; i++)
        if (item[i].state != OBJECTRON_ACTIVE && item[i].at == at &&
            objectron_judge_pick_up(state, seat, item[i].id, &index) == ACCEPTED)
            legal_value(list, item[i].id);
    if (list->values > first)
        legal_pattern(list, OBJECTRON_PICK_UP, 1)->arg[0] = legal_since(list, first);
}

/* What is put down, with no direction; what is thrown, with one. */
static struct pattern_arg list_usable(const struct objectron_state *state, uint32_t seat, word dir,
                                      struct legal *list)
{
    const struct objectron_player *player = &state->player[seat];
    uint32_t                       first = list->values;
    int32_t                        index;
    for (uint32_t i = 0; i < player->carried; i++) {
        const struct objectron_item *item = &objectron_items(state)[player->inventory[i]];
        bool flies = item->kind == OBJECTRON_DISC || item->kind == OBJECTRON_CHARGED_DISC;
        if (flies == (dir != ABSENT) &&
            objectron_judge_use(state, seat, item->id, dir, &index) == ACCEPTED)
            legal_value(list, item->id);
    }
    return legal_since(list, first);
}

static void list_uses(const struct objectron_state *state, uint32_t seat, struct legal *list)
{
    struct pattern_arg put = list_usable(state, seat, ABSENT, list);
    if (put.count > 0)
        legal_pattern(list, OBJECTRON_USE, 1)->arg[0] = put;
    struct pattern_arg thrown = list_usable(state, seat, 1, list);
    if (thrown.count == 0)
        return;
    uint32_t first = list->values;
    for (word dir = 1; dir <= 8; dir += 2)
        legal_value(list, dir);
    struct pattern *pattern = legal_pattern(list, OBJECTRON_USE, 2);
    pattern->arg[0] = thrown;
    pattern->arg[1] = legal_since(list, first);
}

void objectron_legal(const void *setup, const void *at, uint32_t seat, struct legal *list)
{
    const struct objectron_state *state = at;
    bool                          loses;
    (void) setup;
    legal_clear(list);
    if (state->over || seat >= (uint32_t) state->seats || !state->player[seat].alive)
        return;
    legal_pattern(list, OBJECTRON_RESIGN, 0);
    if ((int32_t) seat != state->current)
        return;
    list_moves(state, seat, list);
    list_pick_ups(state, seat, list);
    list_uses(state, seat, list);
    if (objectron_judge_end(state, seat, &loses) == ACCEPTED)
        legal_pattern(list, OBJECTRON_END_TURN, 1)->arg[0] = legal_one(list, 1);
}

/* A greedy player. */

static int32_t distance(const struct objectron_state *state, int32_t from, int32_t to)
{
    int32_t dx = from % state->width - to % state->width;
    int32_t dy = from / state->width - to / state->width;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > dy ? dx : dy;
}

/* Where he wants to go: the other's start; home with a flag; to the nearest flag he has not captured. */
static int32_t goal(const struct objectron_state *state, uint32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    int32_t                        nearest = player->home, best = INT32_MAX;
    if (state->mode == OBJECTRON_RACE)
        return state->player[1 - seat].home;
    if (objectron_carried_flag(state, seat) >= 0)
        return player->home;
    for (int32_t i = 0; i < state->items; i++) {
        const struct objectron_item *item = &objectron_items(state)[i];
        if (item->kind != OBJECTRON_FLAG || item->at < 0 || item->owner == (int32_t) seat ||
            (player->captured >> item->owner & 1) != 0 ||
            distance(state, player->at, item->at) >= best)
            continue;
        nearest = item->at;
        best = distance(state, player->at, item->at);
    }
    return nearest;
}

static int64_t judge_step(const struct objectron_state *state, uint32_t seat, uint32_t dir)
{
    int32_t to;
    if (objectron_judge_move(state, seat, dir, false, &to) != ACCEPTED)
        return -1000;
    int64_t cost = objectron_dark(state, to) ? 3 : 0;
    return 200 - 2 * (int64_t) distance(state, to, goal(state, seat)) - cost;
}

static int64_t judge_pick_up(const struct objectron_state *state, uint32_t seat, word id)
{
    int32_t index = objectron_item_of(state, id);
    if (index < 0 || objectron_items(state)[index].kind != OBJECTRON_FLAG)
        return -50;
    return objectron_items(state)[index].owner == (int32_t) seat ? -50 : 1000;
}

/* Likes to come nearer to where he wants to be and to take flags; ends a turn when it costs nothing. */
int64_t objectron_judge(const void *setup, const void *at, uint32_t seat,
                        const struct command *command)
{
    const struct objectron_state *state = at;
    bool                          loses;
    (void) setup;
    switch (command->kind) {
    case OBJECTRON_MOVE: return judge_step(state, seat, (uint32_t) (command->arg[0] - 1));
    case OBJECTRON_PICK_UP: return judge_pick_up(state, seat, command->arg[0]);
    case OBJECTRON_USE: return -100;
    case OBJECTRON_END_TURN:
        (void) objectron_judge_end(state, seat, &loses);
        return loses ? -5000 : -200;
    default: return -10000;
    }
}
