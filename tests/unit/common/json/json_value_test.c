/* json_value_test.c: a set-up's text becomes the tree it says, or is refused at the right place. */
#include "common/base/fault_log.h"
#include "json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint8_t     *memory;
static struct arena arena;

static struct fault_log log_;

static const struct value *parse_bytes(const char *text, size_t size)
{
    fault_log_begin(&log_);
    arena_init(&arena, memory, JSON_VALUE_BYTES(size));
    return json_value(text, size, &arena, &log_.faults);
}

static const struct value *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static int setup(void **unused)
{
    (void) unused;
    memory = malloc(JSON_VALUE_BYTES(65536));
    return memory == NULL;
}

static int teardown(void **unused)
{
    (void) unused;
    free(memory);
    return 0;
}

static void a_tree_says_what_the_text_says(void **unused)
{
    (void) unused;
    const struct value *top = parse(
        " { \"list\" : [ 1 , -20,true,false , null, \"text\", {} , [] ],\n\t\"last\": \"\" } ");
    assert_non_null(top);
    assert_int_equal(log_.faults.count, 0);
    assert_int_equal(top->kind, VALUE_OBJECT);
    assert_int_equal(top->count, 2);

    const struct value   *list = value_get(top, "list");
    const enum value_kind kinds[] = { VALUE_INT,  VALUE_INT,    VALUE_BOOL,   VALUE_BOOL,
                                      VALUE_NULL, VALUE_STRING, VALUE_OBJECT, VALUE_LIST };
    const int64_t         numbers[] = { 1, -20, 1, 0, 0, 0, 0, 0 };
    assert_int_equal(list->count, 8);
    uint32_t i = 0;
    for (const struct value *child = list->first; child != NULL; child = child->next, i++) {
        assert_int_equal(child->kind, kinds[i]);
        assert_int_equal(child->number, numbers[i]);
        assert_int_equal(child->index, i);
        assert_ptr_equal(child->parent, list);
    }
    assert_int_equal(i, 8);
    assert_true(value_is(list->first->next->next->next->next->next, "text"));
    assert_true(value_is(value_get(top, "last"), ""));
    assert_int_equal(value_get(top, "last")->index, 1);
}

static void a_top_may_be_anything(void **unused)
{
    (void) unused;
    assert_int_equal(parse("7")->number, 7);
    assert_int_equal(parse("null")->kind, VALUE_NULL);
    assert_true(value_is(parse("\"a\""), "a"));
}

static void a_number_counts_as_whole_if_it_is(void **unused)
{
    (void) unused;
    static const struct {
        const char *text;
        int64_t     number;
    } whole[] = {
        { "0", 0 },
        { "-0", 0 },
        { "-0.0", 0 },
        { "2.0", 2 },
        { "2.000", 2 },
        { "2e3", 2000 },
        { "-2E+3", -2000 },
        { "2.5e1", 25 },
        { "12.50e1", 125 },
        { "1200e-2", 12 },
        { "0.003e3", 3 },
        { "0e300", 0 },
        { "9007199254740993", 9007199254740993 },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
        { "9223372036854775807.0", INT64_MAX },
        { "922337203685477580.7e1", INT64_MAX },
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct value *value = parse(whole[i].text);
        assert_non_null(value);
        assert_int_equal(log_.faults.count, 0);
        if (value->kind != VALUE_INT || value->number != whole[i].number)
            fail_msg("%s became %lld", whole[i].text, (long long) value->number);
    }
    static const char *const broken[] = { "2.5",      "-0.1",
                                          "1e-1",     "2.0000000000000000000001",
                                          "12345e-5", "9007199254740993.5" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const struct value *value = parse(broken[i]);
        assert_non_null(value);
        assert_int_equal(log_.faults.count, 0);
        if (value->kind != VALUE_REAL)
            fail_msg("%s counts as whole", broken[i]);
        assert_true(text_is(value->text, value->text_size, broken[i]));
    }
}

/* The reader of the value knows what is allowed, and judges it. */
static void a_number_beyond_64_bits_is_kept_as_it_is_written(void **unused)
{
    (void) unused;
    static const char *const beyond[] = { "{\"a\":[0,{\"b\":9223372036854775808}]}",
                                          "{\"a\":[0,{\"b\":-9223372036854775809}]}",
                                          "{\"a\":[0,{\"b\":1e19}]}",
                                          "{\"a\":[0,{\"b\":123456789012345678901234567890}]}" };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        const struct value *top = parse(beyond[i]);
        assert_non_null(top);
        assert_int_equal(log_.faults.count, 0);
        const struct value *number = top->first->first->next->first;
        assert_int_equal(number->kind, VALUE_INT);
        assert_true(number->beyond);
        assert_int_equal(number->number, i == 1 ? INT64_MIN : INT64_MAX);
        assert_memory_equal(number->text, strchr(beyond[i], 'b') + 3, number->text_size);
    }
}

static void every_duplicate_key_is_reported(void **unused)
{
    (void) unused;
    const struct value *top =
        parse("{\"a\":1,\"b\":{\"c\":1,\"c\":2,\"d\":0,\"c\":3},\"\\u0061\":{\"e\":1,\"e\":1}}");
    assert_non_null(top);
    assert_int_equal(log_.faults.count, 4);
    assert_int_equal(value_get(top, "a")->number, 1);
#define TWICE " is there more than once; each key may stand once in an object;"
    assert_string_equal(log_.seen, "/b/c" TWICE "/b/c" TWICE "/a/e" TWICE "/a" TWICE);
    assert_non_null(parse("{\"a\":1,\"A\":1,\"aa\":1,\"\":1}"));
    assert_int_equal(log_.faults.count, 0);
}

static void escapes_are_resolved(void **unused)
{
    (void) unused;
    const struct value *value = parse("{\"k\\u00e4\\/\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t "
                                      "\\u00E4\\u20ac\\ud83e\\udddf\\u0041 \xc3\xb6\"}");
    assert_non_null(value);
    assert_int_equal(log_.faults.count, 0);
    assert_true(value_is(value_get(value, "k\xc3\xa4/"),
                         "\"\\/\b\f\n\r\t \xc3\xa4\xe2\x82\xac\xf0\x9f\xa7\x9f"
                         "A \xc3\xb6"));
}

static void a_place_escapes_what_a_pointer_must(void **unused)
{
    (void) unused;
    parse("{\"a/b~c\":[\"\\u0000\"]}");
    assert_memory_equal(log_.seen, "/a~1b~0c/0 has", 14);
}

static void bad_syntax_is_refused_with_line_and_column(void **unused)
{
    (void) unused;
    static const struct {
        const char *text, *where;
    } bad[] = {
        { "{\n  \"a\": 1,\n}", " line 3, column 1: " },
        { "[1,]", " line 1, column 4: " },
        { "[1 2]", " line 1, column 4: " },
        { "{\"a\" 1}", " line 1, column 6: " },
        { "{} {}", " line 1, column 4: " },
        { "[01]", " line 1, column " },
        { "[+1]", " line 1, column " },
        { "[.5]", " line 1, column " },
        { "[NaN]", " line 1, column " },
        { "{a:1}", " line 1, column " },
        { "['a']", " line 1, column " },
        { "[1] // no", " line 1, column " },
        { "[\"a\nb\"]", " line 1, column " },
        { "[\"a", " line 1, column " },
        { "[\n\n[[]", " line 3, column " },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(parse(bad[i].text));
        assert_int_equal(log_.faults.count, 1);
        if (strncmp(log_.seen, bad[i].where, strlen(bad[i].where)) != 0)
            fail_msg("%s was answered with %s", bad[i].text, log_.seen);
    }
}

static void strings_with_nul_or_bad_utf8_are_refused(void **unused)
{
    (void) unused;
    static const char *const bad[] = {
        "[\"\xff\"]",
        "[\"\xc3\"]",
        "[\"\xc0\xaf\"]",
        "[\"\xed\xa0\x80\"]",
        "[\"\xf4\x90\x80\x80\"]",
        "{\"\xff\":1}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parse(bad[i]) != NULL)
            fail_msg("text %zu was taken", i);
        assert_int_equal(log_.faults.count, 1);
    }
    assert_null(parse_bytes("[\"a\0b\"]", 7));
    assert_null(parse_bytes("[1]\0", 4));
    assert_null(parse_bytes("\0", 1));
    assert_null(parse_bytes("[\0]", 3));
}

static void nesting_is_borne_to_32(void **unused)
{
    (void) unused;
    char text[80] = { 0 };
    memset(text, '[', 32);
    memset(text + 32, ']', 32);
    assert_non_null(parse(text));
    assert_int_equal(log_.faults.count, 0);

    memset(text, '[', 33);
    memset(text + 33, ']', 33);
    assert_null(parse(text));
    assert_string_equal(log_.seen, " line 1, column 33: lists and objects nest deeper than 32, "
                                   "which is the most allowed;");
    assert_non_null(parse("\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[[[[[\""));
}

/* Texts of 64 KiB made to cost as much as can be: each must find room and an end. */
static void hostile_texts_find_room(void **unused)
{
    (void) unused;
    static const char *const pieces[] = { "1,", "[],", "\"\",", "{},", "\"\\n\"," };
    static char              text[65536];
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t size = 0, piece = strlen(pieces[k]);
        text[size++] = '[';
        while (size + piece + 2 < sizeof text) {
            memcpy(text + size, pieces[k], piece);
            size += piece;
        }
        text[size++] = '1';
        text[size++] = ']';
        const struct value *top = parse_bytes(text, size);
        assert_non_null(top);
        assert_int_equal(log_.faults.count, 0);
        assert_int_equal(top->count, (size - 3) / piece + 1);
    }
    size_t size = 0;
    text[size++] = '{';
    while (size + 8 < sizeof text) {
        memcpy(text + size, "\"\\n\":1,", 7);
        size += 7;
    }
    memcpy(text + size, "\"a\":1}", 6);
    log_.seen[0] = '\0';
    assert_non_null(parse_bytes(text, size + 6 <= sizeof text ? size + 6 : 0));
    assert_int_equal(log_.faults.count, (size - 1) / 7 - 1);
}

static void too_small_an_arena_is_a_fault(void **unused)
{
    (void) unused;
    for (size_t room = 0; room < 1000; room += 16) {
        fault_log_begin(&log_);
        arena_init(&arena, memory, room);
        const char *text = "{\"a\":[1,2,{\"b\":\"\\n\"}],\"c\":null,\"d\":[[]]}";
        if (json_value(text, strlen(text), &arena, &log_.faults) == NULL)
            assert_string_equal(log_.seen, " has more values than there is memory for one set-up;");
        else
            assert_int_equal(log_.faults.count, 0);
    }
    assert_int_equal(log_.faults.count, 0); /* The last one had room. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_says_what_the_text_says),
        cmocka_unit_test(a_top_may_be_anything),
        cmocka_unit_test(a_number_counts_as_whole_if_it_is),
        cmocka_unit_test(a_number_beyond_64_bits_is_kept_as_it_is_written),
        cmocka_unit_test(every_duplicate_key_is_reported),
        cmocka_unit_test(escapes_are_resolved),
        cmocka_unit_test(a_place_escapes_what_a_pointer_must),
        cmocka_unit_test(bad_syntax_is_refused_with_line_and_column),
        cmocka_unit_test(strings_with_nul_or_bad_utf8_are_refused),
        cmocka_unit_test(nesting_is_borne_to_32),
        cmocka_unit_test(hostile_texts_find_room),
        cmocka_unit_test(too_small_an_arena_is_a_fault),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
