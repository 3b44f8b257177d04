/* web_metrics.h: how all services do, as Prometheus reads it. */
#ifndef ARBITER_GATEWAY_WEB_METRICS_H
#define ARBITER_GATEWAY_WEB_METRICS_H

#include <stdio.h>

#include "services/gateway/shell/http/web_life.h"

void metrics_print(FILE *out, const struct web_life *life);

#endif
