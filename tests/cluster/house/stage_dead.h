/* stage_dead.h: a set-up of the dead that is over in a quarter of a virtual minute. */
#ifndef ARBITER_CLUSTER_STAGE_DEAD_H
#define ARBITER_CLUSTER_STAGE_DEAD_H

#define STAGE_DEAD_SETUP "night"
#define STAGE_DEAD_OPTIONS "{ \"edition\": \"crossroads\" }"

/* Its text: up to three players, one round, every ability, every kind of card, and votes. */
const char *stage_dead(void);

#endif
