/* objectron_judge.c: how much a bot likes a command.
 *
 * It goes the shortest way (objectron_judge_reach.c) to where it wants to be: the other's start, a flag, home with
 * one. A command is worth what it saves, in quarters of an action; staying where it is, is the measure for
 * all that is no move. It knows no more than its view, so it may well walk into its own grenade. */
#include "games/objectron/objectron_rules.h"

#define PLAIN 100000
#define NEVER (-1000000)
#define LOSES (-500000)
#define WINS 50000
#define CAPTURES 5000
#define TAKES_FLAG 1000
#define HITS 40
#define HITS_CARRIER 200
#define WANTED 6 /* More than a step, less than two. */
#define LIES_NEAR 5
#define USELESS (-8)
#define DEADLY 20000
#define HELD 120
#define BOXED_IN 400
#define DISCS_WANTED 2
#define GRENADES_WANTED 2
#define HOPS_MAX 8

/* A bot at a decision. */
struct mind {
    const struct objectron_state  *state;
    const struct objectron_player *player;
    uint32_t                       seat;
    struct objectron_terrain       terrain;
    int32_t                        costs[OBJECTRON_SQUARES_MAX];
    bool    is_surveyed; /* `home` says what each square's way to the goal costs. */
    int32_t home[OBJECTRON_SQUARES_MAX];
    int32_t in_the_way; /* Whether the bot is; -1: not known yet.               */
};

static_assert(sizeof(struct mind) <= OBJECTRON_OPINION_BYTES, "there is room for it");

static bool is_lying(const struct objectron_item *item)
{
    return item->at >= 0 && item->state != OBJECTRON_ACTIVE;
}

/* Goals. */

/* What it costs, by `costs`, to the nearest flag that is still wanted, also if somebody else has it. */
static int32_t cost_to_flag(const struct objectron_state *state, uint32_t seat,
                            const int32_t *costs)
{
    const struct objectron_item *item = objectron_items(state);
    int32_t                      least = OBJECTRON_FAR;
    for (int32_t i = 0; i < state->items; i++) {
        if (item[i].kind != OBJECTRON_FLAG || item[i].owner == (int32_t) seat ||
            (state->player[seat].captured >> item[i].owner & 1) != 0)
            continue;
        int32_t at = item[i].at >= 0 ? item[i].at : state->player[item[i].holder].at;
        if (costs[at] < least)
            least = costs[at];
    }
    return least;
}

/* What it costs a player from where `costs` begin to the player's goal. */
static int32_t cost_to_goal(const struct objectron_state *state, uint32_t seat,
                            const int32_t *costs)
{
    if (state->mode == OBJECTRON_RACE)
        return costs[state->player[1 - seat].home];
    if (objectron_carried_flag(state, seat) >= 0)
        return costs[state->player[seat].home];
    return cost_to_flag(state, seat, costs);
}

/* The squares at which ways to the goal end. */
static int32_t goals(const struct objectron_state *state, uint32_t seat, int32_t *squares)
{
    const struct objectron_item *item = objectron_items(state);
    int32_t                      count = 0;
    if (state->mode == OBJECTRON_RACE)
        squares[count++] = state->player[1 - seat].home;
    else if (objectron_carried_flag(state, seat) >= 0)
        squares[count++] = state->player[seat].home;
    if (count > 0)
        return count;
    for (int32_t i = 0; i < state->items && count < OBJECTRON_PLAYERS_MAX; i++)
        if (item[i].kind == OBJECTRON_FLAG && item[i].owner != (int32_t) seat &&
            (state->player[seat].captured >> item[i].owner & 1) == 0)
            squares[count++] = item[i].at >= 0 ? item[i].at : state->player[item[i].holder].at;
    return count;
}

/* What the way from a square to the goal costs. Who looks at many squares goes all ways backwards once. */
static int32_t cost_from(struct mind *mind, int32_t square)
{
    if (mind->is_surveyed)
        return mind->home[square];
    objectron_reach(mind->state, &mind->terrain, square, mind->costs);
    return cost_to_goal(mind->state, mind->seat, mind->costs);
}

/* Dangers of a square to be on when an action is over, `left` more of them this turn. */

/* Who is held cannot leave in time to escape the next time but by luck; who is caught again is out. */
static int32_t danger_of_fields(const struct mind *mind, int32_t square, int32_t left)
{
    const struct objectron_field *field = objectron_fields(mind->state);
    int32_t                       danger = 0;
    for (int32_t i = 0; i < mind->state->fields; i++) {
        bool comes = !field[i].on && (field[i].counter == 1 || left == 0);
        if (field[i].on || !objectron_field_covers(&field[i], square))
            continue;
        int32_t worth = !comes ? 2 : (field[i].trapped >> mind->seat & 1) != 0 ? DEADLY : HELD;
        danger = worth > danger ? worth : danger;
    }
    return danger;
}

/* Whether a square will be open when the player has done one more action from `from`. Of the own
 * trail only the last two steps are left. */
static bool is_way_out(const struct mind *mind, int32_t from, int32_t square)
{
    const struct objectron_state *state = mind->state;
    if (square < 0 || square == from || !objectron_free(state, square))
        return false;
    for (uint32_t seat = 0; seat < (uint32_t) state->seats; seat++) {
        const struct objectron_player *player = &state->player[seat];
        if (seat != mind->seat && player->alive && player->at == square)
            return false;
        for (uint32_t i = 0; i < player->pieces; i++)
            if (player->trail[i].at == square && (seat != mind->seat || player->trail[i].left >= 2))
                return false;
    }
    return true;
}

static int32_t danger_of_dead_ends(const struct mind *mind, int32_t from, int32_t square,
                                   int32_t left)
{
    int32_t ways = 0, around[8];
    objectron_around(mind->state, square, around);
    for (uint32_t dir = 0; dir < 8; dir++)
        ways += is_way_out(mind, from, around[dir]);
    if (ways == 0)
        return left == 0 ? BOXED_IN : BOXED_IN / 10;
    return ways == 1 ? (left == 0 ? 12 : 2) : 0;
}

/* A square without power takes what is left of the turn, and an action of the next. */
static int32_t danger_of_dark(const struct mind *mind, int32_t square, int32_t left)
{
    return objectron_dark(mind->state, square) ? (left + 1) * OBJECTRON_STEP_COST : 0;
}

/* Staying here for an action. */
static int64_t worth_of_staying(struct mind *mind, int32_t left)
{
    int32_t at = mind->player->at;
    int32_t cost = cost_from(mind, at);
    if (cost == 0) /* At home with a flag that was picked up there: out and in again. */
        cost = 2 * OBJECTRON_STEP_COST;
    return PLAIN - (int64_t) cost - danger_of_fields(mind, at, left) -
           danger_of_dead_ends(mind, -1, at, left);
}

/* Items. */

static uint32_t count_carried(const struct mind *mind, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mind->player->carried; i++)
        count += objectron_items(mind->state)[mind->player->inventory[i]].kind == kind;
    return count;
}

/* Whether a thing is worth an action to have it. */
static bool is_wanted(const struct mind *mind, const struct objectron_item *item)
{
    if (mind->player->carried >= mind->state->inventory)
        return false;
    switch (item->kind) {
    case OBJECTRON_CHARGED_DISC: return true;
    case OBJECTRON_DISC: return count_carried(mind, OBJECTRON_DISC) < DISCS_WANTED;
    case OBJECTRON_GRENADE:
        return item->state == OBJECTRON_IDLE &&
               count_carried(mind, OBJECTRON_GRENADE) < GRENADES_WANTED;
    default: return false;
    }
}

static bool has_wanted(const struct mind *mind, int32_t square)
{
    const struct objectron_item *item = objectron_items(mind->state);
    for (int32_t i = 0; i < mind->state->items; i++)
        if (is_lying(&item[i]) && item[i].at == square && is_wanted(mind, &item[i]))
            return true;
    return false;
}

static int64_t judge_pick_up(struct mind *mind, word id)
{
    int32_t index = objectron_item_of(mind->state, id);
    int64_t stay = worth_of_staying(mind, mind->state->left - 1);
    if (index < 0)
        return NEVER;
    const struct objectron_item *item = &objectron_items(mind->state)[index];
    if (item->kind != OBJECTRON_FLAG)
        return stay + (is_wanted(mind, item) ? WANTED : USELESS);
    if (item->owner != (int32_t) mind->seat)
        return (mind->player->captured >> item->owner & 1) != 0 ? stay + USELESS
                                                                : stay + TAKES_FLAG;
    return item->at == mind->player->home ? stay + 2 * USELESS : stay + WANTED;
}

/* Whom a disc thrown from here would hit; -1: nobody. */
static int32_t aim(const struct mind *mind, int32_t range, uint32_t dir)
{
    const struct objectron_state *state = mind->state;
    int32_t                       at = mind->player->at, hops = 0;
    range -= objectron_dark(state, at);
    while (range-- >= 1) {
        at = objectron_step(state, at, dir);
        if (at < 0 || mind->terrain.toll[at] == 0 || objectron_charged(state, at))
            return -1;
        range -= objectron_dark(state, at);
        int32_t hit = objectron_player_on(state, at);
        if (hit < 0 && mind->terrain.leads[at] >= 0 && hops++ < HOPS_MAX) {
            at = mind->terrain.leads[at];
            if (objectron_charged(state, at))
                return -1;
            range -= objectron_dark(state, at);
            hit = objectron_player_on(state, at);
        }
        if (hit >= 0 || hops >= HOPS_MAX)
            return hit;
    }
    return -1;
}

static int64_t judge_throw(struct mind *mind, const struct objectron_item *item, word dir)
{
    int32_t range = item->kind == OBJECTRON_DISC ? OBJECTRON_DISC_RANGE : OBJECTRON_SQUARES_MAX;
    int32_t hit = aim(mind, range, (uint32_t) (dir - 1));
    int64_t stay = worth_of_staying(mind, mind->state->left - 1);
    if (hit < 0)
        return stay + 2 * USELESS;
    if (hit == (int32_t) mind->seat)
        return LOSES / 10;
    if (objectron_carried_flag(mind->state, (uint32_t) hit) >= 0)
        return stay + HITS_CARRIER;
    return stay + (mind->state->player[hit].skip == 0 ? HITS : USELESS);
}

/* Whether somebody's shortest way leads, within so many steps, over where the bot stands. */
static bool is_in_the_way(struct mind *mind)
{
    const struct objectron_state *state = mind->state;
    int32_t                       at = mind->player->at, here[OBJECTRON_SQUARES_MAX];
    objectron_reach(state, &mind->terrain, at, here);
    for (uint32_t seat = 0; seat < (uint32_t) state->seats; seat++) {
        if (seat == mind->seat || !state->player[seat].alive)
            continue;
        objectron_reach(state, &mind->terrain, state->player[seat].at, mind->costs);
        int32_t straight = cost_to_goal(state, seat, mind->costs);
        int32_t over = mind->costs[at] + cost_to_goal(state, seat, here);
        if (straight < OBJECTRON_FAR && over <= straight + OBJECTRON_STEP_COST)
            return true;
    }
    return false;
}

static int64_t judge_use(struct mind *mind, const struct command *command)
{
    int32_t index = objectron_item_of(mind->state, command->arg[0]);
    if (index < 0)
        return NEVER;
    const struct objectron_item *item = &objectron_items(mind->state)[index];
    if (item->kind == OBJECTRON_DISC || item->kind == OBJECTRON_CHARGED_DISC)
        return judge_throw(mind, item, command->arg[1]);
    if (item->kind == OBJECTRON_GRENADE && mind->in_the_way < 0)
        mind->in_the_way = is_in_the_way(mind);
    bool    good = item->kind == OBJECTRON_GRENADE && mind->in_the_way != 0;
    int64_t stay = worth_of_staying(mind, mind->state->left - 1);
    return stay + (good ? WANTED : USELESS);
}

/* Moves. */

static int64_t judge_arrival(struct mind *mind, int32_t square, int32_t left)
{
    int32_t cost = cost_from(mind, square);
    int64_t worth = PLAIN - (int64_t) cost;
    if (cost == 0)
        worth += mind->state->mode == OBJECTRON_RACE ? WINS : CAPTURES / 2;
    else if (cost <= left * OBJECTRON_STEP_COST)
        worth += mind->state->mode == OBJECTRON_RACE ? CAPTURES : WANTED;
    return worth;
}

static int64_t judge_step(struct mind *mind, uint32_t dir)
{
    const struct objectron_state *state = mind->state;
    int32_t                       to, from = mind->player->at, left = state->left - 1;
    if (objectron_judge_move(state, mind->seat, dir, &to) != ACCEPTED)
        return NEVER;
    int32_t over = objectron_step(state, from, dir);
    if (state->mode == OBJECTRON_RACE && over == state->player[1 - mind->seat].home)
        return PLAIN + WINS;
    int32_t dark = danger_of_dark(mind, over, left);
    if (dark == 0)
        dark = danger_of_dark(mind, to, left);
    if (dark > 0)
        left = 0;
    if (to != over)
        dark += mind->terrain.hop_toll;
    return judge_arrival(mind, to, left) - dark - danger_of_fields(mind, to, left) -
           danger_of_dead_ends(mind, from, to, left) + (has_wanted(mind, to) ? LIES_NEAR : 0);
}

static int64_t judge_end(struct mind *mind)
{
    bool loses;
    (void) objectron_judge_end(mind->state, mind->seat, &loses);
    return loses ? LOSES : worth_of_staying(mind, 0) - 1;
}

static void look(struct mind *mind, const struct objectron_state *state, uint32_t seat)
{
    mind->state = state;
    mind->seat = seat;
    mind->player = &state->player[seat];
    mind->is_surveyed = false;
    mind->in_the_way = -1;
    objectron_survey(state, seat, &mind->terrain);
}

void objectron_consider(const void *setup, const void *at, uint32_t seat, void *memory)
{
    struct mind *mind = memory;
    int32_t      squares[OBJECTRON_PLAYERS_MAX];
    (void) setup;
    look(mind, at, seat);
    int32_t count = goals(mind->state, seat, squares);
    objectron_reach_back(mind->state, &mind->terrain, squares, count, mind->home);
    mind->is_surveyed = true;
}

int64_t objectron_like(void *memory, const struct command *command)
{
    struct mind *mind = memory;
    switch (command->kind) {
    case OBJECTRON_MOVE: return judge_step(mind, (uint32_t) (command->arg[0] - 1));
    case OBJECTRON_PICK_UP: return judge_pick_up(mind, command->arg[0]);
    case OBJECTRON_USE: return judge_use(mind, command);
    case OBJECTRON_END_TURN: return judge_end(mind);
    default: return NEVER;
    }
}

int64_t objectron_judge(const void *setup, const void *at, uint32_t seat,
                        const struct command *command)
{
    struct mind mind;
    (void) setup;
    look(&mind, at, seat);
    return objectron_like(&mind, command);
}

int32_t objectron_way(const struct objectron_state *state, uint32_t seat)
{
    struct objectron_terrain terrain;
    int32_t                  costs[OBJECTRON_SQUARES_MAX];
    objectron_survey(state, seat, &terrain);
    objectron_reach(state, &terrain, state->player[seat].at, costs);
    return cost_to_goal(state, seat, costs);
}
