/* sqlite_migrate.c: brings a file's tables to the schema's version, forward only, in one transaction.
 *
 * The file says two versions itself: that of its tables (PRAGMA application_id), and the oldest whose programs may use
 * it (PRAGMA user_version; 0: nobody's yet). Files of before have the second alone. Tables are made if they came after
 * it, and columns added if they are missing. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "store/sqlite_private.h"

/* Numbers, bytes, text, and nothing else than what was declared: STRICT. */
const struct dialect sqlite_dialect = { .mark = '?',
                                        .number = "INTEGER",
                                        .bytes = "BLOB",
                                        .text = "TEXT",
                                        .table_end = " STRICT",
                                        .add_column = " ADD COLUMN ",
                                        .hold = "" };

struct versions {
    int64_t tables, oldest;
};

static bool read_versions(struct sqlite_store *store, struct versions *versions)
{
    *versions = (struct versions){ 0, 0 };
    if (!sqlite_number(store, "PRAGMA user_version", &versions->oldest) ||
        !sqlite_number(store, "PRAGMA application_id", &versions->tables))
        return false;
    if (versions->tables < versions->oldest)
        versions->tables = versions->oldest;
    return true;
}

static void refuse_version(struct sqlite_store *store, const struct versions *versions)
{
    struct text *fault = &store->base.fault;
    sentence(fault, store->base.schema->name, ".db has version ");
    text_put_number(fault, versions->tables);
    text_put(fault, " and this program knows ");
    text_put_number(fault, store->base.schema->version);
    text_put(fault, versions->oldest > (int64_t) store->base.schema->version
                        ? ": start the newer program again, or restore a copy made before it"
                        : ": start its owner first, which brings it forward");
}

/* Whether a column is there; a negative answer is a reason to stop. */
static int has_column(struct sqlite_store *store, const char *table, const char *column)
{
    static const char question[] = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
    sqlite3_stmt     *statement = sqlite_prepare(store, question);
    int               found = -1;
    if (!statement)
        return -1;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, column, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        found = sqlite3_column_int(statement, 0);
    else
        sqlite_blame(store, "cannot read its tables");
    sqlite3_finalize(statement);
    return found;
}

static bool add_columns(struct sqlite_store *store, const struct row_table *table)
{
    struct sql sql;
    for (uint32_t i = table->key_count; i < table->column_count; i++) {
        int found = has_column(store, table->name, table->columns[i].name);
        if (found < 0)
            return false;
        if (found)
            continue;
        sql_add_column(&sql, &sqlite_dialect, table, i);
        if (!sqlite_do(store, sql.bytes))
            return false;
    }
    return true;
}

static bool change_tables(struct sqlite_store *store, int64_t version)
{
    const struct schema *schema = store->base.schema;
    struct sql           sql;
    for (uint32_t i = 0; i < schema->table_count; i++) {
        const struct row_table *table = &schema->tables[i];
        assert(table->since <= schema->version);
        bool is_new = !version || (int64_t) table->since > version;
        if (is_new)
            sql_create_table(&sql, &sqlite_dialect, table);
        if (is_new ? !sqlite_do(store, sql.bytes) : !add_columns(store, table))
            return false;
    }
    return true;
}

/* A file of version 0 must be empty: somebody else's is not ours to add tables to. */
static bool is_ours(struct sqlite_store *store, int64_t version)
{
    int64_t things = 0;
    if (version)
        return true;
    if (!sqlite_number(store, "SELECT count(*) FROM sqlite_schema", &things))
        return false;
    if (things)
        sentence(&store->base.fault, store->base.schema->name,
                 ".db is a database of another program: move it away, or give us another folder");
    return !things;
}

static bool may_use(const struct sqlite_store *store, const struct versions *versions)
{
    int64_t own = store->base.schema->version;
    return versions->oldest >= 0 && versions->oldest <= own;
}

bool sqlite_may_open(struct sqlite_store *store)
{
    struct versions versions;
    if (!read_versions(store, &versions))
        return false;
    if (!may_use(store, &versions))
        refuse_version(store, &versions);
    return may_use(store, &versions);
}

/* Tables that are newer, and allow it, are used as they are. */
bool sqlite_migrate(struct sqlite_store *store)
{
    const struct schema *schema = store->base.schema;
    struct versions      versions;
    char                 name_it[96];
    snprintf(name_it, sizeof name_it, "PRAGMA user_version = %u; PRAGMA application_id = %u",
             schema_oldest(schema), schema->version);
    if (!read_versions(store, &versions) || !is_ours(store, versions.oldest))
        return false;
    if (!may_use(store, &versions)) {
        refuse_version(store, &versions);
        return false;
    }
    if (versions.tables >= (int64_t) schema->version)
        return true;
    return sqlite_do(store, "BEGIN IMMEDIATE") && change_tables(store, versions.tables) &&
           sqlite_do(store, name_it) && sqlite_do(store, "COMMIT");
}

bool sqlite_is_current(struct sqlite_store *store)
{
    struct versions versions;
    if (!read_versions(store, &versions))
        return false;
    bool is_current =
        may_use(store, &versions) && versions.tables >= (int64_t) store->base.schema->version;
    if (!is_current)
        refuse_version(store, &versions);
    return is_current;
}
