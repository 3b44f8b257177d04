/* serve.c: `arbiter serve`: one match for a classroom, with the command line of the original server. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "services/console/classroom/serve_house.h"
#include "services/console/command/console.h"

#define NOT_GIVEN UINT64_MAX

struct serve_ask {
    struct table_ask table;
    const char      *seed;
    uint64_t         port, timeout, matches;
    const char      *bind, *resets, *record, *codes;
};

static const char *const resets[] = { "accepted", "any", NULL };
static const char *const codes[] = { "original", "each", NULL };

/* A house whose own time never runs out: the door keeps the time. */
#define LONG_MS 86400000u

static const struct option options[] = {
    TABLE_OPTIONS(struct serve_ask, table),
    { .name = "port",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 65535,
      .offset = offsetof(struct serve_ask, port),
      .help = "Where clients connect. 0 takes any free port and prints it." },
    { .name = "matches",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = SERVE_MATCHES_MAX,
      .offset = offsetof(struct serve_ask, matches),
      .help =
          "How many matches, at --port and the next ports. Each has the next seed. Default: 1." },
    { .name = "seed",
      .value = "LONG",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct serve_ask, seed),
      .help = "The seed of the dice: a whole number of 64 bits." },
    { .name = "timeout",
      .value = "SECONDS",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = 86400,
      .offset = offsetof(struct serve_ask, timeout),
      .help = "Time for each answer of a player." },
    { .name = "bind",
      .value = "ADDRESS",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct serve_ask, bind),
      .help = "The address to listen at. Default: only this machine can connect." },
    { .name = "timeout-resets",
      .value = "WHAT",
      .kind = OPTION_WORD,
      .words = resets,
      .offset = offsetof(struct serve_ask, resets),
      .help =
          "Which commands restart that time: \"any\", as in the original, or \"accepted\" ones. "
          "Default: any." },
    { .name = "record",
      .value = "FOLDER",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct serve_ask, record),
      .help =
          "Leaves there the match file, a transcript, and a line of index.jsonl that says how it "
          "ended." },
    { .name = "exit-codes",
      .value = "WHICH",
      .kind = OPTION_WORD,
      .words = codes,
      .offset = offsetof(struct serve_ask, codes),
      .help =
          "\"original\": 0 for each ending that the original's text names. \"each\": a code for "
          "each ending. Default: original." },
    { .name = NULL },
};

/* The original's command line leaves nothing out. */
static bool is_whole(const struct serve_ask *ask)
{
    const char *missing = NULL;
    if (ask->table.config == NULL)
        missing = "config";
    else if (ask->port == NOT_GIVEN)
        missing = "port";
    else if (ask->seed == NULL)
        missing = "seed";
    else if (ask->timeout == NOT_GIVEN)
        missing = "timeout";
    if (missing != NULL)
        complain("--%s is missing; \"arbiter help serve\" says what it is.", missing);
    return missing == NULL;
}

static bool is_original(const struct serve_ask *ask)
{
    return ask->resets == NULL || strcmp(ask->resets, "any") == 0;
}

/* So often the dead wait for a choice or a vote before they make it themselves. */
#define PATIENCE "patience"
#define PATIENCE_SET PATIENCE "=3"

static bool has_patience(const struct table_ask *ask)
{
    for (uint32_t i = 0; i < ask->set.count; i++)
        if (strncmp(ask->set.word[i], PATIENCE "=", sizeof PATIENCE) == 0)
            return true;
    json_t *said = ask->options != NULL ? json_loads(ask->options, 0, NULL) : NULL;
    bool    has = json_object_get(said, PATIENCE) != NULL;
    json_decref(said);
    return has;
}

/* Nobody holds up a classroom for ever, unless the command line says so. */
static void limit_patience(const char *game, struct table_ask *ask)
{
    if (strcmp(game, "dead") == 0 && ask->set.count < WORD_LIST_MAX && !has_patience(ask))
        ask->set.word[ask->set.count++] = PATIENCE_SET;
}

static const char *host_of(const struct serve_ask *ask)
{
    if (ask->bind == NULL || strcmp(ask->bind, "localhost") == 0)
        return "127.0.0.1"; /* libzmq listens on addresses only. */
    return ask->bind;
}

/* The original's text names three endings besides a finished game, and 0 for each. A game without a
 * registration of its own is not in that text. */
static int code_of(const void *asked, const struct serve_door *door)
{
    const struct serve_ask *ask = asked;
    bool                    is_named = door->ending != SERVE_ANNULLED &&
                    (door->has_begun || door->plain.wire->game->registration != NULL);
    bool is_each = ask->codes != NULL && strcmp(ask->codes, "each") == 0;
    return door->ending >= SERVE_BROKEN_OFF && (is_each || !is_named) ? (int) door->ending
                                                                      : CONSOLE_OK;
}

static int serve(const struct serve_ask *ask, const struct serve_table *table)
{
    const struct serve_terms terms = { .table = table,
                                       .host = host_of(ask),
                                       .is_open = ask->bind != NULL,
                                       .port = (uint32_t) ask->port,
                                       .matches = (uint32_t) ask->matches,
                                       .patience_s = is_original(ask) ? (double) ask->timeout : 0,
                                       .record = ask->record,
                                       .code_of = code_of,
                                       .asked = ask };
    if (terms.port != 0 && terms.port + terms.matches > 65536) {
        complain("there are no ports above 65535 for so many matches.");
        return CONSOLE_USAGE;
    }
    return terms.matches > 1 ? serve_class(&terms) : serve_one(&terms);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct serve_ask   ask = { .port = NOT_GIVEN, .timeout = NOT_GIVEN, .matches = 1 };
    struct table       table;
    struct serve_table opened = { .table = &table };
    struct words       words;
    if (!console_read(self, argc, argv, &ask, &words) || !is_whole(&ask) ||
        !console_writes_file("record", ask.record) || !console_seed(ask.seed, &opened.seed))
        return CONSOLE_USAGE;
    limit_patience(words.word[0], &ask.table);
    int code = table_open(&table, words.word[0], &ask.table);
    if (code != CONSOLE_OK)
        return code;
    opened.turn_ms = is_original(&ask) ? LONG_MS : ask.timeout * 1000;
    code = serve(&ask, &opened);
    table_close(&table);
    return code;
}

const struct console_command command_serve = {
    .name = "serve",
    .arguments = "GAME",
    .summary = "Serves a classroom, one match or many: plain ZeroMQ, the original's command line.",
    .about = "  arbiter serve nim --config nim.json --port 7000 --seed 42 --timeout 60\n"
             "\n"
             "Runs one match with open dice for clients that know nothing of keys. Each client\n"
             "is one ZeroMQ DEALER and sends frames of proto/plain.proto. --config, --port,\n"
             "--seed and --timeout are needed.\n"
             "\n"
             "--matches 30 serves a class: 30 matches in one house, at --port and the next\n"
             "ports, each with the next seed. It ends after the last of them, with the\n"
             "highest of their codes.\n"
             "\n"
             "Ends with 0 after the match. If no match begins, it also ends with 0, as the\n"
             "original does. With --exit-codes each it ends with\n"
             "\n"
             "  0   after the last event of a match\n"
             "  10  if a command broke the registration off\n"
             "  11  if nobody began in time; in a game without a registration always\n"
             "  12  if the match ended because somebody's time ran out\n"
             "  13  if the house ended the match; this one always\n"
             "\n"
             "If the set-up is not valid, it lists every fault and does not listen.\n"
             "\n"
             "--record FOLDER leaves 0001.match, 0001.jsonl, 0001.json (the set-up) and a line\n"
             "of index.jsonl there; the next match has 0002.\n"
             "\n"
             "The dead wait three times for a choice or a vote, and then make it;\n"
             "--set patience=0 lets them wait for ever.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
