/* json_grammar_test.c: what is JSON by its grammar is taken, and each mistake in the grammar has
 * its sentence. What is JSON and no value of a set-up is a fault at its place, which hides no
 * other. */
#include "json/json_grammar.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/fault_log.h"
#include "json/json.h"

static alignas(16) uint8_t memory[1 << 18];
static struct arena arena;

static struct fault_log log_;

static const struct value *parse(const char *text)
{
    fault_log_begin(&log_);
    arena_init(&arena, memory, sizeof memory);
    return json_value(text, strlen(text), &arena, &log_.faults);
}

static void each_mistake_has_its_sentence(void **unused)
{
    (void) unused;
    static const struct {
        const char *text, *said;
    } bad[] = {
        { "", " is empty, must be one JSON value;" },
        { " \t\r\n", " is empty, must be one JSON value;" },
        { "\xef\xbb\xbf{}",
          " line 1, column 1: begins with a byte order mark, must be without one;" },
        { "[1", " line 1, column 2: the text ends too early, a list, an object or a string must be "
                "closed;" },
        { "[1 2]", " line 1, column 4: is no JSON: ']' expected;" },
        { "[\"a",
          " line 1, column 3: the text ends too early, a list, an object or a string must be "
          "closed;" },
        { "{} {}", " line 1, column 4: something stands behind the end, must be one value only;" },
        { "[\"\xff\"]", " line 1, column 2: is not UTF-8, must be;" },
        { "[1,\n",
          " line 2, column 1: the text ends too early, a list, an object or a string must be "
          "closed;" },
        { "[\"a\n\"]", " line 1, column 3: is no JSON: unexpected newline;" },
        { "{\n1e999: 1}", " line 2, column 1: is no JSON: string or '}' expected;" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(parse(bad[i].text));
        assert_string_equal(log_.seen, bad[i].said);
    }
}

/* Longer than any double, and at the end of the text. */
static void numbers_of_any_size_are_json(void **unused)
{
    (void) unused;
    static const char *const good[] = { "1e999",  "-1E+999", "[1.5e999,1e-999]", "-0",
                                        "0.0e-0", "[10,20]", "{\"a\":-1e400}" };
    char                     digits[501];
    memset(digits, '7', 500);
    digits[500] = '\0';
    assert_non_null(parse(digits));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (parse(good[i]) == NULL)
            fail_msg("%s: %s", good[i], log_.seen);
    assert_int_equal(log_.faults.count, 0);
}

static void what_is_no_number_stays_none(void **unused)
{
    (void) unused;
    static const char *const bad[] = { "-",    "01",   "-01",   "1.",    "1.e5", "1e",    "1e+",
                                       "1e-",  "1-2",  "1.2.3", "--1",   "+1",   ".5",    "1e5e5",
                                       "[1.]", "[1e]", "00",    "1true", "[-]",  "[1 2]", "1e5.5" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i]) != NULL || log_.faults.count != 1)
            fail_msg("%s was taken", bad[i]);
}

static void broken_characters_are_faults_at_their_place_and_reading_goes_on(void **unused)
{
    (void) unused;
#define NUL_SAID "has \\u0000 in it, may have any character but that;"
#define HALF_SAID "has half a surrogate pair in it, must have both halves, as \\ud83e\\udddf;"
    static const struct {
        const char *text, *said;
    } bad[] = {
        { "[\"\\u0000\",\"\\ud800\"]", "/0 " NUL_SAID "/1 " HALF_SAID },
        { "[\"a\\udfffb\",\"\\udc00\\udc00\",\"\\udbff\"]",
          "/0 " HALF_SAID "/1 " HALF_SAID "/2 " HALF_SAID },
        { "[\"\\ud800\\u0041\",\"\\ud800\\ue000\",\"\\ud800xu0041\",\"\\ud800\\n12345\"]",
          "/0 " HALF_SAID "/1 " HALF_SAID "/2 " HALF_SAID "/3 " HALF_SAID },
        { "{\"a\\u0000b\":[\"\\u0000\"],\"\\uD800\":1}", "/a\xef\xbf\xbd"
                                                         "b/0 " NUL_SAID "/a\xef\xbf\xbd"
                                                         "b " NUL_SAID "/\xef\xbf\xbd " HALF_SAID },
        { "[\"\\\\u0000\",\"\\ud800\\udc00\",\"\\udbff\\uDFFF\",\"\\ud7ff\\ue000\\u0001\"]", "" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parse(bad[i].text) == NULL)
            fail_msg("%s: %s", bad[i].text, log_.seen);
        assert_string_equal(log_.seen, bad[i].said);
    }
    assert_true(value_is(parse("[\"a\\u0000b\"]")->first, "a\xef\xbf\xbd"
                                                          "b"));
}

static void what_is_no_escape_stays_none(void **unused)
{
    (void) unused;
    static const char *const bad[] = {
        "\"\\u00g0\"", "\"\\u000\"", "\"\\u00/0\"", "\"\\u00:0\"",        "\"\\u00`0\"", "\"\\x\"",
        "\"\\",        "\"\\u",      "\"\\u000",    "\"\\ud800\\u12g4\"", "\"\\ud800"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i]) != NULL || log_.faults.count != 1)
            fail_msg("%s was taken", bad[i]);
}

/* Brackets as deep as they may be, and one more, behind something that might hide them. */
static void brackets_are_counted_and_only_they(void **unused)
{
    (void) unused;
    static const char *const before[] = {
        "",          "\"a\",",      "\"ab\",",     "\"[[[[\\\"[[[[\",",
        "\"\\\\\",", "[],{},[{}],", "\"]]]]}}\",", " 1 , 2 ,\n"
    };
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (int depth = 31; depth <= 32; depth++) {
            char   text[256];
            size_t used = (size_t) snprintf(text, sizeof text, "[%s", before[i]);
            memset(text + used, '[', (size_t) depth);
            memset(text + used + depth, ']', (size_t) depth + 1);
            text[used + 2 * (size_t) depth + 1] = '\0';
            if ((parse(text) != NULL) != (depth == 31) ||
                (strstr(log_.seen, "nest deeper than 32") != NULL) != (depth == 32))
                fail_msg("%s: %s", text, log_.seen);
        }
    char siblings[128] = "[[]";
    for (uint32_t i = 0; i < 40; i++)
        memcpy(siblings + 3 + 3 * (size_t) i, ",[]", 3);
    siblings[123] = ']';
    assert_non_null(parse(siblings));
    assert_null(parse("[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\",]"));
    assert_null(strstr(log_.seen, "nest deeper"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_has_its_sentence),
        cmocka_unit_test(numbers_of_any_size_are_json),
        cmocka_unit_test(what_is_no_number_stays_none),
        cmocka_unit_test(broken_characters_are_faults_at_their_place_and_reading_goes_on),
        cmocka_unit_test(what_is_no_escape_stays_none),
        cmocka_unit_test(brackets_are_counted_and_only_they),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
