/* pace.c: see pace.h. Pure. */
#include "shell/pace.h"

#include <string.h>

#include "contract/envelope.pb-c.h"
#include "wire/names.h"

#define ONE 1000u
/* A key is found within so many places, or takes the one that was quiet longest. */
#define PROBES 8u

/* CURVE keys are random already, but their owners choose them. */
static uint32_t place_of(const uint8_t key[CALLER_KEY_SIZE])
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < CALLER_KEY_SIZE; i++)
        hash = (hash ^ key[i]) * 1099511628211u;
    return (uint32_t) (hash >> 32) % PACE_CALLERS;
}

static uint64_t less(uint64_t spent, uint64_t back)
{
    return spent > back ? spent - back : 0;
}

/* The client's place, with what time has given back. */
static struct pace_caller *caller_of(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE],
                                     uint64_t now_ms)
{
    uint32_t            first = place_of(key);
    struct pace_caller *caller = &pace->callers[first];
    for (uint32_t i = 0; i < PROBES; i++) {
        struct pace_caller *at = &pace->callers[(first + i) % PACE_CALLERS];
        if (at->at_ms < caller->at_ms)
            caller = at;
        if (at->at_ms == 0 || memcmp(at->key, key, CALLER_KEY_SIZE) != 0)
            continue;
        uint64_t passed_ms = less(now_ms, at->at_ms);
        at->frames = less(at->frames, passed_ms * pace->limits.frames_per_second);
        at->asks = less(at->asks, passed_ms * pace->limits.asks_per_second);
        at->refused = less(at->refused, passed_ms * pace->limits.asks_per_second);
        at->at_ms = now_ms;
        return at;
    }
    memset(caller, 0, sizeof *caller);
    memcpy(caller->key, key, CALLER_KEY_SIZE);
    caller->at_ms = now_ms;
    return caller;
}

bool pace_frame(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE], size_t bytes,
                uint64_t now_ms)
{
    if (pace->limits.frames_per_second == 0)
        return true;
    struct pace_caller *caller = caller_of(pace, key, now_ms);
    caller->frames += (1 + bytes / PACE_FRAME_BYTES) * ONE;
    return caller->frames <= (uint64_t) pace->limits.frames_per_second * ONE;
}

bool pace_ask(struct pace *pace, const uint8_t key[CALLER_KEY_SIZE], uint64_t now_ms,
              uint32_t *after_ms)
{
    *after_ms = 0;
    if (pace->limits.asks_per_second == 0)
        return true;
    struct pace_caller *caller = caller_of(pace, key, now_ms);
    uint64_t            most = (uint64_t) pace->limits.asks_burst * ONE;
    if (caller->asks < most) {
        caller->asks += ONE;
        return true;
    }
    if (caller->refused >= most)
        return false;
    caller->refused += ONE;
    *after_ms =
        1 + (uint32_t) ((caller->asks - most + caller->refused) / pace->limits.asks_per_second);
    return false;
}

bool pace_counts(uint16_t kind)
{
    return kind != KIND(COMMAND) && kind != KIND(PING);
}
