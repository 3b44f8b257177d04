/* dead_foresight.c: how a player who thinks ahead sees the dead.
 *
 * A view shows nearly everything. Face down lie the decks, the pool, the crises to come and the fate
 * card of the turn. The notes remember which cards, characters and fate cards have come already, so
 * these cannot lie there. Who has no notes believes that any of them might. */
#include <string.h>

#include "dice/draw.h"
#include "games/dead/dead_rules.h"
#include "rules/foresight.h"

/* What is written down. */
struct notes {
    uint64_t drawn[DEAD_CARDS_MAX / 64];       /* Cards that were drawn.                        */
    uint64_t joined[DEAD_CHARACTERS_MAX / 64]; /* Characters who joined, by rank.               */
    uint64_t fates[DEAD_FATES_MAX / 64];       /* Fate cards that came true.                    */
    uint64_t turn;                             /* The seat on turn, and 1.                      */
    uint64_t came_true;                        /* 1: a fate card did in this turn.              */
    uint64_t waste;                            /* In base: as it was said last.                 */
    uint64_t cleanings;                        /* In base: how often it became less this turn.  */
};

static void begin_turn(struct notes *notes, uint64_t turn)
{
    notes->turn = turn;
    notes->came_true = 0;
    notes->cleanings = 0;
}

static uint32_t fate_of(const struct dead_setup *setup, word id)
{
    for (uint32_t i = 0; i < setup->fates.count; i++)
        if (dead_fate(setup, i)->id == id)
            return i;
    return DEAD_NONE;
}

static void remember(uint64_t *set, uint32_t which)
{
    if (which != DEAD_NONE)
        set_put(set, which);
}

static void note(const void *of, uint32_t seat, const word *event, word *words)
{
    (void) seat;
    const struct dead_setup *setup = of;
    struct notes            *notes = (struct notes *) words;
    const word              *fields = event_fields(event);
    switch (event_kind(event)) {
    case DEAD_CARD_DRAWN: remember(notes->drawn, dead_card_index(setup, fields[1])); break;
    case DEAD_CHARACTER_SPAWNED: remember(notes->joined, dead_who(setup, fields[1])); break;
    case DEAD_CROSSROAD:
        remember(notes->fates, fate_of(setup, fields[0]));
        notes->came_true = 1;
        break;
    case DEAD_NEXT_ROUND: begin_turn(notes, 0); break;
    case DEAD_ACT_NOW:
        if (notes->turn != (uint64_t) fields[0] + 1)
            begin_turn(notes, (uint64_t) fields[0] + 1);
        break;
    case DEAD_WASTE_CHANGED:
        notes->cleanings += setup->edition == DEAD_BASE && (uint64_t) fields[0] < notes->waste;
        notes->waste = (uint64_t) fields[0];
        break;
    default: break;
    }
}

/* A guess in the making. */
struct guess {
    const struct dead_setup *setup;
    struct dead_state       *state;
    struct dice             *dice;
    const struct notes      *notes; /* Never NULL. */
    struct view_reader       view;
    word                     crisis, fate; /* Their ids, or ABSENT. */
    uint32_t                 offered;
    uint16_t                 list[DEAD_CARDS_MAX]; /* To be shuffled. */
};

/* Reading the view. */

static uint32_t read_number(struct guess *guess, uint32_t most)
{
    return (uint32_t) view_read(&guess->view, 0, most);
}

/* What an id stands for, found by `find`; 0 and a broken view if there is no such thing. */
static uint32_t read_id(struct guess *guess,
                        uint32_t (*find)(const struct dead_setup *setup, word id))
{
    uint32_t index = find(guess->setup, view_read(&guess->view, 1, INT32_MAX));
    if (index != DEAD_NONE)
        return index;
    guess->view.is_broken = true;
    return 0;
}

static void read_round(struct guess *guess)
{
    struct dead_state *state = guess->state;
    uint32_t           most = state->seats - 1u, rounds = guess->setup->rounds;
    state->phase = (uint8_t) view_read(&guess->view, DEAD_PREPARATION, DEAD_OVER);
    uint32_t round = read_number(guess, rounds);
    bool     runs = state->phase != DEAD_PREPARATION;
    state->round =
        (uint16_t) (guess->setup->edition == DEAD_BASE || !runs ? round : rounds - round + 1);
    word awaited = view_read_or_absent(&guess->view, 0, most);
    word on_turn = view_read_or_absent(&guess->view, 0, most);
    bool votes = state->phase == DEAD_VOTING;
    state->voter = votes && awaited != ABSENT ? (uint8_t) awaited : 0;
    word player = votes ? on_turn : awaited;
    state->on_turn = player == ABSENT ? 0 : (uint8_t) player;
}

static void read_colony(struct guess *guess)
{
    struct dead_state *state = guess->state;
    read_round(guess);
    state->moral = (int32_t) view_read(&guess->view, INT32_MIN, INT32_MAX);
    state->food = view_read(&guess->view, 0, INT32_MAX);
    state->waste = read_number(guess, UINT32_MAX);
    state->hunger = read_number(guess, UINT32_MAX);
    state->children = read_number(guess, UINT32_MAX);
    guess->crisis = view_read_or_absent(&guess->view, INT32_MIN, INT32_MAX);
    state->contributed = (uint16_t) read_number(guess, UINT16_MAX);
    state->pool_count = (uint16_t) read_number(guess, guess->setup->characters.count);
    guess->fate = view_read_or_absent(&guess->view, 0, UINT32_MAX);
    guess->offered = read_number(guess, DEAD_OFFER);
    if (guess->offered > state->pool_count)
        guess->view.is_broken = true;
    for (uint32_t i = 0; i < guess->offered; i++)
        dead_u16(state, state->at.pool)[i] = (uint16_t) read_id(guess, dead_who);
}

static void read_seat(struct guess *guess, uint32_t number)
{
    struct dead_state *state = guess->state;
    struct dead_seat  *seat = dead_seat(state, number);
    (void) view_read(&guess->view, number, number);
    seat->in_game = (uint8_t) read_number(guess, 1);
    for (uint32_t count = read_number(guess, 1000); count > 0; count--)
        seat->dice[view_read(&guess->view, 1, 6) - 1]++;
    for (uint32_t count = read_number(guess, guess->setup->cards.count); count > 0; count--)
        set_put(dead_hand(state, number), read_id(guess, dead_card_index));
    for (uint32_t count = read_number(guess, guess->setup->characters.count); count > 0; count--)
        dead_person(state, read_id(guess, dead_who))->joined = state->joined++;
}

/* The newest piece is told first. */
static void read_equipment(struct guess *guess, struct dead_person *person)
{
    struct dead_state *state = guess->state;
    uint32_t           count = read_number(guess, guess->setup->cards.count);
    uint16_t          *at = &person->equipment;
    if (count > 0 && guess->setup->edition == DEAD_BASE) {
        guess->view.is_broken = true;
        return;
    }
    for (; count > 0; count--) {
        uint32_t card = read_id(guess, dead_card_index);
        if (set_has(dead_u64(state, state->at.worn), card))
            guess->view.is_broken = true; /* It would be worn twice. */
        set_put(dead_u64(state, state->at.worn), card);
        if (read_number(guess, 1) == 1)
            set_put(dead_u64(state, state->at.spent), card);
        *at = (uint16_t) card;
        at = &dead_u16(state, state->at.next)[card];
        *at = DEAD_NONE;
    }
}

static void read_survivor(struct guess *guess)
{
    struct dead_state  *state = guess->state;
    uint32_t            who = read_id(guess, dead_who);
    struct dead_person *person = dead_person(state, who);
    person->owner = (uint8_t) read_number(guess, state->seats - 1u);
    person->place = (uint8_t) read_id(guess, dead_location_index);
    person->wounds = (uint8_t) read_number(guess, DEAD_INJURIES_DEADLY);
    person->frostbites = (uint8_t) read_number(guess, DEAD_INJURIES_DEADLY);
    person->moved = (uint16_t) read_number(guess, 1);
    person->ability_used = read_number(guess, UINT32_MAX);
    set_put(dead_here(state, person->place), who);
    set_put(dead_ours(state, person->owner), who);
    read_equipment(guess, person);
}

static void read_location(struct guess *guess, uint32_t place)
{
    struct dead_state          *state = guess->state;
    const struct dead_location *location = dead_location(guess->setup, place);
    (void) view_read(&guess->view, location->id, location->id);
    uint32_t left = read_number(guess, location->deck_count);
    (void) view_read(&guess->view, location->entrances, location->entrances);
    for (uint32_t i = 0; i < location->entrances; i++) {
        dead_zombies(state, location)[i] = (uint8_t) read_number(guess, DEAD_PLACES);
        dead_barricades(state, location)[i] = (uint8_t) read_number(guess, DEAD_PLACES);
    }
    uint32_t taken = location->deck_count - left;
    if (place == guess->setup->colony && state->phase == DEAD_PREPARATION)
        taken = 0; /* As many as hands hold: they come first. */
    dead_u16(state, state->at.taken)[place] = (uint16_t) taken;
}

static void read_view(struct guess *guess)
{
    struct dead_state *state = guess->state;
    read_colony(guess);
    (void) view_read(&guess->view, state->seats, state->seats);
    for (uint32_t seat = 0; seat < state->seats; seat++)
        read_seat(guess, seat);
    for (uint32_t count = read_number(guess, guess->setup->characters.count); count > 0; count--)
        read_survivor(guess);
    uint32_t places = guess->setup->locations.count;
    (void) view_read(&guess->view, places, places);
    for (uint32_t place = 0; place < places; place++)
        read_location(guess, place);
    (void) view_read_or_absent(&guess->view, 0, 1);
}

/* Laying out what is face down. */

/* Moves what is in the set to the front; returns how many these are. */
static uint32_t put_first(uint16_t *list, uint32_t count, const uint64_t *set, bool in)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (set_has(set, list[i]) != in)
            continue;
        uint16_t other = list[found];
        list[found++] = list[i];
        list[i] = other;
    }
    return found;
}

static bool is_offered(const struct guess *guess, uint32_t who)
{
    for (uint32_t i = 0; i < guess->offered; i++)
        if (dead_u16(guess->state, guess->state->at.pool)[i] == who)
            return true;
    return false;
}

/* Behind the offer: anybody who is not in play, and first of all who never was. */
static void fill_pool(struct guess *guess)
{
    struct dead_state *state = guess->state;
    uint32_t           count = 0, wanted = state->pool_count - guess->offered;
    for (uint32_t who = 0; who < guess->setup->characters.count; who++)
        if (dead_person(state, who)->place == DEAD_NOWHERE && !is_offered(guess, who))
            guess->list[count++] = (uint16_t) who;
    draw_shuffle(guess->dice, guess->list, count);
    (void) put_first(guess->list, count, guess->notes->joined, false);
    if (count < wanted) {
        guess->view.is_broken = true;
        return;
    }
    memcpy(dead_u16(state, state->at.pool) + guess->offered, guess->list,
           wanted * sizeof(uint16_t));
}

/* In the colony's deck nothing is left once all have chosen. Of any other deck those cards are taken
 * that are in hands, worn, or were drawn; and then any, as many as were. */
static void lay_deck(struct guess *guess, uint32_t place)
{
    struct dead_state          *state = guess->state;
    const struct dead_location *location = dead_location(guess->setup, place);
    uint16_t                   *taken = &dead_u16(state, state->at.taken)[place];
    uint16_t                   *deck = dead_u16(state, state->at.deck) + location->deck_first;
    uint64_t                    held[DEAD_CARDS_MAX / 64] = { 0 };
    uint32_t                    count = location->deck_count;
    for (uint32_t i = 0; i < state->card_words; i++) {
        held[i] = dead_u64(state, state->at.worn)[i];
        for (uint32_t seat = 0; seat < state->seats; seat++)
            held[i] |= dead_hand(state, seat)[i];
    }
    for (uint32_t i = 0; i < count; i++)
        deck[i] = (uint16_t) dead_deck_card(guess->setup, place, i);
    draw_shuffle(guess->dice, deck, count);
    uint32_t front = put_first(deck, count, held, true);
    uint32_t drawn = put_first(deck + front, count - front, guess->notes->drawn, true);
    if (place == guess->setup->colony && state->phase == DEAD_PREPARATION)
        *taken = (uint16_t) (front + drawn);
    if (front > *taken)
        guess->view.is_broken = true;
    for (uint32_t i = front; i < *taken; i++)
        set_put(dead_u64(state, state->at.gone), deck[i]);
}

static void lay_crises(struct guess *guess)
{
    struct dead_state *state = guess->state;
    uint16_t          *crises = dead_u16(state, state->at.crises);
    uint32_t           count = guess->setup->crises.count;
    for (uint32_t i = 0; i < count; i++)
        crises[i] = (uint16_t) i;
    draw_shuffle(guess->dice, crises, count);
    if (state->round == 0)
        return;
    uint32_t at = 0;
    while (at < count && dead_crisis(guess->setup, crises[at])->id != guess->crisis)
        at++;
    if (at == count || state->round > count) {
        guess->view.is_broken = true;
        return;
    }
    uint16_t now = crises[at];
    crises[at] = crises[state->round - 1];
    crises[state->round - 1] = now;
}

/* One fate card is drawn for each turn. Those that came true lie behind; the card of this turn is known
 * when it is voted on. */
static void lay_fates(struct guess *guess)
{
    struct dead_state *state = guess->state;
    uint16_t          *fates = dead_u16(state, state->at.fates);
    uint32_t           count = guess->setup->fates.count;
    state->fate = DEAD_NONE;
    for (uint32_t i = 0; i < count; i++)
        fates[i] = (uint16_t) i;
    if (guess->setup->edition != DEAD_CROSSROADS)
        return;
    draw_shuffle(guess->dice, fates, count);
    if (state->phase == DEAD_PREPARATION)
        return;
    uint32_t past = put_first(fates, count, guess->notes->fates, true);
    uint32_t used = (state->round - 1u) * state->seats + state->on_turn + 1u;
    used = used > past ? used : past + (guess->notes->came_true == 0);
    used = used < count ? used : count;
    uint32_t at = used - 1;
    if (state->phase == DEAD_VOTING) {
        for (at = 0; at < count && dead_fate(guess->setup, fates[at])->id != guess->fate;)
            at++;
        if (at == count) {
            guess->view.is_broken = true;
            return;
        }
    }
    uint16_t now = fates[at];
    fates[at] = fates[used - 1];
    fates[used - 1] = now;
    state->fates_used = (uint16_t) used;
    state->fate = now;
    bool done = state->phase == DEAD_VOTING || guess->notes->came_true != 0;
    state->fate_state = done ? DEAD_FATE_DONE : DEAD_FATE_WAITING;
    state->waste_mark = (int64_t) state->waste + dead_fate(guess->setup, now)->amount;
}

/* What was voted so far is told at the end only. */
static void guess_votes(struct guess *guess)
{
    struct dead_state *state = guess->state;
    for (uint32_t seat = 0; state->phase == DEAD_VOTING && seat < state->voter; seat++) {
        if (!dead_seat(state, seat)->in_game)
            continue;
        if (dice_bits(guess->dice, 1) == 0)
            state->votes_for++;
        else
            state->votes_against++;
    }
}

/* The player of the vote's card may be out: then somebody else is on turn after the vote. */
static void follow_turn(struct dead_state *state)
{
    uint32_t next = state->on_turn + 1u;
    if (state->phase != DEAD_VOTING || dead_seat(state, state->on_turn)->in_game)
        return;
    while (next < state->seats && !dead_seat(state, next)->in_game)
        next++;
    state->turn_over = 1;
    state->upcoming = (uint8_t) next;
}

/* Base: whether waste was carried out in the ordinary way. Who does it by ability does it once. */
static void follow_cleaning(struct guess *guess)
{
    struct dead_state *state = guess->state;
    uint64_t           others = 0;
    if (guess->setup->edition != DEAD_BASE || state->phase != DEAD_TURN)
        return;
    FOR_EACH (who, dead_ours(state, state->on_turn), state->people_words)
        others += dead_character_of(guess->setup, who)->ability == DEAD_ABILITY_TRASH &&
                  dead_person(state, who)->ability_used > 0;
    dead_seat(state, state->on_turn)->cleaned = guess->notes->cleanings > others;
}

static void clear_people(struct guess *guess)
{
    for (uint32_t who = 0; who < guess->setup->characters.count; who++)
        *dead_person(guess->state, who) = (struct dead_person){ .place = DEAD_NOWHERE,
                                                                .owner = DEAD_NOBODY,
                                                                .equipment = DEAD_NONE };
}

/* `joined` says in which order a seat's survivors came; only that counts. */
static bool make_guess(const void *setup, const struct known *known, struct dice *dice, void *state)
{
    static const struct notes none;
    struct guess              guess = {
                     .setup = setup,
                     .state = state,
                     .dice = dice,
                     .notes = known->notes != NULL ? (const struct notes *) known->notes : &none,
                     .view = view_reader_of(known),
    };
    if (known->seats < 1 || known->seats > guess.setup->players_max)
        return false;
    (void) dead_lay_out(setup, known->seats, state);
    clear_people(&guess);
    read_view(&guess);
    if (!view_was_good(&guess.view) || guess.state->phase == DEAD_OVER)
        return false;
    fill_pool(&guess);
    for (uint32_t place = 0; place < guess.setup->locations.count; place++)
        lay_deck(&guess, place);
    lay_crises(&guess);
    lay_fates(&guess);
    guess_votes(&guess);
    follow_turn(guess.state);
    follow_cleaning(&guess);
    return !guess.view.is_broken;
}

/* How far the goal is reached, from 0 to 1000. */
static int64_t goal_reached(const struct dead_setup *setup, const struct dead_state *state)
{
    const uint8_t *zombies = dead_array(state, state->at.zombies);
    const uint8_t *barricades = dead_array(state, state->at.barricades);
    int64_t        walls = 0, dead = 0, goal = setup->goal_amount > 0 ? setup->goal_amount : 1;
    for (uint32_t i = 0; i < setup->entrances; i++) {
        walls += barricades[i];
        dead += zombies[i];
    }
    if (setup->goal == DEAD_BARRICADES)
        return walls >= goal ? 1000 : 1000 * walls / goal;
    if (setup->goal == DEAD_LOCATIONS_WITH_ZOMBIES)
        return 1000 - 1000 * dead / (dead + 10);
    return 1000 * (state->round > 0 ? state->round - 1 : 0) / (int64_t) setup->rounds;
}

/* All win or lose together: by morale against the rounds that are left, and by the goal. */
static void estimate(const void *of_setup, const void *of, int32_t *per_seat)
{
    const struct dead_setup *setup = of_setup;
    const struct dead_state *state = of;
    int64_t rounds = (int64_t) setup->rounds - state->round + 1, moral = state->moral;
    int64_t morale = 1000 * moral / (moral + rounds + 1);
    int64_t burden = 12 * (int64_t) state->hunger + 3 * (int64_t) state->waste;
    int64_t standing = (3 * morale + goal_reached(setup, state)) / 4 - burden;
    standing = standing < 20 ? 20 : standing > 980 ? 980 : standing;
    for (uint32_t seat = 0; seat < state->seats; seat++)
        per_seat[seat] = dead_seat(state, seat)->in_game ? (int32_t) (2 * standing) - ESTIMATE_MOST
                                                         : -ESTIMATE_MOST;
}

const struct foresight dead_foresight = {
    .notes_words = sizeof(struct notes) / sizeof(word),
    .note = note,
    .guess = make_guess,
    .estimate = estimate,
    .commands = 25,
    .liked = 100,
    .curiosity = 8,
    .levels = 4,
    .level = { { .nodes = 10, .careless = 60 },
               { .nodes = 10, .careless = 15 },
               { .nodes = 20 },
               { .nodes = 300 } },
};
