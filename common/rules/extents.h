/* extents.h: how wide a game is when a program asks for it as a block of fixed size (common/env).
 *
 * A View is as long as its lists are. Who trains a program needs a row of numbers in which every field has
 * its place. So a game says how long each list of its View can get, from the set-up. A list that is longer
 * is cut in that block, and its count says so; nothing else ever reads these numbers. */
#ifndef ARBITER_EXTENTS_H
#define ARBITER_EXTENTS_H

#include <stdint.h>

#define EXTENT_LISTS_MAX 32

struct extents {
    /* Commands that one seat can have at once; what is usual, if the most is never seen. */
    uint32_t commands;
    /* The most elements of each list of the View and the most bytes of each text, in the order in which they stand
     * in the .proto, and behind a list those inside it. A list of texts has both, the list's first. */
    uint32_t list[EXTENT_LISTS_MAX];
};

#endif
