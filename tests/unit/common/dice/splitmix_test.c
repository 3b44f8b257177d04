/* splitmix_test.c: objectron's dice against the numbers its rules state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dice/draw.h"
#include "dice/kinds.h"

/* "Check: seed 1 -> 910a2dec89025cc1, beeb8da1658eec67, f893a2eefb32555e" */
static void the_setup_stream_begins_with_the_seed(void **unused)
{
    (void) unused;
    struct dice dice;
    dice_splitmix(&dice, 1);
    assert_true(dice_u64(&dice, 0) == UINT64_C(0x910a2dec89025cc1));
    assert_true(dice_u64(&dice, 0) == UINT64_C(0xbeeb8da1658eec67));
    assert_true(dice_u64(&dice, 0) == UINT64_C(0xf893a2eefb32555e));
}

/* "below(10): 5 9 0 5 1 8 5 3" */
static void a_bounded_draw_is_the_specified_one(void **unused)
{
    (void) unused;
    static const uint64_t expected[] = { 5, 9, 0, 5, 1, 8, 5, 3 };
    struct dice           dice;
    dice_splitmix(&dice, 1);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(draw_below_u64(&dice, 0, 10), expected[i]);
}

static void a_bounded_draw_draws_even_for_one(void **unused)
{
    (void) unused;
    struct dice dice;
    dice_splitmix(&dice, 1);
    assert_int_equal(draw_below_u64(&dice, 0, 1), 0);
    assert_true(dice_u64(&dice, 0) == UINT64_C(0xbeeb8da1658eec67));
}

static void the_play_stream_is_another_and_independent(void **unused)
{
    (void) unused;
    struct dice dice;
    dice_splitmix(&dice, 1);
    assert_true(dice_u64(&dice, 1) == UINT64_C(0x1ed46df4d045cd27));
    assert_true(dice_u64(&dice, 0) == UINT64_C(0x910a2dec89025cc1));
    assert_true(dice_u64(&dice, 1) == UINT64_C(0xddcb15db734cafca));
}

static void bits_are_the_high_ones_of_a_play_draw(void **unused)
{
    (void) unused;
    struct dice dice;
    dice_splitmix(&dice, 1);
    assert_int_equal(dice_bits(&dice, 32), 0x1ed46df4);
    assert_int_equal(dice_bits(&dice, 4), 0xd);
    assert_int_equal(dice_bits(&dice, 1), 0x4241db18u >> 31);
    assert_true(dice_u64(&dice, 0) == UINT64_C(0x910a2dec89025cc1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_setup_stream_begins_with_the_seed),
        cmocka_unit_test(a_bounded_draw_is_the_specified_one),
        cmocka_unit_test(a_bounded_draw_draws_even_for_one),
        cmocka_unit_test(the_play_stream_is_another_and_independent),
        cmocka_unit_test(bits_are_the_high_ones_of_a_play_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
