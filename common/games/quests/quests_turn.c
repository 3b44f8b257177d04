/* quests_turn.c: the turn: its event card, the search for a sponsor, trimming, and leaving it. */
#include "games/quests/quests_rules.h"

#include <string.h>

#define EVERYBODY ((1u << QUESTS_SEATS) - 1)

void quests_ask(struct play *play, enum quests_phase phase, uint32_t seat)
{
    struct quests_state *state = play->state;

    state->phase = (uint16_t) phase;
    state->asked = (uint16_t) seat;
    state->question++;
    quests_show_prompt(play->setup, state, play->out);
}

/* The plague takes two shields, as far as there are two, and says so even if there is none. */
static void plague(struct play *play)
{
    struct quests_state *state = play->state;
    uint32_t            *shields = &state->shields[state->current];
    uint32_t             lost = *shields < 2 ? *shields : 2;

    *shields -= lost;
    EMIT(play->out, TO_ALL, QUESTS_SHIELDS_CHANGED, state->current, -(word) lost, *shields,
         QUESTS_BY_PLAGUE);
    quests_discard_event(play);
    quests_end_turn(play);
}

static void apply_event_card(struct play *play)
{
    struct quests_state *state = play->state;

    switch (state->event_card) {
    case QUESTS_PLAGUE: plague(play); break;
    case QUESTS_QUEEN:
        quests_draw_hand(play, state->current, 2, QUESTS_BY_QUEEN);
        quests_trim(play);
        break;
    case QUESTS_PROSPERITY:
        for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
            quests_draw_hand(play, seat, 2, QUESTS_BY_PROSPERITY);
        quests_trim(play);
        break;
    default: state->stages = (uint16_t) (state->event_card - QUESTS_Q2 + 2); quests_poll(play);
    }
}

void quests_begin_turn(struct play *play)
{
    struct quests_state *state = play->state;

    state->turn++;
    EMIT(play->out, TO_ALL, QUESTS_TURN_STARTED, state->current, state->turn);
    uint32_t card = quests_draw(play, QUESTS_EVENT);
    assert(card != 0); /* The last one is in the pile by now. */
    state->event_card = (uint16_t) card;
    EMIT(play->out, TO_ALL, QUESTS_EVENT_CARD, state->current, card);
    apply_event_card(play);
}

void quests_discard_event(struct play *play)
{
    struct quests_state *state = play->state;

    quests_put(&state->discard[QUESTS_EVENT], state->event_card);
    EMIT(play->out, TO_ALL, QUESTS_EVENT_DISCARDED, state->event_card);
    state->event_card = 0;
}

void quests_end_turn(struct play *play)
{
    const struct quests_state *state = play->state;

    EMIT(play->out, TO_ALL, QUESTS_TURN_ENDED, state->current);
    quests_ask(play, QUESTS_ASKS_END_TURN, state->current);
}

static void game_over(struct play *play, uint32_t winners)
{
    struct quests_state *state = play->state;

    state->phase = QUESTS_OVER;
    state->winners = (uint16_t) winners;
    sink_open(play->out, TO_ALL, QUESTS_GAME_OVER);
    quests_say_mask(play->out, winners);
    sink_put(play->out, QUESTS_SEATS);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        sink_put(play->out, state->shields[seat]);
    sink_close(play->out);
}

void quests_leave_turn(struct play *play)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;
    uint32_t                   winners = 0;

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (state->shields[seat] >= setup->winning_shields)
            winners |= 1u << seat;
    if (winners != 0) {
        game_over(play, winners);
        return;
    }
    state->current = (uint16_t) ((state->current + 1) % QUESTS_SEATS);
    quests_begin_turn(play);
}

/* Asks the next one, or gives the quest up. Everybody is asked, able or not: whom it skipped, the
 * others would know to have no quest in hand. */
void quests_poll(struct play *play)
{
    struct quests_state *state = play->state;

    if (state->polled == QUESTS_SEATS) {
        EMIT(play->out, TO_ALL, QUESTS_NO_SPONSOR, state->stages);
        state->stages = 0;
        state->polled = 0;
        state->able = 0;
        quests_discard_event(play);
        quests_end_turn(play);
        return;
    }
    uint32_t seat = (state->current + state->polled++) % QUESTS_SEATS;
    state->able = quests_can_build(state->hand[seat], state->stages, 0, NULL);
    quests_ask(play, QUESTS_ASKS_SPONSOR, seat);
}

void quests_answer_sponsor(struct play *play, bool yes)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked;

    if (!yes) {
        EMIT(play->out, TO_ALL, QUESTS_SPONSOR_DECLINED, seat);
        quests_poll(play);
        return;
    }
    state->sponsor = (uint16_t) (seat + 1);
    state->able = 0;
    EMIT(play->out, TO_ALL, QUESTS_SPONSOR_FOUND, seat, state->stages);
    quests_ask(play, QUESTS_ASKS_BUILD, seat);
}

static void go_on(struct play *play)
{
    const struct quests_state *state = play->state;

    switch (state->trimmed_by) {
    case QUESTS_BY_STAGE: quests_ask_participants(play, state->asked + 1u); break;
    case QUESTS_BY_SPONSOR: quests_end_turn(play); break;
    default: quests_discard_event(play); quests_end_turn(play);
    }
}

/* Whoever has drawn only: a hand that was dealt above the limit stays until its owner draws. */
void quests_trim(struct play *play)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (quests_has(state->trimming & EVERYBODY, seat) &&
            state->hand_count[seat] > setup->hand_limit) {
            quests_ask(play, QUESTS_ASKS_DISCARD, seat);
            return;
        }
    state->trimming = 0;
    go_on(play);
}

void quests_trim_card(struct play *play, uint32_t card)
{
    struct quests_state *state = play->state;
    uint32_t             seat = state->asked;
    uint16_t             kind = (uint16_t) card;

    quests_take(state, seat, card);
    quests_put(&state->discard[QUESTS_ADVENTURE], card);
    quests_show_cards(play, QUESTS_DISCARDED, seat, &kind, 1, QUESTS_OF_TRIM);
    quests_trim(play);
}
