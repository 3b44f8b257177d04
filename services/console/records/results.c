/* results.c: `arbiter results`: the treasure hunts that were played, or all moves of one of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/terminal.h"
#include "services/console/records/ledger.h"
#include "services/console/records/refusal.h"

struct results_ask {
    const char *home, *store;
    uint64_t    game;
    bool        json;
};

static const struct option options[] = {
    { .name = "game",
      .value = "N",
      .kind = OPTION_NUMBER,
      .least = 1,
      .most = INT64_MAX,
      .offset = offsetof(struct results_ask, game),
      .help = "Shows all moves of this game, with the place of both figures after each." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct results_ask, json),
      .help = "Prints JSON." },
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct results_ask, home),
      .help = "The folder of keys, store and logs. Default: ~/.local/share/arbiter." },
    { .name = "store",
      .value = "PLACE",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct results_ask, store),
      .help = "The engines' database, postgresql://HOST/NAME, instead of a home." },
    { .name = NULL },
};

static void put(const char *text)
{
    terminal_put(stdout, text, strlen(text));
}

/* "Ann Muster", as whoever plays in game `game` at this place is stored. */
static json_t *name_of(struct ledger *ledger, int64_t player)
{
    json_t       *rows = ledger_rows(ledger, "player", player);
    const json_t *row = json_array_get(rows, 0);
    const char   *last = ledger_text(row, "surname");
    json_t       *name =
        json_sprintf("%s%s%s", ledger_text(row, "firstname"), last[0] != '\0' ? " " : "", last);
    json_decref(rows);
    return name;
}

static void add_names(struct ledger *ledger, json_t *game)
{
    json_t       *rows = ledger_rows(ledger, "play", ledger_number(game, "gameid"));
    const json_t *play = json_array_get(rows, 0);
    json_object_set_new(game, "player1", name_of(ledger, ledger_number(play, "playerid1")));
    json_object_set_new(game, "player2", name_of(ledger, ledger_number(play, "playerid2")));
    json_object_set(game, "playerid1", json_object_get(play, "playerid1"));
    json_object_set(game, "playerid2", json_object_get(play, "playerid2"));
    json_object_set(game, "startingcoordinates1", json_object_get(play, "startingcoordinates1"));
    json_object_set(game, "startingcoordinates2", json_object_get(play, "startingcoordinates2"));
    json_decref(rows);
}

static bool is_over(const json_t *game)
{
    return json_is_string(json_object_get(game, "result"));
}

/* The column is filled at the end; of a game that goes on the rows are counted. */
static void add_actions(struct ledger *ledger, json_t *game)
{
    json_int_t actions = ledger_number(game, "roundnumber");
    if (!is_over(game)) {
        json_t *rows = ledger_rows(ledger, "actionlist", ledger_number(game, "gameid"));
        actions = (json_int_t) json_array_size(rows);
        json_decref(rows);
    }
    json_object_set_new(game, "actions", json_integer(actions));
}

/* The id by which replay, export, verify and watch know it; and why a half was refused, which the
 * tables call BAD_MAP. */
static void add_match(const struct results_ask *ask, const json_t *ids, json_t *game)
{
    const struct export_place place = { ask->home, ask->store };
    char                      number[24];
    (void) snprintf(number, sizeof number, "%" PRId64, ledger_number(game, "gameid"));
    const char *id = json_string_value(json_object_get(ids, number));
    if (id == NULL)
        return;
    json_object_set_new(game, "match", json_string(id));
    json_t *refused =
        strcmp(ledger_text(game, "reason"), "BAD_MAP") == 0 ? refusal_of(&place, id) : NULL;
    if (refused != NULL)
        json_object_set_new(game, "refused", refused);
}

/* "BAD_MAP", or with what was wrong first "BAD_MAP ISLAND". */
static void put_reason(const json_t *game)
{
    const char *refused = json_string_value(json_array_get(json_object_get(game, "refused"), 0));
    char        reason[64];
    (void) snprintf(reason, sizeof reason, "%s%s%s", ledger_text(game, "reason"),
                    refused != NULL ? " " : "", refused != NULL ? refused : "");
    printf("%-14s ", reason);
}

static void put_game(const json_t *game)
{
    printf("%5" PRId64 "  %.19s  ", ledger_number(game, "gameid"), ledger_text(game, "beginning"));
    printf("%.19s  ", is_over(game) ? ledger_text(game, "ending") : "goes on            ");
    printf("%4" PRId64 "  %-9s ", ledger_number(game, "actions"), ledger_text(game, "result"));
    put_reason(game);
    printf("%-32s  ", ledger_text(game, "match"));
    put(ledger_text(game, "player1"));
    printf(" (%" PRId64 ") - ", ledger_number(game, "playerid1"));
    put(ledger_text(game, "player2"));
    printf(" (%" PRId64 ")\n", ledger_number(game, "playerid2"));
}

/* Newest first. */
static int list_games(struct ledger *ledger, const struct results_ask *ask)
{
    json_t *games = ledger_rows(ledger, "game", 0);
    size_t  count = json_array_size(games);
    json_t *newest = json_array(), *ids = ledger_match_ids(ledger);
    for (size_t i = count; i-- > 0;) {
        json_t *game = json_array_get(games, i);
        add_names(ledger, game);
        add_actions(ledger, game);
        add_match(ask, ids, game);
        json_array_append(newest, game);
    }
    json_decref(ids);
    if (ask->json) {
        json_dumpf(newest, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        puts(" game  beginning            ending               acts  result    reason         "
             "match                             players and their ids");
        for (size_t i = 0; i < count; i++)
            put_game(json_array_get(newest, i));
    }
    json_decref(newest);
    json_decref(games);
    return CONSOLE_OK;
}

/* Where figures start and go, from the tables alone: places count from 1. */
struct figures {
    int x[2], y[2];
};

static bool start_at(struct figures *figures, const json_t *game)
{
    static const char *const columns[] = { "startingcoordinates1", "startingcoordinates2" };
    for (uint32_t seat = 0; seat < 2; seat++) {
        const char *text = ledger_text(game, columns[seat]);
        char       *slash = NULL;
        figures->x[seat] = (int) strtol(text, &slash, 10);
        if (slash[0] != '/')
            return false;
        figures->y[seat] = (int) strtol(slash + 1, NULL, 10);
    }
    return true;
}

static void go(struct figures *figures, json_t *row)
{
    const char *action = ledger_text(row, "action");
    uint32_t    seat = ledger_number(row, "actionid") % 2 == 1 ? 0 : 1;
    if (strcmp(ledger_text(row, "violation"), "OFF_MAP") != 0) {
        figures->x[seat] += strcmp(action, "RIGHT") == 0 ? 1 : strcmp(action, "LEFT") == 0 ? -1 : 0;
        figures->y[seat] += strcmp(action, "DOWN") == 0 ? 1 : strcmp(action, "UP") == 0 ? -1 : 0;
    }
    json_object_set_new(row, "seat", json_integer(seat + 1));
    json_object_set_new(row, "x1", json_integer(figures->x[0]));
    json_object_set_new(row, "y1", json_integer(figures->y[0]));
    json_object_set_new(row, "x2", json_integer(figures->x[1]));
    json_object_set_new(row, "y2", json_integer(figures->y[1]));
}

/* What the table has not, because nothing readable was sent or no column could hold it, is a dash. */
static void put_number(const json_t *row, const char *before, const char *column)
{
    fputs(before, stdout);
    if (json_is_integer(json_object_get(row, column)))
        printf("%" PRId64, ledger_number(row, column));
    else
        putchar('-');
}

static bool has_target(const json_t *row)
{
    return json_is_integer(json_object_get(row, "targetx")) ||
           json_is_integer(json_object_get(row, "targety")) ||
           json_is_integer(json_object_get(row, "turnsleft"));
}

static void put_move(const json_t *row)
{
    printf("%4" PRId64 "  seat %" PRId64 "  %-5s", ledger_number(row, "actionid"),
           ledger_number(row, "seat"), ledger_text(row, "action"));
    if (has_target(row)) {
        put_number(row, "  to ", "targetx");
        put_number(row, "/", "targety");
        put_number(row, ", ", "turnsleft");
        fputs(" left", stdout);
    }
    put_number(row, "  ", "thinkms");
    printf(" ms  at %" PRId64 "/%" PRId64 " and %" PRId64 "/%" PRId64 "  %s\n",
           ledger_number(row, "x1"), ledger_number(row, "y1"), ledger_number(row, "x2"),
           ledger_number(row, "y2"), ledger_text(row, "violation"));
}

static void put_map(const json_t *game)
{
    const char *map = ledger_text(game, "map");
    size_t      width = (size_t) ledger_number(game, "mapwidth");
    for (size_t at = 0; width > 0 && at + 2 * width <= strlen(map); at += 2 * width)
        printf("  %.*s\n", (int) (2 * width), map + at);
}

static void put_moves(const json_t *game, const json_t *moves)
{
    size_t  index;
    json_t *row;
    put_game(game);
    put_map(game);
    json_array_foreach((json_t *) moves, index, row) put_move(row);
}

static int show_game(struct ledger *ledger, const struct results_ask *ask)
{
    struct figures figures = { { 0, 0 }, { 0, 0 } };
    json_t        *games = ledger_rows(ledger, "game", (int64_t) ask->game);
    json_t        *game = json_array_get(games, 0), *row;
    size_t         index;
    if (game == NULL) {
        complain("there is no game %" PRIu64 "; \"arbiter results\" lists them.", ask->game);
        json_decref(games);
        return CONSOLE_DISAGREES;
    }
    json_t *moves = ledger_rows(ledger, "actionlist", (int64_t) ask->game),
           *ids = ledger_match_ids(ledger);
    add_match(ask, ids, game);
    json_decref(ids);
    add_names(ledger, game);
    add_actions(ledger, game);
    if (start_at(&figures, game))
        json_array_foreach(moves, index, row) go(&figures, row);
    if (ask->json) {
        json_object_set(game, "moves", moves);
        json_dumpf(game, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        put_moves(game, moves);
    }
    json_decref(moves);
    json_decref(games);
    return CONSOLE_OK;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct ledger ledger;
    struct results_ask   ask = { 0 };
    struct words         words;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    int code = ledger_open(&ledger, ask.home, ask.store);
    if (code == CONSOLE_OK)
        code = ask.game > 0 ? show_game(&ledger, &ask) : list_games(&ledger, &ask);
    ledger_close(&ledger);
    return code;
}

const struct console_command command_results = {
    .name = "results",
    .arguments = "",
    .summary = "Lists the treasure hunts that were played, or all moves of one.",
    .about =
        "  arbiter results                        every treasure hunt\n"
        "  arbiter results --game 7               the map and all moves of one\n"
        "\n"
        "The long number is the match's id: \"arbiter replay ID\", \"verify ID\", \"watch ID\"\n"
        "and \"match export ID\" take it. Behind BAD_MAP stands what was wrong with the half.\n"
        "\n"
        "Lists when each hunt began and ended, how many actions it took, who won and why.\n"
        "The tables come from the engine's journal in --home or --store. Arbiter may run\n"
        "or not.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
