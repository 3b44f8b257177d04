/* sql.h: the text of every statement, made from a schema; it knows no database, only dialects.
 *
 * Statements stay within what SQLite and PostgreSQL both understand; where their words differ a
 * dialect has the word. Parameters are numbered as they first appear: the cells of a row in the
 * table's order, or of a query: prefix, from, to, limit. */
#ifndef ARBITER_SQL_H
#define ARBITER_SQL_H

#include <stddef.h>
#include <stdint.h>

#include "core/row.h"

/* Three mentions of 24 columns with names of 60 bytes, and their words around them. */
#define SQL_MAX 8192

struct dialect {
    char        mark; /* Before a parameter's number.                                           */
    const char *number, *bytes, *text; /* The names of the three types.                         */
    const char *table_end;             /* Behind a table's columns.                             */
    const char *add_column;            /* Between a table's name and a column that came later.   */
    const char *hold; /* Behind the fence's question: keep this row as it is until we end.       */
};

struct sql {
    size_t size;
    char   bytes[SQL_MAX]; /* Closed by a NUL.                                                  */
};

/* How many shapes a query can have, and which of them this one has. Queries of one shape differ
 * only in their values, and share a statement. */
#define SQL_SHAPES ((ROW_KEY_MAX + 1u) * 8u)
uint32_t sql_shape(const struct query *query);

void sql_create_table(struct sql *sql, const struct dialect *dialect,
                      const struct row_table *table);
/* A column that came later: it is NULL in the rows that are there already. */
void sql_add_column(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
                    uint32_t column);
void sql_write(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
               enum row_op op);
/* Asks for a slot's epoch. */
void sql_fence(struct sql *sql, const struct dialect *dialect, const struct row_table *table);
/* All columns in the table's order. The limit is always the last parameter; INT64_MAX: all. */
void sql_select(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
                const struct query *query);

#endif
