/* bus_private.h: what the files of the bus share, and its tests look at. */
#ifndef ARBITER_BUS_PRIVATE_H
#define ARBITER_BUS_PRIVATE_H

#include <stdatomic.h>
#include <zmq.h>

#include "bus/bus.h"
#include "bus/holders.h"
#include "bus/readers.h"
#include "bus/zap.h"

#define ROUTE_SIZE 5 /* A zero, and four bytes that libzmq counts: its own routing ids. */
#define FAILING_MAX 256
/* ZMQ_ZAP_ENFORCE_DOMAIN: in the library for long, in its header only among drafts. */
#define BUS_ZAP_ENFORCE_DOMAIN 93

struct bus {
    struct bus_settings settings;
    void               *context;
    struct zap          zap;
    atomic_uint sockets;  /* Open ones: all must be closed before the bus is stopped.       */
    atomic_uint monitors; /* Tells their addresses apart. */
};

/* A route whose last sends failed. */
struct failing {
    uint64_t route;
    uint32_t failures; /* In a row; 0: this place is free.                                        */
};

struct bus_socket {
    struct bus      *bus;
    struct bus_place place;
    void            *handle; /* libzmq's.                                                      */
    void *monitor; /* DEALER, SUB: says that a handshake failed, or a connection was lost.       */
    bool  was_cut; /* It was, since bus_was_cut asked.                                            */
    char  address[BUS_ADDRESS_MAX];
    uint8_t             key[BUS_KEY_SIZE]; /* Of whom we connected to.                            */
    bool                has; /* Something came, said the last bus_wait.                           */
    zmq_msg_t           received, composed;
    int                 file;    /* By whose connection `received` came; -1: nobody knows.        */
    int                 blind;   /* ROUTER, XPUB: the blind door beside; -1: none.                */
    struct readers      readers; /* XPUB.                                                         */
    struct holders      holders; /* XPUB.                                                         */
    struct failing      failing[FAILING_MAX];
    uint32_t            failing_count, failing_next;
    struct bus_counters counters;
};

/* Sets every option of a socket; false: libzmq refused one. */
bool  socket_set_options(const struct bus *bus, void *handle, const struct bus_place *place);
/* Watches a connected socket; false: libzmq would not. */
bool  socket_watch(struct bus_socket *socket);
/* CZMQ's own context, without what it does to a process unasked. Any thread, any number of times. */
void  bus_begin_czmq(void);
/* "what: why" with libzmq's word for errno; always NULL, so that a caller can return it. */
void *bus_cannot(struct text *fault, const char *what, const char *which);

#endif
