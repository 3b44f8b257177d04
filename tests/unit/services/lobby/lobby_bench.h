/* lobby_bench.h: a lobby on a bench: people who ask, an engine that answers, a store, and a clock that
 * moves when the test says so. */
#ifndef ARBITER_LOBBY_BENCH_H
#define ARBITER_LOBBY_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "client/client_ask.h"
#include "common/core/memory_store.h"
#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "core/core.h"
#include "services/lobby/lobby.h"
#include "services/lobby/lobby_names.h"
#include "wire/names.h"

#define BENCH_IDS 16

/* Somebody at a key; the number is the key, and the way back. */
struct person {
    uint8_t  number;
    uint32_t role;
    uint32_t request; /* The last one that was made. */
    uint8_t  guest;   /* A gateway's or a bot service's: for whom it asks, by number; 0: nobody. */
    uint64_t from; /* What his gateway says of his address; 0: nothing.                           */
    bool     is_crowd;
    const uint8_t *id, *secret; /* Of a guest who is no number; NULL: no such.                    */
    uint8_t        version;     /* Of his frames; 0: the first one.                               */
    const char    *token;       /* A gateway's: whose token it brings; NULL: nobody's.            */
    bool           is_helper;   /* That is a helper's.                                            */
};

struct bench {
    struct lobby_settings settings;
    struct lobby_game     games[8];
    struct lobby_seed     seeds[16];
    void                 *memory;
    struct lobby         *lobby;
    void                 *outbox_memory;
    struct outbox         out; /* Of the last event: what it made is here until the next.        */
    struct memory_store   store;
    enum store_outcome    outcome; /* Of the next batch that has rows; then committed again.      */
    uint64_t              now_ms, wall_ms, drawn;
    bool                  is_engine_there;
    uint64_t    service_started_ms; /* What services say at hello.                       */
    const char *service_outside; /* And where clients outside find their door; NULL: they do not. */
    uint32_t    protocol;        /* That everybody speaks who says hello; 0: the newest.       */
    uint64_t    sent; /* Messages that left so far; each was valid and fit a frame.     */
};

/* `source`: the folder of this repository, for a set-up of the dead. */
void bench_open(struct bench *bench, const char *source,
                void (*tweak)(struct lobby_settings *settings));
void bench_close(struct bench *bench);
/* The process ends, and another one begins with the same store. */
void bench_restart(struct bench *bench);
void bench_deliver(struct bench *bench, struct event *event);
void bench_wait(struct bench *bench, uint64_t ms);
/* A message from somebody, with this request's number in its header. */
void bench_say(struct bench *bench, const struct person *person, uint16_t kind, uint32_t request,
               const void *body);
void bench_hello(struct bench *bench, const struct person *person);
/* A service says hello and can be reached; the engine owns all slots. */
void bench_service(struct bench *bench, const struct person *person, const char *name);

/* The next ask of this person and its answer; NULL: it was refused, see bench_refusal. */
const Arbiter__Lobby__Answer *bench_ask(struct bench *bench, struct person *person, int kind,
                                        void *ask);
/* The same ask once more. */
const Arbiter__Lobby__Answer *bench_ask_again(struct bench *bench, const struct person *person,
                                              int kind, void *ask);
uint32_t                      bench_refusal(const struct bench *bench);
/* Asks, and holds the answer to this verdict. */
const Arbiter__Lobby__Answer *bench_expect(struct bench *bench, struct person *person, int kind,
                                           void *ask, uint32_t expected);
void bench_bind(struct bench *bench, struct person *person, const char *name);

/* Of the last event: the how-manyth message of a kind to somebody; NULL: there is none. */
const void *bench_message(const struct bench *bench, const struct person *person, uint16_t kind,
                          uint32_t index);
const Arbiter__Lobby__TableEvent *bench_event(const struct bench  *bench,
                                              const struct person *person, int kind);
uint32_t bench_count(const struct bench *bench, enum effect_kind kind, uint16_t message);
/* What was asked of the engine in the last event; NULL: nothing of this kind. */
const struct effect *bench_to_engine(const struct bench *bench, uint16_t kind);
/* The engine says something about a match. */
void bench_engine_says(struct bench *bench, uint16_t kind, const uint8_t *match_id, uint32_t seat,
                       const void *body);

#endif
