/* sink_test.c: events written to a sink are read back as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "rules/sink.h"

#define ROOM 16

static word        words[ROOM + 1];
static struct sink out;

static int empty_the_sink(void **unused)
{
    (void) unused;
    memset(words, 0x5a, sizeof words);
    out = (struct sink){ .words = words, .capacity = ROOM };
    return 0;
}

static void an_empty_sink_has_no_events(void **unused)
{
    (void) unused;
    assert_null(sink_first(&out));
    assert_int_equal(out.events, 0);
}

static void events_are_read_in_order(void **unused)
{
    (void) unused;
    EMIT(&out, TO_ALL, 3, 10, -1, ABSENT);
    EMIT_BARE(&out, TO_SEAT(2), 0xffff);
    sink_open(&out, TO_ALL_BUT(15), 7);
    sink_put(&out, INT64_MAX);
    sink_close(&out);

    const word *event = sink_first(&out);
    assert_int_equal(event_kind(event), 3);
    assert_int_equal(event_to(event), TO_ALL);
    assert_int_equal(event_length(event), 3);
    assert_true(event_fields(event)[1] == -1 && event_fields(event)[2] == ABSENT);

    event = sink_next(&out, event);
    assert_int_equal(event_kind(event), 0xffff);
    assert_int_equal(event_to(event), TO_SEAT(2));
    assert_int_equal(event_length(event), 0);

    event = sink_next(&out, event);
    assert_int_equal(event_kind(event), 7);
    assert_int_equal(event_to(event), TO_ALL_BUT(15));
    assert_int_equal(event_length(event), 1);
    assert_true(event_fields(event)[0] == INT64_MAX);
    assert_null(sink_next(&out, event));
    assert_int_equal(out.events, 3);
    assert_int_equal(out.used, 7);
}

static void both_ways_of_writing_give_the_same_words(void **unused)
{
    (void) unused;
    EMIT(&out, TO_SPECTATORS_LATER, 9, 1, 2);
    sink_open(&out, TO_SPECTATORS_LATER, 9);
    sink_put(&out, 1);
    sink_put(&out, 2);
    sink_close(&out);
    assert_int_equal(out.used, 6);
    assert_memory_equal(words, words + 3, 3 * sizeof(word));
}

static void a_deaf_sink_takes_everything_and_keeps_nothing(void **unused)
{
    (void) unused;
    struct sink deaf = { 0 };
    EMIT(&deaf, TO_ALL, 1, 2, 3);
    EMIT_BARE(&deaf, TO_ALL, 1);
    sink_open(&deaf, TO_ALL, 1);
    sink_put(&deaf, 5);
    sink_close(&deaf);
    assert_int_equal(deaf.used, 0);
    assert_int_equal(deaf.events, 0);
    assert_null(sink_first(&deaf));
}

static void a_full_sink_was_filled_to_the_last_word(void **unused)
{
    (void) unused;
    word behind = words[ROOM];
    for (word i = 0; i < ROOM / 2; i++)
        EMIT(&out, TO_SEATS_NOW, 1, i);
    assert_int_equal(out.used, ROOM);
    assert_int_equal(out.events, ROOM / 2);
    assert_true(words[ROOM] == behind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_empty_sink_has_no_events, empty_the_sink),
        cmocka_unit_test_setup(events_are_read_in_order, empty_the_sink),
        cmocka_unit_test_setup(both_ways_of_writing_give_the_same_words, empty_the_sink),
        cmocka_unit_test_setup(a_deaf_sink_takes_everything_and_keeps_nothing, empty_the_sink),
        cmocka_unit_test_setup(a_full_sink_was_filled_to_the_last_word, empty_the_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
