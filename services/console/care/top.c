/* top.c: `arbiter top`: how the house does, as a table that is drawn anew each second. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock/clock.h"
#include "contract/directory.pb-c.h"
#include "services/console/care/top_house.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "wire/names.h"

#define ROUND_S 1.0
#define ROUNDS_ONCE 3 /* Who there is; how they do; and how that has changed. */
#define PATIENCE_S 10.0
/* With the second it is sure that the first was not answered for a second. */
#define PINGS_JUDGED 2

struct top_ask {
    const char *home;
    bool        once, json, slow;
};

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct top_ask, home),
      .help = "The folder of \"arbiter up\". Default: ~/.local/share/arbiter." },
    { .name = "once",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct top_ask, once),
      .help = "Prints one table and ends." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct top_ask, json),
      .help = "Prints JSON, one object per line; without --once one every second." },
    { .name = "slow",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct top_ask, slow),
      .help = "Shows the slowest commands instead, and where most of their time went." },
    { .name = NULL },
};

static const char *role_name(uint32_t role)
{
    static const char *const names[] = { "service", "lobby", "engine", "fanout", "watchdog",
                                         "gateway", "bot",   "client", "console" };
    return role < sizeof names / sizeof names[0] ? names[role] : names[0];
}

/* Services that only beat, like bots, are in no directory. */
static bool is_shown(const struct top_service *service)
{
    return service->is_listed || service->has_beat;
}

static const char *state_of(const struct top_service *service)
{
    if (service->is_suspect)
        return "suspect";
    if (service->is_stopped)
        return "stopped";
    if (service->is_draining)
        return "stopping";
    if (service->has_beat || service->ping_ms >= 0)
        return "well";
    if (service->socket == NULL)
        return "listed"; /* Bots beat seldom, and have no door. */
    return service->pings < PINGS_JUDGED ? "asking" : "silent";
}

static uint64_t up_seconds(const struct top_service *service)
{
    uint64_t now_ms = clock_wall_ms();
    return service->started_ms == 0 || now_ms < service->started_ms
               ? 0
               : (now_ms - service->started_ms) / 1000;
}

static void put_cell(FILE *out, int width, const char *form, double value, bool is_known)
{
    char text[32] = "-";
    if (is_known)
        (void) snprintf(text, sizeof text, form, value);
    fprintf(out, " %*s", width - 1, text);
}

static void put_service(FILE *out, bool is_coloured, const struct top_service *service)
{
    bool is_well =
        strcmp(state_of(service), "well") == 0 || strcmp(state_of(service), "listed") == 0;
    uint64_t up_s = up_seconds(service);
    char     state[24];
    fprintf(out, "%-12s ", service->name);
    (void) snprintf(state, sizeof state, "%-6s", state_of(service));
    /* A service that stopped as asked is neither, nor is one that had no time to answer yet. */
    bool is_judged =
        strcmp(state_of(service), "stopped") != 0 && strcmp(state_of(service), "asking") != 0;
    terminal_put_in(out, is_coloured && is_judged, is_well ? COLOUR_GREEN : COLOUR_RED, state);
    fprintf(out, "%3" PRIu64 ":%02" PRIu64 ":%02" PRIu64, up_s / 3600, up_s / 60 % 60, up_s % 60);
    bool is_fanout = service->role == ROLE(FANOUT);
    bool has_matches = is_fanout || service->role == ROLE(ENGINE);
    put_cell(out, 5, "%.0f", (double) service->figures.memory_bytes / (1 << 20),
             service->figures.memory_bytes > 0);
    put_cell(out, 8, "%.0f", (double) service->figures.matches, service->has_beat && has_matches);
    put_cell(out, 6, "%.0f", service->slots, service->slots > 0);
    put_cell(out, 7, "%.1f", service->acts_s, service->has_beat && service->acts_s >= 0);
    put_cell(out, 7, "%.2f", service->commit_ms, service->has_beat && service->commit_ms >= 0);
    put_cell(out, 6, "%.1f", service->ping_ms, service->ping_ms >= 0);
    put_cell(out, 5, "%.1f", (double) service->figures.behind_ms / 1000,
             service->has_beat && is_fanout);
    put_cell(out, 7, "%.0f", (double) service->figures.readers, service->has_beat);
    fputc('\n', out);
}

/* Slots by lease: how many have no owner, and how often one had to be given to another engine. */
static void put_slots(FILE *out, const struct top_house *house)
{
    uint32_t owned = 0;
    for (uint32_t i = 0; i < house->count; i++)
        if (house->services[i].role == ROLE(ENGINE))
            owned += house->services[i].slots;
    fprintf(out, "slots owned: %" PRIu32 " of %d", owned, SLOTS);
    if (house->is_watched && house->has_leases)
        fprintf(out, ", without a lease: %" PRIu64 ", moved: %" PRIu64, house->unowned,
                house->moves);
    if (house->is_watched)
        fprintf(out, "; clocks that run: %" PRIu64, house->waits);
    fputc('\n', out);
}

/* A terminal of eighty columns shows a row in one line. */
static void put_table(FILE *out, bool is_coloured, const struct top_house *house)
{
    fputs("matches that all may watch: ", out);
    if (house->has_matches)
        fprintf(out, "%" PRIu32 "%s\n", house->matches, house->has_more ? " and more" : "");
    else
        fputs("-\n", out);
    put_slots(out, house);
    fprintf(out, "%-12s %-6s%9s%5s%8s%6s%7s%7s%6s%5s%7s\n", "SERVICE", "STATE", "UP", "MIB",
            "MATCHES", "SLOTS", "ACTS/S", "COMMIT", "PING", "LAG", "TOPICS");
    for (uint32_t i = 0; i < house->count; i++)
        if (is_shown(&house->services[i]))
            put_service(out, is_coloured, &house->services[i]);
    if (!house->is_watched)
        fputs("no watchdog answers: what beats tell is missing\n", out);
}

static void put_json_number(FILE *out, const char *name, double value, bool is_known)
{
    if (is_known)
        fprintf(out, ",\"%s\":%.3f", name, value);
}

/* Names of services are letters, digits and dashes of their operator's; what else they hold is left out. */
static void put_json_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        if (*name >= ' ' && *name <= '~' && *name != '"' && *name != '\\')
            fputc(*name, out);
}

/* All that it says of itself, as it says it. */
static void put_json_figures(FILE *out, const struct top_service *service)
{
    if (!service->has_beat)
        return;
    fputs(",\"figures\":{", out);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i == 0 ? "" : ",", figure_list[i].name,
                figure_value(&figure_list[i], &service->figures));
    fputc('}', out);
}

static void put_json(FILE *out, const struct top_house *house)
{
    bool is_first = true;
    fputc('{', out);
    if (house->has_matches)
        fprintf(out, "\"matches\":%" PRIu32 ",\"more_matches\":%s,", house->matches,
                house->has_more ? "true" : "false");
    if (house->is_watched)
        fprintf(out, "\"waits\":%" PRIu64 ",", house->waits);
    if (house->is_watched && house->has_leases)
        fprintf(out, "\"slots_unowned\":%" PRIu64 ",\"slot_moves\":%" PRIu64 ",", house->unowned,
                house->moves);
    fputs("\"services\":[", out);
    for (uint32_t i = 0; i < house->count; i++) {
        const struct top_service *service = &house->services[i];
        if (!is_shown(service))
            continue;
        fputs(is_first ? "{\"name\":\"" : ",{\"name\":\"", out);
        is_first = false;
        put_json_name(out, service->name);
        fprintf(out, "\",\"role\":\"%s\",\"state\":\"%s\",\"up_s\":%" PRIu64 ",\"slots\":%" PRIu32,
                role_name(service->role), state_of(service), up_seconds(service), service->slots);
        put_json_number(out, "memory_bytes", (double) service->figures.memory_bytes,
                        service->figures.memory_bytes > 0);
        put_json_number(out, "acts_per_s", service->acts_s,
                        service->has_beat && service->acts_s >= 0);
        put_json_number(out, "commit_ms", service->commit_ms,
                        service->has_beat && service->commit_ms >= 0);
        put_json_number(out, "ping_ms", service->ping_ms, service->ping_ms >= 0);
        put_json_number(out, "topics", (double) service->figures.readers, service->has_beat);
        put_json_number(out, "matches", (double) service->figures.matches, service->has_beat);
        put_json_number(out, "slots_behind", (double) service->figures.slots_behind,
                        service->has_beat);
        put_json_number(out, "lag_s", (double) service->figures.behind_ms / 1000,
                        service->has_beat);
        put_json_figures(out, service);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

static void show(const struct top_ask *ask, struct top_house *house)
{
    bool is_live = !ask->once && !ask->json && isatty(STDOUT_FILENO) == 1;
    if (is_live)
        fputs("\033[H\033[J", stdout);
    if (ask->slow && ask->json)
        slow_put_json(stdout, house->slow);
    else if (ask->slow)
        slow_put_table(stdout, house->slow);
    else if (ask->json)
        put_json(stdout, house);
    else
        put_table(stdout, terminal_has_colour(stdout), house);
    (void) fflush(stdout);
}

static int follow(const struct top_ask *ask, struct top_house *house)
{
    double   begun_s = seconds_now();
    uint32_t rounds = 0;
    while (!interrupted()) {
        if (house->slow != NULL && !ask->once)
            house->slow->count = 0; /* Told anew, for what is old is forgotten. */
        top_ask(house);
        top_hear(house, ROUND_S);
        if (!house->is_connected && seconds_now() - begun_s > PATIENCE_S) {
            console_complain("the lobby does not answer; does \"arbiter up\" run?");
            return CONSOLE_DISAGREES;
        }
        if (!house->is_connected || interrupted())
            continue;
        rounds++;
        /* A person sees at once who is there; a reader of lines gets what has been asked for. */
        if ((!ask->once && isatty(STDOUT_FILENO) == 1) || rounds >= ROUNDS_ONCE)
            show(ask, house);
        if (ask->once && rounds == ROUNDS_ONCE)
            return CONSOLE_OK;
    }
    return CONSOLE_INTERRUPTED;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct top_house house;
    static struct slow_rows slow;
    struct top_ask          ask = { 0 };
    struct words            words;
    struct text             fault;
    int                     code = CONSOLE_BAD_INPUT;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    bool is_open = top_open(&house, ask.home, &fault);
    house.slow = ask.slow ? &slow : NULL;
    if (is_open)
        code = follow(&ask, &house);
    else
        complain("%s.", fault.bytes);
    top_close(&house);
    return code;
}

const struct console_command command_top = {
    .name = "top",
    .arguments = "",
    .summary = "Shows how the services are doing, live.",
    .about = "  arbiter top                            every second anew, until Ctrl-C\n"
             "  arbiter top --once --json              for a script\n"
             "  arbiter top --slow                     the commands that took longest\n"
             "\n"
             "Shows each service in a line: whether it is well, how long it has run, and its\n"
             "memory in MiB. Then matches and slots, acts per second, and the milliseconds of\n"
             "a commit and of a ping. Then the seconds a fanout is behind its engines, and the\n"
             "topics that somebody reads.\n"
             "\n"
             "Above the table: slots without a lease, and slots moved to another engine. Both\n"
             "appear only if engines share a store. This command needs the operator's key from\n"
             "the home.\n"
             "\n"
             "--slow: of the last 1,000 commands that took longer than slow_ms in an engine or\n"
             "a gateway the 20 slowest, with --json all. \"arbiter trace MATCH ACT\" shows one\n"
             "of them part by part.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
