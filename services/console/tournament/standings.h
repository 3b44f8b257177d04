/* standings.h: what a tournament's games come to: points, Elo with confidence intervals, and a page of it.
 *
 * Games are lines of JSON in a file, appended as they end, so that a tournament goes on where it
 * was interrupted. Ratings are the likeliest of the Bradley-Terry model; a draw is half a win. Each
 * entrant also gets one drawn game against an average player, so that no rating is infinite. */
#ifndef ARBITER_STANDINGS_H
#define ARBITER_STANDINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "services/console/tournament/contestant.h"

#define LENGTHS 20

struct standing {
    uint32_t games, won, drawn, lost, failed;
    uint64_t slowest_ms;
    double   elo, margin; /* 95 % lie within elo +- margin.                                     */
};

struct standings {
    const struct contestants *entrants;
    const char               *game;
    struct standing           of[CONTESTANTS_MAX];
    /* Points of one against another, in halves, and their games. */
    uint32_t points[CONTESTANTS_MAX][CONTESTANTS_MAX], games[CONTESTANTS_MAX][CONTESTANTS_MAX];
    uint32_t played, first_won, second_won; /* By who sat first.                                */
    uint64_t acts;
    /* Games by length, in steps of `length_step` acts; forfeits apart. */
    uint32_t lengths[LENGTHS];
    uint64_t length_step;
    json_t  *lines; /* All games.                                                               */
    json_t  *known; /* The same by who sat first, who second, and the seed.                     */
};

/* Forfeits of one entrant for one reason. */
struct forfeits {
    uint32_t    entrant, count;
    const char *why, *said; /* `said`: the last words in the first one; may be empty. */
    int64_t     seed;       /* Of the first one, and who sat where.                              */
    bool        swapped;
};

#define FORFEITS_MAX (4 * CONTESTANTS_MAX)

void standings_open(struct standings *all, const struct contestants *entrants, const char *game);
void standings_close(struct standings *all);
/* Counts a game: {"one", "other", "seed", "swapped", "score", "acts", ...}; false: it is none of these
 * entrants'. One that has been counted counts once. */
bool standings_count(struct standings *all, json_t *line);
/* Whether this game was played; by whatever order of entrants, who sat first tells it from others. */
bool standings_has(const struct standings *all, uint32_t one, uint32_t other, uint64_t seed,
                   bool swapped);
/* Works the ratings out. */
void standings_rate(struct standings *all);
/* The entrant who stands at this place, from 0. */
uint32_t standings_at(const struct standings *all, uint32_t place);
/* Who forfeited, and why: FORFEITS_MAX at most. Returns how many. */
uint32_t standings_forfeits(const struct standings *all, struct forfeits *list);
void     standings_print(const struct standings *all, FILE *out);
/* One page of HTML with plots, with nothing outside of it (standings_page.c). */
void     standings_page(const struct standings *all, FILE *out);

#endif
