/* process.c: how a process is born, dies, stands still and is spoken to; see process.h. */
#include "process.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "world.h"

#define OUTBOX_BYTES OUTBOX_BYTES_MIN
/* What a core finds in memory that is not its own yet. */
#define JUNK 0xa5
#define JUNK_BYTES (256u << 10)

struct process *process_add(struct world *world, const char *name, uint32_t role)
{
    assert(world->processes < PROCESSES_MAX);
    struct process *process = &world->process[world->processes++];
    memset(process, 0, sizeof *process);
    snprintf(process->name, sizeof process->name, "%s", name);
    process->role = role;
    process->twin = NO_PROCESS;
    process->wake_ms = NO_WAKE;
    chance_fill(&world->chance[CHANCE_ENTROPY], process->key, sizeof process->key);
    return process;
}

uint32_t process_index(const struct world *world, const struct process *process)
{
    return (uint32_t) (process - world->process);
}

uint64_t process_now_ms(const struct world *world, const struct process *process)
{
    int64_t lived_ns = (int64_t) (world->now_ns - process->boot_ns);
    lived_ns += lived_ns / 1000000 * process->drift_ppm;
    return process->born_ms + (uint64_t) lived_ns / NS_PER_MS;
}

uint32_t process_role_of(const struct process *process, const uint8_t *key)
{
    for (uint32_t i = 0; i < process->admissions; i++)
        if (memcmp(process->admission[i].key, key, CALLER_KEY_SIZE) == 0)
            return process->admission[i].role;
    return 0;
}

static void release(struct delivery *delivery)
{
    if (delivery->frame != NULL)
        frame_release(delivery->frame);
    vault_row_release(delivery->row);
}

static void empty_inbox(struct process *process)
{
    for (uint32_t i = 0; i < process->inbox_count; i++)
        release(&process->inbox[(process->inbox_first + i) % process->inbox_capacity]);
    process->inbox_first = process->inbox_count = 0;
}

void process_boot(struct world *world, uint32_t index)
{
    struct process *process = &world->process[index];
    struct chance  *clocks = &world->chance[CHANCE_CLOCKS];
    assert(process->state == PROCESS_DOWN);
    if (process->core == NULL)
        process->core = memory_new(process->core_bytes);
    if (process->out_memory == NULL)
        process->out_memory = memory_new(OUTBOX_BYTES);
    memset(process->core, JUNK,
           process->core_bytes < JUNK_BYTES ? process->core_bytes : JUNK_BYTES);
    outbox_init(&process->out, process->out_memory, OUTBOX_BYTES);
    process->state = PROCESS_IDLE;
    process->incarnation++;
    process->is_paused = process->is_started = process->is_woken = process->has_exited = false;
    process->is_owed = false;
    process->wake_ms = NO_WAKE;
    process->boot_ns = world->now_ns;
    process->born_ms = chance_between(clocks, 1000, 100000000);
    uint64_t drift = chance_below(clocks, 1001);
    process->drift_ppm = world_breaks(world, FAULT_DRIFT) ? (int64_t) drift - 500 : 0;
    process->admissions = process->links = process->readers = 0;
    world_tell(world, "%s boots, incarnation %llu", process->name,
               (unsigned long long) process->incarnation);
    if (process->boot != NULL)
        process->boot(world, process);
    process->has_turn = process->ops != NULL;
    if (process->has_turn)
        world_after(world, 1, HAPPEN_TURN, index, process->incarnation, NULL);
}

/* What a transaction becomes whose process dies: in its own process's store, it is decided now; in a
 * server's, it may still arrive. */
static void leave_transaction(struct world *world, struct process *process)
{
    struct transaction *transaction = process->transaction;
    process->transaction = NULL;
    if (transaction == NULL)
        return;
    mark(world->marks, MARK_CRASH_IN_COMMIT);
    bool is_kept = chance_is(&world->chance[CHANCE_FAULTS], 500000);
    if (!transaction->is_decided && !is_kept)
        transaction->is_lost = true;
    if (!transaction->is_decided && is_kept && transaction->vault->is_embedded)
        runner_apply(world, transaction);
    bool is_there = transaction->is_kept || (!transaction->is_decided && !transaction->is_lost);
    mark(world->marks, is_there ? MARK_CRASH_KEPT : MARK_CRASH_LOST);
    transaction_release(transaction);
}

static void crash_one(struct world *world, uint32_t index)
{
    struct process *process = &world->process[index];
    if (process->state == PROCESS_DOWN)
        return;
    world_tell(world, "%s dies", process->name);
    if (process->state == PROCESS_IDLE)
        mark(world->marks, MARK_CRASH_IDLE);
    if (process->state == PROCESS_PERFORMING && process->out.effect_count > 0)
        mark(world->marks, MARK_CRASH_UNSAID);
    leave_transaction(world, process);
    process->state = PROCESS_DOWN;
    empty_inbox(process);
    for (uint32_t i = 0; i < process->deferred_count; i++)
        runner_drop(&process->deferred[i]);
    process->deferred_count = 0;
    net_forget(world, index);
    if (world->cast->died != NULL)
        world->cast->died(world, process);
}

void process_crash(struct world *world, uint32_t index)
{
    crash_one(world, index);
    for (uint32_t i = 0; i < world->processes; i++)
        if (world->process[i].twin == index)
            crash_one(world, i);
}

void process_pause(struct world *world, uint32_t index, uint64_t for_ns)
{
    struct process *process = &world->process[index];
    if (process->state == PROCESS_DOWN || process->is_paused)
        return;
    if (process->state == PROCESS_COMMITTING)
        mark(world->marks, MARK_PAUSE_IN_COMMIT);
    world_tell(world, "%s stands still for %llu ms", process->name,
               (unsigned long long) (for_ns / NS_PER_MS));
    process->is_paused = true;
    process->resume_ns = world->now_ns + for_ns;
    world_after(world, for_ns, HAPPEN_RESUME, index, process->incarnation, NULL);
    for (uint32_t i = 0; i < world->processes; i++)
        if (world->process[i].twin == index)
            process_pause(world, i, for_ns);
}

/* What was deferred happens now, in the order in which it would have happened. */
void process_resume(struct world *world, uint32_t index)
{
    struct process *process = &world->process[index];
    if (process->state == PROCESS_DOWN || !process->is_paused)
        return;
    world_tell(world, "%s goes on", process->name);
    if (process->inbox_count > 8)
        mark(world->marks, MARK_PAUSE_INBOX);
    process->is_paused = false;
    for (uint32_t i = 0; i < process->deferred_count; i++) {
        const struct happening *late = &process->deferred[i];
        world_after(world, 0, late->kind, late->who, late->serial, late->data);
    }
    process->deferred_count = 0;
}

static void grow_inbox(struct process *process)
{
    uint32_t         capacity = process->inbox_capacity == 0 ? 64 : process->inbox_capacity * 2;
    struct delivery *inbox = memory_new(capacity * sizeof *inbox);
    for (uint32_t i = 0; i < process->inbox_count; i++)
        inbox[i] = process->inbox[(process->inbox_first + i) % process->inbox_capacity];
    free(process->inbox);
    process->inbox = inbox;
    process->inbox_first = 0;
    process->inbox_capacity = capacity;
}

void process_deliver(struct world *world, uint32_t index, const struct delivery *delivery)
{
    struct process *process = &world->process[index];
    assert(process->state != PROCESS_DOWN);
    if (process->inbox_count == process->inbox_capacity)
        grow_inbox(process);
    uint32_t at = (process->inbox_first + process->inbox_count) % process->inbox_capacity;
    process->inbox[at] = *delivery;
    process->inbox_count++;
    if (process->state == PROCESS_IDLE && !process->has_turn && process->ops != NULL) {
        process->has_turn = true;
        uint64_t in_ns = chance_wait(&world->chance[CHANCE_RUNNER], NS_PER_MS / 10);
        world_after(world, in_ns, HAPPEN_TURN, index, process->incarnation, NULL);
    }
}

static void defer(struct process *process, const struct happening *happening)
{
    if (process->deferred_count == process->deferred_capacity) {
        process->deferred_capacity =
            process->deferred_capacity == 0 ? 16 : process->deferred_capacity * 2;
        process->deferred =
            memory_again(process->deferred, process->deferred_capacity * sizeof *process->deferred);
    }
    process->deferred[process->deferred_count++] = *happening;
}

void process_happening(struct world *world, const struct happening *happening)
{
    struct process *process = &world->process[happening->who];
    bool is_mine = process->state != PROCESS_DOWN && process->incarnation == happening->serial;
    if (happening->kind == HAPPEN_APPLY) {
        struct transaction *transaction = happening->data;
        /* A server goes on without its client; a store within the process stands still with it. */
        if (is_mine && process->is_paused && transaction->vault->is_embedded) {
            defer(process, happening);
            return;
        }
        runner_apply(world, transaction);
        transaction_release(transaction);
        return;
    }
    if (!is_mine) {
        runner_drop(happening);
        return;
    }
    if (happening->kind == HAPPEN_RESUME)
        process_resume(world, happening->who);
    else if (process->is_paused)
        defer(process, happening);
    else
        runner_happening(world, process, happening);
}

void process_free(struct process *process)
{
    empty_inbox(process);
    for (uint32_t i = 0; i < process->deferred_count; i++)
        runner_drop(&process->deferred[i]);
    if (process->transaction != NULL)
        transaction_release(process->transaction);
    free(process->inbox);
    free(process->deferred);
    free(process->core);
    free(process->out_memory);
    free(process->settings);
}
