/* engine_rig_store.c: a journal in a sorted list, with fences and keys that must be new. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_rig.h"

static int compare_cells(const struct cell *one, const struct cell *other)
{
    if (one->kind == CELL_NUMBER)
        return (one->number > other->number) - (one->number < other->number);
    size_t size = one->size < other->size ? one->size : other->size;
    int    order = size > 0 ? memcmp(one->bytes, other->bytes, size) : 0;
    return order != 0 ? order : (one->size > other->size) - (one->size < other->size);
}

static int compare_keys(const struct row *one, const struct row *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int order = compare_cells(&one->cells[i], &other->cells[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* The journal's tables and those of every game, in the order of the registry. */
static struct journal_schema *rig_schema(void)
{
    static struct journal_schema own;
    if (own.schema.table_count > 0)
        return &own;
    journal_schema_init(&own, registry_games());
    return &own;
}

static const struct row_table *rig_tables(void)
{
    return rig_schema()->tables;
}

uint32_t rig_first_table(const struct game *game)
{
    return game->record != NULL ? journal_schema_add(rig_schema(), game->record) : 0;
}

static struct row *copy_row(const struct row *row)
{
    struct row *copy = malloc(sizeof *copy + row->count * sizeof copy->cells[0]);
    memcpy(copy, row, sizeof *copy + row->count * sizeof copy->cells[0]);
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->cells[i].kind < CELL_BYTES)
            continue;
        uint8_t *bytes = malloc(row->cells[i].size + 1);
        if (row->cells[i].size > 0)
            memcpy(bytes, row->cells[i].bytes, row->cells[i].size);
        copy->cells[i].bytes = bytes;
    }
    return copy;
}

static void free_row(struct row *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        if (row->cells[i].kind >= CELL_BYTES)
            free((void *) (uintptr_t) row->cells[i].bytes);
    free(row);
}

void rig_store_put_back(struct rig_store *store, const struct rig_store *copy)
{
    while (store->count > 0)
        free_row(store->rows[--store->count].row);
    for (; store->count < copy->count; store->count++)
        store->rows[store->count] = (struct rig_row){ copy->rows[store->count].table,
                                                      copy_row(copy->rows[store->count].row) };
}

struct rig_store *rig_store_copy(const struct rig_store *store)
{
    struct rig_store *copy = rig_store_new();
    rig_store_put_back(copy, store);
    return copy;
}

static uint32_t find_row(const struct rig_store *store, const struct row *row, bool *found)
{
    uint32_t keys = rig_tables()[row->table].key_count;
    uint32_t low = 0;
    uint32_t high = store->count;
    while (low < high) {
        uint32_t              middle = (low + high) / 2;
        const struct rig_row *at = &store->rows[middle];
        int order = at->table != row->table ? (at->table > row->table) - (at->table < row->table)
                                            : compare_keys(at->row, row, keys);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < store->count && store->rows[low].table == row->table &&
             compare_keys(store->rows[low].row, row, keys) == 0;
    return low;
}

static uint64_t epoch_of(const struct rig_store *store, uint32_t slot)
{
    for (uint32_t i = 0; i < store->count; i++)
        if (store->rows[i].table == JOURNAL_SLOTS &&
            store->rows[i].row->cells[SLOTS_SLOT].number == slot)
            return (uint64_t) store->rows[i].row->cells[SLOTS_EPOCH].number;
    return 0;
}

static void apply(struct rig_store *store, const struct row *row)
{
    bool     found = false;
    uint32_t at = find_row(store, row, &found);
    if (found && row->op == ROW_KEEP)
        return;
    if (found)
        free_row(store->rows[at].row);
    if (found && row->op == ROW_DELETE) {
        store->count--;
        memmove(&store->rows[at], &store->rows[at + 1],
                (store->count - at) * sizeof store->rows[0]);
    } else if (row->op != ROW_DELETE) {
        if (!found) {
            assert_true(store->count < RIG_ROWS_MAX);
            memmove(&store->rows[at + 1], &store->rows[at],
                    (store->count - at) * sizeof store->rows[0]);
            store->count++;
        }
        store->rows[at] = (struct rig_row){ row->table, copy_row(row) };
        store->acts += row->table == JOURNAL_ACTS;
    }
}

enum store_outcome rig_store_commit(struct rig_store *store, const struct outbox *out)
{
    for (uint32_t i = 0; i < out->fence_count; i++)
        if (epoch_of(store, out->fences[i].slot) != out->fences[i].epoch)
            return STORE_OLD_EPOCH;
    for (uint32_t i = 0; i < out->row_count; i++) {
        bool found = false;
        (void) find_row(store, out->rows[i], &found);
        assert_int_equal(out->rows[i]->count, out->rows[i]->op == ROW_DELETE
                                                  ? rig_tables()[out->rows[i]->table].key_count
                                                  : rig_tables()[out->rows[i]->table].column_count);
        if (found && out->rows[i]->op == ROW_ADD)
            return STORE_CONFLICT;
    }
    for (uint32_t i = 0; i < out->row_count; i++)
        apply(store, out->rows[i]);
    store->commits++;
    return STORE_COMMITTED;
}

struct rig_store *rig_store_new(void)
{
    return calloc(1, sizeof(struct rig_store));
}

void rig_store_free(struct rig_store *store)
{
    for (uint32_t i = 0; i < store->count; i++)
        free_row(store->rows[i].row);
    free(store);
}

uint32_t rig_rows(const struct rig_store *store, enum journal_table table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < store->count; i++)
        count += store->rows[i].table == (uint32_t) table;
    return count;
}

bool rig_store_wants(const struct query *query, const struct row *row)
{
    for (uint32_t i = 0; i < query->prefix_count; i++)
        if (compare_cells(&row->cells[i], &query->prefix[i]) != 0)
            return false;
    const struct cell *next = &row->cells[query->prefix_count];
    return (!query->has_from || compare_cells(next, &query->from) >= 0) &&
           (!query->has_to || compare_cells(next, &query->to) <= 0);
}
