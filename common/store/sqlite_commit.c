/* sqlite_commit.c: a batch in one transaction, and the careful part: what became of it.
 *
 * Until COMMIT nothing can be on the disk for good: what goes wrong there is refused and rolled back. In
 * COMMIT only two endings are certain. SQLITE_OK: written and synced. SQLITE_FULL: a page did not
 * fit, so the frame that would have made the transaction valid is not whole, and the next batch
 * writes over it. After anything else - a failed sync above all - nobody knows, and asking again is
 * the worst one can do: the kernel forgets a failed sync, so that the second one lies. */
#include <errno.h>

#include "store/sqlite_private.h"

/* Whether the log's last error was a want of room. SQLite says "full" of ENOSPC by itself; a quota is a full
 * disk by another name, but only the file knows: in COMMIT sqlite3_system_errno is not kept. */
static bool has_no_room(struct sqlite_store *store)
{
    sqlite3_file *log = NULL;
    int           error = 0;
    if (sqlite3_file_control(store->db, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
        !log || !log->pMethods)
        return false;
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error == EDQUOT || error == ENOSPC;
}

static enum store_outcome outcome_of(struct sqlite_store *store, int code, bool is_committing)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return STORE_BUSY;
    case SQLITE_FULL: return STORE_FULL;
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG: return is_committing ? STORE_UNKNOWN : STORE_CONFLICT;
    case SQLITE_IOERR: /* Only of a write that failed is it certain, not of a sync. */
        return code == SQLITE_IOERR_WRITE && has_no_room(store) ? STORE_FULL : STORE_UNKNOWN;
    default: return STORE_UNKNOWN;
    }
}

static const char *words_for(enum store_outcome outcome)
{
    switch (outcome) {
    case STORE_FULL: return "the disk is full: make room, and it goes on";
    case STORE_BUSY: return "another program holds the file: try again";
    case STORE_CONFLICT: return "a row was not accepted";
    default: return "nobody knows whether the batch is on the disk: close the store, open it again";
    }
}

/* Ends the transaction without a trace of it, if SQLite has not done so by itself. */
static enum store_outcome give_up(struct sqlite_store *store, int code, bool is_committing)
{
    enum store_outcome outcome = outcome_of(store, code, is_committing);
    sqlite_blame(store, words_for(outcome));
    if (!sqlite3_get_autocommit(store->db) && sqlite_run(store->rollback) != SQLITE_OK)
        outcome = STORE_UNKNOWN;
    store->is_broken = outcome == STORE_UNKNOWN;
    return outcome;
}

static enum store_outcome refuse_epoch(struct sqlite_store *store, const struct fence *fence,
                                       int64_t epoch)
{
    struct text *fault = &store->base.fault;
    sentence(fault, "slot ");
    text_put_number(fault, fence->slot);
    text_put(fault, " is held under epoch ");
    text_put_number(fault, epoch);
    text_put(fault, ", not ");
    text_put_number(fault, (int64_t) fence->epoch);
    if (sqlite_run(store->rollback) == SQLITE_OK)
        return STORE_OLD_EPOCH;
    store->is_broken = true;
    return STORE_UNKNOWN;
}

/* Whether a slot has the epoch that the fence says; a slot without a row has 0. */
static enum store_outcome check_fence(struct sqlite_store *store, const struct fence *fence)
{
    int64_t epoch = 0;
    sqlite3_bind_int64(store->fence, 1, fence->slot);
    int code = sqlite3_step(store->fence);
    if (code == SQLITE_ROW)
        epoch = sqlite3_column_int64(store->fence, 0);
    sqlite3_reset(store->fence);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return give_up(store, code, false);
    if ((uint64_t) epoch != fence->epoch)
        return refuse_epoch(store, fence, epoch);
    return STORE_COMMITTED;
}

static int write_row(struct sqlite_store *store, const struct row *row)
{
    sqlite3_stmt *statement = store->tables[row->table].writes[row->op];
    for (uint32_t i = 0; i < row->count; i++)
        sqlite_bind(statement, i + 1, &row->cells[i]);
    return sqlite_run(statement);
}

enum store_outcome sqlite_commit(struct store *base, const struct batch *batch)
{
    struct sqlite_store *store = (struct sqlite_store *) base;
    enum store_outcome   outcome = STORE_COMMITTED;
    if (store->is_broken)
        return STORE_UNKNOWN;
    int code = sqlite_run(store->begin);
    if (code != SQLITE_OK)
        return give_up(store, code, false);
    for (uint32_t i = 0; i < batch->fence_count && outcome == STORE_COMMITTED; i++)
        outcome = check_fence(store, &batch->fences[i]);
    if (outcome != STORE_COMMITTED)
        return outcome;
    for (uint32_t i = 0; i < batch->row_count; i++) {
        code = write_row(store, batch->rows[i]);
        if (code != SQLITE_OK)
            return give_up(store, code, false);
    }
    code = sqlite_run(store->commit);
    if (code != SQLITE_OK)
        return give_up(store, code, true);
    return STORE_COMMITTED;
}
