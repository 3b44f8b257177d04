/* objectron_check.c: what holds in every state of a match. */
#include "games/objectron/objectron_rules.h"

static const char *check_turn(const struct objectron_state *state)
{
    if (state->current < 0 || state->current >= state->seats)
        return "nobody is on turn";
    const struct objectron_player *current = &state->player[state->current];
    if (state->left < 0 || state->left > state->granted || state->granted > state->actions)
        return "there are more actions left than a turn has";
    if (!state->over && (state->left == 0 || !current->alive))
        return "who is on turn cannot act";
    if (!state->over && (current->skip > 0 || current->pending != 0))
        return "who is on turn is to lose something yet";
    return NULL;
}

static const char *check_inventory(const struct objectron_state *state, int32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    uint32_t                       flags = 0;
    if (player->carried > state->inventory)
        return "somebody carries too much";
    for (uint32_t i = 0; i < player->carried; i++) {
        int32_t                      index = player->inventory[i];
        const struct objectron_item *item = &objectron_items(state)[index];
        if (index >= state->items || item->holder != seat || item->at >= 0)
            return "somebody carries what is elsewhere";
        if (item->kind == OBJECTRON_FLAG && item->owner == seat)
            return "somebody carries his own flag";
        flags += item->kind == OBJECTRON_FLAG;
    }
    return flags > 1 ? "somebody carries two flags" : NULL;
}

static const char *check_player(const struct objectron_state *state, int32_t seat)
{
    const struct objectron_player *player = &state->player[seat];
    if (!objectron_free(state, player->at))
        return "somebody stands on no free square";
    if (!player->alive && (player->pieces > 0 || player->carried > 0))
        return "somebody who is out has a trail or carries something";
    if (player->alive && objectron_player_on(state, player->at) != seat)
        return "two players stand on one square";
    if (player->pieces > OBJECTRON_TRAIL_MAX || player->pending < 0 || player->skip < 0)
        return "a player's numbers are none";
    for (uint32_t i = 0; i < player->pieces; i++)
        if (player->trail[i].left >= OBJECTRON_TRAIL_MAX || player->trail[i].link > 1 ||
            !objectron_free(state, player->trail[i].at))
            return "a piece of trail is none";
    return check_inventory(state, seat);
}

static const char *check_item(const struct objectron_state *state, int32_t index)
{
    const struct objectron_item *item = &objectron_items(state)[index];
    if (objectron_item_of(state, item->id) != index) /* Each is found only if all are in order. */
        return "items are out of order";
    if (item->at >= 0 && (item->holder >= 0 || !objectron_free(state, item->at)))
        return "an item lies where it cannot";
    if (item->holder >= state->seats || item->uses != 0)
        return "an item is held by nobody, or still in flight";
    if (item->kind == OBJECTRON_FLAG && item->at < 0 && item->holder < 0)
        return "a flag is gone";
    if ((item->kind == OBJECTRON_GRENADE) != (item->state != 0))
        return "a grenade has no state, or something else has";
    if (item->state > OBJECTRON_IDLE && item->at < 0)
        return "a grenade that was placed lies nowhere";
    return NULL;
}

static const char *check_field(const struct objectron_state *state, int32_t index)
{
    const struct objectron_field *field = &objectron_fields(state)[index];
    if (field->a >= field->b || field->b >= state->items)
        return "a field has no two ends";
    const struct objectron_item *a = &objectron_items(state)[field->a];
    const struct objectron_item *b = &objectron_items(state)[field->b];
    if (a->kind != OBJECTRON_GENERATOR || b->kind != OBJECTRON_GENERATOR || a->at < 0 || b->at < 0)
        return "a field ends at no generator";
    if (field->counter > 1 || field->on > 1 || field->length < 2 || field->length > 4)
        return "a field's numbers are none";
    if (field->from != a->at || objectron_field_square(field, field->length - 1u) != b->at)
        return "a field does not go from one generator to the other";
    return NULL;
}

static const char *check_failure(const struct objectron_state *state, int32_t index)
{
    const struct objectron_failure *failure = &objectron_failures(state)[index];
    if (failure->turns < 1 || failure->dir > 7 || failure->rotation > 2)
        return "a power failure's numbers are none";
    if (!objectron_in_grid(state, failure->primary) ||
        (failure->secondary < 0 && failure->tertiary >= 0))
        return "a power failure is where no power is";
    return NULL;
}

const char *objectron_check(const void *setup, const void *at)
{
    const struct objectron_state *state = at;
    const char                   *broken = check_turn(state);
    (void) setup;
    for (int32_t seat = 0; broken == NULL && seat < state->seats; seat++)
        broken = check_player(state, seat);
    for (int32_t i = 0; broken == NULL && i < state->items; i++)
        broken = check_item(state, i);
    for (int32_t i = 0; broken == NULL && i < state->fields; i++)
        broken = check_field(state, i);
    for (int32_t i = 0; broken == NULL && i < state->failures; i++)
        broken = check_failure(state, i);
    return broken;
}
