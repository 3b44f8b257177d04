/* show.c: what the loop leaves its beats to tell: figures once a turn, and once a second how full the core is. */
#include "clock/clock.h"
#include "shell/shell_private.h"
#include "wire/names.h"

#define BOUNDS_MS 1000u

/* Once a second, for a core may have to count. */
static void show_bounds(struct shell *shell)
{
    struct fullness bounds = { 0 };
    uint64_t        numbers[BOUND_NUMBERS] = { 0 };
    uint64_t        now_ms = clock_ms();
    if (shell->ops->bounds == NULL || now_ms - shell->bounds_ms < BOUNDS_MS)
        return;
    shell->bounds_ms = now_ms;
    shell->ops->bounds(shell->core, &bounds);
    for (uint32_t i = 0; i < BOUND_COUNT; i++)
        bounds.of[i].refused = shell->full[i].refused;
    (void) bounds_put(&bounds, numbers);
    for (size_t i = 0; i < BOUND_NUMBERS; i++)
        atomic_store(&shell->beat.bounds[i], numbers[i]);
}

/* The beat's thread tells them. */
static void show_figures(struct shell *shell)
{
    const struct shell_counters *counters = &shell->counters;
    const struct bus_socket     *stream = shell->doors[DOOR_STREAM];
    struct figures               figures = { .readers = stream == NULL ? 0 : bus_topics(stream) };
    figures.acts = counters->out[KIND(ACT)];
    figures.commands = counters->in[KIND(COMMAND)];
    figures.heard = counters->heard;
    figures.refused = counters_refused(counters);
    figures.dropped = counters->dropped;
    figures.loops = counters->loops;
    figures.loop_us = counters->loop_us;
    figures.commits = counters->commits;
    figures.commit_us = counters->commit_us;
    figures.commits_failed = counters->commits_failed;
    figures.store_failing_ms = counters_failing_ms(counters, clock_ms());
    if (shell->ops->figures != NULL)
        shell->ops->figures(shell->core, &figures);
    beat_show(&shell->beat, &figures);
    for (uint32_t i = 0; i < FIGURE_STEPS; i++) {
        atomic_store(&shell->beat.commit_steps[i], counters->commit_steps[i]);
        atomic_store(&shell->beat.loop_steps[i], counters->loop_steps[i]);
    }
}

void shell_show(struct shell *shell)
{
    show_figures(shell);
    show_bounds(shell);
}
