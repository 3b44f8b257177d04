/* journal.c: the journal's tables, and its rows read with distrust. Pure. */
#include "services/engine/journal.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "games/record.h"
#include "wire/header.h"

static const struct column slots_columns[] = { { "slot", CELL_NUMBER },
                                               { "epoch", CELL_NUMBER },
                                               { "recorded", CELL_NUMBER } };

static const struct column matches_columns[] = {
    { "slot", CELL_NUMBER },          { "match_id", CELL_BYTES },
    { "state", CELL_NUMBER },         { "game", CELL_TEXT },
    { "rules_version", CELL_NUMBER }, { "setup", CELL_BYTES },
    { "seats", CELL_NUMBER },         { "dice", CELL_TEXT },
    { "seed", CELL_NUMBER },          { "commitment", CELL_BYTES },
    { "dice_secret", CELL_BYTES },    { "sealing_secret", CELL_BYTES },
    { "turn_ms", CELL_NUMBER },       { "table_id", CELL_BYTES },
    { "spectators", CELL_NUMBER },    { "code", CELL_BYTES },
    { "created_ms", CELL_NUMBER },    { "opening", CELL_BYTES },
    { "recorded", CELL_NUMBER },
};

static const struct column setups_columns[] = { { "hash", CELL_BYTES },
                                                { "setup", CELL_TEXT },
                                                { "options", CELL_TEXT } };

static const struct column seats_columns[] = {
    { "match_id", CELL_BYTES }, { "seat", CELL_NUMBER }, { "generation", CELL_NUMBER },
    { "since", CELL_NUMBER },   { "bot", CELL_NUMBER },  { "player", CELL_BYTES },
    { "holder", CELL_BYTES },   { "name", CELL_TEXT },   { "person", CELL_TEXT },
    { "number", CELL_NUMBER },
};

static const struct column acts_columns[] = {
    { "match_id", CELL_BYTES },    { "number", CELL_NUMBER },      { "epoch", CELL_NUMBER },
    { "slot_count", CELL_NUMBER }, { "actor", CELL_NUMBER },       { "session", CELL_NUMBER },
    { "request", CELL_NUMBER },    { "at_ms", CELL_NUMBER },       { "chain_before", CELL_BYTES },
    { "chain", CELL_BYTES },       { "command_hash", CELL_BYTES }, { "command", CELL_BYTES },
    { "body", CELL_BYTES },
};

static const struct column sessions_columns[] = {
    { "slot", CELL_NUMBER },    { "match_id", CELL_BYTES }, { "seat", CELL_NUMBER },
    { "session", CELL_NUMBER }, { "closed", CELL_NUMBER },  { "holder", CELL_BYTES },
    { "player", CELL_BYTES },   { "request", CELL_NUMBER }, { "verdict", CELL_NUMBER },
    { "number", CELL_NUMBER },  { "chain", CELL_BYTES },    { "asks", CELL_BYTES },
};

static const struct column snapshots_columns[] = { { "slot", CELL_NUMBER },
                                                   { "match_id", CELL_BYTES },
                                                   { "number", CELL_NUMBER },
                                                   { "snapshot", CELL_BYTES } };

static const struct column results_columns[] = {
    { "match_id", CELL_BYTES }, { "slot", CELL_NUMBER },    { "acts", CELL_NUMBER },
    { "chain", CELL_BYTES },    { "aborted", CELL_NUMBER }, { "outcome", CELL_BYTES },
    { "digest", CELL_BYTES },   { "over_ms", CELL_NUMBER },
};

#define COLUMNS(list) list, (uint32_t) (sizeof list / sizeof list[0])

static const struct row_table tables[] = {
    [JOURNAL_SLOTS] = { "slots", COLUMNS(slots_columns), 1, 1 },
    [JOURNAL_MATCHES] = { "matches", COLUMNS(matches_columns), 2, 1 },
    [JOURNAL_LIVE] = { "live", COLUMNS(matches_columns), 2, 1 },
    [JOURNAL_SETUPS] = { "setups", COLUMNS(setups_columns), 1, 1 },
    [JOURNAL_SEATS] = { "seats", COLUMNS(seats_columns), 3, 1 },
    [JOURNAL_ACTS] = { "acts", COLUMNS(acts_columns), 2, 1 },
    [JOURNAL_SESSIONS] = { "sessions", COLUMNS(sessions_columns), 4, 1 },
    [JOURNAL_SNAPSHOTS] = { "snapshots", COLUMNS(snapshots_columns), 2, 1 },
    [JOURNAL_RESULTS] = { "results", COLUMNS(results_columns), 1, 1 },
};

_Static_assert(sizeof tables / sizeof tables[0] == JOURNAL_TABLES, "every table is described");
_Static_assert(sizeof matches_columns / sizeof matches_columns[0] == MATCHES_COLUMNS, "matches");
_Static_assert(sizeof seats_columns / sizeof seats_columns[0] == SEATS_COLUMNS, "seats");
_Static_assert(sizeof acts_columns / sizeof acts_columns[0] == ACTS_COLUMNS, "acts");
_Static_assert(sizeof sessions_columns / sizeof sessions_columns[0] == SESSIONS_COLUMNS,
               "sessions");
_Static_assert(sizeof results_columns / sizeof results_columns[0] == RESULTS_COLUMNS, "results");

const struct schema journal_schema = { .name = "journal",
                                       .version = 4,
                                       .tables = tables,
                                       .table_count = JOURNAL_TABLES,
                                       .fences = JOURNAL_SLOTS };

void journal_schema_init(struct journal_schema *own)
{
    memset(own, 0, sizeof *own);
    memcpy(own->tables, tables, sizeof tables);
    own->schema = journal_schema;
    own->schema.tables = own->tables;
}

/* The first table of the same name; JOURNAL_TABLES and more: of a game. */
static uint32_t find_table(const struct journal_schema *own, const char *name)
{
    uint32_t at = 0;
    while (at < own->schema.table_count && !text_is(name, text_length(name), own->tables[at].name))
        at++;
    return at;
}

static void add_table(struct journal_schema *own, const struct record_table *table)
{
    struct column *columns = &own->columns[own->column_count];
    assert(own->schema.table_count < JOURNAL_TABLES + JOURNAL_RECORD_TABLES_MAX);
    assert(own->column_count + table->column_count <= JOURNAL_RECORD_COLUMNS_MAX);
    for (uint32_t i = 0; i < table->column_count; i++)
        columns[i] = (struct column){ table->columns[i].name,
                                      table->columns[i].is_text ? CELL_TEXT : CELL_NUMBER };
    own->column_count += table->column_count;
    own->tables[own->schema.table_count++] =
        (struct row_table){ table->name, columns, table->column_count, table->key_count, 2 };
}

uint32_t journal_schema_add(struct journal_schema *own, const struct game_record *record)
{
    assert(record->table_count > 0);
    uint32_t first = find_table(own, record->tables[0].name);
    assert(first >= JOURNAL_TABLES);
    for (uint32_t i = 0; first == own->schema.table_count - i && i < record->table_count; i++)
        add_table(own, &record->tables[i]);
    return first;
}

bool journal_number(const struct row *row, uint32_t column, uint64_t *number)
{
    if (column >= row->count || row->cells[column].kind != CELL_NUMBER)
        return false;
    *number = (uint64_t) row->cells[column].number;
    return true;
}

bool journal_bytes(const struct row *row, uint32_t column, void *bytes, size_t size)
{
    if (column >= row->count || row->cells[column].kind != CELL_BYTES ||
        row->cells[column].size != size)
        return false;
    if (size > 0)
        memcpy(bytes, row->cells[column].bytes, size);
    return true;
}

bool journal_find(const struct row *row, uint32_t column, const uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    if (column >= row->count || row->cells[column].kind == CELL_NUMBER)
        return false;
    if (row->cells[column].kind != CELL_NULL) {
        *bytes = row->cells[column].bytes;
        *size = row->cells[column].size;
    }
    return true;
}

void journal_ask_slot(struct query *query, uint32_t tag, enum journal_table table, uint32_t slot)
{
    *query = (struct query){ .tag = tag, .table = (uint32_t) table, .prefix_count = 1 };
    query->prefix[0] = (struct cell){ .kind = CELL_NUMBER, .number = slot };
}

void journal_ask_match(struct query *query, uint32_t tag, enum journal_table table,
                       const uint8_t *id)
{
    *query = (struct query){ .tag = tag, .table = (uint32_t) table, .prefix_count = 1 };
    query->prefix[0] = (struct cell){ .kind = CELL_BYTES, .bytes = id, .size = HEADER_MATCH_SIZE };
}
