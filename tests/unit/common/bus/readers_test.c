/* readers_test.c: counting readers of topics. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <string.h>

#include "bus/readers.h"

static struct readers readers;

static int open_small(void **unused)
{
    (void) unused;
    assert_true(readers_open(&readers, 48));
    return 0;
}

static int close_it(void **unused)
{
    (void) unused;
    readers_close(&readers);
    return 0;
}

static const uint8_t topic[TOPIC_SIZE] = "sixteen and one.";

static void only_the_last_one_to_leave_is_noticed(void **unused)
{
    (void) unused;
    assert_true(readers_add(&readers, topic, sizeof topic, true));
    assert_true(readers_add(&readers, topic, sizeof topic, true));
    assert_false(readers_remove(&readers, topic, sizeof topic));
    assert_true(readers_remove(&readers, topic, sizeof topic));
    assert_false(readers_remove(&readers, topic, sizeof topic));
}

static void a_refused_one_does_not_end_what_others_read(void **unused)
{
    (void) unused;
    assert_true(readers_add(&readers, topic, 1, false));
    assert_true(readers_add(&readers, topic, 1, true));
    assert_false(readers_remove(&readers, topic, 1));
    assert_true(readers_remove(&readers, topic, 1));
    assert_true(readers_add(&readers, topic, 1, false));
    assert_false(readers_remove(&readers, topic, 1)); /* Nobody ever read it. */
    assert_int_equal(readers.used, 0);
}

static void other_sizes_are_no_topics(void **unused)
{
    (void) unused;
    assert_false(readers_add(&readers, topic, 0, true));
    assert_false(readers_add(&readers, topic, 2, true));
    assert_false(readers_add(&readers, topic, TOPIC_SIZE + 1, true));
    assert_false(readers_remove(&readers, topic, 0));
}

static void a_full_table_takes_no_more_and_forgets_nothing(void **unused)
{
    (void) unused;
    uint8_t slot = 0;
    for (; slot < 48; slot++)
        assert_true(readers_add(&readers, &slot, 1, true));
    assert_false(readers_add(&readers, &slot, 1, true));
    slot = 7;
    assert_true(readers_add(&readers, &slot, 1, true)); /* One that is there. */
    assert_false(readers_remove(&readers, &slot, 1));
    for (slot = 0; slot < 48; slot++)
        assert_true(readers_remove(&readers, &slot, 1));
}

/* Random comings and goings beside a plain array. */
static void it_agrees_with_a_plain_count(void **unused)
{
    (void) unused;
    uint32_t counts[40] = { 0 };
    uint64_t state = 7;
    for (int turn = 0; turn < 20000; turn++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint8_t slot = (uint8_t) ((state >> 40) % 40);
        if ((state >> 60) < 8) {
            assert_true(readers_add(&readers, &slot, 1, true));
            counts[slot]++;
        } else {
            bool is_last = counts[slot] == 1;
            assert_int_equal(readers_remove(&readers, &slot, 1), is_last);
            counts[slot] -= counts[slot] > 0;
        }
    }
}

#define WITH_TABLE(test) cmocka_unit_test_setup_teardown(test, open_small, close_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TABLE(only_the_last_one_to_leave_is_noticed),
        WITH_TABLE(a_refused_one_does_not_end_what_others_read),
        WITH_TABLE(other_sizes_are_no_topics),
        WITH_TABLE(a_full_table_takes_no_more_and_forgets_nothing),
        WITH_TABLE(it_agrees_with_a_plain_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
