/* sqlite_read.c: rows of one table by the beginning of their key, each handed on as it is found. */

#include "store/sqlite_private.h"

static sqlite3_stmt *statement_for(struct sqlite_store *store, const struct query *query)
{
    sqlite3_stmt **statement = &store->tables[query->table].reads[sql_shape(query)];
    if (!*statement) {
        struct sql sql;
        sql_select(&sql, &sqlite_dialect, &store->base.schema->tables[query->table], query);
        *statement = sqlite_prepare(store, sql.bytes);
    }
    return *statement;
}

static void bind_query(sqlite3_stmt *statement, const struct query *query)
{
    uint32_t parameter = 0;
    for (uint32_t i = 0; i < query->prefix_count; i++)
        sqlite_bind(statement, ++parameter, &query->prefix[i]);
    if (query->has_from)
        sqlite_bind(statement, ++parameter, &query->from);
    if (query->has_to)
        sqlite_bind(statement, ++parameter, &query->to);
    struct cell limit = { .kind = CELL_NUMBER,
                          .number = query->limit ? (int64_t) query->limit : INT64_MAX };
    sqlite_bind(statement, ++parameter, &limit);
}

/* False for a value of another kind than the column's: the file is damaged. */
static bool take_cell(sqlite3_stmt *statement, int column, enum cell_kind kind, struct cell *cell)
{
    *cell = (struct cell){ .kind = kind };
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: cell->kind = CELL_NULL; return true;
    case SQLITE_INTEGER:
        cell->number = sqlite3_column_int64(statement, column);
        return kind == CELL_NUMBER;
    case SQLITE_TEXT:
        cell->bytes = sqlite3_column_text(statement, column);
        cell->size = (size_t) sqlite3_column_bytes(statement, column);
        return kind == CELL_TEXT && cell->bytes;
    case SQLITE_BLOB:
        cell->bytes = sqlite3_column_blob(statement, column);
        cell->size = (size_t) sqlite3_column_bytes(statement, column);
        return kind == CELL_BYTES;
    default: return false;
    }
}

static bool take_row(sqlite3_stmt *statement, const struct row_table *table, struct row *row)
{
    row->count = table->column_count;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (!take_cell(statement, (int) i, table->columns[i].kind, &row->cells[i]))
            return false;
        if (i < table->key_count && row->cells[i].kind == CELL_NULL)
            return false;
    }
    return true;
}

/* SQLITE_DONE: all of them; SQLITE_ROW: `each` has enough; otherwise what went wrong. */
static int hand_on(struct sqlite_store *store, sqlite3_stmt *statement, const struct query *query,
                   bool (*each)(void *taker, const struct row *row), void *taker)
{
    const struct row_table *table = &store->base.schema->tables[query->table];
    int                     code = sqlite3_step(statement);
    store->row->table = query->table;
    store->row->op = ROW_ADD;
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        if (!take_row(statement, table, store->row))
            return SQLITE_CORRUPT;
        if (!each(taker, store->row))
            return SQLITE_ROW;
    }
    return code;
}

bool sqlite_read(struct store *base, const struct query                 *query,
                 bool (*each)(void *taker, const struct row *row), void *taker)
{
    struct sqlite_store *store = (struct sqlite_store *) base;
    sqlite3_stmt        *statement = store->is_broken ? NULL : statement_for(store, query);
    if (!statement)
        return false;
    text_clear(&store->base.fault);
    bind_query(statement, query);
    int code = hand_on(store, statement, query, each, taker);
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        sqlite_blame(store, code == SQLITE_CORRUPT
                                ? "the file is damaged: restore a copy, keep this one to look at"
                                : "cannot read");
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE;
}
