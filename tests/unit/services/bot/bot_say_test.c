/* bot_say_test.c: a bot that can do nothing gets up, and says in the log which seat that was and why. */
#include "services/bot/bot_rig.h"

/* It has got up, said so and why, and never asks again. */
static void expect_given_up(const char *why)
{
    struct header question;
    assert_non_null(
        strstr(logged.bytes, "match 3d000000000000000000000000000000, seat 2: refused"));
    assert_non_null(strstr(logged.bytes, "8 times at act 1"));
    assert_non_null(strstr(logged.bytes, why));
    assert_int_equal(bot_facts(bot).given_up, 1);
    assert_int_equal(bot_facts(bot).seats, 0);
    expect_leave();
    for (uint32_t i = 0; i < 10; i++)
        wait(1000);
    assert_false(has_asked(&question));
}

static void who_is_refused_looks_again_but_not_for_ever(void **unused)
{
    (void) unused;
    uint32_t      heap, count, tries = 0;
    struct header question;
    sit_down("random");
    for (; tries < 8; tries++) {
        wait(300);
        assert_true(has_asked(&question));
        assert_int_equal(logged.size, 0);
        say_legal(&question, true, false);
        struct header command = expect_take(&heap, &count);
        refused(&command);
    }
    assert_int_equal(bot_facts(bot).refused, 8);
    expect_given_up("There are not so many counters.");
}

/* The seat may be another's by now, or the engine is not sound. */
static void who_is_not_told_what_he_may_do_gets_up(void **unused)
{
    (void) unused;
    Arbiter__Wire__Refused refusal = ARBITER__WIRE__REFUSED__INIT;
    struct header          question;
    sit_down("greedy");
    refusal.has_refusal = true;
    refusal.refusal = REFUSAL(MALFORMED);
    refusal.sentence = (char *) "Nobody understands this.";
    for (uint32_t tries = 0; tries < 8; tries++) {
        wait(300);
        assert_true(has_asked(&question));
        question.kind = KIND(REFUSED);
        hear(ENGINE, &question, &refusal);
    }
    expect_given_up("Nobody understands this.");
}

static void who_has_nothing_to_choose_from_gets_up(void **unused)
{
    (void) unused;
    Arbiter__Engine__LegalAnswer nothing = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    struct header                question;
    sit_down("random");
    nothing.has_number = nothing.has_wait = true;
    nothing.number = nothing.wait = 1;
    for (uint32_t tries = 0; tries < 8; tries++) {
        wait(300);
        assert_true(has_asked(&question));
        question.kind = KIND(LEGAL_ANSWER);
        hear(ENGINE, &question, &nothing);
    }
    expect_given_up("nothing that it may do");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_is_refused_looks_again_but_not_for_ever),
        TEST(who_is_not_told_what_he_may_do_gets_up),
        TEST(who_has_nothing_to_choose_from_gets_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
