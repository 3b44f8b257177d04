/* web_metrics.h: how all services do, as Prometheus reads it. */
#ifndef ARBITER_GATEWAY_WEB_METRICS_H
#define ARBITER_GATEWAY_WEB_METRICS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints a watchdog.Life; bytes that are none print nothing. */
void metrics_print(FILE *out, const uint8_t *life, size_t size);

#endif
