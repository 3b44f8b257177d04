/* campaign.h: many universes, each twice, in processes of their own; and one that failed, made smaller. */
#ifndef ARBITER_CLUSTER_CAMPAIGN_H
#define ARBITER_CLUSTER_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "world/plan.h"
#include "world/world.h"

struct result {
    struct failure failure; /* "twice": the second time something else happened.               */
    struct marks   marks;
    uint64_t       events, hash, virtual_ns;
};

struct order {
    const struct cast *cast;
    uint64_t           from, seeds;
    uint32_t           jobs;
    struct wish        wish;
    bool               once;        /* Does not play a universe twice.                         */
    bool               until_first; /* Ends with the first failure.                            */
    bool               minds_marks; /* Fails if a mark stays dark.                             */
    bool               is_quiet;
};

struct summary {
    uint64_t       universes, failures, events, virtual_ns;
    uint64_t       first_seed; /* That failed.                                                 */
    struct failure first;
    struct marks   marks;
    uint32_t       dark; /* Marks that were never lit.                                         */
};

/* Plays one universe in this process. */
void campaign_play(const struct order *order, uint64_t seed, bool is_traced, struct result *result);
/* Plays one in a process of its own, so that an assert costs no more than that universe. */
void campaign_play_apart(const struct order *order, uint64_t seed, struct result *result);
void campaign_run(const struct order *order, struct summary *summary);
/* Takes out of a universe what it does not need to fail; says what is left as a command. */
void campaign_shrink(const struct order *order, uint64_t seed);
/* The command that plays it again. */
void campaign_say_command(const struct order *order, uint64_t seed);

#endif
