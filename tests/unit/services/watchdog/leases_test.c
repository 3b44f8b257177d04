/* leases_test.c: a slot moves only if nobody hears its holder and nobody renews its row, and two watchdogs do
 * no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/watchdog/watched.h"

#define NOBODY 0u
#define ONE (1u << ENGINE_1)
#define TWO (1u << ENGINE_2)
#define BOTH (ONE | TWO)

static struct watched      first, second;
static struct watched_rows rows;

static int two_watchdogs_on_one_store(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    memset(&rows, 0, sizeof rows);
    watched_begin(&first, &settings, &rows);
    watched_begin(&second, &settings, &rows);
    return 0;
}

static int are_over(void **unused)
{
    (void) unused;
    watched_end(&first);
    watched_end(&second);
    return 0;
}

static uint32_t held_by(const char *engine)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        count += rows.is_there[slot] && strcmp(rows.engine[slot], engine) == 0;
    return count;
}

static void at_the_start_slots_are_shared_out_evenly(void **unused)
{
    (void) unused;
    watched_wait(&first, 2000, BOTH);
    assert_int_equal(held_by("engine-1") + held_by("engine-2"), 0); /* All may beat first. */
    watched_wait(&first, 3000, BOTH);
    assert_int_equal(held_by("engine-1"), 128);
    assert_int_equal(held_by("engine-2"), 128);
    assert_int_equal(rows.epoch[0], 1);
    assert_int_equal(watchdog_facts(first.watchdog).moves, 0);
    assert_true(first.leases > 0);
}

static void while_they_beat_nothing_moves(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    uint64_t number = first.leases_number, renewed = rows.renewed[9];
    watched_wait(&first, 60000, BOTH);
    assert_int_equal(first.leases_number, number);
    assert_int_equal(rows.epoch[9], 1);
    assert_true(rows.renewed[9] >= renewed + 20);
}

static void a_dead_engines_slots_go_to_the_other_under_a_higher_epoch(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_wait(&first, 1900, TWO);
    assert_int_equal(held_by("engine-1"), 128); /* Silent, but its leases run. */
    watched_clear(&first);
    watched_wait(&first, 3500, TWO);
    assert_int_equal(held_by("engine-2"), 256);
    assert_int_equal(watchdog_facts(first.watchdog).moves, 128);
    assert_int_equal(watched_life(&first)->moves, 128);
    assert_true(watched_life(&first)->has_unowned);
    assert_int_equal(watched_life(&first)->unowned, 0);
    assert_true(watched_was_told(&first, "slots_moved"));
    uint32_t raised = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        raised += rows.epoch[slot] == 2;
    assert_int_equal(raised, 128);
}

/* Whatever is renewed while nobody misses it yet: a lease's length and a look behind its last beat. */
static void a_dead_engine_is_not_waited_for_longer_for_being_renewed_late(void **state)
{
    for (uint64_t phase = 0; phase < 1500; phase += 100) {
        are_over(state);
        two_watchdogs_on_one_store(state);
        watched_wait(&first, 5000 + phase, BOTH);
        watched_wait(&first, 3700, TWO);
        assert_int_equal(held_by("engine-2"), 256);
    }
}

/* Under load that is where it dies. */
static void an_engine_that_dies_in_a_commit_loses_its_slots_no_later(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_beat(&first, ROLE(ENGINE), "engine-1", 1, 0, 3);
    watched_wait(&first, 5400, TWO);
    assert_int_equal(held_by("engine-2"), 256);
}

static void a_slot_does_not_move_twice_within_ten_seconds(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_wait(&first, 5500, TWO);
    assert_int_equal(held_by("engine-2"), 256);
    watched_wait(&first, 7000, ONE);
    uint32_t back = held_by("engine-1");
    assert_int_equal(back, 128); /* Those that had not moved before. */
    watched_wait(&first, 6000, ONE);
    assert_int_equal(held_by("engine-1"), 256);
}

/* The engine that handed them over lived, and was not doubted. That is no reason to wait for one
 * that died with them. */
static void slots_that_were_handed_over_leave_a_dead_engine_as_others_do(void **unused)
{
    (void) unused;
    watched_wait(&first, 10000, ONE);
    watched_wait(&first, 9000, BOTH);
    assert_int_equal(held_by("engine-2"), 128);
    watched_wait(&first, 3800, ONE);
    assert_int_equal(held_by("engine-1"), 256);
}

/* 16 of 256 in a look, of which there are two a second, from when it has been well for a lease's length. */
static void an_engine_that_joins_is_given_its_share_a_few_at_a_time(void **unused)
{
    (void) unused;
    watched_wait(&first, 10000, ONE);
    assert_int_equal(held_by("engine-1"), 256);
    watched_wait(&first, 2900, BOTH);
    assert_int_equal(held_by("engine-2"), 0);
    watched_wait(&first, 1200, BOTH);
    assert_in_range(held_by("engine-2"), 16, 48);
    watched_wait(&first, 6000, BOTH);
    assert_int_equal(held_by("engine-2"), 128);
    assert_int_equal(watchdog_facts(first.watchdog).moves, 128);
    uint64_t number = first.leases_number;
    watched_wait(&first, 20000, BOTH);
    assert_int_equal(first.leases_number, number);
    assert_int_equal(held_by("engine-2"), 128);
}

static void an_engine_that_is_drained_keeps_nothing_and_gets_nothing(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_drain(&first, ONE);
    watched_wait(&first, 700, BOTH);
    assert_in_range(held_by("engine-1"), 96, 112);
    watched_wait(&first, 8000, BOTH);
    assert_int_equal(held_by("engine-2"), 256);
    watched_drain(&first, 0);
    watched_wait(&first, 20000, BOTH);
    assert_int_equal(held_by("engine-1"), 128);
    watched_drain(&first, BOTH); /* There is nobody to take them. */
    watched_wait(&first, 20000, BOTH);
    assert_int_equal(held_by("engine-1"), 128);
    assert_int_equal(held_by("engine-2"), 128);
}

static void with_no_engine_left_everything_stays_where_it_is(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_wait(&first, 60000, NOBODY);
    assert_int_equal(held_by("engine-1"), 128);
    assert_int_equal(held_by("engine-2"), 128);
    assert_int_equal(rows.epoch[0], 1);
}

/* Both live in the same time; each hears the engines it is told of. */
static void both_wait(uint64_t ms, uint32_t heard_by_first, uint32_t heard_by_second)
{
    for (uint64_t i = 0; i < ms; i += 100) {
        watched_wait(&first, 100, heard_by_first);
        watched_wait(&second, 100, heard_by_second);
    }
}

static void who_hears_nothing_leaves_alone_what_another_watchdog_renews(void **unused)
{
    (void) unused;
    both_wait(6000, BOTH, BOTH);
    both_wait(60000, TWO, BOTH); /* The first is cut off from engine-1. */
    assert_int_equal(held_by("engine-1"), 128);
    assert_int_equal(watchdog_facts(first.watchdog).moves, 0);
    both_wait(6000, TWO, TWO);
    assert_int_equal(held_by("engine-2"), 256);
}

static void of_two_watchdogs_one_moves_a_slot_and_both_say_so(void **unused)
{
    (void) unused;
    both_wait(6000, BOTH, BOTH);
    both_wait(8000, TWO, TWO);
    assert_int_equal(held_by("engine-2"), 256);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        assert_in_range(rows.epoch[slot], 1, 2);
    assert_int_equal(watchdog_facts(first.watchdog).moves + watchdog_facts(second.watchdog).moves,
                     128);
    assert_int_equal(first.leases_runs, second.leases_runs);
}

static void what_another_watchdog_has_moved_meanwhile_stays_moved(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, ONE);
    assert_int_equal(held_by("engine-1"), 256);
    first.is_overtaken = true;
    watched_wait(&first, 2000, BOTH);
    assert_false(first.is_overtaken);
    assert_int_equal(held_by("engine-2"), 256);
    assert_int_equal(watchdog_facts(first.watchdog).refused, 1);
    watched_wait(&first, 7000, BOTH); /* For ten seconds; then the two of them share. */
    assert_int_equal(held_by("engine-2"), 256);
    assert_int_equal(rows.epoch[0], 2);
}

static void a_store_that_takes_nothing_moves_nothing(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    first.is_store_full = true;
    uint64_t number = first.leases_number;
    watched_wait(&first, 8000, TWO);
    assert_int_equal(held_by("engine-1"), 128);
    assert_int_equal(first.leases_number, number);
    assert_true(watchdog_facts(first.watchdog).refused > 0);
    first.is_store_full = false;
    watched_wait(&first, 2000, TWO);
    assert_int_equal(held_by("engine-2"), 256);
}

static void a_restarted_watchdog_moves_nothing_before_it_has_listened(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    second.now_ms = first.now_ms;
    watched_wait(&second, 2500, NOBODY);
    watched_wait(&second, 10000, BOTH);
    assert_int_equal(watchdog_facts(second.watchdog).moves, 0);
    assert_int_equal(held_by("engine-1"), 128);
}

static void people_are_told_while_slots_have_no_engine(void **unused)
{
    (void) unused;
    watched_wait(&first, 1000, NOBODY);
    assert_true(watched_was_told(&first, "slots_unowned"));
    watched_wait(&first, 5000, ONE);
    assert_true(watched_was_told(&first, "-slots_unowned"));
    assert_int_equal(held_by("engine-1"), 256);
    assert_int_equal(first.leases_runs, 1);
}

/* Their leases name them still, for there is nobody to whom the slots could go. */
static void people_are_told_when_every_engine_is_gone(void **unused)
{
    (void) unused;
    watched_wait(&first, 5000, BOTH);
    watched_clear(&first);
    watched_wait(&first, 4000, NOBODY);
    assert_false(watched_was_told(&first, "slots_unowned"));
    watched_wait(&first, 4000, NOBODY);
    assert_true(watched_was_told(&first, "slots_unowned"));
    assert_int_equal(watched_life(&first)->unowned, 256);
    watched_wait(&first, 5000, TWO);
    assert_true(watched_was_told(&first, "-slots_unowned"));
    assert_int_equal(watched_life(&first)->unowned, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, two_watchdogs_on_one_store, are_over)
        STORY(at_the_start_slots_are_shared_out_evenly),
        STORY(while_they_beat_nothing_moves),
        STORY(a_dead_engines_slots_go_to_the_other_under_a_higher_epoch),
        STORY(a_dead_engine_is_not_waited_for_longer_for_being_renewed_late),
        STORY(an_engine_that_dies_in_a_commit_loses_its_slots_no_later),
        STORY(a_slot_does_not_move_twice_within_ten_seconds),
        STORY(slots_that_were_handed_over_leave_a_dead_engine_as_others_do),
        STORY(an_engine_that_joins_is_given_its_share_a_few_at_a_time),
        STORY(an_engine_that_is_drained_keeps_nothing_and_gets_nothing),
        STORY(with_no_engine_left_everything_stays_where_it_is),
        STORY(who_hears_nothing_leaves_alone_what_another_watchdog_renews),
        STORY(of_two_watchdogs_one_moves_a_slot_and_both_say_so),
        STORY(what_another_watchdog_has_moved_meanwhile_stays_moved),
        STORY(a_store_that_takes_nothing_moves_nothing),
        STORY(a_restarted_watchdog_moves_nothing_before_it_has_listened),
        STORY(people_are_told_while_slots_have_no_engine),
        STORY(people_are_told_when_every_engine_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
