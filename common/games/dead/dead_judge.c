/* dead_judge.c: how much a greedy player likes a command: co-operative, careful, and not very deep.
 *
 * A command is worth what it saves, in points. A thousand of them are about one point of morale
 * sure to be lost otherwise. Ending the turn is worth nothing, so whatever is worth less is not
 * done. It looks only at what lies open. */
#include "games/dead/dead_rules.h"

#define NEVER (-1000000)
#define UNWISE (-1)

struct mind {
    const struct dead_setup *setup;
    const struct dead_state *state;
    uint32_t                 seat;
};

static uint32_t rounds_left(const struct mind *mind)
{
    return mind->setup->rounds - mind->state->round + 1;
}

/* How many zombies will come to a place at the end of the round. */
static uint32_t zombies_coming(const struct mind *mind, uint32_t place)
{
    uint32_t people = set_count(dead_here(mind->state, place), mind->state->people_words);
    return place == mind->setup->colony ? (people + mind->state->children + 1) / 2 : people;
}

/* How many more zombies than come now an entrance can take before somebody dies of it. A barricade
 * stops two: one breaks it, the next takes its place. */
static int32_t slack(const struct mind *mind, uint32_t place, word entrance)
{
    const struct dead_location *location = dead_location(mind->setup, place);
    uint32_t                    come = zombies_coming(mind, place) + location->entrances - 1;
    int32_t coming = (int32_t) ((come - (uint32_t) entrance) / location->entrances);
    int32_t barricades = dead_barricades(mind->state, location)[entrance];
    return (int32_t) DEAD_PLACES - dead_zombies(mind->state, location)[entrance] + barricades -
           coming;
}

/* What one more free place or barricade at an entrance is worth. */
static int64_t relief(const struct mind *mind, uint32_t place, word entrance)
{
    int32_t left = slack(mind, place, entrance);
    if (left < 0)
        return 1000;
    return rounds_left(mind) > 1 ? 300 - 50 * left : 100 - 20 * left;
}

static uint32_t place_of(const struct mind *mind, word character)
{
    return dead_person(mind->state, dead_who(mind->setup, character))->place;
}

/* A barricade costs nothing but a die; where the goal is barricades, each of them is progress. */
static int64_t judge_barricade(const struct mind *mind, word character, word entrance)
{
    int64_t goal = mind->setup->goal == DEAD_BARRICADES ? 400 : 0;
    return relief(mind, place_of(mind, character), entrance) + goal;
}

/* Killing is worth as much, and more where places must be cleared; a bite may cost several lives. */
static int64_t judge_kill(const struct mind *mind, word character, word entrance, bool risky)
{
    uint32_t place = place_of(mind, character);
    bool     clears = mind->setup->goal == DEAD_LOCATIONS_WITH_ZOMBIES;
    return relief(mind, place, entrance) - (risky ? 400 : 20) + (clears ? 300 : 0);
}

static int64_t judge_attack(const struct mind *mind, const struct command *command)
{
    uint32_t who = dead_who(mind->setup, command->arg[0]);
    bool     safe = dead_character_of(mind->setup, who)->ability == DEAD_ABILITY_NO_INFECTION ||
                dead_tool(mind->setup, mind->state, who, DEAD_COLT, DEAD_NONE) != DEAD_NONE;
    return judge_kill(mind, command->arg[0], command->arg[1], !safe);
}

/* The crisis and the food. */

static const struct dead_crisis *crisis_of(const struct mind *mind)
{
    return dead_crisis(mind->setup,
                       dead_u16(mind->state, mind->state->at.crises)[mind->state->round - 1]);
}

/* Cards put towards the crisis, and those that this player and the later ones still could put. */
static uint32_t cards_for_crisis(const struct mind *mind)
{
    uint32_t kind = crisis_of(mind)->kind;
    uint32_t cards = mind->state->contributed;
    for (uint32_t seat = mind->seat; seat < mind->state->seats; seat++)
        FOR_EACH (card, dead_hand(mind->state, seat), mind->state->card_words)
            cards += dead_helps(dead_cards(mind->setup)[card].kind) == kind;
    return cards;
}

/* What a card given away could have done otherwise. */
static int64_t price(const struct mind *mind, word id)
{
    const struct dead_card *card = dead_card(mind->setup, dead_card_index(mind->setup, id));
    switch (card->kind) {
    case DEAD_FOOD: return 30 * (int64_t) card->amount;
    case DEAD_STUFF: return 0;
    case DEAD_FUEL: return 10;
    default: return 60;
    }
}

static int64_t judge_contribution(const struct mind *mind, const struct command *command)
{
    const struct dead_crisis *crisis = crisis_of(mind);
    uint32_t                  had = mind->state->contributed;
    uint32_t                  could = cards_for_crisis(mind);
    if (had < crisis->required && could >= crisis->required)
        return 900 - price(mind, command->arg[0]);
    if (had >= crisis->required && had < crisis->required + 2 && could >= crisis->required + 2)
        return 200 - price(mind, command->arg[0]);
    return UNWISE;
}

/* Food is played when the colony would starve; hunger adds up, so early hunger is worst. */
static int64_t judge_food(const struct mind *mind, const struct dead_card *card)
{
    int64_t need = zombies_coming(mind, mind->setup->colony);
    int64_t short_of = need - mind->state->food;
    if (short_of > 0)
        return 950 + (card->amount < 10 ? card->amount : 10);
    return mind->state->food < need * rounds_left(mind) && crisis_of(mind)->kind != DEAD_FOOD
               ? 100
               : UNWISE;
}

/* Frostbite wounds every round; the second injury is the last but one. */
static int64_t judge_cure(const struct mind *mind, word patient, int64_t cost)
{
    const struct dead_person *person = dead_person(mind->state, dead_who(mind->setup, patient));
    if (person->frostbites > 0)
        return 850;
    return person->wounds + 1 == DEAD_INJURIES_DEADLY ? 500 : 150 - cost;
}

/* The way is dangerous. So one goes in good health, where there is something to find. The place
 * must be able to take the zombies that one more survivor attracts. */
static int64_t judge_move(const struct mind *mind, word character, word location, bool fuel)
{
    uint32_t who = dead_who(mind->setup, character);
    uint32_t place = dead_location_index(mind->setup, location);
    bool     useful = dead_cards_left(mind->setup, mind->state, place) > 0 &&
                  dead_cards_left(mind->setup, mind->state, place_of(mind, character)) == 0;
    if (!useful || rounds_left(mind) < 2 || slack(mind, place, 0) < 2)
        return UNWISE;
    if (!fuel && dead_is_hurt(mind->state, who))
        return UNWISE;
    return dead_die(mind->state, mind->seat, dead_character_of(mind->setup, who)->search) > 0
               ? 120 + 30 * fuel
               : UNWISE;
}

static int64_t judge_card(const struct mind *mind, const struct command *command)
{
    const struct dead_card *card =
        dead_card(mind->setup, dead_card_index(mind->setup, command->arg[0]));
    word who = command->arg[1];
    word target = command->arg[2];
    bool needed = dead_helps(card->kind) == crisis_of(mind)->kind &&
                  mind->state->contributed < crisis_of(mind)->required;
    int64_t kept = needed ? 300 : 40; /* Every card played is waste, and lost to a crisis. */
    switch (card->kind) {
    case DEAD_FOOD: return judge_food(mind, card);
    case DEAD_STUFF: return UNWISE;
    case DEAD_LOCK: return judge_barricade(mind, who, target) - kept;
    case DEAD_SCISSORS: return judge_kill(mind, who, target, false) - kept;
    case DEAD_MEDICINE: return judge_cure(mind, target, 100) - kept;
    case DEAD_FUEL: return judge_move(mind, who, target, true) - kept;
    default: return 60;
    }
}

static int64_t judge_ability(const struct mind *mind, const struct command *command)
{
    uint32_t                     who = dead_who(mind->setup, command->arg[0]);
    const struct dead_character *character = dead_character_of(mind->setup, who);
    switch (character->ability) {
    case DEAD_ABILITY_FEED: return 1100;
    case DEAD_ABILITY_HEAL: return judge_cure(mind, command->arg[1], 0);
    case DEAD_ABILITY_BARRICADE:
        return judge_barricade(mind, command->arg[0], command->arg[1]) + 50;
    default:
        return judge_kill(mind, command->arg[0], command->arg[1], character->infection_die) + 50;
    }
}

/* Who carries out nothing could do so for ever. */
static int64_t judge_cleaning(const struct mind *mind, word character)
{
    uint32_t who = dead_who(mind->setup, character);
    if (dead_cleaner(mind->setup, mind->state, who) == DEAD_CLEANS_TRASH &&
        dead_character_of(mind->setup, who)->amount == 0)
        return UNWISE;
    return mind->state->waste >= 10 ? 900 : 20 * (int64_t) mind->state->waste;
}

/* Before the game and beside it. */

static int64_t worth_of(const struct mind *mind, word id)
{
    static const uint8_t worth[] = {
        [DEAD_ABILITY_WOUND] = 10,  [DEAD_ABILITY_HEAL] = 25,  [DEAD_ABILITY_NO_INFECTION] = 25,
        [DEAD_ABILITY_FEED] = 50,   [DEAD_ABILITY_TRASH] = 10, [DEAD_ABILITY_BARRICADE] = 40,
        [DEAD_ABILITY_SEARCH] = 15, [DEAD_ABILITY_KILL] = 25,
    };
    const struct dead_character *character =
        dead_character_of(mind->setup, dead_who(mind->setup, id));
    return worth[character->ability] - 2 * character->attack - 2 * character->search;
}

static int64_t value_of(const struct dead_consequence *outcome)
{
    switch (outcome->kind) {
    case DEAD_CHANGE_FOOD: return 300 * (int64_t) outcome->amount;
    case DEAD_CHANGE_MORAL: return 1000 * (int64_t) outcome->amount;
    case DEAD_SPAWN_SURVIVORS: return 400 * (int64_t) outcome->amount;
    default: return -200 * (int64_t) outcome->amount;
    }
}

static int64_t judge_vote(const struct mind *mind, word answer)
{
    const struct dead_consequence *outcome = dead_fate(mind->setup, mind->state->fate)->outcome;
    return value_of(&outcome[answer ? 0 : 1]);
}

int64_t dead_judge(const void *setup, const void *state, uint32_t seat,
                   const struct command *command)
{
    const struct mind mind = { setup, state, seat };
    const word       *arg = command->arg;
    switch (command->kind) {
    case DEAD_SELECT_CHARACTERS: return worth_of(&mind, arg[0]) + worth_of(&mind, arg[1]);
    case DEAD_LEAVE: return NEVER;
    case DEAD_MOVE: return judge_move(&mind, arg[0], arg[1], arg[2] == 1);
    case DEAD_BARRICADE: return judge_barricade(&mind, arg[0], arg[1]);
    case DEAD_ATTACK: return judge_attack(&mind, command);
    case DEAD_SEARCH: return 400;
    case DEAD_CLEAN_WASTE: return judge_cleaning(&mind, arg[0]);
    case DEAD_CONTRIBUTE_CARD: return judge_contribution(&mind, command);
    case DEAD_USE_CARD: return judge_card(&mind, command);
    case DEAD_USE_ABILITY: return judge_ability(&mind, command);
    case DEAD_VOTE: return judge_vote(&mind, arg[0]);
    default: return 0; /* The end of the turn. */
    }
}
