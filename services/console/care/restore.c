/* restore.c: `arbiter restore`: a home out of a backup, whole or not there.
 *
 * The home is laid out beside its place, every file is compared with its hash, and only then gets its name. So
 * nobody can start half of one, and what was broken off goes on where it stopped. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "services/console/care/manifest.h"
#include "services/console/care/stores.h"
#include "services/console/command/console.h"
#include "services/console/command/interrupt.h"
#include "services/console/command/progress.h"
#include "services/console/home/home.h"
#include "store/look.h"

struct restore_ask {
    const char *home;
};

struct restore {
    struct home     home;
    const char     *folder;
    char            part[PATH_MAX]; /* The home while it is laid out.                             */
    struct manifest manifest;
    struct progress progress;
    uint64_t        before;
    uint32_t        found; /* Files that an earlier try had laid there already.                   */
    int             hold;  /* On `part`: two who lay out the same home would not see each other.  */
};

static bool told(void *taker, uint64_t bytes)
{
    struct restore *restore = taker;
    progress_show(&restore->progress, (restore->before + bytes) >> 20);
    return !interrupted();
}

static bool is_empty(const char *folder)
{
    struct dirent *entry;
    bool           is_empty = true;
    DIR           *all = opendir(folder);
    if (all == NULL)
        return errno == ENOENT;
    while (is_empty && (entry = readdir(all)) != NULL)
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    (void) closedir(all);
    return is_empty;
}

/* Nothing is written over, running or not. */
static bool is_free(const struct home *home)
{
    if (home_is_running(home))
        complain("an Arbiter runs in %s: it is not touched. Name another folder with --home.",
                 home->folder);
    else if (!is_empty(home->folder))
        complain("%s is there and not empty: move it away, or name another folder with --home.",
                 home->folder);
    else
        return true;
    return false;
}

/* The home gets its place by a name that is given at the end, and an empty folder that stands there goes for it. One
 * that cannot go, where a disk is mounted or that is no folder, is said before hours of copying. */
static bool make_way(const struct home *home)
{
    if (rmdir(home->folder) == 0 || errno == ENOENT)
        return true;
    complain("%s cannot make way for the home: %s. Take it away, or name another folder with "
             "--home.",
             home->folder, strerror(errno));
    return false;
}

static bool is_there(const struct manifest_file *file, const char *path)
{
    char     hash[MANIFEST_HASH_TEXT];
    uint64_t bytes;
    return manifest_hash(path, &bytes, hash) && bytes == file->bytes &&
           strcmp(hash, file->hash) == 0;
}

static bool lay(struct restore *restore, const struct manifest_file *file)
{
    char from[PATH_MAX], to[PATH_MAX], above[PATH_MAX];
    if (snprintf(from, sizeof from, "%s/%s", restore->folder, file->path) >= PATH_MAX ||
        snprintf(to, sizeof to, "%s/%s", restore->part, file->path) >= PATH_MAX) {
        complain("the path is too long: %s.", file->path);
        return false;
    }
    memcpy(above, to, sizeof above);
    *strrchr(above, '/') = '\0';
    if (!manifest_folders(above))
        return false;
    if (is_there(file, to)) {
        restore->found++;
        restore->before += file->bytes;
        return true;
    }
    if (!manifest_copy(from, to, told, restore))
        return false;
    restore->before += file->bytes;
    if (is_there(file, to))
        return true;
    (void) unlink(to);
    complain("%s is not what was backed up: its hash differs. Use another backup.", from);
    return false;
}

/* A store of a newer build cannot be opened by this one. */
static bool check_store(const struct restore *restore, const struct store_place *place)
{
    struct store_look look;
    struct text       fault;
    if (!store_look(place->folder, place->name, true, false, &look, &fault)) {
        complain("%s.", fault.bytes);
        return false;
    }
    if (look.oldest <= place->known || place->known == 0)
        return true;
    complain("%s/%s.db has version %" PRIu32 ", and this build knows %" PRIu32
             ": restore with the newer one.",
             restore->folder, place->name, look.version, place->known);
    return false;
}

static bool check_stores(const struct restore *restore)
{
    static struct stores stores;
    bool                 is_well = stores_find(&stores, restore->part);
    for (uint32_t i = 0; i < stores.count && is_well; i++)
        is_well = check_store(restore, &stores.place[i]);
    return is_well;
}

static bool sync_folder(const char *path)
{
    int  folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        (void) close(folder);
    return is_synced;
}

static bool give_name(const struct restore *restore)
{
    char above[PATH_MAX + 4];
    (void) snprintf(above, sizeof above, "%s/..", restore->home.folder);
    (void) rmdir(restore->home.folder); /* It is empty, or not there. */
    if (sync_folder(restore->part) && rename(restore->part, restore->home.folder) == 0) {
        (void) sync_folder(above); /* A user who may not read it has the home all the same. */
        return true;
    }
    complain("%s cannot be named %s: %s.", restore->part, restore->home.folder, strerror(errno));
    return false;
}

static bool lay_all(struct restore *restore)
{
    bool is_laid = true;
    progress_start(&restore->progress, "MiB", manifest_bytes(&restore->manifest) >> 20);
    for (uint32_t i = 0; i < restore->manifest.count && is_laid; i++)
        is_laid = lay(restore, &restore->manifest.file[i]);
    progress_clear(&restore->progress);
    return is_laid;
}

static bool hold(struct restore *restore)
{
    restore->hold = manifest_folders(restore->part) ? manifest_hold(restore->part) : -1;
    return restore->hold >= 0;
}

static bool restore_all(struct restore *restore)
{
    return manifest_read(&restore->manifest, restore->folder) && is_free(&restore->home) &&
           make_way(&restore->home) && hold(restore) &&
           manifest_sweep(&restore->manifest, restore->part) && lay_all(restore) &&
           check_stores(restore) && !interrupted() && give_name(restore);
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct restore restore;
    struct restore_ask    ask = { 0 };
    struct words          words;
    struct text           fault;
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    restore.folder = words.word[0];
    if (!home_find(&restore.home, ask.home, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    if (snprintf(restore.part, sizeof restore.part, "%s.restoring", restore.home.folder) >=
        PATH_MAX) {
        complain("the name %s is too long; name a shorter one with --home.", restore.home.folder);
        return CONSOLE_BAD_INPUT;
    }
    if (!restore_all(&restore))
        return interrupted() ? CONSOLE_INTERRUPTED : CONSOLE_BAD_INPUT;
    printf("%s: %" PRIu32 " files as of %s", restore.home.folder, restore.manifest.count,
           restore.manifest.made);
    if (restore.found > 0)
        printf(", %" PRIu32 " of them laid there before", restore.found);
    printf("; start it with:\n    %s up --home ", console_program());
    console_put_word(stdout, restore.home.folder);
    putchar('\n');
    return CONSOLE_OK;
}

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct restore_ask, home),
      .help = "The new home, empty or not there yet. Default: ~/.local/share/arbiter." },
    { .name = NULL },
};

const struct console_command command_restore = {
    .name = "restore",
    .arguments = "DIR",
    .summary = "Makes a home from a backup.",
    .about = "  arbiter restore /backup/monday --home /srv/arbiter\n"
             "\n"
             "Makes a home from a folder of \"arbiter backup\". Compares every file with its\n"
             "hash first. The home gets its name when it is complete. Nothing is overwritten.\n"
             "If it is interrupted, run the same command again. What was played after the\n"
             "backup is not in it.\n",
    .options = options,
    .words_least = 1,
    .words_most = 1,
    .run = run,
};
