/* dead_traits_conform.c: see dead_traits_conform.h.
 *
 * Where rules have a border, a trait says on which side of it something happened, and whether it
 * stood right at the border: a wrong server is wrong there and nowhere else. */
#include "games/dead/conform/dead_traits_conform.h"

#include <string.h>

#include "games/dead/dead.h"
#include "games/dead/dead_rules.h"
#include "rules/sink.h"

/* What a trait is of; each kind counts by itself. */
enum trait {
    OF_ANSWER = 1,
    OF_EVENTS,
    OF_INJURY,
    OF_DEATH,
    OF_FOOD,
    OF_CRISIS,
    OF_WASTE,
    OF_ZOMBIES,
    OF_GOAL,
    OF_MOVE,
    OF_DIE,
    OF_SEARCH,
    OF_CARD,
    OF_ABILITY,
    OF_CLEANING,
    OF_VOTE,
    OF_FATE,
    OF_LEAVING,
    OF_PLACE
};

struct noting {
    struct dead_traits          *traits;
    const struct dead_happening *at;
    uint32_t                     edition;
};

static void note(const struct noting *noting, const int64_t *values, uint32_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ noting->edition;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t) values[i]) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    uint32_t trait = (uint32_t) (hash >> 17) % DEAD_TRAITS;
    noting->traits->has[trait / 64] |= UINT64_C(1) << trait % 64;
}

#define NOTE(noting, ...)                                                                          \
    note((noting), (const int64_t[]){ __VA_ARGS__ },                                               \
         (uint32_t) (sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)))

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Who and what. */

static word arg(const struct noting *noting, uint32_t number)
{
    return noting->at->step->command.arg[number];
}

/* The rank of a character in play whom an argument names, or DEAD_NONE. */
static uint32_t person_of(const struct noting *noting, word id)
{
    uint32_t who = dead_who(noting->at->setup, id);
    if (who == DEAD_NONE || dead_person(noting->at->before, who)->owner == DEAD_NOBODY)
        return DEAD_NONE;
    return who;
}

static int64_t card_kind(const struct noting *noting, word id)
{
    uint32_t card = dead_card_index(noting->at->setup, id);
    return card == DEAD_NONE ? -1 : dead_card(noting->at->setup, card)->kind;
}

static int64_t ability_of(const struct noting *noting, word id)
{
    uint32_t who = dead_who(noting->at->setup, id);
    return who == DEAD_NONE ? -1 : dead_character_of(noting->at->setup, who)->ability;
}

/* A command's kind, and that of the card or the ability it uses. */
static int64_t what_was_said(const struct noting *noting)
{
    const struct dead_step *step = noting->at->step;
    int64_t                 kind = step->command.kind;
    if (step->kind != DEAD_SAYS)
        return -(int64_t) step->kind;
    if (kind == DEAD_USE_CARD || kind == DEAD_CONTRIBUTE_CARD)
        return kind * 100 + card_kind(noting, arg(noting, 0));
    if (kind == DEAD_USE_ABILITY)
        return kind * 100 + ability_of(noting, arg(noting, 0));
    return kind * 100;
}

/* On turn, another player, nobody. */
static int64_t owner_of(const struct noting *noting, word id)
{
    uint32_t who = dead_who(noting->at->setup, id);
    uint32_t owner = who == DEAD_NONE ? DEAD_NOBODY : dead_person(noting->at->before, who)->owner;
    uint32_t turn = noting->at->before->on_turn;
    return owner == DEAD_NOBODY ? 3 : owner < turn ? 1 : owner > turn ? 2 : 0;
}

static bool is_about_person(uint32_t kind)
{
    return kind == DEAD_WOUNDED || kind == DEAD_FROSTBITTEN || kind == DEAD_BITTEN ||
           kind == DEAD_SURVIVOR_KILLED;
}

static int64_t tools_of(const struct noting *noting, uint32_t who, uint32_t kind)
{
    const struct dead_state *state = noting->at->before;
    int64_t                  worn = 0, spent = 0;
    for (uint32_t card = dead_person(state, who)->equipment; card != DEAD_NONE;
         card = dead_u16(state, state->at.next)[card])
        if (dead_card(noting->at->setup, card)->kind == kind) {
            worn++;
            spent += set_has(dead_u64(state, state->at.spent), card);
        }
    return within(worn, 0, 2) * 4 + within(spent, 0, 2);
}

/* What came of it. */

static int64_t shape_of(const struct noting *noting, const word *event)
{
    uint32_t    kind = event_kind(event);
    const word *fields = event_fields(event);
    if (kind == DEAD_MORAL_CHANGED || kind == DEAD_FOOD_CHANGED)
        return kind * 100 + fields[1] * 2 + (fields[0] > 0);
    if (noting->at->before != NULL && is_about_person(kind))
        return kind * 100 + owner_of(noting, fields[0]);
    return kind * 100;
}

static void note_events(const struct noting *noting)
{
    int64_t said = what_was_said(noting), before = 0, earlier = 0;
    for (uint32_t i = 0; i < noting->at->events; i++) {
        int64_t shape = shape_of(noting, noting->at->event[i]);
        NOTE(noting, OF_EVENTS, said, before, shape);
        if (shape != before)
            NOTE(noting, OF_EVENTS, earlier, before, shape, 1);
        earlier = before;
        before = shape;
    }
}

static void note_harm(const struct noting *noting, const word *event, bool in_colony_phase)
{
    const struct dead_state *state = noting->at->before;
    uint32_t                 who = person_of(noting, event_fields(event)[0]);
    if (who == DEAD_NONE)
        return;
    const struct dead_person *person = dead_person(state, who);
    uint32_t mates = set_count(dead_ours(state, person->owner), state->people_words);
    NOTE(noting, OF_INJURY, event_kind(event), person->wounds, person->frostbites,
         noting->at->step->command.kind, tools_of(noting, who, DEAD_SNOW_BOOTS));
    NOTE(noting, OF_DEATH, event_kind(event), owner_of(noting, event_fields(event)[0]), mates == 1,
         state->pool_count == 0, in_colony_phase, person->place == noting->at->setup->colony);
    NOTE(noting, OF_DEATH, event_kind(event), person->equipment != DEAD_NONE,
         set_empty(dead_hand(state, person->owner), state->card_words), mates == 1);
}

static void note_consequences(const struct noting *noting)
{
    bool in_colony_phase = false;
    for (uint32_t i = 0; i < noting->at->events; i++) {
        const word *event = noting->at->event[i];
        uint32_t    kind = event_kind(event);
        in_colony_phase = in_colony_phase || kind == DEAD_COLONY_PHASE_STARTED;
        if (is_about_person(kind) && event_fields(event)[0] != ABSENT)
            note_harm(noting, event, in_colony_phase);
        if (kind == DEAD_ZOMBIE_SPAWNED || kind == DEAD_BARRICADE_DESTROYED ||
            kind == DEAD_BARRICADED || kind == DEAD_ZOMBIE_KILLED)
            NOTE(noting, OF_PLACE, kind, within(event_fields(event)[event_length(event) - 1], 0, 5),
                 dead_location_index(noting->at->setup,
                                     event_fields(event)[event_length(event) - 2]) ==
                     noting->at->setup->colony);
    }
}

/* The colony phase, from how things stood before the command that ended the round. */

static void note_food(const struct noting *noting)
{
    const struct dead_setup *setup = noting->at->setup;
    const struct dead_state *state = noting->at->before;
    int64_t people = set_count(dead_here(state, setup->colony), state->people_words);
    int64_t need = (people + state->children + 1) / 2;
    NOTE(noting, OF_FOOD, (people + state->children) % 2, within(state->food - need, -2, 2),
         within(state->hunger, 0, 2), need == 0);
    NOTE(noting, OF_WASTE, within(state->waste / 10, 0, 3), state->waste % 10 == 0,
         state->waste % 10 == 9);
    const struct dead_crisis *crisis =
        dead_crisis(setup, dead_u16(state, state->at.crises)[state->round - 1]);
    NOTE(noting, OF_CRISIS, crisis->kind,
         within((int64_t) state->contributed - crisis->required, -2, 4), crisis->moral_loss > 1);
}

static void note_zombies(const struct noting *noting)
{
    const struct dead_setup *setup = noting->at->setup;
    const struct dead_state *state = noting->at->before;
    int64_t                  overrun = 0, barricades = 0;
    for (uint32_t place = 0; place < setup->locations.count; place++) {
        const struct dead_location *at = dead_location(setup, place);
        int64_t                     zombies = 0, full = 0,
                people = set_count(dead_here(state, place), state->people_words);
        for (uint32_t i = 0; i < at->entrances; i++) {
            zombies += dead_zombies(state, at)[i];
            barricades += dead_barricades(state, at)[i];
            full += dead_zombies(state, at)[i] + dead_barricades(state, at)[i] == 3;
        }
        overrun += zombies > 0;
        NOTE(noting, OF_ZOMBIES, place == setup->colony, within(people, 0, 4), within(full, 0, 3),
             within(at->entrances, 1, 4), full == at->entrances, state->children > 0);
    }
    int64_t reached = setup->goal == DEAD_BARRICADES ? barricades : overrun;
    NOTE(noting, OF_GOAL, setup->goal, within(reached - setup->goal_amount, -2, 2),
         state->round == setup->rounds, within(setup->rounds - state->round, 0, 2));
}

static void note_colony(const struct noting *noting)
{
    for (uint32_t i = 0; i < noting->at->events; i++)
        if (event_kind(noting->at->event[i]) == DEAD_COLONY_PHASE_STARTED) {
            note_food(noting);
            note_zombies(noting);
            return;
        }
}

/* Commands. */

/* How the die that would be spent stands to the one that is needed, and how many there are. */
static void note_die(const struct noting *noting, int64_t what, uint32_t least)
{
    const struct dead_state *state = noting->at->before;
    const uint16_t          *dice = dead_seat(state, noting->at->seat)->dice;
    uint32_t count = 0, die = least <= 6 ? dead_die(state, noting->at->seat, least) : 0;
    bool     smaller = false;
    for (uint32_t value = 1; value <= 6; value++) {
        count += dice[value - 1];
        smaller = smaller || (value < least && dice[value - 1] > 0);
    }
    NOTE(noting, OF_DIE, what, die == 0 ? -1 : within(die - least, 0, 2), within(count, 0, 2),
         smaller, noting->at->refused != NULL);
}

static void note_move(const struct noting *noting, uint32_t who, word to)
{
    const struct dead_setup     *setup = noting->at->setup;
    const struct dead_state     *state = noting->at->before;
    const struct dead_person    *person = dead_person(state, who);
    uint32_t                     place = dead_location_index(setup, to);
    const struct dead_character *character = dead_character_of(setup, who);
    int64_t                      room = -1;
    if (place != DEAD_NONE && place != setup->colony)
        room = within((int64_t) dead_location(setup, place)->spaces -
                          set_count(dead_here(state, place), state->people_words),
                      0, 2);
    NOTE(noting, OF_MOVE, room, place == setup->colony, person->moved, place == person->place,
         place == DEAD_NONE, noting->at->step->command.kind);
    for (uint32_t i = 0; i < noting->at->events; i++)
        if (is_about_person(event_kind(noting->at->event[i]))) {
            NOTE(noting, OF_MOVE, event_kind(noting->at->event[i]),
                 tools_of(noting, who, DEAD_SNOW_BOOTS), character->ability,
                 character->ability == DEAD_ABILITY_WOUND ? character->before * 4 + character->after
                                                          : -1);
            break;
        }
}

static void note_search(const struct noting *noting, uint32_t who)
{
    const struct dead_setup     *setup = noting->at->setup;
    const struct dead_state     *state = noting->at->before;
    const struct dead_person    *person = dead_person(state, who);
    const struct dead_character *character = dead_character_of(setup, who);
    bool                         is_searcher = character->ability == DEAD_ABILITY_SEARCH;
    NOTE(noting, OF_SEARCH, within(dead_cards_left(setup, state, person->place), 0, 3),
         state->pool_count == 0, tools_of(noting, who, DEAD_BLUEPRINT),
         dead_tool(setup, state, who, DEAD_BLUEPRINT, person->place) != DEAD_NONE,
         is_searcher ? 1 + (character->location == person->place) : 0,
         is_searcher && person->ability_used >= character->activations_max);
    note_die(noting, DEAD_SEARCH, character->search);
}

static void note_cleaning(const struct noting *noting, uint32_t who)
{
    const struct dead_setup     *setup = noting->at->setup;
    const struct dead_state     *state = noting->at->before;
    const struct dead_person    *person = dead_person(state, who);
    const struct dead_character *character = dead_character_of(setup, who);
    bool                         is_cleaner = character->ability == DEAD_ABILITY_TRASH;
    int64_t                      most = is_cleaner ? (int64_t) character->amount : 3;
    NOTE(noting, OF_CLEANING, within((int64_t) state->waste - most, -1, 1), is_cleaner,
         within(person->ability_used, 0, 2), dead_seat(state, noting->at->seat)->cleaned,
         person->place == setup->colony, tools_of(noting, who, DEAD_SWAB));
    note_die(noting, DEAD_CLEAN_WASTE * 2 + is_cleaner, 1);
}

/* A card or an ability used by somebody on something. */
static void note_use(const struct noting *noting, uint32_t who, word target, int64_t what)
{
    const struct dead_setup     *setup = noting->at->setup;
    const struct dead_state     *state = noting->at->before;
    const struct dead_person    *person = dead_person(state, who);
    const struct dead_character *character = dead_character_of(setup, who);
    uint32_t                     other = person_of(noting, target);
    int64_t                      hurt = -1, near = -1;
    if (other != DEAD_NONE) {
        hurt = dead_person(state, other)->wounds * 4 + dead_person(state, other)->frostbites;
        near = dead_person(state, other)->place == person->place;
    }
    NOTE(noting, OF_ABILITY, what, hurt, near, other == who,
         other == DEAD_NONE ? 3 : owner_of(noting, target), noting->at->refused != NULL);
    NOTE(noting, OF_ABILITY, what, within(person->ability_used, 0, 3),
         within((int64_t) character->activations_max - person->ability_used, -1, 2),
         within(character->amount, 0, 4), character->die_value, character->infection_die,
         character->children);
    const struct dead_location *at = dead_location(setup, person->place);
    if (target >= 0 && target < at->entrances)
        NOTE(noting, OF_ABILITY, what, dead_zombies(state, at)[target],
             dead_barricades(state, at)[target], within(character->amount, 0, 3));
    if (noting->at->step->command.kind == DEAD_USE_ABILITY && character->die_value > 0)
        note_die(noting, what, (uint32_t) character->die_value);
}

static void note_entrance(const struct noting *noting, uint32_t who, word entrance)
{
    const struct dead_state    *state = noting->at->before;
    const struct dead_location *at =
        dead_location(noting->at->setup, dead_person(state, who)->place);
    int64_t what = noting->at->step->command.kind;
    int64_t held =
        entrance < 0 || entrance >= at->entrances
            ? -1
            : dead_zombies(state, at)[entrance] * 4 + dead_barricades(state, at)[entrance];
    const struct dead_character *character = dead_character_of(noting->at->setup, who);
    NOTE(noting, OF_PLACE, what, held, entrance == at->entrances,
         tools_of(noting, who, what == DEAD_ATTACK ? DEAD_COLT : DEAD_HAMMER),
         character->ability == DEAD_ABILITY_NO_INFECTION,
         character->ability == DEAD_ABILITY_WOUND && what == DEAD_ATTACK);
    note_die(noting, what, what == DEAD_ATTACK ? character->attack : 1);
}

static const struct dead_crisis *crisis_now(const struct noting *noting)
{
    const struct dead_state *state = noting->at->before;
    return dead_crisis(noting->at->setup, dead_u16(state, state->at.crises)[state->round - 1]);
}

static void note_command(const struct noting *noting)
{
    uint32_t kind = noting->at->step->command.kind;
    bool     is_card = kind == DEAD_USE_CARD;
    if (kind == DEAD_CONTRIBUTE_CARD || is_card)
        NOTE(noting, OF_CARD, kind, card_kind(noting, arg(noting, 0)), arg(noting, 1) == ABSENT,
             noting->at->refused != NULL, crisis_now(noting)->kind);
    uint32_t who = person_of(noting, arg(noting, is_card ? 1 : 0));
    if (who == DEAD_NONE || dead_person(noting->at->before, who)->owner != noting->at->seat)
        return;
    switch (kind) {
    case DEAD_MOVE: note_move(noting, who, arg(noting, 1)); break;
    case DEAD_BARRICADE:
    case DEAD_ATTACK: note_entrance(noting, who, arg(noting, 1)); break;
    case DEAD_SEARCH: note_search(noting, who); break;
    case DEAD_CLEAN_WASTE: note_cleaning(noting, who); break;
    case DEAD_USE_CARD:
    case DEAD_USE_ABILITY:
        note_use(noting, who, arg(noting, is_card ? 2 : 1), what_was_said(noting));
        if (is_card && card_kind(noting, arg(noting, 0)) == DEAD_FUEL)
            note_move(noting, who, arg(noting, 2));
        break;
    default: break;
    }
}

static void note_fate(const struct noting *noting)
{
    const struct dead_setup *setup = noting->at->setup;
    const struct dead_state *state = noting->at->before;
    bool                     came = false;
    for (uint32_t i = 0; i < noting->at->events; i++)
        came = came || event_kind(noting->at->event[i]) == DEAD_CROSSROAD;
    if (state->phase == DEAD_VOTING)
        NOTE(noting, OF_VOTE, within((int64_t) state->votes_for - state->votes_against, -2, 2),
             state->voter == state->on_turn, state->seats, state->fate_state);
    if (state->fate == DEAD_NONE)
        return;
    const struct dead_fate        *fate = dead_fate(setup, state->fate);
    const struct dead_consequence *first = &fate->outcome[0];
    NOTE(noting, OF_FATE, fate->trigger, came, state->fate_state, what_was_said(noting),
         fate->location == DEAD_NONE, fate->amount > 0, fate->amount < 0);
    if (came)
        NOTE(noting, OF_FATE, first->kind, within(first->amount, -3, 3), first->children,
             first->location == DEAD_NONE, fate->is_choice, within(state->pool_count, 0, 3));
}

void dead_traits_note(struct dead_traits *traits, const struct dead_happening *at)
{
    const struct noting noting = { traits, at, at->setup->edition };
    uint32_t            refused = 0;
    for (const char *c = at->refused; c != NULL && *c != '\0'; c++)
        refused = refused * 31 + (unsigned char) *c;
    int64_t phase = at->before != NULL ? at->before->phase : 0;
    if (at->before == NULL) {
        NOTE(&noting, OF_ANSWER, at->step->command.kind, refused, at->events);
        return;
    }
    NOTE(&noting, OF_ANSWER, what_was_said(&noting), refused, phase,
         at->seat == at->before->on_turn, at->seat == DEAD_NOBODY);
    note_events(&noting);
    note_consequences(&noting);
    if (phase == DEAD_TURN)
        note_colony(&noting);
    if (phase != DEAD_PREPARATION)
        note_fate(&noting);
    if (phase == DEAD_TURN && at->seat == at->before->on_turn && at->step->kind == DEAD_SAYS)
        note_command(&noting);
    if (at->seat != DEAD_NOBODY && at->step->command.kind == DEAD_LEAVE)
        NOTE(&noting, OF_LEAVING, phase, refused,
             set_count(dead_ours(at->before, at->seat), at->before->people_words));
}

/* Counting. */

/* A new trait counts 64, one that a game had 16, then 4, then 1. */
uint64_t dead_traits_worth(const struct dead_traits *traits, const struct dead_seen *seen)
{
    uint64_t worth = 0;
    for (uint32_t i = 0; i < DEAD_TRAITS / 64; i++)
        for (uint64_t left = traits->has[i]; left != 0; left &= left - 1) {
            uint32_t games = seen->games[i * 64 + (uint32_t) __builtin_ctzll(left)];
            worth += games < 4 ? UINT64_C(64) >> 2 * games : 0;
        }
    return worth;
}

void dead_seen_add(struct dead_seen *seen, const struct dead_traits *traits)
{
    for (uint32_t i = 0; i < DEAD_TRAITS / 64; i++)
        for (uint64_t left = traits->has[i]; left != 0; left &= left - 1) {
            uint16_t *games = &seen->games[i * 64 + (uint32_t) __builtin_ctzll(left)];
            *games = (uint16_t) (*games + (*games < UINT16_MAX));
        }
}

uint32_t dead_seen_count(const struct dead_seen *seen)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < DEAD_TRAITS; i++)
        count += seen->games[i] > 0;
    return count;
}
