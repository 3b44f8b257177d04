/* store.h: what a core keeps, kept: rows in tables, a batch in one synced transaction.
 *
 * The one place that knows SQL, made from the owner's schema (core/row.h). The embedded store is one
 * SQLite file (WAL, synchronous=FULL) with one owner. Several machines share a PostgreSQL database: what
 * has fences has many writers, everything else one owner at a time. A *writer* commits batches; a *reader* is a
 * connection of its own, for another thread, that sees only what was committed.
 *
 * Where a store is says its *place*: a folder, or postgresql://HOST1,HOST2/DATABASE?... as libpq reads it. */
#ifndef ARBITER_STORE_H
#define ARBITER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "core/row.h"

struct store;

/* What a store says of itself: for counters and logs. */
struct store_facts {
    uint64_t commits, refused, rows;
    uint64_t wal_bytes; /* Since the last checkpoint.                                           */
    uint64_t commit_us; /* The last commit, with its sync.                                      */
};

/* Whether a place is a database's, and not a folder's. */
bool          store_is_database(const char *place);
/* Opens place/schema->name.db, or the schema of that name in the database. Makes it or brings it up
 * to the schema's version if needed, and locks it against a second owner, if it has one. NULL, and
 * a sentence with the remedy. */
struct store *store_open(const struct schema *schema, const char *place, struct text *fault);
/* A second, read-only connection. */
struct store *store_open_reader(const struct schema *schema, const char *place, struct text *fault);
/* A second writer of an embedded store, beside its owner, which may run. For removing what the
 * owner no longer knows. It neither locks nor migrates nor moves the log. */
struct store *store_open_beside(const struct schema *schema, const char *folder,
                                struct text *fault);
/* A database's, to be filled from another store: it is empty, or was not filled to the end before. Until
 * store_filled nobody else can open it. */
struct store *store_open_empty(const struct schema *schema, const char *place, struct text *fault);
bool          store_filled(struct store *store);
/* Only makes the tables of a database, or brings them up to the schema's version; other processes may be at work. */
bool          store_migrate(const struct schema *schema, const char *place, struct text *fault);
void          store_close(struct store **store);

/* Commits everything or nothing. After STORE_UNKNOWN a store that does not survive it is to be closed: a
 * failed sync is never tried again. */
enum store_outcome store_commit(struct store *store, const struct row *const *rows,
                                uint32_t row_count, const struct fence *fences,
                                uint32_t fence_count);
/* Whether it can be asked again after STORE_UNKNOWN: several own it, and each takes its slots anew. */
bool               store_survives(const struct store *store);
/* Why the last batch was not committed, as a sentence. */
const char        *store_fault(const struct store *store);

/* The rows of a query, in its order; false: the store could not, or `each` wanted no more. A row and its
 * bytes live until `each` returns. */
bool        store_read(struct store *store, const struct query                *query,
                       bool (*each)(void *taker, const struct row *row), void *taker);
/* A copy that outlives `each`, to be written again (ROW_PUT): one block of `bytes`, which the caller frees. NULL: there
 * is no memory. */
struct row *store_copy_row(const struct row *row, size_t *bytes);

/* Moves the write-ahead log into the file, between batches; false if readers are in the way. A database
 * does so by itself. */
bool               store_checkpoint(struct store *store);
/* A copy of all that is committed, made while the store is in use: folder/schema->name.db, which must
 * not be there yet. It is whole and synced, or false and not there. A database has programs of its own for
 * that. */
bool               store_copy(struct store *store, const char *folder);
struct store_facts store_facts(const struct store *store);

#endif
