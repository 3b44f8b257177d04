/* clock.c: see clock.h. */
#include "clock/clock.h"

#include <assert.h>
#include <time.h>

static uint64_t read_us(clockid_t which)
{
    struct timespec now;
    int             failed = clock_gettime(which, &now);
    assert(!failed);
    (void) failed;
    return (uint64_t) now.tv_sec * 1000000u + (uint64_t) now.tv_nsec / 1000u;
}

uint64_t clock_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

uint64_t clock_ms(void)
{
    return clock_us() / 1000;
}

uint64_t clock_wall_ms(void)
{
    return read_us(CLOCK_REALTIME) / 1000;
}
