/* simulate.c: `arbiter simulate`: plays complete games and says what came of them. */
#include <inttypes.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "services/console/faces/show.h"
#include "services/console/trial/grid_setup.h"
#include "services/console/trial/playing.h"
#include "services/console/trial/simulate_report.h"
#include "services/console/trial/trace.h"

struct simulate_ask {
    struct table_ask  table;
    struct grid_words grid;
    uint64_t          games, leave_one_in, late_one_in, most;
    const char       *seed, *policy, *dice, *trace;
    bool              check, json, show;
};

static const char *const dice_kinds[] = { "java", "splitmix", "chacha", NULL };

#define AT(member) .offset = offsetof(struct simulate_ask, member)
#define NUMBER(from, to) .value = "N", .kind = OPTION_NUMBER, .least = (from), .most = (to)

static const struct option options[] = {
    TABLE_OPTIONS(struct simulate_ask, table),
    GRID_OPTIONS(struct simulate_ask, grid),
    { .name = "seed",
      .value = "N",
      .kind = OPTION_TEXT,
      AT(seed),
      .help = "Game i is played from seed N + i. Default: the set-up's seed, or 1." },
    { .name = "games", NUMBER(1, UINT32_MAX), AT(games), .help = "How many games. Default: 1." },
    { .name = "policy",
      .value = "NAME,...",
      .kind = OPTION_TEXT,
      AT(policy),
      .help =
          "Who plays: random (default; in quests greedy), greedy, search, search:NODES, or level:N "
          "of "
          "the game's levels. Of several names the first is seat 0's; the last is for all other "
          "seats." },
    { .name = "leave-one-in",
      NUMBER(0, UINT32_MAX),
      AT(leave_one_in),
      .help = "Random players give up or take back once in N commands. 0: as often as anything "
              "else. Default: 1000." },
    { .name = "late-one-in",
      NUMBER(0, UINT32_MAX),
      AT(late_one_in),
      .help =
          "Once in N acts the time runs out for all players whose turn it is. Default: never." },
    { .name = "most",
      NUMBER(1, UINT32_MAX),
      AT(most),
      .help = "A game is cut after N acts. Default: 1000000." },
    { .name = "dice",
      .value = "KIND",
      .kind = OPTION_WORD,
      .words = dice_kinds,
      AT(dice),
      .help = "java, splitmix or chacha. Default: what the game was written for." },
    { .name = "trace",
      .value = "FILE",
      .kind = OPTION_TEXT,
      AT(trace),
      .help = "Writes the first game's match file, for replay and verify." },
    { .name = "show",
      .kind = OPTION_FLAG,
      AT(show),
      .help = "Prints the first game as it is played." },
    { .name = "check",
      .kind = OPTION_FLAG,
      AT(check),
      .help = "Checks the game's invariants after every act." },
    { .name = "json", .kind = OPTION_FLAG, AT(json), .help = "Prints the result as JSON." },
    { .name = NULL },
};

/* What one run works with. */
struct simulate {
    const struct simulate_ask *ask;
    uint64_t                   seed; /* Of game 0. */
    struct table               table;
    struct playing             playing;
    struct trace              *trace; /* NULL: none, or closed.                                 */
    struct simulate_report     report;
    struct progress            progress;
    struct show                shown;
};

/* What each act of the first game may be written to. False: the file cannot be written. */
static bool tell(struct simulate *run)
{
    if (run->ask->show)
        show_act(&run->shown, &run->playing.act);
    return run->trace == NULL || trace_act(run->trace, &run->playing.act);
}

/* Plays one match to its end. Only a match that is told is the first one, played apart. */
static int play_one(struct simulate *run, uint64_t number, bool told)
{
    struct playing *playing = &run->playing;
    playing_begin(playing, run->seed + number);
    if (told && run->trace != NULL && !trace_begin(run->trace, playing))
        return CONSOLE_BAD_INPUT;
    do {
        if (told && !tell(run))
            return CONSOLE_BAD_INPUT;
        if (playing->match->number % 1024 == 0 && interrupted())
            return CONSOLE_INTERRUPTED;
    } while (playing_step(playing));
    if (playing->fault.size == 0)
        return CONSOLE_OK;
    progress_clear(&run->progress);
    complain("%s.", playing->fault.bytes);
    return CONSOLE_DISAGREES;
}

/* The first game once more and apart, act by act and, for a file, sealed. Sealing changes the
 * chain, and the report's digest must not depend on whether somebody looks. */
static int tell_first(struct simulate *run, const struct playing_rules *rules)
{
    struct playing_rules own = *rules;
    int                  code = CONSOLE_OK;
    own.flags |= MATCH_SEALED;
    if (run->ask->trace != NULL) {
        run->trace = trace_open(run->ask->trace);
        if (run->trace == NULL)
            return CONSOLE_BAD_INPUT;
    }
    run->shown = (struct show){ .lines = { stdout, run->table.wire, run->table.setup },
                                .coloured = terminal_has_colour(stdout),
                                .commands = run->table.commands };
    playing_open(&run->playing, &run->table, &own);
    code = play_one(run, 0, true);
    if (run->ask->show && code == CONSOLE_OK) {
        show_board(&run->shown, run->playing.match);
        show_end(&run->shown, run->playing.match);
    }
    if (run->trace != NULL && !trace_close(&run->trace, code == CONSOLE_OK ? &run->playing : NULL))
        code = code == CONSOLE_OK ? CONSOLE_BAD_INPUT : code;
    playing_close(&run->playing);
    return code;
}

static int play_all(struct simulate *run, const struct playing_rules *rules)
{
    int code = CONSOLE_OK;
    if (run->ask->trace != NULL || run->ask->show)
        code = tell_first(run, rules);
    playing_open(&run->playing, &run->table, rules);
    progress_start(&run->progress, "games", run->ask->games);
    simulate_report_open(&run->report, &run->table, run->seed);
    for (uint64_t i = 0; i < run->ask->games && code == CONSOLE_OK; i++) {
        progress_show(&run->progress, i);
        code = interrupted() ? CONSOLE_INTERRUPTED : play_one(run, i, false);
        if (code == CONSOLE_OK)
            simulate_count(&run->report, &run->playing);
    }
    playing_close(&run->playing);
    progress_clear(&run->progress);
    return code;
}

/* The seed asked for, else the one the set-up names itself, else 1; false after a complaint. */
static bool first_seed(const struct table *table, const char *asked, uint64_t *seed)
{
    const struct game *game = table->wire->game;
    int64_t            number = 0;
    if (asked != NULL) {
        bool is_good = console_seed(asked, &number);
        *seed = (uint64_t) number;
        return is_good;
    }
    if (game->seed == NULL || !game->seed(table->setup, seed))
        *seed = 1;
    return true;
}

/* "greedy,random": the names in order of seats. */
static bool read_policies(const char *names, const struct table *table, struct playing_rules *rules)
{
    rules->seat_policies = 0;
    for (const char *at = names; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        struct policy_choice choice;
        if (!policy_read(at, strcspn(at, ","), table->wire->game, &choice)) {
            complain("--policy takes random, greedy, search, search:NODES or level:N, or several "
                     "of them, not \"%s\".",
                     names);
            return false;
        }
        if (rules->seat_policies++ < table->seats)
            rules->seat_policy[rules->seat_policies - 1] = choice;
    }
    if (rules->seat_policies <= table->seats)
        return true;
    complain("--policy names %" PRIu32 " players, but only %" PRIu32 " sit at this table.",
             rules->seat_policies, table->seats);
    return false;
}

static int simulate(const struct simulate_ask *ask, const char *game)
{
    struct simulate run = { .ask = ask };
    int             code = table_open(&run.table, game, &ask->table);
    if (code != CONSOLE_OK)
        return code;
    struct playing_rules rules = {
        .leave_one_in = (uint32_t) ask->leave_one_in,
        .late_one_in = (uint32_t) ask->late_one_in,
        .most = ask->most,
        .check = ask->check,
        .dice = ask->dice != NULL ? ask->dice : run.table.wire->game->open_dice,
        .flags = MATCH_CHAINED,
    };
    const char *policy = run.table.wire->game->wanders ? "greedy" : "random";
    if (!read_policies(ask->policy != NULL ? ask->policy : policy, &run.table, &rules) ||
        !first_seed(&run.table, ask->seed, &run.seed)) {
        table_close(&run.table);
        return CONSOLE_USAGE;
    }
    code = play_all(&run, &rules);
    /* After Ctrl-C or a fault, what was played is still worth knowing. */
    if (code != CONSOLE_BAD_INPUT)
        simulate_report_print(&run.report, ask->json);
    if (code == CONSOLE_INTERRUPTED)
        complain("it was interrupted: %" PRIu64 " of %" PRIu64 " games were played.",
                 run.report.games, ask->games);
    table_close(&run.table);
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct simulate_ask ask = { .games = 1, .leave_one_in = 1000, .most = 1000000 };
    struct words        words;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.json && ask.show) {
        complain("--show is for people and --json for programs: choose one.");
        return CONSOLE_USAGE;
    }
    if (!console_writes_file("trace", ask.trace))
        return CONSOLE_USAGE;
    int code = grid_setup(&ask.grid, words.word[0], &ask.table);
    if (code == CONSOLE_OK)
        code = simulate(&ask, words.word[0]);
    grid_setup_forget(&ask.table);
    return code;
}

const struct console_command command_simulate = {
    .name = "simulate",
    .arguments = "GAME",
    .summary = "Plays complete games without a server, and reports the results.",
    .about = "  arbiter simulate nim --show            one game, as it is played\n"
             "  arbiter simulate dead --games 1000 --check\n"
             "  arbiter simulate nim --trace nim.match\n"
             "\n"
             "Plays complete games by the rules alone, without a server. Reports how many\n"
             "commands they took, who won, and a digest over all games. Two builds that play\n"
             "the same seeds report the same digest.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
