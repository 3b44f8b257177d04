/* journal.c: see journal.h. Pure. */
#include "schema/journal.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "games/registry.h"
#include "rules/record.h"
#include "schema/cells.h"
#include "schema/describe.h"
#include "wire/crypto.h"
#include "wire/header.h"

static const struct column slots_columns[] = { NUMBER("slot"), NUMBER("epoch"),
                                               NUMBER("recorded") };

static const struct column matches_columns[] = {
    NUMBER("slot"),          BYTES("match_id"),   NUMBER("state"),      TEXT("game"),
    NUMBER("rules_version"), BYTES("setup"),      NUMBER("seats"),      TEXT("dice"),
    NUMBER("seed"),          BYTES("commitment"), BYTES("dice_secret"), BYTES("sealing_secret"),
    NUMBER("turn_ms"),       BYTES("table_id"),   NUMBER("spectators"), BYTES("code"),
    NUMBER("created_ms"),    BYTES("opening"),    NUMBER("recorded"),   NUMBER("protocol"),
    BYTES("contributors"),   NUMBER("given_up"),
};

static const struct column setups_columns[] = { BYTES("hash"), TEXT("setup"), TEXT("options") };

static const struct column seats_columns[] = {
    BYTES("match_id"), NUMBER("seat"),  NUMBER("generation"), NUMBER("since"), NUMBER("bot"),
    BYTES("player"),   BYTES("holder"), TEXT("name"),         TEXT("person"),  NUMBER("number"),
};

static const struct column acts_columns[] = {
    BYTES("match_id"),     NUMBER("number"),  NUMBER("epoch"),       NUMBER("slot_count"),
    NUMBER("actor"),       NUMBER("session"), NUMBER("request"),     NUMBER("at_ms"),
    BYTES("chain_before"), BYTES("chain"),    BYTES("command_hash"), BYTES("command"),
    BYTES("body"),
};

static const struct column sessions_columns[] = {
    NUMBER("slot"),    BYTES("match_id"), NUMBER("seat"),  NUMBER("session"),
    NUMBER("closed"),  BYTES("holder"),   BYTES("player"), NUMBER("request"),
    NUMBER("verdict"), NUMBER("number"),  BYTES("chain"),  BYTES("asks"),
};

static const struct column snapshots_columns[] = { NUMBER("slot"), BYTES("match_id"),
                                                   NUMBER("number"), BYTES("snapshot") };

static const struct column results_columns[] = {
    BYTES("match_id"), NUMBER("slot"),   NUMBER("acts"),  BYTES("chain"),
    NUMBER("aborted"), BYTES("outcome"), BYTES("digest"), NUMBER("over_ms"),
};

static const struct row_table tables[] = {
    [JOURNAL_SLOTS] = TABLE("slots", slots_columns, 1),
    [JOURNAL_MATCHES] = TABLE("matches", matches_columns, 2),
    [JOURNAL_LIVE] = TABLE("live", matches_columns, 2),
    [JOURNAL_SETUPS] = TABLE("setups", setups_columns, 1),
    [JOURNAL_SEATS] = TABLE("seats", seats_columns, 3),
    [JOURNAL_ACTS] = TABLE("acts", acts_columns, 2),
    [JOURNAL_SESSIONS] = TABLE("sessions", sessions_columns, 4),
    [JOURNAL_SNAPSHOTS] = TABLE("snapshots", snapshots_columns, 2),
    [JOURNAL_RESULTS] = TABLE("results", results_columns, 1),
};

_Static_assert(sizeof tables / sizeof tables[0] == JOURNAL_TABLES, "every table is described");
NAMES_ALL(slots_columns, SLOTS_COLUMNS);
NAMES_ALL(matches_columns, MATCHES_COLUMNS);
NAMES_ALL(setups_columns, SETUPS_COLUMNS);
NAMES_ALL(seats_columns, SEATS_COLUMNS);
NAMES_ALL(acts_columns, ACTS_COLUMNS);
NAMES_ALL(sessions_columns, SESSIONS_COLUMNS);
NAMES_ALL(snapshots_columns, SNAPSHOTS_COLUMNS);
NAMES_ALL(results_columns, RESULTS_COLUMNS);

const struct schema journal_schema = { .name = "journal",
                                       .version = 6,
                                       .tables = tables,
                                       .table_count = JOURNAL_TABLES,
                                       .fences = JOURNAL_SLOTS };

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

void journal_schema_init(struct journal_schema *own, const struct game_wire *const *games)
{
    memset(own, 0, sizeof *own);
    memcpy(own->tables, tables, sizeof tables);
    own->schema = journal_schema;
    own->schema.tables = own->tables;
    for (; games != NULL && *games != NULL; games++)
        if ((*games)->game->record != NULL)
            (void) journal_schema_add(own, (*games)->game->record);
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

void journal_ask_row(struct query *query, uint32_t tag, enum journal_table table, const uint8_t *id)
{
    journal_ask_slot(query, tag, table, header_slot(id));
    query->prefix_count = 2;
    query->prefix[1] = (struct cell){ .kind = CELL_BYTES, .bytes = id, .size = HEADER_MATCH_SIZE };
}

void journal_ask_setup(struct query *query, uint32_t tag, const uint8_t *hash)
{
    journal_ask_match(query, tag, JOURNAL_SETUPS, hash);
    query->prefix[0].size = CRYPTO_HASH_SIZE;
}

size_t journal_person_name(const struct row *row, char *to, size_t room)
{
    const uint8_t *text = NULL;
    size_t         size = 0, at = 0;
    uint32_t       lines = 0;
    if (!cell_find(row, SEATS_PERSON, &text, &size))
        return 0;
    for (; at < size && at + 1 < room && lines < 2; at++) {
        lines += text[at] == '\n';
        to[at] = text[at] == '\n' ? ' ' : (char) text[at];
    }
    if (lines < 2)
        return 0;
    to[at - 1] = '\0'; /* The second line has no blank behind it. */
    return at - 1;
}
