/* check_config.c: `arbiter check-config`: whether a game takes a set-up, and everything that is wrong. */
#include <inttypes.h>

#include "services/console/console.h"
#include "services/console/interrupt.h"
#include "services/console/table.h"

struct check_ask {
    struct table_ask table;
};

static const struct option options[] = {
    { .name = "options",
      .value = "JSON",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct check_ask, table.options),
      .help = "What the table says beside it: '{\"edition\": \"base\"}'." },
    { .name = "set",
      .value = "KEY=VALUE",
      .kind = OPTION_LIST,
      .offset = offsetof(struct check_ask, table.set),
      .help = "One of these options by itself; may be repeated." },
    { .name = NULL },
};

/* One file; what is wrong with it has been printed when this returns. */
static int check(const char *game, const struct check_ask *ask, const char *path)
{
    struct table     table;
    struct table_ask own = ask->table;
    uint32_t         least = 0;
    uint32_t         most = 0;
    own.config = path;
    int code = table_open(&table, game, &own);
    if (code != CONSOLE_OK)
        return code;
    table.wire->game->seats(table.setup, &least, &most);
    printf("%s: good, for %" PRIu32 " to %" PRIu32 " seats\n", path, least, most);
    table_close(&table);
    return CONSOLE_OK;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    struct check_ask ask = { 0 };
    struct words     words;
    int              worst = CONSOLE_OK;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (table_game(words.word[0]) == NULL)
        return CONSOLE_USAGE;
    for (uint32_t i = 1; i < words.count && !interrupted(); i++) {
        int code = check(words.word[0], &ask, words.word[i]);
        worst = code > worst ? code : worst;
    }
    return interrupted() ? CONSOLE_INTERRUPTED : worst;
}

const struct console_command command_check_config = {
    .name = "check-config",
    .arguments = "GAME FILE...",
    .summary = "Says everything that is wrong with a set-up.",
    .about = "Reads set-ups as a table would and prints every fault of each as\n"
             "\"file:/json/pointer: what is wrong and what is allowed\". The file - is\n"
             "the standard input.\n",
    .options = options,
    .words_least = 2,
    .words_most = UINT32_MAX,
    .run = run,
};
