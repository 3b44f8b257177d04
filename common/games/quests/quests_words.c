/* quests_words.c: what the rules say in more than one place, word by word. */
#include "games/quests/quests_rules.h"

void quests_say_list(struct sink *out, const uint16_t *cards, uint32_t count)
{
    sink_put(out, count);
    for (uint32_t i = 0; i < count; i++)
        sink_put(out, cards[i]);
}

void quests_say_hand(struct sink *out, const uint16_t hand[QUESTS_CARDS], uint32_t count)
{
    sink_put(out, count);
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < hand[card]; i++)
            sink_put(out, card);
}

void quests_say_mask(struct sink *out, uint32_t mask)
{
    uint32_t count = 0;
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        count += quests_has(mask, seat);
    sink_put(out, count);
    for (uint32_t seat = 0; seat < QUESTS_SEATS; seat++)
        if (quests_has(mask, seat))
            sink_put(out, seat);
}

void quests_show_hand(struct play *play, uint32_t seat)
{
    const struct quests_state *state = play->state;

    sink_open(play->out, TO_SEAT(seat), QUESTS_HAND_SHOWN);
    sink_put(play->out, seat);
    quests_say_hand(play->out, state->hand[seat], state->hand_count[seat]);
    sink_close(play->out);
}

void quests_show_cards(struct play *play, uint32_t event, uint32_t seat, const uint16_t *cards,
                       uint32_t count, uint32_t why)
{
    const struct quests_state *state = play->state;

    sink_open(play->out, TO_SEAT(seat), event);
    sink_put(play->out, seat);
    quests_say_list(play->out, cards, count);
    sink_put(play->out, ABSENT);
    sink_put(play->out, why);
    sink_put(play->out, state->hand_count[seat]);
    sink_close(play->out);
    EMIT(play->out, TO_ALL_BUT(seat), event, seat, 0, count, why, state->hand_count[seat]);
}

/* The question as it was first put. It tells a player who is asked to sponsor whether they
 * could. */
void quests_show_prompt(const void *of, const struct quests_state *state, struct sink *out)
{
    const struct quests_setup *setup = of;
    uint32_t                   seat = state->asked, phase = state->phase;
    word                       stages = ABSENT, stage = ABSENT, left = ABSENT;

    switch (phase) {
    case QUESTS_ASKS_SPONSOR: stages = state->stages; break;
    case QUESTS_ASKS_BUILD: stage = state->built + 1; break;
    case QUESTS_ASKS_PARTICIPATE:
    case QUESTS_ASKS_ATTACK: stage = state->stage; break;
    case QUESTS_ASKS_DISCARD: left = (word) state->hand_count[seat] - setup->hand_limit; break;
    default: break;
    }
    EMIT(out, TO_ALL, QUESTS_PROMPT, seat, phase, stages, stage, left);
    if (phase == QUESTS_ASKS_SPONSOR)
        EMIT(out, TO_SEAT(seat), QUESTS_CAN_SPONSOR, seat, state->able);
}
