/* games.c: `arbiter games`: which games, and which versions of their rules, this build knows. */
#include <inttypes.h>
#include <jansson.h>

#include "games/registry.h"
#include "services/console/command/console.h"

struct games_ask {
    bool json;
};

static const struct option options[] = {
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct games_ask, json),
      .help = "Lists them as JSON." },
    { .name = NULL },
};

static void print_text(void)
{
    printf("%-12s %-6s %-7s %-9s %s\n", "game", "rules", "seats", "open dice", "");
    for (const struct game_wire *const *games = registry_games(); *games != NULL; games++) {
        const struct game *game = (*games)->game;
        char               seats[24];
        snprintf(seats, sizeof seats, "%" PRIu32 "-%" PRIu32, game->seats_min, game->seats_max);
        printf("%-12s %-6" PRIu32 " %-7s %-9s %s\n", game->name, game->version, seats,
               game->open_dice, game->title);
    }
}

static void print_json(void)
{
    json_t *list = json_array();
    for (const struct game_wire *const *games = registry_games(); *games != NULL; games++) {
        const struct game *game = (*games)->game;
        json_array_append_new(
            list, json_pack("{s:s s:i s:i s:i s:s s:s s:b}", "name", game->name, "rules",
                            (int) game->version, "seats_min", (int) game->seats_min, "seats_max",
                            (int) game->seats_max, "open_dice", game->open_dice, "title",
                            game->title, "recorded", (*games)->conform != NULL));
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(list);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct games_ask ask = { 0 };
    struct words     words;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (ask.json)
        print_json();
    else
        print_text();
    return CONSOLE_OK;
}

const struct console_command command_games = {
    .name = "games",
    .arguments = "",
    .summary = "Lists the games this build knows.",
    .about = "Lists the games of this build: the name, the version of the rules, how many can\n"
             "play, and which dice a given seed means.\n",
    .options = options,
    .run = run,
};
