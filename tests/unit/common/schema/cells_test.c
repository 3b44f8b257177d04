/* cells_test.c: what a core has comes back out of its cells, and what nobody wrote does not. */
#include "schema/cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A_NUMBER, SOME_BYTES, A_TEXT, NUMBERS, A_NULL, COLUMNS };

static struct outbox out;
static struct row   *row;

static int fill(void **memory)
{
    const uint32_t numbers[3] = { 1, UINT32_MAX, 0x01020304 };
    *memory = malloc(OUTBOX_BYTES_MIN);
    outbox_init(&out, *memory, OUTBOX_BYTES_MIN);
    row = outbox_row(&out, ROW_PUT, 0, COLUMNS);
    row_number(row, A_NUMBER, UINT64_MAX);
    cell_put_bytes(row, SOME_BYTES, "\0two", 4, &out);
    cell_put_text(row, A_TEXT, "text", &out);
    cell_put_numbers(row, NUMBERS, numbers, 3, &out);
    return 0;
}

static int drop(void **memory)
{
    free(*memory);
    return 0;
}

static void what_was_written_is_read(void **unused)
{
    (void) unused;
    uint64_t       number = 0;
    uint8_t        bytes[4];
    const uint8_t *found;
    size_t         size;
    assert_true(cell_number(row, A_NUMBER, &number));
    assert_true(number == UINT64_MAX);
    assert_true(cell_bytes(row, SOME_BYTES, bytes, sizeof bytes));
    assert_memory_equal(bytes, "\0two", 4);
    assert_true(cell_find(row, A_TEXT, &found, &size));
    assert_int_equal(size, 4);
    assert_memory_equal(found, "text", 4);
    assert_true(cell_find(row, A_NULL, &found, &size));
    assert_null(found);
    assert_int_equal(size, 0);
}

/* A damaged store, or another build's. */
static void nothing_is_read_as_something_else(void **unused)
{
    (void) unused;
    uint64_t       number = 7;
    uint8_t        bytes[8] = { 0 };
    const uint8_t *found;
    size_t         size;
    assert_false(cell_number(row, SOME_BYTES, &number));
    assert_false(cell_number(row, A_NULL, &number));
    assert_false(cell_number(row, COLUMNS, &number));
    assert_int_equal(number, 7);
    assert_false(cell_bytes(row, SOME_BYTES, bytes, 3));
    assert_false(cell_bytes(row, SOME_BYTES, bytes, 5));
    assert_false(cell_bytes(row, A_TEXT, bytes, 4));
    assert_false(cell_bytes(row, COLUMNS, bytes, 4));
    assert_false(cell_find(row, A_NUMBER, &found, &size));
    assert_false(cell_find(row, COLUMNS, &found, &size));
    assert_null(found);
}

static uint32_t read(uint32_t column, uint32_t *numbers, uint32_t most)
{
    return cell_numbers(row->cells[column].bytes, row->cells[column].size, numbers, most);
}

static void numbers_are_four_bytes_each_the_largest_first(void **unused)
{
    (void) unused;
    const uint8_t bytes[] = { 0, 0, 0, 1, 255, 255, 255, 255, 1, 2, 3, 4 };
    uint32_t      numbers[4] = { 0 };
    assert_int_equal(row->cells[NUMBERS].size, sizeof bytes);
    assert_memory_equal(row->cells[NUMBERS].bytes, bytes, sizeof bytes);
    assert_int_equal(read(NUMBERS, numbers, 4), 3);
    assert_int_equal(numbers[1], UINT32_MAX);
    assert_int_equal(numbers[2], 0x01020304);
    assert_int_equal(read(NUMBERS, numbers, 2), 2);
    assert_int_equal(read(A_NULL, numbers, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read, fill, drop),
        cmocka_unit_test_setup_teardown(nothing_is_read_as_something_else, fill, drop),
        cmocka_unit_test_setup_teardown(numbers_are_four_bytes_each_the_largest_first, fill, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
