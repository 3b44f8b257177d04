/* quests_start.c: shuffling, dealing and the first turn. */
#include "dice/draw.h"
#include "games/quests/quests_rules.h"

/* The rest lies under what was put on top, and only the rest is shuffled. */
static void lay_deck(struct play *play, enum quests_deck which)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;
    struct quests_pile         under = setup->under[which];

    if (setup->fill[which] == QUESTS_SHUFFLED)
        draw_shuffle(play->dice, under.card, under.count);
    state->deck[which] = setup->top[which];
    for (uint32_t i = 0; i < under.count; i++)
        quests_put(&state->deck[which], under.card[i]);
    state->discard[which] = setup->discard[which];
}

static void deal(struct play *play, uint32_t seat)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;

    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < setup->hand[seat][card]; i++)
            quests_give(state, seat, card);
    for (uint32_t i = 0; quests_has(setup->dealt, seat) && i < QUESTS_HAND; i++)
        quests_give(state, seat, quests_draw(play, QUESTS_ADVENTURE));
}

void quests_start(struct play *play, uint32_t seats)
{
    const struct quests_setup *setup = play->setup;
    struct quests_state       *state = play->state;

    assert(seats == QUESTS_SEATS);
    state->current = (uint16_t) setup->first_player;
    for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++)
        lay_deck(play, deck);
    for (uint32_t seat = 0; seat < seats; seat++) {
        state->shields[seat] = setup->shields[seat];
        deal(play, seat);
    }
    sink_open(play->out, TO_ALL, QUESTS_GAME_STARTED);
    quests_say_mask(play->out, (1u << seats) - 1);
    sink_put(play->out, setup->winning_shields);
    sink_close(play->out);
    for (uint32_t seat = 0; seat < seats; seat++)
        quests_show_hand(play, seat);
    quests_begin_turn(play);
}
