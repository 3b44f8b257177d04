/* up.c: `arbiter up`: everything on one machine, in one terminal, until Ctrl-C. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bus/port.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/setups.h"
#include "services/console/command/table.h"
#include "services/console/command/terminal.h"
#include "services/console/home/cluster.h"

struct up_ask {
    const char *home;
    uint64_t    port;
    uint64_t    http;
    bool        allow_rigged;
    const char *treasure;
    uint64_t    bot_ms, think_ms;
};

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct up_ask, home),
      .help = "The folder of keys, store and logs. Default: ~/.local/share/arbiter." },
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
      .help = "Listen on loopback at this port and the next ones, instead of sockets in DIR." },
    { .name = "http",
      .value = "PORT",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 65535,
      .offset = offsetof(struct up_ask, http),
      .help = "The port on loopback for browsers and programs without a key. 0 takes any. Default: "
              "8080, or the next free one." },
    { .name = "allow-rigged",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct up_ask, allow_rigged),
      .help =
          "Hosts may open test tables, where the host orders the cards. Other players see that." },
    { .name = "treasure",
      .value = "FILE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct up_ask, treasure),
      .help = "The set-up of treasure hunts over HTTP: a file, or the name course2020. Default: "
              "the set-up of 2017." },
    { .name = "bot-ms",
      .value = "MS",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 86400000,
      .offset = offsetof(struct up_ask, bot_ms),
      .help = "A player who waits alone this long over HTTP gets a bot as opponent. 0, the "
              "default: waits for a person." },
    { .name = "think-ms",
      .value = "MS",
      .kind = OPTION_NUMBER,
      .least = 0,
      .most = 60000,
      .offset = offsetof(struct up_ask, think_ms),
      .help = "The bots' pause before each move. Default: 300." },
    { .name = NULL },
};

#define NOT_GIVEN UINT64_MAX
#define HTTP_PORT 8080u
#define HTTP_TRIES 100u

/* The port that was asked for, or one near the usual; 0: there is none, which has been said. */
static uint32_t http_port(uint64_t asked)
{
    bool     is_asked = asked != NOT_GIVEN;
    uint32_t port = is_asked ? port_free((uint32_t) asked, 1) : port_free(HTTP_PORT, HTTP_TRIES);
    if (port == 0 && is_asked)
        complain(
            "something else listens at port %u of this machine; choose another one with --http.",
            (uint32_t) asked);
    else if (port == 0)
        complain("the ports from %u on are all taken; choose a free one with --http PORT.",
                 HTTP_PORT);
    return port;
}

/* The gateway would say what is wrong with it into its log, again and again. */
static bool find_hunt(const char *asked, char path[PATH_MAX])
{
    const struct table_ask ask = { .config = asked };
    struct table           table;
    struct setup_place     place;
    if (strcmp(asked, "-") == 0) {
        complain("--treasure takes a file: the gateway reads it each time that it is started.");
        return false;
    }
    if (table_open(&table, "treasure", &ask) != CONSOLE_OK)
        return false;
    table_close(&table);
    if (strpbrk(asked, "/.") != NULL) {
        (void) snprintf(path, PATH_MAX, "%s", asked);
        return true;
    }
    if (!setups_find("treasure", asked, &place) || place.is_bundle) {
        complain("--treasure takes a file, and \"%s\" is none by itself: copy what stands under "
                 "\"config\" in it into one of your own.",
                 asked);
        return false;
    }
    (void) snprintf(path, PATH_MAX, "%s", place.path);
    return true;
}

/* A number for a command line; NULL: nobody said one. */
static const char *number_text(uint64_t number, char text[32])
{
    (void) snprintf(text, 32, "%" PRIu64, number);
    return number != NOT_GIVEN ? text : NULL;
}

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

/* The link with the token is for whoever sits here: where what is said goes into a file, it says where the token is. */
static void tell_operators_page(const struct cluster *cluster, const char *http)
{
    char        path[PATH_MAX], token[HOME_TOKEN_MAX];
    struct text fault;
    if (!home_token(&cluster->home, path, token, &fault))
        complain("%s.", fault.bytes);
    else if (isatty(STDOUT_FILENO))
        printf("For the operator: http://%s/#/house/%s\n\n", http, token);
    else
        printf("For the operator: http://%s/#/house, with the token in %s\n\n", http, path);
    sodium_memzero(token, sizeof token);
}

/* A command to be typed as it stands, so a folder of one's own is named, and what it is good for. */
static void hint(const char *words, const char *home, const char *purpose)
{
    printf("    %s %s", console_program(), words);
    if (home != NULL) {
        fputs(" --home ", stdout);
        console_put_word(stdout, home);
    }
    printf("  # %s\n", purpose);
}

static void run_until_interrupted(struct cluster *cluster, const char *http, bool is_named)
{
    const char *home = is_named ? cluster->home.folder : NULL; /* It is typed in any folder. */
    printf("Arbiter in %s; Ctrl-C stops it.\n\n"
           "In a browser: http://%s/\n\n",
           cluster->home.folder, http);
    tell_operators_page(cluster, http);
    puts("In another terminal:");
    hint("play dead --bots 2", home, "play, against two of the house's bots");
    hint("watch", home, "what is being played");
    hint("top", home, "how the services do");
    printf("\n"
           "Programs of 2017 play treasure at http://%s\n"
           "Your own programs can play any game at ws://%s/ws (services/gateway/README.md)\n"
           "\n",
           http, http);
    while (!interrupted()) {
        (void) children_tend(&cluster->children, seconds_now());
        rest();
    }
    puts("stopping");
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct cluster cluster;
    struct up_ask         ask = { .http = NOT_GIVEN, .bot_ms = NOT_GIVEN, .think_ms = NOT_GIVEN };
    struct words          words;
    struct text           fault;
    char                  http[32], treasure[PATH_MAX], bot_ms[32], think_ms[32];
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.treasure != NULL && !find_hunt(ask.treasure, treasure))
        return CONSOLE_BAD_INPUT;
    uint32_t port = http_port(ask.http);
    if (port == 0)
        return CONSOLE_BAD_INPUT;
    (void) snprintf(http, sizeof http, "127.0.0.1:%u", port);
    const struct cluster_ask wanted = {
        .home = ask.home,
        .port = (uint32_t) ask.port,
        .http = http,
        .allow_rigged = ask.allow_rigged,
        .settings = { { "gateway", "treasure", ask.treasure != NULL ? treasure : NULL },
                      { "gateway", "bot-ms", number_text(ask.bot_ms, bot_ms) },
                      { "bot", "think-ms", number_text(ask.think_ms, think_ms) } },
        .tell = tell
    };
    if (!cluster_init(&cluster, &wanted, &fault)) {
        complain("%s.", fault.bytes);
        (void) cluster_stop(&cluster);
        return CONSOLE_BAD_INPUT;
    }
    run_until_interrupted(&cluster, http, ask.home != NULL);
    if (cluster_stop(&cluster))
        return CONSOLE_OK;
    console_complain("some services did not end well; the folder's log/ says which.");
    return CONSOLE_DISAGREES;
}

const struct console_command command_up = {
    .name = "up",
    .arguments = "",
    .summary = "Runs everything on this machine: lobby, engine, fanout, watchdog, gateway, bots.",
    .about =
        "  arbiter up                             the page is at port 8080, or the next free one\n"
        "  arbiter up --home /tmp/try --http 0    a second one beside it\n"
        "\n"
        "Runs all services as children of this program, and restarts those that die. The\n"
        "first start makes the keys. Matches are kept in an embedded store. Only this\n"
        "machine can connect. Ctrl-C stops everything. Accepted moves are kept.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
