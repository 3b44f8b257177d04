/* wheel_test.c: timers fire in the order of their deadlines, none early, none late, none lost. */
#include "core/wheel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t luck;

static uint64_t draw(uint64_t below)
{
    uint64_t z = luck += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

static struct wheel *new_wheel(uint32_t timers)
{
    void *memory = malloc(wheel_bytes(timers));
    memset(memory, 0xa5, wheel_bytes(timers));
    return wheel_init(memory, timers);
}

static void a_million_timers_fire_in_order_none_early_none_lost(void **unused)
{
    (void) unused;
    enum { TIMERS = 1000000 };
    struct wheel *wheel = new_wheel(TIMERS);
    uint64_t     *due = malloc(TIMERS * sizeof *due);
    uint64_t      now_ms = 12345, last_ms = 0;
    uint32_t      fired = 0;
    luck = 1;
    assert_int_equal(wheel_next(wheel, now_ms), NO_TIMER);
    for (uint32_t i = 0; i < TIMERS; i++) {
        due[i] = now_ms + draw(i % 2 == 0 ? 5000 : UINT64_C(1) << (10 + i % 30));
        wheel_set(wheel, i, due[i]);
    }
    assert_int_equal(wheel_count(wheel), TIMERS);
    while (wheel_count(wheel) > 0) {
        uint64_t wake_ms = wheel_wake(wheel);
        now_ms = wake_ms > now_ms ? wake_ms + draw(3) : now_ms + 1;
        for (uint32_t timer; (timer = wheel_next(wheel, now_ms)) != NO_TIMER; fired++) {
            assert_true(due[timer] <= now_ms && due[timer] >= last_ms);
            last_ms = due[timer];
        }
    }
    assert_int_equal(fired, TIMERS);
    assert_true(wheel_wake(wheel) == UINT64_MAX);
    free(due);
    free(wheel);
}

/* The naive list: a deadline each, 0: not set. */
#define MODEL 64
static uint64_t model[MODEL];

static uint64_t earliest(void)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < MODEL; i++)
        if (model[i] != 0 && model[i] < first)
            first = model[i];
    return first;
}

static void compare(struct wheel *wheel, uint64_t now_ms)
{
    for (uint32_t timer; (timer = wheel_next(wheel, now_ms)) != NO_TIMER;) {
        assert_true(model[timer] != 0 && model[timer] <= now_ms); /* Not early. */
        assert_true(model[timer] == earliest());                  /* In order. */
        model[timer] = 0;
    }
    assert_true(earliest() > now_ms); /* None left behind. */
    assert_true(wheel_wake(wheel) <= earliest());
    assert_true((wheel_wake(wheel) == UINT64_MAX) == (earliest() == UINT64_MAX));
}

static void any_sequence_does_what_a_naive_list_does(void **unused)
{
    (void) unused;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct wheel *wheel = new_wheel(MODEL);
        luck = seed;
        uint64_t now_ms = 1 + draw(UINT64_C(1) << draw(40));
        memset(model, 0, sizeof model);
        compare(wheel, now_ms);
        for (uint32_t i = 0; i < 400; i++) {
            uint32_t timer = (uint32_t) draw(MODEL);
            if (draw(4) == 0) {
                wheel_clear(wheel, timer);
                model[timer] = 0;
            } else {
                model[timer] = now_ms + 1 + draw(UINT64_C(1) << draw(seed % 3 == 0 ? 62 : 16));
                wheel_set(wheel, timer, model[timer]);
                assert_true(wheel_due(wheel, timer) == model[timer]);
            }
            assert_int_equal(wheel_is_set(wheel, timer), model[timer] != 0);
            if (draw(3) == 0)
                now_ms += draw(UINT64_C(1) << draw(seed % 3 == 0 ? 50 : 14));
            compare(wheel, now_ms);
        }
        free(wheel);
    }
}

static void what_is_past_already_fires_at_the_next_question(void **unused)
{
    (void) unused;
    struct wheel *wheel = new_wheel(2);
    assert_int_equal(wheel_next(wheel, 1000), NO_TIMER);
    wheel_set(wheel, 1, 3);
    wheel_set(wheel, 0, UINT64_MAX);
    assert_int_equal(wheel_next(wheel, 1000), 1);
    assert_int_equal(wheel_next(wheel, UINT64_MAX - 1), NO_TIMER);
    assert_int_equal(wheel_next(wheel, UINT64_MAX), 0);
    free(wheel);
}

static void a_clock_that_goes_back_stands(void **unused)
{
    (void) unused;
    struct wheel *wheel = new_wheel(2);
    assert_int_equal(wheel_next(wheel, 5000), NO_TIMER);
    wheel_set(wheel, 0, 4000);
    wheel_set(wheel, 1, 5001);
    assert_int_equal(wheel_next(wheel, 100), 0);
    assert_int_equal(wheel_next(wheel, 100), NO_TIMER);
    assert_int_equal(wheel_next(wheel, 5001), 1);
    free(wheel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_timers_fire_in_order_none_early_none_lost),
        cmocka_unit_test(any_sequence_does_what_a_naive_list_does),
        cmocka_unit_test(what_is_past_already_fires_at_the_next_question),
        cmocka_unit_test(a_clock_that_goes_back_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
