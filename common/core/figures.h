/* figures.h: what a service shows of itself to people, each figure described once.
 *
 * A figure is a row here and a field of the same name in watchdog.Beat. It is counted in one line:
 * in a core's `figures`, in shell.c or in beat.c. Beat, watchdog, /metrics and `arbiter top --json`
 * go through the table. */
#ifndef ARBITER_CORE_FIGURES_H
#define ARBITER_CORE_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "contract/watchdog.pb-c.h"

/* Name, Prometheus' name and kind, what one is in the unit that people are shown, and what it says. These are looked at by
 * deploy/monitoring ... */
#define FIGURES_WATCHED(FIGURE)                                                                    \
    FIGURE(memory_bytes, "arbiter_resident_bytes", "gauge", 1, "memory it holds")                  \
    FIGURE(loop_age_ms, "arbiter_lag_seconds", "gauge", 1e-3, "since its loop last turned")        \
    FIGURE(readers, "arbiter_readers", "gauge", 1, "topics of its stream that somebody reads")     \
    FIGURE(acts, "arbiter_acts_total", "counter", 1,                                               \
           "acts it published: of an engine, what was accepted")                                   \
    FIGURE(commands, "arbiter_commands_total", "counter", 1,                                       \
           "commands that came, repeated and refused ones too")                                    \
    FIGURE(refused, "arbiter_messages_refused_total", "counter", 1,                                \
           "messages turned away at its doors")                                                    \
    FIGURE(dropped, "arbiter_messages_dropped_total", "counter", 1, "messages it could not send")  \
    FIGURE(loop_us, "arbiter_loop_work_seconds_total", "counter", 1e-6,                            \
           "how long its loop worked")                                                             \
    FIGURE(matches, "arbiter_matches", "gauge", 1, "matches an engine holds, or a fanout knows")   \
    FIGURE(slots, "arbiter_slots", "gauge", 1, "slots an engine owns, or a fanout listens to")     \
    FIGURE(slots_behind, "arbiter_slots_behind", "gauge", 1,                                       \
           "of a fanout's: something is known to be missing")                                      \
    FIGURE(behind_ms, "arbiter_fanout_lag_seconds", "gauge", 1e-3,                                 \
           "how long that has been so, at the longest")                                            \
    FIGURE(commits_failed, "arbiter_commits_failed_total", "counter", 1,                           \
           "commits that its store did not take in the end: full, busy, or not there")             \
    FIGURE(store_failing_ms, "arbiter_store_failing_seconds", "gauge", 1e-3,                       \
           "since its store last took a commit, while none succeeds; 0: it does")                  \
    FIGURE(forks, "arbiter_forks_total", "counter", 1,                                             \
           "acts or heads that contradict what was published before")                              \
    FIGURE(held, "arbiter_matches_held", "gauge", 1, "matches an engine holds for inspection")

/* ... and these only by people who ask for them. */
#define FIGURES_BESIDE(FIGURE)                                                                     \
    FIGURE(heard, "arbiter_messages_total", "counter", 1, "messages its core was handed")          \
    FIGURE(loops, "arbiter_loops_total", "counter", 1, "turns of its loop")                        \
    FIGURE(commits, "arbiter_commits_total", "counter", 1, "commits that wrote something")         \
    FIGURE(commit_us, "arbiter_commit_work_seconds_total", "counter", 1e-6,                        \
           "how long its commits took")

#define FIGURES(FIGURE) FIGURES_WATCHED(FIGURE) FIGURES_BESIDE(FIGURE)

/* What there is a limit to: its name here, the setting that is the limit, and what is counted. Beats tell them by their places,
 * so a new row goes to the end. A service fills in what it has, in its core's `bounds`; where it refuses somebody for one of
 * them, it says outbox_full. What is per address, or a minute, is that of the address that has most; crowds do not count.
 * README.md of deploy/monitoring has the defaults. */
#define BOUNDS(BOUND)                                                                              \
    BOUND(SERVICES, "services_max", "services that take part, or beat")                            \
    BOUND(KEYS, "keys_max", "keys that are admitted")                                              \
    BOUND(PLAYERS, "players_max", "names, or players of 2017")                                     \
    BOUND(TABLES, "tables_max", "tables that are open")                                            \
    BOUND(TEXTS, "texts_max", "set-ups that tables brought")                                       \
    BOUND(PERSONS, "persons_max", "registrations that wait")                                       \
    BOUND(BANS, "bans_max", "players who are banned")                                              \
    BOUND(MATCHES, "matches_max", "matches that are held")                                         \
    BOUND(MEMORY, "memory_bytes", "bytes of matches, sessions and set-ups")                        \
    BOUND(SETUPS, "setups_max", "different set-ups in use")                                        \
    BOUND(ASKS, "asks_max", "questions about the past that wait")                                  \
    BOUND(WAITS, "waits_max", "deadlines that run")                                                \
    BOUND(TABS, "tabs_max", "WebSocket connections")                                               \
    BOUND(SESSIONS, "sessions_max", "players at those, or away for a while")                       \
    BOUND(SEATS, "seats_max", "seats of theirs in matches, twice, for half of all are theirs")     \
    BOUND(WATCHES, "watches_max", "matches that are watched")                                      \
    BOUND(FANOUT_KEYS, "replicas_fanout", "fanouts that run, of all that have a key")              \
    BOUND(GATEWAY_KEYS, "replicas_gateway", "gateways that run, of all that have a key")           \
    BOUND(BOT_KEYS, "replicas_bot", "bot services that run, of all that have a key")               \
    BOUND(FILES, "connections_max", "open files, of which each connection is one")                 \
    BOUND(HTTP, "http_connections_max", "HTTP connections, WebSockets included")                   \
    BOUND(HTTP_OF_ONE, "http_per_address", "HTTP connections")                                     \
    BOUND(TABS_OF_ONE, "tabs_per_address", "WebSocket connections")                                \
    BOUND(PLAYERS_OF_ONE, "players_per_address", "players of 2017")                                \
    BOUND(NAMES_OF_ONE, "names_per_address", "guests")                                             \
    BOUND(TABLES_OF_ONE, "tables_per_address", "tables")                                           \
    BOUND(SEATS_OF_ONE, "seats_per_address", "seats")                                              \
    BOUND(NAMES_A_MINUTE, "names_per_minute", "guests who came")                                   \
    BOUND(TABLES_A_MINUTE, "tables_per_minute", "tables opened")                                   \
    BOUND(SEATS_A_MINUTE, "seats_per_minute", "seats taken")

enum bound {
#define BOUND_NAME(name, ...) BOUND_##name,
    BOUNDS(BOUND_NAME)
#undef BOUND_NAME
        BOUND_COUNT
};

/* Of each the limit, 0 where it is not the service's; how much of it is used; and how often it was in the way. */
struct fullness {
    struct bound_use {
        uint64_t used, limit, refused;
    } of[BOUND_COUNT];
};
#define BOUND_NUMBERS (3 * (size_t) BOUND_COUNT)

extern const struct bound_row {
    const char *setting, *about;
} bound_list[BOUND_COUNT];

/* As a beat has them: so many numbers, without the zeros at the end. */
size_t bounds_put(const struct fullness *bounds, uint64_t numbers[BOUND_NUMBERS]);
void   bounds_take(struct fullness *bounds, const uint64_t *numbers, size_t count);

/* What means nothing to a service stays 0. */
struct figures {
#define FIGURE_FIELD(name, ...) uint64_t name;
    FIGURES(FIGURE_FIELD)
#undef FIGURE_FIELD
};

/* A row of the table, for those who show all of them. */
struct figure {
    const char *name, *metric, *kind, *about;
    double      unit;
    size_t      offset; /* In struct figures. */
};

#define FIGURE_ONE(...) +1
#define FIGURE_COUNT (FIGURES(FIGURE_ONE))
extern const struct figure figure_list[FIGURE_COUNT];

/* How long commits and turns of the loop take is counted in steps: up to figure_steps_us[0], ..., and longer. */
#define FIGURE_STEPS 17
extern const uint64_t figure_steps_us[FIGURE_STEPS - 1];

uint64_t figure_value(const struct figure *figure, const struct figures *figures);
/* Into a beat, and out of one. */
void     figures_put(const struct figures *figures, Arbiter__Watchdog__Beat *beat);
void     figures_take(struct figures *figures, const Arbiter__Watchdog__Beat *beat);

#endif
