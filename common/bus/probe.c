/* probe.c: a service tries its own lock before it opens: a key nobody has seen must stay out.
 *
 * A wrong option, a library built otherwise, a handler that is not there: whatever the reason, CURVE
 * without a verdict lets everyone in, silently. So we knock, and believe the answer only. */
#include <errno.h>
#include <string.h>

#include "bus/bus_private.h"

#define PROBE_MS 5000
/* What zmonitor calls the two ends that matter. */
#define LET_IN "HANDSHAKE_SUCCEEDED"
#define KEPT_OUT "HANDSHAKE_FAILED_AUTH"

/* Sockets of kinds that do not fit part before anybody asks about keys. */
static enum bus_kind other_end(const struct bus_socket *socket)
{
    return socket->place.kind == BUS_XPUB ? BUS_SUB : BUS_DEALER;
}

/* Knocks with a stranger's key and returns what came of it, for the caller to free; NULL: no answer came in time. */
static char *knock(const struct bus_socket *socket, zsock_t *stranger, zactor_t *monitor)
{
    struct bus       with = { .settings = socket->bus->settings };
    struct bus_place place = { .kind = other_end(socket),
                               .address = socket->address,
                               .key = socket->bus->settings.keys.public_key };
    char            *event = NULL;
    bus_keys_make(&with.settings.keys, "stranger");
    if (!socket_set_options(&with, zsock_resolve(stranger), &place))
        return NULL;
    zsock_set_linger(stranger, 0);
    zsock_set_rcvtimeo(monitor, PROBE_MS);
    (void) zstr_sendx(monitor, "LISTEN", LET_IN, KEPT_OUT, "HANDSHAKE_FAILED_PROTOCOL",
                      "HANDSHAKE_FAILED_NO_DETAIL", NULL);
    (void) zstr_send(monitor, "START");
    if (zsock_wait(monitor) != 0 || zsock_connect(stranger, "%s", socket->address) != 0)
        return NULL;
    do
        event = zstr_recv(monitor); /* The first event of the handshake. */
    while (event == NULL && errno == EINTR);
    return event;
}

bool bus_prove(struct bus_socket *socket, struct text *fault)
{
    if (socket->bus->settings.is_plain)
        return true; /* There is no lock. */
    bus_begin_czmq();
    zsock_t  *stranger = zsock_new(other_end(socket) == BUS_SUB ? ZMQ_SUB : ZMQ_DEALER);
    zactor_t *monitor = stranger != NULL ? zactor_new(zmonitor, stranger) : NULL;
    char     *event = monitor != NULL ? knock(socket, stranger, monitor) : NULL;
    bool      is_kept_out = event != NULL && strcmp(event, KEPT_OUT) == 0;
    bool      is_let_in = event != NULL && strcmp(event, LET_IN) == 0;
    zstr_free(&event);
    zactor_destroy(&monitor);
    zsock_destroy(&stranger);
    if (is_kept_out)
        return true;
    text_clear(fault);
    text_put(fault, socket->address);
    text_put(fault, is_let_in ? ": a key that nobody admitted was let in; this door stays shut"
                              : ": the door does not answer to a key that nobody admitted");
    return false;
}
