/* kernel_bench.c: how many commands a second the rules take, on one core, as the engine would ask them.
 *
 * A random player enumerates every legal command in full, draws one, and the rules apply it; complete
 * games from consecutive seeds, one after the other. Each mode does what the one before it does and
 * something more:
 *
 *     rules     the events stay words in the sink
 *     encoded   the public events are written as the bytes that are published; the chain is off
 *     chained   the command and the body are hashed into the match's chain
 *     sealed    private events are sealed for their seats besides
 *
 * Then, in a pass of its own because clocks cost time too, what each kind of command takes in `apply`
 * alone. Accepted commands only are counted; refused ones there are none. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dice/kinds.h"
#include "match/policy.h"
#include "tables.h"
#include "wire/act.h"
#include "wire/crypto.h"

#define KINDS_MAX 64
#define BODY_MAX ((size_t) 1 << 16)
#define INTERRUPTED_NS 20000 /* No command takes so long. */

enum mode { MODE_RULES, MODE_ENCODED, MODE_CHAINED, MODE_SEALED, MODES };

static const char *const mode_names[MODES] = { "rules", "encoded", "chained", "sealed" };
static const uint32_t    mode_flags[MODES] = { MATCH_WORDS, MATCH_WORDS, MATCH_CHAINED,
                                               MATCH_CHAINED | MATCH_SEALED };

struct kind_time {
    uint64_t count;
    uint64_t ns, longest_ns;
};

struct bench {
    struct match_terms terms;
    struct match_form  form;
    struct match_room  room;
    struct policy      policy;
    void              *match_memory, *room_memory, *policy_memory;
    enum mode          mode;
    struct kind_time  *kinds; /* NULL: no clocks around the commands. */
    uint64_t           commands, games, events, bytes;
};

static uint64_t clock_ns(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* The time this process has had a core, so that a neighbour on the machine does not count. */
static uint64_t core_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Quick to read, for single commands; but a neighbour's turn on the core counts, and is dropped. */
static uint64_t wall_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static void *take(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void bench_open(struct bench *bench, const struct table *table, uint32_t seats,
                       enum mode mode)
{
    memset(bench, 0, sizeof *bench);
    bench->mode = mode;
    bench->form.commands = plan_new(table->wire->command);
    bench->form.events = plan_new(table->wire->event);
    bench->form.crypto = &crypto_sodium;
    match_terms_init(&bench->terms, table->wire->game, table->setup, seats, mode_flags[mode],
                     &bench->form);
    bench->match_memory = take(match_bytes(&bench->terms));
    bench->room_memory = take(match_room_bytes(&bench->terms));
    bench->policy_memory = take(policy_bytes(&bench->terms));
    match_room_init(&bench->room, &bench->terms, bench->room_memory);
}

static void bench_close(struct bench *bench)
{
    free(bench->match_memory);
    free(bench->room_memory);
    free(bench->policy_memory);
    struct plan *commands = (struct plan *) (uintptr_t) bench->form.commands;
    struct plan *events = (struct plan *) (uintptr_t) bench->form.events;
    plan_destroy(&commands);
    plan_destroy(&events);
}

/* The public events as the bytes of an act's body. */
static void encode(struct bench *bench, const struct match_act *act)
{
    static uint8_t  bytes[BODY_MAX];
    struct act_body body = { .bytes = bytes, .capacity = sizeof bytes };
    bool            fits = act_put_public(&body, bench->form.events, act->events);
    assert(fits);
    bench->bytes += body.size;
}

static void count_act(struct bench *bench, const struct match_act *act)
{
    bench->events += act->events->events;
    if (bench->mode == MODE_ENCODED)
        encode(bench, act);
    else
        bench->bytes += act->body_size;
}

static void play_one(struct bench *bench, struct match *match, struct match_act *act)
{
    struct command command;
    uint32_t       seat = policy_seat(&bench->policy, match_to_act(match));
    bool           picked = policy_pick(&bench->policy, match, seat, &command);
    assert(picked);
    uint64_t begun = bench->kinds != NULL ? wall_ns() : 0;
    verdict  judged = match_play(match, seat, &command, &bench->room, act);
    assert(judged == ACCEPTED);
    uint64_t took = bench->kinds != NULL ? wall_ns() - begun : 0;
    if (bench->kinds != NULL && took < INTERRUPTED_NS) {
        bench->kinds[command.kind].ns += took;
        bench->kinds[command.kind].count++;
    }
    bench->commands++;
    count_act(bench, act);
}

static void play_game(struct bench *bench, uint64_t seed, uint64_t most)
{
    struct match_begin begin = { .epoch = 1 };
    struct match_act   act;
    struct dice        dice;
    bool               opened = dice_open(&dice, bench->terms.game->open_dice, seed);
    assert(opened);
    begin.dice = &dice;
    memcpy(begin.id, &seed, sizeof seed);
    policy_init(&bench->policy, POLICY_RANDOM, 1000, seed, &bench->terms, bench->policy_memory);
    uint64_t      begun = bench->kinds != NULL ? core_ns() : 0;
    struct match *match =
        match_start(bench->match_memory, &bench->terms, &begin, &bench->room, &act);
    if (bench->kinds != NULL) {
        uint64_t took = core_ns() - begun;
        bench->kinds[0].ns += took;
        bench->kinds[0].longest_ns =
            took > bench->kinds[0].longest_ns ? took : bench->kinds[0].longest_ns;
        bench->kinds[0].count++;
    }
    count_act(bench, &act);
    while (match_to_act(match) != 0 && bench->commands < most)
        play_one(bench, match, &act);
    bench->games++;
}

/* Plays games until the time or the commands are up; returns the nanoseconds. */
static uint64_t bench_run(struct bench *bench, double seconds, uint64_t commands)
{
    uint64_t begun = core_ns();
    uint64_t most_ns = (uint64_t) (seconds * 1e9);
    uint64_t elapsed = 0;
    for (uint64_t seed = 1; elapsed < most_ns && bench->commands < commands; seed++) {
        play_game(bench, seed, commands);
        elapsed = core_ns() - begun;
    }
    return elapsed;
}

static void measure_mode(const struct table *table, uint32_t seats, enum mode mode, double seconds,
                         uint64_t commands)
{
    struct bench bench;
    bench_open(&bench, table, seats, mode);
    if (commands == UINT64_MAX)
        bench_run(&bench, seconds / 10, commands); /* Warm. */
    bench.commands = bench.games = bench.events = bench.bytes = 0;
    double s = (double) bench_run(&bench, seconds, commands) / 1e9;
    double n = (double) bench.commands;
    printf("%-8s %10.0f commands/s  %6.0f ns each  %5.1f commands a game  %4.2f events and "
           "%5.1f bytes a command\n",
           mode_names[mode], n / s, s / n * 1e9, n / (double) bench.games,
           (double) bench.events / n, (double) bench.bytes / n);
    bench_close(&bench);
}

static void measure_kinds(const struct table *table, uint32_t seats, double seconds)
{
    struct kind_time kinds[KINDS_MAX] = { 0 };
    struct bench     bench;
    uint64_t         clock_cost = wall_ns();
    for (int i = 0; i < 1000; i++)
        wall_ns();
    clock_cost = (wall_ns() - clock_cost) / 1000;
    bench_open(&bench, table, seats, MODE_RULES);
    bench.kinds = kinds;
    bench_run(&bench, seconds, UINT64_MAX);
    printf("apply alone, by kind (a clock's %" PRIu64 " ns taken off):\n", clock_cost);
    for (uint32_t kind = 1; kind < table->wire->game->command_kinds && kind < KINDS_MAX; kind++) {
        if (kinds[kind].count == 0)
            continue;
        double each = (double) kinds[kind].ns / (double) kinds[kind].count - (double) clock_cost;
        printf("    %-20s %9" PRIu64 " times  %7.0f ns\n", table->wire->game->commands[kind].name,
               kinds[kind].count, each);
    }
    printf("    %-20s %9" PRIu64 " times  %7.0f ns, %" PRIu64 " at most\n", "(start)",
           kinds[0].count, (double) kinds[0].ns / (double) kinds[0].count, kinds[0].longest_ns);
    printf("state: %u bytes; a match with dice, chain and keys: %zu bytes\n",
           bench.terms.bounds.state_bytes, match_bytes(&bench.terms));
    bench_close(&bench);
}

static const struct table *find_table(const struct tables *tables, const char *name)
{
    for (uint32_t i = 0; i < tables->count; i++)
        if (strcmp(tables->table[i].name, name) == 0)
            return &tables->table[i];
    fprintf(stderr, "kernel_bench: no table \"%s\"; there are:\n", name);
    for (uint32_t i = 0; i < tables->count; i++)
        fprintf(stderr, "    %s\n", tables->table[i].name);
    return NULL;
}

static int usage(FILE *to, int status)
{
    fputs("usage: kernel_bench [GAME [TABLE [SECONDS [MODE COMMANDS]]]]\n"
          "\n"
          "Without MODE: every mode for SECONDS (3), then each kind of command.\n"
          "With MODE (rules, encoded, chained, sealed): only that, and COMMANDS commands at most;\n"
          "for callgrind.\n",
          to);
    return status;
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "--help") == 0)
        return usage(stdout, 0);
    const char             *game = count > 1 ? words[1] : "dead";
    const char             *name = count > 2 ? words[2] : "base:standard-base";
    double                  seconds = count > 3 ? strtod(words[3], NULL) : 3.0;
    const struct game_wire *wire = registry_find(game, 0);
    struct tables           tables = { 0 };
    if (wire == NULL || seconds <= 0 || count == 5 || count > 6)
        return usage(stderr, 2);
    if (!tables_load(wire, &tables))
        return 3;
    const struct table *table = find_table(&tables, name);
    if (table == NULL)
        return 2;
    uint32_t seats = table->seats[table->seat_counts - 1];
    printf("%s %s, %u seats, one core, random policy, every legal command listed before each\n",
           game, name, seats);
    for (enum mode mode = 0; mode < MODES; mode++)
        if (count <= 4 || strcmp(words[4], mode_names[mode]) == 0)
            measure_mode(table, seats, mode, seconds,
                         count == 6 ? strtoull(words[5], NULL, 10) : UINT64_MAX);
    if (count <= 4)
        measure_kinds(table, seats, seconds);
    tables_free(&tables);
    return 0;
}
