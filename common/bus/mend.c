/* mend.c: connections that were turned away: libzmq gives them up for good, we do not.
 *
 * A service may knock before the operator, or the directory, has admitted its key. libzmq takes the
 * refusal for a protocol error and never connects again, however long the process lives. */
#include <stdio.h>
#include <string.h>

#include "bus/bus_private.h"

#define FAILURES                                                                                   \
    (ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |                       \
     ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)

bool socket_watch(struct bus_socket *socket)
{
    char watched[64];
    int  none = 0;
    (void) snprintf(watched, sizeof watched, "inproc://arbiter.watch.%u",
                    atomic_fetch_add(&socket->bus->monitors, 1));
    if (zmq_socket_monitor(socket->handle, watched, FAILURES) != 0)
        return false;
    socket->monitor = zmq_socket(socket->bus->context, ZMQ_PAIR);
    return socket->monitor != NULL &&
           zmq_setsockopt(socket->monitor, ZMQ_LINGER, &none, sizeof none) == 0 &&
           zmq_connect(socket->monitor, watched) == 0;
}

bool bus_mend(struct bus_socket *socket)
{
    uint8_t event[8]; /* Its number, and the address: which we know. */
    bool    has_failed = false;
    while (socket->monitor != NULL &&
           zmq_recv(socket->monitor, event, sizeof event, ZMQ_DONTWAIT) >= 0)
        has_failed = true;
    if (!has_failed)
        return false;
    socket->counters.turned_away++;
    (void) zmq_disconnect(socket->handle, socket->address); /* It may have gone by itself. */
    (void) zmq_connect(socket->handle, socket->address);
    return true;
}
