/* beat.h: the thread that tells the watchdogs four times a second that this process lives, and how well.
 *
 * It stands beside the work, so that it can say what the loop cannot: for how long the loop has not
 * turned, and that it is in a commit since then and then. The loop leaves it three numbers and the
 * watchdogs' addresses. */
#ifndef ARBITER_SHELL_BEAT_H
#define ARBITER_SHELL_BEAT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bus/bus.h"
#include "core/figures.h"

#define BEAT_TARGETS_MAX 8

struct beat_target {
    uint8_t key[BUS_KEY_SIZE];
    char    address[BUS_ADDRESS_MAX];
};

struct beat {
    struct bus *bus;
    const char *name; /* In the directory.                                                        */
    uint32_t    role;

    _Atomic uint64_t started_ms; /* Since 1970, as the core was told; 0: it was not yet.          */
    _Atomic uint64_t turned_ms;  /* When the loop last turned.                                    */
    _Atomic uint64_t commit_ms;  /* In a commit since then; 0: in none.                           */
    _Atomic uint64_t beats;      /* Sent.                                                         */
    /* What people are shown: struct figures, as the loop left it once a turn; and its steps. */
#define BEAT_FIGURE(name, ...) _Atomic uint64_t name;
    struct {
        FIGURES(BEAT_FIGURE)
    } figures;
    _Atomic uint64_t commit_steps[FIGURE_STEPS], loop_steps[FIGURE_STEPS];

    pthread_t          thread;
    pthread_mutex_t    lock; /* For those below.                                                  */
    pthread_cond_t     stopped;
    bool               is_stopped, says_goodbye;
    struct beat_target targets[BEAT_TARGETS_MAX];
    uint32_t           target_count;
};

/* False: no thread. */
bool beat_start(struct beat *beat, struct bus *bus, const char *name, uint32_t role);
/* `is_asked`: the process ends as it was told to, and the last beat says so. */
void beat_stop(struct beat *beat, bool is_asked);
/* What the next beats show, besides what the thread knows better: memory_bytes and loop_age_ms. */
void beat_show(struct beat *beat, const struct figures *figures);
/* From now on these are told. */
void beat_aim(struct beat *beat, const struct beat_target *targets, uint32_t count);

#endif
