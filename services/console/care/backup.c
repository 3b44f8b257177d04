/* backup.c: `arbiter backup`: a home as it was at one moment, whether it runs or not.
 *
 * All stores are copied as of one instant (store/moment.h). A restored house finds what it would
 * find after everything was killed at once. That is a start like any other. Keys are copied beside
 * them, for without the lobby's key nobody finds the house again, and so are the settings of a
 * home of "arbiter up". backup.json comes last; a folder without it is no backup. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "services/console/care/manifest.h"
#include "services/console/care/stores.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/home/home.h"
#include "store/look.h"

/* keys/console/keys/console.key */
#define FOLDERS_DEPTH 2

struct backup_ask {
    const char *home;
};

struct backup {
    struct home     home;
    const char     *folder;
    struct stores   stores;
    struct manifest manifest;
    struct progress progress;
    uint64_t        before; /* Bytes of the files that are done.                                  */
};

static bool told(void *taker, uint64_t bytes)
{
    struct backup *backup = taker;
    progress_show(&backup->progress, (backup->before + bytes) >> 20);
    return !interrupted();
}

static void note_time(struct backup *backup)
{
    time_t    now = time(NULL);
    struct tm utc;
    (void) gmtime_r(&now, &utc);
    (void) strftime(backup->manifest.made, sizeof backup->manifest.made, "%Y-%m-%dT%H:%M:%SZ",
                    &utc);
}

static bool has_room(const struct backup *backup, uint64_t bytes)
{
    struct statvfs disk;
    if (statvfs(backup->folder, &disk) != 0 || (uint64_t) disk.f_bavail * disk.f_frsize > bytes)
        return true;
    complain("%s has no room for %" PRIu64 " MiB; make some, or name another folder.",
             backup->folder, (bytes >> 20) + 1);
    return false;
}

static bool copy_store(struct backup *backup, struct moment *moment, uint32_t at)
{
    const struct store_place *place = &backup->stores.place[at];
    char                      folder[PATH_MAX], name[sizeof place->name + 4], old[PATH_MAX];
    struct text               fault;
    (void) snprintf(name, sizeof name, "%s.db", place->name);
    if (snprintf(folder, sizeof folder, "%s/data/%s", backup->folder, place->service) >= PATH_MAX ||
        snprintf(old, sizeof old, "%s/%s", folder, name) >= PATH_MAX || !manifest_folders(folder))
        return false;
    (void) unlink(old); /* Of a backup that was broken off: another moment's. */
    if (moment_copy(moment, at, folder, name, told, backup, &fault)) {
        backup->before += moment_bytes(moment, at);
        return true;
    }
    progress_clear(&backup->progress);
    complain("%s.", fault.bytes);
    return false;
}

static bool copy_stores(struct backup *backup)
{
    const char    *paths[MOMENT_FILES_MAX];
    struct text    fault;
    uint64_t       bytes = 0;
    struct moment *moment;
    for (uint32_t i = 0; i < backup->stores.count; i++)
        paths[i] = backup->stores.place[i].path;
    moment = moment_take(paths, backup->stores.count, &fault);
    if (moment == NULL) {
        complain("%s.", fault.bytes);
        return false;
    }
    note_time(backup);
    for (uint32_t i = 0; i < backup->stores.count; i++)
        bytes += moment_bytes(moment, i);
    progress_start(&backup->progress, "MiB", bytes >> 20);
    bool is_copied = has_room(backup, bytes);
    for (uint32_t i = 0; i < backup->stores.count && is_copied; i++)
        is_copied = copy_store(backup, moment, i);
    progress_clear(&backup->progress);
    moment_release(&moment);
    return is_copied;
}

/* Every page of a copy is read, and each index compared with its rows. */
static bool check_store(struct backup *backup, const struct store_place *place)
{
    char              folder[PATH_MAX], path[MANIFEST_PATH_MAX];
    struct store_look look;
    struct text       fault;
    (void) snprintf(folder, sizeof folder, "%s/data/%s", backup->folder, place->service);
    (void) snprintf(path, sizeof path, "data/%s/%s.db", place->service, place->name);
    if (store_look(folder, place->name, true, true, &look, &fault))
        return manifest_add(&backup->manifest, backup->folder, path, look.version);
    complain("%s. Do not use the copy; check the home with \"arbiter doctor\".", fault.bytes);
    return false;
}

/* PART/NAME; a folder's comes back as `is_folder`, to be gone through. */
static bool copy_file(struct backup *backup, const char *part, const char *name, bool *is_folder)
{
    char        from[PATH_MAX], to[PATH_MAX], path[MANIFEST_PATH_MAX];
    struct stat facts;
    if (!home_path(&backup->home, from, part, name, "") ||
        snprintf(path, sizeof path, "%s/%s", part, name) >= MANIFEST_PATH_MAX ||
        snprintf(to, sizeof to, "%s/%s", backup->folder, path) >= PATH_MAX) {
        complain("the path is too long: %s.", name);
        return false;
    }
    bool is_there = stat(from, &facts) == 0;
    *is_folder = is_there && S_ISDIR(facts.st_mode);
    if (!is_there || !S_ISREG(facts.st_mode))
        return true;
    return manifest_copy(from, to, NULL, NULL) &&
           manifest_add(&backup->manifest, backup->folder, path, 0);
}

static bool make_folder(const struct backup *backup, const char *part, const char *below)
{
    char to[PATH_MAX];
    return snprintf(to, sizeof to, "%s/%s/%s", backup->folder, part, below) < PATH_MAX &&
           manifest_folders(to);
}

/* All below PART/BELOW, or all of the part: keys or settings. Folders in folders are the operator's own home. */
static bool copy_part(struct backup *backup, const char *part, const char *below, uint32_t depth)
{
    char           from[PATH_MAX], name[MANIFEST_PATH_MAX];
    struct dirent *entry;
    bool           is_copied = true, is_folder = false;
    if (!home_path(&backup->home, from, part, below, "") || !make_folder(backup, part, below))
        return false;
    DIR *folder = opendir(from);
    if (folder == NULL) {
        complain("%s cannot be read: %s.", from, strerror(errno));
        return false;
    }
    while (is_copied && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        is_copied = snprintf(name, sizeof name, "%s%s%s", below, below[0] != '\0' ? "/" : "",
                             entry->d_name) < (int) sizeof name;
        if (!is_copied)
            complain("the name is too long: %s in %s.", entry->d_name, from);
        is_copied = is_copied && copy_file(backup, part, name, &is_folder);
        if (is_copied && is_folder && depth < FOLDERS_DEPTH)
            is_copied = copy_part(backup, part, name, depth + 1);
    }
    (void) closedir(folder);
    return is_copied;
}

/* What somebody wants other than it is; most homes have none. */
static bool copy_settings(struct backup *backup)
{
    char path[PATH_MAX];
    bool has_some = home_path(&backup->home, path, "config", "", "") && access(path, F_OK) == 0;
    return !has_some || copy_part(backup, "config", "", 0);
}

static bool is_free(const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder) >= PATH_MAX ||
        access(path, F_OK) != 0)
        return true;
    complain("%s holds a backup already; name a new folder.", folder);
    return false;
}

static bool back_up(struct backup *backup)
{
    if (!stores_find(&backup->stores, backup->home.folder))
        return false;
    if (backup->stores.count == 0) {
        complain("%s has no stores yet; name the right home with --home.", backup->home.folder);
        return false;
    }
    if (!is_free(backup->folder) || !manifest_folders(backup->folder) ||
        manifest_hold(backup->folder) < 0 || !is_free(backup->folder) || !copy_stores(backup))
        return false;
    for (uint32_t i = 0; i < backup->stores.count && !interrupted(); i++)
        if (!check_store(backup, &backup->stores.place[i]))
            return false;
    return !interrupted() && copy_part(backup, "keys", "", 0) && copy_settings(backup) &&
           manifest_write(&backup->manifest, backup->folder);
}

/* Units and containers keep their settings where a home cannot see them. */
static void tell(const struct backup *backup)
{
    printf("%s: %" PRIu32 " files, %" PRIu64 " KiB, as of %s; every page read back.\n",
           backup->folder, backup->manifest.count, manifest_bytes(&backup->manifest) >> 10,
           backup->manifest.made);
    puts(
        home_has_roles(&backup->home)
            ? "Not in it, so keep copies: settings (/etc/arbiter, or the containers' deploy/.env), "
              "certificates."
            : "Not in it, so keep copies: certificates and other files outside the home.");
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct backup backup;
    struct backup_ask    ask = { 0 };
    struct words         words;
    struct text          fault;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    backup.folder = words.word[0];
    if (!home_find(&backup.home, ask.home, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    if (back_up(&backup)) {
        tell(&backup);
        return CONSOLE_OK;
    }
    return interrupted() ? CONSOLE_INTERRUPTED : CONSOLE_BAD_INPUT;
}

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct backup_ask, home),
      .help = "The home to copy. Default: ~/.local/share/arbiter." },
    { .name = NULL },
};

const struct console_command command_backup = {
    .name = "backup",
    .arguments = "DIR",
    .summary = "Copies a home, also while it runs.",
    .about = "  arbiter backup /backup/monday --home /srv/arbiter\n"
             "\n"
             "Copies the stores, keys and settings (config/) of a home into DIR. Arbiter may\n"
             "run or not. All stores are copied as of one instant. Everything acknowledged\n"
             "before that instant is in the copy. Each copy is read back, and backup.json\n"
             "lists it with its hash. If it is interrupted, run the same command again; it\n"
             "starts over.\n"
             "\n"
             "Not in it is what lies outside the home: certificates that settings name, and\n"
             "the settings of units (/etc/arbiter) and containers (deploy/.env).\n"
             "\n"
             "DIR holds the house's secrets: keep it private. The home may be one of \"arbiter\n"
             "up\", or a folder of \"arbiter keys\". For matches in PostgreSQL, use PostgreSQL's\n"
             "own backup tools.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
