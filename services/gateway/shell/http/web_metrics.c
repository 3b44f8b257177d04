/* web_metrics.c: see web_metrics.h. */
#include "services/gateway/shell/http/web_metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/figures.h"
#include "wire/names.h"

#define THOUSANDTH 1e-3
#define MILLIONTH 1e-6

static double up(const struct web_alive *service)
{
    return service->is_up;
}
static double stopped(const struct web_alive *service)
{
    return service->alive->stopped;
}
static double age(const struct web_alive *service)
{
    return (double) service->age_ms * THOUSANDTH;
}
static double started(const struct web_alive *service)
{
    return (double) service->alive->beat->started_ms * THOUSANDTH;
}
static double in_commit(const struct web_alive *service)
{
    return (double) service->alive->beat->commit_ms * THOUSANDTH;
}
/* What the watchdogs themselves say of a service, however long ago it beat; what the service says of itself stands in
 * core/figures.h, and is shown while it is of now. */
static const struct {
    const char *name, *kind, *about;
    double (*value)(const struct web_alive *service);
} judged[] = {
    { "arbiter_up", "gauge", "1: it beats, and its loop turns", up },
    { "arbiter_stopped", "gauge", "1: it ended as it was asked to", stopped },
    { "arbiter_beat_age_seconds", "gauge", "since its last beat", age },
    { "arbiter_start_time_seconds", "gauge", "when it started, since 1970", started },
    { "arbiter_in_commit_seconds", "gauge", "for how long it was in one commit; 0: in none",
      in_commit },
};

static const char *role_of(const Arbiter__Watchdog__Beat *beat)
{
    static const char *const names[] = { "none",    "lobby", "engine", "fanout", "watchdog",
                                         "gateway", "bot",   "client", "console" };
    return (size_t) beat->role < sizeof names / sizeof *names ? names[beat->role] : "none";
}

/* Names are the operator's, but a quote in one must not end the label. */
static void print_labels(FILE *out, const Arbiter__Watchdog__Beat *beat)
{
    fprintf(out, "{role=\"%s\",service=\"", role_of(beat));
    for (const char *at = beat->name != NULL ? beat->name : ""; *at != '\0'; at++)
        fputc(*at == '"' || *at == '\\' || *at == '\n' ? '_' : *at, out);
    fputc('"', out);
}

/* One service's histogram; `counts` lie between the ends of two steps each. */
static void print_steps(FILE *out, const char *name, const Arbiter__Watchdog__Beat *beat,
                        const uint64_t *counts, size_t count, uint64_t sum_us)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < FIGURE_STEPS; i++) {
        sum += i < count ? counts[i] : 0;
        fprintf(out, "%s_bucket", name);
        print_labels(out, beat);
        if (i < FIGURE_STEPS - 1)
            fprintf(out, ",le=\"%.15g\"} %" PRIu64 "\n", (double) figure_steps_us[i] / 1e6, sum);
        else
            fprintf(out, ",le=\"+Inf\"} %" PRIu64 "\n", sum);
    }
    fprintf(out, "%s_count", name);
    print_labels(out, beat);
    fprintf(out, "} %" PRIu64 "\n%s_sum", sum, name);
    print_labels(out, beat);
    fprintf(out, "} %.6f\n", (double) sum_us * MILLIONTH);
}

static void print_latencies(FILE *out, const struct web_life *life)
{
    fputs("# HELP arbiter_commit_seconds how long commits took\n"
          "# TYPE arbiter_commit_seconds histogram\n",
          out);
    for (uint32_t i = 0; i < life->service_count; i++) {
        const Arbiter__Watchdog__Beat *beat = life->services[i].alive->beat;
        if (life->services[i].is_fresh && beat->n_commit_steps > 0)
            print_steps(out, "arbiter_commit_seconds", beat, beat->commit_steps,
                        beat->n_commit_steps, beat->commit_us);
    }
    fputs("# HELP arbiter_turn_seconds how long its loop worked in one turn\n"
          "# TYPE arbiter_turn_seconds histogram\n",
          out);
    for (uint32_t i = 0; i < life->service_count; i++) {
        const Arbiter__Watchdog__Beat *beat = life->services[i].alive->beat;
        if (life->services[i].is_fresh && beat->n_loop_steps > 0)
            print_steps(out, "arbiter_turn_seconds", beat, beat->loop_steps, beat->n_loop_steps,
                        beat->loop_us);
    }
}

static void print_title(FILE *out, const char *name, const char *kind, const char *about)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, kind);
}

static void print_value(FILE *out, const char *name, const Arbiter__Watchdog__Beat *beat,
                        double value)
{
    fputs(name, out);
    print_labels(out, beat);
    fprintf(out, "} %.15g\n", value);
}

static void print_judged(FILE *out, size_t index, const struct web_life *life)
{
    print_title(out, judged[index].name, judged[index].kind, judged[index].about);
    for (uint32_t i = 0; i < life->service_count; i++)
        print_value(out, judged[index].name, life->services[i].alive->beat,
                    judged[index].value(&life->services[i]));
}

static void print_figure(FILE *out, const struct figure *figure, const struct web_life *life)
{
    struct figures figures;
    print_title(out, figure->metric, figure->kind, figure->about);
    for (uint32_t i = 0; i < life->service_count; i++) {
        if (!life->services[i].is_fresh)
            continue;
        figures_take(&figures, life->services[i].alive->beat);
        print_value(out, figure->metric, life->services[i].alive->beat,
                    (double) figure_value(figure, &figures) * figure->unit);
    }
}

/* Of each watchdog what it alone knows: what several of them count is to be added up. */
static const struct {
    const char *name, *kind, *about;
    size_t      has, value; /* In watchdog.Life. */
} counted[] = {
#define COUNTED(field)                                                                             \
    offsetof(Arbiter__Watchdog__Life, has_##field), offsetof(Arbiter__Watchdog__Life, field)
    { "arbiter_waits", "gauge", "deadlines that run", COUNTED(waits) },
    { "arbiter_expiries_total", "counter", "times that ran out", COUNTED(expires) },
    { "arbiter_slots_unowned", "gauge", "slots that no engine holds", COUNTED(unowned) },
    { "arbiter_slot_moves_total", "counter", "slots given to another engine: fail-overs",
      COUNTED(moves) },
};

static void print_name(FILE *out, const char *metric, const struct web_watchdog *watchdog)
{
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    beat.role = ROLE(WATCHDOG);
    beat.name = (char *) watchdog->name;
    fputs(metric, out);
    print_labels(out, &beat);
}

static void print_counted(FILE *out, size_t index, const struct web_life *life)
{
    bool is_titled = false;
    for (uint32_t i = 0; i < life->fresh_count; i++) {
        const uint8_t     *bytes = (const uint8_t *) life->watchdogs[i].life;
        protobuf_c_boolean is_there;
        uint64_t           value;
        memcpy(&is_there, bytes + counted[index].has, sizeof is_there);
        memcpy(&value, bytes + counted[index].value, sizeof value);
        if (!is_there)
            continue;
        if (!is_titled)
            print_title(out, counted[index].name, counted[index].kind, counted[index].about);
        is_titled = true;
        print_name(out, counted[index].name, &life->watchdogs[i]);
        fprintf(out, "} %" PRIu64 "\n", value);
    }
}

/* However old: that it grows is the news. */
static void print_ages(FILE *out, const struct web_life *life)
{
    static const char name[] = "arbiter_watchdog_age_seconds";
    fputs("# HELP arbiter_watchdog_age_seconds since this gateway last heard a watchdog\n"
          "# TYPE arbiter_watchdog_age_seconds gauge\n",
          out);
    for (uint32_t i = 0; i < life->watchdog_count; i++) {
        print_name(out, name, &life->watchdogs[i]);
        fprintf(out, "} %.15g\n", (double) life->watchdogs[i].age_ms * THOUSANDTH);
    }
}

/* The third of the three numbers of every limit. */
#define REFUSED 2u

/* One of them. */
static void print_bounds(FILE *out, const char *name, size_t number, const struct web_life *life)
{
    for (uint32_t i = 0; i < life->service_count; i++) {
        const Arbiter__Watchdog__Beat *beat = life->services[i].alive->beat;
        uint64_t                       numbers[BOUND_NUMBERS];
        struct fullness                bounds;
        bounds_take(&bounds, beat->bounds, beat->n_bounds);
        memcpy(numbers, &bounds, sizeof numbers);
        for (size_t row = 0; life->services[i].is_fresh && row < BOUND_COUNT; row++) {
            bool is_rate = number == REFUSED && bounds.of[row].refused > 0; /* It has no level. */
            if (bounds.of[row].limit == 0 && !is_rate)
                continue;
            fputs(name, out);
            print_labels(out, beat);
            fprintf(out, ",setting=\"%s\"} %" PRIu64 "\n", bound_list[row].setting,
                    numbers[3 * row + number]);
        }
    }
}

static void print_limits(FILE *out, const struct web_life *life)
{
    static const struct {
        const char *name, *kind, *about;
    } numbers[] = {
        { "arbiter_used", "gauge", "how much of a limit is used" },
        { "arbiter_limit", "gauge", "the limit, which the setting says" },
        { "arbiter_limit_refused_total", "counter", "refused for that limit" },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        print_title(out, numbers[i].name, numbers[i].kind, numbers[i].about);
        print_bounds(out, numbers[i].name, i, life);
    }
}

void metrics_print(FILE *out, const struct web_life *life)
{
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        print_judged(out, i, life);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        print_figure(out, &figure_list[i], life);
    print_limits(out, life);
    print_latencies(out, life);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        print_counted(out, i, life);
    print_ages(out, life);
}
