/* objectron_legal.c: lists what a player may do. */
#include "games/objectron/objectron_rules.h"

static void list_moves(const struct objectron_state *state, uint32_t seat, struct legal *list)
{
    uint32_t first = list->values, moves = objectron_moves(state, seat);
    for (uint32_t dir = 0; dir < 8; dir++)
        if (moves >> dir & 1)
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
    if ((int32_t) seat == state->current) {
        list_moves(state, seat, list);
        list_pick_ups(state, seat, list);
        list_uses(state, seat, list);
        if (objectron_judge_end(state, seat, &loses) == ACCEPTED)
            legal_pattern(list, OBJECTRON_END_TURN, 1)->arg[0] = legal_one(list, 1);
    }
    legal_pattern(list, OBJECTRON_RESIGN, 0);
}
