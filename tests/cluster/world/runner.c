/* runner.c: a process's loop, cut in pieces wherever it can be stopped; see runner.h. */
#include "runner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/bugs.h"
#include "contract/directory.pb-c.h"
#include "memory.h"
#include "world.h"

/* Restarted by its supervisor after it ended by itself. */
#define EXIT_TO_BOOT_NS (500u * NS_PER_MS)
#define ROWS_AT_ONCE 64u
/* So often in a million, while the fault is on. */
#define BUSY_RATE 60000u
#define UNKNOWN_RATE 40000u
#define READ_FAILS_RATE 500u
#define EARLY_RATE 200000u

/* An answer of the store on its way. */
struct reading {
    struct query  query;
    struct vault *vault;
    uint8_t       bytes[ROW_KEY_MAX + 2][64]; /* What its cells point to.                      */
};

void transaction_release(struct transaction *transaction)
{
    if (--transaction->refs == 0)
        transaction_free(transaction);
}

static void next(struct world *world, struct process *process, uint64_t mean_ns,
                 enum happening_kind kind)
{
    uint64_t in_ns = chance_wait(&world->chance[CHANCE_RUNNER], mean_ns);
    world_after(world, in_ns, kind, process_index(world, process), process->incarnation, NULL);
}

static void begin_commit(struct world *world, struct process *process)
{
    struct chance      *chance = &world->chance[CHANCE_STORE];
    struct outbox      *out = &process->out;
    struct transaction *transaction =
        transaction_new(process->vault, out->rows, out->row_count, out->fences, out->fence_count);
    transaction->process = process_index(world, process);
    transaction->incarnation = process->incarnation;
    transaction->begun_ns = world->now_ns;
    transaction->refs = 2;
    uint64_t mean_ns = world_breaks(world, FAULT_SLOW) ? world->plan.store_latency_ns * 10
                                                       : world->plan.store_latency_ns / 4;
    uint64_t there_ns = chance_wait(chance, mean_ns);
    uint64_t back_ns = chance_wait(chance, mean_ns);
    bool     is_busy = chance_is(chance, BUSY_RATE);
    bool     is_unknown = chance_is(chance, UNKNOWN_RATE);
    uint64_t fate = chance_below(chance, 3);
    transaction->is_busy = is_busy && world_breaks(world, FAULT_BUSY);
    transaction->is_unknown = is_unknown && world_breaks(world, FAULT_UNKNOWN);
    transaction->is_lost = transaction->is_unknown && fate == 0;
    /* A server may get to it only when its client has given it up. */
    bool is_late = transaction->is_unknown && fate == 1 && !process->vault->is_embedded;
    process->transaction = transaction;
    process->state = PROCESS_COMMITTING;
    world_after(world, is_late ? there_ns + back_ns + there_ns : there_ns, HAPPEN_APPLY,
                transaction->process, process->incarnation, transaction);
    world_after(world, there_ns + back_ns, HAPPEN_SETTLE, transaction->process,
                process->incarnation, NULL);
}

static void mark_outcome(struct world *world, enum store_outcome outcome)
{
    if (outcome == STORE_FULL)
        mark(world->marks, MARK_COMMIT_FULL);
    if (outcome == STORE_BUSY)
        mark(world->marks, MARK_COMMIT_BUSY);
    if (outcome == STORE_OLD_EPOCH)
        mark(world->marks, MARK_COMMIT_OLD_EPOCH);
}

void runner_apply(struct world *world, struct transaction *transaction)
{
    if (transaction->is_decided)
        return;
    transaction->is_decided = true;
    if (transaction->is_lost)
        return;
    struct process *process = &world->process[transaction->process];
    transaction->outcome =
        transaction->is_busy ? STORE_BUSY : vault_decide(transaction->vault, transaction);
    transaction->is_kept = transaction->outcome == STORE_COMMITTED;
    world_mix(world, transaction->outcome);
    mark_outcome(world, transaction->outcome);
    if (process->transaction != transaction && transaction->is_kept)
        mark(world->marks, MARK_COMMIT_LATE);
    world_tell(world, "%s commits %u rows: outcome %u", process->name, transaction->row_count,
               transaction->outcome);
    if (transaction->is_kept && world->cast->kept != NULL)
        world->cast->kept(world, transaction);
}

/* Tells the core what became of its batch. What it had wanted to say is unsaid if it was not kept.
 * What settling wants to keep besides waits for a commit of its own, and so does what it says of
 * that. */
static void settle(struct world *world, struct process *process, enum store_outcome outcome)
{
    struct outbox *out = &process->out;
    if (outcome != STORE_COMMITTED)
        outbox_reset(out);
    process->said = out->effect_count;
    out->row_count = out->fence_count = 0;
    out->wants_commit = false;
    process->ops->settle(process->core, outcome, out);
    if (out->row_count == 0 && out->fence_count == 0)
        process->said = out->effect_count;
    process->state = PROCESS_PERFORMING;
    next(world, process, NS_PER_MS / 2, HAPPEN_PERFORM);
}

/* A process of its own store that does not know what is on its disk ends, and reads it again. */
static void give_up(struct world *world, struct process *process)
{
    uint32_t index = process_index(world, process);
    process_crash(world, index);
    world_after(world, EXIT_TO_BOOT_NS, HAPPEN_BOOT, index, process->incarnation, NULL);
}

static void settle_commit(struct world *world, struct process *process)
{
    struct transaction *transaction = process->transaction;
    process->transaction = NULL;
    enum store_outcome outcome = transaction->outcome;
    if (transaction->is_unknown || !transaction->is_decided) {
        outcome = STORE_UNKNOWN;
        mark(world->marks,
             transaction->is_kept ? MARK_COMMIT_UNKNOWN_KEPT : MARK_COMMIT_UNKNOWN_LOST);
    }
    transaction_release(transaction);
    world_tell(world, "%s hears: outcome %u", process->name, outcome);
    outcome = bugs_in_outcome(world, process, outcome);
    if (outcome == STORE_UNKNOWN && process->vault->is_embedded)
        give_up(world, process);
    else
        settle(world, process, outcome);
}

static void finish_batch(struct world *world, struct process *process)
{
    bugs_in_batch(world, process);
    if (process->out.row_count == 0 && process->out.fence_count == 0)
        settle(world, process, STORE_COMMITTED);
    else if (process->vault == NULL || process->only_reads)
        world_fail(world, "shell", "%s has nothing to keep rows in", process->name);
    else
        begin_commit(world, process);
}

static void turn(struct world *world, struct process *process)
{
    struct chance *chance = &world->chance[CHANCE_RUNNER];
    uint64_t       most = chance_between(chance, 1, 64);
    process->has_turn = false;
    if (process->state != PROCESS_IDLE)
        return;
    if (world_breaks(world, FAULT_SMALL))
        most = 1;
    uint64_t done = 0;
    if (!process->is_started)
        step_started(world, process);
    /* A shell takes what has arrived before it tells the time. Here the time comes first, but not
     * twice while something waits. Otherwise a core that wants each step committed would never hear
     * anything else. */
    bool has_time = process->is_woken && !process->is_owed;
    if (has_time)
        step_time(world, process);
    process->is_owed = has_time && process->inbox_count > 0 && outbox_is_full(&process->out);
    while (process->inbox_count > 0 && done++ < most && !outbox_is_full(&process->out)) {
        struct delivery delivery = process->inbox[process->inbox_first];
        process->inbox_first = (process->inbox_first + 1) % process->inbox_capacity;
        process->inbox_count--;
        step_delivery(world, process, &delivery);
        if (delivery.frame != NULL)
            frame_release(delivery.frame);
        vault_row_release(delivery.row);
    }
    if (done > 2 && process->out.row_count > 0)
        mark(world->marks, MARK_BATCH_OF_MANY);
    process->batches++;
    finish_batch(world, process);
}

static void keep_bytes(struct cell *cell, uint8_t bytes[64])
{
    if (cell->kind < CELL_BYTES)
        return;
    assert(cell->size <= 64);
    if (cell->size > 0)
        memcpy(bytes, cell->bytes, cell->size);
    cell->bytes = bytes;
}

static void begin_read(struct world *world, struct process *process, const struct query *query)
{
    struct reading *reading = memory_new(sizeof *reading);
    reading->query = *query;
    reading->vault = process->vault;
    bugs_in_query(world, process, &reading->query);
    for (uint32_t i = 0; i < query->prefix_count; i++)
        keep_bytes(&reading->query.prefix[i], reading->bytes[i]);
    if (query->has_from)
        keep_bytes(&reading->query.from, reading->bytes[ROW_KEY_MAX]);
    if (query->has_to)
        keep_bytes(&reading->query.to, reading->bytes[ROW_KEY_MAX + 1]);
    uint64_t in_ns = chance_wait(&world->chance[CHANCE_STORE], NS_PER_MS);
    /* Answers come in the order of the questions. */
    uint64_t at_ns = world->now_ns + in_ns;
    if (at_ns <= process->read_ns)
        at_ns = process->read_ns + 1;
    process->read_ns = at_ns;
    world_after(world, at_ns - world->now_ns, HAPPEN_READ, process_index(world, process),
                process->incarnation, reading);
}

static void read_rows(struct world *world, struct process *process, struct reading *reading)
{
    struct chance     *chance = &world->chance[CHANCE_STORE];
    struct vault_row **rows;
    uint32_t           index = process_index(world, process);
    uint32_t           count = vault_read(reading->vault, &reading->query, &rows);
    bool               fails = chance_is(chance, READ_FAILS_RATE);
    uint64_t           part = chance_below(chance, (uint64_t) count + 1);
    bool               has_failed = fails && world_breaks(world, FAULT_READ);
    uint32_t           given = has_failed ? (uint32_t) part : bugs_in_read(world, process, count);
    if (has_failed)
        mark(world->marks, MARK_READ_FAILED);
    for (uint32_t i = 0; i < count; i++) {
        struct delivery delivery = { .kind = EVENT_ROW, .tag = reading->query.tag, .row = rows[i] };
        if (i < given)
            process_deliver(world, index, &delivery);
        else
            vault_row_release(rows[i]);
    }
    struct delivery end = {
        .kind = EVENT_READ_DONE, .tag = reading->query.tag, .rows = given, .failed = has_failed
    };
    process_deliver(world, index, &end);
    world_mix(world, given);
    free(rows);
    free(reading);
}

/* Admissions count from the moment in which they are performed. */
static void admit(struct process *process, const Arbiter__Directory__Directory *directory)
{
    process->admissions = 0;
    for (size_t i = 0; i < directory->n_admissions; i++) {
        const Arbiter__Directory__Admission *from = directory->admissions[i];
        bool                                 is_banned = false;
        for (size_t b = 0; b < directory->n_bans; b++)
            if (directory->bans[b].len == CALLER_KEY_SIZE &&
                memcmp(directory->bans[b].data, from->key.data, CALLER_KEY_SIZE) == 0)
                is_banned = true;
        assert(process->admissions < ADMISSIONS_MAX && from->key.len == CALLER_KEY_SIZE);
        if (is_banned)
            continue;
        struct admission *admission = &process->admission[process->admissions++];
        memcpy(admission->key, from->key.data, CALLER_KEY_SIZE);
        admission->role = from->role;
    }
}

/* Threads of one process know the same people. */
static void admit_all(struct world *world, struct process *process,
                      const Arbiter__Directory__Directory *directory)
{
    uint32_t index = process_index(world, process);
    admit(process, directory);
    for (uint32_t i = 0; i < world->processes; i++)
        if (world->process[i].twin == index)
            admit(&world->process[i], directory);
}

static void perform_one(struct world *world, struct process *process, struct effect *effect)
{
    if (!bugs_in_effect(world, process, effect))
        return;
    if (world->cast->sent != NULL)
        world->cast->sent(world, process, effect);
    switch (effect->kind) {
    case EFFECT_SEND: net_send(world, process, effect); break;
    case EFFECT_PUBLISH: net_publish(world, process, effect); break;
    case EFFECT_CONNECT: net_connect(world, process, effect); break;
    case EFFECT_DISCONNECT: net_disconnect(world, process, effect->route); break;
    case EFFECT_LISTEN:
    case EFFECT_UNLISTEN: net_listen(world, process, effect); break;
    case EFFECT_ADMIT:
        admit_all(world, process,
                  (const Arbiter__Directory__Directory *) (const void *) effect->body);
        break;
    case EFFECT_READ: begin_read(world, process, effect->query); break;
    case EFFECT_SAY: world_tell(world, "%s says: %s", process->name, effect->text->bytes); break;
    case EFFECT_TOOK: break; /* Nothing takes time here but what is simulated. */
    case EFFECT_EXIT: process->has_exited = true; break;
    }
}

static void plan_wake(struct world *world, struct process *process)
{
    uint64_t wake_ms = process->out.wake_ms;
    if (wake_ms == NO_WAKE || wake_ms >= process->wake_ms)
        return;
    struct chance *chance = &world->chance[CHANCE_RUNNER];
    uint64_t       now_ms = process_now_ms(world, process);
    uint64_t       in_ms = wake_ms > now_ms ? wake_ms - now_ms : 0;
    bool           is_early = chance_is(chance, EARLY_RATE);
    uint64_t       early_ms = chance_below(chance, in_ms + 1);
    if (is_early && world_breaks(world, FAULT_EARLY))
        in_ms = early_ms;
    process->wake_ms = wake_ms;
    world_after(world, in_ms * NS_PER_MS + 1, HAPPEN_WAKE, process_index(world, process),
                process->incarnation, NULL);
}

static void rest(struct world *world, struct process *process)
{
    outbox_reset(&process->out);
    process->state = PROCESS_IDLE;
    plan_wake(world, process);
    if (!process->has_turn && (process->inbox_count > 0 || process->is_woken)) {
        process->has_turn = true;
        next(world, process, NS_PER_MS / 20, HAPPEN_TURN);
    }
}

static void perform(struct world *world, struct process *process)
{
    struct outbox *out = &process->out;
    for (uint32_t i = 0; i < process->said && !process->has_exited; i++)
        perform_one(world, process, &out->effects[i]);
    out->effect_count -= process->said;
    memmove(out->effects, out->effects + process->said, out->effect_count * sizeof out->effects[0]);
    if (process->has_exited)
        give_up(world, process);
    else if (out->row_count > 0 || out->fence_count > 0)
        finish_batch(world, process);
    else
        rest(world, process);
}

static void wake(struct world *world, struct process *process)
{
    process->wake_ms = NO_WAKE;
    if (process->out.wake_ms == NO_WAKE)
        return;
    process->is_woken = true;
    if (process->state == PROCESS_IDLE && !process->has_turn) {
        process->has_turn = true;
        next(world, process, NS_PER_MS / 20, HAPPEN_TURN);
    }
}

void runner_happening(struct world *world, struct process *process,
                      const struct happening *happening)
{
    switch (happening->kind) {
    case HAPPEN_TURN: turn(world, process); break;
    case HAPPEN_SETTLE: settle_commit(world, process); break;
    case HAPPEN_PERFORM: perform(world, process); break;
    case HAPPEN_WAKE: wake(world, process); break;
    case HAPPEN_READ: read_rows(world, process, happening->data); break;
    default: assert(false);
    }
}

void runner_drop(const struct happening *happening)
{
    if (happening->kind == HAPPEN_APPLY)
        transaction_release(happening->data);
    else if (happening->kind == HAPPEN_READ)
        free(happening->data);
}
