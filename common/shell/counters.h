/* counters.h: what a shell counts, for whoever asks why. */
#ifndef ARBITER_SHELL_COUNTERS_H
#define ARBITER_SHELL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/bus.h"
#include "core/figures.h"
#include "core/row.h"

#define COUNTED_KINDS 96 /* Of wire.Kind; what is beyond counts as 0. */

/* Why a message was not handed to the core. */
enum refused_reason {
    REFUSED_SHORT,   /* No header.                                                                */
    REFUSED_VERSION, /* Another protocol.                                                         */
    REFUSED_HEADER,  /* No such kind, or a slot that is not the match's.                          */
    REFUSED_RIGHTS,  /* This role may not say that.                                               */
    REFUSED_BANNED,  /* This key is nobody's, or nobody's any more.                               */
    REFUSED_BODY,    /* No message of its kind.                                                   */
    REFUSED_TOO_MUCH, /* The client has asked enough for now.                                     */
    REFUSED_REASONS
};

struct shell_counters {
    uint64_t in[COUNTED_KINDS], out[COUNTED_KINDS]; /* Messages handed to the core, and sent.     */
    uint64_t refused[REFUSED_REASONS];
    uint64_t dropped;   /* Sends that could not go: nobody there, or not reading.               */
    uint64_t too_large; /* Sends that are no message any more: our bug.                         */
    uint64_t batches;   /* Settled.                                                             */
    uint64_t commits;   /* ... of them with rows or fences, and ...                             */
    uint64_t rows;      /* ... so many rows.                                                    */
    uint64_t undone;    /* Batches the store refused.                                           */
    uint64_t busy;      /* Times the store was asked again.                                     */
    uint64_t
        commits_failed; /* Commits the store did not take in the end: full, busy, or nobody knows. */
    bool     is_full; /* The last of them, for want of room.                                      */
    uint64_t failing_since_ms, failed_ms; /* First and last of those in a row; 0: none.           */
    uint64_t commit_steps[FIGURE_STEPS];
    uint64_t heard;                    /* All of `in`.                                           */
    uint64_t commit_us, commit_us_max; /* Time in the store, all and at most.                     */
    uint64_t loop_us, loop_us_max;     /* Time at work between two waits.                         */
    uint64_t loops;
    uint64_t loop_steps[FIGURE_STEPS];
    uint64_t floods; /* Callers whose connection was ended, because they sent too much.           */
    uint64_t mended; /* Connections that were turned away and tried again.                        */
};

/* What the doors of a process counted, all together. */
struct door_counters {
    struct bus_counters    bus;
    struct porter_counters porter;
    uint64_t               keys_admitted, keys_refused; /* Handshakes.                            */
};

/* One more commit, which took so long. */
void counters_commit(struct shell_counters *counters, uint64_t took_us);
/* The store is asked once more, since somebody else held it: a backup does for a moment. */
void counters_busy(struct shell_counters *counters, uint64_t now_ms);
/* What became of it in the end, and of so many rows: whether the store can be relied on just now. */
void counters_outcome(struct shell_counters *counters, enum store_outcome outcome, uint32_t rows,
                      uint64_t now_ms);
/* For how long the store has taken nothing; 0: it does, or nothing was brought to it lately. */
uint64_t counters_failing_ms(const struct shell_counters *counters, uint64_t now_ms);
/* One more turn of the loop, in which it worked so long. */
void     counters_turn(struct shell_counters *counters, uint64_t took_us);
/* Messages of all kinds that were turned away. */
uint64_t counters_refused(const struct shell_counters *counters);
/* Those that are not zero, as "name=number" with spaces between. */
void     counters_print(const struct shell_counters *counters, char *to, size_t room);
void     counters_print_doors(const struct door_counters *counters, char *to, size_t room);

#endif
