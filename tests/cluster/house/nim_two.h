/* nim_two.h: nim as a later version of its rules might be, for universes in which builds are replaced. */
#ifndef ARBITER_CLUSTER_NIM_TWO_H
#define ARBITER_CLUSTER_NIM_TWO_H

#include "games/registry.h"

#define NIM_TWO 2u

/* Version 2: nobody takes more than three counters at once. The same set-ups, messages and names. */
const struct game_wire *nim_two(void);

#endif
