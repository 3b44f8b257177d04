/* main.c: the program `cluster`: universes from seeds; see README.md. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign/bugs.h"
#include "campaign/campaign.h"
#include "house/stage.h"
#include "toy/toy.h"

enum errand { RUN, ONE, SHRINK, LIST };

static const char usage[] =
    "usage: cluster [--seeds N] [--from S] [--jobs J]   a campaign: N universes\n"
    "       cluster --seed S [--trace | --shrink]       one universe\n"
    "       cluster --list                              faults, marks, bugs to plant\n"
    "\n"
    "  --toy              the toys instead of the product\n"
    "  --plant BUG        with a bug planted; a campaign then ends with the first catch\n"
    "  --without F,F,...  without these faults\n"
    "  --players N        with at most N players\n"
    "  --until MS         all is healed after so many virtual milliseconds\n"
    "  --once             plays each universe once, not twice\n"
    "  --marks            fails if a mark stays dark\n";

static const struct option options[] = {
    { "seeds", required_argument, NULL, 'n' },   { "from", required_argument, NULL, 'f' },
    { "jobs", required_argument, NULL, 'j' },    { "seed", required_argument, NULL, 's' },
    { "trace", no_argument, NULL, 't' },         { "shrink", no_argument, NULL, 'k' },
    { "list", no_argument, NULL, 'l' },          { "toy", no_argument, NULL, 'y' },
    { "plant", required_argument, NULL, 'p' },   { "without", required_argument, NULL, 'w' },
    { "players", required_argument, NULL, 'c' }, { "until", required_argument, NULL, 'u' },
    { "once", no_argument, NULL, 'o' },          { "marks", no_argument, NULL, 'm' },
    { "help", no_argument, NULL, 'h' },          { NULL, 0, NULL, 0 },
};

struct asked {
    enum errand  command;
    struct order order;
    bool         is_traced;
};

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text != '\0' && *end == '\0';
}

static bool read_faults(const char *text, uint32_t *faults)
{
    while (*text != '\0') {
        size_t     size = strcspn(text, ",");
        enum fault fault = fault_named(text, (uint32_t) size);
        if (fault == FAULTS)
            return false;
        *faults |= 1u << fault;
        text += size + (text[size] == ',');
    }
    return true;
}

static bool read_option(int letter, const char *value, struct asked *asked)
{
    struct order *order = &asked->order;
    uint64_t      number = 0;
    bool          is_good = true;
    if (strchr("nfjscu", letter) != NULL)
        is_good = read_number(value, &number);
    switch (letter) {
    case 'n': order->seeds = number; break;
    case 'f': order->from = number; break;
    case 'j': order->jobs = number > 0 ? (uint32_t) number : 1; break;
    case 's':
        asked->command = asked->command == SHRINK ? SHRINK : ONE;
        order->from = number;
        break;
    case 't': asked->is_traced = true; break;
    case 'k': asked->command = SHRINK; break;
    case 'l': asked->command = LIST; break;
    case 'y': order->cast = &toy_cast; break;
    case 'p':
        order->wish.bug = bug_named(value);
        is_good = order->wish.bug != BUGS_END;
        break;
    case 'w': is_good = read_faults(value, &order->wish.without); break;
    case 'c': order->wish.players = (uint32_t) number; break;
    case 'u': order->wish.until_ns = number * NS_PER_MS; break;
    case 'o': order->once = true; break;
    case 'm': order->minds_marks = true; break;
    default: is_good = false;
    }
    return is_good;
}

static void list(void)
{
    printf("faults:");
    for (uint32_t f = 0; f < FAULTS; f++)
        printf(" %s", fault_name((enum fault) f));
    printf("\n\nbugs:\n");
    for (uint32_t b = 1; b < BUGS_END; b++)
        printf("  %-20s %s\n", bug_word((enum bug) b), bug_sentence((enum bug) b));
    printf("\nmarks:\n");
    for (uint32_t m = 0; m < MARKS_COUNT; m++)
        printf("  %s\n", mark_sentence((enum mark) m));
}

static int play_one(const struct asked *asked)
{
    struct result result;
    campaign_play(&asked->order, asked->order.from, asked->is_traced, &result);
    printf("seed %llu: %llu events, %llu ms, hash %016llx\n",
           (unsigned long long) asked->order.from, (unsigned long long) result.events,
           (unsigned long long) (result.virtual_ns / NS_PER_MS), (unsigned long long) result.hash);
    if (result.failure.what[0] == '\0')
        return 0;
    printf("%s: %s\n", result.failure.what, result.failure.sentence);
    return 1;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void say_marks(const struct summary *summary)
{
    for (uint32_t m = 0; m < MARKS_COUNT; m++)
        printf("%12llu  %s\n", (unsigned long long) summary->marks.lit[m],
               mark_sentence((enum mark) m));
}

/* With a bug planted, green is red: it must be caught. */
static int run(const struct order *order)
{
    struct summary summary;
    double         began = now_s();
    campaign_run(order, &summary);
    double took = now_s() - began;
    if (order->wish.bug != BUG_NONE) {
        if (summary.failures == 0)
            printf("%s: not caught in %llu universes\n", bug_word((enum bug) order->wish.bug),
                   (unsigned long long) summary.universes);
        else
            printf("%s: caught by seed %llu: %s: %s\n", bug_word((enum bug) order->wish.bug),
                   (unsigned long long) summary.first_seed, summary.first.what,
                   summary.first.sentence);
        return summary.failures == 0;
    }
    if (order->minds_marks)
        say_marks(&summary);
    printf("%llu universes, %llu failed; %llu events, %.0f virtual s, %.1f s, %.0f events/s\n",
           (unsigned long long) summary.universes, (unsigned long long) summary.failures,
           (unsigned long long) summary.events, (double) summary.virtual_ns / NS_PER_S, took,
           (double) summary.events / took);
    if (order->minds_marks && summary.dark > 0)
        printf("%u marks stayed dark: the dice never went there\n", summary.dark);
    return summary.failures > 0 || (order->minds_marks && summary.dark > 0);
}

int main(int argc, char **argv)
{
    struct asked asked = { .order = { .cast = &product_cast, .from = 1, .seeds = 100, .jobs = 1 } };
    for (;;) {
        int letter = getopt_long(argc, argv, "", options, NULL);
        if (letter < 0)
            break;
        if (letter == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (!read_option(letter, optarg, &asked)) {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (optind < argc) {
        fputs(usage, stderr);
        return 2;
    }
    asked.order.until_first = asked.order.is_quiet = asked.order.wish.bug != BUG_NONE;
    setvbuf(stdout, NULL, _IOLBF, 0);
    switch (asked.command) {
    case LIST: list(); return 0;
    case ONE: return play_one(&asked);
    case SHRINK: campaign_shrink(&asked.order, asked.order.from); return 0;
    case RUN: break;
    }
    return run(&asked.order);
}
