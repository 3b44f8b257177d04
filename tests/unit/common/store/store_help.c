/* store_help.c: see store_help.h. */
#include "common/store/store_help.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/outbox.h"

static const struct column slot_columns[] = { { .name = "slot", .kind = CELL_NUMBER },
                                              { .name = "epoch", .kind = CELL_NUMBER } };
/* A column named like a word of SQL, since somebody will. */
static const struct column act_columns[] = { { .name = "match", .kind = CELL_BYTES },
                                             { .name = "order", .kind = CELL_NUMBER },
                                             { .name = "body", .kind = CELL_BYTES } };
static const struct column player_columns[] = { { .name = "name", .kind = CELL_TEXT },
                                                { .name = "nick", .kind = CELL_TEXT },
                                                { .name = "wins", .kind = CELL_NUMBER } };
/* What came later stands where it belongs, not at the end. */
static const struct column player_columns_2[] = { { .name = "name", .kind = CELL_TEXT },
                                                  { .name = "nick", .kind = CELL_TEXT },
                                                  { .name = "rating", .kind = CELL_NUMBER },
                                                  { .name = "wins", .kind = CELL_NUMBER } };
static const struct column score_columns[] = { { .name = "game", .kind = CELL_TEXT },
                                               { .name = "year", .kind = CELL_NUMBER },
                                               { .name = "place", .kind = CELL_NUMBER } };

#define TABLE(table, these, keys, version)                                                         \
    {                                                                                              \
        .name = table, .columns = these, .column_count = sizeof these / sizeof *these,             \
        .key_count = keys, .since = version                                                        \
    }

static const struct row_table tables_1[] = { TABLE("slots", slot_columns, 1, 1),
                                             TABLE("acts", act_columns, 2, 1),
                                             TABLE("players", player_columns, 1, 1) };
static const struct row_table tables_2[] = { TABLE("slots", slot_columns, 1, 1),
                                             TABLE("acts", act_columns, 2, 1),
                                             TABLE("players", player_columns_2, 1, 1),
                                             TABLE("scores", score_columns, 3, 2) };

const struct schema help_schema_1 = {
    .name = "trial", .version = 1, .tables = tables_1, .table_count = 3, .fences = TRIAL_SLOTS
};
const struct schema help_schema_2 = {
    .name = "trial", .version = 2, .tables = tables_2, .table_count = 4, .fences = TRIAL_SLOTS
};
const struct schema help_schema_2_for_1 = { .name = "trial",
                                            .version = 2,
                                            .oldest = 1,
                                            .tables = tables_2,
                                            .table_count = 4,
                                            .fences = TRIAL_SLOTS };

void help_begin(struct help_batch *batch)
{
    memset(batch, 0, sizeof *batch);
}

struct row *help_row(struct help_batch *batch, enum row_op op, uint32_t table, uint32_t count)
{
    assert(batch->row_count < HELP_ROWS && count <= HELP_CELLS);
    struct row *row = calloc(1, sizeof *row + count * sizeof *row->cells);
    assert(row);
    row->op = op;
    row->table = table;
    row->count = count;
    batch->rows[batch->row_count++] = row;
    return row;
}

void help_act(struct help_batch *batch, const char *match, uint64_t number, const char *body)
{
    struct row *row = help_row(batch, ROW_ADD, TRIAL_ACTS, 3);
    row_bytes(row, 0, match, strlen(match));
    row_number(row, 1, number);
    row_bytes(row, 2, body, strlen(body));
}

void help_slot(struct help_batch *batch, uint32_t slot, uint64_t epoch)
{
    struct row *row = help_row(batch, ROW_PUT, TRIAL_SLOTS, 2);
    row_number(row, 0, slot);
    row_number(row, 1, epoch);
}

void help_fence(struct help_batch *batch, uint32_t slot, uint64_t epoch)
{
    assert(batch->fence_count < sizeof batch->fences / sizeof *batch->fences);
    batch->fences[batch->fence_count++] = (struct fence){ slot, epoch };
}

enum store_outcome help_commit(struct store *store, struct help_batch *batch)
{
    enum store_outcome outcome = store_commit(store, (const struct row *const *) batch->rows,
                                              batch->row_count, batch->fences, batch->fence_count);
    for (uint32_t i = 0; i < batch->row_count; i++)
        free(batch->rows[i]);
    help_begin(batch);
    return outcome;
}

static bool write_row(void *taker, const struct row *row)
{
    char  *line = taker;
    size_t size = strlen(line);
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        const char        *mark = i ? "," : size ? " " : "";
        size_t             room = HELP_LINE - size;
        int                more = 0;
        if (cell->kind == CELL_NULL)
            more = snprintf(line + size, room, "%s-", mark);
        else if (cell->kind == CELL_NUMBER)
            more = snprintf(line + size, room, "%s%" PRIu64, mark, (uint64_t) cell->number);
        else
            more = snprintf(line + size, room, "%s%.*s", mark, (int) cell->size,
                            (const char *) cell->bytes);
        assert(more >= 0 && (size_t) more < room);
        size += (size_t) more;
    }
    return true;
}

const char *help_line(struct store *store, const struct query *query, char line[HELP_LINE])
{
    line[0] = '\0';
    if (!store_read(store, query, write_row, line))
        snprintf(line, HELP_LINE, "cannot read: %s", store_fault(store));
    return line;
}

const char *help_all(struct store *store, uint32_t table, char line[HELP_LINE])
{
    struct query query = { .table = table };
    return help_line(store, &query, line);
}

struct query help_acts_of(const char *match)
{
    struct query query = { .table = TRIAL_ACTS, .prefix_count = 1 };
    query.prefix[0] = (struct cell){ .kind = CELL_BYTES,
                                     .bytes = (const uint8_t *) match,
                                     .size = strlen(match) };
    return query;
}
