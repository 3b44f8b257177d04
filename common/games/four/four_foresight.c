/* four_foresight.c: how a player who thinks ahead sees four in a row. Nothing is secret, so nothing is
 * guessed. */
#include "games/four/four.h"
#include "rules/foresight.h"

static bool guess(const void *of_setup, const struct known *known, struct dice *dice, void *of)
{
    (void) dice;
    const struct four_setup *setup = of_setup;
    struct four_state       *state = of;
    struct view_reader       view = view_reader_of(known);

    (void) view_read(&view, setup->columns, setup->columns);
    (void) view_read(&view, setup->line, setup->line);
    (void) view_read(&view, setup->columns * setup->rows, setup->columns * setup->rows);
    for (uint32_t row = setup->rows; row-- > 0;)
        for (uint32_t column = 0; column < setup->columns; column++) {
            uint32_t disc = (uint32_t) (view_read(&view, -1, FOUR_SEATS - 1) + 1);
            state->cell[row * setup->columns + column] = disc;
            state->height[column] += disc != 0;
            state->dropped += disc != 0;
        }
    word turn = view_read_or_absent(&view, 0, FOUR_SEATS - 1);
    bool is_won = view_read(&view, 0, 1) == 1;
    if (is_won)
        state->winner = (uint32_t) view_read(&view, 0, FOUR_SEATS - 1) + 1;
    else if (turn == ABSENT)
        state->winner = FOUR_DRAWN;
    state->turn = turn == ABSENT ? 0 : (uint32_t) turn;
    return view_was_good(&view);
}

const struct foresight four_foresight = {
    .guess = guess,
    .liked = 80,
    .trust = 300,
    .levels = 4,
    .level = { { .nodes = 10, .careless = 30 },
               { .nodes = 60 },
               { .nodes = 400 },
               { .nodes = 8000 } },
};
