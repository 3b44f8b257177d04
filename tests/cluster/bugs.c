/* bugs.c: see bugs.h. */
#include "bugs.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "world.h"

#define KIND(name) ARBITER__WIRE__KIND__KIND_##name

static const struct {
    const char *word, *sentence;
} bugs[BUGS_END] = { { "none", "nothing is planted" },
#define BUG(name, word, sentence) { word, sentence },
                     BUGS(BUG)
#undef BUG
};

const char *bug_word(enum bug bug)
{
    return bugs[bug].word;
}

const char *bug_sentence(enum bug bug)
{
    return bugs[bug].sentence;
}

enum bug bug_named(const char *word)
{
    uint32_t bug = 0;
    while (bug < BUGS_END && strcmp(bugs[bug].word, word) != 0)
        bug++;
    return (enum bug) bug;
}

bool bug_is(const struct world *world, const struct process *process, enum bug bug)
{
    return world->plan.bug == (uint32_t) bug &&
           process->role == ARBITER__DIRECTORY__ROLE__ROLE_ENGINE;
}

void bugs_in_event(struct world *world, struct process *process, struct event *event)
{
    (void) world;
    (void) process;
    (void) event;
}

/* Answers go out before the batch is kept; once, and not again behind the commit. */
static void say_early(struct world *world, struct process *process)
{
    struct outbox *out = &process->out;
    uint32_t       kept = 0;
    for (uint32_t i = 0; i < out->effect_count; i++) {
        if (out->effects[i].kind == EFFECT_SEND)
            net_send(world, process, &out->effects[i]);
        else
            out->effects[kept++] = out->effects[i];
    }
    out->effect_count = kept;
}

static void drop_rows(struct process *process, const char *table)
{
    struct outbox *out = &process->out;
    uint32_t       kept = 0;
    for (uint32_t i = 0; i < out->row_count; i++) {
        const char *name = process->ops->schema->tables[out->rows[i]->table].name;
        if (strcmp(name, table) != 0)
            out->rows[kept++] = out->rows[i];
    }
    out->row_count = kept;
}

void bugs_in_batch(struct world *world, struct process *process)
{
    struct outbox *out = &process->out;
    if (bug_is(world, process, BUG_ACK_EARLY) && out->row_count > 0)
        say_early(world, process);
    if (bug_is(world, process, BUG_NO_FENCE))
        out->fence_count = 0;
    if (bug_is(world, process, BUG_ANSWERS_FORGOTTEN))
        drop_rows(process, "answers");
}

enum store_outcome bugs_in_outcome(const struct world *world, const struct process *process,
                                   enum store_outcome outcome)
{
    if (bug_is(world, process, BUG_SETTLE_SKIPPED) && outcome != STORE_COMMITTED)
        return STORE_COMMITTED;
    if (bug_is(world, process, BUG_UNKNOWN_REFUSED) && outcome == STORE_UNKNOWN)
        return STORE_BUSY;
    return outcome;
}

uint32_t bugs_in_read(const struct world *world, const struct process *process, uint32_t rows)
{
    return bug_is(world, process, BUG_READ_SHORT) && rows > 1 ? rows - 1 : rows;
}

/* The last caller's way back, instead of this one's. */
static void swap_route(struct process *process, struct effect *effect)
{
    if (effect->kind != EFFECT_SEND || effect->door == DOOR_PEER)
        return;
    uint64_t mine = effect->route;
    if (process->last_route != 0)
        effect->route = process->last_route;
    process->last_route = mine;
}

bool bugs_in_effect(struct world *world, struct process *process, struct effect *effect)
{
    if (bug_is(world, process, BUG_WRONG_ROUTE))
        swap_route(process, effect);
    return true;
}
