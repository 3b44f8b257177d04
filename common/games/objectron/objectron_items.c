/* objectron_items.c: picking items up, putting them down, and who may. */
#include "games/objectron/objectron_rules.h"

/* An action that is no move must leave one for the move, and must not be the last where the turn began. */
static verdict judge_last_action(const struct objectron_state *state, uint32_t seat)
{
    int32_t at = state->player[seat].at;
    if (!state->moved && state->left <= 1)
        return OBJECTRON_NO_KEEP_ACTION;
    if (state->left == 1 && at == state->turn_start && !objectron_charged(state, at) &&
        objectron_can_move(state, seat, false))
        return OBJECTRON_NO_END_ON_START;
    return ACCEPTED;
}

static bool is_here(const struct objectron_item *item, int32_t square)
{
    return item->state != OBJECTRON_ACTIVE && item->at == square;
}

static bool is_pickable(const struct objectron_item *item)
{
    return item->kind != OBJECTRON_TELEPORTER && item->state != OBJECTRON_EXPLODED;
}

static bool is_anything_here(const struct objectron_state *state, int32_t square)
{
    const struct objectron_item *item = objectron_items(state);
    for (int32_t i = 0; i < state->items; i++)
        if (is_here(&item[i], square) && is_pickable(&item[i]))
            return true;
    return false;
}

/* A player's own flag goes home at once and needs no room. */
static verdict judge_room(const struct objectron_state *state, uint32_t seat,
                          const struct objectron_item *item)
{
    if (item->kind == OBJECTRON_FLAG && item->owner == (int32_t) seat)
        return ACCEPTED;
    if (item->kind == OBJECTRON_FLAG && objectron_carried_flag(state, seat) >= 0)
        return OBJECTRON_NO_CARRYING_FLAG;
    return state->player[seat].carried >= state->inventory ? OBJECTRON_NO_FULL : ACCEPTED;
}

verdict objectron_judge_pick_up(const struct objectron_state *state, uint32_t seat, word id,
                                int32_t *index)
{
    int32_t at = state->player[seat].at;
    verdict refused = judge_last_action(state, seat);
    if (refused)
        return refused;
    if (!is_anything_here(state, at))
        return OBJECTRON_NO_NOTHING_HERE;
    *index = objectron_item_of(state, id);
    if (*index < 0)
        return OBJECTRON_NO_NOT_HERE;
    const struct objectron_item *item = &objectron_items(state)[*index];
    if (!is_here(item, at))
        return OBJECTRON_NO_NOT_HERE;
    return is_pickable(item) ? judge_room(state, seat, item) : OBJECTRON_NO_NOT_PICKABLE;
}

static bool is_direction(word dir)
{
    return dir >= 1 && dir <= 8;
}

static verdict judge_throw(word dir)
{
    if (dir == ABSENT)
        return OBJECTRON_NO_DIRECTION;
    return is_direction(dir) && dir % 2 == 1 ? ACCEPTED : OBJECTRON_NO_BAD_DIRECTION;
}

/* Nobody can stand on an active grenade: entering lets it explode, and only its placer's leaving makes
 * it active. So those that lie hidden are never asked for here. */
static verdict judge_put_down(const struct objectron_state *state, uint32_t seat, uint32_t kind,
                              word dir)
{
    if (kind == OBJECTRON_FLAG)
        return OBJECTRON_NO_NOT_USABLE;
    if (objectron_lying(state, state->player[seat].at, kind) >= 0)
        return kind == OBJECTRON_GRENADE ? OBJECTRON_NO_GRENADE_HERE : OBJECTRON_NO_GENERATOR_HERE;
    return dir == ABSENT || is_direction(dir) ? ACCEPTED : OBJECTRON_NO_UNKNOWN_DIR;
}

verdict objectron_judge_use(const struct objectron_state *state, uint32_t seat, word id, word dir,
                            int32_t *index)
{
    verdict refused = judge_last_action(state, seat);
    if (refused)
        return refused;
    if (state->player[seat].carried == 0)
        return OBJECTRON_NO_EMPTY;
    *index = objectron_item_of(state, id);
    if (*index < 0 || objectron_items(state)[*index].holder != (int32_t) seat)
        return OBJECTRON_NO_NOT_CARRIED;
    uint32_t kind = objectron_items(state)[*index].kind;
    if (kind == OBJECTRON_DISC || kind == OBJECTRON_CHARGED_DISC)
        return judge_throw(dir);
    return judge_put_down(state, seat, kind, dir);
}

bool objectron_has_item_action(const struct objectron_state *state, uint32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    const struct objectron_item   *item = objectron_items(state);
    int32_t                        index;
    for (uint32_t i = 0; i < player->carried; i++) {
        uint32_t kind = item[player->inventory[i]].kind;
        bool     flies = kind == OBJECTRON_DISC || kind == OBJECTRON_CHARGED_DISC;
        if (objectron_judge_use(state, seat, item[player->inventory[i]].id, flies ? 1 : ABSENT,
                                &index) == ACCEPTED)
            return true;
    }
    for (int32_t i = 0; i < state->items; i++)
        if (is_here(&item[i], player->at) &&
            objectron_judge_pick_up(state, seat, item[i].id, &index) == ACCEPTED)
            return true;
    return false;
}

void objectron_take_out(struct objectron_state *state, uint32_t seat, int32_t index)
{
    struct objectron_player *player = &state->player[seat];
    uint32_t                 kept = 0;
    for (uint32_t i = 0; i < player->carried; i++)
        if (player->inventory[i] != index)
            player->inventory[kept++] = player->inventory[i];
    for (uint32_t i = kept; i < player->carried; i++)
        player->inventory[i] = 0;
    player->carried = (uint8_t) kept;
    objectron_items(state)[index].holder = -1;
}

void objectron_pick_up(struct objectron *o, uint32_t seat, int32_t index)
{
    struct objectron_state  *state = o->state;
    struct objectron_player *player = &state->player[seat];
    struct objectron_item   *item = &objectron_items(state)[index];
    if (item->kind == OBJECTRON_FLAG && item->owner == (int32_t) seat) {
        item->at = player->home;
        SAY(o, OBJECTRON_FLAG_RETURNED, item->owner, seat, SQUARE(state, player->home), 2);
        return;
    }
    SAY(o, OBJECTRON_ITEM_PICKED_UP, seat, item->id, item->kind, SQUARE(state, player->at));
    if (item->kind == OBJECTRON_GENERATOR)
        objectron_disconnect(o, index);
    if (item->kind == OBJECTRON_GRENADE)
        item->state = OBJECTRON_IDLE;
    item->at = -1;
    item->by = -1;
    item->holder = (int16_t) seat;
    player->inventory[player->carried++] = (uint16_t) index;
}

void objectron_use(struct objectron *o, uint32_t seat, int32_t index, word dir)
{
    struct objectron_state *state = o->state;
    struct objectron_item  *item = &objectron_items(state)[index];
    objectron_take_out(state, seat, index);
    if (item->kind == OBJECTRON_DISC || item->kind == OBJECTRON_CHARGED_DISC) {
        objectron_throw(o, seat, index, (uint32_t) (dir - 1));
        return;
    }
    item->at = state->player[seat].at;
    SAY(o, OBJECTRON_ITEM_PLACED, seat, item->id, item->kind, SQUARE(state, item->at));
    if (item->kind == OBJECTRON_GRENADE) {
        item->state = OBJECTRON_PLACED;
        item->by = (int16_t) seat;
    } else {
        objectron_connect(o, index);
    }
}
