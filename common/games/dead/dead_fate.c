/* dead_fate.c: the fate card of the turn (edition crossroads). It is drawn at the turn's start.
 * What the player does makes it come true, and it is seen to when the command is done. In other
 * editions there is none. */
#include "games/dead/dead_rules.h"

void dead_draw_fate(struct dead *dead)
{
    struct dead_state *state = dead->state;
    if (dead->setup->edition != DEAD_CROSSROADS)
        return;
    state->fate = dead_u16(state, state->at.fates)[state->fates_used++];
    state->fate_state = DEAD_FATE_WAITING;
    state->waste_mark = (int64_t) state->waste + dead_fate(dead->setup, state->fate)->amount;
}

static bool mark_is_reached(const struct dead *dead, const struct dead_fate *fate)
{
    int64_t waste = dead->state->waste;
    if (fate->amount > 0)
        return waste >= dead->state->waste_mark;
    return fate->amount == 0 || waste <= dead->state->waste_mark;
}

/* The player on turn has done what a fate card may wait for. It comes true once in a turn. */
void dead_tempt_fate(struct dead *dead, enum dead_trigger trigger, uint32_t place)
{
    struct dead_state *state = dead->state;
    if (state->fate_state != DEAD_FATE_WAITING)
        return;
    const struct dead_fate *fate = dead_fate(dead->setup, state->fate);
    if (fate->trigger != trigger || (fate->location != DEAD_NONE && fate->location != place))
        return;
    if (trigger == DEAD_ON_WASTE_CHANGED && !mark_is_reached(dead, fate))
        return;
    state->fate_state = DEAD_FATE_TRUE;
}

static void change_food(struct dead *dead, int32_t amount)
{
    if (dead->state->food + amount < 0) {
        dead->state->hunger++;
        SAY_BARE(dead, DEAD_STARVATION_TOKEN_ADDED);
        return;
    }
    dead->state->food += amount;
    SAY(dead, DEAD_FOOD_CHANGED, amount, DEAD_FOOD_CROSSROAD);
}

/* Takes the first `count` of the pool, all at once, so that they can be announced by identifier. */
static void spawn_survivors(struct dead *dead, uint32_t count, bool children)
{
    struct dead_state *state = dead->state;
    uint32_t seat = dead_seat(state, state->on_turn)->in_game ? state->on_turn : state->upcoming;
    if (seat == state->seats)
        return; /* The card's player is out, and it is nobody else's turn in this round. */
    uint16_t newcomers[DEAD_CHARACTERS_MAX];
    uint32_t taken = 0;
    for (; taken < count && state->pool_count > 0; taken++) {
        uint16_t who = (uint16_t) dead_take_from_pool(state);
        uint32_t at = taken;
        for (; at > 0 && dead_id_of(dead->setup, newcomers[at - 1]) > dead_id_of(dead->setup, who);
             at--)
            newcomers[at] = newcomers[at - 1];
        newcomers[at] = who;
    }
    for (uint32_t i = 0; i < taken; i++)
        dead_join(dead, newcomers[i], seat);
    for (uint32_t i = 0; children && i < taken; i++)
        dead_spawn_child(dead);
}

static void spawn_zombies(struct dead *dead, uint32_t place, uint32_t count)
{
    if (place != DEAD_NONE) {
        dead_spawn_zombies(dead, place, count);
        return;
    }
    dead_spawn_zombies(dead, dead->setup->colony, count);
    for (place = 0; place < dead->setup->locations.count; place++)
        if (place != dead->setup->colony)
            dead_spawn_zombies(dead, place, count);
}

void dead_suffer(struct dead *dead, const struct dead_consequence *consequence)
{
    switch (consequence->kind) {
    case DEAD_CHANGE_FOOD: change_food(dead, consequence->amount); break;
    case DEAD_CHANGE_MORAL: dead_moral(dead, consequence->amount, DEAD_MORAL_CROSSROAD); break;
    case DEAD_SPAWN_SURVIVORS:
        spawn_survivors(dead, (uint32_t) consequence->amount, consequence->children);
        break;
    default: /* Zombies. */
        spawn_zombies(dead, consequence->location, (uint32_t) consequence->amount);
        break;
    }
}

bool dead_meet_fate(struct dead *dead)
{
    struct dead_state *state = dead->state;
    if (state->fate_state != DEAD_FATE_TRUE)
        return true;
    const struct dead_fate *fate = dead_fate(dead->setup, state->fate);
    state->fate_state = DEAD_FATE_DONE;
    SAY(dead, DEAD_CROSSROAD, fate->id);
    if (fate->is_choice) {
        dead_open_vote(dead);
        return false;
    }
    dead_suffer(dead, &fate->outcome[0]);
    return true;
}
