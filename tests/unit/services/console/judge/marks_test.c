/* marks_test.c: how checks become points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/judge/marks.h"

static struct marks marks;

static int begin(void **unused)
{
    (void) unused;
    memset(&marks, 0, sizeof marks);
    marks.topics = (1u << DEAD_TOPICS) - 1;
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    marks_close(&marks);
    return 0;
}

static void check(enum check_state state, uint32_t topics, enum dead_topic topic)
{
    struct check *one = marks_add(&marks, "game");
    one->topics = topics;
    one->difference.cause.topic = topic;
    marks_decide(&marks, one, state);
}

#define RULES (1u << DEAD_TOPIC_RULES)
#define DICE (1u << DEAD_TOPIC_DICE)

static void what_agrees_counts_for_each_of_its_topics(void **unused)
{
    (void) unused;
    check(CHECK_PASSED, RULES | DICE, 0);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_RULES).passed, 1);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_DICE).passed, 1);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_CLOCK).most, 0);
    assert_int_equal(marks_all(&marks).most, 50);
    assert_float_equal(marks_all(&marks).points, 50, 0);
}

static void what_differs_counts_against_one_topic_and_for_none(void **unused)
{
    (void) unused;
    check(CHECK_PASSED, RULES | DICE, 0);
    check(CHECK_FAILED, RULES | DICE, DEAD_TOPIC_DICE);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_RULES).passed, 1);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_RULES).failed, 0);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_DICE).failed, 1);
    assert_float_equal(marks_of(&marks, DEAD_TOPIC_DICE).points, 5, 0);
    assert_float_equal(marks_all(&marks).points, 45, 0);
}

/* One in a thousand is not rounded away. */
static void full_marks_are_for_no_difference_at_all(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 999; i++)
        check(CHECK_PASSED, RULES, 0);
    check(CHECK_FAILED, RULES, DEAD_TOPIC_RULES);
    assert_float_equal(marks_of(&marks, DEAD_TOPIC_RULES).points, 39.9, 1e-9);
}

static void what_does_not_show_again_costs_nothing(void **unused)
{
    (void) unused;
    check(CHECK_PASSED, RULES, 0);
    check(CHECK_UNSTEADY, RULES, DEAD_TOPIC_RULES);
    assert_int_equal(marks.unsteady, 1);
    assert_float_equal(marks_of(&marks, DEAD_TOPIC_RULES).points, 40, 0);
}

/* Or a server that differs at once in all games would lose the points of one topic only. */
static void a_topic_that_no_game_reaches_has_none_of_its_points(void **unused)
{
    (void) unused;
    check(CHECK_FAILED, RULES | DICE, DEAD_TOPIC_RULES);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_DICE).most, 10);
    assert_float_equal(marks_of(&marks, DEAD_TOPIC_DICE).points, 0, 0);
    assert_int_equal(marks_all(&marks).most, 50);
}

static void a_topic_that_is_not_judged_has_no_points(void **unused)
{
    (void) unused;
    marks.topics = RULES;
    check(CHECK_PASSED, RULES | DICE, 0);
    assert_int_equal(marks_of(&marks, DEAD_TOPIC_DICE).most, 0);
    assert_int_equal(marks_all(&marks).most, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_agrees_counts_for_each_of_its_topics, begin, end),
        cmocka_unit_test_setup_teardown(what_differs_counts_against_one_topic_and_for_none, begin,
                                        end),
        cmocka_unit_test_setup_teardown(full_marks_are_for_no_difference_at_all, begin, end),
        cmocka_unit_test_setup_teardown(what_does_not_show_again_costs_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_topic_that_no_game_reaches_has_none_of_its_points, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_topic_that_is_not_judged_has_no_points, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
