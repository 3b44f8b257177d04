/* web_metrics.c: see web_metrics.h. */
#include "services/gateway/shell/http/web_metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/figures.h"

#define THOUSANDTH 1e-3
#define MILLIONTH 1e-6

static double up(const Arbiter__Watchdog__Alive *alive)
{
    return !alive->suspect && !alive->stopped;
}
static double stopped(const Arbiter__Watchdog__Alive *alive)
{
    return alive->stopped;
}
static double age(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->age_ms * THOUSANDTH;
}
static double started(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->started_ms * THOUSANDTH;
}
/* What the watchdog itself says of a service; what the service says stands in core/figures.h. */
static const struct {
    const char *name, *kind, *about;
    double (*value)(const Arbiter__Watchdog__Alive *alive);
} judged[] = {
    { "arbiter_up", "gauge", "1: it beats, and its loop turns", up },
    { "arbiter_stopped", "gauge", "1: it ended as it was asked to", stopped },
    { "arbiter_beat_age_seconds", "gauge", "since its last beat", age },
    { "arbiter_start_time_seconds", "gauge", "when it started, since 1970", started },
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

static void print_latencies(FILE *out, const Arbiter__Watchdog__Life *life)
{
    const Arbiter__Watchdog__Beat *beat;
    fputs("# HELP arbiter_commit_seconds how long commits took\n"
          "# TYPE arbiter_commit_seconds histogram\n",
          out);
    for (size_t i = 0; i < life->n_services; i++)
        if ((beat = life->services[i]->beat) != NULL && beat->n_commit_steps > 0)
            print_steps(out, "arbiter_commit_seconds", beat, beat->commit_steps,
                        beat->n_commit_steps, beat->commit_us);
    fputs("# HELP arbiter_turn_seconds how long its loop worked in one turn\n"
          "# TYPE arbiter_turn_seconds histogram\n",
          out);
    for (size_t i = 0; i < life->n_services; i++)
        if ((beat = life->services[i]->beat) != NULL && beat->n_loop_steps > 0)
            print_steps(out, "arbiter_turn_seconds", beat, beat->loop_steps, beat->n_loop_steps,
                        beat->loop_us);
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

static void print_judged(FILE *out, size_t index, const Arbiter__Watchdog__Life *life)
{
    print_title(out, judged[index].name, judged[index].kind, judged[index].about);
    for (size_t i = 0; i < life->n_services; i++)
        if (life->services[i]->beat != NULL)
            print_value(out, judged[index].name, life->services[i]->beat,
                        judged[index].value(life->services[i]));
}

static void print_figure(FILE *out, const struct figure *figure,
                         const Arbiter__Watchdog__Life *life)
{
    struct figures figures;
    print_title(out, figure->metric, figure->kind, figure->about);
    for (size_t i = 0; i < life->n_services; i++) {
        if (life->services[i]->beat == NULL)
            continue;
        figures_take(&figures, life->services[i]->beat);
        print_value(out, figure->metric, life->services[i]->beat,
                    (double) figure_value(figure, &figures) * figure->unit);
    }
}

static void print_own(FILE *out, const char *name, const char *kind, const char *about,
                      uint64_t value, bool is_known)
{
    if (!is_known)
        return;
    print_title(out, name, kind, about);
    fprintf(out, "%s %" PRIu64 "\n", name, value);
}

/* The watchdog's own: it does not beat to itself. */
static void print_watchdog(FILE *out, const Arbiter__Watchdog__Life *life)
{
    print_own(out, "arbiter_waits", "gauge", "deadlines that run", life->waits, life->has_waits);
    print_own(out, "arbiter_expiries_total", "counter", "times that ran out", life->expires,
              life->has_expires);
    print_own(out, "arbiter_slots_unowned", "gauge", "slots that no engine holds", life->unowned,
              life->has_unowned);
    print_own(out, "arbiter_slot_moves_total", "counter",
              "slots given to another engine: fail-overs", life->moves, life->has_moves);
}

void metrics_print(FILE *out, const uint8_t *life, size_t size)
{
    Arbiter__Watchdog__Life *read = arbiter__watchdog__life__unpack(NULL, size, life);
    if (read == NULL)
        return;
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        print_judged(out, i, read);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        print_figure(out, &figure_list[i], read);
    print_latencies(out, read);
    print_watchdog(out, read);
    arbiter__watchdog__life__free_unpacked(read, NULL);
}
