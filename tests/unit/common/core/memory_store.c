/* memory_store.c: rows in one ordered list. */
#include "common/core/memory_store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void memory_store_open(struct memory_store *store, const struct schema *schema)
{
    *store = (struct memory_store){ .schema = schema };
}

void memory_store_close(struct memory_store *store)
{
    for (uint32_t i = 0; i < store->count; i++)
        free(store->rows[i]);
    free(store->rows);
    memory_store_open(store, store->schema);
}

static size_t padded(size_t size)
{
    return (size + 15) & ~(size_t) 15;
}

/* The row with its bytes behind it, in one block. */
static struct row *copy_row(const struct row *row)
{
    size_t head = padded(sizeof *row + row->count * sizeof row->cells[0]), size = head;
    for (uint32_t i = 0; i < row->count; i++)
        size += row->cells[i].size;
    struct row *copy = calloc(1, size);
    assert(copy != NULL);
    memcpy(copy, row, sizeof *row + row->count * sizeof row->cells[0]);
    uint8_t *at = (uint8_t *) copy + head;
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->cells[i].size > 0)
            memcpy(at, row->cells[i].bytes, row->cells[i].size);
        copy->cells[i].bytes = at;
        at += row->cells[i].size;
    }
    return copy;
}

static int compare_cells(const struct cell *one, const struct cell *other)
{
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->kind == CELL_NUMBER)
        return one->number < other->number ? -1 : one->number > other->number;
    size_t size = one->size < other->size ? one->size : other->size;
    int    order = size == 0 ? 0 : memcmp(one->bytes, other->bytes, size);
    return order != 0 ? order : one->size < other->size ? -1 : one->size > other->size;
}

static int compare_keys(const struct memory_store *store, const struct row *one,
                        const struct row *other)
{
    if (one->table != other->table)
        return one->table < other->table ? -1 : 1;
    int order = 0;
    for (uint32_t i = 0; i < store->schema->tables[one->table].key_count && order == 0; i++)
        order = compare_cells(&one->cells[i], &other->cells[i]);
    return order;
}

/* Where the row stands, or would stand. */
static uint32_t find(const struct memory_store *store, const struct row *row, bool *is_there)
{
    uint32_t low = 0, high = store->count;
    *is_there = false;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int      order = compare_keys(store, store->rows[middle], row);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void apply(struct memory_store *store, const struct row *row)
{
    bool     is_there;
    uint32_t at = find(store, row, &is_there);
    if (is_there && row->op == ROW_KEEP)
        return;
    if (is_there) {
        free(store->rows[at]);
        memmove(store->rows + at, store->rows + at + 1,
                (--store->count - at) * sizeof store->rows[0]);
    }
    if (row->op == ROW_DELETE)
        return;
    assert(row->count == store->schema->tables[row->table].column_count);
    if (store->count == store->capacity) {
        store->capacity = store->capacity * 2 + 64;
        store->rows = realloc(store->rows, store->capacity * sizeof store->rows[0]);
        assert(store->rows != NULL);
    }
    memmove(store->rows + at + 1, store->rows + at, (store->count++ - at) * sizeof store->rows[0]);
    store->rows[at] = copy_row(row);
}

enum store_outcome memory_store_commit(struct memory_store *store, struct row *const *rows,
                                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_there;
        find(store, rows[i], &is_there);
        if (is_there && rows[i]->op == ROW_ADD)
            return STORE_CONFLICT;
    }
    for (uint32_t i = 0; i < count; i++)
        apply(store, rows[i]);
    return STORE_COMMITTED;
}

static bool is_wanted(const struct row *row, const struct query *query)
{
    if (row->table != query->table)
        return false;
    for (uint32_t i = 0; i < query->prefix_count; i++)
        if (compare_cells(&row->cells[i], &query->prefix[i]) != 0)
            return false;
    const struct cell *bounded = &row->cells[query->prefix_count];
    return (!query->has_from || compare_cells(bounded, &query->from) >= 0) &&
           (!query->has_to || compare_cells(bounded, &query->to) <= 0);
}

struct row **memory_store_read(const struct memory_store *store, const struct query *query,
                               uint32_t *count)
{
    struct row **found = calloc(store->count + 1, sizeof(struct row *));
    assert(found != NULL);
    *count = 0;
    for (uint32_t i = 0; i < store->count; i++) {
        struct row *row = store->rows[query->descending ? store->count - 1 - i : i];
        if (is_wanted(row, query) && (query->limit == 0 || *count < query->limit))
            found[(*count)++] = row;
    }
    return found;
}

bool memory_store_same(const struct memory_store *one, const struct memory_store *other)
{
    if (one->count != other->count)
        return false;
    for (uint32_t i = 0; i < one->count; i++) {
        const struct row *row = one->rows[i], *twin = other->rows[i];
        if (row->table != twin->table || row->count != twin->count)
            return false;
        for (uint32_t k = 0; k < row->count; k++)
            if (compare_cells(&row->cells[k], &twin->cells[k]) != 0)
                return false;
    }
    return true;
}

void memory_store_copy(struct memory_store *to, const struct memory_store *from)
{
    memory_store_open(to, from->schema);
    for (uint32_t i = 0; i < from->count; i++)
        apply(to, from->rows[i]);
}
