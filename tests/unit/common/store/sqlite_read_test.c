/* sqlite_read_test.c: whatever bytes the file holds, reading gives rows or a sentence, and never a crash. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "common/store/fault_vfs.h"
#include "common/store/store_help.h"

#define DAMAGES 1500
#define FILE_MAX (256u << 10)

static char     place[] = "/tmp/arbiter-damage-XXXXXX";
static char     path[64];
static uint8_t  whole[FILE_MAX], damaged[FILE_MAX];
static size_t   size;
static uint64_t seed = 20261118;

/* What must have happened, or the damage was too mild or too much. */
static uint32_t refused_opens, refused_reads, refused_batches, unharmed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t) (seed >> 33) % below;
}

static void remove_files(void)
{
    static const char *const ends[] = { ".db", ".db-wal", ".db-shm", ".db-journal", ".lock" };
    char                     name[96];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s/trial%s", place, ends[i]);
        unlink(name);
    }
    shadows_forget();
}

/* A file with something in every table, of several pages, nothing of it in the log. */
static void make_file(void)
{
    struct text       fault;
    struct help_batch batch;
    char              body[2000];
    struct store     *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    memset(body, 'x', sizeof body);
    body[sizeof body - 1] = '\0';
    for (uint64_t i = 0; i < 20; i++) {
        help_begin(&batch);
        help_act(&batch, i % 2 ? "one" : "two", i, body + i * 97);
        help_slot(&batch, (uint32_t) i % 5, i);
        assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
    }
    assert_true(store_checkpoint(store));
    store_close(&store);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(whole, 1, sizeof whole, file);
    assert_int_equal(fclose(file), 0);
    assert_in_range(size, 4096 * 8, FILE_MAX - 1);
}

/* Single bits, bytes, and runs of rubbish or zeros; the first page, which all depends on, more often. */
static size_t damage(void)
{
    uint32_t places = 1 + draw(6);
    memcpy(damaged, whole, size);
    for (uint32_t i = 0; i < places; i++) {
        uint32_t at = draw(4) ? draw((uint32_t) size) : draw(4096);
        uint32_t run = draw(3) ? 1 : 1 + draw(300);
        for (uint32_t k = at; k < at + run && k < size; k++)
            damaged[k] = (uint8_t) (draw(2) ? draw(256) : damaged[k] ^ 1u << draw(8));
    }
    return draw(10) ? size : draw((uint32_t) size);
}

static void write_file(const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static bool look_at_row(void *taker, const struct row *row)
{
    uint32_t *sum = taker;
    assert_true(row->table < help_schema_2.table_count);
    const struct row_table *table = &help_schema_2.tables[row->table];
    assert_int_equal(row->count, table->column_count);
    for (uint32_t i = 0; i < row->count; i++) {
        const struct cell *cell = &row->cells[i];
        assert_true(cell->kind == table->columns[i].kind ||
                    (cell->kind == CELL_NULL && i >= table->key_count));
        for (size_t k = 0; k < cell->size; k++) /* A sanitizer would see bytes out of bounds. */
            *sum += cell->bytes[k];
    }
    return true;
}

static void assert_sentence(const char *sentence)
{
    assert_true(strlen(sentence) > 20);
    assert_ptr_equal(strstr(sentence, "trial.db"), sentence);
}

static void read_all(struct store *store)
{
    uint32_t sum = 0;
    for (uint32_t table = 0; table < help_schema_2.table_count; table++) {
        struct query query = { .table = table, .descending = draw(2) };
        if (!store_read(store, &query, look_at_row, &sum)) {
            assert_sentence(store_fault(store));
            refused_reads++;
        }
    }
    struct query query = help_acts_of("one");
    if (!store_read(store, &query, look_at_row, &sum))
        assert_sentence(store_fault(store));
}

static void write_some(struct store *store)
{
    struct help_batch batch;
    help_begin(&batch);
    help_act(&batch, "one", 2 * draw(20), "new");
    help_slot(&batch, draw(5), 1);
    if (help_commit(store, &batch) == STORE_COMMITTED)
        unharmed++;
    else
        refused_batches++;
    if (!store_checkpoint(store))
        assert_true(strlen(store_fault(store)) > 10);
}

static void damaged_bytes_give_a_sentence(void **unused)
{
    (void) unused;
    make_file();
    for (uint32_t i = 0; i < DAMAGES; i++) {
        struct text fault;
        remove_files();
        write_file(damaged, damage());
        struct store *store = store_open(&help_schema_2, place, &fault);
        if (!store) {
            assert_sentence(fault.bytes);
            refused_opens++;
            continue;
        }
        read_all(store);
        write_some(store);
        store_close(&store);
    }
    assert_true(refused_opens > DAMAGES / 50 && refused_reads > DAMAGES / 50);
    assert_true(refused_batches > 1 && unharmed > DAMAGES / 50);
}

static void assert_is_damage(const char *value)
{
    struct text fault;
    char        sql[200];
    uint32_t    sum = 0;
    sqlite3    *strange = NULL;
    remove_files();
    make_file();
    snprintf(sql, sizeof sql,
             "DROP TABLE slots; CREATE TABLE slots (slot PRIMARY KEY, epoch);"
             "INSERT INTO slots VALUES (%s)",
             value);
    assert_int_equal(sqlite3_open(path, &strange), SQLITE_OK);
    assert_int_equal(sqlite3_exec(strange, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(strange);
    struct store *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    assert_false(store_read(store, &(struct query){ .table = TRIAL_SLOTS }, look_at_row, &sum));
    assert_non_null(strstr(store_fault(store), "the file is damaged: restore a copy"));
    store_close(&store);
}

/* STRICT keeps such values out; damage, or a program of somebody else, may still bring them. */
static void a_value_of_another_kind_is_damage(void **unused)
{
    (void) unused;
    assert_is_damage("1, 'many'");
    assert_is_damage("1, x'00'");
    assert_is_damage("1, 0.5");
    assert_is_damage("NULL, 1");
}

static int set_up(void **unused)
{
    (void) unused;
    fault_vfs_register(); /* For its syncs, which cost nothing. */
    if (!mkdtemp(place))
        return -1;
    snprintf(path, sizeof path, "%s/trial.db", place);
    return 0;
}

static int tear_down(void **unused)
{
    (void) unused;
    remove_files();
    fault_vfs_unregister();
    return rmdir(place);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_bytes_give_a_sentence),
        cmocka_unit_test(a_value_of_another_kind_is_damage),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
