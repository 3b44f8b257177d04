/* dead_prepare.c: the preparation: everything is laid out and shuffled, and each player chooses two
 * of four characters. */
#include "dice/draw.h"
#include "games/dead/dead_rules.h"

#define CARDS_AT_START 5 /* Each player draws so many after the choice. */

static void place_zombies(const struct dead *dead)
{
    for (uint32_t place = 0; place < dead->setup->locations.count; place++) {
        const struct dead_location *location = dead_location(dead->setup, place);
        uint32_t count = place == dead->setup->colony ? dead->setup->zombies_colony
                                                      : dead->setup->zombies_locations;
        uint8_t *zombies = dead_zombies(dead->state, location);
        for (uint32_t i = 0; i < count; i++)
            zombies[i % location->entrances]++;
    }
}

static void lay_out_people(const struct dead *dead)
{
    uint16_t *pool = dead_u16(dead->state, dead->state->at.pool);
    for (uint32_t i = 0; i < dead->setup->characters.count; i++) {
        *dead_person(dead->state, i) = (struct dead_person){ .place = DEAD_NOWHERE,
                                                             .owner = DEAD_NOBODY,
                                                             .equipment = DEAD_NONE };
        pool[i] = dead_character(dead->setup, i)->rank;
    }
    dead->state->pool_count = (uint16_t) dead->setup->characters.count;
}

static void count_up(uint16_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = (uint16_t) i;
}

static void lay_out_cards(const struct dead *dead)
{
    uint16_t *deck = dead_u16(dead->state, dead->state->at.deck);
    for (uint32_t place = 0; place < dead->setup->locations.count; place++) {
        const struct dead_location *location = dead_location(dead->setup, place);
        for (uint32_t k = 0; k < location->deck_count; k++)
            deck[location->deck_first + k] = (uint16_t) dead_deck_card(dead->setup, place, k);
    }
    count_up(dead_u16(dead->state, dead->state->at.crises), dead->setup->crises.count);
    count_up(dead_u16(dead->state, dead->state->at.fates), dead->setup->fates.count);
}

static void shuffle_deck(const struct dead *dead, uint32_t place)
{
    const struct dead_location *location = dead_location(dead->setup, place);
    draw_shuffle(dead->dice, dead_u16(dead->state, dead->state->at.deck) + location->deck_first,
                 location->deck_count);
}

/* The order of the draws is part of the rules: the start deck, the others by identifier, crises, fate. */
static void shuffle_all(const struct dead *dead)
{
    shuffle_deck(dead, dead->setup->colony);
    for (uint32_t place = 0; place < dead->setup->locations.count; place++)
        if (place != dead->setup->colony)
            shuffle_deck(dead, place);
    draw_shuffle(dead->dice, dead_u16(dead->state, dead->state->at.crises),
                 dead->setup->crises.count);
    draw_shuffle(dead->dice, dead_u16(dead->state, dead->state->at.fates),
                 dead->setup->fates.count);
}

void dead_say_offer(const struct dead_setup *setup, const struct dead_state *state,
                    struct sink *out)
{
    const uint16_t *pool = dead_u16(state, state->at.pool);
    EMIT(out, TO_SEAT(state->on_turn), DEAD_CHARACTERS, dead_id_of(setup, pool[0]),
         dead_id_of(setup, pool[1]), dead_id_of(setup, pool[2]), dead_id_of(setup, pool[3]));
}

static void offer(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    state->on_turn = (uint8_t) seat;
    state->timeouts = 0;
    draw_shuffle(dead->dice, dead_u16(state, state->at.pool), state->pool_count);
    dead_say_offer(dead->setup, state, dead->out);
}

void dead_prepare(struct dead *dead)
{
    struct dead_state *state = dead->state;
    state->phase = DEAD_PREPARATION;
    state->moral = (int32_t) dead->setup->moral;
    state->children = dead->setup->children;
    state->fate = DEAD_NONE;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        dead_seat(state, seat)->in_game = 1;
    place_zombies(dead);
    lay_out_people(dead);
    lay_out_cards(dead);

    SAY_BARE(dead, DEAD_GAME_STARTED);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        SAY(dead, DEAD_PLAYER, seat, ABSENT);
    shuffle_all(dead);
    offer(dead, 0);
}

static void draw_first_hand(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    const uint16_t    *deck = dead_u16(state, state->at.deck) +
                           dead_location(dead->setup, dead->setup->colony)->deck_first;
    uint16_t *taken = dead_u16(state, state->at.taken) + dead->setup->colony;
    for (uint32_t i = 0; i < CARDS_AT_START; i++) {
        uint32_t card = deck[(*taken)++];
        set_put(dead_hand(state, seat), card);
        SAY(dead, DEAD_CARD_DRAWN, seat, dead_card(dead->setup, card)->id);
    }
}

/* Nobody ever searches the colony: what is left of its deck is out of the game. */
static void remove_start_deck(struct dead *dead)
{
    struct dead_state          *state = dead->state;
    const struct dead_location *colony = dead_location(dead->setup, dead->setup->colony);
    const uint16_t             *deck = dead_u16(state, state->at.deck) + colony->deck_first;
    uint16_t                   *taken = dead_u16(state, state->at.taken) + dead->setup->colony;
    while (*taken < colony->deck_count)
        set_put(dead_u64(state, state->at.gone), deck[(*taken)++]);
}

/* Takes the offered four from the front of the pool and puts back the two refused, in order, behind. */
static void take_from_offer(struct dead_state *state, uint32_t one, uint32_t other)
{
    uint16_t *pool = dead_u16(state, state->at.pool);
    uint16_t  refused[DEAD_OFFER];
    uint32_t  count = 0;
    for (uint32_t i = 0; i < DEAD_OFFER; i++)
        if (i != one && i != other)
            refused[count++] = pool[i];
    assert(count == 2);
    for (uint32_t i = DEAD_OFFER; i < state->pool_count; i++)
        pool[i - DEAD_OFFER] = pool[i];
    state->pool_count = (uint16_t) (state->pool_count - 2);
    pool[state->pool_count - 2] = refused[0];
    pool[state->pool_count - 1] = refused[1];
    pool[state->pool_count] = pool[state->pool_count + 1] = 0;
}

/* The player on turn keeps two of the offer, by their places in it. They are announced by identifier. */
static void choose(struct dead *dead, uint32_t one, uint32_t other)
{
    struct dead_state *state = dead->state;
    const uint16_t    *pool = dead_u16(state, state->at.pool);
    uint32_t           seat = state->on_turn;
    uint32_t           first = pool[one];
    uint32_t           second = pool[other];
    if (dead_id_of(dead->setup, first) > dead_id_of(dead->setup, second)) {
        first = pool[other];
        second = pool[one];
    }
    take_from_offer(state, one, other);
    dead_join(dead, first, seat);
    dead_join(dead, second, seat);
    draw_first_hand(dead, seat);
    if (seat + 1 < state->seats) {
        offer(dead, seat + 1);
        return;
    }
    remove_start_deck(dead);
    draw_shuffle(dead->dice, dead_u16(state, state->at.pool), state->pool_count);
    dead_begin_round(dead);
    dead_go_on(dead);
}

static uint32_t place_in_offer(const struct dead *dead, word id)
{
    const uint16_t *pool = dead_u16(dead->state, dead->state->at.pool);
    uint32_t        place = 0;
    while (place < DEAD_OFFER && dead_id_of(dead->setup, pool[place]) != id)
        place++;
    return place;
}

verdict dead_select(struct dead *dead, uint32_t seat, const struct command *command)
{
    if (seat != dead->state->on_turn)
        return DEAD_NO_NOT_YOUR_CHOICE;
    uint32_t one = place_in_offer(dead, command->arg[0]);
    uint32_t other = place_in_offer(dead, command->arg[1]);
    if (one == DEAD_OFFER || other == DEAD_OFFER)
        return DEAD_NO_NOT_OFFERED;
    if (one == other)
        return DEAD_NO_SAME_TWICE;
    choose(dead, one, other);
    return ACCEPTED;
}

void dead_select_for(struct dead *dead)
{
    choose(dead, 0, 1);
}
