/* nim_foresight.c: how a player who thinks ahead sees nim. Nothing is secret, so nothing is guessed. */
#include "games/nim/nim.h"
#include "rules/foresight.h"

static uint32_t read_mask(struct view_reader *view, uint32_t seats)
{
    uint32_t mask = 0;
    for (word left = view_read(view, 0, seats); left > 0; left--)
        mask |= 1u << view_read(view, 0, (word) seats - 1);
    return mask;
}

static bool guess(const void *setup, const struct known *known, struct dice *dice, void *of)
{
    (void) setup, (void) dice;
    struct nim_state  *state = of;
    struct view_reader view = view_reader_of(known);

    (void) view_read(&view, 0, 1); /* Misere is in the set-up. */
    state->seats = known->seats;
    state->heaps = (uint32_t) view_read(&view, 1, NIM_HEAPS_MAX);
    for (uint32_t i = 0; i < state->heaps; i++)
        state->heap[i] = (uint32_t) view_read(&view, 0, NIM_HEAP_MAX);
    state->in = read_mask(&view, known->seats);
    word turn = view_read_or_absent(&view, 0, (word) known->seats - 1);
    state->turn = turn == ABSENT ? 0 : (uint32_t) turn;
    state->winners = read_mask(&view, known->seats);
    return view_was_good(&view);
}

/* `judge` knows how two play this perfectly, so two of them playing on by it are the truth. */
const struct foresight nim_foresight = {
    .guess = guess,
    .liked = 100,
    .levels = 2,
    .level = { { .nodes = 10, .careless = 50 }, { .nodes = 1000 } },
};
