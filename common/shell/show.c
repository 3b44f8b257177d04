/* show.c: what the loop leaves its beats to tell: figures once a turn, and once a second how full the core is. */
#include <inttypes.h>

#include "bus/porter.h"
#include "clock/clock.h"
#include "shell/shell_private.h"
#include "wire/names.h"

#define BOUNDS_MS 1000u
/* That a limit was in the way is said at once, and then so often. */
#define FULL_SAID_MS 60000u

/* Whoever is refused again and again fills no log. */
void shell_say_full(struct shell *shell, uint32_t bound, uint64_t refused)
{
    struct full *full = &shell->full[bound];
    uint64_t     now_ms = clock_ms();
    full->refused += refused;
    full->unsaid += refused;
    if (full->unsaid == 0 || (full->said_ms != 0 && now_ms - full->said_ms < FULL_SAID_MS))
        return;
    log_print(shell->settings.log, SAY_WARNING, "%s is reached: %" PRIu64 " refused%s",
              bound_list[bound].setting, full->unsaid,
              full->said_ms != 0 ? " since this was last said" : "");
    full->said_ms = now_ms;
    full->unsaid = 0;
}

/* What the core knows nothing of: the porter's limit, and those of the door beside the sockets. */
static void ask_beside(struct shell *shell, struct fullness *bounds)
{
    struct porter_counters porter;
    porter_counts(&porter);
    bounds->of[BOUND_FILES] = (struct bound_use){ porter_files(), porter_files_max(), porter.full };
    if (shell->settings.side != NULL && shell->settings.side->bounds != NULL)
        shell->settings.side->bounds(shell->settings.side->asked, bounds);
}

/* Once a second, for a core may have to count. */
static void show_bounds(struct shell *shell)
{
    struct fullness bounds = { 0 };
    uint64_t        numbers[BOUND_NUMBERS] = { 0 };
    uint64_t        now_ms = clock_ms();
    if (now_ms - shell->bounds_ms < BOUNDS_MS)
        return;
    shell->bounds_ms = now_ms;
    if (shell->ops->bounds != NULL)
        shell->ops->bounds(shell->core, &bounds);
    ask_beside(shell, &bounds);
    for (uint32_t i = 0; i < BOUND_COUNT; i++) {
        uint64_t beside = bounds.of[i].refused;
        shell_say_full(shell, i, beside - shell->full[i].beside);
        shell->full[i].beside = beside;
        bounds.of[i].refused = shell->full[i].refused;
    }
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
