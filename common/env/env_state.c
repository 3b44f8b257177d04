/* env_state.c: matches as copies and as bytes, and how large everything is.
 *
 *     save = mark (4) rules (4) layout (4) state's bytes (4) seats (4) words of notes (4) set-up's hash (8)
 *            number (8) seed (8) players' dice, core, notes
 *     core = dice, state
 *
 * Numbers are written as they lie in memory: bytes are for the machine that wrote them. */
#include <string.h>

#include "dice/kinds.h"
#include "env/env_private.h"

#define SAVE_MARK 0x41524201u

struct front {
    uint32_t mark, version, layout, state_bytes, seats, notes;
    uint64_t setup, number, seed;
};

/* Notes of all seats; of a game that has none, or where nobody listens, there are none to copy. */
static uint32_t notes_of(const struct arbiter_rules *rules)
{
    const struct foresight *foresight = rules->terms.game->foresight;
    return foresight != NULL ? rules->terms.seats * foresight->notes_words : 0;
}

static struct front front_of(const struct arbiter_env *env)
{
    const struct match_terms *terms = &env->rules->terms;
    return (struct front){ .mark = SAVE_MARK,
                           .version = terms->game->version,
                           .layout = terms->game->layout,
                           .state_bytes = terms->bounds.state_bytes,
                           .seats = terms->seats,
                           .notes = notes_of(env->rules),
                           .setup = env->rules->setup_hash,
                           .number = env->match->number,
                           .seed = env->seed };
}

static size_t core_bytes(const struct arbiter_rules *rules)
{
    return DICE_SAVED_BYTES + rules->terms.bounds.state_bytes;
}

static size_t save_bytes(const struct arbiter_rules *rules)
{
    return sizeof(struct front) + DICE_SAVED_BYTES + core_bytes(rules) +
           notes_of(rules) * sizeof(word);
}

void arbiter_rules_shape(const struct arbiter_rules *rules, struct arbiter_shape *shape)
{
    *shape = (struct arbiter_shape){ .seats = rules->terms.seats,
                                     .actions = rules->actions,
                                     .cells = rules->cells,
                                     .fields = rules->op_count,
                                     .most = rules->most,
                                     .view_words = rules->terms.bounds.view_words,
                                     .text_bytes = rules->terms.bounds.text_bytes,
                                     .version = rules->terms.game->version,
                                     .core_bytes = core_bytes(rules),
                                     .save_bytes = save_bytes(rules) };
}

void arbiter_env_core(const struct arbiter_env *env, uint8_t *bytes)
{
    dice_save(&env->match->dice, bytes);
    memcpy(bytes + DICE_SAVED_BYTES, env->match->state, env->rules->terms.bounds.state_bytes);
}

void arbiter_env_save(const struct arbiter_env *env, uint8_t *bytes)
{
    struct front front = front_of(env);
    size_t       notes = front.notes * sizeof(word);
    memcpy(bytes, &front, sizeof front);
    bytes += sizeof front;
    dice_save(&env->policy.dice, bytes);
    bytes += DICE_SAVED_BYTES;
    arbiter_env_core(env, bytes);
    bytes += core_bytes(env->rules);
    if (env->thinker_memory != NULL)
        memcpy(bytes, env->thinker.notes, notes);
    else
        memset(bytes, 0, notes);
}

bool arbiter_env_load(struct arbiter_env *env, const uint8_t *bytes, size_t size)
{
    struct front front, ours = front_of(env);
    struct dice  players, dice;
    if (size != save_bytes(env->rules))
        return false;
    memcpy(&front, bytes, sizeof front);
    ours.number = front.number;
    ours.seed = front.seed;
    const uint8_t *at = bytes + sizeof front;
    if (memcmp(&front, &ours, sizeof front) != 0 || !dice_load(&players, at) ||
        !dice_load(&dice, at + DICE_SAVED_BYTES))
        return false;
    at += 2 * DICE_SAVED_BYTES;
    env->policy.dice = players;
    env->match->dice = dice;
    env->match->number = front.number;
    env->seed = front.seed;
    memcpy(env->match->state, at, front.state_bytes);
    if (env->thinker_memory != NULL)
        memcpy(env->thinker.notes, at + front.state_bytes, front.notes * sizeof(word));
    env_go_on(env, NO_PREFERENCE);
    return true;
}

void arbiter_env_copy(struct arbiter_env *env, const struct arbiter_env *from)
{
    assert(env->rules == from->rules);
    memcpy(env->match, from->match, match_bytes(&from->rules->terms));
    env->policy.dice = from->policy.dice;
    env->seed = from->seed;
    if (env->thinker_memory != NULL && from->thinker_memory != NULL)
        memcpy(env->thinker.notes, from->thinker.notes, notes_of(env->rules) * sizeof(word));
    else if (env->thinker_memory != NULL)
        thinker_begin(&env->thinker); /* Nobody listened there. */
    env_go_on(env, from->seat < 0 ? NO_PREFERENCE : (uint32_t) from->seat);
}

/* Which of a pattern's values this is; its count: none of them. */
static uint32_t place_of(const struct legal *list, const struct pattern_arg *arg, word value)
{
    uint32_t place = 0;
    while (place < arg->count && list->value[arg->first + place] != value)
        place++;
    return place;
}

/* Where the command stands in what this pattern stands for; `count`, all of these: nowhere. */
static uint64_t place_in(const struct legal *list, const struct pattern *pattern,
                         const struct arbiter_command *command, uint64_t *count)
{
    uint64_t place = 0;
    bool     is_here = pattern->kind == command->kind;
    *count = 1;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++) {
        if (i >= pattern->args) {
            is_here = is_here && command->arg[i] == ABSENT;
            continue;
        }
        uint32_t nth = place_of(list, &pattern->arg[i], command->arg[i]);
        is_here = is_here && nth < pattern->arg[i].count;
        place = place * pattern->arg[i].count + nth;
        *count *= pattern->arg[i].count;
    }
    return is_here ? place : *count;
}

bool arbiter_env_find(const struct arbiter_env *env, const struct arbiter_command *command,
                      uint64_t *action)
{
    uint64_t before = 0;
    if (env->proposes || env->seat < 0 || command->text_size > 0)
        return false;
    for (uint32_t i = 0; i < env->list.patterns; i++) {
        uint64_t count, place = place_in(&env->list, &env->list.pattern[i], command, &count);
        *action = before + place;
        if (place < count)
            return true;
        before += count;
    }
    return false;
}
