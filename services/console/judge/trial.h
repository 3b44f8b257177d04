/* trial.h: everything that a judge tries with one server: games, set-ups, command lines. */
#ifndef ARBITER_JUDGE_TRIAL_H
#define ARBITER_JUDGE_TRIAL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "games/dead/conform/dead_made_conform.h"
#include "services/console/command/progress.h"
#include "services/console/command/scratch.h"
#include "services/console/judge/bout.h"
#include "services/console/judge/marks.h"

#define EDITIONS 3

struct trial {
    /* As the command line says. */
    const struct start_line *line; /* NULL: the server runs already.                              */
    char                     host[64];
    uint32_t                 port; /* 0: any free one, another for each start.                    */
    uint32_t                 games, only, stop_after; /* 0: all; never.                           */
    uint64_t                 seed;
    uint32_t                 editions; /* Bit e: of edition e.                                    */
    double                   patience_s;
    char                     material[PATH_MAX];

    struct bout_room   room;
    struct dead_maker *maker;
    struct marks       marks;
    struct progress    progress;
    uint32_t           done;
    char               folder[SCRATCH_MAX];
    struct started     started;
    uint32_t           starts; /* So many programs were started.                                  */
    bool               is_broken; /* The judge itself cannot go on; it has said why.              */
    bool               has_played; /* Games, in which a server that is there answers.             */
};

const char *trial_edition(uint32_t edition);
/* Finds the folder of recordings and set-ups that come with the program. False: there is none. */
bool        trial_find_material(struct trial *trial);

/* trial.c: gathers set-ups and recordings for games; false after a complaint. */
bool     trial_open(struct trial *trial);
void     trial_close(struct trial *trial);
/* How much there is to do. */
uint32_t trial_size(const struct trial *trial);
/* Whether enough was found, or somebody interrupts. */
bool     trial_is_over(const struct trial *trial);
void     trial_games(struct trial *trial);
/* One game with a server that runs already. */
bool     trial_one_game(struct trial *trial, struct dead_script *script, uint32_t timeout_s);

/* trial_start.c: starting. */
struct trial_ask {
    const char        *config; /* A file; NULL: the option is left out.                          */
    const char        *seed, *timeout, *edition;
    const char        *port; /* NULL: it is left out; "": the one that is free.                */
    const char *const *more; /* Words behind the last; NULL: none.                             */
};
/* Starts the program. False: there is none of that name, and a sentence. */
bool        trial_start(struct trial *trial, const struct trial_ask *ask, struct text *fault);
/* Waits until it listens. False: it does not, and the difference says what it did. */
bool        trial_await_door(struct trial *trial, struct difference *difference);
/* Waits until it ends, with a code that is not 0, a sentence, and without ever listening; else the
 * difference is written. */
bool        trial_await_refusal(struct trial *trial, struct difference *difference);
/* The last that it printed. The caller frees it. */
char       *trial_output(const struct trial *trial);
/* Writes the set-up's text to the file that the next server is given. */
const char *trial_write_config(struct trial *trial, const char *text);

/* trial_lines.c: command lines and set-ups that must be refused, or must not. */
void     trial_lines(struct trial *trial);
void     trial_setups(struct trial *trial);
uint32_t trial_lines_count(const struct trial *trial);
uint32_t trial_setups_count(const struct trial *trial);

#endif
