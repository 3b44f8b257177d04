/* queue.h: what is going to happen, in the order of virtual time.
 *
 * One for a universe. Two things of the same nanosecond happen in the order in which they were put
 * here, so a universe has one history and no other. */
#ifndef ARBITER_CLUSTER_QUEUE_H
#define ARBITER_CLUSTER_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS 1000000u
#define NS_PER_S 1000000000u

enum happening_kind {
    HAPPEN_TURN,      /* A process's loop turns.                                               */
    HAPPEN_APPLY,     /* A transaction is decided, and what is committed is durable.           */
    HAPPEN_SETTLE,    /* Its process hears what became of it.                                  */
    HAPPEN_PERFORM,   /* Its effects are performed.                                            */
    HAPPEN_WAKE,      /* A wake-up that a core asked for.                                      */
    HAPPEN_READ,      /* The store answers a query.                                            */
    HAPPEN_FRAME,     /* A frame arrives.                                                      */
    HAPPEN_LINK,      /* A connection tries to stand.                                          */
    HAPPEN_SUBSCRIBE, /* A subscription, or the end of one, arrives.                           */
    HAPPEN_FAULT,     /* Something breaks.                                                     */
    HAPPEN_MEND,      /* It is whole again.                                                    */
    HAPPEN_BOOT,      /* The supervisor starts a dead process.                                 */
    HAPPEN_RESUME,    /* A paused process goes on.                                             */
    HAPPEN_LOOK       /* The cast looks at what it wants to look at.                           */
};

struct happening {
    uint64_t            at_ns;
    uint64_t            order;
    enum happening_kind kind;
    uint32_t            who;    /* A process, a connection, a kind of fault: the kind says.    */
    uint64_t            serial; /* The incarnation it is about, or what the kind says.         */
    void               *data;
};

struct queue {
    struct happening *heap;
    uint32_t          count, capacity;
    uint64_t          order;
};

void queue_push(struct queue *queue, const struct happening *happening);
/* The first one, taken out; false: there is none. */
bool queue_pop(struct queue *queue, struct happening *happening);
void queue_free(struct queue *queue);

#endif
