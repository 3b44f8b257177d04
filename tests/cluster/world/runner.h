/* runner.h: one turn of a process's loop, in pieces: step, commit, settle, perform. */
#ifndef ARBITER_CLUSTER_RUNNER_H
#define ARBITER_CLUSTER_RUNNER_H

struct world;
struct process;
struct happening;
struct transaction;
struct delivery;

/* Turns, settles, performs or wakes, whatever the happening is. */
void runner_happening(struct world *world, struct process *process,
                      const struct happening *happening);
/* The instant in which a transaction is decided. */
void runner_apply(struct world *world, struct transaction *transaction);
/* A happening that will not happen: frees what it holds. */
void runner_drop(const struct happening *happening);
void transaction_release(struct transaction *transaction);

/* Steps the core with what happened; see step.c. */
void step_started(struct world *world, struct process *process);
void step_time(struct world *world, struct process *process);
void step_delivery(struct world *world, struct process *process, const struct delivery *delivery);

#endif
