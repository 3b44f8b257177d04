/* web_life.h: what all watchdogs say of all services, put together.
 *
 * Each watchdog tells of everybody it hears. Of a service, whoever heard it last is believed. What a
 * watchdog itself counts (fail-overs, expiries) stays under its own name: the sum is everybody's. A
 * word older than GATEWAY_STALE_MS is not looked at, since nobody knows what has become of them. */
#ifndef ARBITER_GATEWAY_WEB_LIFE_H
#define ARBITER_GATEWAY_WEB_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/watchdog.pb-c.h"
#include "services/gateway/gateway.h"

#define WEB_LIFE_SERVICES 280u

/* A service, as the one who heard it last says. */
struct web_alive {
    const Arbiter__Watchdog__Alive *alive;  /* Its `beat` and that one's name are there. */
    uint64_t                        age_ms; /* Since its last beat. */
    bool is_up;    /* It beats, its loop turns, and it has not said that it ends. */
    bool is_fresh; /* Its figures are of now. */
};

struct web_watchdog {
    Arbiter__Watchdog__Life *life;
    const char              *name;
    uint64_t                 age_ms; /* Since its last word. */
    bool                     is_fresh;
};

struct web_life {
    struct web_watchdog watchdogs[GATEWAY_WORDS_MAX]; /* The freshest first, each name once. */
    uint32_t            watchdog_count, fresh_count;
    struct web_alive    services[WEB_LIFE_SERVICES];
    uint32_t            service_count;
};

/* Reads the words; web_life_free gives back what that took. */
void web_life_read(struct web_life *life, const struct gateway_word *words, uint32_t count);
void web_life_free(struct web_life *life);

#endif
