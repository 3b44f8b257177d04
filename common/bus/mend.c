/* mend.c: connections that were turned away: libzmq gives them up for good, we do not. And those that were lost: it
 * makes them anew and says nothing, we do.
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
    if (zmq_socket_monitor(socket->handle, watched, FAILURES | ZMQ_EVENT_DISCONNECTED) != 0)
        return false;
    socket->monitor = zmq_socket(socket->bus->context, ZMQ_PAIR);
    return socket->monitor != NULL &&
           zmq_setsockopt(socket->monitor, ZMQ_LINGER, &none, sizeof none) == 0 &&
           zmq_connect(socket->monitor, watched) == 0;
}

/* What the monitor says happened; 0: nothing more. Two frames: number and value, and the address, which we know. */
static uint16_t next_happened(void *monitor)
{
    struct {
        uint16_t number;
        uint8_t  value[4];
    } event = { 0 };
    uint8_t address[8];
    if (monitor == NULL || zmq_recv(monitor, &event, sizeof event, ZMQ_DONTWAIT) < 0)
        return 0;
    (void) zmq_recv(monitor, address, sizeof address, ZMQ_DONTWAIT);
    return event.number;
}

bool bus_was_cut(struct bus_socket *socket)
{
    bool was_cut = socket->was_cut;
    socket->was_cut = false;
    return was_cut;
}

bool bus_mend(struct bus_socket *socket)
{
    bool     has_failed = false;
    uint16_t happened;
    while ((happened = next_happened(socket->monitor)) != 0) {
        has_failed |= (happened & FAILURES) != 0;
        socket->was_cut |= happened == ZMQ_EVENT_DISCONNECTED;
    }
    if (!has_failed)
        return false;
    socket->counters.turned_away++;
    (void) zmq_disconnect(socket->handle, socket->address); /* It may have gone by itself. */
    (void) zmq_connect(socket->handle, socket->address);
    return true;
}
