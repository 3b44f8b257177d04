/* guessing.c: a guess of what a seat cannot know agrees with all it knows, and with nothing else.
 *
 * Each seat has a listener: the notes of somebody who has been there from the start. Guesses are made
 * with these notes, and with none, as of somebody who has just come in. */
#include <string.h>

#include "bout.h"
#include "rules/foresight.h"

#define GUESSES 2 /* Of each seat at each look, with notes and without. */

void hear_for_notes(struct bout *bout, const struct sink *out)
{
    const struct foresight *foresight = bout->game->foresight;
    if (foresight == NULL || foresight->note == NULL)
        return;
    for (const word *event = sink_first(out); event != NULL; event = sink_next(out, event))
        for (uint32_t seat = 0; seat < bout->fixture->seats; seat++)
            if (event_is_for(event, seat))
                foresight->note(bout->home.setup, seat, event, bout->notes[seat]);
}

/* What the seat sees, asked of a state into a sink. */
static void see(const struct bout *bout, struct side *side, const void *state, uint32_t seat)
{
    side_clear(bout, side, &side->look);
    bout->game->view(side->setup, state, seat, &side->look);
}

/* Makes a guess on one side out of what this side shows. */
static bool guess(struct bout *bout, struct side *side, uint32_t seat, const word *notes,
                  struct dice *dice)
{
    see(bout, side, side->state, seat);
    const struct known known = { .seat = seat,
                                 .seats = bout->fixture->seats,
                                 .view = side->look.words,
                                 .view_words = side->look.used,
                                 .notes = notes };
    memset(side->guess, 0, bout->bounds.state_bytes);
    return bout->game->foresight->guess(side->setup, &known, dice, side->guess);
}

/* The home side's guess looks to this seat as the match itself does. */
static bool looks_alike(struct bout *bout, uint32_t seat, bool was_there)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;
    void              *state = twin->state;

    see(bout, home, home->guess, seat);
    see(bout, twin, twin->state, seat);
    PROMISE(bout, same_words(&home->look, &twin->look), "a guess looks like what was seen");
    side_clear(bout, home, &home->look);
    side_clear(bout, twin, &twin->look);
    game->asks(home->setup, home->guess, seat, &home->look);
    game->asks(twin->setup, twin->state, seat, &twin->look);
    PROMISE(bout, !was_there || same_words(&home->look, &twin->look),
            "a guess asks seat %u the same", seat);
    PROMISE(bout, game->to_act(home->setup, home->guess) == game->to_act(twin->setup, twin->state),
            "a guess waits for the same seats");
    side_list(bout, home, seat);
    twin->state = home->guess; /* So that it is listed beside the true one. */
    side_list(bout, twin, seat);
    twin->state = state;
    PROMISE(bout, !was_there || same_lists(&home->list, &twin->list),
            "a guess lists the same for seat %u", seat);
    return true;
}

static bool guess_is_clean(struct bout *bout, uint32_t seat, const word *notes)
{
    const struct game *game = bout->game;
    struct side       *home = &bout->home, *twin = &bout->twin;
    struct dice        ours = home->dice, theirs = home->dice; /* A player's, not the match's. */
    bool               made = guess(bout, home, seat, notes, &ours);
    int32_t            estimates[SEATS_MAX];

    side_list(bout, home, seat);
    PROMISE(bout,
            made || home->list.patterns == 0 ||
                (game->to_act(home->setup, home->state) >> seat & 1) == 0,
            "seat %u can guess while it has something to choose", seat);
    PROMISE(bout,
            guess(bout, twin, seat, notes, &theirs) == made &&
                memcmp(home->guess, twin->guess, bout->bounds.state_bytes) == 0,
            "a guess depends on what is known alone");
    if (!made)
        return true;
    const char *wrong = game->check(home->setup, home->guess);
    PROMISE(bout, wrong == NULL, "in a guess still holds: %s", wrong);
    if (game->foresight->estimate != NULL)
        game->foresight->estimate(home->setup, home->guess, estimates);
    return looks_alike(bout, seat, notes == bout->notes[seat]);
}

bool guesses_are_clean(struct bout *bout, uint32_t seat)
{
    static const word none[NOTES_WORDS_MAX];

    if (bout->game->foresight == NULL)
        return true;
    for (uint32_t i = 0; i < GUESSES; i++)
        if (!guess_is_clean(bout, seat, bout->notes[seat]) || !guess_is_clean(bout, seat, none))
            return false;
    return true;
}
