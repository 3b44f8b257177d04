/* waits_test.c: time runs out when it does, is said until it is heard, and never for an old wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/watchdog/watched.h"

#define NOBODY 0u
#define NO_CLOCK UINT64_MAX

static struct watched watched;

static int a_watchdog(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    settings.waits_max = 8;
    settings.expires_max = 4;
    watched_begin(&watched, &settings, NULL);
    return 0;
}

static int is_over(void **unused)
{
    (void) unused;
    watched_end(&watched);
    return 0;
}

static uint32_t waits(void)
{
    return watchdog_facts(watched.watchdog).waits;
}

static void expire_is_said_when_time_has_run_out_and_not_before(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_2, 7, 3, 2000, 1, false);
    watched_wait(&watched, 1999, NOBODY);
    assert_int_equal(watched.expires, 0);
    watched_wait(&watched, 1, NOBODY);
    assert_int_equal(watched.expires, 1);
    assert_int_equal(watched.expired_wait, 3);
    assert_int_equal(watched.expired_seats, 1u << 1 | 1u << 3);
    assert_int_equal(watched.expired_peer, ENGINE_2);
    assert_int_equal(watched.expired_match[0], 7);
}

/* A wait has the number of an act, so whoever names a lower one has lost acts; of one owner it is only late. */
static void a_new_owner_whose_wait_went_back_is_an_alarm(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 749, 60000, 1, false);
    watched_name(&watched, ENGINE_1, 7, 733, 60000, 1, false);
    watched_name(&watched, ENGINE_2, 7, 749, 60000, 2, false);
    assert_false(watched_was_told(&watched, "match_set_back"));
    watched_name(&watched, ENGINE_1, 7, 733, 60000, 3, false);
    assert_true(watched_was_told(&watched, "match_set_back"));
}

static void expire_is_repeated_until_the_wait_changes(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 3, 100, 1, false);
    watched_wait(&watched, 100 + 500 + 1000, NOBODY);
    assert_int_equal(watched.expires, 3);
    watched_name(&watched, ENGINE_1, 7, 4, 60000, 1, false);
    watched_wait(&watched, 30000, NOBODY);
    assert_int_equal(watched.expires, 3);
    watched_wait(&watched, 30000, NOBODY);
    assert_int_equal(watched.expires, 4);
    assert_int_equal(watched.expired_wait, 4);
}

static void who_never_answers_is_given_up_until_the_engine_repeats_the_wait(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 3, 100, 1, false);
    watched_wait(&watched, 60000, NOBODY);
    assert_int_equal(watched.expires, 4);
    assert_int_equal(waits(), 0);
    assert_int_equal(watchdog_facts(watched.watchdog).given_up, 1);
    watched_name(&watched, ENGINE_1, 7, 3, 0, 1, false);
    watched_wait(&watched, 100, NOBODY);
    assert_int_equal(watched.expires, 5);
}

static void a_repeated_wait_does_not_put_the_end_off(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 3, 1000, 1, false);
    watched_wait(&watched, 500, NOBODY);
    watched_name(&watched, ENGINE_1, 7, 3, 900, 1, false); /* Was 400 ms on its way. */
    watched_wait(&watched, 500, NOBODY);
    assert_int_equal(watched.expires, 1);
    watched_name(&watched, ENGINE_1, 7, 3, 0, 1, false); /* Still open; Expire is on its way. */
    watched_wait(&watched, 400, NOBODY);
    assert_int_equal(watched.expires, 1);
}

static void a_later_owner_begins_the_clock_anew(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 3, 1000, 1, false);
    watched_wait(&watched, 900, NOBODY);
    watched_name(&watched, ENGINE_2, 7, 3, 1000, 2, false);
    watched_wait(&watched, 900, NOBODY);
    assert_int_equal(watched.expires, 0);
    watched_name(&watched, ENGINE_1, 7, 9, 0, 1, false); /* The old one, woken. */
    watched_wait(&watched, 99, NOBODY);
    assert_int_equal(watched.expires, 0);
    assert_int_equal(watchdog_facts(watched.watchdog).old_epochs, 1);
    watched_wait(&watched, 1, NOBODY);
    assert_int_equal(watched.expired_peer, ENGINE_2);
}

static void a_wait_that_was_overtaken_is_dropped(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 5, 1000, 1, false);
    watched_name(&watched, ENGINE_1, 7, 4, 0, 1, false);
    watched_wait(&watched, 999, NOBODY);
    assert_int_equal(watched.expires, 0);
    watched_wait(&watched, 1, NOBODY);
    assert_int_equal(watched.expired_wait, 5);
}

static void a_wait_without_a_clock_ends_the_one_before(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 7, 5, 1000, 1, false);
    watched_name(&watched, ENGINE_1, 7, 6, NO_CLOCK, 1, false);
    assert_int_equal(waits(), 0);
    watched_wait(&watched, 5000, NOBODY);
    assert_int_equal(watched.expires, 0);
}

static void what_a_whole_list_does_not_name_is_over(void **unused)
{
    (void) unused;
    watched_name(&watched, ENGINE_1, 1, 1, 1000, 1, false);
    watched_name(&watched, ENGINE_2, 2, 1, 1000, 1, false);
    watched_name(&watched, ENGINE_1, 3, 1, 1000, 1, true);
    assert_int_equal(waits(), 2); /* The other engine's stays. */
    watched_wait(&watched, 1000, NOBODY);
    assert_int_equal(watched.expires, 2);
}

static void what_finds_no_room_is_told_to_people_and_not_lost(void **unused)
{
    (void) unused;
    for (uint8_t match = 1; match <= 9; match++)
        watched_name(&watched, ENGINE_1, match, 1, 1000, 1, false);
    assert_int_equal(waits(), 8);
    assert_true(watched_was_told(&watched, "waits_full"));
    watched_name(&watched, ENGINE_1, 1, 2, NO_CLOCK, 1, false);
    assert_true(watched_was_told(&watched, "-waits_full"));
    watched_name(&watched, ENGINE_1, 9, 1, 0, 1, false); /* As engines do each ten seconds. */
    watched_wait(&watched, 100, NOBODY);
    assert_int_equal(watched.expired_match[0], 9);
}

static void somebody_elses_waits_are_not_heard(void **unused)
{
    (void) unused;
    watched_name(&watched, PEERS_LOBBY, 7, 3, 0, 1, false);
    watched_name(&watched, NO_PEER, 7, 3, 0, 1, false);
    watched_wait(&watched, 1000, NOBODY);
    assert_int_equal(watched.expires, 0);
}

/* Random waits, repeats, new waits and ends; the model is what an engine would know. */
static void whatever_engines_say_each_deadline_is_met_and_none_early(void **unused)
{
    (void) unused;
    uint64_t due_ms[8] = { 0 }, wait[8] = { 0 }, luck = 1;
    for (uint32_t i = 0; i < 5000; i++) {
        luck = luck * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint8_t  match = (uint8_t) (luck >> 33) % 8;
        uint64_t left_ms = (luck >> 40) % 3000 + 1;
        if ((luck >> 60) < 6) {
            wait[match]++;
            due_ms[match] = watched.now_ms + left_ms;
            watched_name(&watched, ENGINE_1, match, wait[match], left_ms, 1, false);
        } else if (due_ms[match] > watched.now_ms) {
            watched_name(&watched, ENGINE_1, match, wait[match], due_ms[match] - watched.now_ms, 1,
                         false);
        }
        watched_clear(&watched);
        watched_wait(&watched, (luck >> 50) % 100 + 1, NOBODY);
        for (uint32_t at = 0; at < 8; at++) {
            if (due_ms[at] == 0 || due_ms[at] > watched.now_ms)
                continue;
            assert_true(watched.expires-- > 0);
            due_ms[at] = 0;
            watched_name(&watched, ENGINE_1, (uint8_t) at, ++wait[at], NO_CLOCK, 1, false);
        }
        assert_int_equal(watched.expires, 0);
    }
}

static void a_million_waits_take_what_is_said(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    settings.waits_max = 1000000;
    assert_true(watchdog_bytes(&settings) < 120u << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_watchdog, is_over)
        STORY(expire_is_said_when_time_has_run_out_and_not_before),
        STORY(expire_is_repeated_until_the_wait_changes),
        STORY(a_new_owner_whose_wait_went_back_is_an_alarm),
        STORY(who_never_answers_is_given_up_until_the_engine_repeats_the_wait),
        STORY(a_repeated_wait_does_not_put_the_end_off),
        STORY(a_later_owner_begins_the_clock_anew),
        STORY(a_wait_that_was_overtaken_is_dropped),
        STORY(a_wait_without_a_clock_ends_the_one_before),
        STORY(what_a_whole_list_does_not_name_is_over),
        STORY(what_finds_no_room_is_told_to_people_and_not_lost),
        STORY(somebody_elses_waits_are_not_heard),
        STORY(whatever_engines_say_each_deadline_is_met_and_none_early),
        cmocka_unit_test(a_million_waits_take_what_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
