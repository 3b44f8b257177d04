/* frames.h: faults in what a core says: its effects are spoiled between the commit and the wire.
 *
 * `shell_run` is handed another table of functions; its `settle` calls the core's own and then changes
 * what is about to be performed. What leaves the process is what a core with that fault would say. */
#ifndef ARBITER_FAULTY_FRAMES_H
#define ARBITER_FAULTY_FRAMES_H

#include "core/core.h"

/* Each program's own: spoils one effect before it is performed; false: it is not performed. `later` is
 * performed behind it, if anything is put there. */
bool spoil_effect(struct effect *effect, struct effect *later, struct outbox *out);

#endif
