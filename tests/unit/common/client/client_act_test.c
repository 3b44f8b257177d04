/* client_act_test.c: boxes are opened with the key of their generation, and nothing else is believed. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

static struct scene world;

static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    scene_make(&world, 1, 0, NULL, NULL);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

/* What the private event of act 2 says. */
static void expect_secret(uint64_t number, const char *secret)
{
    scene_told(&world, CLIENT_ACT);
    assert_int_equal(world.event.number, number);
    assert_non_null(world.event.box);
    uint32_t                  size = world.event.box[3];
    Arbiter__Stream__BoxText *text =
        arbiter__stream__box_text__unpack(NULL, size, world.event.box + 4);
    assert_non_null(text);
    assert_int_equal(text->n_events, 1);
    assert_int_equal(text->events[0]->event.len, strlen(secret));
    assert_memory_equal(text->events[0]->event.data, secret, strlen(secret));
    arbiter__stream__box_text__free_unpacked(text, NULL);
}

static void our_box_is_opened(void **unused)
{
    (void) unused;
    scene_attach(&world, OUR_SEAT, 1);
    scene_make(&world, 2, 0, NULL, "a knife");
    scene_publish(&world, FANOUT, 2);
    expect_secret(2, "a knife");
}

static void a_spectator_has_no_box(void **unused)
{
    (void) unused;
    scene_attach(&world, NO_SEAT, 1);
    scene_make(&world, 2, 0, NULL, "a knife");
    scene_publish(&world, FANOUT, 2);
    scene_told(&world, CLIENT_ACT);
    assert_null(world.event.box);
}

/* The chain says nothing of an act's epoch, the box does. */
static void a_box_that_does_not_open_is_told_and_another_door_is_asked(void **unused)
{
    (void) unused;
    struct sent sent;
    scene_attach(&world, OUR_SEAT, 1);
    scene_make(&world, 2, 0, NULL, "a knife");
    world.acts[2].epoch = 2;
    scene_publish(&world, FANOUT, 2);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_BOX);
    world.acts[2].epoch = 1;
    world.epoch = 2;
    scene_wait(&world, 100);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1);
    scene_history(&world, sent.peer, 2, 2, 2);
    expect_secret(2, "a knife");
    scene_told_nothing(&world);
}

static void what_is_no_act_leaves_no_trace(void **unused)
{
    (void) unused;
    scene_attach(&world, OUR_SEAT, 1);
    scene_make(&world, 2, 0, NULL, NULL);
    struct true_act truth = world.acts[2];
    world.acts[2].body[0] = 0x7f;
    scene_publish(&world, FANOUT, 2);
    scene_told_nothing(&world);
    world.acts[2] = truth;
    scene_publish(&world, FANOUT, 2);
    scene_told(&world, CLIENT_ACT);
}

/* Our seat changed hands and came back to us, as after a friend's vote: acts behind it wait for the key. */
static void acts_of_a_new_generation_wait_for_its_key(void **unused)
{
    (void) unused;
    Arbiter__Stream__SeatChanged changed = ARBITER__STREAM__SEAT_CHANGED__INIT;
    Arbiter__Stream__HouseEvent  house = ARBITER__STREAM__HOUSE_EVENT__INIT;
    struct sent                  sent;
    changed.has_seat = changed.has_generation = true;
    changed.seat = OUR_SEAT;
    changed.generation = 2;
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_CHANGED;
    house.seat_changed = &changed;
    scene_attach(&world, OUR_SEAT, 1);
    scene_make(&world, 2, 258, &house, "the old key's");
    world.generation = 2;
    scene_make(&world, 3, 0, NULL, "the new key's");
    scene_publish(&world, FANOUT, 2);
    scene_publish(&world, FANOUT, 3);
    expect_secret(2, "the old key's");
    scene_told_nothing(&world);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 11, 0, NULL);
    scene_publish(&world, FANOUT, 3);
    expect_secret(3, "the new key's");
    scene_told_nothing(&world);
}

/* The new key came before the acts of the old one were all told: both are needed. */
static void the_old_key_opens_what_is_still_to_be_told(void **unused)
{
    (void) unused;
    Arbiter__Stream__SeatChanged changed = ARBITER__STREAM__SEAT_CHANGED__INIT;
    Arbiter__Stream__HouseEvent  house = ARBITER__STREAM__HOUSE_EVENT__INIT;
    struct sent                  sent;
    changed.has_seat = changed.has_generation = true;
    changed.seat = OUR_SEAT;
    changed.generation = 2;
    house.kind_case = ARBITER__STREAM__HOUSE_EVENT__KIND_SEAT_CHANGED;
    house.seat_changed = &changed;
    scene_attach(&world, OUR_SEAT, 1);
    scene_make(&world, 2, 258, &house, "the old key's");
    world.generation = 2;
    scene_make(&world, 3, 0, NULL, "the new key's");
    client_core_legal(world.core, world.match_id, OUR_SEAT, 0, false, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 11, 0, NULL);
    scene_history(&world, FANOUT, 2, 3, 3);
    expect_secret(2, "the old key's");
    expect_secret(3, "the new key's");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(our_box_is_opened),
        TEST(a_spectator_has_no_box),
        TEST(a_box_that_does_not_open_is_told_and_another_door_is_asked),
        TEST(what_is_no_act_leaves_no_trace),
        TEST(acts_of_a_new_generation_wait_for_its_key),
        TEST(the_old_key_opens_what_is_still_to_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
