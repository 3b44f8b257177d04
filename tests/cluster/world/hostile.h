/* hostile.h: an intruder with a key, who sends what nobody should. */
#ifndef ARBITER_CLUSTER_HOSTILE_H
#define ARBITER_CLUSTER_HOSTILE_H

#include <stdint.h>

struct world;

/* The intruder's process: no core of its own; it connects to all doors of these processes. It may
 * be admitted as a client, or not at all. */
uint32_t hostile_add(struct world *world, const char *name);
/* Sends something. */
void     hostile_act(struct world *world);
/* A client sends once more what it sent before, from its own place: no harm is meant, but it is late. */
void     hostile_stubborn(struct world *world);

#endif
