/* judge.c: `arbiter judge`: plays against somebody's server, and says where it differs from the rules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/dead/conform/dead_explain_conform.h"
#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/interrupt.h"
#include "services/console/judge/report.h"
#include "services/console/judge/trial.h"

#define NEVER_ANSWERED 3
#define PATIENCE_S 5

struct judge_ask {
    const char *at, *start, *topics, *edition, *material, *config, *seed;
    const char *html, *junit;
    uint64_t    games, only, stop_after, patience_s, timeout_s;
    bool        json;
};

static const char *const edition_words[] = { "base", "equipment", "crossroads", "all", NULL };

static const struct option options[] = {
    { .name = "at",
      .value = "HOST:PORT",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, at),
      .help = "Where the server listens. With --start it may be left out: each start gets a free "
              "port." },
    { .name = "start",
      .value = "COMMAND",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, start),
      .help = "Starts the server, once for each game." },
    { .name = "games",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 100000,
      .offset = offsetof(struct judge_ask, games),
      .help = "How many games to play. Default: 100." },
    { .name = "seed",
      .value = "S",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, seed),
      .help = "Which games: the same seed makes the same games. Default: 1. Without --start the "
              "seed that the running server was given." },
    { .name = "topics",
      .value = "LIST",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, topics),
      .help = "What to judge, joined by commas. Default: all." },
    { .name = "edition",
      .value = "WORD",
      .kind = OPTION_WORD,
      .words = edition_words,
      .offset = offsetof(struct judge_ask, edition),
      .help = "Default: all if COMMAND has {edition}, else base." },
    { .name = "only",
      .value = "NUMBER",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 100000,
      .offset = offsetof(struct judge_ask, only),
      .help = "Plays this game alone, once more." },
    { .name = "stop-after",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 100000,
      .offset = offsetof(struct judge_ask, stop_after),
      .help = "Ends after so many differences. Default: never." },
    { .name = "patience",
      .value = "SECONDS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 600,
      .offset = offsetof(struct judge_ask, patience_s),
      .help = "How long an answer may take; a start may take three times as long, and 15 at least. "
              "Default: 5." },
    { .name = "config",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, config),
      .help = "Without --start: the set-up that the running server was given." },
    { .name = "timeout",
      .value = "SECONDS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 600,
      .offset = offsetof(struct judge_ask, timeout_s),
      .help = "Without --start: the running server's; then time runs out in the game, too." },
    { .name = "material",
      .value = "FOLDER",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, material),
      .help = "Other set-ups and recordings: configs, recorded, validity." },
    { .name = "html",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, html),
      .help = "Writes the report as a page." },
    { .name = "junit",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct judge_ask, junit),
      .help = "Writes the report in JUnit's XML." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct judge_ask, json),
      .help = "Prints the report as JSON." },
    { .name = NULL },
};

/* Reading the command line. */

static bool read_topics(const char *list, uint32_t *topics)
{
    *topics = list == NULL ? (1u << DEAD_TOPICS) - 1 : 0;
    while (list != NULL && *list != '\0') {
        size_t   size = strcspn(list, ",");
        uint32_t topic = 0;
        while (topic < DEAD_TOPICS && (strlen(dead_topic_name(topic)) != size ||
                                       strncmp(dead_topic_name(topic), list, size) != 0))
            topic++;
        if (topic == DEAD_TOPICS) {
            complain("there is no topic \"%.*s\"; there are rules, order, dice, audience, clock, "
                     "validation and start.",
                     (int) size, list);
            return false;
        }
        *topics |= 1u << topic;
        list += size + (list[size] == ',');
    }
    if (*topics == 0)
        complain("--topics names no topic.");
    return *topics != 0;
}

static bool read_at(const char *at, struct trial *trial)
{
    const char *colon = at != NULL ? strrchr(at, ':') : NULL;
    char       *end = NULL;
    if (at == NULL) {
        (void) snprintf(trial->host, sizeof trial->host, "127.0.0.1");
        return true;
    }
    unsigned long port = colon != NULL ? strtoul(colon + 1, &end, 10) : 0;
    size_t        size = colon != NULL ? (size_t) (colon - at) : 0;
    if (colon == NULL || size == 0 || size >= sizeof trial->host || end == colon + 1 ||
        *end != '\0' || port > 65535) {
        complain("--at %s is not HOST:PORT.", at);
        return false;
    }
    bool is_local = strncmp(at, "localhost", size) == 0 && size == strlen("localhost");
    (void) snprintf(trial->host, sizeof trial->host, "%.*s", (int) (is_local ? 9 : size),
                    is_local ? "127.0.0.1" : at);
    trial->port = (uint32_t) port;
    return true;
}

static bool read_editions(const struct judge_ask *ask, const struct start_line *line,
                          struct trial *trial)
{
    const char *edition = ask->edition;
    bool        has_hole = ask->start != NULL && line->has[START_EDITION];
    if (edition == NULL)
        edition = has_hole ? "all" : "base";
    if (strcmp(edition, "all") == 0 && !has_hole) {
        complain("all editions can be judged only where COMMAND has {edition}.");
        return false;
    }
    for (uint32_t e = 0; e < EDITIONS; e++)
        if (strcmp(edition, "all") == 0 || strcmp(edition, trial_edition(e)) == 0)
            trial->editions |= 1u << e;
    return true;
}

static bool read_start(const struct judge_ask *ask, struct start_line *line)
{
    struct text fault;
    memset(line, 0, sizeof *line);
    if (ask->start == NULL) {
        if (ask->at != NULL && ask->config != NULL && ask->seed != NULL)
            return true;
        complain("--start is missing. A server that runs already needs --at, --config and --seed.");
        return false;
    }
    if (ask->config != NULL || ask->timeout_s != 0) {
        complain("--config and --timeout are for a server that runs already, without --start.");
        return false;
    }
    if (!start_split(line, ask->start, &fault)) {
        complain("--start: %s.", fault.bytes);
        return false;
    }
    for (uint32_t hole = START_PORT; hole <= START_TIMEOUT; hole++)
        if (!line->has[hole]) {
            complain("--start: COMMAND has no %s.", start_hole_name(hole));
            return false;
        }
    return true;
}

static bool is_here(const struct trial *trial)
{
    if (strcmp(trial->host, "127.0.0.1") == 0)
        return true;
    complain("--start starts it on this machine, so --at must name 127.0.0.1.");
    return false;
}

static bool read_ask(const struct judge_ask *ask, struct trial *trial, struct start_line *line)
{
    int64_t seed = 1;
    if (!read_start(ask, line) || !read_at(ask->at, trial) ||
        !read_topics(ask->topics, &trial->marks.topics) || !read_editions(ask, line, trial) ||
        (ask->seed != NULL && !console_seed(ask->seed, &seed)) ||
        (ask->start != NULL && !is_here(trial)) || !console_writes_file("html", ask->html) ||
        !console_writes_file("junit", ask->junit))
        return false;
    trial->seed = (uint64_t) seed;
    trial->line = ask->start != NULL ? line : NULL;
    trial->games = (uint32_t) ask->games;
    trial->only = (uint32_t) ask->only;
    trial->stop_after = (uint32_t) ask->stop_after;
    trial->patience_s = (double) ask->patience_s;
    if (trial->only > trial->games)
        trial->games = trial->only;
    return true;
}

/* Reports. */

static bool write_report(const char *path, const struct report *report,
                         void (*put)(const struct report *, FILE *))
{
    struct half_file file;
    if (path == NULL)
        return true;
    if (!half_file_open(&file, path))
        return false;
    put(report, file.stream);
    return half_file_close(&file, true);
}

static void put_option(FILE *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    (void) fprintf(out, " --%s ", name);
    console_put_word(out, value);
}

/* What to type for the same games once more: all that decides which they are, and how they are judged.
 * The caller frees it. */
static char *once_more(const struct trial *trial, const struct judge_ask *ask)
{
    char  *text = NULL;
    size_t size;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    (void) fprintf(out, "arbiter judge dead");
    put_option(out, "start", ask->start);
    put_option(out, "at", ask->at);
    (void) fprintf(out, " --seed %" PRId64, (int64_t) trial->seed);
    put_option(out, "topics", ask->topics);
    put_option(out, "edition", ask->edition);
    put_option(out, "material", ask->material);
    if (ask->patience_s != PATIENCE_S)
        (void) fprintf(out, " --patience %" PRIu64, ask->patience_s);
    (void) fclose(out);
    return text;
}

static int tell(const struct trial *trial, const struct judge_ask *ask, double seconds)
{
    char               *again = once_more(trial, ask);
    const struct report report = { .marks = &trial->marks,
                                   .program = ask->start != NULL ? ask->start : ask->at,
                                   .again = ask->start != NULL ? again : NULL,
                                   .seconds = seconds };
    if (ask->json)
        report_json(&report, stdout);
    else
        report_text(&report, stdout);
    bool written = write_report(ask->html, &report, report_page) &&
                   write_report(ask->junit, &report, report_junit);
    free(again);
    return written ? CONSOLE_OK : CONSOLE_BAD_INPUT;
}

/* Judging. */

static int code_of(const struct trial *trial, bool has_asked)
{
    if (interrupted())
        return CONSOLE_INTERRUPTED;
    if (has_asked && trial->room.heard == 0) {
        complain("the server never answered.");
        return NEVER_ANSWERED;
    }
    return trial->marks.failed > 0 ? CONSOLE_DISAGREES : CONSOLE_OK;
}

/* Each game with a server of its own. */
static int judge_started(struct trial *trial, const struct judge_ask *ask)
{
    double begun = seconds_now();
    if (ask->material != NULL)
        (void) snprintf(trial->material, sizeof trial->material, "%s", ask->material);
    else if (!trial_find_material(trial)) {
        complain("the recordings that come with the program are not there; --material names "
                 "others.");
        return CONSOLE_BAD_INPUT;
    }
    if (!trial_open(trial))
        return CONSOLE_BAD_INPUT;
    progress_start(&trial->progress, "checks", trial_size(trial));
    if (trial->only == 0)
        trial_lines(trial);
    trial_games(trial);
    if (!trial->is_broken)
        trial_setups(trial);
    progress_clear(&trial->progress);
    if (trial->is_broken)
        return CONSOLE_BAD_INPUT;
    int code = tell(trial, ask, seconds_now() - begun);
    return code != CONSOLE_OK ? code : code_of(trial, trial->has_played);
}

/* One game with the server that is there. */
static int judge_running(struct trial *trial, const struct judge_ask *ask)
{
    struct dead_script     script;
    const struct dead_wish wish = { .has_silence = ask->timeout_s > 0, .is_plain = true };
    size_t                 size;
    double                 begun = seconds_now();
    char                  *text = (char *) file_read(ask->config, &size, NULL);
    if (text == NULL || !trial_open(trial)) {
        free(text);
        return CONSOLE_BAD_INPUT;
    }
    dead_maker_add_setup(trial->maker, ask->config, text,
                         trial_edition((uint32_t) __builtin_ctz(trial->editions)));
    free(text);
    if (!dead_maker_next(trial->maker, &wish, &script, stderr)) {
        complain("no game can be played with this set-up.");
        return CONSOLE_BAD_INPUT;
    }
    trial->room.heard = 0;
    bool played = trial_one_game(trial, &script, (uint32_t) ask->timeout_s);
    dead_script_close(&script);
    if (!played)
        return interrupted() ? CONSOLE_INTERRUPTED : CONSOLE_BAD_INPUT;
    int code = tell(trial, ask, seconds_now() - begun);
    return code != CONSOLE_OK ? code : code_of(trial, true);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct trial trial;
    struct start_line   line;
    struct words        words;
    struct judge_ask    ask = { .games = 100, .patience_s = PATIENCE_S };
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (strcmp(words.word[0], "dead") != 0) {
        complain("servers of %s cannot be judged; those of dead can.", words.word[0]);
        return CONSOLE_USAGE;
    }
    int code = CONSOLE_USAGE;
    if (read_ask(&ask, &trial, &line))
        code = trial.line != NULL ? judge_started(&trial, &ask) : judge_running(&trial, &ask);
    trial_close(&trial);
    start_drop(&line);
    return code;
}

const struct console_command command_judge = {
    .name = "judge",
    .arguments = "dead",
    .summary = "Judges somebody's server of the dead by playing against it.",
    .about = "  arbiter judge dead --html report.html --start \\\n"
             "    'java -jar server.jar --config {config} --port {port} --seed {seed} --timeout "
             "{timeout}'\n"
             "\n"
             "Plays recorded games, and games made up for this, against any program that speaks\n"
             "the original's protocol over the plain door's frames (proto/plain.proto). The rules\n"
             "of this build say what must come. It says where something else came first: after\n"
             "which command, what was expected for whom, and which paragraph says so.\n"
             "\n"
             "COMMAND is split into words at spaces; quotes and backslashes hold words together.\n"
             "No shell reads it: no variables, no pipes. {config} {port} {seed} {timeout} and\n"
             "{edition} are filled in after that, so none of them becomes two words.\n"
             "\n"
             "Points are given by topic: rules, order, dice, audience, clock, validation, start.\n"
             "A difference counts if it shows twice.\n"
             "\n"
             "Exit codes: 0 no difference, 1 differences, 2 the command line makes no sense, 3\n"
             "the server never answered or a file cannot be used, 130 Ctrl-C.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
