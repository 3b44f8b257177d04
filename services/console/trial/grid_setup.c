/* grid_setup.c: writes a set-up of objectron from what the command line said. */
#include "services/console/trial/grid_setup.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/trial/grid_faults.h"

#define GAME "objectron"
/* 100 lines of 100 columns, and their ends. */
#define GRID_BYTES_MAX ((size_t) 100 * 102)

const char *const grid_modes[] = { "race", "ctf", NULL };

static bool may_be_grid(const uint8_t *bytes, size_t size, size_t *at)
{
    (void) bytes, (void) at;
    return size <= GRID_BYTES_MAX;
}

static json_t *lines_of(const char *text)
{
    json_t *lines = json_array();
    while (*text != '\0') {
        size_t size = strcspn(text, "\r\n");
        json_array_append_new(lines, json_stringn(text, size));
        text += size;
        text += *text == '\r';
        text += *text == '\n';
    }
    return lines;
}

/* Puts the drawn grid; 0: it has faults, which have been said. */
static uint64_t put_grid(json_t *config, const char *path)
{
    size_t            size = 0;
    struct grid_facts facts = { 0 };
    char             *text = (char *) file_read(path, &size, may_be_grid);
    if (text == NULL)
        return 0;
    uint32_t faults = grid_faults(path, text, size, &facts, stderr);
    if (faults == 0)
        json_object_set_new(config, "grid", lines_of(text));
    free(text);
    return faults == 0 ? facts.starts : 0;
}

/* "20x15" */
static bool put_size(json_t *config, const char *size)
{
    char *cross = NULL, *end = NULL;
    long  width = strtol(size, &cross, 10), height = 0;
    if (*cross == 'x')
        height = strtol(cross + 1, &end, 10);
    if (width > 0 && width <= 100 && height > 0 && height <= 100 && *end == '\0') {
        json_object_set_new(config, "width", json_integer(width));
        json_object_set_new(config, "height", json_integer(height));
        return true;
    }
    complain("--size must be columns and rows such as 20x15, each at most 100.");
    return false;
}

static bool makes_sense(const struct grid_words *words, const char *game,
                        const struct table_ask *ask)
{
    if (strcmp(game, GAME) != 0)
        complain("--grid, --size, --mode and --players are for " GAME ", not for %s.", game);
    else if (ask->config != NULL)
        complain("--config says all of it: leave out --grid, --size, --mode and --players.");
    else if (words->grid != NULL && words->size != NULL)
        complain("a grid has its size: choose --grid or --size.");
    else if (words->grid == NULL && words->size == NULL)
        complain("--mode and --players belong to --grid FILE or --size WxH.");
    else
        return true;
    return false;
}

int grid_setup(const struct grid_words *words, const char *game, struct table_ask *ask)
{
    uint64_t starts = 2;
    if (words->grid == NULL && words->size == NULL && words->mode == NULL && words->players == 0)
        return CONSOLE_OK;
    if (!makes_sense(words, game, ask))
        return CONSOLE_USAGE;
    json_t *config = json_object();
    int     code = CONSOLE_OK;
    if (words->grid != NULL && (starts = put_grid(config, words->grid)) == 0)
        code = CONSOLE_BAD_INPUT;
    if (words->size != NULL && !put_size(config, words->size))
        code = CONSOLE_USAGE;
    uint64_t    players = words->players != 0 ? words->players : starts;
    const char *usual = players == 2 ? "race" : "ctf";
    json_object_set_new(config, "mode", json_string(words->mode != NULL ? words->mode : usual));
    json_object_set_new(config, "players", json_integer((json_int_t) players));
    if (code == CONSOLE_OK) {
        ask->text = json_dumps(config, 0);
        ask->config = words->grid != NULL ? words->grid : "./arena";
    }
    json_decref(config);
    return code;
}

void grid_setup_forget(struct table_ask *ask)
{
    free(ask->text);
    ask->text = NULL;
}
