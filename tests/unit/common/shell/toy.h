/* toy.h: a core that does what the test beside it needs, a store that fails on demand, and a caller. */
#ifndef ARBITER_TEST_TOY_H
#define ARBITER_TEST_TOY_H

#include "common/bus/bus_help.h"

#include <pthread.h>

#include "shell/shell.h"
#include "shell/shell_private.h"

#define TOY_EVENTS_MAX 20000
#define TOY_OUTCOMES_MAX 64

/* What a ping's nonce makes the toy do; any other is kept as a row and answered with a pong. */
enum toy_nonce {
    TOY_READ = 1000001, /* Reads all rows.                                                     */
    TOY_EXIT,           /* Is done.                                                            */
    TOY_BAN,            /* Bans who asks. */
    TOY_CONNECT,        /* Connects to the test's other bus: requests as 5, stream as 6.       */
    TOY_DISCONNECT,     /* And no more.                                                        */
    TOY_PUBLISH,        /* Says a pong to the topic of match 1, 2, 3, ...                      */
    TOY_MORE,           /* Settling wants two more rows kept, and then a pong sent.            */
    TOY_WAKE,           /* Is woken, and pongs then.                                           */
    TOY_HUGE,           /* Answers with more than a frame holds.                               */
    TOY_FULL,           /* Says that a limit was in the way, and pongs.                        */
    TOY_TOOK,           /* Is an ordinary one that is measured.                                */
    TOY_THINK,          /* The same, and takes toy->think_ms to judge.                         */
    TOY_STALL,          /* The same, and something before its act takes toy->think_ms to send.  */
    TOY_HANG            /* Never comes back.                                                   */
};

struct toy_event {
    enum core_event_kind kind;
    uint32_t             door, role, tag;
    uint64_t             route, rows, nonce;
    int                  failed;
    uint64_t commits; /* Done when it came.                                                */
    uint64_t sent;    /* Pongs that had left when it came.                                    */
};

struct toy {
    struct shell    *shell;
    struct toy_event events[TOY_EVENTS_MAX];
    uint32_t         event_count;
    atomic_uint      readers_gone;
    struct caller    asker; /* Of the last ping, and ...                                         */
    struct header    header;
    struct event     waiting[64]; /* ... those whose batch is not settled.                       */
    uint32_t         waiting_count;
    uint32_t         more;
    enum store_outcome outcomes[TOY_EVENTS_MAX]; /* As settle was told.                           */
    uint32_t           outcome_count;
    const char        *peer_requests, *peer_stream; /* Where TOY_CONNECT connects to.             */
    const uint8_t     *peer_key;
    bool               is_stubborn; /* Does not stop when asked.                                  */
    bool               reads_much;  /* Each row it reads makes it write another.                  */

    /* The store. */
    enum store_outcome script[TOY_OUTCOMES_MAX]; /* What it says, one after the other; then yes.  */
    uint32_t           script_count, script_at;
    bool               survives; /* It can be asked again when nobody knows.                      */
    uint64_t           kept[TOY_EVENTS_MAX];
    uint32_t           kept_count, commits;
    uint64_t           sent_before[TOY_EVENTS_MAX]; /* Pongs that had left when it was asked.     */
    bool               read_fails;
    uint32_t           store_ms; /* A commit and a read take so long.                             */
    uint32_t           think_ms;
};

extern const struct core_ops toy_ops;

/* A store that keeps in toy->kept. */
struct keeper toy_keeper(struct toy *toy);

/* A world: a service with a toy in a thread, and a caller who is connected to it. */
struct toy_world {
    struct bus           *bus, *caller;
    struct log            log;
    struct shell_settings settings;
    struct shell         *shell;
    struct toy           *toy;
    struct bus_socket    *line;
    pthread_t             thread;
    int                   end;
    bool                  is_running;
};

/* Opens everything but runs nothing yet. A test that changes settings does it in `change`. */
void     toy_world_open(struct toy_world *world, void (*change)(struct toy_world *world));
void     toy_world_run(struct toy_world *world);
/* Waits for the toy's end. */
int      toy_world_end(struct toy_world *world);
void     toy_world_close(struct toy_world *world);
/* Lets the caller in as this role. */
void     toy_world_admit(struct toy_world *world, uint32_t role);
void     toy_world_ping(struct toy_world *world, uint64_t nonce);
/* The next answer: its kind; a pong's nonce or a refusal's number; 0: none came. */
uint16_t toy_world_hear(struct toy_world *world, uint64_t *number);
/* Waits for the pong of this nonce, and nothing else. */
void     toy_world_expect(struct toy_world *world, uint64_t nonce);
void     toy_world_expect_refusal(struct toy_world *world, uint32_t refusal);

#endif
