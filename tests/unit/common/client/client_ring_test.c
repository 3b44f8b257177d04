/* client_ring_test.c: records come out as they went in, whatever their sizes, however often it wraps. */
#include "client/client_ring.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#define CAPACITY 1024

static alignas(max_align_t) uint8_t memory[CAPACITY + 64];

static void records_come_out_as_they_went_in(void **unused)
{
    (void) unused;
    struct client_ring ring;
    uint32_t           in = 0, out = 0, luck = 1, full = 0;
    memset(memory + CAPACITY, 0xa5, 64);
    ring_init(&ring, memory, CAPACITY);
    for (uint32_t i = 0; i < 100000; i++) {
        luck = luck * 1664525u + 1013904223u;
        size_t   size = 4 + (luck >> 24);
        uint32_t goes_in = luck >> 16 & 3;
        uint8_t *record = goes_in != 0 ? ring_reserve(&ring, size) : NULL;
        if (record != NULL) {
            assert_true(record >= memory && record + size <= memory + CAPACITY);
            memset(record, (int) in, size);
            memcpy(record, &in, sizeof in);
            ring_put(&ring, size);
            in++;
            continue;
        }
        full += goes_in != 0;
        record = ring_first(&ring, &size);
        if (record == NULL) {
            assert_int_equal(in, out);
            continue;
        }
        assert_memory_equal(record, &out, sizeof out);
        for (size_t at = sizeof out; at < size; at++)
            assert_int_equal(record[at], (uint8_t) out);
        out++;
        ring_drop(&ring);
    }
    assert_true(out > 10000 && full > 1000);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(memory[CAPACITY + i], 0xa5);
}

static void what_was_reserved_and_left_is_not_there(void **unused)
{
    (void) unused;
    struct client_ring ring;
    size_t             size;
    ring_init(&ring, memory, CAPACITY);
    assert_non_null(ring_reserve(&ring, 100));
    assert_null(ring_first(&ring, &size));
    assert_null(ring_reserve(&ring, CAPACITY));
}

/* Across the place where the ring begins again, too. */
static void records_are_found_one_behind_the_other(void **unused)
{
    (void) unused;
    struct client_ring ring;
    uint32_t           in = 0, luck = 7;
    ring_init(&ring, memory, CAPACITY);
    for (uint32_t i = 0; i < 1000; i++) {
        luck = luck * 1664525u + 1013904223u;
        size_t    size = 4 + (luck >> 24), found = 0;
        uint32_t *record = ring_reserve(&ring, size);
        if (record != NULL) {
            *record = in++;
            ring_put(&ring, size);
        } else {
            ring_drop(&ring);
        }
        for (record = ring_first(&ring, &size); record != NULL;
             record = ring_behind(&ring, record, &size))
            assert_int_equal(*record, in - ring.count + found++);
        assert_int_equal(found, ring.count);
    }
    assert_true(in > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_out_as_they_went_in),
        cmocka_unit_test(what_was_reserved_and_left_is_not_there),
        cmocka_unit_test(records_are_found_one_behind_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
