/* greet.h: what every service but the lobby answers to strangers at its doors: Hello and Ping. Pure. */
#ifndef ARBITER_GREET_H
#define ARBITER_GREET_H

#include <stdbool.h>

#include "core/event.h"
#include "core/outbox.h"

/* Answers a Hello with Welcome (without a directory: that is the lobby's) and a Ping with Pong; false: the
 * event is neither. Who must know by which route somebody said hello looks at the event besides. */
bool greet_step(const struct event *event, struct outbox *out);

#endif
