/* memory.h: memory for the simulation itself, which may allocate as it likes; the cores may not. */
#ifndef ARBITER_CLUSTER_MEMORY_H
#define ARBITER_CLUSTER_MEMORY_H

#include <stddef.h>

/* Zeroed; never NULL: a test without memory is over. */
void *memory_new(size_t size);
/* realloc, likewise. */
void *memory_again(void *memory, size_t size);

#endif
