/* campaign.c: see campaign.h. */
#include "campaign.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bugs.h"
#include "world/memory.h"

#define JOBS_MAX 16

static void play_once(const struct order *order, uint64_t seed, bool is_traced,
                      struct result *result)
{
    struct plan   plan;
    struct world *world = memory_new(sizeof *world);
    plan_draw(&plan, seed, &order->wish);
    memset(result, 0, sizeof *result);
    world_play(world, order->cast, &plan, &result->marks, is_traced);
    result->failure = world->failure;
    result->events = world->events;
    result->hash = world->hash;
    result->virtual_ns = world->now_ns;
    world_close(world);
    free(world);
}

void campaign_play(const struct order *order, uint64_t seed, bool is_traced, struct result *result)
{
    play_once(order, seed, is_traced, result);
    if (order->once || is_traced || result->failure.what[0] != '\0')
        return;
    struct result again;
    play_once(order, seed, false, &again);
    if (again.hash == result->hash && again.events == result->events)
        return;
    snprintf(result->failure.what, sizeof result->failure.what, "twice");
    snprintf(result->failure.sentence, sizeof result->failure.sentence,
             "played twice, a seed has two histories: %llu and %llu events",
             (unsigned long long) result->events, (unsigned long long) again.events);
}

static struct result *shared(size_t count)
{
    void *memory = mmap(NULL, count * sizeof(struct result), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fputs("cluster: no memory to share\n", stderr);
        exit(2);
    }
    return memory;
}

static pid_t begin(const struct order *order, uint64_t seed, struct result *result)
{
    memset(result, 0, sizeof *result);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct result mine;
        /* With a planted bug an assert is a catch, and its line would only be noise. */
        if (order->is_quiet && freopen("/dev/null", "w", stderr) == NULL)
            _exit(2);
        campaign_play(order, seed, false, &mine);
        *result = mine;
        fflush(NULL);
        _exit(0);
    }
    return child;
}

static void end(int status, struct result *result)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    snprintf(result->failure.what, sizeof result->failure.what, "died");
    snprintf(result->failure.sentence, sizeof result->failure.sentence, "%s %d",
             WIFSIGNALED(status) ? "an assert failed or worse: signal" : "exit",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

void campaign_play_apart(const struct order *order, uint64_t seed, struct result *result)
{
    struct result *apart = shared(1);
    int            status;
    pid_t          child = begin(order, seed, apart);
    if (child > 0 && waitpid(child, &status, 0) == child)
        end(status, apart);
    *result = *apart;
    munmap(apart, sizeof *apart);
}

void campaign_say_command(const struct order *order, uint64_t seed)
{
    const struct wish *wish = &order->wish;
    printf("    cluster %s--seed %llu --trace", order->cast->is_toy ? "--toy " : "",
           (unsigned long long) seed);
    if (wish->bug != BUG_NONE)
        printf(" --plant %s", bug_word((enum bug) wish->bug));
    if (wish->players > 0)
        printf(" --players %u", wish->players);
    if (wish->until_ns > 0)
        printf(" --until %llu", (unsigned long long) (wish->until_ns / NS_PER_MS));
    for (uint32_t f = 0, first = 1; f < FAULTS; f++)
        if ((wish->without >> f & 1) != 0) {
            printf("%s%s", first ? " --without " : ",", fault_name((enum fault) f));
            first = 0;
        }
    putchar('\n');
}

static void add(const struct order *order, struct summary *summary, uint64_t seed,
                const struct result *result)
{
    summary->universes++;
    summary->events += result->events;
    summary->virtual_ns += result->virtual_ns;
    for (uint32_t m = 0; m < MARKS_COUNT; m++)
        summary->marks.lit[m] += result->marks.lit[m];
    if (result->failure.what[0] == '\0')
        return;
    if (summary->failures++ == 0 || seed < summary->first_seed) {
        summary->first_seed = seed;
        summary->first = result->failure;
    }
    if (order->is_quiet)
        return;
    printf("seed %llu: %s: %s\n", (unsigned long long) seed, result->failure.what,
           result->failure.sentence);
    campaign_say_command(order, seed);
}

struct job {
    pid_t    child; /* 0: none.                                                                */
    uint64_t seed;
};

static uint32_t job_of(const struct job *job, uint32_t jobs, pid_t child)
{
    for (uint32_t i = 0; i < jobs; i++)
        if (job[i].child == child)
            return i;
    return jobs;
}

void campaign_run(const struct order *order, struct summary *summary)
{
    uint32_t       jobs = order->jobs < JOBS_MAX ? order->jobs : JOBS_MAX;
    struct result *results = shared(jobs);
    struct job     job[JOBS_MAX] = { { 0 } };
    uint64_t       next = order->from;
    uint32_t       running = 0;
    memset(summary, 0, sizeof *summary);
    for (;;) {
        bool is_enough = order->until_first && summary->failures > 0;
        for (uint32_t i = 0; i < jobs && next < order->from + order->seeds && !is_enough; i++)
            if (job[i].child == 0) {
                job[i].seed = next++;
                job[i].child = begin(order, job[i].seed, &results[i]);
                running++;
            }
        if (running == 0)
            break;
        int      status;
        pid_t    child = waitpid(-1, &status, 0);
        uint32_t which = job_of(job, jobs, child);
        if (which == jobs)
            continue;
        end(status, &results[which]);
        add(order, summary, job[which].seed, &results[which]);
        job[which].child = 0;
        running--;
    }
    for (uint32_t m = 0; m < MARKS_COUNT; m++)
        summary->dark += summary->marks.lit[m] == 0;
    munmap(results, jobs * sizeof *results);
}
