/* plan.c: see plan.h. */
#include "plan.h"

#include <string.h>

#include "chance.h"
#include "queue.h"

static const char *const names[FAULTS] = {
    "loss",  "duplicate", "reorder", "clog",    "overflow", "partition", "crash",
    "pause", "drift",     "jump",    "slow",    "full",     "busy",      "unknown",
    "read",  "early",     "small",   "hostile", "stubborn", "set-back",  "damaged",
};

const char *fault_name(enum fault fault)
{
    return names[fault];
}

enum fault fault_named(const char *name, uint32_t size)
{
    for (uint32_t i = 0; i < FAULTS; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0)
            return (enum fault) i;
    return FAULTS;
}

static void draw_network(struct plan *plan, struct chance *chance)
{
    plan->delay_least_ns = chance_below(chance, 5) * NS_PER_MS;
    plan->delay_mean_ns = chance_between(chance, 1, 60) * NS_PER_MS;
    plan->loss = (uint32_t) chance_below(chance, 300000);
    /* Heavy loss is one universe in four: elsewhere too little would happen to be interesting. */
    uint64_t is_heavy = chance_below(chance, 4);
    if (is_heavy != 0)
        plan->loss /= 20;
    plan->duplicate = (uint32_t) chance_below(chance, 500000);
    plan->queue_length = (uint32_t) chance_between(chance, 2, 20);
    plan->partition_mean_ns = chance_between(chance, 5, 30) * NS_PER_S;
    plan->clog_mean_ns = chance_between(chance, 300, 5000) * NS_PER_MS;
}

static void draw_processes(struct plan *plan, struct chance *chance)
{
    plan->crash_mean_ns = chance_between(chance, 2, 30) * NS_PER_S;
    plan->pause_mean_ns = chance_between(chance, 3, 30) * NS_PER_S;
    plan->pause_most_ns = chance_between(chance, 1, 20) * NS_PER_S;
    plan->store_latency_ns = chance_between(chance, 1, 20) * NS_PER_MS;
    plan->store_mean_ns = chance_between(chance, 2, 15) * NS_PER_S;
    plan->engines = (uint32_t) chance_between(chance, 1, 3);
    plan->fanouts = (uint32_t) chance_between(chance, 1, 2);
    plan->watchdogs = (uint32_t) chance_between(chance, 1, 2);
    plan->players = (uint32_t) chance_between(chance, 2, 8);
    plan->tables = (uint32_t) chance_between(chance, 1, 3);
    uint64_t has_clock = chance_below(chance, 2);
    uint64_t turn_ms = chance_between(chance, 500, 8000);
    plan->turn_ms = has_clock != 0 ? (uint32_t) turn_ms : 0;
    plan->flavour = (uint32_t) chance_draw(chance);
}

/* Half of all faults in most universes; in one of sixteen none, so that what breaks there is plain. */
static uint32_t draw_faults(struct chance *chance)
{
    uint64_t faults = chance_draw(chance);
    uint64_t none = chance_below(chance, 16);
    return none == 0 ? 0 : (uint32_t) faults & ((1u << FAULTS) - 1);
}

void plan_draw(struct plan *plan, uint64_t seed, const struct wish *wish)
{
    struct chance chance;
    chance_init(&chance, seed, CHANCE_PLAN);
    memset(plan, 0, sizeof *plan);
    plan->seed = seed;
    plan->faults = draw_faults(&chance);
    plan->safety_ns = chance_between(&chance, 10, 40) * NS_PER_S;
    draw_network(plan, &chance);
    draw_processes(plan, &chance);
    plan->faults &= ~wish->without;
    plan->bug = wish->bug;
    if (wish->players > 0 && plan->players > wish->players)
        plan->players = wish->players;
    if (wish->until_ns > 0 && plan->safety_ns > wish->until_ns)
        plan->safety_ns = wish->until_ns;
}
