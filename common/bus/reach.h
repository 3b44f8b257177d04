/* reach.h: where others find a door that is open on all addresses of this machine. */
#ifndef ARBITER_REACH_H
#define ARBITER_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/bus.h"

#define REACH_HOST_MAX 64

/* The address from which this machine speaks to `towards` (tcp://HOST:PORT), as text: in a container the
 * container's own. Nothing is sent. False: there is no way, and a sentence. */
bool reach_host(char host[REACH_HOST_MAX], const char *towards, struct text *fault);
/* Whether a door is open on all addresses: tcp://0.0.0.0:PORT. */
bool reach_is_everywhere(const char *door);
/* Such a door as others find it at that host; any other stays what it is. False: it is too long. */
bool reach_door(char to[BUS_ADDRESS_MAX], const char *door, const char *host);

/* The address at which callers from outside find the at-th of a service's doors. The text is
 * HOST:PORT or HOST:PORT,PORT,... . HOST:PORT names the first door; the others have the next ports.
 * A list names one port for each of its `count` doors, in order. False: the text is neither. */
bool reach_outside(char to[BUS_ADDRESS_MAX], const char *advertised, uint32_t at, uint32_t count);

#endif
