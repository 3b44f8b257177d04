/* sqlite_copy.c: a whole, synced copy of a store in use, under another folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store/files.h"
#include "store/sqlite_private.h"

/* VACUUM INTO reads one moment of the file and writes it anew, without holes. To a reader's "queries
 * only" that is a write, though not to the file it reads. */
static bool write_copy(struct sqlite_store *store, const char *path)
{
    if (!sqlite_do(store, "PRAGMA query_only = OFF"))
        return false;
    sqlite3_stmt *statement = sqlite_prepare(store, "VACUUM INTO ?1");
    if (!statement)
        return false;
    sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    bool is_written = sqlite_run(statement) == SQLITE_OK;
    if (!is_written)
        sqlite_blame(store, "cannot be copied");
    sqlite3_finalize(statement);
    if (store->base.is_reader && !sqlite_do(store, "PRAGMA query_only = ON"))
        return false;
    return is_written;
}

static bool sync_copy(const char *path, struct text *fault)
{
    int  file = open(path, O_RDWR | O_CLOEXEC);
    bool is_synced = file >= 0 && !fsync(file);
    if (!is_synced)
        sentence(fault, "cannot sync ", path, ": ", strerror(errno));
    if (file >= 0)
        close(file);
    return is_synced;
}

/* Written under another name first, so that what bears the name is whole. link, unlike rename, never
 * takes another file's place. */
bool sqlite_copy(struct store *base, const char *folder)
{
    struct sqlite_store *store = (struct sqlite_store *) base;
    struct text         *fault = &base->fault;
    char                 path[PATH_BYTES], part[PATH_BYTES];
    if (store->is_broken || !folder_make(folder, fault) ||
        !path_in(path, folder, base->schema->name, ".db", fault) ||
        !path_in(part, folder, base->schema->name, ".db.part", fault))
        return false;
    unlink(part);
    bool is_whole =
        file_make(part, folder, fault) && write_copy(store, part) && sync_copy(part, fault);
    if (is_whole && link(part, path)) {
        sentence(fault, "cannot make ", path, ": ", strerror(errno), "; name another folder");
        is_whole = false;
    }
    unlink(part);
    return is_whole && folder_sync(folder, fault);
}
