/* postgres_open.c: a store in a PostgreSQL database, found or made, and brought up to date.
 *
 * Tables with fences have as many writers as there are processes: what keeps them apart is the
 * epoch of each slot. Tables without have one owner at a time. It holds a lock of its session's,
 * and a number that grows with each opening. Its transactions ask for this number. So an owner that
 * lost its session, and with it the lock, to another owner writes nothing any more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock/clock.h"
#include "store/postgres_private.h"

#define OWNER_PAUSE_MS 50
#define SQL_BYTES 256

uint32_t postgres_owner_wait_ms = 15000;

static struct postgres_store *new_store(const struct schema *schema, const char *place,
                                        struct text *fault)
{
    struct postgres_store *store = calloc(1, sizeof *store);
    if (store) {
        store->base = (struct store){ .ops = &postgres_ops, .schema = schema, .is_shared = true };
        store->is_prepared = calloc(schema->table_count, SQL_SHAPES);
        store->place = strdup(place);
        store->row = calloc(1, sizeof *store->row + ROW_COLUMNS_MAX * sizeof(struct cell));
    }
    if (store && store->is_prepared && store->place && store->row)
        return store;
    if (store)
        postgres_ops.close(&store->base);
    sentence(fault, "out of memory");
    return NULL;
}

static bool is_locked(struct postgres_store *store, bool *locked)
{
    char sql[SQL_BYTES];
    (void) snprintf(sql, sizeof sql, "SELECT pg_try_advisory_lock(hashtext('arbiter owns %s'))",
                    store->base.schema->name);
    PGresult *result = postgres_ask(store, sql);
    *locked = result && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    return result != NULL;
}

bool postgres_lock(struct postgres_store *store, uint32_t wait_ms)
{
    uint64_t        until_us = clock_us() + (uint64_t) wait_ms * 1000;
    struct timespec pause = { .tv_nsec = OWNER_PAUSE_MS * 1000000L };
    bool            locked = false;
    if (store->base.schema->fences != NO_FENCES)
        return true;
    while (is_locked(store, &locked) && !locked && clock_us() < until_us)
        (void) nanosleep(&pause, NULL);
    if (!locked && !postgres_is_lost(store))
        sentence(&store->base.fault, "another process keeps ", store->base.schema->name,
                 " in this database: stop it first, or give this one a database of its own");
    return locked;
}

/* From here on whoever opened it before is refused. */
static bool become_owner(struct postgres_store *store)
{
    if (store->base.schema->fences != NO_FENCES)
        return true;
    if (!postgres_lock(store, postgres_owner_wait_ms))
        return false;
    PGresult *result = postgres_ask(store, "UPDATE store SET owner = owner + 1 RETURNING owner");
    if (!result)
        return false;
    store->owner = postgres_number(result, 0);
    PQclear(result);
    return true;
}

static bool refuse_half(struct postgres_store *store, const struct pg_state *state)
{
    if (!state->filling)
        return true;
    sentence(&store->base.fault, "PostgreSQL, ", store->base.schema->name,
             ": a copy into it was not finished; say arbiter store copy again");
    return false;
}

static bool become_writer(struct postgres_store *store)
{
    struct pg_state state;
    return postgres_migrate(store) && postgres_state(store, &state) && refuse_half(store, &state) &&
           postgres_raise_term(store, &state) && become_owner(store) && postgres_prepare(store);
}

static bool become_reader(struct postgres_store *store)
{
    struct pg_state state;
    store->base.is_reader = true;
    if (!postgres_state(store, &state) || !refuse_half(store, &state))
        return false;
    return postgres_is_current(store, &state, false);
}

static struct store *opened(struct postgres_store *store, bool is_well, struct text *fault)
{
    if (is_well)
        return &store->base;
    *fault = store->base.fault;
    postgres_ops.close(&store->base);
    return NULL;
}

struct store *postgres_open(const struct schema *schema, const char *place, struct text *fault)
{
    struct postgres_store *store = new_store(schema, place, fault);
    if (!store)
        return NULL;
    return opened(store, postgres_connect(store) && become_writer(store), fault);
}

struct store *postgres_open_reader(const struct schema *schema, const char *place,
                                   struct text *fault)
{
    struct postgres_store *store = new_store(schema, place, fault);
    if (!store)
        return NULL;
    return opened(store, postgres_connect(store) && become_reader(store), fault);
}

/* Nothing is overwritten: not one table has a row. */
static bool is_empty(struct postgres_store *store)
{
    const struct schema *schema = store->base.schema;
    for (uint32_t i = 0; i < schema->table_count; i++) {
        char sql[SQL_BYTES];
        (void) snprintf(sql, sizeof sql,
                        "SELECT count(*) FROM (SELECT 1 FROM \"%s\" LIMIT 1) AS found",
                        schema->tables[i].name);
        PGresult *result = postgres_ask(store, sql);
        if (!result)
            return false;
        bool is_free = postgres_number(result, 0) == 0;
        PQclear(result);
        if (is_free)
            continue;
        sentence(&store->base.fault, "PostgreSQL, ", schema->name,
                 ": there is something in its table ", schema->tables[i].name,
                 " already: name an empty database");
        return false;
    }
    return true;
}

static bool begin_filling(struct postgres_store *store)
{
    struct pg_state state;
    return postgres_migrate(store) && postgres_state(store, &state) &&
           postgres_raise_term(store, &state) && become_owner(store) &&
           (state.filling ||
            (is_empty(store) && postgres_do(store, "UPDATE store SET filling = 1"))) &&
           postgres_prepare(store);
}

struct store *postgres_open_empty(const struct schema *schema, const char *place,
                                  struct text *fault)
{
    struct postgres_store *store = new_store(schema, place, fault);
    if (!store)
        return NULL;
    store->is_filling = true;
    return opened(store, postgres_connect(store) && begin_filling(store), fault);
}

bool postgres_filled(struct store *base)
{
    struct postgres_store *store = (struct postgres_store *) base;
    return postgres_do(store, "UPDATE store SET filling = 0");
}

static bool look_at(struct postgres_store *store, struct store_server *look)
{
    struct pg_state state;
    PGresult       *result = NULL;
    if (!postgres_connect(store) || !postgres_state(store, &state))
        return false;
    result = postgres_ask(store, "SELECT current_setting('synchronous_standby_names') <> ''");
    if (result == NULL)
        return false;
    look->has_standby = *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    look->version = (uint32_t) state.version;
    look->oldest = (uint32_t) state.oldest;
    look->term = store->term;
    look->is_filling = state.filling != 0;
    return true;
}

bool postgres_look(const struct schema *schema, const char *place, struct store_server *look,
                   struct text *fault)
{
    struct postgres_store *store = new_store(schema, place, fault);
    if (!store)
        return false;
    struct store *base = opened(store, look_at(store, look), fault);
    bool          is_seen = base != NULL;
    store_close(&base);
    return is_seen;
}

bool postgres_open_migrate(const struct schema *schema, const char *place, struct text *fault)
{
    struct postgres_store *store = new_store(schema, place, fault);
    if (!store)
        return false;
    struct store *base = opened(store, postgres_connect(store) && postgres_migrate(store), fault);
    bool          is_done = base != NULL;
    store_close(&base);
    return is_done;
}
