/* sqlite_open.c: a store in one SQLite file, found or made, locked, settled and brought up to date.
 *
 * Write-ahead log, synchronous=FULL: a commit is one write and one sync. SQLite's own checkpoints are off,
 * because they would come in the middle of somebody's turn; the owner says when. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/files.h"
#include "store/sqlite_log.h"
#include "store/sqlite_private.h"

#define OPEN_BUSY_MS 2000
/* What a write-ahead log has before its first frame, and each frame before its page. */
#define WAL_HEAD_BYTES 32
#define FRAME_HEAD_BYTES 24

static struct sqlite_store *new_store(const struct schema *schema, struct text *fault)
{
    struct sqlite_store *store = calloc(1, sizeof *store);
    if (store) {
        store->base = (struct store){ .ops = &sqlite_ops, .schema = schema };
        store->lock = -1;
        store->tables = calloc(schema->table_count, sizeof *store->tables);
        store->row = calloc(1, sizeof *store->row + ROW_COLUMNS_MAX * sizeof(struct cell));
    }
    if (store && store->tables && store->row)
        return store;
    if (store)
        sqlite_ops.close(&store->base);
    sentence(fault, "out of memory");
    return NULL;
}

static bool connect(struct sqlite_store *store, const char *path)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(path, &store->db, flags, sqlite_gather()) != SQLITE_OK) {
        sqlite_blame(store, "cannot be opened");
        return false;
    }
    /* Closing must not move the log: after a failed sync that would be asking for it again. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_busy_timeout(store->db, OPEN_BUSY_MS);
    return sqlite_do(store, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                            "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384");
}

/* SQLite answers with the journal's mode, which is another one where the file system cannot do it. */
static bool use_wal(struct sqlite_store *store)
{
    sqlite3_stmt *statement = sqlite_prepare(store, "PRAGMA journal_mode = WAL");
    if (!statement)
        return false;
    bool is_row = sqlite3_step(statement) == SQLITE_ROW;
    bool is_wal = is_row && !strcmp((const char *) sqlite3_column_text(statement, 0), "wal");
    if (!is_wal)
        sqlite_blame(store, is_row ? "this file system cannot keep a write-ahead log; use another"
                                   : "cannot be read");
    sqlite3_finalize(statement);
    return is_wal;
}

/* What an earlier owner left in the log is moved into the file before anything else is believed: from here on
 * it is synced, whatever became of its last sync. */
static bool settle_log(struct sqlite_store *store)
{
    int code = sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    if (code != SQLITE_OK)
        sqlite_blame(
            store, "its log cannot be moved into it; make room, and end the programs that read it");
    return code == SQLITE_OK;
}

/* SQLite tells after each commit how long the log has become. Having such a hook also turns its own
 * checkpoints off. */
static int note_wal(void *taker, sqlite3 *db, const char *name, int pages)
{
    struct sqlite_store *store = taker;
    (void) db, (void) name;
    store->base.facts.wal_bytes =
        WAL_HEAD_BYTES + (uint64_t) pages * (FRAME_HEAD_BYTES + store->page_bytes);
    return SQLITE_OK;
}

static bool prepare_writes(struct sqlite_store *store)
{
    const struct schema *schema = store->base.schema;
    struct sql           sql;
    for (uint32_t i = 0; i < schema->table_count; i++) {
        for (uint32_t op = 0; op < ROW_OPS; op++) {
            sql_write(&sql, &sqlite_dialect, &schema->tables[i], (enum row_op) op);
            store->tables[i].writes[op] = sqlite_prepare(store, sql.bytes);
            if (!store->tables[i].writes[op])
                return false;
        }
    }
    if (schema->fences != NO_FENCES) {
        assert(schema->fences < schema->table_count);
        sql_fence(&sql, &sqlite_dialect, &schema->tables[schema->fences]);
        store->fence = sqlite_prepare(store, sql.bytes);
    }
    store->begin = sqlite_prepare(store, "BEGIN IMMEDIATE");
    store->commit = sqlite_prepare(store, "COMMIT");
    store->rollback = sqlite_prepare(store, "ROLLBACK");
    return store->begin && store->commit && store->rollback &&
           (store->fence || schema->fences == NO_FENCES);
}

static bool become_writer(struct sqlite_store *store)
{
    int64_t page_bytes = 0;
    if (!sqlite_may_open(store) || !use_wal(store) ||
        !sqlite_do(store, "PRAGMA synchronous = FULL") || !settle_log(store) ||
        !sqlite_migrate(store) || !prepare_writes(store) ||
        !sqlite_number(store, "PRAGMA page_size", &page_bytes))
        return false;
    store->page_bytes = (uint32_t) page_bytes;
    sqlite3_wal_hook(store->db, note_wal, store);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    return true;
}

/* As the owner writes, but for all that is his alone; having a hook turns SQLite's own checkpoints off here, too. */
static bool become_second(struct sqlite_store *store)
{
    int64_t page_bytes = 0;
    if (!sqlite_do(store, "PRAGMA synchronous = FULL") || !sqlite_is_current(store) ||
        !prepare_writes(store) || !sqlite_number(store, "PRAGMA page_size", &page_bytes))
        return false;
    store->page_bytes = (uint32_t) page_bytes;
    sqlite3_wal_hook(store->db, note_wal, store);
    return true;
}

static bool become_reader(struct sqlite_store *store)
{
    store->base.is_reader = true;
    return sqlite_do(store, "PRAGMA query_only = ON") && sqlite_is_current(store);
}

/* Whatever stands open so far is closed again, and its fault handed on. */
static struct store *opened(struct sqlite_store *store, bool is_well, struct text *fault)
{
    if (is_well)
        return &store->base;
    *fault = store->base.fault;
    sqlite_ops.close(&store->base);
    return NULL;
}

struct store *sqlite_open(const struct schema *schema, const char *folder, struct text *fault)
{
    char path[PATH_BYTES];
    if (!folder_make(folder, fault) || !path_in(path, folder, schema->name, ".db", fault))
        return NULL;
    struct sqlite_store *store = new_store(schema, fault);
    if (!store)
        return NULL;
    store->lock = lock_take(folder, schema->name, &store->base.fault);
    /* The log is judged before SQLite moves what it believes of it into the file. */
    bool is_well =
        store->lock >= 0 && sqlite_log_is_whole(folder, schema->name, false, &store->base.fault) &&
        file_make(path, folder, &store->base.fault) && connect(store, path) && become_writer(store);
    return opened(store, is_well, fault);
}

/* A file that is there, without its lock. */
static struct store *open_there(const struct schema *schema, const char                 *folder,
                                bool (*become)(struct sqlite_store *store), struct text *fault)
{
    char path[PATH_BYTES];
    if (!path_in(path, folder, schema->name, ".db", fault))
        return NULL;
    struct sqlite_store *store = new_store(schema, fault);
    if (!store)
        return NULL;
    bool is_well = sqlite_log_is_whole(folder, schema->name, true, &store->base.fault) &&
                   connect(store, path) && become(store);
    return opened(store, is_well, fault);
}

struct store *sqlite_open_reader(const struct schema *schema, const char *folder,
                                 struct text *fault)
{
    return open_there(schema, folder, become_reader, fault);
}

struct store *sqlite_open_beside(const struct schema *schema, const char *folder,
                                 struct text *fault)
{
    return open_there(schema, folder, become_second, fault);
}
