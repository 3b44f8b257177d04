/* played.h: the file in which a tournament keeps what was played, so that it goes on after an interruption.
 *
 * Its first line, the head, says what the rest belongs to: game, rules, set-up, seats, limits, and
 * who plays. Each line behind it is a game, and counts when it is there whole. Nothing is ever
 * written to a file whose head is another's, or that has none. A last line that is torn, by a power
 * cut or a full disk, is taken away before anything is written behind it. One run at a time has the
 * file. */
#ifndef ARBITER_PLAYED_H
#define ARBITER_PLAYED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "services/console/tournament/contestant.h"

struct played {
    const char *path;
    FILE       *stream;
};

/* What makes two runs parts of one tournament. */
struct played_terms {
    const struct table       *table;
    const struct contestants *entrants;
    uint64_t                  limit_ms, start_ms, most;
    /* Entrants may differ: games of those who are as they were are kept, and the others taken out. */
    bool                      may_change;
};

/* Takes a game that was played; false: it is none of this tournament's. */
typedef bool played_game(void *taker, json_t *line);

/* Opens the file, or begins it, and hands over each game that it has. A console_exit; what is wrong, and what
 * to do about it, has been said. */
int  played_open(struct played *played, const char *path, const struct played_terms *terms,
                 played_game *take, void *taker);
/* Adds a game; false after a complaint. */
bool played_add(struct played *played, const json_t *line);
/* False after a complaint. Harmless on what was not opened. */
bool played_close(struct played *played);

#endif
