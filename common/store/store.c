/* store.c: see store.h. What is asked is judged here once for every kind of store, and counted. */
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "store/postgres_private.h"
#include "store/sqlite_private.h"
#include "store/store_private.h"

void sentence_of(struct text *text, const char *const *parts)
{
    text_clear(text);
    for (; *parts; parts++)
        text_put(text, *parts);
}

bool store_is_database(const char *place)
{
    return !strncmp(place, "postgresql://", 13) || !strncmp(place, "postgres://", 11);
}

struct store *store_open(const struct schema *schema, const char *place, struct text *fault)
{
    return (store_is_database(place) ? postgres_open : sqlite_open)(schema, place, fault);
}

struct store *store_open_reader(const struct schema *schema, const char *place, struct text *fault)
{
    return (store_is_database(place) ? postgres_open_reader : sqlite_open_reader)(schema, place,
                                                                                  fault);
}

/* A folder is made and brought up to date by its one owner. */
static bool is_database(const char *place, struct text *fault)
{
    if (store_is_database(place))
        return true;
    sentence(fault, "\"", place,
             "\" is no database: name it as the engines are told, postgresql://...");
    return false;
}

struct store *store_open_empty(const struct schema *schema, const char *place, struct text *fault)
{
    return is_database(place, fault) ? postgres_open_empty(schema, place, fault) : NULL;
}

bool store_filled(struct store *store)
{
    assert(store->is_shared && !store->is_reader && !store->is_reading);
    return postgres_filled(store);
}

bool store_migrate(const struct schema *schema, const char *place, struct text *fault)
{
    return is_database(place, fault) && postgres_open_migrate(schema, place, fault);
}

bool store_survives(const struct store *store)
{
    return store->is_shared && store->schema->fences != NO_FENCES;
}

struct store *store_open_beside(const struct schema *schema, const char *folder, struct text *fault)
{
    return sqlite_open_beside(schema, folder, fault);
}

void store_close(struct store **store)
{
    if (*store)
        (*store)->ops->close(*store);
    *store = NULL;
}

/* A row that does not fit its table is a bug of the core that made it: cells are a core's, not a peer's. */
static void assert_fits(const struct schema *schema, const struct row *row)
{
    assert(row->table < schema->table_count);
    const struct row_table *table = &schema->tables[row->table];
    assert(row->count == (row->op == ROW_DELETE ? table->key_count : table->column_count));
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        assert(cell->kind == table->columns[i].kind ||
               (cell->kind == CELL_NULL && i >= table->key_count));
        assert(cell->kind == CELL_NULL || cell->kind == CELL_NUMBER || cell->bytes || !cell->size);
    }
}

enum store_outcome store_commit(struct store *store, const struct row *const *rows,
                                uint32_t row_count, const struct fence *fences,
                                uint32_t fence_count)
{
    assert(!store->is_reader && !store->is_reading);
    assert(!fence_count || store->schema->fences != NO_FENCES);
    for (uint32_t i = 0; i < row_count; i++)
        assert_fits(store->schema, rows[i]);
    struct batch       batch = { rows, row_count, fences, fence_count };
    uint64_t           begin = clock_us();
    enum store_outcome outcome = store->ops->commit(store, &batch);
    store->facts.commit_us = clock_us() - begin;
    if (outcome == STORE_COMMITTED) {
        store->facts.commits++;
        store->facts.rows += row_count;
        text_clear(&store->fault);
    } else {
        store->facts.refused++;
    }
    return outcome;
}

const char *store_fault(const struct store *store)
{
    return store->fault.bytes;
}

bool store_read(struct store *store, const struct query                *query,
                bool (*each)(void *taker, const struct row *row), void *taker)
{
    assert(!store->is_reading && query->table < store->schema->table_count);
    const struct row_table *table = &store->schema->tables[query->table];
    bool                    bound = query->has_from || query->has_to;
    assert(query->prefix_count + bound <= table->key_count);
    for (uint32_t i = 0; i < query->prefix_count; i++)
        assert(query->prefix[i].kind == table->columns[i].kind);
    assert(!query->has_from || query->from.kind == table->columns[query->prefix_count].kind);
    assert(!query->has_to || query->to.kind == table->columns[query->prefix_count].kind);
    store->is_reading = true;
    bool done = store->ops->read(store, query, each, taker);
    store->is_reading = false;
    return done;
}

/* The row, and behind it what its cells point to. */
struct row *store_copy_row(const struct row *row, size_t *bytes)
{
    *bytes = sizeof *row + row->count * sizeof row->cells[0];
    for (uint32_t i = 0; i < row->count; i++)
        *bytes += row->cells[i].size;
    struct row *copy = malloc(*bytes);
    if (copy == NULL)
        return NULL;
    uint8_t *at = (uint8_t *) copy + sizeof *row + row->count * sizeof row->cells[0];
    memcpy(copy, row, sizeof *row + row->count * sizeof row->cells[0]);
    copy->op = ROW_PUT;
    for (uint32_t i = 0; i < row->count; i++) {
        struct cell *cell = &copy->cells[i];
        if (cell->size == 0)
            continue;
        memcpy(at, cell->bytes, cell->size);
        cell->bytes = at;
        at += cell->size;
    }
    return copy;
}

bool store_checkpoint(struct store *store)
{
    assert(!store->is_reader && !store->is_reading);
    return store->ops->checkpoint(store);
}

bool store_copy(struct store *store, const char *folder)
{
    assert(!store->is_reading);
    return store->ops->copy(store, folder);
}

struct store_facts store_facts(const struct store *store)
{
    return store->facts;
}
