/* core.h: the two functions every service is.
 *
 * `step` learns what happened. `settle` learns what became of the batch. There are three cases. Its
 * rows are on the disk (STORE_COMMITTED). Or none of them is: undo it in memory and tell everybody
 * "again". Or nobody knows (STORE_UNKNOWN): say nothing and take the slots anew. A batch without
 * rows and fences is settled as committed without asking the store. */
#ifndef ARBITER_CORE_H
#define ARBITER_CORE_H

#include <stdint.h>

#include "core/event.h"
#include "core/figures.h"
#include "core/outbox.h"
#include "core/row.h"

struct core_ops {
    void (*step)(void *core, const struct event *event, struct outbox *out);
    void (*settle)(void *core, enum store_outcome outcome, struct outbox *out);
    const struct schema *schema; /* What it keeps; NULL: nothing. */
    /* What it shows of itself to people, besides what its shell has put there; NULL: nothing. */
    void (*figures)(const void *core, struct figures *figures);
    /* How much of its limits is used; asked for each second. `refused` is the shell's. NULL: it has none. */
    void (*bounds)(const void *core, struct fullness *bounds);
};

#endif
