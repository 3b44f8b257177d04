/* sql.c: see sql.h. */
#include "store/sql.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A statement that does not fit is a schema of ours that is too wide: our bug. */
static void put(struct sql *sql, const char *string)
{
    size_t size = strlen(string);
    assert(sql->size + size < SQL_MAX);
    memcpy(sql->bytes + sql->size, string, size + 1);
    sql->size += size;
}

/* Quoted, so that a column may be called "key" or "order". */
static void put_name(struct sql *sql, const char *name)
{
    assert(*name && !strchr(name, '"'));
    put(sql, "\"");
    put(sql, name);
    put(sql, "\"");
}

static void put_parameter(struct sql *sql, const struct dialect *dialect, uint32_t number)
{
    char word[16];
    snprintf(word, sizeof word, "%c%u", dialect->mark, number);
    put(sql, word);
}

static void begin(struct sql *sql, const char *words, const char *table)
{
    sql->size = 0;
    put(sql, words);
    put_name(sql, table);
}

/* The columns [first, end) with commas between them. */
static void put_columns(struct sql *sql, const struct row_table *table, uint32_t first,
                        uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        put(sql, i > first ? ", " : "");
        put_name(sql, table->columns[i].name);
    }
}

static void put_column_type(struct sql *sql, const struct dialect *dialect,
                            const struct column *column)
{
    assert(column->kind != CELL_NULL);
    put_name(sql, column->name);
    put(sql, " ");
    put(sql, column->kind == CELL_NUMBER  ? dialect->number
             : column->kind == CELL_BYTES ? dialect->bytes
                                          : dialect->text);
}

void sql_create_table(struct sql *sql, const struct dialect *dialect, const struct row_table *table)
{
    begin(sql, "CREATE TABLE ", table->name);
    put(sql, " (");
    for (uint32_t i = 0; i < table->column_count; i++) {
        put_column_type(sql, dialect, &table->columns[i]);
        put(sql, i < table->key_count ? " NOT NULL, " : ", ");
    }
    put(sql, "PRIMARY KEY (");
    put_columns(sql, table, 0, table->key_count);
    put(sql, "))");
    put(sql, dialect->table_end);
}

void sql_add_column(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
                    uint32_t column)
{
    assert(column >= table->key_count && column < table->column_count);
    begin(sql, "ALTER TABLE ", table->name);
    put(sql, dialect->add_column);
    put_column_type(sql, dialect, &table->columns[column]);
}

/* What becomes of a row that is there. ROW_KEEP: nothing. ROW_PUT: every column behind the key takes the new
 * value. */
static void put_replacement(struct sql *sql, const struct row_table *table, enum row_op op)
{
    bool stays = op == ROW_KEEP || table->key_count == table->column_count;
    put(sql, " ON CONFLICT (");
    put_columns(sql, table, 0, table->key_count);
    put(sql, stays ? ") DO NOTHING" : ") DO UPDATE SET ");
    for (uint32_t i = table->key_count; i < table->column_count && !stays; i++) {
        put(sql, i > table->key_count ? ", " : "");
        put_name(sql, table->columns[i].name);
        put(sql, " = excluded.");
        put_name(sql, table->columns[i].name);
    }
}

static void put_key_equals(struct sql *sql, const struct dialect *dialect,
                           const struct row_table *table, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put(sql, i ? " AND " : " WHERE ");
        put_name(sql, table->columns[i].name);
        put(sql, " = ");
        put_parameter(sql, dialect, i + 1);
    }
}

void sql_write(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
               enum row_op op)
{
    if (op == ROW_DELETE) {
        begin(sql, "DELETE FROM ", table->name);
        put_key_equals(sql, dialect, table, table->key_count);
        return;
    }
    begin(sql, "INSERT INTO ", table->name);
    put(sql, " (");
    put_columns(sql, table, 0, table->column_count);
    put(sql, ") VALUES (");
    for (uint32_t i = 0; i < table->column_count; i++) {
        put(sql, i ? ", " : "");
        put_parameter(sql, dialect, i + 1);
    }
    put(sql, ")");
    if (op != ROW_ADD)
        put_replacement(sql, table, op);
}

void sql_fence(struct sql *sql, const struct dialect *dialect, const struct row_table *table)
{
    assert(table->key_count == 1 && table->column_count >= 2);
    sql->size = 0;
    put(sql, "SELECT ");
    put_columns(sql, table, 1, 2);
    put(sql, " FROM ");
    put_name(sql, table->name);
    put_key_equals(sql, dialect, table, 1);
    put(sql, dialect->hold);
}

uint32_t sql_shape(const struct query *query)
{
    assert(query->prefix_count <= ROW_KEY_MAX);
    return query->prefix_count * 8u + query->has_from * 4u + query->has_to * 2u + query->descending;
}

static void put_bound(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
                      const struct query *query, const char *than, uint32_t parameter)
{
    put(sql, parameter > 1 ? " AND " : " WHERE ");
    put_name(sql, table->columns[query->prefix_count].name);
    put(sql, than);
    put_parameter(sql, dialect, parameter);
}

/* In the key's order. The columns of the prefix are all equal: ordering by them costs nothing and would
 * say nothing. */
static void put_order(struct sql *sql, const struct row_table *table, const struct query *query)
{
    for (uint32_t i = query->prefix_count; i < table->key_count; i++) {
        put(sql, i > query->prefix_count ? ", " : " ORDER BY ");
        put_name(sql, table->columns[i].name);
        put(sql, query->descending ? " DESC" : "");
    }
}

void sql_select(struct sql *sql, const struct dialect *dialect, const struct row_table *table,
                const struct query *query)
{
    uint32_t parameter = query->prefix_count;
    sql->size = 0;
    put(sql, "SELECT ");
    put_columns(sql, table, 0, table->column_count);
    put(sql, " FROM ");
    put_name(sql, table->name);
    put_key_equals(sql, dialect, table, query->prefix_count);
    if (query->has_from)
        put_bound(sql, dialect, table, query, " >= ", ++parameter);
    if (query->has_to)
        put_bound(sql, dialect, table, query, " <= ", ++parameter);
    put_order(sql, table, query);
    put(sql, " LIMIT ");
    put_parameter(sql, dialect, parameter + 1);
}
