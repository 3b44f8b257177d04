/* pace_test.c: what one caller may send and ask of a process, and that nobody pays for another. */
#include "common/shell/toy.h"

#include <string.h>

#include "contract/envelope.pb-c.h"
#include "shell/pace.h"
#include "wire/names.h"

static struct pace   pace;
static const uint8_t ada[CALLER_KEY_SIZE] = { 1 };
static const uint8_t eve[CALLER_KEY_SIZE] = { 2 };

static int begin(void **unused)
{
    (void) unused;
    memset(&pace, 0, sizeof pace);
    pace.limits =
        (struct pace_limits){ .frames_per_second = 10, .asks_per_second = 2, .asks_burst = 4 };
    return 0;
}

static void who_sends_too_much_is_a_flood_until_a_second_has_passed(void **unused)
{
    (void) unused;
    for (int i = 0; i < 10; i++)
        assert_true(pace_frame(&pace, eve, 48, 1000));
    assert_false(pace_frame(&pace, eve, 48, 1000));
    assert_true(pace_frame(&pace, ada, 48, 1000));
    assert_false(pace_frame(&pace, eve, 48, 1100));
    assert_true(pace_frame(&pace, eve, 48, 2200));
}

static void long_frames_count_for_more(void **unused)
{
    (void) unused;
    assert_true(pace_frame(&pace, eve, 9 * PACE_FRAME_BYTES, 1000));
    assert_false(pace_frame(&pace, eve, 0, 1000));
}

static void who_asks_too_much_is_told_when_to_come_back_as_long_as_that_is_cheap(void **unused)
{
    (void) unused;
    uint32_t after_ms = 77;
    for (int i = 0; i < 4; i++) {
        assert_true(pace_ask(&pace, eve, 1000, &after_ms));
        assert_int_equal(after_ms, 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_false(pace_ask(&pace, eve, 1000, &after_ms));
        assert_int_equal(after_ms, 1 + (i + 1) * 500);
    }
    assert_false(pace_ask(&pace, eve, 1000, &after_ms)); /* Not worth an answer any more. */
    assert_int_equal(after_ms, 0);
    assert_true(pace_ask(&pace, ada, 1000, &after_ms));
    assert_true(pace_ask(&pace, eve, 1000 + 2501, &after_ms));
}

/* Three questions, each of which comes back when it was told to, and a little early as clocks are.
 * Every allowance that time gives back lets one of them in. */
static void who_comes_back_as_told_is_let_in_sometime(void **unused)
{
    (void) unused;
    uint64_t due_ms[3] = { 1000, 1000, 1000 };
    uint32_t let_in = 0, after_ms;
    for (int i = 0; i < 4; i++)
        assert_true(pace_ask(&pace, eve, 1000, &after_ms));
    for (uint64_t now_ms = 1000; now_ms < 11000; now_ms++)
        for (int i = 0; i < 3; i++) {
            if (due_ms[i] > now_ms)
                continue;
            if (pace_ask(&pace, eve, now_ms, &after_ms))
                let_in++;
            due_ms[i] = now_ms + (after_ms > 1 ? after_ms - 1 : 1);
        }
    assert_in_range(let_in, 18, 20);
}

static void without_limits_anybody_may_send_anything(void **unused)
{
    (void) unused;
    uint32_t after_ms;
    memset(&pace.limits, 0, sizeof pace.limits);
    for (int i = 0; i < 1000; i++) {
        assert_true(pace_frame(&pace, eve, 65536, 1000));
        assert_true(pace_ask(&pace, eve, 1000, &after_ms));
    }
}

static void commands_and_pings_are_no_asks(void **unused)
{
    (void) unused;
    assert_false(pace_counts(KIND(COMMAND)));
    assert_false(pace_counts(KIND(PING)));
    assert_true(pace_counts(KIND(ATTACH)));
    assert_true(pace_counts(KIND(LOBBY_ASK)));
    assert_true(pace_counts(999));
}

/* Ten times as many keys as are held apart: each that is new may begin anew, and who was quiet longest
 * makes room. */
static void more_keys_than_places_are_no_harm(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 10 * PACE_CALLERS; i++) {
        uint8_t key[CALLER_KEY_SIZE] = { 0 };
        memcpy(key, &i, sizeof i);
        assert_true(pace_frame(&pace, key, 48, 1000 + i));
    }
    for (int i = 0; i < 10; i++)
        assert_true(pace_frame(&pace, ada, 48, 100000));
    assert_false(pace_frame(&pace, ada, 48, 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(who_sends_too_much_is_a_flood_until_a_second_has_passed, begin),
        cmocka_unit_test_setup(long_frames_count_for_more, begin),
        cmocka_unit_test_setup(who_asks_too_much_is_told_when_to_come_back_as_long_as_that_is_cheap,
                               begin),
        cmocka_unit_test_setup(who_comes_back_as_told_is_let_in_sometime, begin),
        cmocka_unit_test_setup(without_limits_anybody_may_send_anything, begin),
        cmocka_unit_test_setup(commands_and_pings_are_no_asks, begin),
        cmocka_unit_test_setup(more_keys_than_places_are_no_harm, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
