/* setups.c: looks through the folders in which set-ups may stand. */
#include "services/console/command/setups.h"
#include "json/config_file.h"

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
    { "share/arbiter/configs/*", false },
    { "../share/arbiter/setups/*", true },
    { "share/arbiter/setups/*", true },
};

/* FOLDER/NAME.json, if it is there. */
static bool look(const char *folder, const char *name, bool is_bundle, struct setup_place *place)
{
    int size = snprintf(place->path, sizeof place->path, "%s/%s.json", folder, name);
    place->is_bundle = is_bundle;
    return size > 0 && (size_t) size < sizeof place->path && access(place->path, R_OK) == 0;
}

/* NAME.json; the texts of a set-up, NAME.texts.json, are no set-up. */
static int is_setup(const struct dirent *entry)
{
    const char *dot = strchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".json") == 0;
}

/* The names of a folder's set-ups in order, joined by commas; false if there is none. */
static bool put_names(const char *folder, struct text *names)
{
    struct dirent **entries = NULL;
    int             count = scandir(folder, &entries, is_setup, alphasort);
    for (int i = 0; i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - 5] = '\0';
        text_put(names, i > 0 ? ", " : "");
        text_put(names, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

/* The first set-up of a folder, in order of names. */
static bool look_first(const char *folder, bool is_bundle, struct setup_place *place)
{
    struct text names;
    text_clear(&names);
    if (!put_names(folder, &names))
        return false;
    names.bytes[strcspn(names.bytes, ",")] = '\0';
    return look(folder, names.bytes, is_bundle, place);
}

/* The folder of a person's own set-ups of a game; false if the person names none. */
static bool own_folder(const char *game, char folder[PATH_MAX])
{
    const char *own = getenv("ARBITER_CONFIGS");
    return own != NULL && snprintf(folder, PATH_MAX, "%s/%s", own, game) < PATH_MAX;
}

/* One of the folders that come with the program, as short as it can be said; false if it is not there. */
static bool program_setups(uint32_t number, const char *game, char folder[PATH_MAX])
{
    char        program[PATH_MAX];
    char        joined[3 * PATH_MAX];
    const char *path = folders[number].path;
    const char *star = strchr(path, '*');
    if (!config_program(program))
        return false;
    snprintf(joined, sizeof joined, "%s/%.*s%s%s", program, (int) (star - path), path, game,
             star + 1);
    return realpath(joined, folder) != NULL;
}

#define FOLDERS ((uint32_t) (sizeof folders / sizeof folders[0]))

bool setups_find(const char *game, const char *name, struct setup_place *place)
{
    const char *wanted = name != NULL ? name : "standard";
    char        folder[PATH_MAX];
    if (own_folder(game, folder) && look(folder, wanted, false, place))
        return true;
    for (uint32_t i = 0; i < FOLDERS; i++)
        if (program_setups(i, game, folder) && look(folder, wanted, folders[i].is_bundle, place))
            return true;
    for (uint32_t i = 0; i < FOLDERS && name == NULL; i++)
        if (program_setups(i, game, folder) && look_first(folder, folders[i].is_bundle, place))
            return true;
    return false;
}

bool setups_names(const char *game, struct text *names)
{
    char folder[PATH_MAX];
    text_clear(names);
    if (own_folder(game, folder) && put_names(folder, names))
        return true;
    for (uint32_t i = 0; i < FOLDERS; i++)
        if (program_setups(i, game, folder) && put_names(folder, names))
            return true;
    return false;
}
