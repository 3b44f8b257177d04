/* text_test.c: a sentence is built in a bounded buffer and never written past its end. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void a_sentence_is_put_together(void **unused)
{
    (void) unused;
    struct text text;
    text_clear(&text);
    assert_string_equal(text.bytes, "");
    text_put(&text, "is ");
    text_put_number(&text, -12);
    text_put_bytes(&text, ", notmore", 5);
    assert_string_equal(text.bytes, "is -12, not");
    assert_int_equal(text.size, 11);
    text_clear(&text);
    assert_int_equal(text.size, 0);
    assert_string_equal(text.bytes, "");
}

static void every_number_is_written_in_full(void **unused)
{
    (void) unused;
    static const struct {
        int64_t     number;
        const char *written;
    } table[] = {
        { 0, "0" },
        { 9, "9" },
        { 10, "10" },
        { -1, "-1" },
        { INT64_MAX, "9223372036854775807" },
        { INT64_MIN, "-9223372036854775808" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct text text;
        text_clear(&text);
        text_put_number(&text, table[i].number);
        assert_string_equal(text.bytes, table[i].written);
    }
}

static void what_does_not_fit_is_cut(void **unused)
{
    (void) unused;
    struct {
        struct text text;
        char        guard[16];
    } box;
    char long_one[TEXT_MAX + 50];
    memset(long_one, 'x', sizeof long_one);
    memset(box.guard, 'g', sizeof box.guard);

    text_clear(&box.text);
    text_put_bytes(&box.text, long_one, TEXT_MAX - 2);
    text_put(&box.text, "yz");
    assert_int_equal(box.text.size, TEXT_MAX - 1);
    assert_int_equal(box.text.bytes[TEXT_MAX - 2], 'y');
    assert_int_equal(box.text.bytes[TEXT_MAX - 1], '\0');
    text_put_number(&box.text, 7);
    text_put_bytes(&box.text, long_one, sizeof long_one);
    assert_int_equal(strlen(box.text.bytes), TEXT_MAX - 1);
    for (size_t i = 0; i < sizeof box.guard; i++)
        assert_int_equal(box.guard[i], 'g');
}

static void lengths_and_comparisons(void **unused)
{
    (void) unused;
    assert_int_equal(text_length(""), 0);
    assert_int_equal(text_length("four"), 4);
    assert_true(text_is("fourteen", 4, "four"));
    assert_false(text_is("fourteen", 5, "four"));
    assert_false(text_is("fou", 3, "four"));
    assert_false(text_is("Four", 4, "four"));
    assert_true(text_is("", 0, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_is_put_together),
        cmocka_unit_test(every_number_is_written_in_full),
        cmocka_unit_test(what_does_not_fit_is_cut),
        cmocka_unit_test(lengths_and_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
