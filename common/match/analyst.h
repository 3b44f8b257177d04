/* analyst.h: looks at a match in this process act by act, and says what each was worth to each seat.
 *
 * Who owns the match has its state. A judgement is still made with what the seat could know at that moment
 * and no more. So an analyst looks with the eyes of all seats before each act, and listens as they do:
 *
 *     look --> (the act is played) --> hear --> decision, chance --> look --> ...
 *
 * A *decision* is what a seat chose: search/weigh.h says what it was worth beside the best. *Chance* is what
 * nobody chose: dice, and cards that come to light. It is what the match was worth to a seat behind the
 * act, less what it was worth before it, with the command known. So skill and luck never mix. */
#ifndef ARBITER_MATCH_ANALYST_H
#define ARBITER_MATCH_ANALYST_H

#include "match/match.h"
#include "match/thinker.h"
#include "search/weigh.h"

struct analyst {
    const struct match_terms *terms;
    struct thinker            thinker;
    uint32_t                  futures; /* For each decision; a quarter for each side of a chance. */
    uint64_t                  seed;
    uint64_t                  number; /* Acts when it looked.                                     */
    uint64_t                  choices[SEATS_MAX]; /* Listed commands of who was awaited. */
    struct known              known[SEATS_MAX];   /* Before the act.                     */
    word                     *views, *notes;
};

/* How many futures suit this game: as many as its strongest level looks at. 0: nobody can think about it. */
uint32_t analyst_futures(const struct game *game);

/* Memory, to be aligned for a uint64_t. The game offers foresight. */
size_t analyst_bytes(const struct match_terms *terms, uint32_t futures);
void   analyst_init(struct analyst *analyst, const struct match_terms *terms, uint32_t futures,
                    uint64_t seed, void *memory);

/* Before an act: takes what every seat knows now. */
void analyst_look(struct analyst *analyst, const struct match *match);
/* The same for one seat alone: then only what this seat does may be judged. */
void analyst_look_as(struct analyst *analyst, const struct match *match, uint32_t seat);
/* An act happened, the first one included: seats hear it. */
void analyst_hear(struct analyst *analyst, const struct match_act *act);

/* What somebody did in the act that followed. */
struct analyst_deed {
    uint32_t       seat;
    struct command command;
};

enum analyst_said {
    ANALYST_JUDGED,
    ANALYST_FORCED, /* There was nothing to choose.                              */
    ANALYST_CANNOT, /* It is none of the listed commands, or nothing is known. */
};
enum analyst_said analyst_decision(struct analyst *analyst, const struct analyst_deed *deed,
                                   struct weighing *weighing);

/* A result as worth: won, drawn or lost. */
int32_t analyst_result(int32_t outcome);

/* What the act gave to this seat, or took from it, beside what was chosen. To be asked once the act was
 * heard. False: nothing, for nothing in it could have been otherwise, or it cannot be judged. */
struct analyst_chance {
    struct weight before, after;
};
bool analyst_chance(struct analyst *analyst, const struct match *match,
                    const struct analyst_deed *deed, uint32_t seat, struct analyst_chance *chance);

#endif
