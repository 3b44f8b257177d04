/* value_test.c: reading a set-up's tree, and every fault in one run at its place. */
#include "base/value.h"

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

static int setup(void **unused)
{
    (void) unused;
    arena_init(&arena, memory, sizeof memory);
    return 0;
}

/* Several trees may be held beside each other. */
static const struct value *parse(const char *text)
{
    fault_log_begin(&log_);
    const struct value *top = json_value(text, strlen(text), &arena, &log_.faults);
    assert_non_null(top);
    return top;
}

static void places_are_json_pointers(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"a\":[0,{\"b/~\":[[5]]}]}");
    struct text         place;
    value_place(&place, top);
    assert_string_equal(place.bytes, "");
    value_place(&place, value_get(value_get(top, "a")->first->next, "b/~")->first->first);
    assert_string_equal(place.bytes, "/a/1/b~1~0/0/0");
    value_place(&place, NULL);
    assert_string_equal(place.bytes, "");
}

static void numbers_are_judged_at_both_ends(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"n\":3,\"s\":\"3\",\"r\":3.5}");
    assert_int_equal(value_int(top, "n", 3, 3, &log_.faults), 3);
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(value_int(top, "n", 4, 9, &log_.faults), 4);
    assert_int_equal(value_int(top, "n", 1, 2, &log_.faults), 1);
    assert_int_equal(value_int(top, "s", 1, 9, &log_.faults), 1);
    assert_int_equal(value_int(top, "r", 1, 9, &log_.faults), 1);
    assert_int_equal(value_int(top, "none", 1, 9, &log_.faults), 1);
    assert_string_equal(log_.seen, "/n is 3, must be at least 4;/n is 3, must be at most 2;"
                                   "/s is a string, must be a whole number;"
                                   "/r is a fraction, must be a whole number;"
                                   "/none is missing, must be a whole number;");
    assert_int_equal(log_.faults.count, 5);
}

static void a_missing_number_may_be_allowed_but_a_wrong_one_is_not(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"n\":12,\"b\":1,\"t\":true}");
    assert_int_equal(value_int_or(top, "none", 1, 9, 77, &log_.faults), 77);
    assert_true(value_bool_or(top, "none", true, &log_.faults));
    assert_true(value_bool_or(top, "t", false, &log_.faults));
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(value_int_or(top, "n", 1, 9, 77, &log_.faults), 1);
    assert_false(value_bool_or(top, "b", false, &log_.faults));
    assert_string_equal(log_.seen, "/n is 12, must be at most 9;"
                                   "/b is a whole number, must be true or false;");
}

static void lists_objects_and_strings_are_told_apart(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"l\":[],\"o\":{},\"s\":\"\",\"z\":null}");
    assert_non_null(value_list(top, "l", &log_.faults));
    assert_non_null(value_object(top, "o", &log_.faults));
    assert_non_null(value_string(top, "s", &log_.faults));
    assert_int_equal(log_.faults.count, 0);
    assert_null(value_list(top, "o", &log_.faults));
    assert_null(value_object(top, "s", &log_.faults));
    assert_null(value_string(top, "z", &log_.faults));
    assert_null(value_list(top, "none", &log_.faults));
    assert_string_equal(log_.seen,
                        "/o is an object, must be a list;/s is a string, must be an object;"
                        "/z is null, must be a string;/none is missing, must be a list;");
}

/* Once something is of the wrong type it has been said, and is not said again for what is inside. */
static void what_is_not_there_is_reported_once(void **unused)
{
    (void) unused;
    const struct value *top = parse("[]");
    assert_int_equal(value_int(NULL, "n", 5, 9, &log_.faults), 5);
    assert_int_equal(value_int(top, "n", 5, 9, &log_.faults), 5);
    assert_null(value_list(NULL, "n", &log_.faults));
    value_only(NULL, (const char *const[]){ NULL }, &log_.faults);
    assert_int_equal(value_word(NULL, (const char *const[]){ "a", NULL }, &log_.faults), -1);
    assert_int_equal(log_.faults.count, 0);
}

static void words_and_keys_not_allowed_are_answered_with_those_that_are(void **unused)
{
    (void) unused;
    static const char *const words[] = { "red", "green", NULL };
    const struct value      *top = parse("{\"red\":\"green\",\"x\":\"blue\",\"green\":3}");
    assert_int_equal(value_word(value_get(top, "red"), words, &log_.faults), 1);
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(value_word(value_get(top, "x"), words, &log_.faults), -1);
    assert_int_equal(value_word(value_get(top, "green"), words, &log_.faults), -1);
    value_only(top, words, &log_.faults);
    assert_string_equal(log_.seen, "/x is \"blue\", must be one of red, green;"
                                   "/green is a whole number, must be one of red, green;"
                                   "/x is not a key here; allowed are red, green;");
}

/* A sentence has 239 bytes: of 24 words of ten bytes, so many fit in beside what tells of the others. */
static void words_that_do_not_fit_are_said_to_be_there(void **unused)
{
    (void) unused;
    char        names[24][11], said[512] = "/x is not a key here; allowed are";
    const char *words[25] = { NULL };
    for (int i = 0; i < 24; i++) {
        (void) snprintf(names[i], sizeof names[i], "ten-bytes%c", 'a' + i);
        words[i] = names[i];
    }
    const struct value *top = parse("{\"x\":1}");
    value_only(top, words, &log_.faults);
    for (int i = 0; i < 16; i++)
        (void) snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s",
                        i == 0 ? " " : ", ", names[i]);
    (void) snprintf(said + strlen(said), sizeof said - strlen(said), " and others;");
    assert_string_equal(log_.seen, said);
    words[16] = NULL; /* All of them do. */
    log_.seen[0] = '\0';
    value_only(top, words, &log_.faults);
    assert_null(strstr(log_.seen, "others"));
    assert_non_null(strstr(log_.seen, names[15]));
}

/* Forty bytes of a word are shown. */
static void a_word_that_is_missing_or_long_is_answered_with_the_words(void **unused)
{
    (void) unused;
    static const char *const words[] = { "red", NULL };
    const struct value      *top =
        parse("{\"a\":\"red\",\"b\":\"0123456789012345678901234567890123456789\","
              "\"c\":\"01234567890123456789012345678901234567890\"}");
    assert_int_equal(value_word_of(top, "a", words, &log_.faults), 0);
    assert_int_equal(value_word_of(NULL, "a", words, &log_.faults), -1);
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(value_word_of(top, "b", words, &log_.faults), -1);
    assert_int_equal(value_word_of(top, "c", words, &log_.faults), -1);
    assert_int_equal(value_word_of(top, "d", words, &log_.faults), -1);
    assert_string_equal(log_.seen,
                        "/b is \"0123456789012345678901234567890123456789\", must be one of red;"
                        "/c is a string of 41 bytes, must be one of red;"
                        "/d is missing, must be one of red;");
}

static void where_no_keys_are_allowed_that_is_said(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"a\":1}");
    value_only(top, (const char *const[]){ NULL }, &log_.faults);
    assert_string_equal(log_.seen, "/a is not a key here; no keys are allowed here;");
}

/* What does not fit into 64 bits is out of every range, and told as it is written. */
static void a_number_beyond_64_bits_is_judged_once(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"n\":99999999999999999999,\"m\":-1e99,\"s\":1e999}");
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(value_int(top, "n", INT64_MIN, INT64_MAX, &log_.faults), INT64_MIN);
    assert_int_equal(value_int(top, "m", INT64_MIN, 9, &log_.faults), INT64_MIN);
    assert_null(value_string(top, "s", &log_.faults));
    assert_string_equal(log_.seen,
                        "/n is 99999999999999999999, must be at most 9223372036854775807;"
                        "/m is -1e99, must be at least -9223372036854775808;"
                        "/s is a whole number, must be a string;");
}

static void of_a_very_long_number_only_its_length_is_told(void **unused)
{
    (void) unused;
    const struct value *top = parse("[1000000000200000000030000000004000000000,"
                                    "10000000002000000000300000000040000000005]");
    (void) value_as_int(top->first, 0, 9, &log_.faults);
    (void) value_as_int(top->first->next, 0, 9, &log_.faults);
    assert_string_equal(log_.seen,
                        "/0 is 1000000000200000000030000000004000000000, must be at most 9;"
                        "/1 is a number of 41 characters, must be at most 9;");
}

static void a_key_has_its_place_among_those_allowed(void **unused)
{
    (void) unused;
    static const char *const keys[] = { "a", "b", NULL };
    const struct value      *top = parse("{\"b\":1,\"c\":1}");
    assert_int_equal(value_key(top->first, keys), 1);
    assert_int_equal(value_key(top->first->next, keys), -1);
}

static void a_choice_is_one_member_and_no_more(void **unused)
{
    (void) unused;
    static const char *const keys[] = { "a", "b", NULL };
    const struct value      *top =
        parse("[{\"b\":7},{},{\"b\":1,\"a\":2},{\"c\":1},{\"a\":1,\"c\":1},4]");
    int                 which;
    const struct value *element = top->first;
    assert_int_equal(value_choice(element, keys, &which, &log_.faults)->number, 7);
    assert_int_equal(which, 1);
    assert_int_equal(log_.faults.count, 0);

    element = element->next;
    assert_null(value_choice(element, keys, &which, &log_.faults));
    assert_int_equal(which, -1);
    element = element->next;
    assert_int_equal(value_choice(element, keys, &which, &log_.faults)->number, 1);
    element = element->next;
    assert_null(value_choice(element, keys, &which, &log_.faults));
    element = element->next;
    assert_int_equal(value_choice(element, keys, &which, &log_.faults)->number, 1);
    assert_int_equal(which, 0);
    assert_null(value_choice(element->next, keys, &which, &log_.faults));
    assert_string_equal(log_.seen, "/1 has 0 keys, must have exactly one of a, b;"
                                   "/2 has 2 keys, must have exactly one of a, b;"
                                   "/3/c is not a key here; allowed are a, b;"
                                   "/4/c is not a key here; allowed are a, b;"
                                   "/5 is a whole number, must be an object;");
}

static void a_sentence_may_hold_two_numbers(void **unused)
{
    (void) unused;
    const struct value *top = parse("{\"l\":[1]}");
    fault_numbers(&log_.faults, top, "l", "has ", 1, ", must have ", -2, " or so");
    assert_string_equal(log_.seen, "/l has 1, must have -2 or so;");
}

static void sameness_looks_through_the_order_of_members_only(void **unused)
{
    (void) unused;
    static const struct {
        const char *one, *other;
        bool        same;
    } table[] = {
        { "{\"a\":1,\"b\":[2,{}]}", "{\"b\":[2.0,{}],\"a\":1}", true },
        { "[1,2]", "[2,1]", false },
        { "[1]", "[1,1]", false },
        { "{\"a\":1}", "{\"b\":1}", false },
        { "{\"a\":1}", "{\"a\":1,\"b\":1}", false },
        { "1", "true", false },
        { "null", "null", true },
        { "\"a\"", "\"b\"", false },
        { "\"\\u0061\"", "\"a\"", true },
        { "2.5", "2.5", true },
        { "2.5", "2.6", false },
        { "1e99", "1e99", true },
        { "1e99", "1e98", false },
        { "9223372036854775807", "1e99", false },
        { "true", "false", false },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct value *one = parse(table[i].one);
        if (value_same(one, parse(table[i].other)) != table[i].same)
            fail_msg("%s and %s", table[i].one, table[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(places_are_json_pointers, setup),
        cmocka_unit_test_setup(numbers_are_judged_at_both_ends, setup),
        cmocka_unit_test_setup(a_missing_number_may_be_allowed_but_a_wrong_one_is_not, setup),
        cmocka_unit_test_setup(lists_objects_and_strings_are_told_apart, setup),
        cmocka_unit_test_setup(what_is_not_there_is_reported_once, setup),
        cmocka_unit_test_setup(words_that_do_not_fit_are_said_to_be_there, setup),
        cmocka_unit_test_setup(words_and_keys_not_allowed_are_answered_with_those_that_are, setup),
        cmocka_unit_test_setup(a_word_that_is_missing_or_long_is_answered_with_the_words, setup),
        cmocka_unit_test_setup(where_no_keys_are_allowed_that_is_said, setup),
        cmocka_unit_test_setup(a_number_beyond_64_bits_is_judged_once, setup),
        cmocka_unit_test_setup(of_a_very_long_number_only_its_length_is_told, setup),
        cmocka_unit_test_setup(a_key_has_its_place_among_those_allowed, setup),
        cmocka_unit_test_setup(a_choice_is_one_member_and_no_more, setup),
        cmocka_unit_test_setup(a_sentence_may_hold_two_numbers, setup),
        cmocka_unit_test_setup(sameness_looks_through_the_order_of_members_only, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
