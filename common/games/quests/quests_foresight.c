/* quests_foresight.c: how a player who thinks ahead sees quests.
 *
 * A view names the seat's own hand, and of all else how many cards there are. The notes count the cards
 * that went to the piles openly: they cannot be in a hand. What is left over is dealt at random to
 * the hands, stages, attacks, decks and piles that nobody sees. Hidden stages and attacks are dealt
 * so that the rules could have taken them. */
#include "games/quests/quests_rules.h"

#include <string.h>

#include "dice/draw.h"
#include "rules/foresight.h"

#define TRIES 24u /* To deal stages that grow, and a sponsor a hand that can build the rest. */
#define EVERYBODY ((1u << QUESTS_SEATS) - 1)

/* What is written down: how many of each kind lie openly in either pile. */
struct notes {
    word open[QUESTS_DECKS][QUESTS_CARDS];
};

static void note_cards(struct notes *notes, const word *list)
{
    for (word i = 0; i < list[0]; i++)
        if (list[1 + i] >= 1 && list[1 + i] < QUESTS_CARDS)
            notes->open[QUESTS_ADVENTURE][list[1 + i]]++;
}

static void note(const void *setup, uint32_t seat, const word *event, word *words)
{
    (void) setup, (void) seat;
    struct notes *notes = (struct notes *) words;
    const word   *fields = event_fields(event);

    switch (event_kind(event)) {
    case QUESTS_DISCARDED: note_cards(notes, fields + 1); break;
    case QUESTS_EVENT_DISCARDED:
        if (fields[0] >= 1 && fields[0] < QUESTS_CARDS)
            notes->open[QUESTS_EVENT][fields[0]]++;
        break;
    case QUESTS_RESHUFFLED:
        if (fields[0] == QUESTS_ADVENTURE + 1 || fields[0] == QUESTS_EVENT + 1)
            memset(notes->open[fields[0] - 1], 0, sizeof notes->open[0]);
        break;
    default: break;
    }
}

/* A guess in the making. */
struct guess {
    const struct quests_setup *setup;
    struct quests_state       *state;
    struct dice               *dice;
    struct view_reader         view;
    uint32_t                   viewer;
    uint32_t                   held[QUESTS_SEATS]; /* How many cards, of others.                */
    uint16_t left[QUESTS_DECKS][QUESTS_CARDS];     /* Of each kind, not yet anywhere.           */
    uint16_t mix[QUESTS_ADVENTURES];               /* The rest, shuffled; the next is the last. */
    uint32_t mixed;
};

/* Reading the view. */

/* One card that was seen comes from what is left. */
static uint32_t see_card(struct guess *guess)
{
    uint32_t card = (uint32_t) view_read(&guess->view, 1, QUESTS_CARDS - 1);
    if (guess->left[QUESTS_ADVENTURE][card] == 0)
        guess->view.is_broken = true; /* There are not so many. */
    else
        guess->left[QUESTS_ADVENTURE][card]--;
    return card;
}

static uint32_t read_mask(struct guess *guess)
{
    uint32_t mask = 0;
    for (word count = view_read(&guess->view, 0, QUESTS_SEATS); count > 0; count--)
        mask |= 1u << view_read(&guess->view, 0, QUESTS_SEATS - 1);
    return mask;
}

static uint16_t read_seat(struct guess *guess)
{
    return (uint16_t) view_read(&guess->view, 0, QUESTS_SEATS - 1);
}

/* The cards of a row, if they are told; how many were, UINT32_MAX for none. */
static uint32_t read_row(struct guess *guess, uint16_t *row, uint32_t most)
{
    if (view_read(&guess->view, 0, 1) == 0)
        return UINT32_MAX;
    uint32_t count = (uint32_t) view_read(&guess->view, 0, most);
    for (uint32_t i = 0; i < count; i++)
        row[i] = (uint16_t) see_card(guess);
    return count;
}

static void read_players(struct guess *guess)
{
    (void) view_read(&guess->view, QUESTS_SEATS, QUESTS_SEATS);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        (void) view_read(&guess->view, seat, seat);
        guess->state->shields[seat] = (uint32_t) view_read(&guess->view, 0, UINT32_MAX);
        guess->held[seat] = (uint32_t) view_read(&guess->view, 0, QUESTS_HAND_MAX);
    }
    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++) {
        (void) view_read(&guess->view, 1, 1);
        guess->state->deck[deck].count = (uint16_t) view_read(&guess->view, 0, QUESTS_ADVENTURES);
        guess->state->discard[deck].count =
            (uint16_t) view_read(&guess->view, 0, QUESTS_ADVENTURES);
    }
}

static void read_hand(struct guess *guess)
{
    (void) view_read(&guess->view, guess->held[guess->viewer], guess->held[guess->viewer]);
    for (uint32_t i = 0; i < guess->held[guess->viewer]; i++)
        quests_give(guess->state, guess->viewer, see_card(guess));
}

static void read_attacks(struct guess *guess)
{
    struct quests_state *state = guess->state;
    for (word count = view_read(&guess->view, 0, QUESTS_SEATS); count > 0; count--) {
        uint32_t seat = read_seat(guess);
        state->attacking |= (uint16_t) (1u << seat);
        state->attack_count[seat] = (uint16_t) view_read(&guess->view, 0, QUESTS_WEAPONS);
        uint32_t seen = read_row(guess, state->attack_card[seat], QUESTS_WEAPONS);
        if (seen != UINT32_MAX && seen != state->attack_count[seat])
            guess->view.is_broken = true;
    }
}

static void read_stages(struct guess *guess)
{
    struct quests_state *state = guess->state;
    for (uint32_t stage = 0; stage < state->built; stage++) {
        state->stage_count[stage] = (uint16_t) view_read(&guess->view, 0, QUESTS_STAGE_MAX);
        uint32_t seen = read_row(guess, state->stage_card[stage], QUESTS_STAGE_MAX);
        if (seen != UINT32_MAX && seen != state->stage_count[stage])
            guess->view.is_broken = true;
        (void) view_read_or_absent(&guess->view, 0, UINT32_MAX);
    }
}

static void read_quest(struct guess *guess)
{
    struct quests_state *state = guess->state;
    if (view_read(&guess->view, 0, 1) == 0)
        return;
    state->stages = (uint16_t) view_read(&guess->view, 2, QUESTS_STAGES);
    word sponsor = view_read_or_absent(&guess->view, 0, QUESTS_SEATS - 1);
    state->sponsor = sponsor == ABSENT ? 0 : (uint16_t) (sponsor + 1);
    state->stage = (uint16_t) view_read(&guess->view, 0, state->stages);
    state->resolved = state->stage > 0 ? (uint16_t) (state->stage - 1) : 0;
    state->built = (uint16_t) view_read(&guess->view, 0, state->stages);
    read_stages(guess);
    uint16_t row[QUESTS_STAGE_MAX] = { 0 };
    uint32_t begun = read_row(guess, row, QUESTS_STAGE_MAX);
    if (begun != UINT32_MAX && state->built < QUESTS_STAGES) {
        state->stage_count[state->built] = (uint16_t) begun;
        memcpy(state->stage_card[state->built], row, sizeof row);
    }
    state->eligible = (uint16_t) read_mask(guess);
    state->participants = (uint16_t) read_mask(guess);
    read_attacks(guess);
}

static void read_view(struct guess *guess)
{
    struct quests_state *state = guess->state;
    word                 seat = guess->viewer, shields = guess->setup->winning_shields;

    (void) view_read(&guess->view, seat, seat);
    state->turn = (uint32_t) view_read(&guess->view, 0, UINT32_MAX);
    state->current = read_seat(guess);
    state->phase = (uint16_t) view_read(&guess->view, QUESTS_ASKS_SPONSOR, QUESTS_OVER);
    word event = view_read_or_absent(&guess->view, 1, QUESTS_PROSPERITY);
    state->event_card = event == ABSENT ? 0 : (uint16_t) event;
    (void) view_read(&guess->view, shields, shields);
    if (view_read(&guess->view, 0, 1) == 1) {
        state->asked = read_seat(guess);
        (void) view_read(&guess->view, state->phase, state->phase);
    }
    read_players(guess);
    read_hand(guess);
    state->winners = (uint16_t) read_mask(guess);
    read_quest(guess);
}

/* What follows from it. */

/* Why somebody discards: each cause leaves other traces. */
static void follow_trim(struct quests_state *state)
{
    state->trimming = (uint16_t) (1u << state->asked);
    if (state->event_card == QUESTS_PROSPERITY)
        state->trimming = EVERYBODY;
    state->trimmed_by = state->stages > 0                        ? QUESTS_BY_STAGE
                        : state->event_card == QUESTS_QUEEN      ? QUESTS_BY_QUEEN
                        : state->event_card == QUESTS_PROSPERITY ? QUESTS_BY_PROSPERITY
                                                                 : QUESTS_BY_SPONSOR;
}

/* Players are asked to sponsor in turn, so the one who is asked, or agreed, says how many were. */
static void follow_poll(struct quests_state *state)
{
    if (state->stages == 0)
        return;
    uint32_t last = state->sponsor > 0 ? state->sponsor - 1u : state->asked;
    state->polled = (uint16_t) ((last + QUESTS_SEATS - state->current) % QUESTS_SEATS + 1);
}

/* The stage that somebody else builds is not told, but its cards have left the hand. */
static void follow_begun(struct guess *guess)
{
    struct quests_state *state = guess->state;
    uint32_t             total = 0, known = 0;
    if (state->phase != QUESTS_ASKS_BUILD || state->sponsor == guess->viewer + 1 ||
        state->built >= QUESTS_STAGES)
        return;
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        total += guess->setup->total[QUESTS_ADVENTURE][card];
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        known += guess->held[seat] + state->attack_count[seat];
    for (uint32_t stage = 0; stage < state->built; stage++)
        known += state->stage_count[stage];
    known += state->deck[QUESTS_ADVENTURE].count + state->discard[QUESTS_ADVENTURE].count;
    if (total >= known && total - known <= QUESTS_STAGE_MAX)
        state->stage_count[state->built] = (uint16_t) (total - known);
    else
        guess->view.is_broken = true;
}

/* Dealing what nobody sees. */

static void mix(struct guess *guess, enum quests_deck deck)
{
    guess->mixed = 0;
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < guess->left[deck][card]; i++)
            guess->mix[guess->mixed++] = (uint16_t) card;
    draw_shuffle(guess->dice, guess->mix, guess->mixed);
}

static uint16_t deal(struct guess *guess)
{
    if (guess->mixed == 0) {
        guess->view.is_broken = true;
        return 1;
    }
    return guess->mix[--guess->mixed];
}

/* The next card that may lie beside those in the row; else any. */
static uint16_t deal_fitting(struct guess *guess, const uint16_t *row, uint32_t count, bool foe)
{
    for (uint32_t i = guess->mixed; i-- > 0;) {
        uint16_t card = guess->mix[i];
        if (quests_is_foe(card) != foe || quests_holds(row, count, card))
            continue;
        guess->mix[i] = guess->mix[--guess->mixed];
        return card;
    }
    return deal(guess);
}

/* A stage has one foe, and no weapon twice; an attack has no foe. */
static void deal_row(struct guess *guess, uint16_t *row, uint32_t count, bool has_foe)
{
    for (uint32_t i = 0; i < count; i++)
        row[i] = deal_fitting(guess, row, i, has_foe && i == 0);
}

static bool is_blank(const uint16_t *row, uint32_t count)
{
    return count > 0 && row[0] == 0;
}

/* Whether stages grow. */
static bool stages_grow(const struct quests_state *state)
{
    for (uint32_t stage = 1; stage < state->built; stage++)
        if (quests_sum(state->stage_card[stage], state->stage_count[stage]) <=
            quests_sum(state->stage_card[stage - 1], state->stage_count[stage - 1]))
            return false;
    return true;
}

static void deal_hands(struct guess *guess)
{
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        for (uint32_t i = 0; seat != guess->viewer && i < guess->held[seat]; i++)
            quests_give(guess->state, seat, deal(guess));
}

/* Whether the sponsor could go on building: the rules let nobody begin who cannot. */
static bool can_go_on(const struct quests_state *state)
{
    uint16_t cards[QUESTS_CARDS];
    if (state->phase != QUESTS_ASKS_BUILD || state->sponsor == 0)
        return true;
    memcpy(cards, state->hand[state->sponsor - 1], sizeof cards);
    for (uint32_t i = 0; i < state->stage_count[state->built]; i++)
        cards[state->stage_card[state->built][i]]++;
    return quests_can_build(cards, state->stages - state->built, quests_above(state), NULL);
}

static void deal_adventures(struct guess *guess)
{
    struct quests_state *state = guess->state;
    mix(guess, QUESTS_ADVENTURE);
    for (uint32_t stage = 0; stage < QUESTS_STAGES; stage++)
        if (is_blank(state->stage_card[stage], state->stage_count[stage]))
            deal_row(guess, state->stage_card[stage], state->stage_count[stage], true);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (is_blank(state->attack_card[seat], state->attack_count[seat]))
            deal_row(guess, state->attack_card[seat], state->attack_count[seat], false);
    deal_hands(guess);
}

/* A pile holds what the notes know of it, as far as there is so much; the rest of it is dealt. */
static void take_open(struct guess *guess, const struct notes *notes, enum quests_deck deck)
{
    struct quests_pile *pile = &guess->state->discard[deck];
    uint32_t            count = 0;
    for (uint32_t card = 1; notes != NULL && card < QUESTS_CARDS; card++)
        for (word i = 0;
             i < notes->open[deck][card] && count < pile->count && guess->left[deck][card] > 0;
             i++) {
            guess->left[deck][card]--;
            pile->card[count++] = (uint16_t) card;
        }
}

/* Deck and pile take what is left of the mix. */
static void lay_piles(struct guess *guess, enum quests_deck which)
{
    struct quests_pile *deck = &guess->state->deck[which], *pile = &guess->state->discard[which];
    for (uint32_t i = 0; i < pile->count; i++)
        if (pile->card[i] == 0)
            pile->card[i] = deal(guess);
    for (uint32_t i = 0; i < deck->count; i++)
        deck->card[i] = deal(guess);
    if (guess->mixed > 0)
        guess->view.is_broken = true; /* More cards than the view knows of. */
}

/* Several times, until what is hidden could have been laid by the rules. */
static void deal_all(struct guess *guess)
{
    const struct quests_state before = *guess->state;
    for (uint32_t i = 0; i < TRIES && !guess->view.is_broken; i++) {
        *guess->state = before;
        deal_adventures(guess);
        if (stages_grow(guess->state) && can_go_on(guess->state))
            break;
    }
    lay_piles(guess, QUESTS_ADVENTURE);
    mix(guess, QUESTS_EVENT);
    lay_piles(guess, QUESTS_EVENT);
}

static bool make_guess(const void *setup, const struct known *known, struct dice *dice, void *state)
{
    struct guess guess = {
        .setup = setup,
        .state = state,
        .dice = dice,
        .view = view_reader_of(known),
        .viewer = known->seat,
    };
    const struct notes *notes = (const struct notes *) known->notes;

    if (known->seat >= QUESTS_SEATS)
        return false;
    memcpy(guess.left, guess.setup->total, sizeof guess.left);
    read_view(&guess);
    if (!view_was_good(&guess.view))
        return false;
    if (guess.state->event_card > 0)
        guess.left[QUESTS_EVENT][guess.state->event_card]--;
    if (guess.state->phase == QUESTS_ASKS_DISCARD)
        follow_trim(guess.state);
    follow_poll(guess.state);
    follow_begun(&guess);
    take_open(&guess, notes, QUESTS_ADVENTURE);
    take_open(&guess, notes, QUESTS_EVENT);
    deal_all(&guess);
    if (guess.state->phase == QUESTS_ASKS_SPONSOR)
        guess.state->able =
            quests_can_build(guess.state->hand[guess.state->asked], guess.state->stages, 0, NULL);
    return !guess.view.is_broken;
}

/* How near somebody is: shields, and a little for weapons to win more with. */
static int64_t standing(const struct quests_setup *setup, const struct quests_state *state,
                        uint32_t seat)
{
    int64_t weapons = 0;
    for (uint32_t card = QUESTS_FOES + 1; card < QUESTS_CARDS; card++)
        weapons += state->hand[seat][card] > 0 ? quests_value[card] : 0;
    int64_t near = 100 * (int64_t) state->shields[seat] / setup->winning_shields;
    near = near > 150 ? 150 : near;
    return 30 + near + weapons / 6;
}

/* Of all chances of winning each has a part, that grows with the cube of how near one is. */
static void estimate(const void *setup, const void *state, int32_t *per_seat)
{
    int64_t cube[QUESTS_SEATS], sum = 0;
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        int64_t near = standing(setup, state, seat);
        cube[seat] = near * near * near;
        sum += cube[seat];
    }
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        per_seat[seat] = (int32_t) (2 * ESTIMATE_MOST * cube[seat] / sum) - ESTIMATE_MOST;
}

const struct foresight quests_foresight = {
    .notes_words = sizeof(struct notes) / sizeof(word),
    .note = note,
    .guess = make_guess,
    .estimate = estimate,
    .commands = 30,
    .liked = 90,
    .curiosity = 30,
    .levels = 4,
    .level = { { .nodes = 20, .careless = 50 },
               { .nodes = 40, .careless = 10 },
               { .nodes = 200 },
               { .nodes = 2000 } },
};
