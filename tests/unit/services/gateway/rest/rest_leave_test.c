/* rest_leave_test.c: a player hangs up before the id is known. */
#include "tests/unit/services/gateway/rest/rest_rig.h"

static void who_hangs_up_in_the_queue_is_out_of_it(void **unused)
{
    (void) unused;
    for (uint64_t route = 1; route <= 4; route++)
        enter(route, "A\nB\n01234567");
    rest_hang_up(turn(), 2, false);
    rest_hang_up(turn(), 3, true); /* The player may be there still, for a second. */
    assert_int_equal(rest.players[1].state, REST_FREE);
    assert_int_equal(rest.players[2].state, REST_QUEUED);
    tick(999);
    assert_int_equal(rest.players[2].state, REST_QUEUED);
    tick(1);
    assert_int_equal(rest.players[2].state, REST_FREE);
    assert_answer(3, REST_KIND(BUSY));
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    is_done(player_of(1));
    assert_int_equal(player_of(4)->state, REST_NAMING);
}

/* The player on route 1 has gone while `step` of the registration was under way; the next one finds
 * nobody waiting. */
static void leaves_during(uint32_t step, bool is_half)
{
    enter(1, "A\nB\n01234567");
    struct rest_player *player = player_of(1);
    for (uint32_t i = 0; i <= step; i++) {
        if (i == step)
            rest_hang_up(turn(), 1, is_half);
        if (i == step && is_half)
            tick(1000);
        answer(player, VERDICT(DONE), i == 1, false, false);
    }
    assert_false(rest.has_open);
    assert_int_equal(rest.registering, PLAYERS);
    assert_int_equal(player->state, step == 0 ? REST_FREE : REST_OVER);
    assert_true(step == 0 || player->said == REST_LEAVE);
    assert_int_equal(answer_to(1) != NULL, is_half);
}

static void who_hangs_up_while_he_registers_is_paired_with_nobody(void **unused)
{
    for (uint32_t step = 0; step < 3; step++)
        for (uint32_t is_half = 0; is_half < 2; is_half++) {
            assert_int_equal(end(unused), 0);
            assert_int_equal(begin(unused), 0);
            leaves_during(step, is_half != 0);
        }
}

/* Many a program says all it has to say, and then listens. */
static void who_has_only_closed_his_side_is_told_his_id(void **unused)
{
    (void) unused;
    enter(1, "A\nB\n01234567");
    rest_hang_up(turn(), 1, true);
    is_done(player_of(1));
    answer(player_of(1), VERDICT(DONE), true, false, false);
    is_done(player_of(1));
    assert_answer(1, REST_KIND(NEW_PLAYER));
    assert_true(rest.has_open);
}

static void who_had_gone_when_he_was_told_his_id_waits_for_nobody(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    assert_true(rest.has_open);
    rest_hang_up(turn(), 1, false);
    assert_false(rest.has_open);
    assert_int_equal(rest.players[0].state, REST_OVER);
    assert_int_equal(rest.players[0].said, REST_LEAVE);
    ask_problem(2, 1);
    assert_true(answer_to(2)->loss); /* Nobody is that player. */
}

/* Somebody on the way to that player finds the player there. */
static void who_had_gone_while_another_sat_down_beside_him_is_waited_for_by_the_clock(void **unused)
{
    (void) unused;
    register_one(1, 1, "A\nB\n01234567");
    enter(2, "C\nD\n01234567");
    is_done(player_of(2));
    assert_true(player_of(2)->is_second);
    rest_hang_up(turn(), 1, false);
    assert_int_equal(player_of(1)->state, REST_ENTERED);
    answer(player_of(2), VERDICT(DONE), true, false, false);
    rest_hang_up(turn(), 2, false); /* And so is the player, once the id has been said. */
    is_done(player_of(2));
    assert_int_equal(player_of(2)->state, REST_ENTERED);
    assert_int_equal(rest.games, 1);
}

static void send_half(uint64_t route, int32_t id)
{
    const Arbiter__Gateway__RestAsk ask = {
        .path = PATH(MAP), .has_id = true, .id = id, .half = (char *) (uintptr_t) "0101"
    };
    rest_hear(turn(), route, &ask);
    if (player_of(id)->ask != 0)
        is_done(player_of(id));
}

/* A player of the door waits alone, with a half or without. */
static struct rest_player *wait_alone(bool has_half)
{
    rest.settings.bot_ms = 0;
    register_one(1, 1, "A\nB\n01234567");
    tick(100);
    if (has_half)
        send_half(2, 1);
    assert_true(rest.has_open);
    return player_of(1);
}

static void assert_gone(struct rest_player *player)
{
    assert_false(rest.has_open);
    assert_int_equal(player->state, REST_OVER);
    assert_int_equal(player->said, REST_LEAVE);
    ask_problem(9, 1);
    assert_false(answer_to(9)->loss); /* A game that never was is lost by nobody. */
}

static void who_crashed_behind_his_half_is_paired_with_nobody(void **unused)
{
    (void) unused;
    struct rest_player *player = wait_alone(true);
    for (uint32_t i = 0; i < 100; i++)
        tick(1000); /* Waiting is no silence. */
    assert_true(rest.has_open);
    rest_hang_up(turn(), 2, false);
    tick(4999);
    assert_true(rest.has_open); /* The program may ask again. */
    tick(1);
    assert_gone(player);
}

/* So does a process that ends: its connection is closed from one side first. */
static void who_closes_his_side_behind_his_half_and_waits_alone_is_answered(void **unused)
{
    (void) unused;
    struct rest_player *player = wait_alone(true);
    rest_hang_up(turn(), 2, true);
    tick(4999);
    assert_null(answer_to(2));
    tick(1);
    assert_answer(2, REST_KIND(PROBLEM));
    assert_false(answer_to(2)->loss);
    assert_gone(player);
}

static void who_asks_again_in_time_waits_on(void **unused)
{
    (void) unused;
    (void) wait_alone(true);
    rest_hang_up(turn(), 2, false);
    tick(4000);
    send_half(3, 1);
    tick(60000);
    tick(60000);
    assert_true(rest.has_open);
    assert_null(answer_to(3));
}

static void who_crashed_before_his_half_is_paired_with_nobody(void **unused)
{
    (void) unused;
    struct rest_player *player = wait_alone(false);
    tick(29899);
    assert_true(rest.has_open);
    tick(1);
    assert_gone(player);
    register_one(4, 2, "C\nD\n01234567");
    assert_false(player_of(2)->is_second);
}

static void who_crashed_while_another_sits_down_is_the_clocks_to_judge(void **unused)
{
    (void) unused;
    struct rest_player *player = wait_alone(false);
    enter(2, "C\nD\n01234567");
    is_done(player_of(2));
    assert_true(player_of(2)->is_second);
    tick(40000);
    assert_int_equal(player->state, REST_ENTERED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(who_hangs_up_in_the_queue_is_out_of_it),
        TEST(who_hangs_up_while_he_registers_is_paired_with_nobody),
        TEST(who_has_only_closed_his_side_is_told_his_id),
        TEST(who_had_gone_when_he_was_told_his_id_waits_for_nobody),
        TEST(who_had_gone_while_another_sat_down_beside_him_is_waited_for_by_the_clock),
        TEST(who_crashed_behind_his_half_is_paired_with_nobody),
        TEST(who_closes_his_side_behind_his_half_and_waits_alone_is_answered),
        TEST(who_asks_again_in_time_waits_on),
        TEST(who_crashed_before_his_half_is_paired_with_nobody),
        TEST(who_crashed_while_another_sits_down_is_the_clocks_to_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
