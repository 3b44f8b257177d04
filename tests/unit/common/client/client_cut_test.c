/* client_cut_test.c: a fanout that goes away, or comes and goes, or has too much to do, costs nobody an act. */
#include "client/client_private.h"
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define LAST 12

static struct scene world;

/* A match of which we saw act 2, and which has gone on to act LAST. */
static int open_world(void **unused)
{
    (void) unused;
    scene_open_behind(&world, 2, LAST);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

/* The directory names one fanout only, and that is ours. */
static uint32_t one_fanout(void)
{
    uint32_t fanout = scene_our_fanout(&world);
    world.missing = fanout == FANOUT ? FANOUT_2 : FANOUT;
    for (uint32_t i = 0; i < 6; i++) {
        scene_directory(&world, ENGINE, world.epoch);
        scene_wait(&world, 1000);
        if (i == 2)
            scene_history(&world, fanout, 3, 2, 2); /* Nothing has happened. */
    }
    world.sent_count = 0;
    return fanout;
}

static void a_cut_stream_is_made_up_for_at_another_fanout_at_once(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world), other = fanout == FANOUT ? FANOUT_2 : FANOUT;
    world.sent_count = 0;
    scene_cut(&world, fanout, DOOR_HISTORY); /* Not the stream. */
    scene_asked_no_history(&world);
    scene_cut(&world, fanout, DOOR_STREAM);
    assert_int_equal(scene_our_fanout(&world), other);
    scene_asked_history(&world, other, 3);
    scene_wait(&world, 625);
    scene_asked_history(&world, ENGINE, 3); /* It may be gone, too. */
    scene_history(&world, ENGINE, 3, 4, 4);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
}

/* However long all was quiet before. */
static void without_another_fanout_the_engine_is_asked_at_once(void **unused)
{
    (void) unused;
    uint32_t fanout = one_fanout();
    scene_cut(&world, fanout, DOOR_STREAM);
    scene_asked_history(&world, ENGINE, 3);
    scene_history(&world, ENGINE, 3, 3, 3);
    scene_told_act(&world, 3);
}

/* A gateway speaks for thousands: each of them waits in turn if they may ask one at a time. */
static void so_many_seats_ask_the_engine_together_as_settings_say(void **unused)
{
    (void) unused;
    struct sent sent;
    scene_attach(&world, NO_SEAT, 2);
    uint32_t fanout = one_fanout();
    for (uint32_t asks = 1; asks <= 2; asks++) {
        world.core->settings.engine_asks = asks;
        scene_cut(&world, fanout, DOOR_STREAM);
        assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), asks);
        assert_int_equal(sent.peer, ENGINE);
        scene_wait(&world, 10);
        assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 2 - asks);
        scene_wait(&world, 10000);
        scene_history(&world, ENGINE, 3, 2, 2);
        world.sent_count = 0;
    }
}

/* As long as it is away: a player plays on who hears from the engine within a second or three. */
static void while_no_fanout_speaks_it_and_the_engine_are_asked_in_turn(void **unused)
{
    (void) unused;
    uint32_t    fanout = one_fanout(), asked[SENT_MAX] = { 0 }, last = 0;
    struct sent sent;
    scene_cut(&world, fanout, DOOR_STREAM);
    for (uint32_t tenth = 1; tenth <= 200; tenth++) {
        while (scene_sent(&world, KIND(HISTORY_ASK), &sent) > 0) {
            asked[sent.peer]++;
            if (sent.peer == ENGINE) {
                assert_true(last == 0 || tenth - last <= 35);
                last = tenth;
                scene_history(&world, ENGINE, 3, 2, 2);
            }
        }
        scene_wait(&world, 100);
    }
    assert_in_range(asked[ENGINE], 6, 12);
    assert_in_range(asked[fanout], 5, 12);
    scene_head(&world, fanout, 2, false); /* It is back. */
    scene_history(&world, fanout, 3, 2, 2);
    world.sent_count = 0;
    for (uint32_t second = 0; second < 40; second++) {
        scene_wait(&world, 1000);
        while (scene_sent(&world, KIND(HISTORY_ASK), &sent) > 0) {
            assert_int_equal(sent.peer, fanout);
            scene_history(&world, fanout, 3, 2, 2);
        }
    }
}

/* It dies again before it has said a word, and again. */
static void a_fanout_that_comes_and_goes_keeps_nobody_from_the_engine(void **unused)
{
    (void) unused;
    uint32_t fanout = one_fanout();
    for (uint64_t act = 3; act <= LAST; act++) {
        scene_cut(&world, fanout, DOOR_STREAM);
        scene_asked_history(&world, ENGINE, act);
        scene_history(&world, ENGINE, act, act, act);
        scene_told_act(&world, act);
        scene_wait(&world, 500);
        world.sent_count = 0;
    }
}

/* The same with two of them: the one that is turned to is gone as well. */
static void two_that_come_and_go_do_not_either(void **unused)
{
    (void) unused;
    uint32_t    fanout = scene_our_fanout(&world), asked = 0;
    struct sent sent;
    world.sent_count = 0;
    for (uint32_t i = 0; i < 20; i++) {
        scene_cut(&world, fanout, DOOR_STREAM);
        fanout = scene_our_fanout(&world);
        while (scene_sent(&world, KIND(HISTORY_ASK), &sent) > 0)
            asked += sent.peer == ENGINE;
        world.sent_count = 0;
        scene_wait(&world, 250);
    }
    assert_in_range(asked, 5, 15);
}

/* A fanout that was started anew, as the directory says: what it said to nobody is asked for. */
static void a_new_connection_is_made_up_for_too(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world), other = fanout == FANOUT ? FANOUT_2 : FANOUT;
    world.missing = fanout;
    for (uint32_t i = 0; i < 5; i++) {
        scene_directory(&world, ENGINE, world.epoch);
        scene_wait(&world, 1000);
        scene_history(&world, fanout, 3, 2, 2);
    }
    world.sent_count = 0;
    scene_directory(&world, ENGINE, world.epoch); /* By now it is gone for good. */
    assert_int_equal(scene_our_fanout(&world), other);
    scene_wait(&world, 100);
    scene_asked_history(&world, other, 3);
}

static void fanouts_that_are_stopping_are_listened_to_once(void **unused)
{
    (void) unused;
    world.sent_count = 0;
    world.are_stopping = true;
    scene_directory(&world, ENGINE, world.epoch);
    for (uint32_t i = 0; i < 10; i++)
        scene_wait(&world, 10);
    uint32_t listens = 0;
    for (uint32_t i = 0; i < world.sent_count; i++)
        listens += world.sent[i].is_listen && world.sent[i].peer != LOBBY;
    assert_int_equal(listens, 0); /* It is as good as any other. */
}

/* An engine that says when to come back is not silent. */
static void a_fanout_that_is_asked_too_much_is_asked_again_when_it_said(void **unused)
{
    (void) unused;
    uint32_t    fanout = scene_our_fanout(&world);
    struct sent sent;
    world.sent_count = 0;
    scene_publish(&world, fanout, 4);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1);
    assert_int_equal(sent.peer, fanout);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 40);
    scene_wait(&world, 39);
    scene_asked_no_history(&world);
    scene_wait(&world, 11);
    for (uint32_t i = 0; i < world.sent_count; i++)
        assert_false(world.sent[i].is_listen || world.sent[i].is_unlisten);
    scene_asked_history(&world, fanout, 3);
}

/* Another's refusal, or one that comes late, is nobody's pace. */
static void a_refusal_that_nobody_waits_for_changes_nothing(void **unused)
{
    (void) unused;
    uint32_t    fanout = scene_our_fanout(&world), other = fanout == FANOUT ? FANOUT_2 : FANOUT;
    struct sent sent;
    scene_publish(&world, fanout, 4);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1);
    sent.peer = other;
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 8000);
    scene_wait(&world, 625);
    scene_asked_history(&world, other, 3);
}

/* Pauses between asks have grown to seconds when the fanout hears of the newer owner, too. */
static void who_was_behind_is_asked_at_once_when_something_newer_is_heard(void **unused)
{
    (void) unused;
    uint32_t    fanout = scene_our_fanout(&world);
    struct sent sent;
    world.epoch = 7;
    scene_head(&world, fanout, 4, false);
    for (uint32_t i = 0; i < 6; i++) {
        scene_wait(&world, 500u << i);
        world.epoch = 6;
        scene_history(&world, fanout, 3, 3, 3);
        world.epoch = 7;
    }
    world.sent_count = 0;
    scene_wait(&world, 3000);
    scene_asked_no_history(&world);
    scene_head(&world, fanout, 5, false);
    scene_wait(&world, 250);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1);
    scene_head(&world, fanout, 6, false);
    scene_asked_no_history(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_cut_stream_is_made_up_for_at_another_fanout_at_once),
        TEST(without_another_fanout_the_engine_is_asked_at_once),
        TEST(so_many_seats_ask_the_engine_together_as_settings_say),
        TEST(while_no_fanout_speaks_it_and_the_engine_are_asked_in_turn),
        TEST(a_fanout_that_comes_and_goes_keeps_nobody_from_the_engine),
        TEST(two_that_come_and_go_do_not_either),
        TEST(a_new_connection_is_made_up_for_too),
        TEST(fanouts_that_are_stopping_are_listened_to_once),
        TEST(a_fanout_that_is_asked_too_much_is_asked_again_when_it_said),
        TEST(a_refusal_that_nobody_waits_for_changes_nothing),
        TEST(who_was_behind_is_asked_at_once_when_something_newer_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
