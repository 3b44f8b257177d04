/* counters.c: see counters.h. */
#include "shell/counters.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* After so long without another try, nobody knows whether the store still fails. */
#define FAILING_TOLD_MS 30000u

struct named {
    const char *name;
    uint64_t    number;
};

struct line {
    char  *to;
    size_t room, size;
};

static void put(struct line *line, const char *name, uint32_t index, uint64_t number)
{
    char word[96];
    if (number == 0)
        return;
    int size = index == UINT32_MAX ? snprintf(word, sizeof word, "%s%s=%" PRIu64,
                                              line->size > 0 ? " " : "", name, number)
                                   : snprintf(word, sizeof word, "%s%s_%u=%" PRIu64,
                                              line->size > 0 ? " " : "", name, index, number);
    if (size <= 0 || line->size + (size_t) size >= line->room)
        return;
    memcpy(line->to + line->size, word, (size_t) size + 1);
    line->size += (size_t) size;
}

static void put_all(struct line *line, const struct named *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(line, numbers[i].name, UINT32_MAX, numbers[i].number);
}

static uint32_t step_of(uint64_t took_us)
{
    uint32_t step = 0;
    while (step < FIGURE_STEPS - 1 && took_us > figure_steps_us[step])
        step++;
    return step;
}

void counters_commit(struct shell_counters *counters, uint64_t took_us)
{
    counters->commit_steps[step_of(took_us)]++;
    counters->commit_us += took_us;
    if (took_us > counters->commit_us_max)
        counters->commit_us_max = took_us;
}

static void fails_at(struct shell_counters *counters, uint64_t now_ms)
{
    /* 0 means that it does not fail. */
    if (counters->failing_since_ms == 0)
        counters->failing_since_ms = now_ms != 0 ? now_ms : 1;
    counters->failed_ms = now_ms;
}

void counters_busy(struct shell_counters *counters, uint64_t now_ms)
{
    counters->busy++;
    fails_at(counters, now_ms);
}

/* A fence that does not hold, or a row that cannot be, is no fault of the store. What holds no row needs no room, so on a
 * full disk it proves nothing. */
void counters_outcome(struct shell_counters *counters, enum store_outcome outcome, uint32_t rows,
                      uint64_t now_ms)
{
    if (outcome != STORE_FULL && outcome != STORE_BUSY && outcome != STORE_UNKNOWN) {
        if (rows > 0 || !counters->is_full)
            counters->failing_since_ms = 0;
        return;
    }
    counters->commits_failed++;
    counters->is_full = outcome == STORE_FULL;
    fails_at(counters, now_ms);
}

uint64_t counters_failing_ms(const struct shell_counters *counters, uint64_t now_ms)
{
    bool is_failing = counters->failing_since_ms != 0 && now_ms >= counters->failed_ms &&
                      now_ms - counters->failed_ms < FAILING_TOLD_MS;
    return is_failing ? 1 + now_ms - counters->failing_since_ms : 0;
}

void counters_turn(struct shell_counters *counters, uint64_t took_us)
{
    counters->loops++;
    counters->loop_steps[step_of(took_us)]++;
    counters->loop_us += took_us;
    if (took_us > counters->loop_us_max)
        counters->loop_us_max = took_us;
}

uint64_t counters_refused(const struct shell_counters *counters)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < REFUSED_REASONS; i++)
        sum += counters->refused[i];
    return sum;
}

void counters_print_doors(const struct door_counters *counters, char *to, size_t room)
{
    const struct bus_counters *bus = &counters->bus;
    const struct named         all[] = {
                { "frames_in", bus->received },
                { "frames_out", bus->sent },
                { "more_frames", bus->more_frames },
                { "foreign_routes", bus->foreign_routes },
                { "nameless", bus->nameless },
                { "frames_too_large", bus->too_large },
                { "gone", bus->gone },
                { "full", bus->full },
                { "ignored", bus->ignored },
                { "refused_topics", bus->refused_topics },
                { "cut_off", bus->cut_off },
                { "keys_admitted", counters->keys_admitted },
                { "keys_refused", counters->keys_refused },
                { "let_in", counters->porter.let_in },
                { "not_let_in", counters->porter.turned_away },
                { "barred", counters->porter.barred },
                { "dropped_knocks", counters->porter.dropped },
                { "hung_up", counters->porter.hung_up },
                { "drowned", counters->porter.drowned },
    };
    struct line line = { .to = to, .room = room };
    to[0] = '\0';
    put_all(&line, all, sizeof all / sizeof *all);
}

void counters_print(const struct shell_counters *counters, char *to, size_t room)
{
    static const char *const reasons[REFUSED_REASONS] = {
        "refused_short",  "refused_version", "refused_header",   "refused_rights",
        "refused_banned", "refused_body",    "refused_too_much",
    };
    const struct named plain[] = {
        { "batches", counters->batches },
        { "commits", counters->commits },
        { "rows", counters->rows },
        { "undone", counters->undone },
        { "busy", counters->busy },
        { "commits_failed", counters->commits_failed },
        { "commit_us", counters->commit_us },
        { "commit_us_max", counters->commit_us_max },
        { "loops", counters->loops },
        { "loop_us", counters->loop_us },
        { "loop_us_max", counters->loop_us_max },
        { "dropped", counters->dropped },
        { "too_large", counters->too_large },
        { "mended", counters->mended },
        { "floods", counters->floods },
    };
    struct line line = { .to = to, .room = room };
    to[0] = '\0';
    put_all(&line, plain, sizeof plain / sizeof *plain);
    for (uint32_t i = 0; i < REFUSED_REASONS; i++)
        put(&line, reasons[i], UINT32_MAX, counters->refused[i]);
    for (uint32_t i = 0; i < COUNTED_KINDS; i++)
        put(&line, "in", i, counters->in[i]);
    for (uint32_t i = 0; i < COUNTED_KINDS; i++)
        put(&line, "out", i, counters->out[i]);
}
