/* port.h: which port of this machine is free, for whoever starts a server of another kind. */
#ifndef ARBITER_PORT_H
#define ARBITER_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* A port of loopback at which nobody listens now: `first` or one of the `count - 1` behind it; `first` 0:
 * any. 0: all are taken. */
uint32_t port_free(uint32_t first, uint32_t count);
/* Whether somebody listens at this port of loopback. */
bool     port_is_open(uint32_t port);

#endif
