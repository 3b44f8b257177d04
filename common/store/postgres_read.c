/* postgres_read.c: rows of one table by the beginning of their key, each handed on as it comes. */
#include <stdio.h>

#include "store/postgres_private.h"

static void name_read(char name[PG_STATEMENT_NAME], const struct query *query)
{
    (void) snprintf(name, PG_STATEMENT_NAME, "read %u %u", query->table, sql_shape(query));
}

/* Everything up to the end of what was asked. */
static bool skip(struct postgres_store *store)
{
    bool is_good = true;
    for (PGresult *result = postgres_next(store); result; result = postgres_next(store)) {
        is_good = is_good && PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (postgres_is_lost(store))
            return false;
    }
    return is_good && store->connection;
}

static bool prepare(struct postgres_store *store, const struct query *query, const char *name)
{
    struct sql sql;
    bool      *is_prepared = &store->is_prepared[query->table * SQL_SHAPES + sql_shape(query)];
    if (*is_prepared)
        return true;
    sql_select(&sql, &postgres_dialect, &store->base.schema->tables[query->table], query);
    if (!PQsendPrepare(store->connection, name, sql.bytes, 0, NULL) || !skip(store)) {
        postgres_blame(store, "its tables are not as they should be, or cannot be read");
        return false;
    }
    *is_prepared = true;
    return true;
}

static bool send(struct postgres_store *store, const struct query *query, const char *name)
{
    struct pg_cells cells = { .count = 0 };
    struct cell     limit = { .kind = CELL_NUMBER,
                              .number = query->limit ? (int64_t) query->limit : INT64_MAX };
    for (uint32_t i = 0; i < query->prefix_count; i++)
        postgres_put_cell(&cells, &query->prefix[i]);
    if (query->has_from)
        postgres_put_cell(&cells, &query->from);
    if (query->has_to)
        postgres_put_cell(&cells, &query->to);
    postgres_put_cell(&cells, &limit);
    return PQsendQueryPrepared(store->connection, name, cells.count, cells.values, cells.sizes,
                               cells.formats, 1) &&
           PQsetSingleRowMode(store->connection);
}

static int64_t number_of(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    return (int64_t) number;
}

/* False for what is not a value of the column's kind. */
static bool take_cell(const PGresult *result, int column, enum cell_kind kind, struct cell *cell)
{
    *cell = (struct cell){ .kind = CELL_NULL };
    if (PQgetisnull(result, 0, column))
        return true;
    cell->kind = kind;
    cell->bytes = (const uint8_t *) PQgetvalue(result, 0, column);
    cell->size = (size_t) PQgetlength(result, 0, column);
    if (kind != CELL_NUMBER)
        return true;
    bool is_number = cell->size == 8;
    if (is_number)
        cell->number = number_of(cell->bytes);
    cell->bytes = NULL;
    cell->size = 0;
    return is_number;
}

static bool take_row(const PGresult *result, const struct row_table *table, struct row *row)
{
    row->count = table->column_count;
    if (PQnfields(result) != (int) table->column_count)
        return false;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (!take_cell(result, (int) i, table->columns[i].kind, &row->cells[i]) ||
            (i < table->key_count && row->cells[i].kind == CELL_NULL))
            return false;
    return true;
}

/* What is still on its way is asked not to come. A read may be cancelled: it changes nothing. */
static void stop(struct postgres_store *store)
{
    char      complaint[256];
    PGcancel *cancel = PQgetCancel(store->connection);
    if (cancel)
        (void) PQcancel(cancel, complaint, sizeof complaint);
    PQfreeCancel(cancel);
    (void) skip(store);
}

/* False: the server could not, or `each` has enough. */
static bool hand_on(struct postgres_store *store, const struct query       *query,
                    bool (*each)(void *taker, const struct row *row), void *taker)
{
    const struct row_table *table = &store->base.schema->tables[query->table];
    store->row->table = query->table;
    store->row->op = ROW_ADD;
    for (PGresult *result = postgres_next(store); result; result = postgres_next(store)) {
        ExecStatusType status = PQresultStatus(result);
        bool           is_row = status == PGRES_SINGLE_TUPLE && take_row(result, table, store->row);
        bool           is_wanted = is_row && each(taker, store->row);
        PQclear(result);
        if (status == PGRES_TUPLES_OK || is_wanted)
            continue;
        if (!is_row)
            postgres_blame(store, "cannot be read");
        if (postgres_is_lost(store))
            postgres_drop(store);
        else
            stop(store);
        return false;
    }
    return store->connection != NULL;
}

bool postgres_read(struct store *base, const struct query                 *query,
                   bool (*each)(void *taker, const struct row *row), void *taker)
{
    struct postgres_store *store = (struct postgres_store *) base;
    char                   name[PG_STATEMENT_NAME];
    if (store->is_broken || !postgres_restore(store))
        return false;
    text_clear(&base->fault);
    name_read(name, query);
    if (!prepare(store, query, name) || !send(store, query, name)) {
        postgres_drop(store);
        return false;
    }
    return hand_on(store, query, each, taker);
}
