/* core.h: the two functions every service is.
 *
 * `step` is handed what happened; `settle` what became of the batch: its rows are on the disk
 * (STORE_COMMITTED), none of it is (undo it in memory, tell everybody "again"), or nobody knows
 * (STORE_UNKNOWN: say nothing, take the slots anew). A batch without rows and fences is settled as
 * committed without asking the store. */
#ifndef ARBITER_CORE_H
#define ARBITER_CORE_H

#include <stdint.h>

#include "core/event.h"
#include "core/outbox.h"
#include "core/row.h"

/* What a core shows of itself to people; what means nothing to it stays 0. */
struct core_figures {
    uint64_t matches;      /* Engine: held. Fanout: known.                                       */
    uint64_t slots;        /* Engine: owned. Fanout: listened to.                                */
    uint64_t slots_behind; /* Fanout: where something is known to be missing, and ...             */
    uint64_t behind_ms;    /* ... for how long, at the longest.                                   */
};

struct core_ops {
    void (*step)(void *core, const struct event *event, struct outbox *out);
    void (*settle)(void *core, enum store_outcome outcome, struct outbox *out);
    const struct schema
        *schema; /* What it keeps; NULL: nothing.                                  */
    void (*figures)(const void          *core,
                    struct core_figures *figures); /* NULL: it shows none.       */
};

#endif
