/* standings.h: what a tournament's games come to: points, ranks, Elo with intervals, and a page of it.
 *
 * Games are lines of JSON in a file, appended as they end, so that a tournament goes on where it
 * was interrupted. A win is a point and a draw half a point. If both lose, nobody gets any, and the game
 * says nothing about who is stronger. A win against a program that broke down is none either if the winner
 * has never answered in any game: it would have broken down, too. Ranks go by points. Ratings are the
 * likeliest of the Bradley-Terry model. Each entrant also gets one drawn game against an average
 * player, so that no rating is infinite. */
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
    bool     has_answered; /* In some game; bots always.                                        */
    double   elo, margin;  /* 95 % lie within elo +- margin.                                    */
};

struct standings {
    const struct contestants *entrants;
    const char               *game;
    const char *matches; /* The folder of match files, as the page links to it; NULL: none.     */
    struct standing of[CONTESTANTS_MAX];
    /* Points of one against another, in halves, and their games; and of those that one may have won. */
    uint32_t points[CONTESTANTS_MAX][CONTESTANTS_MAX], games[CONTESTANTS_MAX][CONTESTANTS_MAX];
    uint32_t rated_points[CONTESTANTS_MAX][CONTESTANTS_MAX],
        rated[CONTESTANTS_MAX][CONTESTANTS_MAX];
    uint32_t played, first_won, second_won, both_lost; /* By who sat first.                     */
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
/* Whether this game was played. Whatever the order of entrants, the first seat tells it from
 * others. */
bool standings_has(const struct standings *all, uint32_t one, uint32_t other, uint64_t seed,
                   bool swapped);
/* Adds everything up, and works the ratings out. */
void standings_rate(struct standings *all);
/* The second half of it (standings_rate.c). */
void standings_find_ratings(struct standings *all);

/* One game, as it counts. */
struct standings_game {
    uint32_t one, other;
    uint64_t seed, acts;
    int64_t  score; /* More than 0: `one` won. */
    bool     both_lost, swapped;
    int64_t  failed; /* 0: `one`; 1: `other`; -1: nobody. */
};
void standings_read(const struct standings *all, const json_t *line, struct standings_game *game);
/* The points of an entrant, in halves; its rank, which equals share. */
uint32_t standings_points(const struct standings *all, uint32_t who);
uint32_t standings_rank(const struct standings *all, uint32_t who);
/* The entrant who stands at this place, from 0. */
uint32_t standings_at(const struct standings *all, uint32_t place);
/* Who forfeited, and why: FORFEITS_MAX at most. Returns how many. */
uint32_t standings_forfeits(const struct standings *all, struct forfeits *list);
void     standings_print(const struct standings *all, FILE *out);
void     standings_json(const struct standings *all, FILE *out); /* standings_json.c */
/* One page of HTML with plots, with nothing outside of it (standings_page.c). */
void     standings_page(const struct standings *all, FILE *out);

#endif
