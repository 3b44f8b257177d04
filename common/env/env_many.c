/* env_many.c: many matches at once, on as many threads as the caller wants.
 *
 * Each thread has matches of its own, the first so many, the next so many, and memory that they share. So what comes
 * of a match does not depend on how many threads there are. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "env/env_private.h"

enum work { WORK_RESET, WORK_STEP, WORK_RANDOM, WORK_END };

struct part {
    struct arbiter_envs *envs;
    struct env_scratch  *scratch;
    uint32_t             first, end;
    uint32_t             refused;
    pthread_t            thread;
    bool                 runs;
};

struct arbiter_envs {
    const struct arbiter_rules *rules;
    uint32_t                    matches, parts;
    struct arbiter_env        **env;
    struct dice                *luck; /* Of those who draw an action. */
    struct arbiter_batch        batch;
    struct part                *part;
    const int64_t              *action;
    uint64_t                    seed;

    pthread_mutex_t mutex; /* Over what follows. */
    pthread_cond_t  begins, ends;
    bool            is_open; /* The three above have been made. */
    enum work       work;
    uint64_t        round; /* Of work, so that nobody does one twice. */
    uint32_t        busy;
};

/* One match. */

static void show(struct arbiter_envs *envs, uint32_t i)
{
    struct arbiter_env         *env = envs->env[i];
    const struct arbiter_rules *rules = envs->rules;
    struct arbiter_batch       *batch = &envs->batch;
    uint32_t                    viewer = env->seat < 0 ? ARBITER_SPECTATOR : (uint32_t) env->seat;
    batch->seat[i] = env->seat;
    batch->legal[i] = arbiter_env_mask(env, batch->mask + (size_t) i * rules->actions);
    arbiter_env_observe(env, viewer, batch->cells + (size_t) i * rules->cells);
}

static void reward(struct arbiter_envs *envs, uint32_t i)
{
    int32_t outcome[SEATS_MAX] = { 0 }, rank[SEATS_MAX];
    float  *to = envs->batch.reward + (size_t) i * envs->rules->terms.seats;
    arbiter_env_outcome(envs->env[i], outcome, rank);
    for (uint32_t seat = 0; seat < envs->rules->terms.seats; seat++)
        to[seat] = (float) ((outcome[seat] > 0) - (outcome[seat] < 0));
}

static void begin(struct arbiter_envs *envs, uint32_t i, uint64_t seed)
{
    envs->batch.seed[i] = seed;
    dice_splitmix(&envs->luck[i], seed ^ UINT64_C(0x5851f42d4c957f2d));
    arbiter_env_reset(envs->env[i], seed);
}

static void settle(struct arbiter_envs *envs, uint32_t i)
{
    struct arbiter_env   *env = envs->env[i];
    struct arbiter_batch *batch = &envs->batch;
    uint32_t              seats = envs->rules->terms.seats;
    if (batch->over[i] != ARBITER_GOES_ON)
        memset(batch->reward + (size_t) i * seats, 0, seats * sizeof *batch->reward);
    batch->over[i] = ARBITER_GOES_ON;
    batch->length[i] = 0;
    if (env->seat < 0) {
        batch->over[i] = env->is_cut ? ARBITER_CUT : ARBITER_ENDED;
        batch->length[i] = (uint32_t) (env->match->number - 1);
        reward(envs, i);
        begin(envs, i, batch->seed[i] + envs->matches);
    }
    show(envs, i);
}

static void work_on(struct arbiter_envs *envs, struct part *part, enum work work)
{
    part->refused = 0;
    for (uint32_t i = part->first; i < part->end; i++) {
        struct arbiter_env *env = envs->env[i];
        uint32_t            offered = env->offered;
        uint64_t            action = 0;
        if (work == WORK_RESET) {
            envs->batch.over[i] = ARBITER_ENDED; /* Whatever was rewarded is not any more. */
            begin(envs, i, envs->seed + i);
        } else if (work == WORK_STEP)
            action = envs->action[i] < 0 ? UINT64_MAX : (uint64_t) envs->action[i];
        else if (offered > 0)
            action = draw_below_u64(&envs->luck[i], 0, offered);
        if (work != WORK_RESET && env->seat >= 0 && !arbiter_env_step(env, action))
            part->refused++;
        settle(envs, i);
    }
}

/* Threads. The first part is the caller's. */

static void *run(void *at)
{
    struct part         *part = at;
    struct arbiter_envs *envs = part->envs;
    uint64_t             done = 0;
    pthread_mutex_lock(&envs->mutex);
    while (true) {
        while (envs->round == done)
            pthread_cond_wait(&envs->begins, &envs->mutex);
        done = envs->round;
        enum work work = envs->work;
        if (work == WORK_END)
            break;
        pthread_mutex_unlock(&envs->mutex);
        work_on(envs, part, work);
        pthread_mutex_lock(&envs->mutex);
        if (--envs->busy == 0)
            pthread_cond_signal(&envs->ends);
    }
    pthread_mutex_unlock(&envs->mutex);
    return NULL;
}

static void tell_all(struct arbiter_envs *envs, enum work work)
{
    pthread_mutex_lock(&envs->mutex);
    envs->work = work;
    envs->round++;
    envs->busy = envs->parts - 1;
    pthread_cond_broadcast(&envs->begins);
    pthread_mutex_unlock(&envs->mutex);
}

static uint32_t do_all(struct arbiter_envs *envs, enum work work)
{
    uint32_t refused = 0;
    if (envs->parts > 1)
        tell_all(envs, work);
    work_on(envs, &envs->part[0], work);
    if (envs->parts > 1) {
        pthread_mutex_lock(&envs->mutex);
        while (envs->busy > 0)
            pthread_cond_wait(&envs->ends, &envs->mutex);
        pthread_mutex_unlock(&envs->mutex);
    }
    for (uint32_t i = 0; i < envs->parts; i++)
        refused += envs->part[i].refused;
    return refused;
}

static bool open_batch(struct arbiter_envs *envs)
{
    const struct arbiter_rules *rules = envs->rules;
    struct arbiter_batch       *batch = &envs->batch;
    uint32_t                    count = envs->matches;
    batch->seat = calloc(count, sizeof *batch->seat);
    batch->legal = calloc(count, sizeof *batch->legal);
    batch->mask = calloc(count, rules->actions);
    batch->cells = calloc(count, rules->cells * sizeof *batch->cells);
    batch->reward = calloc(count, rules->terms.seats * sizeof *batch->reward);
    batch->over = calloc(count, sizeof *batch->over);
    batch->seed = calloc(count, sizeof *batch->seed);
    batch->length = calloc(count, sizeof *batch->length);
    envs->luck = calloc(count, sizeof *envs->luck);
    return batch->seat != NULL && batch->legal != NULL && batch->mask != NULL &&
           batch->cells != NULL && batch->reward != NULL && batch->over != NULL &&
           batch->seed != NULL && batch->length != NULL && envs->luck != NULL;
}

static bool open_parts(struct arbiter_envs *envs)
{
    envs->part = calloc(envs->parts, sizeof *envs->part);
    envs->env = calloc(envs->matches, sizeof(struct arbiter_env *));
    if (envs->part == NULL || envs->env == NULL)
        return false;
    for (uint32_t p = 0; p < envs->parts; p++) {
        struct part *part = &envs->part[p];
        part->envs = envs;
        part->first = (uint32_t) ((uint64_t) envs->matches * p / envs->parts);
        part->end = (uint32_t) ((uint64_t) envs->matches * (p + 1) / envs->parts);
        part->scratch = env_scratch_new(envs->rules);
        for (uint32_t i = part->first; i < part->end && part->scratch != NULL; i++)
            envs->env[i] = env_new(envs->rules, part->scratch, false);
        if (part->scratch == NULL || envs->env[part->end - 1] == NULL)
            return false;
    }
    return true;
}

static bool open_threads(struct arbiter_envs *envs)
{
    pthread_mutex_init(&envs->mutex, NULL);
    pthread_cond_init(&envs->begins, NULL);
    pthread_cond_init(&envs->ends, NULL);
    envs->is_open = true;
    for (uint32_t p = 1; p < envs->parts; p++) {
        struct part *part = &envs->part[p];
        part->runs = pthread_create(&part->thread, NULL, run, part) == 0;
        if (!part->runs)
            return false;
    }
    return true;
}

struct arbiter_envs *arbiter_envs_new(const struct arbiter_rules *rules, uint32_t matches,
                                      uint32_t threads)
{
    struct arbiter_envs *envs = matches > 0 ? calloc(1, sizeof *envs) : NULL;
    if (envs == NULL)
        return NULL;
    envs->rules = rules;
    envs->matches = matches;
    envs->parts = threads == 0 ? 1 : threads < matches ? threads : matches;
    if (!open_batch(envs) || !open_parts(envs) || !open_threads(envs)) {
        arbiter_envs_free(envs);
        return NULL;
    }
    arbiter_envs_reset(envs, 1);
    return envs;
}

static void close_threads(struct arbiter_envs *envs)
{
    tell_all(envs, WORK_END);
    for (uint32_t p = 1; p < envs->parts; p++)
        if (envs->part[p].runs)
            pthread_join(envs->part[p].thread, NULL);
    pthread_mutex_destroy(&envs->mutex);
    pthread_cond_destroy(&envs->begins);
    pthread_cond_destroy(&envs->ends);
}

void arbiter_envs_free(struct arbiter_envs *envs)
{
    if (envs == NULL)
        return;
    if (envs->is_open)
        close_threads(envs);
    for (uint32_t i = 0; i < envs->matches && envs->env != NULL; i++)
        arbiter_env_free(envs->env[i]);
    for (uint32_t p = 0; p < envs->parts && envs->part != NULL; p++)
        env_scratch_free(envs->part[p].scratch);
    free(envs->env);
    free(envs->part);
    free(envs->luck);
    free(envs->batch.seat);
    free(envs->batch.legal);
    free(envs->batch.mask);
    free(envs->batch.cells);
    free(envs->batch.reward);
    free(envs->batch.over);
    free(envs->batch.seed);
    free(envs->batch.length);
    free(envs);
}

bool arbiter_envs_player(struct arbiter_envs *envs, uint32_t seat, const char *player)
{
    for (uint32_t i = 0; i < envs->matches; i++) {
        if (!arbiter_env_player(envs->env[i], seat, player))
            return false;
        settle(envs, i);
    }
    return true;
}

const struct arbiter_batch *arbiter_envs_batch(const struct arbiter_envs *envs)
{
    return &envs->batch;
}

void arbiter_envs_reset(struct arbiter_envs *envs, uint64_t seed)
{
    envs->seed = seed;
    (void) do_all(envs, WORK_RESET);
}

uint32_t arbiter_envs_step(struct arbiter_envs *envs, const int64_t *action)
{
    envs->action = action;
    return do_all(envs, WORK_STEP);
}

void arbiter_envs_step_random(struct arbiter_envs *envs)
{
    (void) do_all(envs, WORK_RANDOM);
}

struct arbiter_env *arbiter_envs_match(struct arbiter_envs *envs, uint32_t number)
{
    return number < envs->matches ? envs->env[number] : NULL;
}
