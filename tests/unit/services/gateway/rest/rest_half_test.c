/* rest_half_test.c: when two texts mean the same half, and how a map is spelt. */
#include "services/gateway/rest/rest_half.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

static bool same(const char *one, const char *other)
{
    return rest_half_same(one, strlen(one), other, strlen(other));
}

static void white_space_is_left_out_and_what_is_too_long_cut_where_that_can_be_told(void **unused)
{
    char to[REST_HALF_MAX(2)];
    (void) unused;
    assert_int_equal(rest_half_strip(to, 2, " 0\t1\r\n02 ", 9), 4);
    assert_memory_equal(to, "0102", 4);
    assert_int_equal(rest_half_strip(to, 2, "0102030102", 10), 6);
    /* A letter of several bytes is one; a piece of one without its beginning is none, and bounded. */
    assert_int_equal(
        rest_half_strip(to, 2, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 14), 12);
    assert_int_equal(rest_half_strip(to, 2,
                                     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
                                     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                                     26),
                     REST_HALF_MAX(2));
}

static void both_alphabets_mean_the_same_fields(void **unused)
{
    (void) unused;
    assert_true(same("00010203", "PC0G0M0W"));
    assert_true(same("00010203", "0c0goMOw"));
    assert_true(same("0C0G", "pcOg"));
    assert_false(same("0001", "0002"));
    assert_false(same("0001", "000102"));
    assert_false(same("0G0M", "0G0W"));
}

static void what_means_no_half_is_like_no_other_not_even_itself(void **unused)
{
    static const char *const wrong[] = { "",   "0",      "04", "14", "0X", "PG", "Pc0x",
                                         "1G", "0001GG", "{G", "0/", "0`", "0[" };
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(same(wrong[i], wrong[i]));
}

static void a_map_in_symbols_has_the_figure_on_the_castle_while_it_stands_there(void **unused)
{
    char to[11] = "";
    (void) unused;
    rest_half_symbols(to, (const uint8_t *) "0001020309", 10, false);
    assert_string_equal(to, "PC0G0M0W0?");
    rest_half_symbols(to, (const uint8_t *) "00010203/0", 10, true);
    assert_string_equal(to, "0C0G0M0W0C");
    rest_half_symbols(to, (const uint8_t *) "0/", 2, true);
    assert_memory_equal(to, "0?", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space_is_left_out_and_what_is_too_long_cut_where_that_can_be_told),
        cmocka_unit_test(both_alphabets_mean_the_same_fields),
        cmocka_unit_test(what_means_no_half_is_like_no_other_not_even_itself),
        cmocka_unit_test(a_map_in_symbols_has_the_figure_on_the_castle_while_it_stands_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
