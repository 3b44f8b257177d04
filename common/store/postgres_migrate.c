/* postgres_migrate.c: brings a database's tables to the schema's version, forward only, in one transaction.
 *
 * The tables of one schema lie in a schema of PostgreSQL's of the same name. Beside them a table `store` has
 * one row: the oldest version whose programs may use them, and the version of the tables; the term, which grows when a standby becomes the primary; the owner, a number that
 * grows each time a store with one owner is opened; and whether it is being filled by a copy. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "store/postgres_private.h"

#define SQL_BYTES 512

const struct dialect postgres_dialect = { .mark = '$',
                                          .number = "bigint",
                                          .bytes = "bytea",
                                          .text = "text COLLATE \"C\"",
                                          .table_end = "",
                                          .add_column = " ADD COLUMN IF NOT EXISTS ",
                                          .hold = " FOR SHARE" };

/* One row, or the table is not there yet. */
bool postgres_state(struct postgres_store *store, struct pg_state *state)
{
    char sql[SQL_BYTES];
    *state = (struct pg_state){ .is_there = false };
    (void) snprintf(sql, sizeof sql, "SELECT to_regclass('\"%s\".store') IS NOT NULL",
                    store->base.schema->name);
    PGresult *result = postgres_ask(store, sql);
    if (!result)
        return false;
    state->is_there = *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    if (!state->is_there)
        return true;
    /* The last column came later; who migrates adds it. */
    result = postgres_ask(
        store, "SELECT greatest(version, (to_jsonb(store)->>'tables')::bigint), term, owner, "
               "filling, version FROM store");
    if (!result)
        return false;
    state->version = postgres_number(result, 0);
    state->term = postgres_number(result, 1);
    state->owner = postgres_number(result, 2);
    state->filling = postgres_number(result, 3);
    state->oldest = postgres_number(result, 4);
    PQclear(result);
    return true;
}

bool postgres_is_current(struct postgres_store *store, const struct pg_state *state,
                         bool may_be_newer)
{
    const struct schema *schema = store->base.schema;
    struct text         *fault = &store->base.fault;
    if (state->version >= schema->version && (may_be_newer || state->oldest <= schema->version))
        return true;
    sentence(fault, "PostgreSQL, ", schema->name, ": it has version ");
    text_put_number(fault, (int64_t) state->version);
    text_put(fault, " and this program knows ");
    text_put_number(fault, schema->version);
    text_put(fault, state->version > schema->version
                        ? ": start the newer program again, or restore a copy made before it"
                        : ": start its owner first, or say arbiter store migrate");
    return false;
}

/* It is committed like everything else: if it waits for a standby, so would every batch. */
bool postgres_raise_term(struct postgres_store *store, const struct pg_state *state)
{
    char sql[SQL_BYTES];
    (void) snprintf(sql, sizeof sql, "UPDATE store SET term = %llu WHERE term < %llu",
                    (unsigned long long) store->term, (unsigned long long) store->term);
    return state->term >= store->term || postgres_do(store, sql);
}

/* Of each column that came later and is not there yet. */
static bool add_columns(struct postgres_store *store, const struct row_table *table)
{
    struct sql sql;
    for (uint32_t i = table->key_count; i < table->column_count; i++) {
        sql_add_column(&sql, &postgres_dialect, table, i);
        if (!postgres_do(store, sql.bytes))
            return false;
    }
    return true;
}

static bool change_tables(struct postgres_store *store, uint64_t version)
{
    const struct schema *schema = store->base.schema;
    struct sql           sql;
    for (uint32_t i = 0; i < schema->table_count; i++) {
        const struct row_table *table = &schema->tables[i];
        assert(table->since <= schema->version);
        bool is_new = !version || table->since > version;
        if (is_new)
            sql_create_table(&sql, &postgres_dialect, table);
        if (is_new ? !postgres_do(store, sql.bytes) : !add_columns(store, table))
            return false;
    }
    return true;
}

/* A schema of this name that has no row of ours must be empty: somebody else's is not ours to add to. */
static bool is_ours(struct postgres_store *store, const struct pg_state *state)
{
    char sql[SQL_BYTES];
    if (state->is_there)
        return true;
    (void) snprintf(sql, sizeof sql,
                    "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('\"%s\"')",
                    store->base.schema->name);
    PGresult *result = postgres_ask(store, sql);
    if (!result)
        return false;
    uint64_t things = postgres_number(result, 0);
    PQclear(result);
    if (things)
        sentence(&store->base.fault, "PostgreSQL: the schema ", store->base.schema->name,
                 " belongs to another program: give us a database of our own");
    return !things;
}

static bool make_schema(struct postgres_store *store, uint64_t version)
{
    char sql[SQL_BYTES];
    if (version)
        return true;
    /* Also who may not make schemas can be given an empty one. */
    (void) snprintf(
        sql, sizeof sql,
        "DO $$ BEGIN IF to_regnamespace('\"%s\"') IS NULL THEN CREATE SCHEMA \"%s\"; END IF; "
        "END $$",
        store->base.schema->name, store->base.schema->name);
    return postgres_do(store, sql) &&
           postgres_do(store, "CREATE TABLE store (version bigint NOT NULL, term bigint NOT NULL, "
                              "owner bigint NOT NULL, filling bigint NOT NULL); "
                              "INSERT INTO store VALUES (0, 0, 0, 0)");
}

static bool bring_forward(struct postgres_store *store)
{
    struct pg_state state;
    char            sql[SQL_BYTES];
    (void) snprintf(sql, sizeof sql,
                    "ALTER TABLE store ADD COLUMN IF NOT EXISTS tables bigint; "
                    "UPDATE store SET version = %u, tables = %u",
                    schema_oldest(store->base.schema), store->base.schema->version);
    if (!postgres_state(store, &state) || !is_ours(store, &state))
        return false;
    if (state.version >= store->base.schema->version)
        return postgres_is_current(store, &state, false);
    return make_schema(store, state.version) && change_tables(store, state.version) &&
           postgres_do(store, sql);
}

/* Several processes start at once: one of them makes the tables, the others wait for it. The lock is the session's,
 * so that the transaction begins behind it, and sees what was made meanwhile; where this fails, the session
 * ends. */
bool postgres_migrate(struct postgres_store *store)
{
    static const char lock[] =
        "SET lock_timeout = 0; SELECT pg_advisory_lock(hashtext('arbiter migrates'))";
    static const char unlock[] =
        "SELECT pg_advisory_unlock(hashtext('arbiter migrates')); SET lock_timeout = 500";
    return postgres_do(store, lock) && postgres_do(store, "BEGIN") && bring_forward(store) &&
           postgres_do(store, "COMMIT") && postgres_do(store, unlock);
}
