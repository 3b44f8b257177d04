/* dead_configure.c: judges a set-up of the dead and compiles it; the goal and the rules that compare
 * one part with another stand here. */
#include <string.h>

#include "games/dead/dead_draft.h"

static const char *const editions[] = { "base", "equipment", "crossroads", NULL };

static void read_options(struct draft *draft, const struct value *options)
{
    static const char *const keys[] = { "edition", "patience", NULL };
    if (!value_as_object(options, draft->faults))
        return;
    const struct value *edition = value_get(options, "edition");
    int                 which = value_word(edition, editions, draft->faults);
    draft->head.edition = which < 0 ? DEAD_BASE : (uint8_t) which;
    draft->head.patience =
        (uint32_t) value_int_or(options, "patience", 0, DEAD_PATIENCE_MAX, 0, draft->faults);
    value_only(options, keys, draft->faults);
}

static void read_players(struct draft *draft, const struct value *config)
{
    uint32_t before = draft->faults->count;
    draft->head.players_max =
        (uint8_t) value_int(config, "maxPlayers", 1, SEATS_MAX, draft->faults);
    draft->players_known = draft->faults->count == before;
}

/* A number whose upper limit depends on the board. If it is more than any board allows, it is
 * judged when the board is known, so that its limit is told first. */
static int64_t read_bounded(struct draft *draft, const struct value *number, int64_t least)
{
    bool is_more = number != NULL && number->kind == VALUE_INT && number->number > DEAD_AMOUNT_MAX;
    return is_more ? DEAD_AMOUNT_MAX : value_as_int(number, least, DEAD_AMOUNT_MAX, draft->faults);
}

static uint32_t read_zombies(struct draft *draft, const struct value *goal, const char *key)
{
    const struct value *zombies = value_need(goal, key, "a whole number", draft->faults);
    return (uint32_t) read_bounded(draft, zombies, 0);
}

/* Exactly one of three keys says what kind of goal it is. */
static void read_goal_kind(struct draft *draft, const struct value *goal)
{
    static const char *const kinds[] = { "survive", "barricades", "locationWithZombies" };
    uint32_t                 found = 0;

    for (uint8_t kind = 0; kind < 3; kind++) {
        const struct value *member = value_get(goal, kinds[kind]);
        if (member == NULL)
            continue;
        found++;
        draft->head.goal = kind;
        if (kind == DEAD_SURVIVE)
            value_bool_or(goal, kinds[kind], true, draft->faults);
        else
            draft->head.goal_amount = (int32_t) read_bounded(draft, member, -DEAD_AMOUNT_MAX);
    }
    if (found != 1)
        fault_numbers(draft->faults, goal, NULL, "has ", found, " kinds of goal, must have ", 1,
                      " of survive, barricades, locationWithZombies");
}

static void read_goal(struct draft *draft, const struct value *config)
{
    static const char *const keys[] = { "rounds",
                                        "moral",
                                        "zombiesColony",
                                        "zombiesLocations",
                                        "childrenInColony",
                                        "survive",
                                        "barricades",
                                        "locationWithZombies",
                                        NULL };
    const struct value      *goal = value_object(config, "goal", draft->faults);
    uint32_t                 before = draft->faults->count;
    if (goal == NULL)
        return;
    draft->goal = goal;
    draft->head.rounds = draft_amount(draft, goal, "rounds", 1);
    draft->rounds_known = draft->faults->count == before;
    draft->head.moral = draft_amount(draft, goal, "moral", 1);
    draft->head.zombies_colony = read_zombies(draft, goal, "zombiesColony");
    draft->head.zombies_locations = read_zombies(draft, goal, "zombiesLocations");
    draft->head.children =
        (uint32_t) value_int(goal, "childrenInColony", 0, DEAD_CHILDREN_MAX, draft->faults);
    read_goal_kind(draft, goal);
    value_only(goal, keys, draft->faults);
}

/* Three zombies or barricades find room at an entrance. */
#define ENTRANCE_ROOM 3

/* The limit of a goal's number that a board sets; `most` is DEAD_AMOUNT_MAX, the limit of all amounts, if
 * what sets it could not be read. */
static void judge_most(struct draft *draft, const char *key, int64_t most, const char *why)
{
    const struct value *number = value_get(draft->goal, key);
    struct text         what;
    if (number == NULL || number->kind != VALUE_INT || number->number <= most)
        return;
    text_clear(&what);
    text_put(&what, "is ");
    value_put_number(&what, number);
    text_put(&what, ", must be at most ");
    text_put_number(&what, most);
    text_put(&what, most < DEAD_AMOUNT_MAX ? why : "");
    fault(draft->faults, number, NULL, what.bytes);
}

/* A location whose entrances could not be read has 0 of them here and is passed over: what the others
 * forbid is forbidden all the same. */
static void judge_zombies(struct draft *draft)
{
    int64_t least = DEAD_AMOUNT_MAX, colony = DEAD_AMOUNT_MAX;
    for (uint32_t i = 0; i < draft->locations; i++) {
        int64_t room = ENTRANCE_ROOM * (int64_t) draft->location[i].is.entrances;
        if (room == 0)
            continue;
        if (draft->location[i].is_colony)
            colony = room;
        else if (room < least)
            least = room;
    }
    judge_most(draft, "zombiesColony", colony, ": three for each entrance of the colony");
    judge_most(draft, "zombiesLocations", least,
               ": three for each entrance of the location that has the fewest");
}

static void judge_barricades(struct draft *draft)
{
    int64_t most =
        draft->locations_known ? ENTRANCE_ROOM * (int64_t) draft->head.entrances : DEAD_AMOUNT_MAX;
    for (uint32_t i = 0; i < draft->locations; i++)
        if (draft->location[i].is.entrances == 0)
            most = DEAD_AMOUNT_MAX;
    judge_most(draft, "barricades", most, ": three for each entrance there is");
}

static void judge_places(struct draft *draft)
{
    judge_most(draft, "locationWithZombies",
               draft->locations_known ? draft->locations : DEAD_AMOUNT_MAX,
               ", the number of locations with the colony");
}

static void judge_decks(struct draft *draft)
{
    uint32_t least = 5u * draft->head.players_max;
    for (uint32_t i = 0; i < draft->locations; i++) {
        const struct value *deck = draft->location[i].deck;
        if (deck != NULL && deck->count < least)
            fault_numbers(draft->faults, deck, NULL, "has ", deck->count,
                          " cards, must have at least ", least, ": five for each of maxPlayers");
    }
}

static void judge_numbers(struct draft *draft)
{
    uint32_t players = draft->head.players_max;
    uint32_t rounds = draft->head.rounds;

    if (draft->players_known && draft->character_list != NULL &&
        draft->characters_listed < 2 * players + 2)
        fault_numbers(draft->faults, draft->character_list, NULL, "has ", draft->characters_listed,
                      " characters, must have at least ", 2 * players + 2,
                      ": two for each of maxPlayers and two more");
    if (draft->rounds_known && draft->crisis_list != NULL && draft->crises_listed < rounds)
        fault_numbers(draft->faults, draft->crisis_list, NULL, "has ", draft->crises_listed,
                      " crises, must have at least ", rounds, ": one for each of goal.rounds");
    if (draft->rounds_known && draft->players_known && draft->fate_list != NULL &&
        draft->fates_listed < (uint64_t) players * rounds)
        fault_numbers(draft->faults, draft->fate_list, NULL, "has ", draft->fates_listed,
                      " fate cards, must have at least ", (int64_t) players * rounds,
                      ": one for each of maxPlayers in each of goal.rounds");
}

static void judge_keys(struct draft *draft, const struct value *config)
{
    static const char *const keys[] = { "maxPlayers", "cards",      "crises",     "goal",
                                        "locations",  "characters", "crossroads", NULL };
    static const char *const plain[] = { "maxPlayers", "cards",      "crises", "goal",
                                         "locations",  "characters", NULL };
    const struct value      *fates = value_get(config, "crossroads");
    bool                     dealt = draft->head.edition == DEAD_CROSSROADS;
    value_only(config, dealt || fates != NULL ? keys : plain, draft->faults);
    if (!dealt && fates != NULL)
        fault(draft->faults, fates, NULL,
              "is for the edition crossroads only; allowed with the option edition=crossroads");
}

static void judge(struct draft *draft, const struct value *config)
{
    judge_keys(draft, config);
    judge_numbers(draft);
    if (draft->players_known)
        judge_decks(draft);
    judge_zombies(draft);
    judge_barricades(draft);
    judge_places(draft);
}

size_t dead_configure(const struct value *config, const struct value *options, void *setup,
                      size_t capacity, struct faults *faults)
{
    struct draft draft;
    memset(&draft, 0, sizeof draft);
    draft.faults = faults;

    read_options(&draft, options);
    if (config == NULL)
        fault(faults, NULL, NULL, "is no set-up");
    if (!value_as_object(config, faults))
        return 0;
    read_players(&draft, config);
    read_goal(&draft, config);
    draft_read_locations(&draft, config);
    draft_read_cards(&draft, config);
    draft_read_decks(&draft);
    draft_read_characters(&draft, config);
    draft_read_crises(&draft, config);
    if (draft.head.edition == DEAD_CROSSROADS)
        draft_read_fates(&draft, config);
    judge(&draft, config);
    return faults->count > 0 ? 0 : draft_pack(&draft, setup, capacity);
}

void dead_seats(const void *setup, uint32_t *least, uint32_t *most)
{
    const struct dead_setup *dead = setup;
    *least = 1;
    *most = dead->players_max;
}
