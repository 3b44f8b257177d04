/* stores.c: see stores.h. */
#include "services/console/care/stores.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/schemas.h"
#include "services/console/command/console.h"

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_store(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot != NULL && strcmp(dot, ".db") == 0;
}

static bool add(struct stores *stores, const char *folder, const char *service, const char *file)
{
    if (stores->count == MOMENT_FILES_MAX) {
        complain("%s holds more stores than this program takes at once (%d).", folder,
                 MOMENT_FILES_MAX);
        return false;
    }
    struct store_place *place = &stores->place[stores->count++];
    int name = snprintf(place->name, sizeof place->name, "%.*s", (int) strlen(file) - 3, file);
    int size = snprintf(place->path, sizeof place->path, "%s/%s", folder, file);
    (void) snprintf(place->folder, sizeof place->folder, "%s", folder);
    if ((size_t) snprintf(place->service, sizeof place->service, "%s", service) >=
            sizeof place->service ||
        (size_t) name >= sizeof place->name || size >= PATH_MAX) {
        complain("the name is too long: %s/%s.", folder, file);
        return false;
    }
    const struct schema *schema = schema_find(place->name);
    place->known = schema != NULL ? schema->version : 0;
    return true;
}

static int is_folder(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
}

static bool add_folder(struct stores *stores, const char *data, const char *service)
{
    char            folder[PATH_MAX];
    struct dirent **files = NULL;
    bool            is_well = true;
    if (snprintf(folder, sizeof folder, "%s/%s", data, service) >= PATH_MAX)
        return false;
    int count = scandir(folder, &files, is_store, alphasort);
    for (int i = 0; i < count; i++) {
        is_well = is_well && add(stores, folder, service, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return is_well;
}

/* Of each process of a role. */
static bool add_role(struct stores *stores, const char *data, const char *role)
{
    char            folder[PATH_MAX], service[2 * NAME_MAX + 2];
    struct dirent **folders = NULL;
    bool            is_well = add_folder(stores, data, role);
    if (snprintf(folder, sizeof folder, "%s/%s", data, role) >= PATH_MAX)
        return false;
    int count = scandir(folder, &folders, is_folder, alphasort);
    for (int i = 0; i < count; i++) {
        (void) snprintf(service, sizeof service, "%s/%s", role, folders[i]->d_name);
        is_well = is_well && add_folder(stores, data, service);
        free(folders[i]);
    }
    free(folders);
    return is_well;
}

bool stores_find(struct stores *stores, const char *home)
{
    char            data[PATH_MAX];
    struct dirent **folders = NULL;
    bool            is_well = true;
    memset(stores, 0, sizeof *stores);
    if (snprintf(data, sizeof data, "%s/data", home) >= PATH_MAX)
        return false;
    int count = scandir(data, &folders, is_visible, alphasort);
    if (count < 0) {
        complain("%s cannot be read: %s. Is it the home of an Arbiter?", data, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        is_well = is_well && add_role(stores, data, folders[i]->d_name);
        free(folders[i]);
    }
    free(folders);
    return is_well;
}
