/* watched.h: a watchdog on a table, with two engines it may watch and a store it keeps leases in. Shared by
 * its tests. */
#ifndef ARBITER_TEST_WATCHED_H
#define ARBITER_TEST_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "services/watchdog/watchdog.h"
#include "wire/names.h"

#define ENGINE_1 1u
#define ENGINE_2 2u

/* The rows of a `leases` table; two watchdogs may share one. */
struct watched_rows {
    bool     is_there[SLOTS];
    uint64_t epoch[SLOTS], renewed[SLOTS];
    char     engine[SLOTS][PEER_NAME_MAX];
};

struct watched {
    struct watchdog         *watchdog;
    struct watchdog_settings settings;
    struct outbox            out;
    void                    *memory, *outbox;
    uint64_t                 now_ms;
    struct watched_rows     *rows; /* NULL: single. */
    bool                     is_store_full;
    uint64_t                 directory; /* Number of the last one it heard. */
    bool     is_overtaken; /* Before its next rows are kept another watchdog moves all slots. */
    /* What it did since this was last emptied. */
    uint32_t expires, alerts, leases;
    uint64_t expired_wait;
    uint32_t expired_seats, expired_peer;
    uint8_t  expired_match[HEADER_MATCH_SIZE];
    char     codes[32][40]; /* Of alerts; over ones begin with '-'. */
    uint64_t leases_number;
    uint32_t leases_runs;
};

void watched_begin(struct watched *watched, const struct watchdog_settings *settings,
                   struct watched_rows *rows);
void watched_end(struct watched *watched);
/* The directory says that these engines (a bit each) are to be drained, and the others not. */
void watched_drain(struct watched *watched, uint32_t drained);
/* Forgets what it did. */
void watched_clear(struct watched *watched);
/* Time goes on, in steps of 100 ms, without and with beats of these engines (a bit each). */
void watched_wait(struct watched *watched, uint64_t ms, uint32_t beating);
/* The watchdog does not run for so long. */
void watched_pause(struct watched *watched, uint64_t ms);
/* A service beats; `commit_ms` UINT64_MAX: not in commit. */
void watched_beat(struct watched *watched, uint32_t role, const char *name, uint64_t started_ms,
                  uint64_t loop_age_ms, uint64_t commit_ms);
/* A message at its door or from a peer. */
void watched_hear(struct watched *watched, uint32_t peer, uint32_t role, uint16_t kind,
                  const ProtobufCMessage *body);
/* An engine names one wait; `left_ms` UINT64_MAX: no clock. */
void watched_name(struct watched *watched, uint32_t engine, uint8_t match, uint64_t wait,
                  uint64_t left_ms, uint64_t epoch, bool whole);
/* The operator's question, and its answer. */
const Arbiter__Watchdog__Life     *watched_life(struct watched *watched);
/* The operator asks for slow commands of a match whose id is 16 such bytes (0: of any) and an act (0: of any). */
const Arbiter__Watchdog__SlowList *watched_slow(struct watched *watched, uint8_t match,
                                                uint64_t number);
bool watched_was_told(const struct watched *watched, const char *code);

#endif
