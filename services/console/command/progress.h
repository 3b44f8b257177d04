/* progress.h: a bar on the standard error for runs that take long.
 *
 * It appears when the run has lasted half a second. The standard error must be a terminal that can
 * redraw a line (TERM is set and not "dumb"). It disappears when the run ends. Logs and pipes never
 * see it. It never wraps: on a narrow terminal it leaves out words, then the bar, then itself. */
#ifndef ARBITER_PROGRESS_H
#define ARBITER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* "games", "files".                     */
    uint64_t    total;
    double      started; /* Seconds on a monotonic clock.         */
    double      drawn;   /* When it was last drawn; 0: never.     */
    bool        terminal;
};

void   progress_start(struct progress *progress, const char *what, uint64_t total);
/* Draws the bar if it is time to: at most ten times a second. */
void   progress_show(struct progress *progress, uint64_t done);
/* Takes the bar off the line; to be called before anything else is printed. */
void   progress_clear(struct progress *progress);
/* Seconds since some fixed moment, never going back. */
double seconds_now(void);

#endif
