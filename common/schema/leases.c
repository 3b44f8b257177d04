/* leases.c: the watchdogs' table. Pure. */
#include "schema/leases.h"
#include "schema/describe.h"

static const struct column columns[] = { NUMBER("slot"), NUMBER("epoch"), TEXT("engine"),
                                         NUMBER("renewed"), NUMBER("until_ms") };
NAMES_ALL(columns, LEASES_COLUMNS);

static const struct row_table tables[] = { [LEASES] = TABLE("leases", columns, 1) };

const struct schema leases_schema = {
    .name = "leases", .version = 1, .tables = tables, .table_count = LEASES_TABLES, .fences = LEASES
};
