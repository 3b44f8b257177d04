/* bus.h: frames between processes: every socket, every key, and who may knock.
 *
 * The only place that knows libzmq. One function opens every socket, with every option that keeps
 * libzmq from what it does to those who let it (README.md has the table). The socket says who sent
 * a message: with each message comes the key that the sender proved in CURVE's handshake. Nothing
 * in the message can change it. A message is one frame; a route is a way back and nothing else.
 *
 * A bus belongs to a process, may be used by several threads, and knows which keys are admitted; a
 * socket belongs to one thread. */
#ifndef ARBITER_BUS_H
#define ARBITER_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/keys.h"
#include "bus/porter.h"
#include "wire/header.h"

#define BUS_FRAME_MAX (HEADER_SIZE + (64u << 10)) /* What one message may be.                     */
/* So long a frame may claim to be where misfits are told; what claims more ends its connection unheard.
 * How much of it is taken in is the porter's to say. */
#define BUS_MISFIT_MAX (16u << 20)
#define BUS_ADDRESS_MAX 256
#define BUS_FAILURES_MAX 64 /* So many sends in a row fail, and a route is left alone.            */

enum bus_kind {
    BUS_ROUTER, /* Bound. Requests; answers go by route.                                          */
    BUS_XPUB,   /* Bound. Frames, by topic; a callback decides who may subscribe to what.         */
    BUS_DEALER, /* Connected to a ROUTER.                                                         */
    BUS_SUB     /* Connected to an XPUB.                                                          */
};

struct bus_settings {
    struct bus_keys keys; /* This process's own.                                                  */
    bool is_plain; /* No CURVE: everybody is key zero. For benches and the classroom door.   */
    bool is_open;  /* A plain bus may listen on more than loopback.                        */
    bool
        tells_misfits; /* A ROUTER says which messages are none, so that their sender can be told. */
    bool is_patient;   /* Peers need not answer heartbeats: people stop programs to look at them. */
    uint32_t frames_max; /* High-water mark of each peer's pipe, as options.c says; 0: 1,000.    */
    uint32_t stream_frames_max; /* The same for XPUB and SUB; 0: 10,000.                          */
    uint32_t readers_max; /* Topics an XPUB keeps readers of; 0: 65,536.                          */
    uint32_t io_threads;  /* 0: 1.                                                                */
    struct porter_limits porter; /* Of this process; all 0: as they are.                          */
};

/* Where a socket is to be. */
struct bus_place {
    enum bus_kind kind;
    const char   *address; /* ROUTER, XPUB: bound; "tcp://127.0.0.1:*" takes any free port.       */
    const uint8_t *key;    /* DEALER, SUB: the key of whom we connect to.                        */
    /* XPUB: whether this key may subscribe to this topic, now. */
    bool (*may_subscribe)(void *asked, const uint8_t key[BUS_KEY_SIZE], const uint8_t *topic,
                          size_t size);
    void *asked;
    /* XPUB: how many topics one connection of this key may have, now; 0: any number. NULL: all may. */
    uint32_t (*topics_max)(void *asked, const uint8_t key[BUS_KEY_SIZE]);
};

struct bus_admission {
    uint8_t  key[BUS_KEY_SIZE];
    uint32_t role; /* directory.Role; not 0.                                                      */
};

/* What a socket dropped and why; what it carried. */
struct bus_counters {
    uint64_t received, sent;
    uint64_t more_frames;    /* Messages of more than one frame.                                  */
    uint64_t foreign_routes; /* Messages of peers who chose their routing id.                     */
    uint64_t nameless;       /* Messages without a proved key.                                    */
    uint64_t too_large;      /* Messages above BUS_FRAME_MAX.                                     */
    uint64_t gone;           /* Sends to a route that is no more.                                 */
    uint64_t full;           /* Sends to a peer that does not read.                               */
    uint64_t ignored;        /* Sends to a route given up after BUS_FAILURES_MAX of those.        */
    uint64_t refused_topics; /* Subscriptions not granted.                                        */
    uint64_t cut_off; /* Connections ended because somebody asked for too many topics.            */
    uint64_t turned_away; /* Connections that another's door refused, tried again.             */
};

enum bus_news {
    BUS_NOTHING,
    BUS_MESSAGE,
    BUS_READER, /* A subscription was granted: `bytes` is the topic.                          */
    BUS_READER_GONE, /* The last reader of a topic has gone.                                      */
    BUS_MISFIT /* With `tells_misfits`: what `misfit` says came from `route`, and was thrown away. */
};

/* Why something is no message. */
enum bus_misfit {
    BUS_MORE_FRAMES, /* It has more than one frame ...                                            */
    BUS_ENVELOPED,   /* ... of which the first is empty: a REQ puts that in front.                */
    BUS_TOO_LARGE    /* It is longer than BUS_FRAME_MAX.                                          */
};

/* What came in. `bytes` live until the next receive on the same socket. */
struct bus_message {
    enum bus_news news;
    uint8_t       key[BUS_KEY_SIZE]; /* Proved. DEALER, SUB: of whom we connected to.            */
    uint64_t      route;             /* ROUTER.                                                  */
    enum bus_misfit misfit;
    const uint8_t  *bytes;
    size_t          size;
};

struct bus;
struct bus_socket;

/* A bus, and the thread that says who is let in: nobody, until bus_admit. NULL, and a sentence. */
struct bus *bus_start(const struct bus_settings *settings, struct text *fault);
/* All its sockets must be closed. Waits for what lingers, half a second at most. */
void        bus_stop(struct bus **bus);

/* From now on these, and no others, may connect. Those who are connected already stay so: ask
 * bus_role_of for each message. Any thread. False, and nothing changes: no memory. */
bool     bus_admit(struct bus *bus, const struct bus_admission *admissions, size_t count);
/* The role a key is admitted as; 0: none. Any thread. */
uint32_t bus_role_of(struct bus *bus, const uint8_t key[BUS_KEY_SIZE]);
/* How many handshakes were let in and refused. Any thread. */
void     bus_handshakes(struct bus *bus, uint64_t *admitted, uint64_t *refused);

/* A key that lost its admission is told so for a while; then its connections are ended. This looks
 * for them. Four times a second is enough. Returns how many. Any thread. */
uint32_t bus_sweep(struct bus *bus);
/* This key is not let in for so long, whatever the list says; who is connected stays so. Any thread. */
void     bus_shut_out(struct bus *bus, const uint8_t key[BUS_KEY_SIZE], uint32_t ms);

/* Opens a socket, bound or connected. NULL, and a sentence. */
struct bus_socket *bus_open(struct bus *bus, const struct bus_place *place, struct text *fault);
void               bus_close(struct bus_socket **socket);
/* Where a bound socket is, with the port it was given. */
const char        *bus_address(const struct bus_socket *socket);
/* Knocks at a bound socket with a key that nobody has seen: true if it stays out. False, and a sentence,
 * if it is let in or no answer comes: then the process must not serve. */
bool               bus_prove(struct bus_socket *socket, struct text *fault);

/* Whoever was turned away at a door is not tried again by libzmq, ever. This looks whether that
 * happened to a DEALER or SUB since the last look, and connects anew. True: it had. Once a second is
 * enough. */
bool bus_mend(struct bus_socket *socket);
/* Whether bus_mend has seen, since this was asked, that a connection was lost: libzmq makes another, but
 * what the other side sent meanwhile will not come. */
bool bus_was_cut(struct bus_socket *socket);

/* Waits until one of the sockets or files has something, at most `wait_ms` (negative: for ever). False
 * if nothing came. bus_has says which sockets. */
bool bus_wait(struct bus_socket *const *sockets, size_t count, const int *files, size_t file_count,
              int64_t wait_ms);
bool bus_has(const struct bus_socket *socket);
/* A file that becomes readable when something may have come, for a loop that waits elsewhere. It
 * says so once: wait for it only after bus_receive said that there is nothing. */
int  bus_file(const struct bus_socket *socket);

/* The next message, if one is there; never waits. */
enum bus_news bus_receive(struct bus_socket *socket, struct bus_message *message);

/* Ends the connection by which the last message came: ROUTER, XPUB. False: it has ended already. */
bool bus_hang_up(struct bus_socket *socket);

/* Room for a frame, to be written by the caller and sent by one of the two below. */
uint8_t *bus_compose(struct bus_socket *socket, size_t size);
/* Sends it; never waits. False: it could not go, is dropped and counted. Route: ROUTER only. */
bool     bus_send(struct bus_socket *socket, uint64_t route);
/* The same to a REQ, which hears nothing without an empty frame in front. */
bool     bus_send_enveloped(struct bus_socket *socket, uint64_t route);
/* A route that was given up said hello. */
void     bus_forgive(struct bus_socket *socket, uint64_t route);

/* Subscribes a SUB to everything that begins with `topic`, and back. */
void bus_listen(struct bus_socket *socket, const uint8_t *topic, size_t size);
void bus_unlisten(struct bus_socket *socket, const uint8_t *topic, size_t size);

const struct bus_counters *bus_counters(const struct bus_socket *socket);
/* XPUB: how many topics somebody subscribes to now. */
uint32_t                   bus_topics(const struct bus_socket *socket);

#endif
