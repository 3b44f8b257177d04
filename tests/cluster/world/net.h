/* net.h: links between processes: frames as bytes, on the way.
 *
 * A connection is what a core opened (EFFECT_CONNECT). It finds its target by address and key, and
 * stands anew when either end was dead. As long as it stands it has a *route* at its target. A
 * frame is encoded once and decoded anew by each who receives it, as it is on a wire. */
#ifndef ARBITER_CLUSTER_NET_H
#define ARBITER_CLUSTER_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/event.h"
#include "core/outbox.h"
#include "wire/arena.h"

#define CONNECTIONS_MAX 1024
#define WAITING_MAX 64
#define TOPICS_MAX 300

struct world;
struct process;
struct happening;

struct frame {
    uint32_t refs;
    uint32_t size;
    uint8_t  bytes[];
};

struct topic {
    uint8_t bytes[TOPIC_SIZE];
    uint8_t size;
    bool    is_wanted; /* The source subscribed to it.                                         */
    bool    is_held;   /* The target knows of it.                                              */
};

/* A frame on its way; it may arrive when its sender is dead, and when it has not been called for. */
struct flight {
    struct frame *frame;
    uint32_t      to;
    uint64_t      incarnation; /* Of who receives it.                                          */
    uint32_t      connection;
    uint64_t      serial, instance;
    struct caller caller;
};

/* A subscription on its way, or the end of one. */
struct subscribing {
    uint8_t  bytes[TOPIC_SIZE];
    uint8_t  size;
    bool     is_end;
    uint64_t instance;
};

struct connection {
    bool          in_use, is_up;
    uint32_t      source, target; /* NO_PROCESS: nobody has this address.                      */
    uint64_t      number;         /* The source core's.                                        */
    uint32_t      door;
    uint8_t       key[CALLER_KEY_SIZE]; /* The one it wants to find there.                      */
    uint64_t      serial;     /* Of this use of the place.                                       */
    uint64_t      instance;   /* Of its standing: part of the route.                             */
    uint64_t      last_ns[2]; /* When the last frame arrives, to the target and back.          */
    uint64_t      clogged_ns[2];
    uint64_t      burst_ns;
    uint32_t      burst;
    struct frame *waiting[WAITING_MAX]; /* Sent before it stood.                               */
    uint32_t      waiting_count;
    struct topic *topics;
    uint32_t      topic_count;
};

/* A frame that a process sent over a connection of its own. */
struct said {
    struct frame *frame;
    uint32_t      process;
    uint64_t      number;
};

struct address {
    char     text[96];
    uint32_t process;
};

struct net {
    struct connection connection[CONNECTIONS_MAX];
    uint32_t          connections; /* Places that were ever used.                              */
    uint64_t          instances;
    uint64_t          frames, lost;
    uint64_t          cut[48]; /* Bit by process: frames from it to this one are lost.         */
    struct address    address[192];
    uint32_t          addresses;
    struct arena      arena;
    void             *arena_memory;
    struct said       recent[16]; /* For those who send bytes again, their own or others'.     */
    uint32_t          recent_at;
};

void          net_open(struct net *net);
void          net_close(struct world *world);
/* This process can be reached at this address. */
void          net_bind(struct world *world, uint32_t process, const char *address);
struct frame *frame_new(const struct header *header, const ProtobufCMessage *body,
                        const uint8_t *bytes, size_t size);
struct frame *frame_of_bytes(const uint8_t *bytes, size_t size);
void          frame_release(struct frame *frame);

/* Effects of a process. */
void net_connect(struct world *world, struct process *process, const struct effect *effect);
void net_disconnect(struct world *world, struct process *process, uint64_t number);
void net_listen(struct world *world, struct process *process, const struct effect *effect);
void net_send(struct world *world, struct process *process, const struct effect *effect);
void net_publish(struct world *world, struct process *process, const struct effect *effect);
/* A frame over one of a process's own connections. */
void net_send_frame(struct world *world, struct process *process, uint64_t number,
                    struct frame *frame);

/* A process has died: its connections and routes with it. */
void net_forget(struct world *world, uint32_t process);
/* Links between these break: they stand anew when they can. */
void net_break(struct world *world, uint32_t one, uint32_t other);
void net_heal(struct world *world);
void net_clog(struct world *world, uint32_t place, uint32_t way, uint64_t for_ns);

void net_happening(struct world *world, const struct happening *happening);

#endif
