/* quests_view.c: what a seat may know, built from what it may know; and what it may not. */
#include "games/quests/quests_rules.h"

#include <string.h>

static bool is_sponsor(const struct quests_state *state, uint32_t viewer)
{
    return viewer < QUESTS_SEATS && state->sponsor == viewer + 1;
}

static void say_cards(struct sink *out, const uint16_t *cards, uint32_t count)
{
    sink_put(out, 1);
    quests_say_list(out, cards, count);
}

/* A stage is its sponsor's until it is resolved; then it is everybody's. */
static void say_stage(struct sink *out, const struct quests_state *state, uint32_t viewer,
                      uint32_t stage)
{
    sink_put(out, state->stage_count[stage]);
    if (stage >= state->resolved && !is_sponsor(state, viewer)) {
        sink_put(out, 0);
        sink_put(out, ABSENT);
        return;
    }
    say_cards(out, state->stage_card[stage], state->stage_count[stage]);
    sink_put(out, quests_sum(state->stage_card[stage], state->stage_count[stage]));
}

static void say_attacks(struct sink *out, const struct quests_state *state, uint32_t viewer)
{
    uint32_t count = 0;

    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        count += quests_has(state->attacking, seat);
    sink_put(out, count);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        if (!quests_has(state->attacking, seat))
            continue;
        sink_put(out, seat);
        sink_put(out, state->attack_count[seat]);
        if (seat == viewer)
            say_cards(out, state->attack_card[seat], state->attack_count[seat]);
        else
            sink_put(out, 0);
    }
}

static void say_quest(struct sink *out, const struct quests_state *state, uint32_t viewer)
{
    sink_put(out, state->stages > 0);
    if (state->stages == 0)
        return;
    sink_put(out, state->stages);
    sink_put(out, state->sponsor > 0 ? state->sponsor - 1 : ABSENT);
    sink_put(out, state->stage);
    sink_put(out, state->built);
    for (uint32_t stage = 0; stage < state->built; stage++)
        say_stage(out, state, viewer, stage);
    if (state->phase == QUESTS_ASKS_BUILD && is_sponsor(state, viewer))
        say_cards(out, state->stage_card[state->built], state->stage_count[state->built]);
    else
        sink_put(out, 0);
    quests_say_mask(out, state->eligible);
    quests_say_mask(out, state->participants);
    say_attacks(out, state, viewer);
}

static void say_piles(struct sink *out, const struct quests_state *state, enum quests_deck deck)
{
    sink_put(out, 1);
    sink_put(out, state->deck[deck].count);
    sink_put(out, state->discard[deck].count);
}

static void say_pending(struct sink *out, const struct quests_state *state)
{
    sink_put(out, state->phase != QUESTS_OVER);
    if (state->phase == QUESTS_OVER)
        return;
    sink_put(out, state->asked);
    sink_put(out, state->phase);
}

void quests_view(const void *of, const void *of_state, uint32_t viewer, struct sink *out)
{
    const struct quests_setup *setup = of;
    const struct quests_state *state = of_state;

    sink_put(out, viewer < QUESTS_SEATS ? (word) viewer : ABSENT);
    sink_put(out, state->turn);
    sink_put(out, state->current);
    sink_put(out, state->phase);
    sink_put(out, state->event_card > 0 ? state->event_card : ABSENT);
    sink_put(out, setup->winning_shields);
    say_pending(out, state);
    sink_put(out, QUESTS_SEATS);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++) {
        sink_put(out, seat);
        sink_put(out, state->shields[seat]);
        sink_put(out, state->hand_count[seat]);
    }
    say_piles(out, state, QUESTS_ADVENTURE);
    say_piles(out, state, QUESTS_EVENT);
    if (viewer < QUESTS_SEATS)
        quests_say_hand(out, state->hand[viewer], state->hand_count[viewer]);
    else
        sink_put(out, 0);
    quests_say_mask(out, state->winners);
    say_quest(out, state, viewer);
}

void quests_asks(const void *setup, const void *of, uint32_t seat, struct sink *out)
{
    const struct quests_state *state = of;

    if (state->phase != QUESTS_OVER && seat == state->asked)
        quests_show_prompt(setup, state, out);
}

/* Marks a field of the state. */
#define HIDE(field) memset(mask + offsetof(struct quests_state, field), 0xff, sizeof state->field)

void quests_hidden(const void *setup, const void *of, uint32_t viewer, uint8_t *mask)
{
    (void) setup;
    const struct quests_state *state = of;

    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++)
        HIDE(deck[deck].card);
    HIDE(discard[QUESTS_ADVENTURE].card);
    if (state->phase == QUESTS_ASKS_SPONSOR && viewer != state->asked)
        HIDE(able);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (seat != viewer) {
            HIDE(hand[seat]);
            HIDE(attack_card[seat]);
        }
    for (uint32_t stage = state->resolved; stage < QUESTS_STAGES; stage++)
        if (!is_sponsor(state, viewer))
            HIDE(stage_card[stage]);
}
