/* web_metrics.c: see web_metrics.h. */
#include "services/gateway/shell/http/web_metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "contract/watchdog.pb-c.h"

#define THOUSANDTH 1e-3
#define MILLIONTH 1e-6

/* The upper ends of a beat's commit_steps and loop_steps but the last, in seconds. */
static const char *const steps[] = { "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005",
                                     "0.01",   "0.025",   "0.05",   "0.1",   "0.25" };
#define STEPS (sizeof steps / sizeof *steps)

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
static double resident(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->memory_bytes;
}
static double lag(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->loop_age_ms * THOUSANDTH;
}
static double readers(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->readers;
}
static double acts(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->commands;
}
static double commands(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->commands_heard;
}
static double heard(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->heard;
}
static double refused(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->refused;
}
static double dropped(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->dropped;
}
static double loops(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->loops;
}
static double worked(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->loop_us * MILLIONTH;
}

static double matches(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->matches;
}
static double slots(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->slots;
}
static double slots_behind(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->slots_behind;
}
static double behind(const Arbiter__Watchdog__Alive *alive)
{
    return (double) alive->beat->behind_ms * THOUSANDTH;
}

static const struct {
    const char *name, *kind, *about;
    double (*value)(const Arbiter__Watchdog__Alive *alive);
} figures[] = {
    { "arbiter_up", "gauge", "1: it beats, and its loop turns", up },
    { "arbiter_stopped", "gauge", "1: it ended as it was asked to", stopped },
    { "arbiter_beat_age_seconds", "gauge", "since its last beat", age },
    { "arbiter_start_time_seconds", "gauge", "when it started, since 1970", started },
    { "arbiter_resident_bytes", "gauge", "memory it holds", resident },
    { "arbiter_lag_seconds", "gauge", "since its loop last turned", lag },
    { "arbiter_readers", "gauge", "topics of its stream that somebody reads", readers },
    { "arbiter_acts_total", "counter", "acts it published: of an engine, what was accepted", acts },
    { "arbiter_commands_total", "counter", "commands that came, repeated and refused ones too",
      commands },
    { "arbiter_messages_total", "counter", "messages its core was handed", heard },
    { "arbiter_messages_refused_total", "counter", "messages turned away at its doors", refused },
    { "arbiter_messages_dropped_total", "counter", "messages it could not send", dropped },
    { "arbiter_loops_total", "counter", "turns of its loop", loops },
    { "arbiter_loop_work_seconds_total", "counter", "how long its loop worked", worked },
    { "arbiter_matches", "gauge", "matches an engine holds, or a fanout knows", matches },
    { "arbiter_slots", "gauge", "slots an engine owns, or a fanout listens to", slots },
    { "arbiter_slots_behind", "gauge", "of a fanout's: something is known to be missing",
      slots_behind },
    { "arbiter_fanout_lag_seconds", "gauge", "how long that has been so, at the longest", behind },
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
    for (size_t i = 0; i <= STEPS; i++) {
        sum += i < count ? counts[i] : 0;
        fprintf(out, "%s_bucket", name);
        print_labels(out, beat);
        fprintf(out, ",le=\"%s\"} %" PRIu64 "\n", i < STEPS ? steps[i] : "+Inf", sum);
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

static void print_figure(FILE *out, size_t index, const Arbiter__Watchdog__Life *life)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", figures[index].name, figures[index].about,
            figures[index].name, figures[index].kind);
    for (size_t i = 0; i < life->n_services; i++) {
        if (life->services[i]->beat == NULL)
            continue;
        fputs(figures[index].name, out);
        print_labels(out, life->services[i]->beat);
        fprintf(out, "} %.15g\n", figures[index].value(life->services[i]));
    }
}

static void print_own(FILE *out, const char *name, const char *kind, const char *about,
                      uint64_t value, bool is_known)
{
    if (is_known)
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, about, name, kind, name,
                value);
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
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        print_figure(out, i, read);
    print_latencies(out, read);
    print_watchdog(out, read);
    arbiter__watchdog__life__free_unpacked(read, NULL);
}
