/* faults.c: faults come one by one, each kind at its own mean distance; see faults.h. */
#include "faults.h"

#include <string.h>

#include "hostile.h"
#include "memory.h"
#include "world.h"

#define HOUR_MS (60u * 60u * 1000u)
#define HOSTILE_MEAN_NS (100u * NS_PER_MS)
#define STOREFUL_MOST_NS (3ull * NS_PER_S)

/* How far apart faults of a kind are; 0: this kind needs no events of its own. */
static uint64_t mean_of(const struct world *world, enum fault fault)
{
    switch (fault) {
    case FAULT_CRASH: return world->plan.crash_mean_ns;
    case FAULT_PAUSE: return world->plan.pause_mean_ns;
    case FAULT_PARTITION: return world->plan.partition_mean_ns;
    case FAULT_CLOG: return world->plan.clog_mean_ns;
    case FAULT_JUMP: return world->plan.pause_mean_ns;
    case FAULT_FULL: return world->plan.store_mean_ns;
    case FAULT_HOSTILE: return HOSTILE_MEAN_NS;
    case FAULT_STUBBORN: return HOSTILE_MEAN_NS;
    default: return 0;
    }
}

static void plan_next(struct world *world, enum fault fault)
{
    uint64_t in_ns = chance_wait(&world->chance[CHANCE_FAULTS], mean_of(world, fault));
    world_after(world, in_ns, HAPPEN_FAULT, fault, 0, NULL);
}

void faults_begin(struct world *world)
{
    for (uint32_t f = 0; f < FAULTS; f++)
        if (plan_has(&world->plan, (enum fault) f) && mean_of(world, (enum fault) f) > 0)
            plan_next(world, (enum fault) f);
}

static bool may_suffer(const struct process *process)
{
    return !process->is_steady && process->ops != NULL && process->twin == NO_PROCESS;
}

/* A process that may suffer; NO_PROCESS: the dice met one that may not. Every other time it is one that
 * commits, or has something to say behind a commit, if any does: there it hurts most. */
static uint32_t victim(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint64_t       draw = chance_below(chance, world->processes);
    uint64_t       hurts = chance_below(chance, 2);
    for (uint32_t i = 0; i < world->processes && hurts != 0; i++) {
        uint32_t              index = (uint32_t) ((draw + i) % world->processes);
        const struct process *process = &world->process[index];
        if (may_suffer(process) && (process->state == PROCESS_COMMITTING || process->said > 0))
            return index;
    }
    return may_suffer(&world->process[draw]) ? (uint32_t) draw : NO_PROCESS;
}

static void crash(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint32_t       index = victim(world);
    uint64_t       down_ns = chance_wait(chance, 2ull * NS_PER_S);
    if (index == NO_PROCESS || world->process[index].state == PROCESS_DOWN)
        return;
    process_crash(world, index);
    world_after(world, down_ns, HAPPEN_BOOT, index, world->process[index].incarnation, NULL);
}

static void pause_one(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint32_t       index = victim(world);
    uint64_t       for_ns = chance_between(chance, 10 * NS_PER_MS, world->plan.pause_most_ns);
    if (index != NO_PROCESS)
        process_pause(world, index, for_ns);
}

static void jump(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint32_t       index = victim(world);
    uint64_t       by_ms = chance_below(chance, 2 * HOUR_MS);
    if (index == NO_PROCESS)
        return;
    world->process[index].wall_ms = (int64_t) by_ms - HOUR_MS;
    world_tell(world, "%s's wall clock jumps", world->process[index].name);
}

/* Some are cut off from the others, one way or both; connections that are silent for two seconds break,
 * as heartbeats see to it. */
static void split(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint64_t       side = chance_draw(chance);
    uint64_t       alone = chance_below(chance, world->processes);
    uint64_t       is_one = chance_below(chance, 2);
    uint64_t       ways = chance_below(chance, 3);
    uint64_t       for_ns = chance_between(chance, 100 * NS_PER_MS, 10ull * NS_PER_S);
    if (is_one != 0)
        side = 1ull << alone;
    memset(world->net.cut, 0, sizeof world->net.cut);
    for (uint32_t one = 0; one < world->processes; one++)
        for (uint32_t other = 0; other < world->processes; other++) {
            if ((side >> one & 1) == 0 || (side >> other & 1) != 0)
                continue;
            world->net.cut[one] |= ways != 1 ? 1ull << other : 0;
            world->net.cut[other] |= ways != 2 ? 1ull << one : 0;
            if (for_ns > 2ull * NS_PER_S)
                net_break(world, one, other);
        }
    mark(world->marks, MARK_SPLIT);
    world_tell(world, "the network is split, %llx, ways %u", (unsigned long long) side,
               (uint32_t) ways);
    world_after(world, for_ns, HAPPEN_MEND, FAULT_PARTITION, 0, NULL);
}

/* Whether news between two services goes over this connection. */
static bool is_news(const struct world *world, const struct connection *connection)
{
    return connection->in_use && connection->is_up && connection->door == DOOR_STREAM &&
           may_suffer(&world->process[connection->source]);
}

/* Every other time it is one with news from service to service, so that old ones come late. */
static void clog_one(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint32_t       count = world->net.connections;
    uint64_t       place = chance_below(chance, (uint64_t) count + 1);
    uint64_t       way = chance_below(chance, 2);
    uint64_t       is_late = chance_below(chance, 2);
    uint64_t       for_ns = chance_between(chance, 10 * NS_PER_MS, 5ull * NS_PER_S);
    for (uint32_t i = 0; i < count && is_late != 0; i++) {
        uint32_t other = (uint32_t) ((place + i) % count);
        if (is_news(world, &world->net.connection[other])) {
            net_clog(world, other, 1, for_ns);
            return;
        }
    }
    if (place < count)
        net_clog(world, (uint32_t) place, (uint32_t) way, for_ns);
}

static void fill(struct world *world)
{
    struct chance *chance = &world->chance[CHANCE_FAULTS];
    uint64_t       which = chance_below(chance, VAULTS_MAX);
    uint64_t       for_ns = chance_between(chance, 50 * NS_PER_MS, STOREFUL_MOST_NS);
    if (which >= world->vaults)
        return;
    world->vault[which].is_full = true;
    world_tell(world, "the disk of %s is full", world->vault[which].name);
    world_after(world, for_ns, HAPPEN_MEND, FAULT_FULL, which, NULL);
}

static void mend(struct world *world, const struct happening *happening)
{
    if (happening->who == FAULT_FULL)
        world->vault[happening->serial].is_full = false;
    if (happening->who == FAULT_PARTITION)
        net_heal(world);
}

void faults_happening(struct world *world, const struct happening *happening)
{
    if (happening->kind == HAPPEN_MEND) {
        mend(world, happening);
        return;
    }
    if (world->is_healed)
        return;
    switch ((enum fault) happening->who) {
    case FAULT_CRASH: crash(world); break;
    case FAULT_PAUSE: pause_one(world); break;
    case FAULT_JUMP: jump(world); break;
    case FAULT_PARTITION: split(world); break;
    case FAULT_CLOG: clog_one(world); break;
    case FAULT_FULL: fill(world); break;
    case FAULT_HOSTILE: hostile_act(world); break;
    case FAULT_STUBBORN: hostile_stubborn(world); break;
    default: break;
    }
    plan_next(world, (enum fault) happening->who);
}

void faults_end(struct world *world)
{
    world->is_healed = true;
    net_heal(world);
    for (uint32_t i = 0; i < world->vaults; i++)
        world->vault[i].is_full = false;
    for (uint32_t i = 0; i < world->processes; i++) {
        process_resume(world, i);
        if (world->process[i].state == PROCESS_DOWN && world->process[i].twin == NO_PROCESS)
            world_after(world, 100 * NS_PER_MS, HAPPEN_BOOT, i, world->process[i].incarnation,
                        NULL);
    }
}
