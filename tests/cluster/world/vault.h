/* vault.h: a store that is not there: tables of rows, transactions, and what can become of them.
 *
 * It reads a core's schema (core/row.h), so it serves any service. Several processes may share one,
 * as engines share a PostgreSQL. A transaction is decided in one instant (`vault_decide`), between
 * the events of its beginning and its end. So a crash or a pause can stand on either side of it.
 * What is decided as committed is durable: there is no page cache here to lose. */
#ifndef ARBITER_CLUSTER_VAULT_H
#define ARBITER_CLUSTER_VAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/row.h"

#define VAULT_TABLES_MAX 24

/* A row with its bytes in one block; shared between tables, transactions and reads. */
struct vault_row {
    uint32_t    refs;
    struct row *row;
};

struct vault_table {
    struct vault_row **rows; /* By key.                                                        */
    uint32_t           count, capacity;
};

struct vault {
    const char          *name;
    const struct schema *schema;
    struct vault_table   table[VAULT_TABLES_MAX];
    bool                 is_embedded; /* One owner, in whose process it lives.                 */
    bool                 is_full;     /* The disk.                                             */
    bool                 is_damaged;  /* In the middle: nobody may open it before it is cut.   */
    uint64_t             commits, refusals;
};

/* A batch on its way. */
struct transaction {
    struct vault      *vault;
    struct vault_row **rows;
    uint32_t           row_count;
    struct fence      *fences;
    uint32_t           fence_count;
    uint32_t           process; /* Whose, and of which incarnation.                            */
    uint64_t           incarnation;
    uint64_t           begun_ns;
    enum store_outcome outcome; /* What the process will hear.                                */
    bool               is_decided, is_kept; /* Decided; its rows are in the tables.            */
    bool               is_lost;             /* It never arrives.                               */
    bool               is_unknown; /* Nobody will know what became of it.                      */
    bool               is_busy;    /* It is refused for no reason of its own.                  */
    uint32_t           refs;
};

void                vault_open(struct vault *vault, const struct schema *schema);
void                vault_close(struct vault *vault);
/* Another vault of the same schema becomes as this one stands: a backup is made, or put back. */
void                vault_put(const struct vault *from, struct vault *to);
/* Copies a batch out of its outbox. */
struct transaction *transaction_new(struct vault *vault, struct row *const *rows,
                                    uint32_t row_count, const struct fence *fences,
                                    uint32_t fence_count);
void                transaction_free(struct transaction *transaction);
/* Commits or refuses it: fences, then the rows in their order; all or nothing. */
enum store_outcome  vault_decide(struct vault *vault, const struct transaction *transaction);

/* The rows of a query as they stand now, each with a reference of its own for the caller. */
uint32_t vault_read(const struct vault *vault, const struct query *query, struct vault_row ***rows);
void     vault_row_release(struct vault_row *row);
/* The table of this name; NO_TABLE. */
#define NO_TABLE UINT32_MAX
uint32_t          vault_table_named(const struct vault *vault, const char *name);
/* The column of this name; asserts that there is one. */
uint32_t          vault_column_named(const struct vault *vault, uint32_t table, const char *name);
/* The row with the key of `row`; NULL. */
const struct row *vault_find(const struct vault *vault, const struct row *row);
uint64_t          vault_epoch(const struct vault *vault, uint32_t slot);
/* -1, 0, 1. */
int               cell_compare(const struct cell *one, const struct cell *other);

#endif
