/* clock_test.c: the clock that only goes forward does, and the other one is the machine's. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h> // cmocka needs these four, in this order

#include <cmocka.h>

#include <time.h>

#include "clock/clock.h"

static void it_goes_forward_and_both_units_agree(void **unused)
{
    (void) unused;
    uint64_t first_us = clock_us(), last_us = first_us;
    for (int i = 0; i < 1000; i++) {
        uint64_t ms = clock_ms(), us = clock_us();
        assert_true(us >= last_us);
        assert_true(ms >= last_us / 1000 && ms <= us / 1000);
        last_us = us;
    }
    assert_true(last_us > first_us);
}

static void the_other_one_is_the_machines(void **unused)
{
    (void) unused;
    struct timespec before, after;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &before), 0);
    uint64_t now_ms = clock_wall_ms();
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &after), 0);
    assert_true(now_ms / 1000 >= (uint64_t) before.tv_sec);
    assert_true(now_ms / 1000 <= (uint64_t) after.tv_sec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_forward_and_both_units_agree),
        cmocka_unit_test(the_other_one_is_the_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
