/* process.h: one process of the universe: a core, its loop, and what may become of both.
 *
 * The loop is the shell's (common/shell). It is cut at every place where a process can be stopped:
 * step what has arrived | the store decides | settle | perform. Between any two of them it may die
 * or stand still. */
#ifndef ARBITER_CLUSTER_PROCESS_H
#define ARBITER_CLUSTER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "queue.h"
#include "runner.h"
#include "vault.h"

#define NO_PROCESS UINT32_MAX
#define PROCESS_NAME_MAX 24
#define PROCESS_LINKS_MAX 96
#define ADMISSIONS_MAX 64

struct world;
struct frame;

enum process_state { PROCESS_DOWN, PROCESS_IDLE, PROCESS_COMMITTING, PROCESS_PERFORMING };

/* Something in a process's inbox. */
struct delivery {
    enum core_event_kind kind;
    struct frame        *frame; /* EVENT_MESSAGE.                                                 */
    struct caller        caller;
    struct vault_row    *row; /* EVENT_ROW.                                                       */
    uint32_t             tag;
    uint64_t             rows;
    int                  failed;
    uint8_t              topic[17]; /* EVENT_READER, EVENT_READER_GONE.                           */
    uint32_t             topic_size;
};

/* A wait that an engine has told of. */
#define WAITS_SAID 16
struct said_wait {
    uint8_t  match_id[16];
    uint64_t wait;
};

struct admission {
    uint8_t  key[CALLER_KEY_SIZE];
    uint32_t role;
};

struct process {
    char                   name[PROCESS_NAME_MAX];
    uint32_t               role; /* directory.Role; 0: nobody's.                               */
    uint8_t                key[CALLER_KEY_SIZE];
    const struct core_ops *ops;
    void                  *core;
    size_t                 core_bytes;
    void (*boot)(struct world *world, struct process *process); /* Places the core anew.      */
    void         *settings;
    struct vault *vault;
    bool          only_reads;  /* Its connection to the vault cannot write.                    */
    bool          is_steady;   /* Never dies and never stands still: the oracle's own.         */
    uint32_t      protocol;    /* The newest version it reads; 0: all that there are.            */
    uint32_t      twin;        /* A thread of another process: lives and dies with it.         */
    uint32_t      cast_number; /* The cast's own.                                              */

    enum process_state state;
    bool               is_paused, is_started, is_woken, has_turn, has_exited;
    bool          is_owed; /* The last turn was time's alone, and something waits.               */
    uint64_t      incarnation;
    uint64_t      boot_ns, resume_ns;
    int64_t       drift_ppm;
    uint64_t      started_ms; /* What its wall clock said when it was started.           */
    uint64_t      born_ms;    /* What its monotonic clock said when it was booted.        */
    int64_t       wall_ms;    /* How far its wall clock is off.                           */
    uint64_t      wake_ms;    /* The wake-up that is on its way; NO_WAKE: none.           */
    struct outbox out;
    uint32_t      said; /* So many of its effects may be performed.                      */
    void         *out_memory;
    struct transaction *transaction;
    struct delivery    *inbox;
    uint32_t            inbox_first, inbox_count, inbox_capacity;
    struct happening   *deferred; /* What came while it stood still, in order.                 */
    uint32_t            deferred_count, deferred_capacity;
    struct admission    admission[ADMISSIONS_MAX];
    uint32_t            admissions;
    uint32_t            link[PROCESS_LINKS_MAX]; /* Connections it opened.                     */
    uint32_t            links;
    uint32_t            reader[PROCESS_LINKS_MAX]; /* Connections to its stream.               */
    uint32_t            readers;
    uint64_t            read_ns; /* When the last answer of the store arrives.                  */
    uint64_t            last_route; /* These are for planted bugs.                             */
    struct said_wait    said_wait[WAITS_SAID];
    uint64_t            seen_epoch[256];
    uint64_t            steps, batches;
};

/* A row in the table; the cast fills in the rest. */
struct process *process_add(struct world *world, const char *name, uint32_t role);
void            process_boot(struct world *world, uint32_t index);
void            process_crash(struct world *world, uint32_t index);
void            process_pause(struct world *world, uint32_t index, uint64_t for_ns);
void            process_resume(struct world *world, uint32_t index);
void            process_free(struct process *process);
uint32_t        process_index(const struct world *world, const struct process *process);
/* What its clocks say. */
uint64_t        process_now_ms(const struct world *world, const struct process *process);
/* Into its inbox; the delivery's references become the inbox's. */
void     process_deliver(struct world *world, uint32_t index, const struct delivery *delivery);
uint32_t process_role_of(const struct process *process, const uint8_t *key);

/* The world's events that are a process's. */
void process_happening(struct world *world, const struct happening *happening);

#endif
