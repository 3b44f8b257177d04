/* progress.c: draws and removes the progress bar. */
#include "services/console/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_CELLS 30u
#define PATIENCE_S 0.5
#define PACE_S 0.1

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

void progress_start(struct progress *progress, const char *what, uint64_t total)
{
    *progress = (struct progress){ .what = what, .total = total };
    progress->terminal = isatty(STDERR_FILENO);
    progress->started = seconds_now();
}

void progress_show(struct progress *progress, uint64_t done)
{
    if (!progress->terminal || progress->total == 0)
        return;
    double now = seconds_now();
    if (now - progress->started < PATIENCE_S || now - progress->drawn < PACE_S)
        return;
    progress->drawn = now;
    char     bar[BAR_CELLS + 1] = { 0 };
    uint64_t full = done * BAR_CELLS / progress->total;
    for (uint32_t i = 0; i < BAR_CELLS; i++)
        bar[i] = i < full ? '#' : '.';
    double left =
        done == 0 ? 0
                  : (now - progress->started) * (double) (progress->total - done) / (double) done;
    fprintf(stderr, "\r\033[K[%s] %llu of %llu %s, %.0f s to go", bar, (unsigned long long) done,
            (unsigned long long) progress->total, progress->what, left);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->drawn > 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->drawn = 0;
}
