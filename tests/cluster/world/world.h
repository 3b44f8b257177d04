/* world.h: a cluster in one process: everything that is not a core, and that a core cannot tell from
 * the real thing.
 *
 * One queue of happenings in virtual time (queue.h). Each process is a row of a table (process.h): the
 * product's own core, its outbox and an inbox. Frames travel as bytes over links that delay, lose,
 * double and overtake (net.h). What is kept is kept in vaults (vault.h), and faults.c breaks all of
 * it. The *cast* says who the processes are, and what must be true of them (struct cast). One cast
 * is of toys, by which the world itself is tested. The other is of the product's services. */
#ifndef ARBITER_CLUSTER_WORLD_H
#define ARBITER_CLUSTER_WORLD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chance.h"
#include "core/event.h"
#include "core/outbox.h"
#include "marks.h"
#include "net.h"
#include "plan.h"
#include "process.h"
#include "queue.h"
#include "vault.h"

#define PROCESSES_MAX 48
#define VAULTS_MAX 4

struct cast {
    bool        is_toy;
    const char *name;
    /* Fills the tables of processes and vaults, after the plan. */
    void (*open)(struct world *world);
    void (*close)(struct world *world);
    /* What the oracle watches; any may be NULL. A frame sent: the effect is about to be performed. A
     * frame taken: it is about to be stepped. A transaction: it has just become durable. */
    void (*sent)(struct world *world, struct process *process, const struct effect *effect);
    void (*taken)(struct world *world, struct process *process, const struct event *event);
    void (*kept)(struct world *world, const struct transaction *transaction);
    void (*died)(struct world *world, struct process *process);
    /* Each 100 virtual ms. */
    void (*look)(struct world *world);
    /* Whether everybody has been answered, every observer has converged and every queue is empty; if
     * not, world->worry says what is awaited. */
    bool (*is_quiet)(struct world *world);
    /* What must be true when all is over. */
    void (*finish)(struct world *world);
};

struct failure {
    char what[16]; /* "I1", "liveness", "twice".                                          */
    char sentence[400];
};

struct world {
    struct plan        plan;
    const struct cast *cast;
    void              *stage; /* The cast's own.                                               */
    uint64_t           now_ns;
    uint64_t           events;
    uint64_t           healed_ns;
    bool               is_healed; /* The second act: nothing breaks any more.                  */
    bool               is_over;
    struct queue       queue;
    struct chance      chance[CHANCE_STREAMS];
    struct process     process[PROCESSES_MAX];
    uint32_t           processes;
    struct vault       vault[VAULTS_MAX];
    uint32_t           vaults;
    struct net         net;
    struct marks      *marks;
    struct failure     failure;
    char               worry[200]; /* Why it is not quiet yet.                                 */
    uint64_t           hash; /* Of all that happened.                                          */
    bool               is_traced;
};

/* Plays a universe to its end; what went wrong is in world->failure. */
void world_play(struct world *world, const struct cast *cast, const struct plan *plan,
                struct marks *marks, bool is_traced);
void world_close(struct world *world);

/* Something is to happen `in_ns` from now. */
void world_after(struct world *world, uint64_t in_ns, enum happening_kind kind, uint32_t who,
                 uint64_t serial, void *data);
/* An invariant is broken; the first one counts, and ends the universe. */
void world_fail(struct world *world, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line of the trace, if anybody wants it. */
void world_tell(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Into the hash. */
void world_mix(struct world *world, uint64_t number);
void world_mix_bytes(struct world *world, const uint8_t *bytes, size_t size);

static inline bool world_breaks(const struct world *world, enum fault fault)
{
    return !world->is_healed && plan_has(&world->plan, fault);
}

#endif
