/* row.h: what a core keeps, as data: tables described once, rows, reads, and the batch they go in.
 *
 * A service describes its tables as a `schema`. SQLite, PostgreSQL and the simulation's store read
 * that one description, so there is no SQL to keep in step. A core's rows of one batch are
 * committed whole or not at all, and only if every *fence* still holds. A fence is the epoch under
 * which the core believes to own a slot. The same transaction checks it. */
#ifndef ARBITER_ROW_H
#define ARBITER_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROW_KEY_MAX 4
#define ROW_COLUMNS_MAX 24
#define NO_FENCES UINT32_MAX

enum cell_kind { CELL_NULL, CELL_NUMBER, CELL_BYTES, CELL_TEXT };

struct cell {
    enum cell_kind kind;
    int64_t number; /* CELL_NUMBER. Unsigned numbers keep their bits.                       */
    /* CELL_BYTES, CELL_TEXT: its owner keeps them until the batch is settled. */
    const uint8_t *bytes;
    size_t         size;
};

struct column {
    const char    *name;
    enum cell_kind kind;
};

struct row_table {
    const char          *name;
    const struct column *columns; /* The key's columns first, large bytes last. */
    uint32_t             column_count;
    uint32_t key_count; /* So many columns, the first ones, tell rows apart.           */
    uint32_t since;     /* The schema's version that brought the table.                */
};

/* One file or one database's worth of tables. Version n has the tables and columns with `since` <= n;
 * opening an older store creates what is missing. A store says the oldest version whose programs may use it, so one may
 * go back to the build before. */
struct schema {
    const char *name; /* "journal": also the file's name.                             */
    uint32_t    version;
    uint32_t oldest; /* Programs that know this version may use its stores: what came later only */
                     /* adds. 0: none but those that know `version`.                            */
    const struct row_table *tables;
    uint32_t                table_count;
    uint32_t fences; /* The table whose first column is a slot and whose second is its */
                     /* epoch; NO_FENCES: there is none.                           */
};

static inline uint32_t schema_oldest(const struct schema *schema)
{
    return schema->oldest != 0 ? schema->oldest : schema->version;
}

enum row_op {
    ROW_ADD, /* A row with this key must not be there: the batch is refused (STORE_CONFLICT).     */
    ROW_PUT, /* Whatever was there under this key is replaced.                                  */
    ROW_KEEP,  /* Whatever was there under this key stays, and this row is not written.           */
    ROW_DELETE /* By key; no harm if it is not there. Only the key's cells count. */
};

struct row {
    uint32_t    table; /* Index into the schema's.                                                */
    enum row_op op;
    uint32_t count; /* Cells: as many as the table has columns; ROW_DELETE: as the key has.      */
    struct cell cells[];
};

/* "I own this slot under this epoch." A slot that has no row yet has epoch 0. */
struct fence {
    uint32_t slot;
    uint64_t epoch;
};

/* Rows of one table by the beginning of their key, in the key's order. */
struct query {
    uint32_t tag; /* The asker's own: comes back with the rows.                                */
    uint32_t table;
    uint32_t prefix_count; /* Key cells that must be equal; 0: all rows.                        */
    struct cell prefix[ROW_KEY_MAX];
    bool has_from, has_to; /* Bounds, both included, of the key cell behind the prefix.      */
    struct cell from, to;
    bool        descending;
    uint32_t    limit; /* 0: all.                                                                 */
};

/* What became of a batch. */
enum store_outcome {
    STORE_COMMITTED, /* It is there, on the disk, for ever.                                       */
    STORE_OLD_EPOCH, /* Refused, nothing of it is there: a fence did not hold. */
    STORE_FULL,     /* Refused, nothing of it is there: the disk is full.                         */
    STORE_BUSY,     /* Refused, nothing of it is there: try again.                               */
    STORE_CONFLICT, /* Refused, nothing of it is there: for what one of its rows says.            */
    STORE_UNKNOWN   /* Nobody knows. Say nothing, take the slots anew, and read.                  */
};

#endif
