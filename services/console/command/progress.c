/* progress.c: draws and removes the progress bar. */
#include "services/console/command/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock/clock.h"

#define BAR_CELLS 30
#define BAR_LEAST 10 /* A shorter one says nothing. */
#define LINE_BYTES 160
#define COLUMNS_ELSE 80 /* Of a terminal that does not know its width. */
#define PATIENCE_S 0.5
#define PACE_S 0.1

double seconds_now(void)
{
    return (double) clock_us() / 1e6;
}

/* A terminal that obeys "back to the start" and "erase the rest". One without a name, or called
 * dumb, does not. There the bar would be a new line of garbage ten times a second. */
static bool can_redraw(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

/* How wide it is now: people drag windows. */
static uint32_t columns_now(void)
{
    struct winsize size;
    bool           known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : COLUMNS_ELSE;
}

void progress_start(struct progress *progress, const char *what, uint64_t total)
{
    *progress = (struct progress){ .what = what, .total = total };
    progress->terminal = can_redraw();
    progress->started = seconds_now();
}

/* Some of "[###...] 3 of 9 games, 12 s to go": as much as stays on the line. The last column stays
 * free, because some terminals wrap as soon as it is written. The count is worth most, then the
 * bar. */
static void write_line(const struct progress *progress, uint64_t done, double left,
                       uint32_t columns, char line[LINE_BYTES])
{
    char     count[64], more[64];
    uint32_t room = columns < LINE_BYTES ? columns - 1 : LINE_BYTES - 1;
    uint32_t used =
        (uint32_t) snprintf(count, sizeof count, "%" PRIu64 " of %" PRIu64, done, progress->total);
    uint32_t rest =
        (uint32_t) snprintf(more, sizeof more, " %s, %.0f s to go", progress->what, left);
    bool has_more = used + rest <= room;
    used += has_more ? rest : 0;
    uint32_t cells = room >= used + 3 + BAR_LEAST ? room - used - 3 : 0;
    cells = cells > BAR_CELLS ? BAR_CELLS : cells;
    uint64_t full = done * cells / progress->total;
    char     bar[BAR_CELLS + 1] = { 0 };
    for (uint32_t i = 0; i < cells; i++)
        bar[i] = i < full ? '#' : '.';
    line[0] = '\0';
    if (used <= room)
        (void) snprintf(line, LINE_BYTES, "%s%s%s%s%s", cells > 0 ? "[" : "", bar,
                        cells > 0 ? "] " : "", count, has_more ? more : "");
}

void progress_show(struct progress *progress, uint64_t done)
{
    char line[LINE_BYTES];
    if (!progress->terminal || progress->total == 0)
        return;
    double now = seconds_now();
    if (now - progress->started < PATIENCE_S || now - progress->drawn < PACE_S)
        return;
    progress->drawn = now;
    double left =
        done == 0 ? 0
                  : (now - progress->started) * (double) (progress->total - done) / (double) done;
    write_line(progress, done, left, columns_now(), line);
    fprintf(stderr, "\r\033[K%s", line);
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
