/* clock.c: see clock.h. */
#include "base/clock.h"

#include <assert.h>
#include <time.h>

uint64_t clock_us(void)
{
    struct timespec now;
    int             failed = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(!failed);
    (void) failed;
    return (uint64_t) now.tv_sec * 1000000u + (uint64_t) now.tv_nsec / 1000u;
}
