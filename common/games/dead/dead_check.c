/* dead_check.c: what must hold of every state, whatever was played. */
#include "games/dead/dead_rules.h"

struct look {
    const struct dead_setup *setup;
    const struct dead_state *state;
};

static bool layout_holds(const struct look *look)
{
    struct dead_state header;
    if (look->state->seats < 1 || look->state->seats > look->setup->players_max)
        return false;
    dead_lay_out(look->setup, look->state->seats, &header);
    return memcmp(&header.at, &look->state->at, sizeof header.at) == 0 &&
           header.bytes == look->state->bytes && header.card_words == look->state->card_words &&
           header.people_words == look->state->people_words;
}

static bool phase_holds(const struct look *look)
{
    const struct dead_state *state = look->state;
    bool                     runs = state->phase == DEAD_TURN || state->phase == DEAD_VOTING;
    if (state->phase < DEAD_PREPARATION || state->phase > DEAD_OVER)
        return false;
    if (runs != (state->round > 0) && state->phase != DEAD_OVER)
        return false;
    return state->round <= look->setup->rounds;
}

/* A player who is asked is in the game, and the turn is not over unless a vote is held first. */
static bool asked_holds(const struct look *look)
{
    const struct dead_state *state = look->state;
    seat_mask                asked = dead_to_act(look->setup, state);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        if (asked >> seat & 1)
            return dead_seat(state, seat)->in_game &&
                   !(state->phase == DEAD_TURN && state->turn_over);
    return state->phase == DEAD_OVER;
}

static bool votes_hold(const struct look *look)
{
    const struct dead_state *state = look->state;
    uint32_t                 votes = (uint32_t) state->votes_for + state->votes_against;
    return state->phase == DEAD_VOTING ? votes <= state->voter : votes == 0;
}

static bool morale_holds(const struct look *look)
{
    return look->state->moral > 0 || (look->state->phase == DEAD_OVER && !look->state->won);
}

static bool stores_hold(const struct look *look)
{
    return look->state->food >= 0 && look->state->contributed <= look->setup->cards.count &&
           look->state->waste <= look->setup->cards.count &&
           look->state->children <= look->setup->children + 4 * look->setup->characters.count;
}

static bool entrances_hold(const struct look *look)
{
    const uint8_t *zombies = dead_array(look->state, look->state->at.zombies);
    const uint8_t *barricades = dead_array(look->state, look->state->at.barricades);
    for (uint32_t i = 0; i < look->setup->entrances; i++)
        if (zombies[i] + barricades[i] > (int) DEAD_PLACES)
            return false;
    return true;
}

/* In play: in one place, of one player, with fewer than three injuries. Not in play: nothing of this. */
static bool person_holds(const struct look *look, uint32_t who)
{
    const struct dead_state  *state = look->state;
    const struct dead_person *person = dead_person(state, who);
    uint32_t                  places = 0;
    uint32_t                  owners = 0;
    for (uint32_t place = 0; place < look->setup->locations.count; place++)
        places += set_has(dead_here(state, place), who);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        owners += set_has(dead_ours(state, seat), who);
    if (person->place == DEAD_NOWHERE)
        return places == 0 && owners == 0 && person->owner == DEAD_NOBODY;
    return places == 1 && owners == 1 && person->place < look->setup->locations.count &&
           person->owner < state->seats && set_has(dead_here(state, person->place), who) &&
           set_has(dead_ours(state, person->owner), who) &&
           person->wounds + person->frostbites < DEAD_INJURIES_DEADLY;
}

static bool people_hold(const struct look *look)
{
    for (uint32_t who = 0; who < look->setup->characters.count; who++)
        if (!person_holds(look, who))
            return false;
    return true;
}

/* Whether the first `count` of a list are all below `end`, and no two the same. */
static bool are_distinct(const uint16_t *list, uint32_t count, uint32_t end)
{
    uint64_t seen[DEAD_CARDS_MAX / 64] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] >= end || set_has(seen, list[i]))
            return false;
        set_put(seen, list[i]);
    }
    return true;
}

static bool pool_holds(const struct look *look)
{
    const struct dead_state *state = look->state;
    const uint16_t          *pool = dead_u16(state, state->at.pool);
    if (!are_distinct(pool, state->pool_count, look->setup->characters.count))
        return false;
    for (uint32_t i = 0; i < state->pool_count; i++)
        if (dead_person(state, pool[i])->place != DEAD_NOWHERE)
            return false;
    return true;
}

/* Who is in the game has somebody to play with, once everybody has chosen; who is out has nobody. */
static bool seats_hold(const struct look *look)
{
    const struct dead_state *state = look->state;
    if (state->phase == DEAD_PREPARATION || state->phase == DEAD_OVER)
        return true;
    for (uint32_t seat = 0; seat < state->seats; seat++) {
        bool alone = set_empty(dead_ours(state, seat), state->people_words);
        if (alone == (bool) dead_seat(state, seat)->in_game)
            return false;
    }
    return true;
}

static bool orders_hold(const struct look *look)
{
    const struct dead_state *state = look->state;
    uint32_t                 crises = look->setup->crises.count;
    uint32_t                 fates = look->setup->fates.count;
    return are_distinct(dead_u16(state, state->at.deck), look->setup->deck.count,
                        look->setup->cards.count) &&
           are_distinct(dead_u16(state, state->at.crises), crises, crises) &&
           are_distinct(dead_u16(state, state->at.fates), fates, fates) &&
           state->fates_used <= fates;
}

static uint32_t times_in_hands(const struct dead_state *state, uint32_t card)
{
    uint32_t times = 0;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        times += set_has(dead_hand(state, seat), card);
    return times;
}

/* What has been taken from a deck is in one hand, on one survivor or gone; what has not, nowhere. */
static bool deck_holds(const struct look *look, uint32_t place)
{
    const struct dead_state    *state = look->state;
    const struct dead_location *location = dead_location(look->setup, place);
    const uint16_t             *deck = dead_u16(state, state->at.deck) + location->deck_first;
    uint32_t                    taken = dead_u16(state, state->at.taken)[place];
    if (taken > location->deck_count)
        return false;
    for (uint32_t i = 0; i < location->deck_count; i++) {
        uint32_t times = times_in_hands(state, deck[i]) +
                         set_has(dead_u64(state, state->at.gone), deck[i]) +
                         set_has(dead_u64(state, state->at.worn), deck[i]);
        if (times != (i < taken))
            return false;
    }
    return true;
}

static bool decks_hold(const struct look *look)
{
    for (uint32_t place = 0; place < look->setup->locations.count; place++)
        if (!deck_holds(look, place))
            return false;
    return true;
}

/* Every piece that is worn is in one survivor's row, and only those have been used. */
static bool equipment_holds(const struct look *look)
{
    const struct dead_state *state = look->state;
    const uint64_t          *worn = dead_u64(state, state->at.worn);
    const uint64_t          *spent = dead_u64(state, state->at.spent);
    uint32_t                 found = 0;
    for (uint32_t who = 0; who < look->setup->characters.count; who++)
        for (uint32_t card = dead_person(state, who)->equipment; card != DEAD_NONE;
             card = dead_u16(state, state->at.next)[card])
            if (card >= look->setup->cards.count || !set_has(worn, card) ||
                ++found > look->setup->cards.count)
                return false;
    for (uint32_t i = 0; i < state->card_words; i++)
        if (spent[i] & ~worn[i])
            return false;
    return found == set_count(worn, state->card_words);
}

const char *dead_check(const void *setup, const void *state)
{
    static const struct {
        bool (*holds)(const struct look *look);
        const char *broken;
    } rules[] = {
        { layout_holds, "the state is not laid out for its set-up and seats" },
        { phase_holds, "phase and round do not go together" },
        { asked_holds, "who is asked is not in the game, or his turn is over" },
        { votes_hold, "there are votes nobody has cast" },
        { morale_holds, "the game goes on without morale" },
        { stores_hold, "food, waste, children or contributions are beyond what there can be" },
        { entrances_hold, "an entrance holds more than three" },
        { people_hold, "a character is not in exactly one place, of one player, and alive" },
        { pool_holds, "the pool holds somebody twice, or somebody in play" },
        { seats_hold, "a player without survivors plays on, or one who left has some" },
        { orders_hold, "a deck is not what it was before it was shuffled" },
        { decks_hold, "a card is lost, or in two places" },
        { equipment_holds, "equipment is worn by nobody, or used without being worn" },
    };
    struct look look = { setup, state };
    for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].holds(&look))
            return rules[i].broken;
    return NULL;
}
