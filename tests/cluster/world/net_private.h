/* net_private.h: what the two halves of the network know of each other: connections, and frames. */
#ifndef ARBITER_CLUSTER_NET_PRIVATE_H
#define ARBITER_CLUSTER_NET_PRIVATE_H

#include "net.h"

#define NO_CONNECTION UINT32_MAX

/* The connection of this number; NO_CONNECTION. */
uint32_t net_find(const struct world *world, const struct process *process, uint64_t number);
void     net_fall(struct world *world, uint32_t place);
bool     net_is_cut(const struct world *world, uint32_t from, uint32_t to);
bool net_may_subscribe(const struct world *world, const struct connection *connection, size_t size);
/* When something sent now arrives, to the target (way 0) or back (way 1). `in_order`: it overtakes
 * nothing, whatever the faults. */
uint64_t net_arrival(struct world *world, struct connection *connection, uint32_t way,
                     bool in_order);
/* Sends a frame, whose reference it takes. */
void     net_transmit(struct world *world, uint32_t place, uint32_t way, struct frame *frame);
void     net_arrived(struct world *world, struct flight *flight);

#endif
