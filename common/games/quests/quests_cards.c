/* quests_cards.c: the cards, the decks and the hands: drawing, taking, giving, putting away. */
#include "dice/draw.h"
#include "games/quests/quests_rules.h"

#include <string.h>

const char *const quests_card_names[QUESTS_DECKS][QUESTS_CARDS] = {
    { "F5", "F10", "F15", "F20", "F25", "F30", "F35", "F40", "F50", "F70", "D5", "S10", "H10",
      "B15", "L20", "E30", NULL },
    { "Q2", "Q3", "Q4", "Q5", "PLAGUE", "QUEEN", "PROSPERITY", NULL },
};

const uint8_t quests_copies[QUESTS_DECKS][QUESTS_CARDS] = {
    { 0, 8, 7, 8, 7, 7, 4, 4, 2, 2, 1, 6, 16, 12, 8, 6, 2 },
    { 0, 3, 4, 3, 2, 1, 2, 2 },
};

const uint8_t quests_value[QUESTS_CARDS] = { 0,  5,  10, 15, 20, 25, 30, 35, 40,
                                             50, 70, 5,  10, 10, 15, 20, 30 };

uint32_t quests_sum(const uint16_t *cards, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += quests_value[cards[i]];
    return sum;
}

bool quests_holds(const uint16_t *cards, uint32_t count, uint32_t card)
{
    for (uint32_t i = 0; i < count; i++)
        if (cards[i] == card)
            return true;
    return false;
}

uint32_t quests_at(const uint16_t hand[QUESTS_CARDS], uint32_t position)
{
    uint32_t card = 0, before = 0;
    while (before < position) {
        card++;
        assert(card < QUESTS_CARDS);
        before += hand[card];
    }
    return card;
}

void quests_take(struct quests_state *state, uint32_t seat, uint32_t card)
{
    assert(state->hand[seat][card] > 0);
    state->hand[seat][card]--;
    state->hand_count[seat]--;
}

void quests_give(struct quests_state *state, uint32_t seat, uint32_t card)
{
    state->hand[seat][card]++;
    state->hand_count[seat]++;
    assert(state->hand_count[seat] <= QUESTS_HAND_MAX);
}

/* Behind the last; a pile starts again from the front when it has become the deck. */
void quests_put(struct quests_pile *pile, uint32_t card)
{
    assert(pile->first + pile->count < QUESTS_ADVENTURES);
    pile->card[pile->first + pile->count++] = (uint16_t) card;
}

/* Only when a card is needed: what is in play when the last one leaves still gets into the new deck. */
static void reshuffle(struct play *play, enum quests_deck which)
{
    struct quests_state *state = play->state;

    state->deck[which] = state->discard[which];
    memset(&state->discard[which], 0, sizeof state->discard[which]);
    draw_shuffle(play->dice, state->deck[which].card, state->deck[which].count);
    EMIT(play->out, TO_ALL, QUESTS_RESHUFFLED, which + 1, state->deck[which].count);
}

uint32_t quests_draw(struct play *play, enum quests_deck which)
{
    struct quests_state *state = play->state;
    struct quests_pile  *deck = &state->deck[which];

    if (deck->count == 0) {
        if (state->discard[which].count == 0)
            return 0;
        reshuffle(play, which);
    }
    deck->count--;
    return deck->card[deck->first++];
}

void quests_draw_hand(struct play *play, uint32_t seat, uint32_t count, enum quests_drawn why)
{
    struct quests_state *state = play->state;
    uint16_t             drawn[QUESTS_HAND_MAX];
    uint32_t             got = 0;

    assert(count <= QUESTS_HAND_MAX);
    while (got < count) {
        uint32_t card = quests_draw(play, QUESTS_ADVENTURE);
        if (card == 0)
            break;
        drawn[got++] = (uint16_t) card;
        quests_give(state, seat, card);
    }
    if (got < count)
        EMIT(play->out, TO_ALL, QUESTS_DRAW_SHORT, seat, count - got);
    quests_show_cards(play, QUESTS_DREW, seat, drawn, got, why);
    state->trimming |= (uint16_t) (1u << seat);
    state->trimmed_by = (uint16_t) why;
}
