/* tournament.c: `arbiter tournament`: everybody against everybody, in both seatings, and who is how strong.
 *
 * What was played stands in a file (played.h), from which it goes on after an interruption. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/tournament/sandbox.h"
#include "services/console/tournament/tournament_parts.h"

#define GAMES_MOST 1000000

static const struct option options[] = {
    { .name = "entrants",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct tournament_ask, entrants),
      .help =
          "Who plays: [{\"name\": \"a\", \"bot\": \"greedy\"}, {\"name\": \"b\", \"program\": "
          "[\"python3\", \"b.py\"]}, {\"name\": \"c\", \"rest\": [\"java\", \"-jar\", \"c.jar\", "
          "\"{port}\"]}]" },
    { .name = "games",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = GAMES_MOST,
      .offset = offsetof(struct tournament_ask, games),
      .help = "How many seeds each pair plays, each in both seatings. Default: 10." },
    { .name = "played",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct tournament_ask, played),
      .help = "The games played so far, one per line. The tournament goes on from there. Default: "
              "GAME.tournament." },
    { .name = "report",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct tournament_ask, report),
      .help = "Writes an HTML page with ratings and plots." },
    { .name = "errors",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct tournament_ask, errors),
      .help = "Appends the standard error of all programs to this file. Without it you see only "
              "the last line of a program that forfeits." },
    { .name = "seed",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = INT64_MAX - GAMES_MOST,
      .offset = offsetof(struct tournament_ask, seed),
      .help = "The first seed. Default: 1." },
    { .name = "limit",
      .value = "MS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 3600000,
      .offset = offsetof(struct tournament_ask, limit_ms),
      .help = "Time for each answer. A late program forfeits the game. Default: 1000 ms." },
    { .name = "start",
      .value = "MS",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 3600000,
      .offset = offsetof(struct tournament_ask, start_ms),
      .help = "Extra time for the first answer of a game, in which a program starts up. Default: "
              "5000 ms." },
    { .name = "most",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = UINT32_MAX,
      .offset = offsetof(struct tournament_ask, most),
      .help = "A game is drawn after N acts. Default: 10000." },
    { .name = "jobs",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = TOURNAMENT_JOBS_MAX,
      .offset = offsetof(struct tournament_ask, jobs),
      .help = "How many games are played at once. Default: 1." },
    { .name = "out-after",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = UINT32_MAX,
      .offset = offsetof(struct tournament_ask, out_after),
      .help =
          "An entrant that hung in N games in a row loses the rest without being asked. 0: never. "
          "Default: 10." },
    { .name = "change",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct tournament_ask, change),
      .help = "The entrants may differ from those in the file of --played: games of those that are "
              "new or changed are played, all others count." },
    { .name = "matches",
      .value = "FOLDER",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct tournament_ask, matches),
      .help = "Leaves the match file of each game there. The report links to them." },
    { .name = "sandbox",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct tournament_ask, sandbox),
      .help = "Runs programs by bubblewrap: without a network (but for those with a door), without "
              "your files, with --memory." },
    { .name = "memory",
      .value = "MB",
      .kind = OPTION_NUMBER,
      .least = 16,
      .most = 1u << 20,
      .offset = offsetof(struct tournament_ask, memory_mb),
      .help = "With --sandbox: memory for each process of a program. Default: 1024." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct tournament_ask, json),
      .help = "Prints JSON." },
    TABLE_OPTIONS(struct tournament_ask, table),
    GRID_OPTIONS(struct tournament_ask, grid),
    { .name = NULL },
};

static bool take_game(void *taker, json_t *line)
{
    return tournament_count(taker, line);
}

/* As the report links to it: from its own folder, if it lies there, or else from the root. */
static const char *link_to(const char *folder, const char *report, char whole[PATH_MAX])
{
    char above[PATH_MAX], named[PATH_MAX];
    if (folder == NULL || realpath(folder, whole) == NULL)
        return NULL;
    (void) snprintf(named, sizeof named, "%s", report);
    char *slash = strrchr(named, '/');
    if (slash != NULL)
        slash[slash == named] = '\0';
    if (realpath(slash != NULL ? named : ".", above) == NULL)
        return whole;
    size_t size = strlen(above);
    return strncmp(whole, above, size) == 0 && whole[size] == '/' ? whole + size + 1 : whole;
}

static int write_report(struct tournament *run)
{
    struct half_file file;
    char             folder[PATH_MAX];
    if (run->ask->report == NULL)
        return CONSOLE_OK;
    if (!half_file_open(&file, run->ask->report))
        return CONSOLE_BAD_INPUT;
    run->standings.matches = link_to(run->ask->matches, run->ask->report, folder);
    standings_page(&run->standings, file.stream);
    run->standings.matches = NULL;
    return half_file_close(&file, true) ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

static int play_and_tell(struct tournament *run)
{
    int code = tournament_play(run);
    standings_rate(&run->standings);
    if (run->ask->json)
        standings_json(&run->standings, stdout);
    else
        standings_print(&run->standings, stdout);
    if (code == CONSOLE_INTERRUPTED)
        complain("interrupted; the same command goes on from %s.", run->played.path);
    int reported = write_report(run);
    return code != CONSOLE_OK ? code : reported;
}

/* Whether two names lead to one file. */
static bool is_same_file(const char *one, const char *other)
{
    struct stat first, second;
    if (strcmp(one, other) == 0)
        return true;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Whether this output, if it is wanted, has a file of its own. */
static bool is_apart(const char *option, const char *path, const struct tournament *run)
{
    const struct tournament_ask *ask = run->ask;
    const struct {
        const char *path, *what;
    } others[] = {
        { run->played.path, "what was played" },
        { ask->entrants, "who plays" },
        { path == ask->report ? ask->errors : NULL, "what goes wrong" },
    };
    for (size_t i = 0; path != NULL && i < sizeof others / sizeof others[0]; i++)
        if (others[i].path != NULL && is_same_file(path, others[i].path)) {
            complain("--%s %s is the file of %s; name another one.", option, path, others[i].what);
            return false;
        }
    return true;
}

/* It is there from now on, so that another name of it is known for one. */
static bool open_errors(struct tournament *run)
{
    const char *path = run->ask->errors;
    if (!is_apart("errors", path, run))
        return false;
    run->terms.errors = path != NULL ? fopen(path, "ae") : NULL;
    if (path != NULL && run->terms.errors == NULL)
        complain("%s cannot be written: %s.", path, strerror(errno));
    return path == NULL || run->terms.errors != NULL;
}

/* What cannot be written is told of before hours are played for it. */
static bool open_outputs(struct tournament *run)
{
    const char      *report = run->ask->report;
    struct half_file file;
    const char      *matches = run->ask->matches;
    if (matches != NULL && mkdir(matches, 0777) != 0 && errno != EEXIST) {
        complain("%s cannot be made: %s.", matches, strerror(errno));
        return false;
    }
    return open_errors(run) && is_apart("report", report, run) &&
           (report == NULL || (half_file_open(&file, report) && half_file_close(&file, false)));
}

static int play_from(struct tournament *run, const char *path)
{
    const struct played_terms terms = { .table = &run->table,
                                        .entrants = &run->entrants,
                                        .limit_ms = run->ask->limit_ms,
                                        .start_ms = run->ask->start_ms,
                                        .most = run->ask->most,
                                        .may_change = run->ask->change };
    int                       code = played_open(&run->played, path, &terms, take_game, run);
    if (code == CONSOLE_OK)
        code = open_outputs(run) ? play_and_tell(run) : CONSOLE_BAD_INPUT;
    if (run->terms.errors != NULL)
        (void) fclose(run->terms.errors);
    return played_close(&run->played) || code != CONSOLE_OK ? code : CONSOLE_BAD_INPUT;
}

static int play_tournament(struct tournament *run, const char *game)
{
    char        usual[128];
    const char *path = run->ask->played != NULL ? run->ask->played : usual;
    int         code = table_open(&run->table, game, &run->ask->table);
    (void) snprintf(usual, sizeof usual, "%.64s.tournament", game);
    if (code == CONSOLE_OK && run->table.seats < 2) {
        complain("a tournament takes a game for two or more; \"--seats 2\" says so.");
        code = CONSOLE_USAGE;
    }
    if (code == CONSOLE_OK)
        code = contestants_read(&run->entrants, run->ask->entrants, game);
    if (code == CONSOLE_OK && run->ask->sandbox && !sandbox_is_there())
        code = CONSOLE_BAD_INPUT;
    for (uint32_t i = 0; run->ask->sandbox && i < run->entrants.count; i++)
        run->entrants.list[i].sandbox_mb = run->ask->memory_mb;
    if (code == CONSOLE_OK) {
        run->terms = (struct pairing_terms){ .table = &run->table,
                                             .view = plan_new(run->table.wire->view),
                                             .limit_ms = run->ask->limit_ms,
                                             .start_ms = run->ask->start_ms,
                                             .matches = run->ask->matches,
                                             .most = run->ask->most };
        standings_open(&run->standings, &run->entrants, game);
        code = play_from(run, path);
        standings_close(&run->standings);
        plan_destroy(&run->terms.view);
    }
    table_close(&run->table);
    contestants_close(&run->entrants);
    return code;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct tournament run;
    struct tournament_ask    ask = { .games = 10,
                                     .seed = 1,
                                     .limit_ms = 1000,
                                     .start_ms = 5000,
                                     .most = 10000,
                                     .jobs = 1,
                                     .memory_mb = 1024,
                                     .out_after = 10 };
    struct words             words;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.entrants == NULL) {
        complain("--entrants is missing: a file that lists the entrants, or -.");
        return CONSOLE_USAGE;
    }
    if (!console_writes_file("played", ask.played) || !console_writes_file("report", ask.report) ||
        !console_writes_file("errors", ask.errors) || !console_writes_file("matches", ask.matches))
        return CONSOLE_USAGE;
    int code = grid_setup(&ask.grid, words.word[0], &ask.table);
    if (code != CONSOLE_OK)
        return code;
    run.ask = &ask;
    contestants_adopt_strays();
    (void) signal(SIGPIPE, SIG_IGN); /* A program that has died is noticed where it is spoken to. */
    code = play_tournament(&run, words.word[0]);
    grid_setup_forget(&ask.table);
    return code;
}

const struct console_command command_tournament = {
    .name = "tournament",
    .arguments = "GAME",
    .summary = "Lets bots and programs play everybody against everybody, and rates them.",
    .about =
        "  arbiter tournament nim --entrants entrants.json --games 20\n"
        "  arbiter tournament nim --entrants entrants.json --games 50 --report nim.html\n"
        "\n"
        "Lets every two entrants play each other, each seed in both seatings. Prints\n"
        "points and Elo ratings with 95 % intervals. An entrant is a bot of this build or\n"
        "a program. A program comes by one of three doors:\n"
        "\n"
        "  \"program\": [...]              lines of JSON over its standard input and output\n"
        "  \"rest\": [..., \"{port}\"]       treasure's HTTP and XML of 2017\n"
        "  \"plain\": [..., \"{address}\"]   the classroom's ZeroMQ, as \"arbiter serve\" speaks "
        "it\n"
        "\n"
        "{url} stands for http://HOST:PORT.\n"
        "\n"
        "Lines of JSON:\n"
        "\n"
        "  {\"hello\": {\"game\": ..., \"seat\": ..., \"setup\": ...}}      to the program, once\n"
        "  {\"ask\": {\"view\": ..., \"legal\": [...], \"limit_ms\": ...}}  to the program\n"
        "  {\"command\": {...}}                                       one of the legal ones\n"
        "  {\"over\": {\"outcome\": [1, -1]}}                           to the program, at the "
        "end\n"
        "\n"
        "A program that dies, hangs or answers nonsense forfeits the game. It is started\n"
        "again for the next one.\n"
        "\n"
        "--jobs 4 plays four games at once. An entrant that hangs in ten games in a row is\n"
        "taken out (--out-after): its further games are lost without being played.\n"
        "\n"
        "Ctrl-C keeps what was played. Run the same command to go on, with more --games\n"
        "if you like. The file of --played belongs to one game, set-up, limits and\n"
        "entrants; others are refused. With --change new and changed entrants are played\n"
        "in, and nothing else is played again.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
