/* look.c: see look.h. */
#include "store/look.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/files.h"
#include "store/postgres_private.h"
#include "store/sqlite_log.h"
#include "store/store_private.h"

#define BUSY_MS 2000
/* What SQLite is asked: one row that says "ok", or what is wrong. */
#define WHOLE "PRAGMA integrity_check(1)"
#define QUICK "PRAGMA quick_check(1)"

static bool blame(struct text *fault, sqlite3 *db, const char *path)
{
    sentence(fault, path, " cannot be read: ", db ? sqlite3_errmsg(db) : "out of memory");
    return false;
}

static bool ask(sqlite3 *db, const char *path, const char *sql, char said[TEXT_MAX],
                struct text *fault)
{
    sqlite3_stmt *statement = NULL;
    bool          is_said = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_ROW;
    if (is_said)
        (void) snprintf(said, TEXT_MAX, "%s", (const char *) sqlite3_column_text(statement, 0));
    else
        blame(fault, db, path);
    sqlite3_finalize(statement);
    return is_said;
}

static bool is_sound(sqlite3 *db, const char *path, bool is_whole, struct text *fault)
{
    char said[TEXT_MAX] = "";
    if (!ask(db, path, is_whole ? WHOLE : QUICK, said, fault))
        return false;
    if (strcmp(said, "ok") == 0)
        return true;
    sentence(fault, path, " is damaged: ", said);
    return false;
}

static bool open_it(sqlite3 **db, const char *path, bool is_at_rest, struct text *fault)
{
    char address[PATH_BYTES + 32];
    int  flags = is_at_rest ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE;
    (void) snprintf(address, sizeof address, is_at_rest ? "file:%s?immutable=1" : "%s", path);
    if (sqlite3_open_v2(address, db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return blame(fault, *db, path);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_busy_timeout(*db, BUSY_MS);
    return true;
}

static uint64_t bytes_of(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 ? (uint64_t) facts.st_size : 0;
}

bool store_look_server(const struct schema *schema, const char *place, struct store_server *look,
                       struct text *fault)
{
    memset(look, 0, sizeof *look);
    return postgres_look(schema, place, look, fault);
}

bool store_look(const char *folder, const char *name, bool is_at_rest, bool is_whole,
                struct store_look *look, struct text *fault)
{
    char     path[PATH_BYTES], wal[PATH_BYTES], version[TEXT_MAX] = "", oldest[TEXT_MAX] = "";
    sqlite3 *db = NULL;
    memset(look, 0, sizeof *look);
    if (!path_in(path, folder, name, ".db", fault) || !path_in(wal, folder, name, ".db-wal", fault))
        return false;
    look->bytes = bytes_of(path);
    look->wal_bytes = bytes_of(wal);
    look->owner = lock_owner(folder, name);
    bool is_read = sqlite_log_is_whole(folder, name, !is_at_rest, fault) &&
                   open_it(&db, path, is_at_rest, fault) &&
                   ask(db, path, "PRAGMA user_version", oldest, fault) &&
                   ask(db, path, "PRAGMA application_id", version, fault) &&
                   is_sound(db, path, is_whole, fault);
    look->oldest = (uint32_t) strtoul(oldest, NULL, 10);
    look->version = (uint32_t) strtoul(version, NULL, 10);
    if (look->version < look->oldest)
        look->version = look->oldest; /* Of before there were two numbers. */
    sqlite3_close(db);
    return is_read;
}
