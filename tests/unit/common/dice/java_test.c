/* java_test.c: our java dice against 308 draws recorded from a real java.util.Random (Java 17). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"

#define RECORDING ARBITER_SOURCE "/tests/unit/common/dice/java-util-random.jsonl"
#define LIST_MAX 128
#define RECORDED_LINES 308

static int32_t as_java_int(uint32_t bits)
{
    int32_t number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void check_ints(struct dice *dice, const json_t *bound, const json_t *gives)
{
    size_t  i;
    json_t *given;
    json_array_foreach(gives, i, given)
    {
        int64_t drawn = json_is_null(bound)
                            ? as_java_int(dice_bits(dice, 32))
                            : (int64_t) draw_below(dice, (uint32_t) json_integer_value(bound));
        assert_int_equal(drawn, json_integer_value(given));
    }
}

static void check_list(const uint16_t *list, const json_t *gives)
{
    size_t  i;
    json_t *given;
    json_array_foreach(gives, i, given) assert_int_equal(list[i], json_integer_value(given));
}

static void fill(uint16_t *list, size_t count)
{
    assert_true(count <= LIST_MAX);
    for (size_t i = 0; i < count; i++)
        list[i] = (uint16_t) i;
}

/* One line: some nextInt, a shuffle with the nextInt(6) after it, or the one mixed sequence. */
static void check_line(const json_t *line)
{
    struct dice   dice;
    uint16_t      list[LIST_MAX];
    const json_t *gives = json_object_get(line, "gives");
    const json_t *next = json_object_get(line, "next");
    long long     seed = strtoll(json_string_value(json_object_get(line, "seed")), NULL, 10);

    dice_java(&dice, (uint64_t) seed);
    if (json_object_get(line, "nextInt") != NULL) {
        check_ints(&dice, json_object_get(line, "nextInt"), gives);
    } else if (json_object_get(line, "shuffle") != NULL) {
        fill(list, json_array_size(gives));
        draw_shuffle(&dice, list, (uint32_t) json_array_size(gives));
        check_list(list, gives);
        assert_int_equal(draw_below(&dice, 6), json_integer_value(next));
    } else {
        assert_non_null(json_object_get(line, "sequence"));
        fill(list, 10);
        draw_shuffle(&dice, list, 10);
        draw_below(&dice, 12);
        draw_shuffle(&dice, list, 10);
        check_list(list, gives);
        assert_int_equal(draw_below(&dice, 6) + 1, json_integer_value(next));
    }
}

static void every_recorded_draw_comes_again(void **unused)
{
    (void) unused;
    FILE    *file = fopen(RECORDING, "r");
    char     text[8192];
    uint32_t lines = 0;

    assert_non_null(file);
    while (fgets(text, sizeof text, file) != NULL) {
        json_t *line = json_loads(text, 0, NULL);
        assert_non_null(line);
        check_line(line);
        json_decref(line);
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, RECORDED_LINES);
}

/* new Random(0).nextLong() and new Random(42).nextLong(), known to every Java programmer. */
static void a_long_is_next_long_on_either_stream(void **unused)
{
    (void) unused;
    struct dice dice;
    dice_java(&dice, 0);
    assert_true(dice_u64(&dice, 0) == (uint64_t) -4962768465676381896LL);
    assert_true(dice_u64(&dice, 1) == UINT64_C(0x3d93cb799b3970be));
    dice_java(&dice, 42);
    assert_true(dice_u64(&dice, 1) == (uint64_t) -5025562857975149833LL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_draw_comes_again),
        cmocka_unit_test(a_long_is_next_long_on_either_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
