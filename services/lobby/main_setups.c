/* main_setups.c: which games can be played here, and the set-ups that come with them, from their folders. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/registry.h"
#include "services/lobby/main_parts.h"
#include "json/config_file.h"

#define ENDING ".json"
#define ENDING_SIZE (sizeof ENDING - 1)

/* Beside the program, as installed and as built; the game's name stands behind. In a bundle, "config" and
 * "options" stand in one object. */
static const struct place {
    const char *path;
    bool        is_bundle;
} places[] = {
    { "../share/arbiter/configs", false },
    { "share/arbiter/configs", false },
    { "../share/arbiter/setups", true },
    { "share/arbiter/setups", true },
};

/* NAME.json; the texts of a set-up, NAME.texts.json, are none. */
static int is_setup(const struct dirent *entry)
{
    const char *dot = strchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ENDING) == 0;
}

/* A member of a JSON object that is known to be one, as text; NULL: it has no such member. */
static char *member_text(const char *json, const char *name)
{
    const char *from = NULL;
    int         depth = 0;
    for (const char *at = json; *at != '\0'; at++) {
        if (*at == '"') {
            const char *begin = at + 1;
            for (at++; *at != '"' && *at != '\0'; at++)
                at += *at == '\\';
            size_t      size = (size_t) (at - begin);
            const char *next = at + 1 + strspn(at + 1, " \t\r\n");
            if (from == NULL && depth == 1 && *next == ':' && size == strlen(name) &&
                memcmp(begin, name, size) == 0)
                from = next + 1;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
        if (from != NULL && at >= from && (depth == 0 || (depth == 1 && *at == ',')))
            return strndup(from, (size_t) (at - from));
    }
    return NULL;
}

/* Whether the rules take it; what they say against it goes to `faults`, which the caller frees. */
static bool is_taken(const struct game *game, const char *path, const char *text,
                     const char *options, char **faults)
{
    struct config_text config = { path, text, strlen(text) };
    struct config_text beside = { path, options, options != NULL ? strlen(options) : 0 };
    size_t             size = 0;
    size_t             faults_size = 0;
    FILE              *complaints = open_memstream(faults, &faults_size);
    void              *compiled =
        complaints != NULL ? config_compile(game, &config, &beside, &size, complaints) : NULL;
    if (complaints != NULL)
        (void) fclose(complaints);
    free(compiled);
    return compiled != NULL;
}

/* A set-up for an edition of a game is named for it, NAME-EDITION.json, and wants it as an option. */
static char *edition_of(const char *called)
{
    const char *dash = strrchr(called, '-');
    char       *options = NULL;
    if (dash != NULL && asprintf(&options, "{ \"edition\": \"%s\" }", dash + 1) < 0)
        return NULL;
    return options;
}

/* Whether it can be offered, with these options or those of the edition it is named for. */
static bool is_playable(const struct game *game, const char *path, const struct lobby_setup *setup,
                        char **options, const struct log *log)
{
    char *faults = NULL;
    bool  is_good = strlen(setup->text) <= LOBBY_TEXT_MAX / 2 &&
                   is_taken(game, path, setup->text, *options, &faults);
    if (!is_good && faults != NULL && *options == NULL) {
        char *again = NULL;
        *options = edition_of(setup->name);
        is_good = *options != NULL && is_taken(game, path, setup->text, *options, &again);
        free(again);
    }
    if (!is_good)
        log_print(log, SAY_WARNING, "%s cannot be offered: %s", path,
                  faults != NULL ? faults : "it is too long");
    free(faults);
    return is_good;
}

static bool read_setup(const struct game *game, const char *path, const char *name, bool is_bundle,
                       const struct log *log, struct lobby_setup *setup)
{
    size_t size = 0;
    char  *whole = config_read(path, &size, stderr);
    char  *text = whole;
    char  *options = NULL;
    if (whole != NULL && is_bundle) {
        text = member_text(whole, "config");
        options = member_text(whole, "options");
        free(whole);
    }
    char *called = strndup(name, strlen(name) - ENDING_SIZE);
    *setup = (struct lobby_setup){ .name = called, .title = called, .text = text };
    if (text != NULL && called != NULL && strlen(called) <= LOBBY_NAME_MAX &&
        is_playable(game, path, setup, &options, log)) {
        setup->options = options;
        return true;
    }
    free(text);
    free(options);
    free(called);
    return false;
}

/* All set-ups of one folder, the one called "standard" first; how many. */
static uint32_t read_folder(const struct game *game, const char *folder, bool is_bundle,
                            const struct log *log, struct lobby_setup list[LOBBY_SETUPS_MAX])
{
    struct dirent **entries = NULL;
    uint32_t        count = 0;
    int             found = scandir(folder, &entries, is_setup, alphasort);
    for (int i = 0; i < found; i++) {
        char path[PATH_MAX];
        int  size = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (size > 0 && (size_t) size < sizeof path && count < LOBBY_SETUPS_MAX &&
            read_setup(game, path, entries[i]->d_name, is_bundle, log, &list[count])) {
            struct lobby_setup first = list[0];
            if (strcmp(list[count].name, "standard") == 0) {
                list[0] = list[count];
                list[count] = first;
            }
            count++;
        }
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}

static uint32_t find_setups(const struct game *game, const char *wanted, const struct log *log,
                            struct lobby_setup list[LOBBY_SETUPS_MAX])
{
    char     program[PATH_MAX];
    char     folder[2 * PATH_MAX];
    uint32_t count = 0;
    if (wanted[0] != '\0') {
        (void) snprintf(folder, sizeof folder, "%s/%s", wanted, game->name);
        return read_folder(game, folder, false, log, list);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places && count == 0; i++)
        if (config_program(program)) {
            (void) snprintf(folder, sizeof folder, "%s/%s/%s", program, places[i].path, game->name);
            count = read_folder(game, folder, places[i].is_bundle, log, list);
        }
    return count;
}

/* The plans live as long as the process. */
static bool fill_game(const struct game_wire *wire, const char *folder, const struct log *log,
                      struct lobby_game *game)
{
    struct lobby_setup *list = calloc(LOBBY_SETUPS_MAX, sizeof *list);
    if (list == NULL)
        return false;
    game->game = wire->game;
    game->commands = plan_new(wire->command);
    game->events = plan_new(wire->event);
    game->setups = list;
    game->setup_count = find_setups(wire->game, folder, log, list);
    log_print(log, SAY_INFO, "%s, rules version %u: %u set-ups", wire->game->name,
              wire->game->version, game->setup_count);
    return game->commands != NULL && game->events != NULL;
}

const struct lobby_game *main_games(const char *folder, const struct log *log, uint32_t *count)
{
    struct lobby_game *games = calloc(LOBBY_GAMES_MAX, sizeof *games);
    *count = 0;
    for (const struct game_wire *const *wire = registry_games(); games != NULL && *wire != NULL;
         wire++)
        if (registry_find((*wire)->game->name, 0) == *wire && *count < LOBBY_GAMES_MAX &&
            fill_game(*wire, folder, log, &games[*count]))
            ++*count;
    return games;
}
