/* leaderboard.c: `arbiter leaderboard`: who wins treasure hunts, a line for each person.
 *
 * A person is a matriculation number: every registration is a new player of the tables. Wins come first, then
 * fewer losses, then shorter wins, then the number. Games that the house ended do not count. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "services/console/records/ledger.h"

struct leaderboard_ask {
    const char *home, *store;
    bool        json;
};

static const struct option options[] = {
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct leaderboard_ask, json),
      .help = "Prints JSON." },
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct leaderboard_ask, home),
      .help = "The folder of keys, store and logs. Default: ~/.local/share/arbiter." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct leaderboard_ask, store),
      .help = "The engines' database, postgresql://HOST/NAME, instead of a home." },
    { .name = NULL },
};

static void add(json_t *line, const char *key, int64_t more)
{
    json_object_set_new(line, key, json_integer(ledger_number(line, key) + more));
}

/* Of several names under one number, the first in the alphabet: both parts of the same person. How many
 * there are is told, too: somebody may have borrowed the number. */
static void name(json_t *line, const char *first, const char *last)
{
    json_t *names = json_object_get(line, "names"), *whole = json_sprintf("%s %s", first, last),
           *one;
    size_t index;
    int    order = json_object_get(line, "firstname") == NULL
                       ? -1
                       : strcmp(first, ledger_text(line, "firstname"));
    if (order == 0)
        order = strcmp(last, ledger_text(line, "surname"));
    if (order < 0) {
        json_object_set_new(line, "firstname", json_string(first));
        json_object_set_new(line, "surname", json_string(last));
    }
    if (names == NULL)
        json_object_set_new(line, "names", names = json_array());
    json_array_foreach(names, index, one) if (json_equal(one, whole)) order = 2;
    if (order != 2)
        json_array_append(names, whole);
    json_decref(whole);
}

/* A person who registers anew for each game has as many. */
static void count_id(json_t *line, int64_t id)
{
    json_t *ids = json_object_get(line, "playerids"), *there;
    size_t  index;
    if (ids == NULL) {
        ids = json_array();
        json_object_set_new(line, "playerids", ids);
    }
    json_array_foreach(ids, index, there) if (json_integer_value(there) == id) return;
    json_array_append_new(ids, json_integer(id));
}

static void count(json_t *people, const json_t *player, const json_t *game, uint32_t seat)
{
    const char *number = ledger_text(player, "matriculationnumber");
    const char *result = ledger_text(game, "result");
    bool        won = strcmp(result, seat == 0 ? "P1_WIN" : "P2_WIN") == 0;
    if (json_object_get(people, number) == NULL)
        json_object_set_new(people, number, json_object());
    json_t *line = json_object_get(people, number);
    json_object_set_new(line, "matriculationnumber", json_string(number));
    name(line, ledger_text(player, "firstname"), ledger_text(player, "surname"));
    count_id(line, ledger_number(player, "playerid"));
    add(line, "games", 1);
    add(line, "wins", won);
    add(line, "losses", !won);
    add(line, "actions_of_wins", won ? ledger_number(game, "roundnumber") : 0);
}

static void count_game(struct ledger *ledger, json_t *people, const json_t *game)
{
    static const char *const columns[] = { "playerid1", "playerid2" };
    const char              *result = ledger_text(game, "result");
    if (result[0] == '\0' || strcmp(result, "ABORTED") == 0)
        return;
    json_t *plays = ledger_rows(ledger, "play", ledger_number(game, "gameid"));
    for (uint32_t seat = 0; seat < 2; seat++) {
        int64_t id = ledger_number(json_array_get(plays, 0), columns[seat]);
        json_t *players = ledger_rows(ledger, "player", id);
        count(people, json_array_get(players, 0), game, seat);
        json_decref(players);
    }
    json_decref(plays);
}

static double mean_of(const json_t *line)
{
    int64_t wins = ledger_number(line, "wins");
    return wins > 0 ? (double) ledger_number(line, "actions_of_wins") / (double) wins : 0;
}

/* A person who has won nothing has no mean, which counts as less than any other's. */
static int in_order(const void *one, const void *other)
{
    const json_t *a = *(json_t *const *) one, *b = *(json_t *const *) other;
    int64_t       wins = ledger_number(b, "wins") - ledger_number(a, "wins");
    int64_t       losses = ledger_number(a, "losses") - ledger_number(b, "losses");
    if (wins != 0)
        return wins > 0 ? 1 : -1;
    if (losses != 0)
        return losses > 0 ? 1 : -1;
    if (mean_of(a) < mean_of(b) || mean_of(a) > mean_of(b))
        return mean_of(a) < mean_of(b) ? -1 : 1;
    return strcmp(ledger_text(a, "matriculationnumber"), ledger_text(b, "matriculationnumber"));
}

/* Who has as many wins, losses and actions shares a rank. */
static bool is_equal(const json_t *one, const json_t *other)
{
    return ledger_number(one, "wins") == ledger_number(other, "wins") &&
           ledger_number(one, "losses") == ledger_number(other, "losses") &&
           ledger_number(one, "actions_of_wins") == ledger_number(other, "actions_of_wins");
}

static size_t rank_of(json_t *const *lines, size_t at)
{
    while (at > 0 && is_equal(lines[at], lines[at - 1]))
        at--;
    return at + 1;
}

static void put_line(size_t rank, const json_t *line)
{
    int64_t games = ledger_number(line, "games"), wins = ledger_number(line, "wins");
    printf("%4zu  %5" PRId64 "  %4" PRId64 "  %6" PRId64 "  %5.1f  ", rank, games, wins,
           ledger_number(line, "losses"), 100.0 * (double) wins / (double) games);
    if (wins > 0)
        printf("%12.1f  ", mean_of(line));
    else
        printf("%12s  ", "-");
    printf("%-9s  ", ledger_text(line, "matriculationnumber"));
    const char *first = ledger_text(line, "firstname"), *last = ledger_text(line, "surname");
    terminal_put(stdout, first, strlen(first));
    fputs(last[0] != '\0' ? " " : "", stdout);
    terminal_put(stdout, last, strlen(last));
    size_t names = json_array_size(json_object_get(line, "names"));
    if (names > 1)
        printf(", and %zu more name%s under this number", names - 1, names == 2 ? "" : "s");
    putchar('\n');
}

static void put_all(json_t *people, bool as_json)
{
    size_t      size = json_object_size(people), at = 0;
    json_t    **lines = calloc(size + 1, sizeof *lines), *line;
    const char *number;
    if (lines == NULL)
        abort();
    json_object_foreach(people, number, line) lines[at++] = line;
    qsort(lines, size, sizeof *lines, in_order);
    json_t *ranked = json_array();
    for (size_t i = 0; i < size; i++) {
        json_object_set_new(lines[i], "rank", json_integer((json_int_t) rank_of(lines, i)));
        json_array_append(ranked, lines[i]);
    }
    if (as_json) {
        json_dumpf(ranked, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        puts("rank  games  wins  losses  win %  actions/win  number     name");
        for (size_t i = 0; i < size; i++)
            put_line(rank_of(lines, i), lines[i]);
    }
    json_decref(ranked);
    free(lines);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct ledger   ledger;
    struct leaderboard_ask ask = { 0 };
    struct words           words;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    int code = ledger_open(&ledger, ask.home, ask.store);
    if (code == CONSOLE_OK) {
        json_t *people = json_object(), *games = ledger_rows(&ledger, "game", 0), *game;
        size_t  index;
        json_array_foreach(games, index, game) count_game(&ledger, people, game);
        put_all(people, ask.json);
        json_decref(games);
        json_decref(people);
    }
    ledger_close(&ledger);
    return code;
}

const struct console_command command_leaderboard = {
    .name = "leaderboard",
    .arguments = "",
    .summary = "Shows who wins treasure hunts, one line per person.",
    .about = "Reads the treasure hunts from the engine's journal in --home or --store. Arbiter\n"
             "may run or not. A person is a matriculation number. A player without one is\n"
             "listed under the player id that the house gave out.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
