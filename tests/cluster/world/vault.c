/* vault.c: tables as sorted lists, and transactions over them; see vault.h. */
#include "vault.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* What a transaction did, one row at a time, to be undone if a later row conflicts. */
struct change {
    uint32_t          table, at;
    struct vault_row *before; /* NULL: it was not there.                                       */
    bool              is_there;
};

void vault_open(struct vault *vault, const struct schema *schema)
{
    assert(schema->table_count <= VAULT_TABLES_MAX);
    vault->schema = schema;
}

void vault_row_release(struct vault_row *row)
{
    if (row != NULL && --row->refs == 0)
        free(row);
}

void vault_close(struct vault *vault)
{
    for (uint32_t t = 0; vault->schema != NULL && t < vault->schema->table_count; t++) {
        for (uint32_t i = 0; i < vault->table[t].count; i++)
            vault_row_release(vault->table[t].rows[i]);
        free(vault->table[t].rows);
    }
    memset(vault, 0, sizeof *vault);
}

void vault_put(const struct vault *from, struct vault *to)
{
    to->schema = from->schema;
    for (uint32_t t = 0; t < from->schema->table_count; t++) {
        const struct vault_table *source = &from->table[t];
        struct vault_table       *target = &to->table[t];
        for (uint32_t i = 0; i < target->count; i++)
            vault_row_release(target->rows[i]);
        free(target->rows);
        target->capacity = source->count > 0 ? source->count : 1;
        target->rows = memory_new(target->capacity * sizeof(struct vault_row *));
        for (target->count = 0; target->count < source->count; target->count++) {
            target->rows[target->count] = source->rows[target->count];
            target->rows[target->count]->refs++;
        }
    }
}

static struct vault_row *copied(const struct row *row)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < row->count; i++)
        bytes += row->cells[i].kind >= CELL_BYTES ? row->cells[i].size : 0;
    size_t            own = sizeof *row + row->count * sizeof row->cells[0];
    size_t            head = sizeof(struct vault_row) + own;
    struct vault_row *copy = memory_new(head + bytes);
    copy->refs = 1;
    copy->row = (struct row *) (void *) (copy + 1);
    memcpy(copy->row, row, own);
    uint8_t *at = (uint8_t *) copy + head;
    for (uint32_t i = 0; i < row->count; i++) {
        struct cell *cell = &copy->row->cells[i];
        if (cell->kind < CELL_BYTES)
            continue;
        if (cell->size > 0)
            memcpy(at, cell->bytes, cell->size);
        cell->bytes = at;
        at += cell->size;
    }
    return copy;
}

struct transaction *transaction_new(struct vault *vault, struct row *const *rows,
                                    uint32_t row_count, const struct fence *fences,
                                    uint32_t fence_count)
{
    struct transaction *transaction = memory_new(sizeof *transaction);
    transaction->vault = vault;
    transaction->rows = memory_new(row_count * sizeof *transaction->rows);
    for (uint32_t i = 0; i < row_count; i++)
        transaction->rows[transaction->row_count++] = copied(rows[i]);
    transaction->fences = memory_new(fence_count * sizeof *fences);
    transaction->fence_count = fence_count;
    if (fence_count > 0)
        memcpy(transaction->fences, fences, fence_count * sizeof *fences);
    return transaction;
}

void transaction_free(struct transaction *transaction)
{
    for (uint32_t i = 0; i < transaction->row_count; i++)
        vault_row_release(transaction->rows[i]);
    free(transaction->rows);
    free(transaction->fences);
    free(transaction);
}

int cell_compare(const struct cell *one, const struct cell *other)
{
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->kind == CELL_NULL)
        return 0;
    if (one->kind == CELL_NUMBER)
        return one->number < other->number ? -1 : one->number > other->number;
    size_t least = one->size < other->size ? one->size : other->size;
    int    order = least > 0 ? memcmp(one->bytes, other->bytes, least) : 0;
    if (order != 0)
        return order < 0 ? -1 : 1;
    return one->size < other->size ? -1 : one->size > other->size;
}

static int compare(const struct cell *one, const struct cell *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int order = cell_compare(&one[i], &other[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Where the first row stands whose key is not below these cells. */
static uint32_t place_of(const struct vault_table *table, const struct cell *key, uint32_t count)
{
    uint32_t low = 0;
    uint32_t high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(table->rows[middle]->row->cells, key, count) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct vault_table *table, uint32_t at, const struct cell *key,
                  uint32_t count)
{
    return at < table->count && compare(table->rows[at]->row->cells, key, count) == 0;
}

const struct row *vault_find(const struct vault *vault, const struct row *row)
{
    const struct vault_table *table = &vault->table[row->table];
    uint32_t                  keys = vault->schema->tables[row->table].key_count;
    uint32_t                  at = place_of(table, row->cells, keys);
    return is_at(table, at, row->cells, keys) ? table->rows[at]->row : NULL;
}

uint64_t vault_epoch(const struct vault *vault, uint32_t slot)
{
    const struct vault_table *table = &vault->table[vault->schema->fences];
    struct cell               key = { .kind = CELL_NUMBER, .number = slot };
    uint32_t                  at = place_of(table, &key, 1);
    return is_at(table, at, &key, 1) ? (uint64_t) table->rows[at]->row->cells[1].number : 0;
}

static void insert(struct vault_table *table, uint32_t at, struct vault_row *row)
{
    if (table->count == table->capacity) {
        table->capacity = table->capacity == 0 ? 64 : table->capacity * 2;
        table->rows = memory_again(table->rows, table->capacity * sizeof(struct vault_row *));
    }
    memmove(&table->rows[at + 1], &table->rows[at],
            (table->count - at) * sizeof(struct vault_row *));
    table->rows[at] = row;
    table->count++;
}

static void take_out(struct vault_table *table, uint32_t at)
{
    table->count--;
    memmove(&table->rows[at], &table->rows[at + 1],
            (table->count - at) * sizeof(struct vault_row *));
}

/* False: the row conflicts with what is there. */
static bool change(struct vault *vault, struct vault_row *row, struct change *done)
{
    struct vault_table *table = &vault->table[row->row->table];
    uint32_t            keys = vault->schema->tables[row->row->table].key_count;
    uint32_t            at = place_of(table, row->row->cells, keys);
    bool                was_there = is_at(table, at, row->row->cells, keys);
    *done = (struct change){ .table = row->row->table, .at = at };
    if (row->row->op == ROW_ADD && was_there)
        return false;
    if (row->row->op == ROW_KEEP && was_there)
        row = table->rows[at];
    done->before = was_there ? table->rows[at] : NULL;
    done->is_there = row->row->op != ROW_DELETE;
    if (done->is_there)
        row->refs++;
    if (done->is_there && was_there)
        table->rows[at] = row;
    else if (done->is_there)
        insert(table, at, row);
    else if (was_there)
        take_out(table, at);
    return true;
}

static void undo(struct vault *vault, const struct change *done)
{
    struct vault_table *table = &vault->table[done->table];
    if (done->is_there) {
        vault_row_release(table->rows[done->at]);
        if (done->before != NULL)
            table->rows[done->at] = done->before;
        else
            take_out(table, done->at);
    } else if (done->before != NULL) {
        insert(table, done->at, done->before);
    }
}

static bool do_all(struct vault *vault, const struct transaction *transaction)
{
    struct change *done = memory_new(transaction->row_count * sizeof *done);
    uint32_t       count = 0;
    while (count < transaction->row_count && change(vault, transaction->rows[count], &done[count]))
        count++;
    bool is_good = count == transaction->row_count;
    if (is_good)
        for (uint32_t i = 0; i < count; i++)
            vault_row_release(done[i].before);
    while (!is_good && count > 0)
        undo(vault, &done[--count]);
    free(done);
    return is_good;
}

enum store_outcome vault_decide(struct vault *vault, const struct transaction *transaction)
{
    if (vault->is_full && transaction->row_count > 0)
        return STORE_FULL;
    for (uint32_t i = 0; i < transaction->fence_count; i++)
        if (vault_epoch(vault, transaction->fences[i].slot) != transaction->fences[i].epoch)
            return STORE_OLD_EPOCH;
    if (!do_all(vault, transaction))
        return STORE_CONFLICT;
    vault->commits++;
    return STORE_COMMITTED;
}

/* Whether a row's next key cell lies within the query's bounds: -1 below, 1 above, 0 within. */
static int side_of(const struct query *query, const struct row *row)
{
    const struct cell *next = &row->cells[query->prefix_count];
    if (query->has_from && cell_compare(next, &query->from) < 0)
        return -1;
    return query->has_to && cell_compare(next, &query->to) > 0;
}

uint32_t vault_read(const struct vault *vault, const struct query *query, struct vault_row ***rows)
{
    const struct vault_table *table = &vault->table[query->table];
    uint32_t                  first = place_of(table, query->prefix, query->prefix_count);
    uint32_t                  end = first;
    while (end < table->count &&
           compare(table->rows[end]->row->cells, query->prefix, query->prefix_count) == 0)
        end++;
    while (first < end && side_of(query, table->rows[first]->row) < 0)
        first++;
    while (end > first && side_of(query, table->rows[end - 1]->row) > 0)
        end--;
    uint32_t count = end - first;
    if (query->limit > 0 && count > query->limit)
        count = query->limit;
    *rows = memory_new(count * sizeof **rows);
    for (uint32_t i = 0; i < count; i++) {
        (*rows)[i] = table->rows[query->descending ? end - 1 - i : first + i];
        (*rows)[i]->refs++;
    }
    return count;
}

uint32_t vault_table_named(const struct vault *vault, const char *name)
{
    for (uint32_t t = 0; t < vault->schema->table_count; t++)
        if (strcmp(vault->schema->tables[t].name, name) == 0)
            return t;
    return NO_TABLE;
}

uint32_t vault_column_named(const struct vault *vault, uint32_t table, const char *name)
{
    const struct row_table *described = &vault->schema->tables[table];
    for (uint32_t c = 0; c < described->column_count; c++)
        if (strcmp(described->columns[c].name, name) == 0)
            return c;
    assert(false);
    return 0;
}
