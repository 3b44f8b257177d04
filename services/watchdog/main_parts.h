/* main_parts.h: how the watchdog's process makes traces of slow commands, for a collector (OpenTelemetry). */
#ifndef ARBITER_WATCHDOG_MAIN_PARTS_H
#define ARBITER_WATCHDOG_MAIN_PARTS_H

#include <stddef.h>

#include "contract/watchdog.pb-c.h"

/* main_otlp.c: slow commands as the body of a request to /v1/traces; the caller frees it. NULL: no memory. */
char *otlp_body(const Arbiter__Watchdog__SlowList *list, size_t *size);

#endif
