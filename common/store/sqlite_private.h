/* sqlite_private.h: one SQLite file as a store: its connection, its statements, its state of health. */
#ifndef ARBITER_SQLITE_PRIVATE_H
#define ARBITER_SQLITE_PRIVATE_H

#include <sqlite3.h>

#include "store/sql.h"
#include "store/store_private.h"

#define ROW_OPS (ROW_DELETE + 1)
/* How long another program's short hold on the file (a look with sqlite3, a copy) is waited for. */
#define BUSY_MS 100

/* What a table is asked for, each prepared once: writes at the start, reads when first asked. */
struct statements {
    sqlite3_stmt *writes[ROW_OPS];
    sqlite3_stmt *reads[SQL_SHAPES];
};

struct sqlite_store {
    struct store       base;
    sqlite3           *db;
    int                lock;      /* -1: a reader has none.                                    */
    bool               is_broken; /* Nobody knows what is on the disk: nothing goes until closed. */
    uint32_t           page_bytes;
    sqlite3_stmt      *begin, *commit, *rollback, *fence;
    struct statements *tables; /* One for each of the schema's.                                */
    struct row        *row;    /* The row being read.                                          */
};

extern const struct dialect   sqlite_dialect;
extern const struct store_ops sqlite_ops;

/* sqlite_open.c: see store.h. */
struct store *sqlite_open(const struct schema *schema, const char *folder, struct text *fault);
struct store *sqlite_open_beside(const struct schema *schema, const char *folder,
                                 struct text *fault);
struct store *sqlite_open_reader(const struct schema *schema, const char *folder,
                                 struct text *fault);

/* Runs a statement that gives no rows; SQLITE_OK or an extended result code. */
int           sqlite_run(sqlite3_stmt *statement);
/* Prepares; NULL with the reason in the store's fault. */
sqlite3_stmt *sqlite_prepare(struct sqlite_store *store, const char *sql);
/* Runs statements whose rows nobody wants; false with the reason in the store's fault. */
bool          sqlite_do(struct sqlite_store *store, const char *sql);
/* The one number a statement gives; false with the reason in the store's fault. */
bool          sqlite_number(struct sqlite_store *store, const char *sql, int64_t *number);
/* The store's fault: what could not be done, and what SQLite says of it. */
void          sqlite_blame(struct sqlite_store *store, const char *what);
void          sqlite_bind(sqlite3_stmt *statement, uint32_t parameter, const struct cell *cell);

/* The name of a way to the files on which a log's frames are gathered into few writes. */
const char *sqlite_gather(void);

/* Whether the file lets programs of this version use it; asked before anything is written. */
bool sqlite_may_open(struct sqlite_store *store);
/* Makes the tables of a new file, and brings an older one forward. */
bool sqlite_migrate(struct sqlite_store *store);
/* For a reader, who may not: whether the file has all that the schema has. */
bool sqlite_is_current(struct sqlite_store *store);

enum store_outcome sqlite_commit(struct store *base, const struct batch *batch);
bool               sqlite_read(struct store *base, const struct query                 *query,
                               bool (*each)(void *taker, const struct row *row), void *taker);
bool               sqlite_checkpoint(struct store *base);
bool               sqlite_copy(struct store *base, const char *folder);

#endif
