/* quests_check.c: what is true after every command; the first thing that is not, as a sentence. */
#include "games/quests/quests_rules.h"

#define EVERYBODY ((1u << QUESTS_SEATS) - 1)

static const char *check_numbers(const struct quests_state *state)
{
    if (state->phase < QUESTS_ASKS_SPONSOR || state->phase > QUESTS_OVER)
        return "something is being asked, or it is over";
    if (state->asked >= QUESTS_SEATS || state->current >= QUESTS_SEATS ||
        state->sponsor > QUESTS_SEATS || state->polled > QUESTS_SEATS)
        return "whoever is named sits at the table";
    if (((state->eligible | state->participants | state->attacking | state->winners |
          state->trimming) &
         ~EVERYBODY) != 0)
        return "there are four players";
    if (state->stages > QUESTS_STAGES || state->built > state->stages ||
        state->stage > state->built || state->resolved > state->stage)
        return "stages are built, begun and resolved in this order";
    if ((state->participants & ~(uint32_t) state->eligible) != 0 ||
        (state->attacking & ~(uint32_t) state->participants) != 0)
        return "who attacks takes part, and who takes part was eligible";
    if (quests_has(state->eligible, state->sponsor - 1u)) /* Without a sponsor: nobody. */
        return "the sponsor attacks nothing";
    return NULL;
}

static const char *check_phase(const struct quests_state *state)
{
    bool building = state->phase == QUESTS_ASKS_BUILD;

    if ((state->stages > 0) !=
            (state->phase >= QUESTS_ASKS_SPONSOR && state->phase <= QUESTS_ASKS_ATTACK) &&
        state->phase != QUESTS_ASKS_DISCARD)
        return "there is a quest while it is offered, built and played";
    if (building && (state->sponsor != state->asked + 1 || state->built >= state->stages))
        return "who builds is the sponsor, and something is left to build";
    if (state->stage > 0 && state->built != state->stages)
        return "a quest that is played is built";
    if ((state->phase == QUESTS_OVER) != (state->winners != 0))
        return "a game is over when somebody has won";
    if (state->able != 0 && state->phase != QUESTS_ASKS_SPONSOR)
        return "who could sponsor is known only while he is asked";
    if (state->phase == QUESTS_ASKS_DISCARD && !quests_has(state->trimming, state->asked))
        return "who discards has drawn";
    if (state->phase >= QUESTS_ASKS_END_TURN && state->event_card != 0)
        return "no event card is in play when the turn has ended";
    return NULL;
}

/* Nothing is left of what once lay there: it was secret. */
static bool is_blank(const uint16_t *cards, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (cards[i] != 0)
            return false;
    return true;
}

/* Adds what lies in a row to the count; false if it holds what is no card. */
static bool count_row(const uint16_t *cards, uint32_t count, uint32_t found[QUESTS_CARDS])
{
    for (uint32_t i = 0; i < count; i++) {
        if (cards[i] == 0 || cards[i] >= QUESTS_CARDS)
            return false;
        found[cards[i]]++;
    }
    return true;
}

static bool count_pile(const struct quests_pile *pile, uint32_t found[QUESTS_CARDS])
{
    return pile->first + pile->count <= QUESTS_ADVENTURES &&
           count_row(pile->card + pile->first, pile->count, found);
}

static const char *count_players(const struct quests_state *state, uint32_t found[QUESTS_CARDS])
{
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        uint32_t held = 0;
        for (uint32_t card = 1; card < QUESTS_CARDS; card++) {
            held += state->hand[seat][card];
            found[card] += state->hand[seat][card];
        }
        if (held != state->hand_count[seat] || state->hand[seat][0] != 0)
            return "a hand has as many cards as it says";
        if (state->attack_count[seat] > QUESTS_WEAPONS ||
            !count_row(state->attack_card[seat], state->attack_count[seat], found) ||
            !is_blank(state->attack_card[seat], state->attack_count[seat], QUESTS_WEAPONS))
            return "an attack is made of cards";
    }
    for (uint32_t stage = 0; stage < QUESTS_STAGES; stage++)
        if (state->stage_count[stage] > QUESTS_STAGE_MAX ||
            !count_row(state->stage_card[stage], state->stage_count[stage], found) ||
            !is_blank(state->stage_card[stage], state->stage_count[stage], QUESTS_STAGE_MAX))
            return "a stage is made of cards";
    return NULL;
}

/* No card is lost and none comes from nowhere. */
static const char *check_cards(const struct quests_setup *setup, const struct quests_state *state)
{
    uint32_t    found[QUESTS_DECKS][QUESTS_CARDS] = { { 0 } };
    const char *wrong = count_players(state, found[QUESTS_ADVENTURE]);

    if (wrong != NULL)
        return wrong;
    if (state->event_card >= QUESTS_CARDS)
        return "the event card in play is a card";
    if (state->event_card > 0)
        found[QUESTS_EVENT][state->event_card]++;
    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++) {
        if (!count_pile(&state->deck[deck], found[deck]) ||
            !count_pile(&state->discard[deck], found[deck]))
            return "decks and piles are made of cards";
        for (uint32_t card = 1; card < QUESTS_CARDS; card++)
            if (found[deck][card] != setup->total[deck][card])
                return "there are as many of each card as at the start";
    }
    return NULL;
}

const char *quests_check(const void *setup, const void *of)
{
    const struct quests_state *state = of;
    const char                *wrong = check_numbers(state);

    if (wrong == NULL)
        wrong = check_phase(state);
    return wrong != NULL ? wrong : check_cards(setup, state);
}
