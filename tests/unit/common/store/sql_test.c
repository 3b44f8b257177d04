/* sql_test.c: statements as text, in the words of both databases. */
#include "store/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct dialect small = { .mark = '?',
                                      .number = "INTEGER",
                                      .bytes = "BLOB",
                                      .text = "TEXT",
                                      .table_end = " STRICT",
                                      .add_column = " ADD COLUMN ",
                                      .hold = "" };
/* PostgreSQL's words. */
static const struct dialect large = { .mark = '$',
                                      .number = "bigint",
                                      .bytes = "bytea",
                                      .text = "text",
                                      .table_end = "",
                                      .add_column = " ADD COLUMN IF NOT EXISTS ",
                                      .hold = " FOR SHARE" };

static const struct column    acts_columns[] = { { .name = "match", .kind = CELL_BYTES },
                                                 { .name = "order", .kind = CELL_NUMBER },
                                                 { .name = "body", .kind = CELL_BYTES },
                                                 { .name = "note", .kind = CELL_TEXT } };
static const struct row_table acts = {
    .name = "acts", .columns = acts_columns, .column_count = 4, .key_count = 2, .since = 1
};
static const struct row_table pairs = {
    .name = "pairs", .columns = acts_columns, .column_count = 2, .key_count = 2, .since = 1
};
static const struct column    slots_columns[] = { { .name = "slot", .kind = CELL_NUMBER },
                                                  { .name = "epoch", .kind = CELL_NUMBER } };
static const struct row_table slots = {
    .name = "slots", .columns = slots_columns, .column_count = 2, .key_count = 1, .since = 1
};

static struct sql sql;

static void tables_are_made(void **unused)
{
    (void) unused;
    sql_create_table(&sql, &small, &acts);
    assert_string_equal(sql.bytes,
                        "CREATE TABLE \"acts\" (\"match\" BLOB NOT NULL, \"order\" INTEGER NOT "
                        "NULL, \"body\" BLOB, \"note\" TEXT, PRIMARY KEY (\"match\", \"order\")) "
                        "STRICT");
    sql_create_table(&sql, &large, &acts);
    assert_string_equal(sql.bytes,
                        "CREATE TABLE \"acts\" (\"match\" bytea NOT NULL, \"order\" bigint NOT "
                        "NULL, \"body\" bytea, \"note\" text, PRIMARY KEY (\"match\", \"order\"))");
    sql_add_column(&sql, &large, &acts, 3);
    assert_string_equal(sql.bytes, "ALTER TABLE \"acts\" ADD COLUMN IF NOT EXISTS \"note\" text");
}

static void rows_are_written(void **unused)
{
    (void) unused;
    sql_write(&sql, &small, &acts, ROW_ADD);
    assert_string_equal(sql.bytes, "INSERT INTO \"acts\" (\"match\", \"order\", \"body\", "
                                   "\"note\") VALUES (?1, ?2, ?3, ?4)");
    sql_write(&sql, &large, &acts, ROW_PUT);
    assert_string_equal(sql.bytes,
                        "INSERT INTO \"acts\" (\"match\", \"order\", \"body\", \"note\") VALUES "
                        "($1, $2, $3, $4) ON CONFLICT (\"match\", \"order\") DO UPDATE SET "
                        "\"body\" = excluded.\"body\", \"note\" = excluded.\"note\"");
    sql_write(&sql, &large, &pairs, ROW_PUT);
    assert_string_equal(sql.bytes, "INSERT INTO \"pairs\" (\"match\", \"order\") VALUES ($1, $2) "
                                   "ON CONFLICT (\"match\", \"order\") DO NOTHING");
    sql_write(&sql, &small, &acts, ROW_KEEP);
    assert_string_equal(sql.bytes, "INSERT INTO \"acts\" (\"match\", \"order\", \"body\", "
                                   "\"note\") VALUES (?1, ?2, ?3, ?4) ON CONFLICT (\"match\", "
                                   "\"order\") DO NOTHING");
    sql_write(&sql, &small, &acts, ROW_DELETE);
    assert_string_equal(sql.bytes, "DELETE FROM \"acts\" WHERE \"match\" = ?1 AND \"order\" = ?2");
}

/* PostgreSQL has to hold the slot's row until the end; SQLite has one writer anyway. */
static void a_fence_is_asked_for(void **unused)
{
    (void) unused;
    sql_fence(&sql, &small, &slots);
    assert_string_equal(sql.bytes, "SELECT \"epoch\" FROM \"slots\" WHERE \"slot\" = ?1");
    sql_fence(&sql, &large, &slots);
    assert_string_equal(sql.bytes, "SELECT \"epoch\" FROM \"slots\" WHERE \"slot\" = $1 FOR SHARE");
}

static void rows_are_asked_for(void **unused)
{
    (void) unused;
    struct query query = { .table = 0 };
    sql_select(&sql, &small, &pairs, &query);
    assert_string_equal(sql.bytes, "SELECT \"match\", \"order\" FROM \"pairs\" ORDER BY \"match\", "
                                   "\"order\" LIMIT ?1");
    query = (struct query){ .prefix_count = 1, .has_from = true, .has_to = true };
    sql_select(&sql, &large, &pairs, &query);
    assert_string_equal(sql.bytes,
                        "SELECT \"match\", \"order\" FROM \"pairs\" WHERE \"match\" = $1 AND "
                        "\"order\" >= $2 AND \"order\" <= $3 ORDER BY \"order\" LIMIT $4");
    query = (struct query){ .has_to = true, .descending = true };
    sql_select(&sql, &small, &pairs, &query);
    assert_string_equal(sql.bytes, "SELECT \"match\", \"order\" FROM \"pairs\" WHERE \"match\" <= "
                                   "?1 ORDER BY \"match\" DESC, \"order\" DESC LIMIT ?2");
    query = (struct query){ .prefix_count = 2 };
    sql_select(&sql, &small, &pairs, &query);
    assert_string_equal(sql.bytes, "SELECT \"match\", \"order\" FROM \"pairs\" WHERE \"match\" = "
                                   "?1 AND \"order\" = ?2 LIMIT ?3");
}

/* A statement is kept for each shape: no two may share one. */
static void every_shape_has_a_number_of_its_own(void **unused)
{
    (void) unused;
    bool is_taken[SQL_SHAPES] = { false };
    for (uint32_t i = 0; i < SQL_SHAPES; i++) {
        struct query query = {
            .prefix_count = i / 8, .has_from = i & 1, .has_to = i & 2, .descending = i & 4
        };
        uint32_t shape = sql_shape(&query);
        assert_in_range(shape, 0, SQL_SHAPES - 1);
        assert_false(is_taken[shape]);
        is_taken[shape] = true;
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_made),
        cmocka_unit_test(rows_are_written),
        cmocka_unit_test(a_fence_is_asked_for),
        cmocka_unit_test(rows_are_asked_for),
        cmocka_unit_test(every_shape_has_a_number_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
