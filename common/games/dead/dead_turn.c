/* dead_turn.c: rounds and turns: dice are rolled, each player has a turn, then the colony its phase. */
#include "dice/draw.h"
#include "games/dead/dead_rules.h"

void dead_spend_die(struct dead *dead, uint32_t value)
{
    uint16_t *dice = dead_seat(dead->state, dead->state->on_turn)->dice;
    assert(dice[value - 1] > 0);
    dice[value - 1]--;
}

static void roll_dice(struct dead *dead, uint32_t seat)
{
    struct dead_seat *mine = dead_seat(dead->state, seat);
    uint32_t count = set_count(dead_ours(dead->state, seat), dead->state->people_words) + 1;
    mine->skips = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = draw_below(dead->dice, 6);
        mine->dice[side]++;
        SAY(dead, DEAD_DIE_ROLLED, seat, side + 1);
    }
}

/* What was used in the turn can be used again in the next; what is left of the dice is lost. */
static void clear_turn(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    struct dead_seat  *mine = dead_seat(state, seat);
    memset(mine->dice, 0, sizeof mine->dice);
    mine->cleaned = 0;
    FOR_EACH (who, dead_ours(state, seat), state->people_words) {
        struct dead_person *person = dead_person(state, who);
        person->moved = 0;
        person->ability_used = 0;
        for (uint32_t card = person->equipment; card != DEAD_NONE;
             card = dead_u16(state, state->at.next)[card])
            set_take(dead_u64(state, state->at.spent), card);
    }
}

/* Who plays next, from a seat on. */
static uint32_t next_player(const struct dead_state *state, uint32_t seat)
{
    while (seat < state->seats &&
           (!dead_seat(state, seat)->in_game || dead_seat(state, seat)->skips))
        seat++;
    return seat;
}

void dead_end_turn_of(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    if (seat != dead_current(state))
        return;
    clear_turn(dead, seat);
    state->turn_over = 1;
    state->upcoming = (uint8_t) next_player(state, seat + 1);
}

/* Base counts rounds up, the others count down the rounds still to play. */
static word round_number(const struct dead *dead)
{
    uint32_t round = dead->state->round;
    return dead_is_base(dead) ? round : dead->setup->rounds - round + 1;
}

void dead_begin_round(struct dead *dead)
{
    struct dead_state *state = dead->state;
    state->phase = DEAD_TURN;
    state->round++;
    state->contributed = 0;
    SAY(dead, DEAD_NEXT_ROUND, round_number(dead));
    uint32_t crisis = dead_u16(state, state->at.crises)[state->round - 1];
    SAY(dead, DEAD_CRISIS, dead_crisis(dead->setup, crisis)->id);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        if (dead_seat(state, seat)->in_game)
            roll_dice(dead, seat);
    state->turn_over = 1;
    state->upcoming = (uint8_t) next_player(state, 0);
}

/* One wound for every frostbite: but of two the first wound is the third injury, and deadly. */
static void thaw(struct dead *dead, uint32_t who)
{
    if (dead_person(dead->state, who)->frostbites > 0)
        dead_wound(dead, who);
}

/* The survivors suffer in the order in which they joined; who joins meanwhile has no frostbites. */
static void suffer_frost(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    uint32_t           from = 0;
    while (!dead_is_over(dead)) {
        uint32_t who = dead_next_joined(state, seat, from);
        if (who == DEAD_NONE)
            return;
        from = dead_person(state, who)->joined + 1u;
        thaw(dead, who);
    }
}

static void begin_turn(struct dead *dead, uint32_t seat)
{
    dead->state->on_turn = (uint8_t) seat;
    dead->state->turn_over = 0;
    dead->state->timeouts = 0;
    suffer_frost(dead, seat);
    if (!dead_is_over(dead))
        dead_draw_fate(dead);
}

/* From one player to the next, and through the colony phase into the next round. */
static void next_turn(struct dead *dead)
{
    struct dead_state *state = dead->state;
    if (state->upcoming < state->seats) {
        begin_turn(dead, state->upcoming);
        return;
    }
    state->on_turn = (uint8_t) state->seats;
    dead_colony_phase(dead);
    if (!dead_is_over(dead))
        dead_begin_round(dead);
}

void dead_go_on(struct dead *dead)
{
    while (!dead_is_over(dead) && dead->state->turn_over)
        next_turn(dead);
    if (!dead_is_over(dead))
        SAY(dead, DEAD_ACT_NOW, dead->state->on_turn);
}

void dead_settle(struct dead *dead)
{
    if (!dead_is_over(dead) && dead_meet_fate(dead))
        dead_go_on(dead);
}
