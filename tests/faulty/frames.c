/* frames.c: see frames.h. */
#include "frames.h"

#include <assert.h>
#include <string.h>

#include "faults.h"
#include "shell/shell.h"

WRAPPED(int, shell_run, (struct shell *, void *, const struct core_ops *) );

/* A process runs one core in each of its threads, for good. */
static _Thread_local const struct core_ops *own;

static void step(void *core, const struct event *event, struct outbox *out)
{
    own->step(core, event, out);
}

/* Effects are moved, not copied: what a fault adds takes the place of what it took out, or of spare room. */
static void spoil(struct outbox *out)
{
    struct effect *given = outbox_take(out, out->effect_count * sizeof *given);
    uint32_t       count = out->effect_count;
    memcpy(given, out->effects, count * sizeof *given);
    out->effect_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct effect later = { 0 };
        bool          is_said = spoil_effect(&given[i], &later, out);
        assert(out->effect_count + 2 <= out->effects_max);
        if (is_said)
            out->effects[out->effect_count++] = given[i];
        if (later.header.kind != 0)
            out->effects[out->effect_count++] = later;
    }
}

static void settle(void *core, enum store_outcome outcome, struct outbox *out)
{
    own->settle(core, outcome, out);
    if (!fault_is(FAULT_NONE))
        spoil(out);
}

int planted_shell_run(struct shell *shell, void *core, const struct core_ops *ops)
{
    const struct core_ops spoiled = { .step = step, .settle = settle, .schema = ops->schema };
    own = ops;
    return real_shell_run(shell, core, &spoiled);
}
