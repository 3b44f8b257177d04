/* trace.h: where the time of one command went, part by part.
 *
 * A core says whose time it was (outbox_took). The shell fills in what only it can measure: how long the command waited,
 * was judged, kept and published. Parts are durations, each measured by one process with its own clock. So they may be
 * added up, wherever they were measured. */
#ifndef ARBITER_CORE_TRACE_H
#define ARBITER_CORE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/envelope.pb-c.h"

#define TRACE_ID_SIZE 16

/* In their order; proto/README.md says from where to where each goes. */
#define TRACE_PARTS(PART)                                                                          \
    PART(DOOR, door)                                                                               \
    PART(QUEUE, queue)                                                                             \
    PART(RULES, rules)                                                                             \
    PART(COMMIT, commit)                                                                           \
    PART(PUBLISH, publish)                                                                         \
    PART(WAY, way)                                                                                 \
    PART(DELIVERY, delivery)

enum trace_part {
#define TRACE_PART(upper, lower) TRACE_##upper,
    TRACE_PARTS(TRACE_PART)
#undef TRACE_PART
        TRACE_COUNT
};

extern const char *const trace_names[TRACE_COUNT];

struct trace {
    uint8_t  id[TRACE_ID_SIZE], match_id[16];
    uint32_t seat;
    uint64_t number;          /* The act it became; 0: none.                                      */
    uint64_t us[TRACE_COUNT]; /* How long each part took.                                         */
    bool     is_measured;     /* The core knows all parts; else the shell measures its four.      */
    Arbiter__Wire__Took *answer; /* In a message behind it: filled in; NULL: there is none.       */

    /* The shell's. */
    uint64_t began_us, judged_us;
    uint64_t at_ms; /* When it was over, since 1970.                                              */
};

/* Of all parts; of an engine's trace without the door, which is the gateway's time. */
uint64_t trace_sum_us(const struct trace *trace);
/* Into a message, and out of one: parts of which nothing is known are 0, and left out. */
void     trace_put(const uint64_t us[TRACE_COUNT], Arbiter__Wire__Took *took);
void     trace_take(uint64_t us[TRACE_COUNT], const Arbiter__Wire__Took *took);

#endif
