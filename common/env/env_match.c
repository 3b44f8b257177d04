/* env_match.c: one match: begun, asked, played on. */
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "env/env_private.h"

/* Memory. What has no room is given back, and NULL is told. */

struct env_scratch *env_scratch_new(const struct arbiter_rules *rules)
{
    struct env_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->room_memory = malloc(match_room_bytes(&rules->terms));
    scratch->view_memory = malloc(rules->terms.bounds.view_words * sizeof(word));
    scratch->policy_memory = malloc(policy_bytes(&rules->terms) + 1);
    if (scratch->room_memory == NULL || scratch->view_memory == NULL ||
        scratch->policy_memory == NULL) {
        env_scratch_free(scratch);
        return NULL;
    }
    match_room_init(&scratch->room, &rules->terms, scratch->room_memory);
    scratch->view =
        (struct sink){ .words = scratch->view_memory, .capacity = rules->terms.bounds.view_words };
    return scratch;
}

void env_scratch_free(struct env_scratch *scratch)
{
    if (scratch == NULL)
        return;
    free(scratch->room_memory);
    free(scratch->view_memory);
    free(scratch->policy_memory);
    free(scratch);
}

bool env_thinks(struct arbiter_env *env, uint32_t tree)
{
    const struct match_terms *terms = &env->rules->terms;
    if (terms->game->foresight == NULL || tree <= env->tree)
        return tree <= env->tree;
    struct thinker larger;
    void          *memory = malloc(thinker_bytes(terms, tree));
    if (memory == NULL)
        return false;
    thinker_init(&larger, terms, tree, memory);
    if (env->thinker_memory != NULL)
        memcpy(larger.notes, env->thinker.notes,
               (size_t) terms->seats * terms->game->foresight->notes_words * sizeof(word));
    free(env->thinker_memory);
    env->thinker = larger;
    env->thinker_memory = memory;
    env->tree = tree;
    return true;
}

#define EARS_ONLY 2u /* Nodes of who does not think yet. */

struct arbiter_env *env_new(const struct arbiter_rules *rules, struct env_scratch *scratch,
                            bool hears)
{
    const struct bounds *bounds = &rules->terms.bounds;
    struct arbiter_env  *env = calloc(1, sizeof *env);
    if (env == NULL)
        return NULL;
    env->rules = rules;
    env->scratch = scratch;
    env->match = calloc(1, match_bytes(&rules->terms));
    env->list.pattern = calloc(bounds->legal_patterns + 1, sizeof *env->list.pattern);
    env->list.value = calloc(bounds->legal_values + 1, sizeof *env->list.value);
    env->list.patterns_max = bounds->legal_patterns;
    env->list.values_max = bounds->legal_values;
    bool listens = !hears || rules->terms.game->foresight == NULL || env_thinks(env, EARS_ONLY);
    if (env->match == NULL || env->list.pattern == NULL || env->list.value == NULL || !listens) {
        arbiter_env_free(env);
        return NULL;
    }
    policy_init(&env->policy, POLICY_RANDOM, 0, 0, &rules->terms, scratch->policy_memory);
    env->seat = ARBITER_NOBODY;
    return env;
}

struct arbiter_env *arbiter_env_new(const struct arbiter_rules *rules)
{
    struct env_scratch *scratch = env_scratch_new(rules);
    struct arbiter_env *env = scratch != NULL ? env_new(rules, scratch, true) : NULL;
    if (env == NULL) {
        env_scratch_free(scratch);
        return NULL;
    }
    env->owns_scratch = true;
    arbiter_env_reset(env, 1);
    return env;
}

void arbiter_env_free(struct arbiter_env *env)
{
    if (env == NULL)
        return;
    if (env->owns_scratch)
        env_scratch_free(env->scratch);
    free(env->match);
    free(env->list.pattern);
    free(env->list.value);
    free(env->thinker_memory);
    free(env);
}

/* What the seat may do, listed. */

static void count_offered(struct arbiter_env *env)
{
    const struct arbiter_rules *rules = env->rules;
    uint32_t                    usual = legal_usual_first(&env->list, rules->terms.game->commands);
    struct legal                part = env->list;
    part.patterns = usual;
    uint64_t offered = env->legal = legal_count(&env->list);
    if (!rules->gives_up && usual > 0)
        offered = legal_count(&part);
    /* What no list can hold, the rules propose: half a map. */
    env->proposes = env->legal == 0 && rules->terms.game->propose != NULL;
    if (env->proposes)
        env->legal = offered = 1;
    env->offered = offered < rules->actions ? (uint32_t) offered : rules->actions;
}

void env_look(struct arbiter_env *env, uint32_t prefers)
{
    env->is_cut = env->rules->most > 0 && env->match->number > env->rules->most;
    env->asked = env->is_cut ? 0 : match_to_act(env->match);
    env->legal = env->offered = 0;
    env->proposes = false;
    env->seat = ARBITER_NOBODY;
    if (env->asked == 0)
        return;
    bool is_asked = prefers < SEATS_MAX && (env->asked >> prefers & 1) != 0;
    env->seat = is_asked ? (int32_t) prefers : __builtin_ctz(env->asked);
    match_legal(env->match, (uint32_t) env->seat, &env->list);
    count_offered(env);
}

static void hear(struct arbiter_env *env)
{
    if (env->thinker_memory != NULL)
        thinker_hear(&env->thinker, &env->scratch->act);
}

/* The sink is emptied, or closed where nobody listens. */
static struct match_room *room_of(struct arbiter_env *env)
{
    struct match_room *room = &env->scratch->room;
    room->sink.words = env->thinker_memory != NULL ? env->scratch->room_memory : NULL;
    return room;
}

bool env_choose(struct arbiter_env *env, const struct policy_choice *how, uint32_t seat,
                struct command *command)
{
    env->policy.kind = how->kind;
    if (how->kind == POLICY_SEARCH)
        return thinker_pick(&env->thinker, &env->policy, env->match, seat, &how->skill, command);
    return policy_pick(&env->policy, env->match, seat, command);
}

static bool play(struct arbiter_env *env, uint32_t seat, const struct command *command,
                 verdict *judged)
{
    struct match_room *room = room_of(env);
    *judged = match_play(env->match, seat, command, room, &env->scratch->act);
    if (*judged != ACCEPTED)
        return false;
    hear(env);
    return true;
}

void env_go_on(struct arbiter_env *env, uint32_t prefers)
{
    env_look(env, prefers);
    while ((env->asked & env->played) != 0) {
        uint32_t       seat = (uint32_t) __builtin_ctz(env->asked & env->played);
        struct command command;
        verdict        judged;
        bool           moved =
            env_choose(env, &env->how[seat], seat, &command) && play(env, seat, &command, &judged);
        assert(moved); /* A seat that is asked has something to do. */
        env_look(env, prefers);
    }
}

/* For who plays. */

bool arbiter_env_player(struct arbiter_env *env, uint32_t seat, const char *player)
{
    struct policy_choice how;
    if (seat >= env->rules->terms.seats)
        return false;
    if (player == NULL) {
        env->played &= ~(1u << seat);
        return true;
    }
    if (!policy_read(player, strlen(player), env->rules->terms.game, &how))
        return false;
    if (how.kind == POLICY_SEARCH && !env_thinks(env, skill_tree(&how.skill)))
        return false;
    env->how[seat] = how;
    env->played |= 1u << seat;
    if (env->match->terms != NULL)
        env_go_on(env, env->seat < 0 ? NO_PREFERENCE : (uint32_t) env->seat);
    return true;
}

void arbiter_env_reset(struct arbiter_env *env, uint64_t seed)
{
    const struct match_terms *terms = &env->rules->terms;
    struct match_begin        begin = { .epoch = 1 };
    struct dice               dice;
    bool                      opened = dice_open(&dice, terms->game->open_dice, seed);
    assert(opened);
    begin.dice = &dice;
    env->seed = seed;
    env->is_cut = false;
    policy_init(&env->policy, POLICY_RANDOM, 1000, seed, terms, env->scratch->policy_memory);
    env->match = match_start(env->match, terms, &begin, room_of(env), &env->scratch->act);
    if (env->thinker_memory != NULL)
        thinker_begin(&env->thinker);
    hear(env);
    env_go_on(env, NO_PREFERENCE);
}

int32_t arbiter_env_seat(const struct arbiter_env *env)
{
    return env->seat;
}

uint32_t arbiter_env_asked(const struct arbiter_env *env)
{
    return env->asked;
}

bool arbiter_env_turn_to(struct arbiter_env *env, uint32_t seat)
{
    if (seat >= SEATS_MAX || (env->asked >> seat & 1) == 0)
        return false;
    env_look(env, seat);
    return true;
}

uint64_t arbiter_env_number(const struct arbiter_env *env)
{
    return env->match->number;
}

bool arbiter_env_is_cut(const struct arbiter_env *env)
{
    return env->is_cut;
}

uint64_t arbiter_env_legal(const struct arbiter_env *env)
{
    return env->legal;
}

uint32_t arbiter_env_mask(const struct arbiter_env *env, uint8_t *mask)
{
    memset(mask, 1, env->offered);
    memset(mask + env->offered, 0, env->rules->actions - env->offered);
    return env->offered;
}

static void tell_command(const struct command *from, struct arbiter_command *to)
{
    *to = (struct arbiter_command){ .kind = from->kind,
                                    .text_size = from->text_size,
                                    .text = from->text };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        to->arg[i] = from->arg[i];
}

/* The command of an action. One that is proposed is drawn by the dice that are handed in. */
static bool command_of(struct arbiter_env *env, uint64_t action, struct dice *dice,
                       struct command *command)
{
    const struct match_terms *terms = &env->rules->terms;
    if (action >= env->legal)
        return false;
    if (!env->proposes) {
        legal_pick(&env->list, action, command);
        return true;
    }
    memset(command, 0, sizeof *command);
    return terms->game->propose(terms->setup, env->match->state, (uint32_t) env->seat, dice,
                                command, env->policy.text, terms->bounds.text_bytes);
}

bool arbiter_env_action(struct arbiter_env *env, uint64_t action, struct arbiter_command *command)
{
    struct dice    dice = env->policy.dice; /* Looking draws nothing. */
    struct command told;
    if (!command_of(env, action, &dice, &told))
        return false;
    tell_command(&told, command);
    return true;
}

bool arbiter_env_step(struct arbiter_env *env, uint64_t action)
{
    struct command command;
    verdict        judged;
    if (!command_of(env, action, &env->policy.dice, &command) ||
        !play(env, (uint32_t) env->seat, &command, &judged))
        return false;
    env_go_on(env, NO_PREFERENCE);
    return true;
}

uint32_t arbiter_env_command(struct arbiter_env *env, uint32_t seat,
                             const struct arbiter_command *command)
{
    struct command asked = { .kind = command->kind,
                             .text_size = command->text_size,
                             .text = command->text };
    verdict        judged;
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        asked.arg[i] = command->arg[i];
    if (env->is_cut || seat >= env->rules->terms.seats || command->text_size > MATCH_TEXT_MAX)
        return UINT32_MAX;
    if (!play(env, seat, &asked, &judged))
        return judged;
    env_go_on(env, NO_PREFERENCE);
    return ACCEPTED;
}

bool arbiter_env_expire(struct arbiter_env *env, uint32_t seats)
{
    if (env->is_cut || !match_expire(env->match, seats, room_of(env), &env->scratch->act))
        return false;
    hear(env);
    env_go_on(env, NO_PREFERENCE);
    return true;
}

bool arbiter_env_pick(struct arbiter_env *env, const char *player, struct arbiter_command *command)
{
    struct policy_choice how;
    struct command       picked;
    if (env->seat < 0 || !policy_read(player, strlen(player), env->rules->terms.game, &how) ||
        (how.kind == POLICY_SEARCH && !env_thinks(env, skill_tree(&how.skill))) ||
        !env_choose(env, &how, (uint32_t) env->seat, &picked))
        return false;
    tell_command(&picked, command);
    return true;
}

void arbiter_env_outcome(const struct arbiter_env *env, int32_t *outcome, int32_t *rank)
{
    uint32_t seats = env->rules->terms.seats;
    memset(outcome, 0, seats * sizeof *outcome);
    memset(rank, 0, seats * sizeof *rank);
    if (match_to_act(env->match) != 0)
        return;
    match_outcome(env->match, outcome);
    for (uint32_t seat = 0; seat < seats; seat++) {
        rank[seat] = 1;
        for (uint32_t other = 0; other < seats; other++)
            rank[seat] += outcome[other] > outcome[seat];
    }
}
