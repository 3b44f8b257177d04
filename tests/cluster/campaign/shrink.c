/* shrink.c: a failing universe made smaller: fewer faults, fewer players, less time; see campaign.h. */
#include <stdio.h>
#include <string.h>

#include "campaign.h"

/* Whether it still fails so, with less in it. */
static bool still_fails(const struct order *order, uint64_t seed, const char *what,
                        const struct wish *wish)
{
    struct order  smaller = *order;
    struct result result;
    smaller.wish = *wish;
    smaller.once = strcmp(what, "twice") != 0;
    smaller.is_quiet = true;
    campaign_play_apart(&smaller, seed, &result);
    return strcmp(result.failure.what, what) == 0;
}

static void fewer_faults(const struct order *order, uint64_t seed, const char *what,
                         struct wish *wish)
{
    for (uint32_t f = 0; f < FAULTS; f++) {
        struct wish tried = *wish;
        tried.without |= 1u << f;
        if (still_fails(order, seed, what, &tried))
            *wish = tried;
    }
}

static void fewer_players(const struct order *order, uint64_t seed, const char *what,
                          struct wish *wish)
{
    for (uint32_t players = 1; players < 8; players++) {
        struct wish tried = *wish;
        tried.players = players;
        if (still_fails(order, seed, what, &tried)) {
            *wish = tried;
            return;
        }
    }
}

static void less_time(const struct order *order, uint64_t seed, const char *what, struct wish *wish)
{
    struct plan plan;
    plan_draw(&plan, seed, wish);
    uint64_t most_ns = plan.safety_ns;
    for (uint64_t step_ns = most_ns / 2; step_ns >= 250u * NS_PER_MS; step_ns /= 2) {
        struct wish tried = *wish;
        if (most_ns <= step_ns)
            continue;
        tried.until_ns = (most_ns - step_ns) / NS_PER_MS * NS_PER_MS;
        if (!still_fails(order, seed, what, &tried))
            continue;
        *wish = tried;
        most_ns = tried.until_ns;
    }
}

void campaign_shrink(const struct order *order, uint64_t seed)
{
    struct result result;
    struct order  smaller = *order;
    smaller.is_quiet = true;
    campaign_play_apart(&smaller, seed, &result);
    if (result.failure.what[0] == '\0') {
        printf("seed %llu does not fail\n", (unsigned long long) seed);
        return;
    }
    printf("seed %llu: %s: %s\n", (unsigned long long) seed, result.failure.what,
           result.failure.sentence);
    const char *what = result.failure.what;
    fewer_faults(order, seed, what, &smaller.wish);
    fewer_players(order, seed, what, &smaller.wish);
    less_time(order, seed, what, &smaller.wish);
    struct plan plan;
    plan_draw(&plan, seed, &smaller.wish);
    printf("what it needs:");
    for (uint32_t f = 0; f < FAULTS; f++)
        if (plan_has(&plan, (enum fault) f))
            printf(" %s", fault_name((enum fault) f));
    printf("; %u players, %llu ms\n", plan.players,
           (unsigned long long) (plan.safety_ns / NS_PER_MS));
    campaign_say_command(&smaller, seed);
}
