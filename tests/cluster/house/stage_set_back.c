/* stage_set_back.c: the engine's store alone is set back, when all else is healed; and its matches are held.
 *
 * A copy of the journal is made some time before all is healed. Then the engine dies, the copy takes the journal's
 * place, and the engine begins. All lost acts are known to a relay that lives: else nobody could know of them, and
 * the journal is left as it is. What the oracle knows of the lost acts stays true, for they were told; so nothing may
 * come behind the older ones. A journal that is damaged in the middle cannot be opened, until its operator cuts it. */
#include <stdio.h>

#include "campaign/bugs.h"
#include "stage.h"

#define SETTLED_NS (1500 * NS_PER_MS) /* Behind the healing. */
#define CUT_NS (1200 * NS_PER_MS)
#define BOOT_NS (300 * NS_PER_MS)
#define LOOK_ON_NS (8ull * NS_PER_S) /* So long nothing may go on that was set back. */

static bool is_planned(const struct world *world, const struct stage *stage)
{
    return stage->engines == 1 && !stage_has(world, FLAVOUR_UPGRADE) &&
           (plan_has(&world->plan, FAULT_SET_BACK) || plan_has(&world->plan, FAULT_DAMAGED));
}

static bool is_damage(const struct world *world)
{
    return plan_has(&world->plan, FAULT_DAMAGED);
}

static void make_copy(struct world *world, struct stage *stage)
{
    struct set_back *set_back = &stage->set_back;
    if (set_back->copy_ns == 0) {
        struct chance chance;
        chance_init(&chance, world->plan.seed, CHANCE_SET_BACK);
        uint64_t before_ns = chance_between(&chance, 100, 4000) * NS_PER_MS;
        set_back->copy_ns =
            world->plan.safety_ns > before_ns ? world->plan.safety_ns - before_ns : NS_PER_MS;
    }
    if (world->now_ns < set_back->copy_ns)
        return;
    vault_put(stage->oracle.journal, &set_back->copy);
    set_back->has_copy = true;
}

/* The last act of a match that relays which speak with the engine have heard of. */
static uint64_t known(struct world *world, const struct stage *stage, const uint8_t *id)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < stage->fanouts; i++) {
        struct process *fanout = &world->process[stage->fanout[i]];
        bool            is_chained = i > 0 && stage_is_chained(world, stage);
        if (fanout->state == PROCESS_DOWN || !fanout->is_started || is_chained)
            continue;
        uint64_t stands = fanout_stands(fanout->core, id);
        last = stands > last ? stands : last;
    }
    return last;
}

/* Whether a relay that lives was told more of each match than the copy has. */
static bool is_known(struct world *world, const struct stage *stage)
{
    uint32_t lost = 0;
    for (uint32_t m = 0; m < stage->oracle.matches; m++) {
        const struct replica *replica = &stage->oracle.match[m];
        uint32_t              acts = oracle_acts_in(&stage->set_back.copy, replica->id);
        if (acts == replica->count)
            continue;
        if (known(world, stage, replica->id) <= acts)
            return false;
        lost++;
    }
    return lost > 0;
}

static void put_copy(struct world *world, struct stage *stage)
{
    world_tell(world, "the journal is set back");
    vault_put(&stage->set_back.copy, &world->vault[VAULT_JOURNAL]);
    oracle_set_back(world, &stage->oracle);
}

static void boot(struct world *world, const struct stage *stage)
{
    uint32_t engine = stage->engine[0];
    world_after(world, BOOT_NS, HAPPEN_BOOT, engine, world->process[engine].incarnation, NULL);
}

static void set_back(struct world *world, struct stage *stage)
{
    process_crash(world, stage->engine[0]);
    stage->set_back.is_done = true;
    stage->set_back.done_ns = world->now_ns;
    put_copy(world, stage);
    world->vault[VAULT_JOURNAL].is_damaged = is_damage(world);
    if (!is_damage(world) || world->plan.bug == BUG_DAMAGE_UNSEEN)
        boot(world, stage);
    else
        stage->set_back.cut_ns = world->now_ns + CUT_NS;
}

static void cut(struct world *world, struct stage *stage)
{
    world_tell(world, "the operator cuts the damaged journal");
    mark(world->marks, MARK_DAMAGED);
    world->vault[VAULT_JOURNAL].is_damaged = false;
    stage->set_back.cut_ns = 0;
    boot(world, stage);
}

/* Where nothing was set back no relay says so. */
static void check_relays(struct world *world, const struct stage *stage)
{
    for (uint32_t i = 0; i < stage->fanouts && !stage->set_back.is_done; i++) {
        const struct process *fanout = &world->process[stage->fanout[i]];
        if (fanout->state == PROCESS_DOWN || !fanout->is_started)
            continue;
        struct fanout_facts facts = fanout_facts(fanout->core);
        if (facts.forks + facts.rollbacks > 0)
            world_fail(world, "I13", "%s says that a store was set back, and none was",
                       fanout->name);
    }
}

void stage_set_back(struct world *world, struct stage *stage)
{
    struct set_back      *state = &stage->set_back;
    const struct process *engine = &world->process[stage->engine[0]];
    check_relays(world, stage);
    if (!is_planned(world, stage))
        return;
    if (!state->has_copy && !world->is_healed)
        make_copy(world, stage);
    if (state->cut_ns != 0 && world->now_ns >= state->cut_ns)
        cut(world, stage);
    if (state->is_over || !world->is_healed || world->now_ns < world->healed_ns + SETTLED_NS)
        return;
    state->is_over = true;
    if (state->has_copy && engine->state != PROCESS_DOWN && is_known(world, stage))
        set_back(world, stage);
}

bool stage_set_back_is_quiet(struct world *world, struct stage *stage)
{
    const struct set_back *state = &stage->set_back;
    const struct process  *engine = &world->process[stage->engine[0]];
    if (!is_planned(world, stage))
        return true;
    if (!state->is_over || (state->is_done && world->now_ns < state->done_ns + LOOK_ON_NS))
        return false;
    for (uint32_t m = 0; m < stage->oracle.matches && state->is_done; m++) {
        const struct replica *replica = &stage->oracle.match[m];
        if (!replica->is_set_back || engine->state == PROCESS_DOWN ||
            engine_match(engine->core, replica->id) == NULL)
            continue;
        snprintf(world->worry, sizeof world->worry, "match %02x%02x was set back, and is served",
                 replica->id[0], replica->id[1]);
        return false;
    }
    return true;
}
