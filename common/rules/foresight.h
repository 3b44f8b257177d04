/* foresight.h: what a game offers to players that think ahead (common/search).
 *
 * Such a player sits where no true state is: in a bot, on a page. It has what its seat was shown, and
 * nothing else. So a game that wants to be thought about turns a View back into a state. What the
 * seat cannot know is drawn at random. In a game without secrets nothing is drawn, and the state is
 * the true one.
 *
 * A View says how things stand, not how they came about. Some of what a seat was told stands in no
 * View: which cards went by, where something was laid face down. A game may keep this in *notes*, a
 * few words that it writes itself while it listens. Notes are the player's own. Who comes in late
 * has notes that are all 0, and must be able to play with those, too.
 *
 * What holds for every game that offers this, and one test for all games proves:
 *   - a guess depends on nothing but the set-up, what is known, and the dice;
 *   - `check` finds no fault in it;
 *   - whoever made it sees in it what they saw before: the same View; and, if they have listened from
 *     the beginning, the same list and questions;
 *   - the match waits for the same seats. */
#ifndef ARBITER_FORESIGHT_H
#define ARBITER_FORESIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "dice/dice.h"
#include "rules/command.h"
#include "rules/legal.h"
#include "rules/sink.h"

#define NOTES_WORDS_MAX 256
#define ESTIMATE_MOST 1000 /* Of an estimate: as good as won. The least is its negative. */
#define LEVELS_MAX 4

/* What one seat knows. */
struct known {
    uint32_t    seat;
    uint32_t    seats; /* At the table.                                                        */
    const word *view;  /* What `view` says to this seat now.                                   */
    uint32_t    view_words;
    const word *notes; /* As many words as the game has notes; NULL if it has none.            */
};

/* How much a player of one level thinks. */
struct level {
    uint32_t nodes;    /* Futures looked at, each from a guess of its own.                     */
    uint32_t careless; /* In 100 commands so many are played without a thought.                */
};

struct foresight {
    /* How many words the notes have. They begin as 0. */
    uint32_t notes_words;
    /* Writes down what is worth remembering of one event that this seat hears. NULL without notes. */
    void (*note)(const void *setup, uint32_t seat, const word *event, word *notes);
    /* Fills a zeroed state with one of the states that are possible. False: not at this moment. This
     * is allowed only while the seat has nothing listed to choose from, or the match is over. */
    bool (*guess)(const void *setup, const struct known *known, struct dice *dice, void *state);
    /* How a match that goes on looks for each seat, from -ESTIMATE_MOST to ESTIMATE_MOST. It may look
     * at everything, for it is shown guesses. NULL: only ends count. */
    void (*estimate)(const void *setup, const void *state, int32_t *per_seat);
    /* What `judge` says of all commands of a list, at the cost of one: `consider` works out what they have in
     * common, in so many bytes that are its own until the state changes. Then `like` says of each what
     * `judge` would say. NULL: `judge` is asked. */
    uint32_t opinion_bytes;
    void (*consider)(const void *setup, const void *state, uint32_t seat, void *opinion);
    int64_t (*like)(void *opinion, const struct command *command);
    /* Leaves in a list what is worth a thought, at least one command. NULL: all is. */
    void (*narrow)(const void *setup, const void *state, uint32_t seat, struct legal *list);
    /* A future is played on for so many commands before it is estimated; 0: to its end. */
    uint32_t     commands;
    /* In 100 of these commands so many are those that `judge` likes best. The others are random. */
    uint32_t     liked;
    /* How often commands are tried that did worse so far, in percent of what suits games that are
     * played to their end. Estimates differ less than ends do. 0: 100. */
    uint32_t     curiosity;
    /* How long what `judge` likes best is followed although other commands did better, in percent.
     * Where only many futures can tell, a short thought had better be that of a greedy player. 0: 100. */
    uint32_t     trust;
    /* From the weakest to the strongest. */
    uint32_t     levels;
    struct level level[LEVELS_MAX];
};

/* Reading a View again, word by word. Nobody vouches for it: it may have come from anywhere. What is
 * missing or out of bounds reads as the least that is allowed, and makes the whole reading broken. */
struct view_reader {
    const word *at, *end;
    bool        is_broken;
};

static inline struct view_reader view_reader_of(const struct known *known)
{
    return (struct view_reader){ known->view, known->view + known->view_words, false };
}

static inline word view_read(struct view_reader *reader, word least, word most)
{
    bool is_there = reader->at < reader->end;
    word value = is_there ? *reader->at++ : least;
    if (is_there && value >= least && value <= most)
        return value;
    reader->is_broken = true;
    return least;
}

/* The same for a field that may be left out: ABSENT then. */
static inline word view_read_or_absent(struct view_reader *reader, word least, word most)
{
    if (reader->at < reader->end && *reader->at == ABSENT)
        return *reader->at++;
    return view_read(reader, least, most);
}

/* Whether all was read, and was as it should be. */
static inline bool view_was_good(const struct view_reader *reader)
{
    return !reader->is_broken && reader->at == reader->end;
}

/* Whether an event is for the ears of this seat. */
static inline bool event_is_for(const word *event, uint32_t seat)
{
    audience to = event_to(event);
    if ((to & 0xff00) == TO_SEAT(0))
        return to == TO_SEAT(seat);
    if ((to & 0xff00) == TO_ALL_BUT(0))
        return to != TO_ALL_BUT(seat);
    return to == TO_ALL || to == TO_SEATS_NOW;
}

#endif
