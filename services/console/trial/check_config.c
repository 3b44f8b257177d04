/* check_config.c: `arbiter check-config`: whether a game takes a set-up, and everything that is wrong. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/table.h"
#include "services/console/command/terminal.h"

struct check_ask {
    struct table_ask table;
    bool             json;
};

/* Faults on their way into a list. */
struct fault_list {
    struct config_ear ear; /* First, so that what it hears finds the rest. */
    json_t           *list;
};

static const struct option options[] = {
    { .name = "options",
      .value = "JSON",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct check_ask, table.options),
      .help = "Options of the table: '{\"edition\": \"base\"}'." },
    { .name = "set",
      .value = "KEY=VALUE",
      .kind = OPTION_LIST,
      .offset = offsetof(struct check_ask, table.set),
      .help = "One such option: edition=base. May be repeated." },
    { .name = "json",
      .kind = OPTION_FLAG,
      .offset = offsetof(struct check_ask, json),
      .help = "Prints JSON, one object per file." },
    { .name = NULL },
};

/* What is no UTF-8, such as the name of a file, becomes "?" byte by byte, as on a terminal. */
static json_t *text_json(const char *text)
{
    json_t *json = json_string(text);
    if (json != NULL)
        return json;
    char  *shown = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&shown, &size);
    if (out == NULL)
        return json_string("?");
    terminal_put(out, text, strlen(text));
    fclose(out);
    json = json_string(shown);
    free(shown);
    return json;
}

static void take_fault(struct config_ear *ear, const char *where, const char *pointer,
                       const char *what)
{
    const struct fault_list *faults = (const struct fault_list *) ear;
    json_array_append_new(faults->list,
                          json_pack("{s:o s:o s:o}", "file", text_json(where), "pointer",
                                    text_json(pointer), "sentence", text_json(what)));
}

/* {"file": ..., "good": ..., "seats": [least, most], "faults": [{"file", "pointer", "sentence"}, ...]} */
static int check_json(const char *game, const struct check_ask *ask, const char *path)
{
    struct table      table;
    struct fault_list faults = { .ear = { take_fault }, .list = json_array() };
    struct table_ask  own = ask->table;
    uint32_t          least = 0;
    uint32_t          most = 0;
    own.config = path;
    own.ear = &faults.ear;
    int     code = table_open(&table, game, &own);
    bool    good = code == CONSOLE_OK;
    json_t *json = json_pack("{s:o s:b}", "file", text_json(path), "good", good);
    if (good) {
        table.wire->game->seats(table.setup, &least, &most);
        json_object_set_new(json, "seats", json_pack("[i, i]", (int) least, (int) most));
        table_close(&table);
    }
    json_object_set_new(json, "faults", faults.list);
    json_dumpf(json, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(json);
    return code;
}

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
    terminal_put(stdout, path, strlen(path));
    if (least == most)
        printf(": good, for %" PRIu32 " seats\n", least);
    else
        printf(": good, for %" PRIu32 " to %" PRIu32 " seats\n", least, most);
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
    if (table_game(words.word[0]) == NULL || !console_reads_once(&words, 1))
        return CONSOLE_USAGE;
    for (uint32_t i = 1; i < words.count && !interrupted(); i++) {
        int code = (ask.json ? check_json : check)(words.word[0], &ask, words.word[i]);
        worst = code > worst ? code : worst;
    }
    return interrupted() ? CONSOLE_INTERRUPTED : worst;
}

const struct console_command command_check_config = {
    .name = "check-config",
    .arguments = "GAME FILE...",
    .summary = "Lists everything that is wrong with a set-up.",
    .about =
        "  arbiter check-config dead my-winter.json\n"
        "  arbiter check-config dead hard --set edition=base\n"
        "\n"
        "Reads set-ups as a table would and prints every fault on the standard error, as\n"
        "\"file:/json/pointer: what is wrong and what is allowed\". With --json it prints a\n"
        "list of file, pointer and sentence on the standard output instead. A word\n"
        "without \"/\" and \".\" names a set-up that comes with the game.\n" CONSOLE_STDIN "\n",
    .options = options,
    .words_least = 2,
    .words_most = UINT32_MAX,
    .run = run,
};
