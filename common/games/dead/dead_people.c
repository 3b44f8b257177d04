/* dead_people.c: survivors and hands: who joins, walks, and is taken out of the game. */
#include "games/dead/dead_rules.h"

void dead_join(struct dead *dead, uint32_t who, uint32_t seat)
{
    struct dead_state  *state = dead->state;
    struct dead_person *person = dead_person(state, who);
    assert(person->place == DEAD_NOWHERE && person->owner == DEAD_NOBODY);
    person->place = (uint8_t) dead->setup->colony;
    person->owner = (uint8_t) seat;
    person->joined = state->joined++;
    set_put(dead_here(state, dead->setup->colony), who);
    set_put(dead_ours(state, seat), who);
    SAY(dead, DEAD_CHARACTER_SPAWNED, seat, dead_id_of(dead->setup, who));
}

uint32_t dead_next_joined(const struct dead_state *state, uint32_t seat, uint32_t from)
{
    uint32_t first = DEAD_NONE;
    FOR_EACH (who, dead_ours(state, seat), state->people_words) {
        uint32_t joined = dead_person(state, who)->joined;
        if (joined >= from && (first == DEAD_NONE || joined < dead_person(state, first)->joined))
            first = who;
    }
    return first;
}

void dead_walk(struct dead *dead, uint32_t who, uint32_t place)
{
    struct dead_person *person = dead_person(dead->state, who);
    set_take(dead_here(dead->state, person->place), who);
    set_put(dead_here(dead->state, place), who);
    person->place = (uint8_t) place;
    person->moved = 1;
}

/* The equipment goes with its wearer. */
static void bury_equipment(struct dead_state *state, uint32_t card)
{
    uint16_t *next = dead_u16(state, state->at.next);
    while (card != DEAD_NONE) {
        uint32_t older = next[card];
        next[card] = 0;
        set_take(dead_u64(state, state->at.worn), card);
        set_take(dead_u64(state, state->at.spent), card);
        set_put(dead_u64(state, state->at.gone), card);
        card = older;
    }
}

void dead_remove(struct dead *dead, uint32_t who)
{
    struct dead_state  *state = dead->state;
    struct dead_person *person = dead_person(state, who);
    bury_equipment(state, person->equipment);
    set_take(dead_here(state, person->place), who);
    set_take(dead_ours(state, person->owner), who);
    *person =
        (struct dead_person){ .place = DEAD_NOWHERE, .owner = DEAD_NOBODY, .equipment = DEAD_NONE };
}

void dead_drop_hand(struct dead *dead, uint32_t seat)
{
    uint64_t *hand = dead_hand(dead->state, seat);
    uint64_t *gone = dead_u64(dead->state, dead->state->at.gone);
    for (uint32_t i = 0; i < dead->state->card_words; i++) {
        gone[i] |= hand[i];
        hand[i] = 0;
    }
}

uint32_t dead_take_from_pool(struct dead_state *state)
{
    uint16_t *pool = dead_u16(state, state->at.pool);
    uint32_t  who = pool[0];
    state->pool_count--;
    for (uint32_t i = 0; i < state->pool_count; i++)
        pool[i] = pool[i + 1];
    pool[state->pool_count] = 0;
    return who;
}

static bool anybody_left(const struct dead_state *state)
{
    for (uint32_t seat = 0; seat < state->seats; seat++)
        if (dead_seat(state, seat)->in_game)
            return true;
    return false;
}

/* A player is out. With the last one the match ends, without another word. */
static void say_left(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    *dead_seat(state, seat) = (struct dead_seat){ .in_game = 0 };
    dead_end_turn_of(dead, seat);
    SAY(dead, DEAD_LEFT, seat);
    if (!anybody_left(state))
        state->phase = DEAD_OVER;
}

/* In equipment a turn that is still to come is not lost with the last survivor. That holds even
 * when a death has just ended the turn before it. In crossroads it is, as was recorded. */
static bool keeps_turn(const struct dead *dead)
{
    return dead->setup->edition == DEAD_EQUIPMENT && dead->state->turn_over;
}

/* The player has lost the last survivor. Who sits out, in base, is who would still have had a turn in
 * this round: "can play on in the next round". */
void dead_replace(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    dead_drop_hand(dead, seat);
    if (state->pool_count == 0) {
        say_left(dead, seat);
        return;
    }
    dead_join(dead, dead_take_from_pool(state), seat);
    if (!keeps_turn(dead))
        dead_end_turn_of(dead, seat);
    if (dead_is_base(dead) && seat > state->on_turn) {
        memset(dead_seat(state, seat)->dice, 0, sizeof dead_seat(state, seat)->dice);
        dead_seat(state, seat)->skips = 1;
    }
}

/* The survivors of a leaver die too, those of high status first; nobody takes their place. */
void dead_leave(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    say_left(dead, seat);
    dead_drop_hand(dead, seat);
    while (!dead_is_over(dead) && !set_empty(dead_ours(state, seat), state->people_words)) {
        uint32_t who = set_top(dead_ours(state, seat), state->people_words);
        if (!dead_is_base(dead))
            SAY(dead, DEAD_SURVIVOR_KILLED, dead_id_of(dead->setup, who));
        dead_remove(dead, who);
        dead_moral(dead, -1, DEAD_MORAL_CHARACTER_DIED);
    }
}
