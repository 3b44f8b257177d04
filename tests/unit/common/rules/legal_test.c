/* legal_test.c: counting, picking and finding agree with each other on any list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "luck.h"
#include "rules/legal.h"

#define PATTERNS 6
#define VALUES 64

static struct pattern patterns[PATTERNS];
static word           values[VALUES];
static struct legal   list = {
      .pattern = patterns, .value = values, .patterns_max = PATTERNS, .values_max = VALUES
};

static struct command command_of(uint32_t kind, word first, word second)
{
    struct command command = { .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    command.arg[0] = first;
    command.arg[1] = second;
    return command;
}

/* take {10, 20} x {1, 2, 3}; pass; give {7}. */
static int fill_the_list(void **unused)
{
    (void) unused;
    legal_clear(&list);
    uint32_t counts = legal_value(&list, 1);
    legal_value(&list, 2);
    legal_value(&list, 3);
    struct pattern_arg count = legal_since(&list, counts);
    uint32_t           heaps = legal_value(&list, 10);
    legal_value(&list, 20);
    struct pattern *take = legal_pattern(&list, 1, 2);
    take->arg[0] = legal_since(&list, heaps);
    take->arg[1] = count;
    legal_pattern(&list, 2, 0);
    struct pattern *give = legal_pattern(&list, 3, 1);
    give->arg[0] = legal_one(&list, 7);
    return 0;
}

static void an_empty_list_counts_and_has_nothing(void **unused)
{
    (void) unused;
    struct command pass = command_of(2, ABSENT, ABSENT);
    legal_clear(&list);
    assert_int_equal(legal_count(&list), 0);
    assert_false(legal_has(&list, &pass));
}

static void a_list_stands_for_all_combinations(void **unused)
{
    (void) unused;
    assert_int_equal(legal_count(&list), 2 * 3 + 1 + 1);
}

/* The last argument turns fastest, as digits do. */
static void commands_are_picked_in_order(void **unused)
{
    (void) unused;
    const struct command expected[] = {
        command_of(1, 10, 1),          command_of(1, 10, 2),     command_of(1, 10, 3),
        command_of(1, 20, 1),          command_of(1, 20, 2),     command_of(1, 20, 3),
        command_of(2, ABSENT, ABSENT), command_of(3, 7, ABSENT),
    };
    for (uint64_t k = 0; k < legal_count(&list); k++) {
        struct command picked;
        memset(&picked, 0xa5, sizeof picked);
        legal_pick(&list, k, &picked);
        assert_int_equal(picked.kind, expected[k].kind);
        assert_null(picked.text);
        assert_int_equal(picked.text_size, 0);
        assert_memory_equal(picked.arg, expected[k].arg, sizeof picked.arg);
    }
}

static void what_is_almost_listed_is_not(void **unused)
{
    (void) unused;
    struct command       spoken = command_of(2, ABSENT, ABSENT);
    const struct command almost[] = {
        command_of(1, 30, 1),      command_of(1, 10, 4), command_of(1, 1, 10),
        command_of(1, 10, ABSENT), command_of(2, 10, 1), command_of(2, ABSENT, 0),
        command_of(3, ABSENT, 7),  command_of(3, 7, 0),  command_of(4, 7, ABSENT),
        command_of(0, 7, ABSENT),
    };
    for (uint32_t i = 0; i < sizeof almost / sizeof almost[0]; i++)
        assert_false(legal_has(&list, &almost[i]));
    assert_true(legal_has(&list, &spoken));
    spoken.text = (const uint8_t *) "!";
    spoken.text_size = 1;
    assert_false(legal_has(&list, &spoken));
}

/* A list of random patterns, one kind each. Returns how many commands it should stand for. */
static uint64_t fill_at_random(struct luck *luck)
{
    uint64_t expected = 0;
    legal_clear(&list);
    for (uint32_t kind = 1; kind <= PATTERNS; kind++) {
        struct pattern *pattern = legal_pattern(&list, kind, luck_below(luck, 4));
        uint64_t        product = 1;
        for (uint32_t arg = 0; arg < pattern->args; arg++) {
            uint32_t first = list.values;
            for (uint32_t more = 1 + luck_below(luck, 3); more > 0; more--)
                legal_value(&list, 100 * (word) kind + list.values);
            pattern->arg[arg] = legal_since(&list, first);
            product *= pattern->arg[arg].count;
        }
        expected += product;
    }
    return expected;
}

static void whatever_is_picked_is_had_once(void **unused)
{
    (void) unused;
    struct luck luck = { 1 };
    for (uint32_t round = 0; round < 200; round++) {
        uint64_t expected = fill_at_random(&luck);
        assert_int_equal(legal_count(&list), expected);
        struct command last = { 0 };
        for (uint64_t k = 0; k < expected; k++) {
            struct command picked;
            legal_pick(&list, k, &picked);
            assert_true(legal_has(&list, &picked));
            assert_true(k == 0 || memcmp(&picked, &last, sizeof last) != 0);
            last = picked;
            picked.kind = PATTERNS + 1;
            assert_false(legal_has(&list, &picked));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_counts_and_has_nothing),
        cmocka_unit_test_setup(a_list_stands_for_all_combinations, fill_the_list),
        cmocka_unit_test_setup(commands_are_picked_in_order, fill_the_list),
        cmocka_unit_test_setup(what_is_almost_listed_is_not, fill_the_list),
        cmocka_unit_test(whatever_is_picked_is_had_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
