/* plan.h: what a universe is like: drawn from its seed, and what a person takes out of it again.
 *
 * Each universe has a random part of all faults, so that rare combinations are not diluted by everything
 * happening everywhere. What is taken out (`--without loss`, `--players 2`, `--until 12s`) is taken out
 * after the draw, so the rest of the universe stays as it was. */
#ifndef ARBITER_CLUSTER_PLAN_H
#define ARBITER_CLUSTER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum fault {
    FAULT_LOSS,      /* Frames vanish.                                                          */
    FAULT_DUPLICATE, /* Frames come twice.                                                      */
    FAULT_REORDER,   /* Frames overtake each other.                                             */
    FAULT_CLOG,      /* A link stands still for a while.                                        */
    FAULT_OVERFLOW,  /* A publisher's queue is short.                                           */
    FAULT_PARTITION, /* Some do not hear some.                                                  */
    FAULT_CRASH,     /* A process dies, and is started again.                                   */
    FAULT_PAUSE,     /* A process stands still, and goes on with old beliefs.                   */
    FAULT_DRIFT,     /* Monotonic clocks go at different speeds.                                */
    FAULT_JUMP,      /* Wall clocks jump.                                                       */
    FAULT_SLOW,      /* The store takes its time.                                               */
    FAULT_FULL,      /* The disk is full.                                                       */
    FAULT_BUSY,      /* The store says: try again.                                              */
    FAULT_UNKNOWN,   /* Nobody knows what became of a commit.                                   */
    FAULT_READ,      /* A read fails.                                                           */
    FAULT_EARLY,     /* Wake-ups come before their time.                                        */
    FAULT_SMALL,     /* Batches of one message.                                                 */
    FAULT_HOSTILE,   /* Bytes from somebody who means harm.                                     */
    FAULT_STUBBORN,  /* Clients resend, reconnect, ask for what is not theirs to ask.           */
    FAULT_SET_BACK,  /* An engine's store is set back, alone.                                   */
    FAULT_DAMAGED,   /* It is damaged in the middle, and cut there by its operator.             */
    FAULTS
};

struct plan {
    uint64_t seed;
    uint32_t faults; /* Bit by enum fault.                                                     */
    uint32_t bug;    /* enum bug: the one that is planted; 0: none.                            */
    uint64_t safety_ns;
    uint64_t delay_least_ns, delay_mean_ns;
    uint32_t loss, duplicate; /* Millionths.                                                   */
    uint32_t queue_length;    /* What a publisher holds for a reader who does not take it.     */
    uint64_t crash_mean_ns, pause_mean_ns, partition_mean_ns, clog_mean_ns, store_mean_ns;
    uint64_t pause_most_ns;
    uint64_t store_latency_ns;
    uint32_t engines, fanouts, watchdogs; /* With one engine the store is embedded.            */
    uint32_t players, tables;
    uint32_t turn_ms; /* 0: no clock runs.                                                     */
    uint32_t flavour; /* More draws, for the cast to use.                                      */
};

/* What a person wants of a universe beside its seed. */
struct wish {
    uint32_t without;  /* Bits of faults taken out.                                             */
    uint32_t players;  /* At most so many; 0: as drawn.                                         */
    uint64_t until_ns; /* Safety ends here; 0: as drawn.                                       */
    uint32_t bug;
};

void        plan_draw(struct plan *plan, uint64_t seed, const struct wish *wish);
const char *fault_name(enum fault fault);
/* FAULTS: there is none of this name. */
enum fault  fault_named(const char *name, uint32_t size);

static inline bool plan_has(const struct plan *plan, enum fault fault)
{
    return (plan->faults >> fault & 1) != 0;
}

#endif
