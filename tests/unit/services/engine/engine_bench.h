/* engine_bench.h: an engine on a bench: a store that commits, refuses or loses, and ears for what is said.
 *
 * Shared by the engine's tests. Every call steps one event; unless the test holds the batch back, it is
 * settled at once as the bench's next outcome says, reads are answered out of the bench's rows, and what
 * the engine wanted said lies in `said`, packed as it would travel. */
#ifndef ARBITER_TEST_ENGINE_BENCH_H
#define ARBITER_TEST_ENGINE_BENCH_H

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "games/registry.h"
#include "services/engine/engine.h"
#include "services/engine/history.h"
#include "services/engine/journal.h"

#define BENCH_KIND(name) ARBITER__WIRE__KIND__KIND_##name
#define BENCH_ROLE(name) ARBITER__DIRECTORY__ROLE__ROLE_##name
#define BENCH_REFUSAL(name) ARBITER__WIRE__REFUSAL__REFUSAL_##name
#define BENCH_SAID_MAX 4096u
#define BENCH_ROWS_MAX 65536u
#define BENCH_GAMES_MAX 16u

/* Something the engine did: a message, or another effect that matters to a test. */
struct bench_said {
    enum effect_kind effect;
    uint64_t         route;
    struct header    header;
    uint8_t         *bytes;
    size_t           size;
    struct text      text; /* EFFECT_SAY.                                                       */
};

struct bench_row {
    uint32_t    table;
    struct row *row;
};

/* The rows of a journal; they outlive an engine. */
struct bench_store {
    struct bench_row rows[BENCH_ROWS_MAX];
    uint32_t         count;
    uint32_t         commits, acts;
};

struct bench {
    struct engine_settings settings;
    struct bench_store    *store;
    struct engine         *engine;
    void                  *core; /* The engine, or another core under test.                     */
    const struct core_ops *ops;
    size_t                 bytes;
    struct outbox          out;
    void                  *outbox;
    enum store_outcome     next;  /* Of the batches to come.                                     */
    bool                   holds; /* Batches wait for bench_settle.                             */
    uint64_t               now_ms;
    uint64_t               luck;
    uint32_t               batches; /* Settled with rows or fences.                             */
    bool                   exited;
    struct bench_said      said[BENCH_SAID_MAX];
    uint32_t               said_count;
};

/* Who speaks in these tests: his key is his number, everywhere. */
enum {
    BENCH_LOBBY = 1,
    BENCH_ALICE,
    BENCH_BOB,
    BENCH_CAROL,
    BENCH_FANOUT,
    BENCH_WATCHDOG,
    BENCH_GATEWAY
};

struct bench_store *bench_store_new(void);
void                bench_store_free(struct bench_store *store);

/* An engine over these rows that takes all slots, its first reads done. `change` may alter the settings. */
void bench_open(struct bench *bench, struct bench_store *store,
                void (*change)(struct engine_settings *settings));
/* The process dies: nothing is settled, nothing is said. */
void bench_close(struct bench *bench);

/* A message from somebody. */
void bench_hear(struct bench *bench, uint32_t who, uint32_t role, const struct header *header,
                const void *body);
/* Time goes on by so much, and the engine is woken. */
void bench_wait(struct bench *bench, uint64_t ms);
void bench_event(struct bench *bench, enum core_event_kind kind);
/* Settles the batch that was held back, performs and reads. */
void bench_settle(struct bench *bench, enum store_outcome outcome);
void bench_forget(struct bench *bench);

/* How many messages of a kind were said, to whom (0: anybody), and the last of them, unpacked: the caller
 * frees nothing, it lives until the bench is closed. */
uint32_t             bench_count(const struct bench *bench, uint32_t who, uint16_t kind);
const void          *bench_last(struct bench *bench, uint32_t who, uint16_t kind);
const struct header *bench_last_header(const struct bench *bench, uint32_t who, uint16_t kind);
/* The refusal that was said last to somebody; 0: none. */
uint32_t             bench_refusal(struct bench *bench, uint32_t who);

/* The lobby begins a match: `names` are keys, one for each seat; open dice from a seed, or, with seed 0,
 * hosted ones. */
void     bench_start(struct bench *bench, uint8_t match, const char *game, const char *setup,
                     const char *options, const uint32_t *holders, uint32_t seats, int64_t seed,
                     uint64_t turn_ms);
void     bench_header(struct header *header, uint16_t kind, uint8_t match, uint32_t seat);
/* Attaches; returns the session, 0 if it was refused. */
uint32_t bench_attach(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat);
/* A command of the game as bytes, with this request's number. */
void bench_play(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
                uint32_t request, const uint8_t *bytes, size_t size);
/* Takes counters at nim. */
void bench_take(struct bench *bench, uint8_t match, uint32_t who, uint32_t seat, uint32_t session,
                uint32_t request, uint32_t heap, uint32_t count);
const struct match *bench_match(const struct bench *bench, uint8_t match);
/* So many rows of a table. */
uint32_t            bench_rows(const struct bench_store *store, enum journal_table table);

#endif
