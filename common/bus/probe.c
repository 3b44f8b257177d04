/* probe.c: a service tries its own lock before it opens: a key nobody has seen must stay out.
 *
 * A wrong option, a library built otherwise, a handler that is not there: whatever the reason, CURVE
 * without a verdict lets everyone in, silently. So we knock, and believe the answer only. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bus/bus_private.h"

#define PROBE_MS 5000
#define PROBE_EVENTS                                                                               \
    (ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |                             \
     ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)

/* The first event of the handshake; 0: none came in time. */
static int first_event(void *monitor)
{
    uint16_t event = 0;
    uint8_t  bytes[256];
    int      wait_ms = PROBE_MS;
    if (zmq_setsockopt(monitor, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms) != 0)
        return 0;
    int size;
    do
        size = zmq_recv(monitor, bytes, sizeof bytes, 0);
    while (size < 0 && zmq_errno() == EINTR);
    if (size < (int) sizeof event)
        return 0;
    memcpy(&event, bytes, sizeof event);
    return event;
}

/* Sockets of kinds that do not fit part before anybody asks about keys. */
static enum bus_kind other_end(const struct bus_socket *socket)
{
    return socket->place.kind == BUS_XPUB ? BUS_SUB : BUS_DEALER;
}

/* Knocks with a stranger's key and returns what came of it. */
static int knock(struct bus_socket *socket, void *stranger, void *monitor)
{
    char             watched[64]; /* Several threads may knock at once. */
    struct bus       with = { .settings = socket->bus->settings };
    struct bus_place place = { .kind = other_end(socket),
                               .address = socket->address,
                               .key = socket->bus->settings.keys.public_key };
    int              none = 0;
    (void) snprintf(watched, sizeof watched, "inproc://arbiter.probe.%u",
                    atomic_fetch_add(&socket->bus->monitors, 1));
    bus_keys_make(&with.settings.keys, "stranger");
    if (!socket_set_options(&with, stranger, &place) ||
        zmq_setsockopt(stranger, ZMQ_LINGER, &none, sizeof none) != 0 ||
        zmq_setsockopt(monitor, ZMQ_LINGER, &none, sizeof none) != 0 ||
        zmq_socket_monitor(stranger, watched, PROBE_EVENTS) != 0 ||
        zmq_connect(monitor, watched) != 0 || zmq_connect(stranger, socket->address) != 0)
        return 0;
    return first_event(monitor);
}

bool bus_prove(struct bus_socket *socket, struct text *fault)
{
    if (socket->bus->settings.is_plain)
        return true; /* There is no lock. */
    void *stranger =
        zmq_socket(socket->bus->context, other_end(socket) == BUS_SUB ? ZMQ_SUB : ZMQ_DEALER);
    void *monitor = zmq_socket(socket->bus->context, ZMQ_PAIR);
    int   event = stranger != NULL && monitor != NULL ? knock(socket, stranger, monitor) : 0;
    if (stranger != NULL) {
        (void) zmq_socket_monitor(stranger, NULL, 0);
        (void) zmq_close(stranger);
    }
    if (monitor != NULL)
        (void) zmq_close(monitor);
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
        return true;
    text_clear(fault);
    text_put(fault, socket->address);
    text_put(fault, event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED
                        ? ": a key that nobody admitted was let in; this door stays shut"
                        : ": the door does not answer to a key that nobody admitted");
    return false;
}
