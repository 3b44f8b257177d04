/* slow.c: where a command's time went: measured around the steps, said of those that took long.
 *
 * The hot path pays for three looks at the clock: when the command was judged, and when its act had gone out; and when a
 * batch was kept, once for all in it. All else happens to slow ones only. */
#include <inttypes.h>
#include <stdio.h>

#include "clock/clock.h"
#include "shell/shell_private.h"

#define SECOND_MS 1000u
#define LINES_PER_SECOND 10u

void shell_slow_judged(struct shell *shell)
{
    struct trace *trace = shell->out.judged;
    shell->out.judged = NULL;
    trace->began_us = shell->slow.step_us;
    trace->judged_us = clock_us();
    if (trace->is_measured)
        return;
    trace->us[TRACE_RULES] = trace->judged_us - trace->began_us;
    if (trace->began_us > shell->slow.since_us)
        trace->us[TRACE_QUEUE] = trace->began_us - shell->slow.since_us;
}

/* It waited for others in its batch, too, and then for the store. */
static void measure(const struct shell *shell, struct trace *trace)
{
    const struct slow *slow = &shell->slow;
    uint64_t           now_us = clock_us();
    if (slow->commit_us > trace->judged_us)
        trace->us[TRACE_QUEUE] += slow->commit_us - trace->judged_us;
    trace->us[TRACE_COMMIT] = slow->kept_us - slow->commit_us;
    trace->us[TRACE_PUBLISH] = now_us - slow->kept_us;
}

static void put_hex(char text[2 * TRACE_ID_SIZE + 1], const uint8_t id[TRACE_ID_SIZE])
{
    for (size_t i = 0; i < TRACE_ID_SIZE; i++)
        (void) snprintf(text + 2 * i, 3, "%02x", id[i]);
}

static void print(const struct shell *shell, const struct trace *trace, enum say_level level,
                  uint64_t left_out)
{
    char id[2 * TRACE_ID_SIZE + 1], match[2 * TRACE_ID_SIZE + 1], parts[256] = "",
                                                                  act[32] = "no act";
    char others[64] = "";
    int  size = 0;
    put_hex(id, trace->id);
    put_hex(match, trace->match_id);
    if (trace->number > 0)
        (void) snprintf(act, sizeof act, "act %" PRIu64, trace->number);
    for (uint32_t i = 0; i < TRACE_COUNT; i++)
        if (trace->us[i] > 0 || (!trace->is_measured && i > TRACE_DOOR && i < TRACE_WAY))
            size += snprintf(parts + size, sizeof parts - (size_t) size, "%s %s %.1f ms",
                             size > 0 ? "," : "", trace_names[i], (double) trace->us[i] / 1000);
    if (left_out > 0)
        (void) snprintf(others, sizeof others, "; slow ones without a line before it: %" PRIu64,
                        left_out);
    log_print(shell->settings.log, level,
              "%scommand %s: match %s, seat %" PRIu32 ", %s: %.1f ms:%s%s",
              level == SAY_WARNING ? "slow " : "", id, match, trace->seat, act,
              (double) trace_sum_us(trace) / 1000, parts, others);
}

/* A commit that takes long makes all commands of its batch slow: that fills no log. */
static void say(struct shell *shell, const struct trace *trace)
{
    struct slow *slow = &shell->slow;
    uint64_t     second = clock_ms() / SECOND_MS;
    if (slow->second != second)
        slow->lines = 0;
    slow->second = second;
    if (slow->lines == LINES_PER_SECOND) {
        slow->left_out++;
        return;
    }
    slow->lines++;
    print(shell, trace, SAY_WARNING, slow->left_out);
    slow->left_out = 0;
}

void shell_slow_took(struct shell *shell, struct trace *trace)
{
    uint64_t bound_us = (uint64_t) shell->settings.slow_ms * 1000;
    if (!trace->is_measured)
        measure(shell, trace);
    if (trace->answer != NULL)
        trace_put(trace->us, trace->answer);
    if (bound_us == 0 || trace_sum_us(trace) <= bound_us) {
        if (log_says(shell->settings.log, SAY_DEBUG))
            print(shell, trace, SAY_DEBUG, 0);
        return;
    }
    trace->at_ms = clock_wall_ms();
    say(shell, trace);
    if (shell->is_beating)
        beat_slow(&shell->beat, trace);
}
