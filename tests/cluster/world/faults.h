/* faults.h: what breaks, when, and for how long. */
#ifndef ARBITER_CLUSTER_FAULTS_H
#define ARBITER_CLUSTER_FAULTS_H

struct world;
struct happening;

/* Plans the first fault of each kind that this universe has. */
void faults_begin(struct world *world);
void faults_happening(struct world *world, const struct happening *happening);
/* Ends all faults: the second act. */
void faults_end(struct world *world);

#endif
