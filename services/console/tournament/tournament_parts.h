/* tournament_parts.h: what the command of a tournament and the playing of its games share. */
#ifndef ARBITER_TOURNAMENT_PARTS_H
#define ARBITER_TOURNAMENT_PARTS_H

#include "services/console/command/progress.h"
#include "services/console/tournament/pairing.h"
#include "services/console/tournament/played.h"
#include "services/console/tournament/standings.h"
#include "services/console/trial/grid_setup.h"

#define TOURNAMENT_JOBS_MAX 64u

struct tournament_ask {
    struct table_ask  table;
    struct grid_words grid;
    const char       *entrants, *played, *report, *errors, *matches;
    uint64_t          games, seed, limit_ms, start_ms, most, jobs, out_after, memory_mb;
    bool              json, change, sandbox;
};

/* One game of the list: who plays whom, with which seed. */
struct tournament_game {
    uint32_t one, other;
    uint64_t seed;
    bool     swapped;
};

struct tournament {
    const struct tournament_ask *ask;
    struct table                 table;
    struct contestants           entrants;
    struct standings             standings;
    struct pairing_terms         terms;
    struct progress              progress;
    uint64_t                     done;
    struct played                played;
    uint32_t hung[CONTESTANTS_MAX]; /* Games in a row that an entrant let its time run out in. */
};

/* Counts a game that was played, or stands in the file; false: it is none of this tournament's. */
bool tournament_count(struct tournament *run, json_t *line);
/* Plays what is still to be played, seed by seed, in as many processes as were asked for. A console_exit;
 * what is wrong has been said. */
int  tournament_play(struct tournament *run);

#endif
