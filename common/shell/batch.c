/* batch.c: the order of things: step, keep, tell the core, and only then let anything leave. */
#include <assert.h>
#include <sodium.h>
#include <string.h>
#include <time.h>

#include "clock/clock.h"
#include "shell/shell_private.h"

/* Between two tries with a busy store. */
#define BUSY_PAUSE_MS 5
/* A core that wants to keep something more each time it is settled is wrong. */
#define ROUNDS_MAX 1000

struct event shell_event(struct shell *shell, enum core_event_kind kind)
{
    if (shell->entropy_used == SHELL_ENTROPY_EVENTS) {
        randombytes_buf(shell->entropy, sizeof shell->entropy);
        shell->entropy_used = 0;
    }
    shell->slow.step_us = clock_us();
    return (struct event){ .kind = kind,
                           .now_ms = shell->slow.step_us / 1000,
                           .wall_ms = clock_wall_ms(),
                           .entropy = shell->entropy + ENTROPY_SIZE * shell->entropy_used++ };
}

/* Settling must find as much room as a step does, so the batch ends one step earlier. */
static bool is_full(const struct outbox *out)
{
    return outbox_is_full(out) || out->capacity - out->used < 2 * OUTBOX_STEP_BYTES ||
           out->effects_max - out->effect_count < 2 * OUTBOX_STEP_EFFECTS ||
           out->rows_max - out->row_count < 2 * OUTBOX_STEP_EFFECTS;
}

static void settle_batch(struct shell *shell);

void shell_step(struct shell *shell, const struct event *event)
{
    if (shell->is_over)
        return;
    (void) atomic_fetch_add_explicit(&shell->beat.moves, 1, memory_order_relaxed);
    shell->ops->step(shell->core, event, &shell->out);
    if (shell->out.judged != NULL)
        shell_slow_judged(shell);
    if (is_full(&shell->out))
        settle_batch(shell);
}

static enum store_outcome commit_once(struct shell *shell)
{
    const struct keeper *keeper = &shell->settings.keeper;
    struct outbox       *out = &shell->out;
    uint64_t             began_us = clock_us();
    atomic_store(&shell->beat.commit_ms, began_us / 1000);
    enum store_outcome outcome =
        keeper->commit(keeper->store, (const struct row *const *) out->rows, out->row_count,
                       out->fences, out->fence_count);
    atomic_store(&shell->beat.commit_ms, 0);
    counters_commit(&shell->counters, clock_us() - began_us);
    return outcome;
}

static void pause_ms(long ms)
{
    struct timespec time = { .tv_nsec = ms * 1000000 };
    (void) nanosleep(&time, NULL);
}

/* What became of the batch. A busy store is asked again for a while: busy is no verdict. */
static enum store_outcome commit(struct shell *shell)
{
    struct outbox *out = &shell->out;
    if (out->row_count == 0 && out->fence_count == 0)
        return STORE_COMMITTED;
    shell->counters.commits++;
    uint64_t           until_ms = clock_ms() + shell->settings.busy_ms;
    enum store_outcome outcome = commit_once(shell);
    while (outcome == STORE_BUSY && clock_ms() < until_ms) {
        counters_busy(&shell->counters, clock_ms());
        pause_ms(BUSY_PAUSE_MS);
        outcome = commit_once(shell);
    }
    counters_outcome(&shell->counters, outcome, out->row_count, clock_ms());
    if (outcome == STORE_COMMITTED)
        shell->counters.rows += out->row_count;
    return outcome;
}

/* A failed sync is not tried again: what the disk holds is read at the next start. */
static void give_up(struct shell *shell)
{
    log_print(
        shell->settings.log, SAY_ERROR,
        "nobody knows whether the last batch is on the disk, so nothing is said about it; this "
        "process ends and reads again when it is started: %s",
        shell->settings.keeper.fault(shell->settings.keeper.store));
    shell->is_over = true;
    shell->end = SHELL_STORE;
    outbox_reset(&shell->out);
}

/* One commit, and what follows from it. True: settling put in more to keep. */
static bool settle_once(struct shell *shell)
{
    struct outbox *out = &shell->out;
    shell->slow.commit_us = clock_us();
    enum store_outcome outcome = commit(shell);
    shell->slow.kept_us = clock_us();
    if (outcome == STORE_UNKNOWN &&
        !shell->settings.keeper.survives(shell->settings.keeper.store)) {
        give_up(shell);
        return false;
    }
    shell->counters.batches++;
    if (outcome != STORE_COMMITTED) {
        shell->counters.undone++;
        log_print(shell->settings.log, SAY_WARNING, "a batch of %u rows was not kept: %s",
                  out->row_count, shell->settings.keeper.fault(shell->settings.keeper.store));
        outbox_reset(out);
    }
    uint32_t kept = out->effect_count;
    out->row_count = out->fence_count = 0;
    out->wants_commit = false;
    shell->ops->settle(shell->core, outcome, out);
    bool is_more = out->row_count > 0 || out->fence_count > 0;
    if (!is_more)
        kept = out->effect_count;
    /* What is kept may be said; what settling wants besides waits for a commit of its own. */
    shell_perform(shell, 0, kept);
    memmove(out->effects, out->effects + kept, (out->effect_count - kept) * sizeof *out->effects);
    out->effect_count -= kept;
    return is_more;
}

static void settle_batch(struct shell *shell)
{
    uint32_t rounds = 0;
    while (settle_once(shell)) {
        rounds++;
        assert(rounds < ROUNDS_MAX);
    }
    outbox_reset(&shell->out);
}

void shell_settle(struct shell *shell)
{
    do {
        settle_batch(shell);
        shell_read(shell);
    } while (!shell->is_over && (shell->out.effect_count > 0 || shell->out.row_count > 0 ||
                                 shell->out.fence_count > 0 || shell->first_reading != NULL));
}
