/* pace.h: how much one caller may ask of a process each second, so that nobody's storm is another's weather.
 *
 * Only clients are held to it: services and gateways are our own, and bound others themselves. A
 * client has two budgets, refilled each second. *Frames* are everything the client sends, counted
 * by size. A client above this budget is a flood, not a player, and its connection ends. *Asks* are
 * what costs more than a look: everything except pings and commands. A session has only one command
 * under way. A client above this budget is told to come back later, for as long as telling it is
 * cheap. */
#ifndef ARBITER_SHELL_PACE_H
#define ARBITER_SHELL_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/event.h"

#define PACE_CALLERS 2048    /* Held apart at a time. */
#define PACE_FRAME_BYTES 512 /* A frame counts once, and once more for each of these. */

struct pace_limits {
    uint32_t frames_per_second; /* As many at once; 0: any number.                                */
    uint32_t asks_per_second;   /* 0: any number ...                                              */
    uint32_t asks_burst;        /* ... and so many at once.                                       */
};

struct pace_caller {
    uint8_t  key[CALLER_KEY_SIZE];
    uint64_t at_ms;                 /* Of those below; 0: this place is free.                    */
    uint64_t frames, asks, refused; /* Spent, in thousandths.                                    */
};

struct pace {
    struct pace_limits limits;
    struct pace_caller callers[PACE_CALLERS];
};

/* One frame of so many bytes came. False: too much for a second. */
bool pace_frame(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE], size_t bytes,
                uint64_t now_ms);
/* The client asks something. False: it has asked enough; `*after_ms` is when to come back. A
 * refused question costs no ask; otherwise two questions that come back as told would keep each
 * other out for ever. Refusals are counted by themselves, up to a burst. Beyond that `*after_ms` is
 * 0, and an answer is not worth its cost. */
bool pace_ask(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE], uint64_t now_ms,
              uint32_t *after_ms);
/* Whether a kind is an ask. */
bool pace_counts(uint16_t kind);

#endif
