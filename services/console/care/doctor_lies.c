/* doctor_lies.c: what lies in a home: keys, and whom they let in; stores. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "bus/keys.h"
#include "contract/directory.pb-c.h"
#include "schema/lobby.h"
#include "schema/schemas.h"
#include "services/console/care/doctor.h"
#include "store/look.h"
#include "store/store.h"
#include "wire/names.h"

#define WAL_LARGE ((uint64_t) 256 << 20) /* An owner moves it into the file at 64 MiB. */
#define TMPFS 0x01021994

/* Whether the lobby's list names this key as this role. */
static bool is_admitted(const struct doctor *doctor, const struct bus_keys *keys)
{
    char  path[PATH_MAX], key[BUS_KEY_TEXT], line[256];
    bool  is_found = false;
    FILE *file = NULL;
    if (home_path(&doctor->home, path, doctor->has_roles ? "keys/lobby" : "keys", "admitted", ""))
        file = fopen(path, "r");
    if (file == NULL)
        return false;
    bus_key_write(key, keys->public_key);
    while (!is_found && fgets(line, sizeof line, file) != NULL)
        is_found = strncmp(line, key, BUS_KEY_TEXT - 1) == 0 &&
                   strncmp(line + BUS_KEY_TEXT, keys->role, strlen(keys->role)) == 0;
    (void) fclose(file);
    return is_found;
}

/* keys/NAME.key: private, whole, of this role, admitted. */
static bool check_key(struct doctor *doctor, const char *name, const char *role)
{
    struct bus_keys keys;
    struct text     fault;
    char            path[PATH_MAX];
    if (!home_path(&doctor->home, path, "keys", name, ".key"))
        return false;
    if (!bus_keys_load(&keys, path, role, &fault)) {
        doctor_say(
            doctor, "keys", FINDING_WRONG,
            doctor->has_roles
                ? "restore it from a backup; a new one (move this one away, \"arbiter keys\" "
                  "again, restart the lobby) is another identity"
                : "restore it from a backup; a new one (move this one away, start \"arbiter "
                  "up\") is another identity",
            "%s", fault.bytes);
        return false;
    }
    if (is_admitted(doctor, &keys))
        return true;
    doctor_say(doctor, "keys", FINDING_WRONG,
               doctor->has_roles
                   ? "run \"arbiter keys\" on its folder again, then restart the lobby"
                   : "start \"arbiter up\", which writes keys/admitted anew",
               "keys/%s.key is not in keys/%sadmitted: the lobby will not know its holder", name,
               doctor->has_roles ? "lobby/" : "");
    return false;
}

/* Every key in keys/ROLE. */
static bool check_role_folder(struct doctor *doctor, const char *role, uint32_t *count)
{
    char           folder[PATH_MAX], name[2 * NAME_MAX];
    struct dirent *entry;
    bool           is_well = true;
    DIR *keys = home_path(&doctor->home, folder, "keys", role, "") ? opendir(folder) : NULL;
    while (keys != NULL && (entry = readdir(keys)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".key") != 0)
            continue;
        (void) snprintf(name, sizeof name, "%s/%.*s", role, (int) (dot - entry->d_name),
                        entry->d_name);
        (*count)++;
        is_well = check_key(doctor, name, role) && is_well;
    }
    if (keys != NULL)
        (void) closedir(keys);
    return is_well;
}

static void check_role_folders(struct doctor *doctor)
{
    uint32_t count = 0, before = 0;
    bool     is_well = check_key(doctor, "console/keys/console", "console");
    for (uint32_t i = 0; home_roles[i] != NULL; i++) {
        before = count;
        is_well = check_role_folder(doctor, home_roles[i], &count) && is_well;
        if (count > before || strcmp(home_roles[i], "console") == 0)
            continue;
        is_well = false;
        doctor_say(
            doctor, "keys", FINDING_WRONG,
            "run \"arbiter keys\" on its folder again, or run this as a user who may read it",
            "there is no key in keys/%s", home_roles[i]);
    }
    if (is_well)
        doctor_say(doctor, "keys", FINDING_WELL, "",
                   "%" PRIu32 " keys of services: private, whole, roles admitted", count);
}

static bool check_others(struct doctor *doctor, uint32_t *count)
{
    char           folder[PATH_MAX], path[2 * PATH_MAX];
    struct dirent *entry;
    bool           is_well = true;
    DIR           *keys = home_path(&doctor->home, folder, "keys", "", "") ? opendir(folder) : NULL;
    while (keys != NULL && (entry = readdir(keys)) != NULL) {
        struct bus_keys pair;
        struct text     fault;
        const char     *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".key") != 0 || strncmp(entry->d_name, "player-", 7) != 0)
            continue;
        (void) snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        (*count)++;
        if (bus_keys_load(&pair, path, NULL, &fault))
            continue;
        is_well = false;
        doctor_say(doctor, "keys", FINDING_WRONG, "", "%s", fault.bytes);
    }
    if (keys != NULL)
        (void) closedir(keys);
    return is_well;
}

/* Whom the lobby has let in, as its rows say: a list of roles, and of the people by name. */
struct admitted {
    uint32_t count, people;
    char     names[256];
};

static bool take_key(void *taker, const struct row *row)
{
    struct admitted   *admitted = taker;
    const struct cell *name = &row->cells[KEYS_NAME];
    if (row->count <= KEYS_ADMITTED || row->cells[KEYS_ADMITTED].number == 0)
        return true;
    admitted->count++;
    if (row->cells[KEYS_ROLE].number != ROLE(CLIENT) || name->kind != CELL_TEXT)
        return true;
    admitted->people++;
    size_t used = strlen(admitted->names);
    if (used + name->size + 8 < sizeof admitted->names)
        (void) snprintf(admitted->names + used, sizeof admitted->names - used, "%s%.*s",
                        used == 0 ? ": " : ", ", (int) name->size, (const char *) name->bytes);
    else if (strstr(admitted->names, "...") == NULL)
        (void) snprintf(admitted->names + used, sizeof admitted->names - used, ", ...");
    return true;
}

static void say_admitted(struct doctor *doctor)
{
    struct admitted admitted = { 0 };
    struct query    all = { .table = LOBBY_KEYS };
    struct text     fault;
    char            folder[PATH_MAX];
    struct store   *store = NULL;
    if (home_store(&doctor->home, folder, "lobby", lobby_schema.name, &fault))
        store = store_open_reader(&lobby_schema, folder, &fault);
    if (store != NULL && store_read(store, &all, take_key, &admitted))
        doctor_say(doctor, "keys", FINDING_NOTE, "",
                   "the lobby admits %" PRIu32 " keys, %" PRIu32 " of them of players%s",
                   admitted.count, admitted.people, admitted.names);
    if (store != NULL)
        store_close(&store);
}

void doctor_keys(struct doctor *doctor)
{
    char     path[PATH_MAX];
    bool     is_well = true;
    uint32_t players = 0;
    if (doctor->has_roles) {
        check_role_folders(doctor);
        say_admitted(doctor);
        return;
    }
    /* An operator's home on another machine has one key, and no list. */
    if (!home_path(&doctor->home, path, "keys", "lobby", ".key") || access(path, F_OK) != 0) {
        struct bus_keys keys;
        struct text     fault;
        bool            is_there = home_path(&doctor->home, path, "keys", "console", ".key") &&
                        bus_keys_load(&keys, path, "console", &fault);
        doctor_say(doctor, "keys", is_there ? FINDING_WELL : FINDING_WRONG, "", "%s",
                   is_there ? "the operator's key is private and whole; no others lie here"
                            : fault.bytes);
        return;
    }
    for (uint32_t i = 0; home_roles[i] != NULL; i++)
        is_well = check_key(doctor, home_roles[i], home_roles[i]) && is_well;
    is_well = check_others(doctor, &players) && is_well;
    if (is_well)
        doctor_say(doctor, "keys", FINDING_WELL, "",
                   "a key for each role and %" PRIu32 " of players: private, whole, roles admitted",
                   players);
    say_admitted(doctor);
}

static void check_version(struct doctor *doctor, const struct store_place *place,
                          const struct store_look *look)
{
    if (place->known == 0)
        doctor_say(doctor, "store", FINDING_WARNING,
                   "find out who made it; nothing of this build reads it",
                   "%s/%s.db is no store of this build", place->service, place->name);
    else if (look->oldest > place->known)
        doctor_say(doctor, "store", FINDING_WRONG,
                   "start the newer build again, or restore a backup made before it",
                   "%s.db has version %" PRIu32 ", and this build knows %" PRIu32, place->name,
                   look->version, place->known);
    else if (look->version > place->known)
        doctor_say(doctor, "store", FINDING_NOTE, "",
                   "%s.db has version %" PRIu32 ", and this build uses it as version %" PRIu32,
                   place->name, look->version, place->known);
    else if (look->version < place->known)
        doctor_say(doctor, "store", FINDING_NOTE, "",
                   "%s.db has version %" PRIu32 "; its owner's next start brings it to %" PRIu32,
                   place->name, look->version, place->known);
}

/* A file that was put there by somebody else, as by a copy of root's, is one that its service cannot open. */
static void check_owner(struct doctor *doctor, const struct store_place *place)
{
    struct stat file, folder;
    if (stat(place->path, &file) == 0 && stat(place->folder, &folder) == 0 &&
        file.st_uid != folder.st_uid)
        doctor_say(doctor, "store", FINDING_WRONG, "chown it to the user its folder belongs to",
                   "%s belongs to user %u, and its folder to user %u", place->path,
                   (unsigned) file.st_uid, (unsigned) folder.st_uid);
}

static void check_store(struct doctor *doctor, const struct store_place *place)
{
    struct store_look look;
    struct text       fault;
    check_owner(doctor, place);
    if (!store_look(place->folder, place->name, false, doctor->is_whole, &look, &fault)) {
        doctor_say(doctor, "store", FINDING_WRONG,
                   "stop the house, keep the folder as it is, restore the last backup elsewhere",
                   "%s", fault.bytes);
        return;
    }
    check_version(doctor, place, &look);
    if (look.wal_bytes > WAL_LARGE)
        doctor_say(doctor, "store", FINDING_WARNING,
                   "end the program that has read it for long (a backup, sqlite3); if there is "
                   "none, restart its owner",
                   "the log of %s.db has %" PRIu64 " MiB: it cannot be moved into the file",
                   place->name, look.wal_bytes >> 20);
    if (look.owner == 0 && doctor->is_running)
        doctor_say(doctor, "store", FINDING_WRONG, "see log/ for why its service does not start",
                   "nobody has %s.db open, and the house runs", place->name);
    doctor_say(doctor, "store", FINDING_WELL, "",
               "%s.db is sound: version %" PRIu32 ", %" PRIu64 " KiB, log %" PRIu64
               " KiB, open by %s%.0" PRId64,
               place->name, look.version, look.bytes >> 10, look.wal_bytes >> 10,
               look.owner == 0 ? "nobody" : "process ", look.owner);
}

/* The tables of one schema. False: there is no server to ask. */
static bool check_tables(struct doctor *doctor, const struct schema *schema,
                         struct store_server *look)
{
    struct text fault;
    if (!store_look_server(schema, doctor->place, look, &fault)) {
        doctor_say(
            doctor, "store", FINDING_WRONG,
            "see whether it runs, whether it can be reached from here, and user and password "
            "(PGPASSFILE)",
            "%s", fault.bytes);
        return false;
    }
    if (look->is_filling)
        doctor_say(doctor, "store", FINDING_WRONG, "say \"arbiter store copy\" again",
                   "a copy into %s of the database was not finished", schema->name);
    else if (look->oldest > schema->version)
        doctor_say(doctor, "store", FINDING_WRONG,
                   "start the newer build again, or restore a copy made before it",
                   "%s of the database has version %" PRIu32 ", and this build knows %" PRIu32,
                   schema->name, look->version, schema->version);
    else if (look->version > schema->version)
        doctor_say(doctor, "store", FINDING_NOTE, "",
                   "%s of the database has version %" PRIu32
                   ", and this build uses it as version %" PRIu32,
                   schema->name, look->version, schema->version);
    else if (look->version < schema->version)
        doctor_say(doctor, "store", FINDING_NOTE, "",
                   "%s of the database has version %" PRIu32
                   "; its owner's next start, or \"arbiter store migrate\", brings it to %" PRIu32,
                   schema->name, look->version, schema->version);
    else
        doctor_say(doctor, "store", FINDING_WELL, "",
                   "%s of the database has version %" PRIu32 ", its server term %" PRIu64,
                   schema->name, look->version, look->term);
    return true;
}

static void doctor_database(struct doctor *doctor)
{
    struct store_server look;
    for (uint32_t i = 0; i < SCHEMAS_SHARED; i++)
        if (!check_tables(doctor, schemas_shared[i], &look))
            return;
    if (!look.has_standby)
        doctor_say(
            doctor, "store", FINDING_WARNING,
            "give it a synchronous standby (synchronous_standby_names)",
            "the database waits for no standby: what was acknowledged is lost with its disk");
}

void doctor_stores(struct doctor *doctor)
{
    char          path[PATH_MAX];
    struct statfs disk;
    if (doctor->place != NULL)
        doctor_database(doctor);
    if (!home_path(&doctor->home, path, "data", "", "") || access(path, F_OK) != 0 ||
        !stores_find(&doctor->stores, doctor->home.folder) || doctor->stores.count == 0) {
        doctor_say(doctor, "store", FINDING_NOTE, "", "this home has no stores yet");
        return;
    }
    if (statfs(path, &disk) == 0 && disk.f_type == TMPFS)
        doctor_say(doctor, "store", FINDING_WARNING, "keep it on a disk",
                   "%s is in memory: after a restart of the machine nothing of it is there", path);
    for (uint32_t i = 0; i < doctor->stores.count; i++)
        check_store(doctor, &doctor->stores.place[i]);
}
