/* dead_actions.c: what a survivor does with dice: walk, build, fight, search, clean.
 *
 * Each command is judged to its end before anything happens: a refused one changes nothing. */
#include "dice/draw.h"
#include "games/dead/dead_rules.h"

#define WASTE_ORDINARY 3u /* Cards of waste one survivor carries out. */
#define WASTE_SWAB 5u

verdict dead_find_own(const struct dead *dead, word id, uint32_t *who)
{
    *who = dead_who(dead->setup, id);
    if (*who == DEAD_NONE || !set_has(dead_ours(dead->state, dead->state->on_turn), *who))
        return DEAD_NO_NOT_YOURS;
    return ACCEPTED;
}

verdict dead_find_entrance(const struct dead *dead, uint32_t who, word entrance)
{
    bool exists = entrance >= 0 && entrance < dead_place_of(dead, who)->entrances;
    return exists ? ACCEPTED : DEAD_NO_SUCH_ENTRANCE;
}

uint32_t dead_free_places(const struct dead *dead, uint32_t who, word entrance)
{
    const struct dead_location *location = dead_place_of(dead, who);
    return DEAD_PLACES - dead_zombies(dead->state, location)[entrance] -
           dead_barricades(dead->state, location)[entrance];
}

uint32_t dead_tool(const struct dead_setup *setup, const struct dead_state *state, uint32_t who,
                   uint32_t kind, uint32_t place)
{
    uint32_t card = dead_person(state, who)->equipment;
    for (; card != DEAD_NONE; card = dead_u16(state, state->at.next)[card]) {
        const struct dead_card *tool = &dead_cards(setup)[card];
        if (tool->kind == kind && tool->location == place &&
            !set_has(dead_u64(state, state->at.spent), card))
            return card;
    }
    return DEAD_NONE;
}

static void spend_tool(const struct dead *dead, uint32_t card)
{
    set_put(dead_u64(dead->state, dead->state->at.spent), card);
}

verdict dead_may_move(const struct dead *dead, uint32_t who, word id, uint32_t *place)
{
    const struct dead_person *person = dead_person(dead->state, who);
    *place = dead_location_index(dead->setup, id);
    if (person->moved)
        return DEAD_NO_MOVED_ALREADY;
    if (*place == DEAD_NONE)
        return DEAD_NO_SUCH_LOCATION;
    if (*place == person->place)
        return DEAD_NO_THERE_ALREADY;
    return dead_has_room(dead->setup, dead->state, *place) ? ACCEPTED : DEAD_NO_ROOM;
}

/* In base a car is a flag of the move. It takes the fuel with the lowest identifier and no die. */
static verdict find_fuel(const struct dead *dead, word fuel, uint32_t *card)
{
    *card = DEAD_NONE;
    if (!dead_is_base(dead))
        return fuel == ABSENT ? ACCEPTED : DEAD_NO_MALFORMED;
    if (fuel != 0 && fuel != 1)
        return DEAD_NO_MALFORMED;
    if (fuel == 0)
        return ACCEPTED;
    const struct dead_card *cards = dead_cards(dead->setup);
    FOR_EACH (held, dead_hand(dead->state, dead->state->on_turn), dead->state->card_words)
        if (cards[held].kind == DEAD_FUEL &&
            (*card == DEAD_NONE || cards[held].id < cards[*card].id))
            *card = held;
    return *card == DEAD_NONE ? DEAD_NO_FUEL_CARD : ACCEPTED;
}

static void drive(struct dead *dead, uint32_t who, uint32_t place, uint32_t card)
{
    dead_walk(dead, who, place);
    SAY(dead, DEAD_MOVED, dead_id_of(dead->setup, who), dead_location(dead->setup, place)->id, 1);
    dead_discard(dead, card);
    dead_add_waste(dead, 1);
}

verdict dead_move(struct dead *dead, const struct command *command)
{
    uint32_t who, place, card;
    verdict  refused = dead_find_own(dead, command->arg[0], &who);
    if (!refused)
        refused = dead_may_move(dead, who, command->arg[1], &place);
    if (!refused)
        refused = find_fuel(dead, command->arg[2], &card);
    if (refused)
        return refused;
    if (card != DEAD_NONE) {
        drive(dead, who, place, card);
        return ACCEPTED;
    }
    dead_walk(dead, who, place);
    SAY(dead, DEAD_MOVED, command->arg[0], command->arg[1], command->arg[2]);
    dead_tempt_fate(dead, DEAD_ON_MOVED, place);
    dead_infect_mover(dead, who);
    return ACCEPTED;
}

verdict dead_barricade(struct dead *dead, const struct command *command)
{
    uint32_t who;
    verdict  refused = dead_find_own(dead, command->arg[0], &who);
    if (!refused)
        refused = dead_find_entrance(dead, who, command->arg[1]);
    if (refused)
        return refused;
    uint32_t hammer = dead_tool(dead->setup, dead->state, who, DEAD_HAMMER, DEAD_NONE);
    uint32_t die = dead_die(dead->state, dead->state->on_turn, 1);
    if (hammer == DEAD_NONE && die == 0)
        return DEAD_NO_DIE;
    if (dead_free_places(dead, who, command->arg[1]) == 0)
        return DEAD_NO_FREE_PLACE;

    const struct dead_location *location = dead_place_of(dead, who);
    dead_barricades(dead->state, location)[command->arg[1]]++;
    if (hammer != DEAD_NONE)
        spend_tool(dead, hammer);
    else
        dead_spend_die(dead, die);
    SAY(dead, DEAD_BARRICADED, command->arg[0], location->id, command->arg[1]);
    dead_tempt_fate(dead, DEAD_ON_BARRICADED, dead_person(dead->state, who)->place);
    return ACCEPTED;
}

void dead_kill_zombie(struct dead *dead, uint32_t who, word entrance)
{
    const struct dead_location *location = dead_place_of(dead, who);
    dead_zombies(dead->state, location)[entrance]--;
    SAY(dead, DEAD_ZOMBIE_KILLED, dead_id_of(dead->setup, who), location->id, entrance);
}

verdict dead_attack(struct dead *dead, const struct command *command)
{
    uint32_t who;
    verdict  refused = dead_find_own(dead, command->arg[0], &who);
    if (!refused)
        refused = dead_find_entrance(dead, who, command->arg[1]);
    if (refused)
        return refused;
    const struct dead_character *character = dead_character_of(dead->setup, who);
    uint32_t die = dead_die(dead->state, dead->state->on_turn, character->attack);
    if (die == 0)
        return DEAD_NO_DIE;
    if (dead_zombies(dead->state, dead_place_of(dead, who))[command->arg[1]] == 0)
        return DEAD_NO_ZOMBIE;

    dead_spend_die(dead, die);
    dead_kill_zombie(dead, who, command->arg[1]);
    uint32_t colt = dead_tool(dead->setup, dead->state, who, DEAD_COLT, DEAD_NONE);
    if (colt != DEAD_NONE)
        spend_tool(dead, colt);
    else if (character->ability != DEAD_ABILITY_NO_INFECTION)
        dead_infect(dead, who);
    return ACCEPTED;
}

/* Somebody hides there: one chance in as many as the deck had cards at the start. Nobody is left to
 * be found once the pool is empty, and then nothing is rolled. */
static bool somebody_hides(const struct dead *dead, const struct dead_location *location)
{
    return dead->state->pool_count > 0 && draw_below(dead->dice, location->deck_count) == 0;
}

void dead_spawn_child(struct dead *dead)
{
    dead->state->children++;
    SAY_BARE(dead, DEAD_CHILD_SPAWNED);
}

static void bring_home(struct dead *dead)
{
    dead_join(dead, dead_take_from_pool(dead->state), dead->state->on_turn);
    for (uint32_t children = draw_below(dead->dice, 4); children > 0; children--)
        dead_spawn_child(dead);
}

/* How many cards a search may bring. One bonus applies: a blueprint first, then the ability. */
static uint32_t use_bonus(const struct dead *dead, uint32_t who)
{
    const struct dead_character *character = dead_character_of(dead->setup, who);
    struct dead_person          *person = dead_person(dead->state, who);
    uint32_t plan = dead_tool(dead->setup, dead->state, who, DEAD_BLUEPRINT, person->place);
    if (plan != DEAD_NONE) {
        spend_tool(dead, plan);
        return 2;
    }
    if (character->ability != DEAD_ABILITY_SEARCH || character->location != person->place ||
        person->ability_used >= character->activations_max)
        return 1;
    person->ability_used++;
    return 1 + character->amount;
}

static void take_cards(struct dead *dead, uint32_t place, uint32_t count)
{
    struct dead_state          *state = dead->state;
    const struct dead_location *location = dead_location(dead->setup, place);
    const uint16_t             *deck = dead_u16(state, state->at.deck) + location->deck_first;
    uint16_t                   *taken = dead_u16(state, state->at.taken) + place;
    for (; count > 0 && *taken < location->deck_count; count--) {
        uint32_t card = deck[(*taken)++];
        set_put(dead_hand(state, state->on_turn), card);
        SAY(dead, DEAD_CARD_DRAWN, state->on_turn, dead_card(dead->setup, card)->id);
    }
}

verdict dead_search(struct dead *dead, const struct command *command)
{
    uint32_t who;
    verdict  refused = dead_find_own(dead, command->arg[0], &who);
    if (refused)
        return refused;
    uint32_t place = dead_person(dead->state, who)->place;
    uint32_t die =
        dead_die(dead->state, dead->state->on_turn, dead_character_of(dead->setup, who)->search);
    if (die == 0)
        return DEAD_NO_DIE;
    if (dead_cards_left(dead->setup, dead->state, place) == 0)
        return DEAD_NO_CARDS_LEFT;

    dead_spend_die(dead, die);
    const struct dead_location *location = dead_location(dead->setup, place);
    bool                        met = somebody_hides(dead, location);
    SAY(dead, DEAD_SEARCHED, command->arg[0], location->id);
    if (met) {
        bring_home(dead);
        return ACCEPTED;
    }
    take_cards(dead, place, use_bonus(dead, who));
    dead_tempt_fate(dead, DEAD_ON_SEARCHED, place);
    return ACCEPTED;
}

/* Base tells the new total, the others the change. */
void dead_add_waste(struct dead *dead, int32_t amount)
{
    struct dead_state *state = dead->state;
    state->waste = (uint32_t) ((int32_t) state->waste + amount);
    SAY(dead, DEAD_WASTE_CHANGED, dead_is_base(dead) ? (word) state->waste : amount);
    dead_tempt_fate(dead, DEAD_ON_WASTE_CHANGED, DEAD_NONE);
}

enum dead_cleaner dead_cleaner(const struct dead_setup *setup, const struct dead_state *state,
                               uint32_t who)
{
    const struct dead_person *person = dead_person(state, who);
    bool                      base = setup->edition == DEAD_BASE;
    if (dead_tool(setup, state, who, DEAD_SWAB, DEAD_NONE) != DEAD_NONE)
        return DEAD_CLEANS_WITH_SWAB;
    /* In base each way is open once a round: the player's ordinary one, and one of each
     * TRASH character, who knows no other. */
    if (dead_character_of(setup, who)->ability == DEAD_ABILITY_TRASH)
        return base && person->ability_used > 0 ? DEAD_CLEANS_NOT : DEAD_CLEANS_TRASH;
    return base && dead_seat(state, person->owner)->cleaned ? DEAD_CLEANS_NOT : DEAD_CLEANS;
}

/* Carries waste out, and tells whether the die that must be there is also spent. */
static bool carry_waste(struct dead *dead, uint32_t who, enum dead_cleaner cleaner,
                        uint32_t *amount)
{
    struct dead_state *state = dead->state;
    *amount = WASTE_ORDINARY;
    if (cleaner == DEAD_CLEANS_WITH_SWAB) {
        spend_tool(dead, dead_tool(dead->setup, state, who, DEAD_SWAB, DEAD_NONE));
        *amount = WASTE_SWAB;
        return false;
    }
    if (cleaner == DEAD_CLEANS_TRASH) {
        *amount = dead_character_of(dead->setup, who)->amount;
        dead_person(state, who)->ability_used = dead_is_base(dead);
        return dead_is_base(dead);
    }
    dead_seat(state, state->on_turn)->cleaned = dead_is_base(dead);
    return true;
}

verdict dead_clean_waste(struct dead *dead, const struct command *command)
{
    struct dead_state *state = dead->state;
    uint32_t           who, amount;
    verdict            refused = dead_find_own(dead, command->arg[0], &who);
    if (refused)
        return refused;
    if (dead_person(state, who)->place != dead->setup->colony)
        return DEAD_NO_NOT_IN_COLONY;
    uint32_t die = dead_die(state, state->on_turn, 1);
    if (die == 0)
        return DEAD_NO_DIE;
    if (state->waste == 0)
        return DEAD_NO_WASTE;
    enum dead_cleaner cleaner = dead_cleaner(dead->setup, state, who);
    if (cleaner == DEAD_CLEANS_NOT)
        return DEAD_NO_CLEANED_ALREADY;

    if (carry_waste(dead, who, cleaner, &amount))
        dead_spend_die(dead, die);
    dead_add_waste(dead, -(int32_t) (amount < state->waste ? amount : state->waste));
    return ACCEPTED;
}
