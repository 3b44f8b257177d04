/* pace.h: how much one caller may ask of a process each second, so that nobody's storm is another's weather.
 *
 * Only clients are held to it: services and gateways are our own, and bound others themselves. A client
 * has two budgets, refilled each second. *Frames* are everything he sends, counted by size: whoever
 * needs more is no player but a flood, and his connection ends. *Asks* are what costs more than
 * looking at it: all but commands, of which a session has one under way, and pings; whoever asks more is
 * told to come back, for as long as telling him is cheap. */
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
/* He asks something. False: he has asked enough; `*after_ms` is when to come back. What is refused costs no ask,
 * or two questions that come back as told would keep each other out for ever; it is counted by itself, up to a
 * burst: beyond that `*after_ms` is 0, and telling him is not worth it. */
bool pace_ask(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE], uint64_t now_ms,
              uint32_t *after_ms);
/* Whether a kind is an ask. */
bool pace_counts(uint16_t kind);

#endif
