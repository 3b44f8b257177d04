/* trace_act.c: `arbiter trace`: where the time of one slow act went, as each process that had it says. */
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/care/slow.h"
#include "services/console/care/top_house.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"

#define ROUND_S 0.25
#define PATIENCE_S 10.0
#define ROUNDS_MORE 2 /* Behind the first answer, for other watchdogs'. */

struct trace_ask {
    const char *home;
    bool        json;
};

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct trace_ask, home),
      .help = "The folder of \"arbiter up\". Default: ~/.local/share/arbiter." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct trace_ask, json),
      .help = "Prints JSON, one object for each process." },
    { .name = NULL },
};

static bool read_act(const struct words *words, struct slow_rows *rows)
{
    size_t      size = 0;
    char       *end = NULL;
    const char *id = words->word[0], *act = words->word[1];
    if (sodium_hex2bin(rows->match_id, sizeof rows->match_id, id, strlen(id), NULL, &size, NULL) !=
            0 ||
        size != sizeof rows->match_id) {
        complain("\"%s\" is no match's id: it has 32 hexadecimal digits, as \"arbiter top --slow\" "
                 "lists them.",
                 id);
        return false;
    }
    rows->number = strtoull(act, &end, 10);
    if (act[0] >= '1' && act[0] <= '9' && *end == '\0')
        return true;
    complain("\"%s\" is no act: they are numbered 1, 2, 3, ...", act);
    return false;
}

/* Asks until a watchdog has answered, and a little longer. */
static int ask(struct top_house *house, const struct slow_rows *rows)
{
    double   begun_s = seconds_now();
    uint32_t more = 0;
    while (!interrupted() && more < ROUNDS_MORE) {
        top_ask(house);
        top_hear(house, ROUND_S);
        more += rows->answers > 0;
        if (rows->answers > 0 || seconds_now() - begun_s <= PATIENCE_S)
            continue;
        complain("%s", house->is_connected
                           ? "no watchdog answers, and nobody else keeps what was slow."
                           : "the lobby does not answer; does \"arbiter up\" run?");
        return CONSOLE_DISAGREES;
    }
    return interrupted() ? CONSOLE_INTERRUPTED : CONSOLE_OK;
}

static int show(const struct trace_ask *asked, const struct slow_rows *rows)
{
    if (asked->json)
        slow_put_json(stdout, rows);
    else if (rows->count > 0)
        slow_put_act(stdout, rows);
    else
        complain("nobody says that act %" PRIu64 " was slow: each process needed less than its "
                 "slow_ms, or 1,000 other slow commands came since.",
                 rows->number);
    return rows->count > 0 ? CONSOLE_OK : CONSOLE_DISAGREES;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct top_house house;
    static struct slow_rows rows;
    struct trace_ask        asked = { 0 };
    struct words            words;
    struct text             fault;
    int                     code = CONSOLE_BAD_INPUT;
    if (!console_read(self, argc, argv, &asked, &words) || !read_act(&words, &rows))
        return CONSOLE_USAGE;
    if (top_open(&house, asked.home, &fault)) {
        house.slow = &rows;
        code = ask(&house, &rows);
    } else {
        complain("%s.", fault.bytes);
    }
    top_close(&house);
    return code == CONSOLE_OK ? show(&asked, &rows) : code;
}

const struct console_command command_trace = {
    .name = "trace",
    .arguments = "MATCH ACT",
    .summary = "Says where the time of a slow act went.",
    .about = "  arbiter top --slow --once\n"
             "  arbiter trace 49b207b8dfe1383c6b8b96b0682c9a1a 12\n"
             "\n"
             "Shows the parts of the time that the engine, and the gateway if the player came\n"
             "by one, measured for this act. The watchdogs keep the last 1,000 commands that\n"
             "took longer than slow_ms (100) in a process. Of quicker ones nothing is kept.\n"
             "\n"
             "door: at the gateway. queue: it waited for others at the engine, at most. rules:\n"
             "it was judged. commit: it was stored. publish: it was sent. way: between gateway\n"
             "and engine. delivery: from the answer until the player was told of the act.\n"
             "\n"
             "This command needs the operator's key from the home.\n",
    .options = options,
    .words_least = 2,
    .words_most = 2,
    .run = run,
};
