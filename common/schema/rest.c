/* rest.c: the tables of a gateway's door of 2017. Pure. */
#include "schema/rest.h"
#include "schema/describe.h"

static const struct column meta_columns[] = { NUMBER("place"), NUMBER("next_id") };
static const struct column ids_columns[] = {
    NUMBER("id"),   NUMBER("is"),   BYTES("player"), BYTES("table_id"), BYTES("match_id"),
    NUMBER("seat"), BYTES("knows"), BYTES("half"),   BYTES("map"),      BYTES("person"),
};
NAMES_ALL(meta_columns, META_COLUMNS);
NAMES_ALL(ids_columns, IDS_COLUMNS);

static const struct row_table tables[REST_TABLES] = {
    [REST_META] = TABLE("meta", meta_columns, 1),
    [REST_IDS] = TABLE("ids", ids_columns, 1),
};

const struct schema rest_schema = {
    .name = "gateway",
    .version = 1,
    .tables = tables,
    .table_count = REST_TABLES,
    .fences = NO_FENCES,
};
