/* moment.c: see moment.h.
 *
 * A file's writers are held by a transaction that writes nothing; its reader's transaction, begun meanwhile, keeps
 * seeing the log as it stood. A copy reads page by page, so it can say how far it is. */
#include "store/moment.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/files.h"
#include "store/sqlite_log.h"
#include "store/store_private.h"

/* How long an owner's transactions, their syncs included, are waited for, a millisecond and more at
 * a time. An owner that commits one after the other leaves short gaps, and somebody who looks only
 * now and then would never meet one. */
#define LOOKS_MAX 5000
#define PAGES_A_STEP 1024

struct moment {
    uint32_t count;
    struct {
        sqlite3 *holder, *reader; /* Two connections: one may not both hold and look.            */
        uint64_t pages, page_bytes;
        char     path[PATH_BYTES];
    } files[MOMENT_FILES_MAX];
};

static bool blame(struct text *fault, sqlite3 *db, const char *path, const char *what)
{
    sentence(fault, path, " ", what, ": ", db ? sqlite3_errmsg(db) : "out of memory");
    return false;
}

static int look_again(void *unused, int looks)
{
    (void) unused;
    return looks < LOOKS_MAX && sqlite3_sleep(1) > 0;
}

/* Closing must not move the log into the file: that is its owner's to do. */
static bool connect(sqlite3 **db, const char *path, struct text *fault)
{
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return blame(fault, *db, path, "cannot be opened");
    sqlite3_db_config(*db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_busy_handler(*db, look_again, NULL);
    return true;
}

static bool run(sqlite3 *db, const char *path, const char *sql, struct text *fault)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           blame(fault, db, path, "cannot be read");
}

static bool number_of(sqlite3 *db, const char *path, const char *sql, uint64_t *number,
                      struct text *fault)
{
    sqlite3_stmt *statement = NULL;
    bool          is_read = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_ROW;
    if (is_read)
        *number = (uint64_t) sqlite3_column_int64(statement, 0);
    else
        blame(fault, db, path, "cannot be read");
    sqlite3_finalize(statement);
    return is_read;
}

/* The reader's transaction begins with its first look, not with BEGIN. */
static bool begin_reader(struct moment *moment, uint32_t file, struct text *fault)
{
    sqlite3    *db = moment->files[file].reader;
    const char *path = moment->files[file].path;
    return run(db, path, "BEGIN", fault) &&
           number_of(db, path, "PRAGMA page_count", &moment->files[file].pages, fault) &&
           number_of(db, path, "PRAGMA page_size", &moment->files[file].page_bytes, fault);
}

static bool begin(struct moment *moment, struct text *fault)
{
    for (uint32_t i = 0; i < moment->count; i++)
        if (!run(moment->files[i].holder, moment->files[i].path, "BEGIN IMMEDIATE", fault))
            return false;
    for (uint32_t i = 0; i < moment->count; i++)
        if (!begin_reader(moment, i, fault))
            return false;
    for (uint32_t i = 0; i < moment->count; i++)
        if (!run(moment->files[i].holder, moment->files[i].path, "ROLLBACK", fault))
            return false;
    return true;
}

/* A copy of a damaged store would hide what it lacks. */
static bool log_is_whole(const char *path, struct text *fault)
{
    char        folder[PATH_BYTES], name[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    size_t      size = strlen(path);
    if (slash == NULL || size < 3 || strcmp(path + size - 3, ".db") != 0)
        return true;
    (void) snprintf(folder, sizeof folder, "%.*s", (int) (slash - path), path);
    (void) snprintf(name, sizeof name, "%.*s", (int) (path + size - 3 - slash - 1), slash + 1);
    return sqlite_log_is_whole(folder, name, true, fault);
}

struct moment *moment_take(const char *const *paths, uint32_t count, struct text *fault)
{
    struct moment *moment = calloc(1, sizeof *moment);
    bool           is_open = moment != NULL;
    assert(count <= MOMENT_FILES_MAX);
    if (!is_open)
        sentence(fault, "out of memory");
    for (uint32_t i = 0; is_open && i < count; i++) {
        moment->count++;
        is_open = strlen(paths[i]) < PATH_BYTES;
        if (!is_open)
            sentence(fault, "the path is too long: ", paths[i]);
        else
            memcpy(moment->files[i].path, paths[i], strlen(paths[i]) + 1);
        is_open = is_open && log_is_whole(paths[i], fault) &&
                  connect(&moment->files[i].holder, moment->files[i].path, fault) &&
                  connect(&moment->files[i].reader, moment->files[i].path, fault);
    }
    if (is_open && !begin(moment, fault))
        is_open = false;
    if (!is_open)
        moment_release(&moment);
    return moment;
}

uint64_t moment_bytes(const struct moment *moment, uint32_t file)
{
    assert(file < moment->count);
    return moment->files[file].pages * moment->files[file].page_bytes;
}

/* Page by page into an empty file. */
static bool write_pages(struct moment *moment, uint32_t file, sqlite3 *to,
                        bool (*told)(void *taker, uint64_t bytes), void *taker, struct text *fault)
{
    const char     *path = moment->files[file].path;
    uint64_t        whole = moment_bytes(moment, file);
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", moment->files[file].reader, "main");
    int             code = backup != NULL ? SQLITE_OK : SQLITE_ERROR;
    bool            is_wanted = true;
    while (code == SQLITE_OK && is_wanted) {
        code = sqlite3_backup_step(backup, PAGES_A_STEP);
        uint64_t left =
            (uint64_t) sqlite3_backup_remaining(backup) * moment->files[file].page_bytes;
        is_wanted = told == NULL || told(taker, left < whole ? whole - left : 0);
    }
    if (backup != NULL && sqlite3_backup_finish(backup) != SQLITE_OK)
        code = SQLITE_ERROR;
    if (code == SQLITE_DONE && is_wanted)
        return true;
    if (!is_wanted)
        sentence(fault, "the copy of ", path, " was broken off");
    else
        blame(fault, to, path, "cannot be copied");
    return false;
}

static bool write_copy(struct moment *moment, uint32_t file, const char *path,
                       bool (*told)(void *taker, uint64_t bytes), void *taker, struct text *fault)
{
    sqlite3 *to = NULL;
    bool is_whole = connect(&to, path, fault) && write_pages(moment, file, to, told, taker, fault);
    if (sqlite3_close(to) != SQLITE_OK)
        is_whole = false;
    return is_whole;
}

static bool sync_file(const char *path, struct text *fault)
{
    int  file = open(path, O_RDWR | O_CLOEXEC);
    bool is_synced = file >= 0 && fsync(file) == 0;
    if (!is_synced)
        sentence(fault, "cannot sync ", path, ": ", strerror(errno));
    if (file >= 0)
        close(file);
    return is_synced;
}

/* Under another name first: what bears the name is whole, and link never takes another file's place. */
bool moment_copy(struct moment *moment, uint32_t file, const char *folder, const char *name,
                 bool (*told)(void *taker, uint64_t bytes), void *taker, struct text *fault)
{
    char path[PATH_BYTES], part[PATH_BYTES];
    assert(file < moment->count);
    if (!folder_make(folder, fault) || !path_in(path, folder, name, "", fault) ||
        !path_in(part, folder, name, ".part", fault))
        return false;
    unlink(part);
    bool is_whole = file_make(part, folder, fault) &&
                    write_copy(moment, file, part, told, taker, fault) && sync_file(part, fault);
    if (is_whole && link(part, path) != 0) {
        sentence(fault, "cannot make ", path, ": ", strerror(errno), "; name another folder");
        is_whole = false;
    }
    unlink(part);
    return is_whole && folder_sync(folder, fault);
}

void moment_release(struct moment **moment)
{
    if (*moment == NULL)
        return;
    for (uint32_t i = 0; i < (*moment)->count; i++) {
        sqlite3_close((*moment)->files[i].holder);
        sqlite3_close((*moment)->files[i].reader);
    }
    free(*moment);
    *moment = NULL;
}
