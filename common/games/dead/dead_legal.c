/* dead_legal.c: everything the awaited player may do, as patterns.
 *
 * Survivors of one place can do much the same things with the same targets, so the list is made
 * place by place. What survivors share - open places, entrances, cards of a kind - is put once.
 * This runs before every command of a bot; it looks at each survivor and each card a fixed number
 * of times. */
#include "games/dead/dead_rules.h"

#define KINDS (DEAD_SWAB + 1)

struct mate {
    const struct dead_character *character;
    const struct dead_person    *person;
    uint32_t                     who;
};

/* The list in the making: of the whole hand first, then of one place after the other. */
struct listing {
    const struct dead_setup *setup;
    const struct dead_state *state;
    struct legal            *list;
    uint32_t                 seat;
    uint32_t                 best;         /* The highest die; 0 without dice.            */
    uint16_t                 first[KINDS]; /* Of each kind in the hand, in `order`.       */
    uint16_t                 count[KINDS];

    uint32_t           place;
    uint32_t           mates;
    struct mate        mate[DEAD_CHARACTERS_MAX];
    struct pattern_arg all;  /* All of them, as values.                     */
    struct pattern_arg free; /* Entrances with a free place.                */
    struct pattern_arg zombies;
    struct pattern_arg hurt; /* Everybody here with an injury.              */
};

/* The order in which kinds of cards are put: what helps against a crisis of stuff, and all equipment,
 * stand together. */
static const uint8_t order[KINDS] = { DEAD_FOOD,      DEAD_MEDICINE, DEAD_FUEL,   DEAD_STUFF,
                                      DEAD_LOCK,      DEAD_SCISSORS, DEAD_HAMMER, DEAD_SNOW_BOOTS,
                                      DEAD_BLUEPRINT, DEAD_COLT,     DEAD_SWAB };

/* The cards of the hand, kind by kind, are the first values of the list. */
static void put_hand(struct listing *at)
{
    const struct dead_card *cards = dead_cards(at->setup);
    const uint64_t         *hand = dead_hand(at->state, at->seat);
    struct legal           *list = at->list;
    uint16_t                used = 0;
    memset(at->count, 0, sizeof at->count);
    FOR_EACH (card, hand, at->state->card_words)
        at->count[cards[card].kind]++;
    for (uint32_t i = 0; i < KINDS; i++) {
        at->first[order[i]] = used;
        used = (uint16_t) (used + at->count[order[i]]);
    }
    assert(list->values == 0 && used <= list->values_max);
    list->values = used;
    FOR_EACH (card, hand, at->state->card_words)
        list->value[at->first[cards[card].kind]++] = cards[card].id;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        at->first[kind] = (uint16_t) (at->first[kind] - at->count[kind]);
}

/* The hand's cards from one kind to another, in `order`. */
static struct pattern_arg cards_of(const struct listing *at, uint32_t from, uint32_t to)
{
    uint32_t end = at->first[to] + (uint32_t) at->count[to];
    return (struct pattern_arg){ at->first[from], end - at->first[from] };
}

static void put(const struct listing *at, uint32_t kind, struct pattern_arg one)
{
    if (one.count > 0)
        legal_pattern(at->list, kind, 1)->arg[0] = one;
}

static void put_two(const struct listing *at, uint32_t kind, struct pattern_arg one,
                    struct pattern_arg other)
{
    if (one.count == 0 || other.count == 0)
        return;
    struct pattern *pattern = legal_pattern(at->list, kind, 2);
    pattern->arg[0] = one;
    pattern->arg[1] = other;
}

static void put_three(const struct listing *at, uint32_t kind, struct pattern_arg one,
                      struct pattern_arg other, struct pattern_arg third)
{
    if (one.count == 0 || other.count == 0 || third.count == 0)
        return;
    struct pattern *pattern = legal_pattern(at->list, kind, 3);
    pattern->arg[0] = one;
    pattern->arg[1] = other;
    pattern->arg[2] = third;
}

static void list_hand(struct listing *at)
{
    const struct dead_state *state = at->state;
    uint32_t                 crisis = dead_u16(state, state->at.crises)[state->round - 1];
    uint32_t                 wanted = dead_crisis(at->setup, crisis)->kind;
    put_hand(at);
    put(at, DEAD_CONTRIBUTE_CARD, cards_of(at, wanted, wanted == DEAD_STUFF ? DEAD_SWAB : wanted));
    put(at, DEAD_USE_CARD, cards_of(at, DEAD_FOOD, DEAD_FOOD));
    if (at->best > 0)
        put(at, DEAD_USE_CARD, cards_of(at, DEAD_STUFF, DEAD_STUFF));
}

/* Survivors of one place. */

static bool find_mates(struct listing *at)
{
    const struct dead_state *state = at->state;
    const uint64_t          *here = dead_here(state, at->place);
    const uint64_t          *ours = dead_ours(state, at->seat);
    at->mates = 0;
    for (uint32_t i = 0; i < state->people_words; i++)
        for (uint64_t left = here[i] & ours[i]; left != 0; left &= left - 1) {
            struct mate *mate = &at->mate[at->mates++];
            mate->who = i * 64 + (uint32_t) __builtin_ctzll(left);
            mate->character = dead_character_of(at->setup, mate->who);
            mate->person = dead_person(state, mate->who);
        }
    return at->mates > 0;
}

typedef bool mate_test(const struct listing *at, const struct mate *mate);

static bool has_not_moved(const struct listing *at, const struct mate *mate)
{
    (void) at;
    return !mate->person->moved;
}

static bool has_hammer(const struct listing *at, const struct mate *mate)
{
    return dead_tool(at->setup, at->state, mate->who, DEAD_HAMMER, DEAD_NONE) != DEAD_NONE;
}

static bool can_attack(const struct listing *at, const struct mate *mate)
{
    return mate->character->attack <= at->best;
}

static bool can_search(const struct listing *at, const struct mate *mate)
{
    return mate->character->search <= at->best;
}

static bool can_clean(const struct listing *at, const struct mate *mate)
{
    return dead_cleaner(at->setup, at->state, mate->who) != DEAD_CLEANS_NOT;
}

static bool can_feed(const struct listing *at, const struct mate *mate)
{
    (void) at;
    return mate->character->ability == DEAD_ABILITY_FEED && mate->person->ability_used == 0;
}

static inline struct pattern_arg mates_who(const struct listing *at, mate_test *test)
{
    uint32_t first = at->list->values;
    for (uint32_t i = 0; i < at->mates; i++)
        if (test(at, &at->mate[i]))
            legal_value(at->list, at->mate[i].character->id);
    return legal_since(at->list, first);
}

static void put_place(struct listing *at)
{
    const struct dead_location *location = dead_location(at->setup, at->place);
    const uint8_t              *zombies = dead_zombies(at->state, location);
    const uint8_t              *barricades = dead_barricades(at->state, location);
    struct legal               *list = at->list;
    uint32_t                    first = list->values;
    for (uint32_t i = 0; i < at->mates; i++)
        legal_value(list, at->mate[i].character->id);
    at->all = legal_since(list, first);

    first = list->values;
    for (uint32_t i = 0; i < location->entrances; i++)
        if (zombies[i] + barricades[i] < (int) DEAD_PLACES)
            legal_value(list, i);
    at->free = legal_since(list, first);

    first = list->values;
    for (uint32_t i = 0; i < location->entrances; i++)
        if (zombies[i] > 0)
            legal_value(list, i);
    at->zombies = legal_since(list, first);

    first = list->values;
    FOR_EACH (who, dead_here(at->state, at->place), at->state->people_words)
        if (dead_is_hurt(at->state, who))
            legal_value(list, dead_id_of(at->setup, who));
    at->hurt = legal_since(list, first);
}

static struct pattern_arg open_places(const struct listing *at)
{
    uint32_t first = at->list->values;
    for (uint32_t place = 0; place < at->setup->locations.count; place++)
        if (place != at->place && dead_has_room(at->setup, at->state, place))
            legal_value(at->list, dead_location(at->setup, place)->id);
    return legal_since(at->list, first);
}

static void list_moves(struct listing *at)
{
    struct pattern_arg fuel = cards_of(at, DEAD_FUEL, DEAD_FUEL);
    struct pattern_arg movers = mates_who(at, has_not_moved);
    if (movers.count == 0)
        return;
    struct pattern_arg places = open_places(at);
    if (at->setup->edition != DEAD_BASE) {
        put_two(at, DEAD_MOVE, movers, places);
        put_three(at, DEAD_USE_CARD, fuel, movers, places);
        return;
    }
    uint32_t first = legal_value(at->list, 0);
    if (fuel.count > 0)
        legal_value(at->list, 1);
    put_three(at, DEAD_MOVE, movers, places, legal_since(at->list, first));
}

static void list_dice(struct listing *at)
{
    bool dice = at->best > 0;
    if (at->free.count > 0)
        put_two(at, DEAD_BARRICADE, dice ? at->all : mates_who(at, has_hammer), at->free);
    if (at->zombies.count > 0)
        put_two(at, DEAD_ATTACK, mates_who(at, can_attack), at->zombies);
    if (dead_cards_left(at->setup, at->state, at->place) > 0)
        put(at, DEAD_SEARCH, mates_who(at, can_search));
    if (dice && at->place == at->setup->colony && at->state->waste > 0)
        put(at, DEAD_CLEAN_WASTE, mates_who(at, can_clean));
}

static void list_cards(struct listing *at)
{
    put_three(at, DEAD_USE_CARD, cards_of(at, DEAD_LOCK, DEAD_LOCK), at->all, at->free);
    put_three(at, DEAD_USE_CARD, cards_of(at, DEAD_SCISSORS, DEAD_SCISSORS), at->all, at->zombies);
    put_three(at, DEAD_USE_CARD, cards_of(at, DEAD_MEDICINE, DEAD_MEDICINE), at->all, at->hurt);
    struct pattern_arg equipment = cards_of(at, DEAD_HAMMER, DEAD_SWAB);
    if (at->setup->edition == DEAD_BASE || equipment.count == 0)
        return;
    uint32_t first = at->list->values;
    FOR_EACH (who, dead_here(at->state, at->place), at->state->people_words)
        legal_value(at->list, dead_id_of(at->setup, who));
    put_three(at, DEAD_USE_CARD, equipment, at->all, legal_since(at->list, first));
}

/* In base healers cannot heal themselves. */
static struct pattern_arg patients(const struct listing *at, const struct mate *healer)
{
    if (at->setup->edition != DEAD_BASE || !dead_is_hurt(at->state, healer->who))
        return at->hurt;
    uint32_t first = at->list->values;
    for (uint32_t i = 0; i < at->hurt.count; i++)
        if (at->list->value[at->hurt.first + i] != healer->character->id)
            legal_value(at->list, at->list->value[at->hurt.first + i]);
    return legal_since(at->list, first);
}

static void list_ability(struct listing *at, const struct mate *mate)
{
    const struct dead_character *character = mate->character;
    struct pattern_arg           targets = { .count = 0 };
    uint32_t                     die;
    switch (character->ability) {
    case DEAD_ABILITY_HEAL:
        if (mate->person->ability_used == 0)
            targets = patients(at, mate);
        break;
    case DEAD_ABILITY_BARRICADE:
        if (mate->person->ability_used < character->activations_max)
            targets = at->free;
        break;
    case DEAD_ABILITY_KILL:
        if (dead_may_kill(at->setup, at->state, mate->who, &die) == ACCEPTED)
            targets = at->zombies;
        break;
    default: break;
    }
    if (targets.count > 0)
        put_two(at, DEAD_USE_ABILITY, legal_one(at->list, character->id), targets);
}

static void list_turn(struct listing *at)
{
    const uint16_t *dice = dead_seat(at->state, at->seat)->dice;
    for (at->best = 6; at->best > 0 && dice[at->best - 1] == 0;)
        at->best--;
    legal_pattern(at->list, DEAD_END_TURN, 0);
    legal_pattern(at->list, DEAD_LEAVE, 0);
    list_hand(at);
    for (at->place = 0; at->place < at->setup->locations.count; at->place++) {
        if (!find_mates(at))
            continue;
        put_place(at);
        list_moves(at);
        list_dice(at);
        list_cards(at);
        put(at, DEAD_USE_ABILITY, mates_who(at, can_feed));
        for (uint32_t i = 0; i < at->mates; i++)
            list_ability(at, &at->mate[i]);
    }
}

/* Each of the four with the three others: two patterns never stand for the same pair. */
static void list_choice(const struct dead_setup *setup, const struct dead_state *state,
                        struct legal *list)
{
    const uint16_t *pool = dead_u16(state, state->at.pool);
    for (uint32_t one = 0; one < DEAD_OFFER; one++) {
        struct pattern *pattern = legal_pattern(list, DEAD_SELECT_CHARACTERS, 2);
        pattern->arg[0] = legal_one(list, dead_id_of(setup, pool[one]));
        uint32_t first = list->values;
        for (uint32_t other = 0; other < DEAD_OFFER; other++)
            if (other != one)
                legal_value(list, dead_id_of(setup, pool[other]));
        pattern->arg[1] = legal_since(list, first);
    }
}

static void list_vote(struct legal *list)
{
    uint32_t first = legal_value(list, 0);
    legal_value(list, 1);
    legal_pattern(list, DEAD_VOTE, 1)->arg[0] = legal_since(list, first);
}

void dead_legal(const void *setup, const void *state, uint32_t seat, struct legal *list)
{
    struct listing at;
    legal_clear(list);
    if (!(dead_to_act(setup, state) >> seat & 1))
        return;
    at.setup = setup;
    at.state = state;
    at.list = list;
    at.seat = seat;
    switch (at.state->phase) {
    case DEAD_PREPARATION: list_choice(setup, state, list); break;
    case DEAD_VOTING: list_vote(list); break;
    default: list_turn(&at); break;
    }
}
