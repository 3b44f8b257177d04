/* sqlite.c: what the parts of the SQLite store share: statements run, cells bound; its log, its end. */
#include <stdlib.h>
#include <unistd.h>

#include "store/sqlite_private.h"

void sqlite_blame(struct sqlite_store *store, const char *what)
{
    sentence(&store->base.fault, store->base.schema->name, ".db: ", what, " (",
             store->db ? sqlite3_errmsg(store->db) : "out of memory", ")");
}

int sqlite_run(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

sqlite3_stmt *sqlite_prepare(struct sqlite_store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) {
        sqlite_blame(store, "its tables are not as they should be, or cannot be read");
        return NULL;
    }
    return statement;
}

bool sqlite_do(struct sqlite_store *store, const char *sql)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    sqlite_blame(store, "cannot be set up");
    return false;
}

bool sqlite_number(struct sqlite_store *store, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = sqlite_prepare(store, sql);
    if (!statement)
        return false;
    bool found = sqlite3_step(statement) == SQLITE_ROW;
    if (found)
        *number = sqlite3_column_int64(statement, 0);
    else
        sqlite_blame(store, "cannot be read");
    sqlite3_finalize(statement);
    return found;
}

void sqlite_bind(sqlite3_stmt *statement, uint32_t parameter, const struct cell *cell)
{
    int place = (int) parameter;
    switch (cell->kind) {
    case CELL_NULL: sqlite3_bind_null(statement, place); return;
    case CELL_NUMBER: sqlite3_bind_int64(statement, place, cell->number); return;
    case CELL_BYTES: /* No bytes are still bytes, wherever they point to. */
        sqlite3_bind_blob64(statement, place, cell->size ? (const void *) cell->bytes : "",
                            cell->size, SQLITE_STATIC);
        return;
    case CELL_TEXT:
        sqlite3_bind_text64(statement, place, cell->size ? (const char *) cell->bytes : "",
                            cell->size, SQLITE_STATIC, SQLITE_UTF8);
        return;
    }
}

static void sqlite_close(struct store *base)
{
    struct sqlite_store *store = (struct sqlite_store *) base;
    for (uint32_t i = 0; store->tables && i < base->schema->table_count; i++) {
        for (uint32_t k = 0; k < ROW_OPS; k++)
            sqlite3_finalize(store->tables[i].writes[k]);
        for (uint32_t k = 0; k < SQL_SHAPES; k++)
            sqlite3_finalize(store->tables[i].reads[k]);
    }
    sqlite3_finalize(store->begin);
    sqlite3_finalize(store->commit);
    sqlite3_finalize(store->rollback);
    sqlite3_finalize(store->fence);
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->tables);
    free(store->row);
    free(store);
}

bool sqlite_checkpoint(struct store *base)
{
    struct sqlite_store *store = (struct sqlite_store *) base;
    if (store->is_broken)
        return false;
    sqlite3_busy_timeout(store->db, 0); /* A long read is not waited for. */
    int code = sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    if (code == SQLITE_OK) {
        base->facts.wal_bytes = 0;
        return true;
    }
    /* Readers in the way and a full disk pass. After a sync that failed SQLite would copy everything again,
     * which ought to do; but a disk that failed once is not to be believed, and opening anew asks it
     * about everything. */
    bool passes = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_FULL;
    sqlite_blame(store, passes ? "the log stays as it is for now" : "the checkpoint failed");
    store->is_broken = !passes;
    return false;
}

const struct store_ops sqlite_ops = { .close = sqlite_close,
                                      .commit = sqlite_commit,
                                      .read = sqlite_read,
                                      .checkpoint = sqlite_checkpoint,
                                      .copy = sqlite_copy };
