/* clock.c: see clock.h. */
#include "shell/clock.h"

#include <time.h>

static uint64_t read_us(clockid_t which)
{
    struct timespec now;
    (void) clock_gettime(which, &now);
    return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

uint64_t clock_now_ms(void)
{
    return read_us(CLOCK_MONOTONIC) / 1000;
}

uint64_t clock_now_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

uint64_t clock_wall_ms(void)
{
    return read_us(CLOCK_REALTIME) / 1000;
}
