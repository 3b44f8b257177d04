/* serve.c: `arbiter serve`: one match for a classroom, with the command line of the original server. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/classroom/serve_door.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/scratch.h"

#define NOT_GIVEN UINT64_MAX

struct serve_ask {
    struct table_ask table;
    const char      *seed;
    uint64_t         port, timeout;
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

/* Only what a person should hear of: that something ended. */
static void tell(const struct child *child, const char *sentence)
{
    if (child->restarts > 0)
        complain("%s %s.", child->name, sentence);
}

/* Settings of a lobby for one table. */
struct lobby_words {
    char timeout_ms[24], desk_bytes[24];
};

static void add_words(struct child *child, const char *option, const char *value)
{
    uint32_t at = 0;
    while (child->words[at] != NULL)
        at++;
    if (at + 2 >= CHILD_WORDS_MAX)
        return;
    child->words[at] = option;
    child->words[at + 1] = value;
}

/* Its time for those who have not begun, games without a registration being just idle; and room for
 * this registration, since it has no other. */
static void set_lobby(struct cluster *cluster, const struct serve_table *table,
                      struct lobby_words *words)
{
    const struct registration *registration = table->table->wire->game->registration;
    struct child              *lobby = &cluster->children.child[0];
    (void) snprintf(words->timeout_ms, sizeof words->timeout_ms, "%" PRIu64, table->turn_ms);
    add_words(lobby, registration != NULL ? "--registration-ms" : "--idle-ms", words->timeout_ms);
    add_words(lobby, "--tables-max", "4");
    if (registration == NULL || registration->state_bytes < 64)
        return;
    (void) snprintf(words->desk_bytes, sizeof words->desk_bytes, "%" PRIu32,
                    registration->state_bytes);
    add_words(lobby, "--desk-bytes", words->desk_bytes);
}

/* A watchdog of the door's own, whom the lobby lets in from the beginning. */
static bool add_clock(const struct home *home, struct bus_keys *keys)
{
    char  path[PATH_MAX], key[BUS_KEY_TEXT];
    FILE *admitted = home_path(home, path, "keys", "admitted", "") ? fopen(path, "a") : NULL;
    if (admitted == NULL)
        return false;
    bus_keys_make(keys, "watchdog");
    bus_key_write(key, keys->public_key);
    (void) fprintf(admitted, "%s watchdog impatience\n", key);
    return fclose(admitted) == 0;
}

static int play(struct serve_door *door, struct cluster *cluster, const struct serve_table *table)
{
    struct text fault;
    if (!serve_open_table(door, cluster, table, &fault)) {
        if (interrupted())
            return CONSOLE_INTERRUPTED;
        complain("%s.", fault.bytes);
        return CONSOLE_DISAGREES;
    }
    printf("Arbiter serves %s at %s.\n", table->table->wire->game->name, bus_address(door->socket));
    (void) fflush(stdout);
    serve_run(door);
    if (door->has_failed)
        complain("%s", door->sentence);
    if (door->has_failed)
        return CONSOLE_DISAGREES;
    if (door->ending == SERVE_NOT_BEGUN)
        complain("no match began: nobody started it in time.");
    if (door->ending == SERVE_BROKEN_OFF)
        complain("no match began: a command broke the registration off.");
    return door->is_over ? CONSOLE_OK : CONSOLE_INTERRUPTED;
}

/* The files come last, when nothing more can happen. */
static int play_and_record(struct serve_door *door, struct cluster *cluster,
                           const struct serve_table *table)
{
    int code = play(door, cluster, table), written = CONSOLE_OK;
    if (door->record != NULL)
        written = serve_record_close(door->record, door, table, door->ending);
    return code == CONSOLE_OK ? written : code;
}

/* In a house of its own, which is gone afterwards, unless somebody must look at what it said. */
static int play_apart(struct serve_door *door, const struct serve_table *table)
{
    static struct cluster     cluster;
    static struct lobby_words words;
    char                      folder[SCRATCH_MAX];
    struct bus_keys           keys;
    struct text               fault;
    int                       code = CONSOLE_BAD_INPUT;
    if (!scratch_make(folder))
        return CONSOLE_BAD_INPUT;
    text_clear(&fault);
    text_put(&fault, "the house does not take a clock of the door's");
    const struct cluster_ask ask = { .home = folder, .tell = tell };
    if (cluster_init(&cluster, &ask, &fault) &&
        (door->patience_s == 0 || (add_clock(&cluster.home, &keys) &&
                                   impatience_open(&door->clock, &cluster.home, &keys, &fault)))) {
        set_lobby(&cluster, table, &words);
        (void) children_tend(&cluster.children, seconds_now());
        code = play_and_record(door, &cluster, table);
    } else {
        complain("%s.", fault.bytes);
    }
    serve_close(door);
    if (!cluster_stop(&cluster) && code == CONSOLE_OK)
        code = CONSOLE_DISAGREES;
    if (code == CONSOLE_OK || code == CONSOLE_INTERRUPTED)
        scratch_remove(folder);
    else
        complain("what the processes said is in %s/log.", folder);
    return code;
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
static int code_of(const struct serve_ask *ask, const struct serve_door *door)
{
    bool is_named = door->ending != SERVE_ANNULLED &&
                    (door->has_begun || door->plain.wire->game->registration != NULL);
    bool is_each = ask->codes != NULL && strcmp(ask->codes, "each") == 0;
    return door->ending >= SERVE_BROKEN_OFF && (is_each || !is_named) ? (int) door->ending
                                                                      : CONSOLE_OK;
}

static int serve(const struct serve_ask *ask, const struct serve_table *table)
{
    static struct serve_door   door;
    static struct serve_record record;
    char                       address[BUS_ADDRESS_MAX], port[24] = "*";
    struct text                fault;
    if (ask->port != 0)
        (void) snprintf(port, sizeof port, "%" PRIu64, ask->port);
    (void) snprintf(address, sizeof address, "tcp://%.200s:%s", host_of(ask), port);
    door.patience_s = is_original(ask) ? (double) ask->timeout : 0;
    if (ask->record != NULL && !serve_record_open(&record, ask->record, table, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    door.record = ask->record != NULL ? &record : NULL;
    if (serve_listen(&door, address, ask->bind != NULL, &fault)) {
        int code = play_apart(&door, table);
        return code == CONSOLE_OK ? code_of(ask, &door) : code;
    }
    serve_close(&door);
    serve_record_forget(&record);
    complain("%s.", fault.bytes);
    return CONSOLE_BAD_INPUT;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct serve_ask   ask = { .port = NOT_GIVEN, .timeout = NOT_GIVEN };
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
    .summary = "Serves one match to a classroom: plain ZeroMQ, the original's command line.",
    .about = "  arbiter serve nim --config nim.json --port 7000 --seed 42 --timeout 60\n"
             "\n"
             "Runs one match with open dice for clients that know nothing of keys. Each client\n"
             "is one ZeroMQ DEALER and sends frames of proto/plain.proto. --config, --port,\n"
             "--seed and --timeout are needed.\n"
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
