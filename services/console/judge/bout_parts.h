/* bout_parts.h: what the files of a bout share. */
#ifndef ARBITER_JUDGE_BOUT_PARTS_H
#define ARBITER_JUDGE_BOUT_PARTS_H

#include "services/console/judge/bout.h"

/* So much is taken in between two steps. A right server sends a thousandth of it. */
#define BOUT_STEP_MB 32ull

/* One client. */
struct caller {
    bool    has_spoken;
    bool    has_left;
    bool    was_cut; /* Its connection was ended from the other side.                             */
    json_t *expected, *came; /* Of the step, and what is left from before.                        */
};

struct bout {
    struct bout_room        *room;
    const struct bout_terms *terms;
    struct caller            caller[CALLERS_MAX];
    double                   waits_s;      /* So long for what the step brings.                  */
    uint64_t                 heard_before; /* Of the room, when the game began.                   */
    uint64_t                 taken_bytes;  /* So much came in this step.                          */
    const struct dead_step  *step;
    uint32_t                 steps;
    double                   spoken_s; /* When somebody last said something, or time ran out.     */
    double                   first_s;  /* When the first event of the step came; 0: none.         */
    double                   wrong_s;  /* When the first came that is wrong; 0: none.             */
    double                   died_s;   /* When the program was found dead; 0: it runs.            */
    double                   after_s;  /* How long after that time ran out.                       */
    bool                     is_untimely;
    json_t                  *story;
    struct difference       *difference;
};

/* bout.c: whether more came in this step than anybody wants to hear. */
bool bout_is_flooded(const struct bout *bout);

/* The first place at which what came differs from what was expected: the number of events if it does
 * not. */
size_t caller_gap(const struct caller *caller);

/* bout_compare.c: whether all clients heard what they should have; else the difference is written. */
bool bout_compare(struct bout *bout);
/* The same of how the program ended. */
bool bout_compare_end(struct bout *bout);
/* The step was right: it becomes part of the story, and everybody's ears are empty again. */
void bout_remember(struct bout *bout);

#endif
