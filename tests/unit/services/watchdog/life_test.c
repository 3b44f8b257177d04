/* life_test.c: a service that beats is alive. If one falls silent, or stands still, people are
 * told, and told again when it is over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/watchdog/watched.h"

#define NOBODY 0u
#define BOTH (1u << ENGINE_1 | 1u << ENGINE_2)
#define NOT_COMMITTING UINT64_MAX

static struct watched watched;

static int a_watchdog(void **unused)
{
    (void) unused;
    struct watchdog_settings settings;
    watchdog_defaults(&settings);
    watched_begin(&watched, &settings, NULL);
    return 0;
}

static int is_over(void **unused)
{
    (void) unused;
    watched_end(&watched);
    return 0;
}

static void who_is_silent_for_a_second_is_suspect_and_people_are_told(void **unused)
{
    (void) unused;
    watched_wait(&watched, 5000, BOTH);
    assert_int_equal(watched.alerts, 0);
    assert_int_equal(watchdog_facts(watched.watchdog).services, 2);
    watched_wait(&watched, 900, 1u << ENGINE_2);
    assert_int_equal(watched.alerts, 0);
    watched_wait(&watched, 200, 1u << ENGINE_2);
    assert_int_equal(watched.alerts, 1);
    assert_true(watched_was_told(&watched, "engine_silent"));
    assert_int_equal(watchdog_facts(watched.watchdog).suspects, 1);
    watched_wait(&watched, 200, BOTH);
    assert_true(watched_was_told(&watched, "-engine_silent"));
    assert_int_equal(watchdog_facts(watched.watchdog).suspects, 0);
}

static void an_open_alert_is_repeated_and_ends_once(void **unused)
{
    (void) unused;
    watched_wait(&watched, 200, BOTH);
    watched_wait(&watched, 30000, 1u << ENGINE_2);
    assert_in_range(watched.alerts, 3, 5);
    watched_clear(&watched);
    watched_wait(&watched, 30000, BOTH);
    assert_int_equal(watched.alerts, 1);
    assert_true(watched_was_told(&watched, "-engine_silent"));
}

static void a_loop_that_stands_still_is_told_though_its_thread_beats(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(FANOUT), "fanout-1", 1, 4000, NOT_COMMITTING);
    watched_wait(&watched, 200, NOBODY);
    assert_int_equal(watched.alerts, 0);
    watched_beat(&watched, ROLE(FANOUT), "fanout-1", 1, 5100, NOT_COMMITTING);
    watched_wait(&watched, 200, NOBODY);
    assert_true(watched_was_told(&watched, "fanout_stuck"));
    watched_beat(&watched, ROLE(FANOUT), "fanout-1", 1, 3, NOT_COMMITTING);
    watched_wait(&watched, 200, NOBODY);
    assert_true(watched_was_told(&watched, "-fanout_stuck"));
}

enum figure_at { FORKS, HELD };

static void an_engine_in_commit_is_left_alone_for_half_a_minute(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(ENGINE), "engine-1", 1, 900, 900);
    watched_wait(&watched, 28000, NOBODY);
    assert_false(watched_was_told(&watched, "engine_silent"));
    assert_false(watched_was_told(&watched, "engine_stuck"));
    assert_true(watched_was_told(&watched, "engine_disk_slow"));
    assert_int_equal(watchdog_facts(watched.watchdog).suspects, 0);
    watched_wait(&watched, 2000, NOBODY);
    assert_true(watched_was_told(&watched, "engine_silent"));
}

/* As a service says it of itself. */
static void beat_of_contradictions(enum figure_at at, uint64_t count)
{
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    uint32_t                role = at == FORKS ? ROLE(FANOUT) : ROLE(ENGINE);
    beat.has_role = beat.has_started_ms = beat.has_beat = true;
    beat.role = (Arbiter__Directory__Role) role;
    beat.name = at == FORKS ? (char[]){ "fanout-1" } : (char[]){ "engine-1" };
    beat.started_ms = beat.beat = 1;
    beat.has_forks = at == FORKS;
    beat.has_held = at == HELD;
    beat.forks = beat.held = count;
    watched_hear(&watched, NO_PEER, role, KIND(BEAT), &beat.base);
    watched_wait(&watched, 200, NOBODY);
}

static void a_history_told_in_two_ways_is_an_alarm(void **unused)
{
    (void) unused;
    beat_of_contradictions(FORKS, 0);
    beat_of_contradictions(HELD, 0);
    assert_int_equal(watched.alerts, 0);
    beat_of_contradictions(FORKS, 1);
    assert_true(watched_was_told(&watched, "fanout_forked"));
    beat_of_contradictions(HELD, 2);
    assert_true(watched_was_told(&watched, "engine_holds"));
    beat_of_contradictions(HELD, 0);
    assert_true(watched_was_told(&watched, "-engine_holds"));
}

static void another_start_is_another_process(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(ENGINE), "engine-1", 10, 0, NOT_COMMITTING);
    watched_beat(&watched, ROLE(ENGINE), "engine-1", 20, 0, NOT_COMMITTING);
    assert_int_equal(watched.alerts, 1);
    assert_true(watched_was_told(&watched, "engine_restarted"));
    watched_beat(&watched, ROLE(ENGINE), "engine-1", 10, 9000, NOT_COMMITTING);
    watched_wait(&watched, 200, NOBODY); /* The old one's beat, late: not a word about it. */
    assert_int_equal(watched.alerts, 1);
    assert_int_equal(watchdog_facts(watched.watchdog).services, 1);
}

/* By its wall clock the new process is an hour older than the one before it. */
static void a_start_behind_a_clock_that_was_set_back_is_another_process_too(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(ENGINE), "engine-1", 3600020, 0, NOT_COMMITTING);
    for (uint32_t i = 0; i < 8; i++) {
        watched_wait(&watched, 250, NOBODY);
        watched_beat(&watched, ROLE(ENGINE), "engine-1", 10, 0, NOT_COMMITTING);
    }
    watched_wait(&watched, 200, NOBODY);
    assert_true(watched_was_told(&watched, "engine_restarted"));
    assert_int_equal(watchdog_facts(watched.watchdog).suspects, 0);
    assert_int_equal(watchdog_facts(watched.watchdog).services, 1);
}

static void a_service_silent_for_long_is_forgotten(void **unused)
{
    (void) unused;
    watched_wait(&watched, 200, BOTH);
    watched_wait(&watched, 600200, 1u << ENGINE_2);
    assert_int_equal(watchdog_facts(watched.watchdog).services, 1);
    watched_clear(&watched);
    watched_wait(&watched, 30000, 1u << ENGINE_2);
    assert_int_equal(watched.alerts, 0);
}

static void our_own_pause_makes_nobody_suspect(void **unused)
{
    (void) unused;
    watched_wait(&watched, 1000, BOTH);
    watched_pause(&watched, 60000);
    assert_int_equal(watched.alerts, 0);
    watched_wait(&watched, 500, BOTH);
    assert_int_equal(watched.alerts, 0);
    watched_wait(&watched, 1200, NOBODY);
    assert_int_equal(watched.alerts, 2);
}

static void a_bots_going_is_no_alarm(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(BOT), "bot-1", 1, 0, NOT_COMMITTING);
    watched_wait(&watched, 5000, NOBODY);
    assert_int_equal(watched.alerts, 0);
}

/* Its last beat, as it ends in good order. */
static void say_goodbye(uint64_t started_ms)
{
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    beat.has_role = beat.has_started_ms = beat.has_stopped = beat.stopped = true;
    beat.role = ROLE(GATEWAY);
    beat.name = (char[]){ "gateway-1" };
    beat.started_ms = started_ms;
    watched_hear(&watched, NO_PEER, ROLE(GATEWAY), KIND(BEAT), &beat.base);
}

static void who_stopped_as_asked_is_no_alarm_and_shown_for_two_minutes(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(GATEWAY), "gateway-1", 1, 0, NOT_COMMITTING);
    watched_wait(&watched, 500, NOBODY);
    say_goodbye(1);
    watched_wait(&watched, 30000, NOBODY);
    assert_int_equal(watched.alerts, 0);
    assert_int_equal(watchdog_facts(watched.watchdog).suspects, 0);
    assert_int_equal(watchdog_facts(watched.watchdog).suspected, 0);
    const Arbiter__Watchdog__Life *told = watched_life(&watched);
    assert_int_equal(told->n_services, 1);
    assert_true(told->services[0]->stopped);
    assert_false(told->services[0]->suspect);
    watched_wait(&watched, 90000, NOBODY);
    assert_int_equal(watchdog_facts(watched.watchdog).services, 0);
    assert_int_equal(watched.alerts, 0);
}

static void an_alarm_ends_with_its_service_and_a_new_process_is_judged_anew(void **unused)
{
    (void) unused;
    watched_beat(&watched, ROLE(GATEWAY), "gateway-1", 1, 9000, NOT_COMMITTING);
    watched_wait(&watched, 200, NOBODY);
    assert_true(watched_was_told(&watched, "gateway_stuck"));
    say_goodbye(1);
    watched_wait(&watched, 200, NOBODY);
    assert_true(watched_was_told(&watched, "-gateway_stuck"));
    watched_beat(&watched, ROLE(GATEWAY), "gateway-1", 2, 0, NOT_COMMITTING);
    assert_false(watched_life(&watched)->services[0]->stopped);
    watched_wait(&watched, 2000, NOBODY);
    assert_true(watched_was_told(&watched, "gateway_silent"));
}

static const struct effect *refused(void)
{
    for (uint32_t i = 0; i < watched.out.effect_count; i++)
        if (watched.out.effects[i].header.kind == KIND(REFUSED))
            return &watched.out.effects[i];
    return NULL;
}

static void nobody_beats_for_another_role_or_without_a_name(void **unused)
{
    (void) unused;
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    beat.has_role = true;
    beat.role = ROLE(ENGINE);
    beat.name = (char[]){ "engine-1" };
    watched_hear(&watched, NO_PEER, ROLE(BOT), KIND(BEAT), &beat.base);
    assert_non_null(refused());
    beat.name = (char[]){ "" };
    watched_hear(&watched, NO_PEER, ROLE(ENGINE), KIND(BEAT), &beat.base);
    assert_non_null(refused());
    assert_int_equal(watchdog_facts(watched.watchdog).services, 0);
}

static void the_operator_is_told_how_everybody_does(void **unused)
{
    (void) unused;
    Arbiter__Watchdog__Beat beat = ARBITER__WATCHDOG__BEAT__INIT;
    assert_int_equal(watched_life(&watched)->n_services, 0);
    watched_beat(&watched, ROLE(FANOUT), "fanout-1", 1, 0, NOT_COMMITTING);
    watched_wait(&watched, 2000, NOBODY);
    beat.has_role = beat.has_acts = beat.has_readers = beat.has_memory_bytes = true;
    beat.has_commits = beat.has_commit_us = beat.has_loop_age_ms = true;
    beat.role = ROLE(ENGINE);
    beat.name = (char[]){ "engine-7" };
    beat.acts = 11;
    beat.readers = 12;
    beat.memory_bytes = 13;
    beat.commits = 14;
    beat.commit_us = 15;
    beat.commands = 16;
    beat.heard = 17;
    beat.refused = 18;
    beat.dropped = 19;
    beat.loops = 20;
    beat.loop_us = 21;
    beat.matches = 22;
    beat.slots = 23;
    beat.slots_behind = 24;
    beat.behind_ms = 25;
    beat.forks = 26;
    beat.held = 27;
    beat.commit_steps = (uint64_t[40]){ 4, 0, 10 };
    beat.n_commit_steps = 40; /* More than anybody counts. */
    beat.loop_steps = (uint64_t[2]){ 3, 5 };
    beat.n_loop_steps = 2;
    watched_hear(&watched, NO_PEER, ROLE(ENGINE), KIND(BEAT), &beat.base);
    const Arbiter__Watchdog__Life *told = watched_life(&watched);
    assert_int_equal(told->n_services, 2);
    const Arbiter__Watchdog__Alive *silent = told->services[0], *well = told->services[1];
    assert_string_equal(silent->beat->name, "fanout-1");
    assert_true(silent->suspect);
    assert_int_equal(silent->age_ms, 2000);
    assert_string_equal(well->beat->name, "engine-7");
    assert_false(well->suspect);
    assert_int_equal(well->age_ms, 0);
    assert_int_equal(well->beat->acts, 11);
    assert_int_equal(well->beat->readers, 12);
    assert_int_equal(well->beat->memory_bytes, 13);
    assert_int_equal(well->beat->commits, 14);
    assert_int_equal(well->beat->commit_us, 15);
    assert_int_equal(well->beat->commands, 16);
    assert_int_equal(well->beat->heard, 17);
    assert_int_equal(well->beat->refused, 18);
    assert_int_equal(well->beat->dropped, 19);
    assert_int_equal(well->beat->loops, 20);
    assert_int_equal(well->beat->loop_us, 21);
    assert_int_equal(well->beat->matches, 22);
    assert_int_equal(well->beat->slots, 23);
    assert_true(told->has_waits && !told->has_unowned && !told->has_moves); /* Without leases. */
    assert_int_equal(well->beat->slots_behind, 24);
    assert_int_equal(well->beat->behind_ms, 25);
    assert_int_equal(well->beat->forks, 26);
    assert_int_equal(well->beat->held, 27);
    assert_int_equal(well->beat->n_commit_steps, FIGURE_STEPS);
    assert_int_equal(well->beat->commit_steps[0], 4);
    assert_int_equal(well->beat->commit_steps[2], 10);
    assert_int_equal(silent->beat->n_commit_steps, 0);
    assert_int_equal(well->beat->n_loop_steps, 2);
    assert_int_equal(well->beat->loop_steps[1], 5);
    assert_int_equal(silent->beat->n_loop_steps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_watchdog, is_over)
        STORY(who_is_silent_for_a_second_is_suspect_and_people_are_told),
        STORY(an_open_alert_is_repeated_and_ends_once),
        STORY(a_loop_that_stands_still_is_told_though_its_thread_beats),
        STORY(an_engine_in_commit_is_left_alone_for_half_a_minute),
        STORY(a_history_told_in_two_ways_is_an_alarm),
        STORY(another_start_is_another_process),
        STORY(a_start_behind_a_clock_that_was_set_back_is_another_process_too),
        STORY(a_service_silent_for_long_is_forgotten),
        STORY(our_own_pause_makes_nobody_suspect),
        STORY(a_bots_going_is_no_alarm),
        STORY(who_stopped_as_asked_is_no_alarm_and_shown_for_two_minutes),
        STORY(an_alarm_ends_with_its_service_and_a_new_process_is_judged_anew),
        STORY(nobody_beats_for_another_role_or_without_a_name),
        STORY(the_operator_is_told_how_everybody_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
