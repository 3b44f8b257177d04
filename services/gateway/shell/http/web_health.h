/* web_health.h: whether this gateway can serve players, and if not, what is missing. */
#ifndef ARBITER_GATEWAY_WEB_HEALTH_H
#define ARBITER_GATEWAY_WEB_HEALTH_H

#include <stdio.h>

#include "services/gateway/shell/http/web_life.h"

enum web_health {
    WEB_CLOSED, /* The lobby has not let this gateway in yet: nobody can be served.               */
    WEB_OPEN, /* Something that players need is missing; those who come are let in all the same. */
    WEB_READY /* Nothing is missing.                                                          */
};

/* Writes a line for each thing that is missing: the lobby, a watchdog's word, an engine, a store. */
enum web_health web_health(FILE *out, const struct gateway_facts *facts,
                           const struct web_life *life);

#endif
