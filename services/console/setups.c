/* setups.c: looks through the folders in which set-ups may stand. */
#include "services/console/setups.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beside the program, as installed and as built; the game's name stands where the star is. */
static const struct {
    const char *path;
    bool        is_bundle;
} folders[] = {
    { "../share/arbiter/configs/*", false },
    { "../../configs/*", false },
    { "../share/arbiter/setups/*", true },
    { "../../common/games/*/setups", true },
};

static bool program_folder(char folder[PATH_MAX])
{
    ssize_t size = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char   *slash = NULL;
    if (size > 0) {
        folder[size] = '\0';
        slash = strrchr(folder, '/');
    }
    if (slash != NULL)
        *slash = '\0';
    return slash != NULL;
}

/* FOLDER/NAME.json, if it is there. */
static bool look(const char *folder, const char *name, bool is_bundle, struct setup_place *place)
{
    int size = snprintf(place->path, sizeof place->path, "%s/%s.json", folder, name);
    place->is_bundle = is_bundle;
    return size > 0 && (size_t) size < sizeof place->path && access(place->path, R_OK) == 0;
}

static int is_json(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 5 && strcmp(entry->d_name + size - 5, ".json") == 0;
}

/* The first set-up of a folder, in order of names. */
static bool look_first(const char *folder, bool is_bundle, struct setup_place *place)
{
    struct dirent **entries = NULL;
    int             count = scandir(folder, &entries, is_json, alphasort);
    bool            found = false;
    if (count > 0) {
        entries[0]->d_name[strlen(entries[0]->d_name) - 5] = '\0';
        found = look(folder, entries[0]->d_name, is_bundle, place);
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return found;
}

static bool look_own(const char *game, const char *name, struct setup_place *place)
{
    const char *own = getenv("ARBITER_CONFIGS");
    char        folder[PATH_MAX];
    if (own == NULL || snprintf(folder, sizeof folder, "%s/%s", own, game) >= PATH_MAX)
        return false;
    return look(folder, name, false, place);
}

bool setups_find(const char *game, const char *name, struct setup_place *place)
{
    const char *wanted = name != NULL ? name : "standard";
    char        program[PATH_MAX];
    char        folder[3 * PATH_MAX];
    if (look_own(game, wanted, place))
        return true;
    if (!program_folder(program))
        return false;
    for (uint32_t pass = 0; pass < (name != NULL ? 1u : 2u); pass++) {
        for (uint32_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
            const char *path = folders[i].path;
            const char *star = strchr(path, '*');
            snprintf(folder, sizeof folder, "%s/%.*s%s%s", program, (int) (star - path), path, game,
                     star + 1);
            if (pass == 0 ? look(folder, wanted, folders[i].is_bundle, place)
                          : look_first(folder, folders[i].is_bundle, place))
                return true;
        }
    }
    return false;
}
