/* analysis.h: what an analysis of a match has found so far, and who prints it.
 *
 * Nothing grows with the match: sums for each seat, a picture of so many columns, and the few acts at which
 * the match turned most. What was found at one act is printed at once, and forgotten. */
#ifndef ARBITER_ANALYSIS_H
#define ARBITER_ANALYSIS_H

#include <jansson.h>

#include "match/analyst.h"
#include "match/replay.h"

#include "services/console/faces/show.h"

#define ANALYSIS_COLUMNS 60
#define ANALYSIS_TURNS 3
#define ANALYSIS_UNKNOWN (-1) /* In the picture: nothing was judged yet. */

struct analysis_seat {
    uint32_t decisions, forced, unjudged;
    uint32_t kinds[WEIGH_KINDS];
    int64_t  loss; /* All that was given away; millionths of a result, as in weigh.h. */
    uint32_t chances;
    int64_t  luck;
    uint64_t luck_squares; /* Of the errors, for the error of the sum. */
    int32_t  picture[ANALYSIS_COLUMNS];
};

/* Where the match turned: by a choice (less than 0) or by chance. */
struct analysis_turn {
    uint64_t act; /* 0: none. */
    uint32_t seat;
    bool     by_chance;
    int32_t  change;
};

struct analysis {
    struct replay       *replay;
    struct analyst       analyst;
    uint32_t             nodes;
    uint64_t             seed;
    bool                 is_complete;
    struct analysis_seat seat[SEATS_MAX];
    struct analysis_turn turn[ANALYSIS_TURNS]; /* The greatest first. */
};

/* One act was judged: a decision of its seat, or what chance gave to one seat. */
void analysis_decided(struct analysis *analysis, uint32_t seat, enum analyst_said said,
                      const struct weighing *weighing);
void analysis_chanced(struct analysis *analysis, uint32_t seat,
                      const struct analyst_chance *chance);
/* At the end of a finished match: the result. */
void analysis_ended(struct analysis *analysis);

/* The root of the sum of squares, in millionths. */
int64_t     analysis_luck_error(const struct analysis_seat *seat);
/* "blunder"; "" for what was fine. */
const char *analysis_called(enum weigh_kind kind);

/* analysis_text.c: for people. A line for each command that was not fine, then pictures and sums. */
void analysis_say_decision(const struct analysis *analysis, const struct show *show,
                           const struct command *given, const struct weighing *weighing);
void analysis_say_chance(const struct analysis *analysis, const struct show *show, uint32_t seat,
                         const struct analyst_chance *chance);
void analysis_say_all(const struct analysis *analysis, const struct show *show);

/* analysis_json.c: for programs, an object in each line (analysis.schema.json). */
void analysis_json_begin(const struct analysis *analysis);
void analysis_json_decision(const struct analysis *analysis, const struct analyst_deed *deed,
                            enum analyst_said said, const struct weighing *weighing);
void analysis_json_chance(const struct analysis *analysis, uint32_t seat,
                          const struct analyst_chance *chance);
void analysis_json_all(const struct analysis *analysis);

#endif
