/* gateway.h: the core of the gateway: strangers at its doors are players on the bus. Pure.
 *
 * It is built around one client core (client/client_core.h) that speaks for all of them. What the
 * shell has read of HTTP comes in as messages of gateway.proto from DOOR_SIDE, and goes on as what
 * players ask and play. What the house tells comes back as answers to the requests that wait. */
#ifndef ARBITER_GATEWAY_H
#define ARBITER_GATEWAY_H

#include <stddef.h>

#include "client/client_core.h"
#include "services/gateway/archive/archive.h"
#include "services/gateway/browser/browser.h"
#include "services/gateway/rest/rest.h"

struct gateway_settings {
    struct client_core_settings client;
    struct rest_settings        rest;
    struct browser_settings     browser;
    struct archive_settings     archive;
};

struct gateway_facts {
    uint64_t players;      /* Of 2017, known now. */
    uint64_t waiting;      /* Requests that are held. */
    uint64_t busy;         /* Players of whom the house is being told something. */
    uint64_t games;        /* Paired so far. */
    uint64_t answers;      /* Given so far. */
    uint64_t looks;        /* Views and lists that engines were asked for. */
    uint64_t faults;       /* Broken promises of the house, ... */
    uint64_t forks;        /* ... and such of them that a store that was set back explains. */
    bool     is_open;      /* The lobby has let us in, and what was kept is read.             */
    uint64_t lobby_age_ms; /* Since the lobby was last heard.                                     */
};

/* What a watchdog last said of all services. */
struct gateway_word {
    const uint8_t *bytes; /* A watchdog.Life, valid. */
    size_t         size;
    uint64_t       age_ms;
};
#define GATEWAY_WORDS_MAX 8u
/* What is older says nothing of the present. */
#define GATEWAY_STALE_MS 5000u

struct gateway;

/* Good settings for one machine; who it is, the lobby and crypto are left to fill in. */
void                     gateway_defaults(struct gateway_settings *settings);
size_t                   gateway_bytes(const struct gateway_settings *settings);
/* Places a gateway into memory aligned for anything. */
struct gateway          *gateway_init(void *memory, const struct gateway_settings *settings);
/* What its doors were told, for whoever changes it while it runs. What memory was made for stays. */
struct browser_settings *gateway_browser_told(struct gateway *gateway);
struct rest_settings    *gateway_rest_told(struct gateway *gateway);
/* The WebSocket door's, for the shell that sends what it holds. */
struct browser          *gateway_browser(const struct gateway *gateway);
/* The last words of all watchdogs, however old; how many. */
uint32_t gateway_words(const struct gateway *gateway, struct gateway_word words[GATEWAY_WORDS_MAX]);
struct gateway_facts gateway_facts(const struct gateway *gateway);

extern const struct core_ops gateway_ops;

#endif
