/* watchdog.h: time, life and leases: who is late, who is alive, who holds which slots.
 *
 * Engines tell it their waits; when one runs out it says Expire, again and again until the wait's
 * number changes. Services beat. A silent one is suspect, and people are told. With a store that
 * several engines share it also keeps the leases. A slot goes to another engine only if two things
 * hold: its holder is silent, *and* nobody has renewed its lease row for the lease's length. It
 * does not move again within ten seconds.
 *
 * None of it is needed for safety. An Expire names its wait, and a stale one is ignored. A lease
 * given too early costs only a takeover, because the store's epoch decides. So two watchdogs do no
 * harm, and none does no harm but delay. */
#ifndef ARBITER_WATCHDOG_H
#define ARBITER_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "core/peers.h"

struct watchdog_settings {
    struct peers_settings peers;

    bool     single;    /* One engine with an embedded store: time and liveness only, no leases. */
    uint32_t waits_max; /* Deadlines at once; more are left to the engine's repeating.        */
    uint32_t services_max; /* Services that beat.                                              */
    bool     exports;      /* Slow commands go to DOOR_SIDE, too, as watchdog.SlowList.           */

    uint64_t suspect_ms;      /* Silent for so long: suspect. Beats come each 250 ms.             */
    uint64_t stuck_ms;        /* Its loop has not turned for so long: suspect, too.               */
    uint64_t commit_ms;       /* A service in one commit is left alone for so long.               */
    uint64_t forget_ms;       /* A service silent for so long is no longer spoken about.          */
    uint64_t expire_again_ms; /* From the first Expire to the second; doubled each time.          */
    uint32_t expires_max;     /* So many, then the wait is forgotten until the engine repeats it. */

    uint64_t lease_ms;   /* A row not renewed for so long has run out.                            */
    uint64_t move_ms;    /* A slot taken from the silent stays for so long, whatever.            */
    uint64_t publish_ms; /* Leases are repeated, and looked after.                                */
    uint64_t alert_ms;   /* Open alerts are repeated.                                             */
};

/* What a person asks about. The first ones only grow. */
struct watchdog_facts {
    uint64_t waits_heard;   /* Waits in messages, repeated ones too.                            */
    uint64_t expires;       /* Sent, and ...                                                     */
    uint64_t expires_again; /* ... those of them that were repeated.                            */
    uint64_t given_up;      /* Waits forgotten after expires_max.                               */
    uint64_t dropped;       /* Waits for which there was no room.                               */
    uint64_t old_epochs;    /* Waits of an owner that has been replaced.                        */
    uint64_t beats;
    uint64_t suspected; /* Times a service fell silent or stuck.                            */
    uint64_t moves;     /* Slots given to another engine.                                   */
    uint64_t refused;   /* Batches of leases the store did not take.                        */
    uint32_t waits;     /* Open now.                                                        */
    uint32_t services;  /* Known now, and ...                                               */
    uint32_t suspects;  /* ... those of them that are suspect.                              */
    uint32_t unowned;   /* Slots nobody holds (with leases).                                */
};

struct watchdog;

/* Sensible limits; peers is left to fill in. */
void                      watchdog_defaults(struct watchdog_settings *settings);
/* NULL, or what is wrong with the settings, as a sentence. */
const char               *watchdog_check(const struct watchdog_settings *settings);
size_t                    watchdog_bytes(const struct watchdog_settings *settings);
/* Memory aligned for any type. The settings are copied. */
struct watchdog          *watchdog_init(void *memory, const struct watchdog_settings *settings);
/* What it was told, for whoever changes it while it runs. What memory was made for stays. */
struct watchdog_settings *watchdog_told(struct watchdog *watchdog);

/* The second keeps nothing: for settings.single, whose process opens no store. */
extern const struct core_ops watchdog_ops;
extern const struct core_ops watchdog_single_ops;

struct watchdog_facts watchdog_facts(const struct watchdog *watchdog);

#endif
