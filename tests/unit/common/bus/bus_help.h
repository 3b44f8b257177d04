/* bus_help.h: two ends of a bus for tests: a service, and somebody who calls it. */
#ifndef ARBITER_TEST_BUS_HELP_H
#define ARBITER_TEST_BUS_HELP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include "bus/bus.h"
#include "bus/bus_private.h"

/* Longer than any machine takes; no test waits it out when all is well. */
#define PATIENCE_MS 20000
#define CALLER_ROLE 7u

/* A bus with fresh keys that admits nobody yet. */
struct bus        *help_bus(const struct bus_settings *settings);
/* Lets in the callers of these buses, and nobody else. */
void               help_admit(struct bus *bus, struct bus *const *callers, size_t count);
struct bus_socket *help_open(struct bus *bus, enum bus_kind kind);
struct bus_socket *help_connect(struct bus *bus, enum bus_kind kind, const struct bus_socket *to);
/* Sends these bytes and says whether they went. */
bool               help_send(struct bus_socket *socket, uint64_t route, const char *bytes);
/* The next news within the patience of a test; BUS_NOTHING: none came. */
enum bus_news      help_receive(struct bus_socket *socket, struct bus_message *message);
/* Receives a message that is exactly this. */
void  help_expect(struct bus_socket *socket, struct bus_message *message, const char *bytes);
/* A connection made with libzmq's own hands, with the keys of a bus. */
void *help_raw(struct bus *bus, int type, const struct bus_socket *to, const char *id);

#endif
