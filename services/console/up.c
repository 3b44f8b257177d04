/* up.c: `arbiter up`: everything on one machine, in one terminal, until Ctrl-C. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "services/console/cluster.h"
#include "services/console/console.h"
#include "services/console/interrupt.h"
#include "services/console/progress.h"
#include "services/console/terminal.h"

struct up_ask {
    const char *home;
    uint64_t    port;
};

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct up_ask, home),
      .help = "Where keys, store and logs are; else ~/.local/share/arbiter." },
    { .name = "data",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct up_ask, home),
      .help = "The same." },
    { .name = "port",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1024,
      .most = 65500,
      .offset = offsetof(struct up_ask, port),
      .help = "Listen on loopback at this port and the next ones, not on sockets in DIR." },
    { .name = NULL },
};

static void tell(const struct child *child, const char *sentence)
{
    bool coloured = terminal_has_colour(stdout);
    terminal_put_in(stdout, coloured, COLOUR_BOLD, child->name);
    printf("%*s %s\n", (int) (12 - strlen(child->name)), "", sentence);
    (void) fflush(stdout);
}

static void rest(void)
{
    struct timespec pause = { .tv_nsec = 50000000 };
    (void) nanosleep(&pause, NULL);
}

static void run_until_interrupted(struct cluster *cluster)
{
    printf("Arbiter in %s; Ctrl-C stops it.\n\n"
           "In another terminal:\n"
           "    arbiter play dead --bots 2     play, against two of the house's bots\n"
           "    arbiter watch                  what is being played\n"
           "    arbiter top                    how the services do\n\n",
           cluster->home.folder);
    while (!interrupted()) {
        (void) children_tend(&cluster->children, seconds_now());
        rest();
    }
    puts("stopping");
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct cluster cluster;
    struct up_ask         ask = { 0 };
    struct words          words;
    struct text           fault;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (!cluster_init(&cluster, ask.home, (uint32_t) ask.port, true, tell, &fault)) {
        complain("%s.", fault.bytes);
        (void) cluster_stop(&cluster);
        return CONSOLE_BAD_INPUT;
    }
    run_until_interrupted(&cluster);
    if (cluster_stop(&cluster))
        return CONSOLE_OK;
    console_complain("not everything ended well; the folder's log/ says what did not.");
    return CONSOLE_DISAGREES;
}

const struct console_command command_up = {
    .name = "up",
    .arguments = "",
    .summary = "Runs everything on this machine: lobby, engine, fanout, watchdog, bots.",
    .about = "Runs all services of one machine as children of this program, with keys made at the\n"
             "first start and an embedded store, and starts again what dies. Nobody outside this\n"
             "machine can reach it. Ctrl-C stops everything; what was accepted is kept.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
