/* ledger.c: the tables of the treasure hunt out of an engine's journal. */
#include "services/console/records/ledger.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/treasure/treasure.h"
#include "services/console/command/console.h"
#include "services/console/home/home.h"

int ledger_open(struct ledger *ledger, const char *where, const char *store)
{
    struct text fault;
    char        folder[PATH_MAX];
    journal_schema_init(&ledger->schema, NULL);
    ledger->first_table = journal_schema_add(&ledger->schema, game_treasure.record);
    ledger->store = NULL;
    if (store != NULL || home_journal(where, folder, &fault))
        ledger->store =
            store_open_reader(&ledger->schema.schema, store != NULL ? store : folder, &fault);
    if (ledger->store != NULL)
        return CONSOLE_OK;
    complain("%s.", fault.bytes);
    return CONSOLE_BAD_INPUT;
}

void ledger_close(struct ledger *ledger)
{
    store_close(&ledger->store);
}

#define MATCH_ID_BYTES 16

struct taking {
    const struct row_table *table;
    json_t                 *rows;
};

static json_t *cell_json(const struct cell *cell)
{
    if (cell->kind == CELL_NUMBER)
        return json_integer(cell->number);
    if (cell->kind == CELL_TEXT)
        return json_stringn((const char *) cell->bytes, cell->size);
    return json_null();
}

static bool take_row(void *taker, const struct row *row)
{
    const struct taking *taking = taker;
    json_t              *object = json_object();
    for (uint32_t i = 0; i < row->count && i < taking->table->column_count; i++)
        json_object_set_new(object, taking->table->columns[i].name, cell_json(&row->cells[i]));
    return json_array_append_new(taking->rows, object) == 0;
}

json_t *ledger_rows(struct ledger *ledger, const char *table, int64_t key)
{
    struct query  query = { .table = ledger->first_table };
    struct taking taking = { NULL, json_array() };
    while (strcmp(ledger->schema.tables[query.table].name, table) != 0)
        query.table++;
    taking.table = &ledger->schema.tables[query.table];
    query.prefix_count = key != 0;
    query.prefix[0] = (struct cell){ .kind = CELL_NUMBER, .number = key };
    if (!store_read(ledger->store, &query, take_row, &taking))
        complain("%s", store_fault(ledger->store));
    return taking.rows;
}

/* A match's row knows the number under which the tables have it. */
static bool take_match(void *taker, const struct row *row)
{
    char        number[24], hex[2 * MATCH_ID_BYTES + 1];
    json_t     *ids = taker;
    struct cell id = row->cells[MATCHES_ID], recorded = row->cells[MATCHES_RECORDED];
    if (recorded.kind != CELL_NUMBER || recorded.number == 0 || id.size != MATCH_ID_BYTES)
        return true;
    (void) snprintf(number, sizeof number, "%" PRId64, recorded.number);
    (void) sodium_bin2hex(hex, sizeof hex, id.bytes, id.size);
    return json_object_set_new(ids, number, json_string(hex)) == 0;
}

json_t *ledger_match_ids(struct ledger *ledger)
{
    struct query query = { .table = JOURNAL_MATCHES };
    json_t      *ids = json_object();
    if (!store_read(ledger->store, &query, take_match, ids))
        complain("%s", store_fault(ledger->store));
    return ids;
}

int64_t ledger_number(const json_t *row, const char *column)
{
    return json_integer_value(json_object_get(row, column));
}

const char *ledger_text(const json_t *row, const char *column)
{
    const char *text = json_string_value(json_object_get(row, column));
    return text != NULL ? text : "";
}
