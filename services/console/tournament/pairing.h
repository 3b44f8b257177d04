/* pairing.h: one game of a tournament, between two entrants.
 *
 * The rules are played here, in this process; open dice follow from the seed, so two seatings of one seed
 * meet the same luck. Where a game has more than two seats the entrants sit alternately. */
#ifndef ARBITER_PAIRING_H
#define ARBITER_PAIRING_H

#include "services/console/tournament/contestant.h"
#include "services/console/trial/playing.h"

struct pairing_terms {
    const struct table *table;
    struct plan        *view;
    uint64_t            limit_ms, start_ms;
    uint64_t            most;    /* Acts, after which nobody has won.                            */
    const char         *matches; /* Where match files go; NULL: nowhere.                        */
    FILE               *errors;  /* Where programs' standard errors go; NULL: nowhere.           */
};

struct pairing_result {
    int32_t     score; /* More than 0: the first entrant won; less: the second; 0: a draw.       */
    uint64_t    acts;
    int32_t     failed; /* The entrant who did not play to the end, 0 or 1; -1: none.           */
    const char *why;    /* "hung", "crashed", "nonsense", "refused".                            */
    bool        both_lost;     /* Neither the rules nor a forfeit leaves a winner; `score` is 0. */
    bool        was_silent[2]; /* A program that never answered.                                */
    uint64_t    slowest_ms[2]; /* Of programs.                                                  */
    char said[CONTESTANT_SAID_MAX]; /* What it said last on its standard error; or nothing.      */
    char match[128];      /* The name of its match file; or nothing.                          */
    const char *no_start; /* Why the program of `failed` could not be started; NULL: it was.      */
};

/* `swapped`: the second entrant sits first. False: interrupted, or a program could not be started; then
 * nothing was played. */
bool pairing_play(const struct pairing_terms *terms, const struct contestant *const entrants[2],
                  uint64_t seed, bool swapped, struct pairing_result *result);

#endif
