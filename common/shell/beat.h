/* beat.h: the thread that tells watchdogs and systemd four times a second that this process lives, and how well.
 *
 * It runs beside the loop, so it can say what the loop cannot. It says for how long the loop has
 * not turned, and since when it has been in a commit. The loop leaves it some numbers and the
 * watchdogs' addresses.
 *
 * It also judges the loop. It does not vouch for a loop that does not move, and after `stuck_ms` it
 * ends the process. A loop that waits for the store is not stuck, however slow the disk is. Time in
 * which the whole process stood still (SIGSTOP, a machine that slept) counts as one beat, since
 * this thread stood still too. */
#ifndef ARBITER_SHELL_BEAT_H
#define ARBITER_SHELL_BEAT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bus/bus.h"
#include "core/figures.h"
#include "core/trace.h"
#include "shell/log.h"

#define BEAT_TARGETS_MAX 8

struct beat_target {
    uint8_t key[BUS_KEY_SIZE];
    char    address[BUS_ADDRESS_MAX];
};

struct beat_settings {
    struct bus       *bus;
    const char       *name; /* In the directory.                                                  */
    uint32_t          role;
    const struct log *log;
    uint32_t          stuck_ms; /* A loop that has not moved for so long is the end; 0: never.   */
    int               supervisor; /* supervisor.h; -1: there is none.                             */
};

/* Slow commands that one beat tells of; what is more stands in the log alone. */
#define BEAT_SLOW_MAX 64u

struct beat {
    struct beat_settings settings;

    _Atomic uint64_t started_ms; /* Since 1970, as the core was told; 0: it was not yet.          */
    _Atomic uint64_t turned_ms;  /* When the loop last turned.                                    */
    _Atomic uint64_t commit_ms;  /* In a commit since then; 0: in none.                           */
    _Atomic uint64_t beats;      /* Sent.                                                         */
    _Atomic uint64_t moves;      /* Turns and steps of the loop.                                  */
    _Atomic bool     is_ready;   /* The loop has turned for the first time.                       */
    _Atomic bool     is_reading; /* It waits for what it asked of the store, a commit aside.      */
    /* What people are shown: struct figures, as the loop left it once a turn; and its steps. */
#define BEAT_FIGURE(name, ...) _Atomic uint64_t name;
    struct {
        FIGURES(BEAT_FIGURE)
    } figures;
    _Atomic uint64_t commit_steps[FIGURE_STEPS], loop_steps[FIGURE_STEPS];
    _Atomic uint64_t bounds[BOUND_NUMBERS];

    uint64_t           moves_seen, still_ms; /* The thread's own.                              */
    pthread_t          thread;
    pthread_mutex_t    lock; /* For those below.                                                  */
    pthread_cond_t     stopped;
    bool               is_stopped, says_goodbye;
    struct beat_target targets[BEAT_TARGETS_MAX];
    uint32_t           target_count;
    struct trace       slow[BEAT_SLOW_MAX]; /* To be told.                                        */
    uint32_t           slow_count;
};

/* False: no thread. */
bool beat_start(struct beat *beat, const struct beat_settings *settings);
/* `is_asked`: the process ends as it was told to, and the last beat says so. */
void beat_stop(struct beat *beat, bool is_asked);
/* What the next beats show, besides what the thread knows better: memory_bytes and loop_age_ms. */
void beat_show(struct beat *beat, const struct figures *figures);
/* From now on these are told. */
void beat_aim(struct beat *beat, const struct beat_target *targets, uint32_t count);

/* The watchdogs are told of a slow command. */
void beat_slow(struct beat *beat, const struct trace *trace);

#endif
