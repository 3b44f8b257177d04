/* dead_vote.c: a fate card with a choice: everybody in the game is asked, one after the other. */
#include "games/dead/dead_rules.h"

/* Asks the next player from `seat` on; false: all have been asked. */
static bool ask_from(struct dead *dead, uint32_t seat)
{
    struct dead_state *state = dead->state;
    while (seat < state->seats && !dead_seat(state, seat)->in_game)
        seat++;
    state->timeouts = 0;
    state->voter = (uint8_t) seat;
    if (seat == state->seats)
        return false;
    SAY(dead, DEAD_VOTE_NOW, seat);
    return true;
}

/* Who wins the vote does not depend on who was asked first: a tie is a yes. */
static void close_vote(struct dead *dead)
{
    struct dead_state      *state = dead->state;
    const struct dead_fate *fate = dead_fate(dead->setup, state->fate);
    bool                    answer = state->votes_for >= state->votes_against;
    state->phase = DEAD_TURN;
    state->voter = 0;
    state->votes_for = 0;
    state->votes_against = 0;
    SAY(dead, DEAD_VOTE_RESULT, answer);
    dead_suffer(dead, &fate->outcome[answer ? 0 : 1]);
    dead_go_on(dead);
}

void dead_open_vote(struct dead *dead)
{
    dead->state->phase = DEAD_VOTING;
    bool asked = ask_from(dead, 0);
    assert(asked);
    (void) asked;
}

void dead_cast(struct dead *dead, bool answer)
{
    struct dead_state *state = dead->state;
    if (answer)
        state->votes_for++;
    else
        state->votes_against++;
    if (!ask_from(dead, state->voter + 1u))
        close_vote(dead);
}

verdict dead_vote(struct dead *dead, uint32_t seat, const struct command *command)
{
    if (seat != dead->state->voter)
        return DEAD_NO_NOT_YOUR_TURN;
    if (command->arg[0] != 0 && command->arg[0] != 1)
        return DEAD_NO_MALFORMED;
    dead_cast(dead, command->arg[0] == 1);
    return ACCEPTED;
}
