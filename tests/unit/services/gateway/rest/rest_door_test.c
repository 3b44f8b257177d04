/* rest_door_test.c: requests that wait, and what becomes of them when the house answers, refuses, or says nothing. */
#include "tests/unit/services/gateway/rest/rest_match_rig.h"
#include "wire/names.h"

static void an_update_is_answered_when_its_act_was_told(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    assert_true(player->update.is_held);
    assert_null(answer_to(5));
    under_way(REST_UPDATE, 5);
    reply(CLIENT_ACCEPTED);
    assert_answer(5, REST_KIND(UPDATE));
    assert_int_equal(answer_to(5)->player_x, 2); /* Counted from 1, the house's 1. */
}

/* The house told of the other's action before it replied to ours. */
static void nobodys_time_runs_while_he_is_owed_an_answer(void **unused)
{
    (void) unused;
    begin_moves();
    under_way(REST_UPDATE, 5);
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    now_ms += 2000;
    reply(CLIENT_ACCEPTED);
    assert_answer(5, REST_KIND(UPDATE));
    assert_int_equal(player->turn_ms, now_ms);
}

static void who_waited_for_the_map_thinks_from_its_answer_on_and_gains_nothing_by_asking_again(
    void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(1, HALF);
    player->is_first_said = player->map.is_said = true;
    under_way(REST_HALF, 0);
    accepted();
    joined();
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    assert_null(answer_to(1));
    now_ms += 2000;
    reply(CLIENT_ACCEPTED);
    assert_answer(1, REST_KIND(MAP));
    assert_int_equal(player->turn_ms, now_ms);
    now_ms += 1000;
    send_half(2, HALF);
    assert_answer(2, REST_KIND(MAP));
    assert_int_equal(player->turn_ms, now_ms - 1000);
}

static void an_update_nobody_heard_of_waits_on(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    reply(CLIENT_NOT_ACCEPTED);
    assert_null(answer_to(5));
    assert_true(player->update.is_held);
    under_way(REST_UPDATE, 5);
    send_update(6, 2, 3, 2); /* Somebody else waits by then. */
    reply(CLIENT_UNSURE);
    assert_answer(5, REST_KIND(PROBLEM));
    assert_true(player->is_turn);
    assert_int_equal(player->update.route, 6);
}

static void a_second_request_takes_the_place_of_the_first(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    send_update(6, 2, 3, 2);
    assert_answer(5, REST_KIND(PROBLEM));
    assert_false(answer_to(5)->loss);
    assert_null(answer_to(6));
}

/* Two connections may be read in another order than the player used them. */
static void whose_connection_is_closed_already_displaces_nobody(void **unused)
{
    (void) unused;
    const Arbiter__Gateway__RestAsk old = {
        .path = PATH(UPDATE), .has_id = true, .id = 1, .has_closed = true, .closed = true
    };
    begin_moves();
    player->is_turn = false;
    send_update(6, 2, 3, 2);
    rest_hear(turn(), 5, &old);
    assert_answer(5, REST_KIND(PROBLEM));
    assert_null(answer_to(6));
    assert_int_equal(player->update.route, 6);
}

static void a_half_is_asked_for_again_and_answered_when_maps_are_joined(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    assert_null(answer_to(4));
    accepted();
    send_half(5, HALF);
    assert_answer(4, REST_KIND(PROBLEM));
    joined();
    assert_answer(5, REST_KIND(MAP));
    assert_int_equal(answer_to(5)->map.len, 128);
    send_half(6, HALF);
    assert_answer(6, REST_KIND(MAP));
    send_half(7, OTHER); /* That loses, once the house has heard it. */
    assert_null(answer_to(7));
    assert_false(player->map.is_said);
}

static void a_half_nobody_heard_of_is_said_again(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    player->map.is_said = player->is_first_said = true;
    under_way(REST_HALF, 4);
    reply(CLIENT_UNSURE);
    assert_false(player->is_first_said);
    assert_false(player->map.is_said);
    assert_true(player->map.is_held);
}

static void who_hangs_up_is_not_judged_but_for_what_was_malformed(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    rest_hang_up(turn(), 5, false);
    assert_false(player->update.is_held);
    send_half(6, NULL);
    rest_hang_up(turn(), 6, false);
    assert_true(player->map.is_held && player->map.is_malformed);
    under_way(REST_UPDATE, 7);
    rest_hang_up(turn(), 7, false);
    reply(CLIENT_ACCEPTED);
    assert_null(answer_to(7));
}

/* The player may be there still. A question that cannot be judged gets that answer, and the rest is
 * told when it has happened. */
static void who_has_only_closed_his_side_is_answered(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    rest_hang_up(turn(), 4, true);
    accepted();
    joined();
    assert_true(player->map.is_held);
    player->map.is_said = true;
    rest_answer_joined(turn(), player);
    assert_answer(4, REST_KIND(MAP));
    send_update(5, 2, 3, 2);
    assert_null(answer_to(5));
    rest_hang_up(turn(), 5, true);
    assert_answer(5, REST_KIND(PROBLEM));
    assert_false(answer_to(5)->loss);
    assert_false(player->update.is_held);
    send_update(6, 2, 3, 2);
    player->update.is_malformed = true; /* That loses, and is answered at the end. */
    rest_hang_up(turn(), 6, true);
    assert_true(player->update.is_held);
    assert_int_equal(player->update.route, 6);
    player->update.is_held = player->update.is_malformed = false;
    under_way(REST_UPDATE, 7);
    rest_hang_up(turn(), 7, true);
    assert_true(player->may_repeat);
    reply(CLIENT_ACCEPTED);
    assert_answer(7, REST_KIND(UPDATE));
}

/* What an action that has been carried out leaves behind: a countdown that stands at 1. */
static void counts_down(void)
{
    player->view.x = player->view.y = player->view.pending_y = 1;
    player->view.pending_x = 2;
    player->view.pending_next = 1;
    player->view.has_pending = true;
}

/* When the answer was sent, nobody was there any more: it is for whoever says the same again. */
static void who_was_answered_when_he_had_gone_is_answered_again_and_once(void **unused)
{
    (void) unused;
    begin_moves();
    under_way(REST_UPDATE, 5);
    counts_down();
    reply(CLIENT_ACCEPTED);
    assert_answer(5, REST_KIND(UPDATE));
    rest_hang_up(turn(), 5, true);
    player->is_turn = true; /* The other has acted since. */
    send_update(6, 2, 3, 2);
    assert_answer(6, REST_KIND(UPDATE));
    rest_hang_up(turn(), 6, true); /* And again. */
    rest_hang_up(turn(), 6, false);
    send_update(7, 2, 3, 2);
    assert_answer(7, REST_KIND(UPDATE));
    send_update(8, 2, 3, 2);
    assert_null(answer_to(8));
    assert_true(player->update.is_held);
}

/* A cut line may be heard of a little later than what the player says on another. */
static void who_says_his_action_again_is_judged_a_little_later(void **unused)
{
    (void) unused;
    for (uint32_t is_cut = 0; is_cut < 2; is_cut++) {
        assert_int_equal(end(unused), 0);
        assert_int_equal(begin_match(unused), 0);
        begin_moves();
        player->map.is_said = player->is_first_said = true;
        under_way(REST_UPDATE, 5);
        counts_down();
        reply(CLIENT_ACCEPTED);
        player->is_turn = true;
        player->said = REST_NOTHING;
        player->retry_ms = 0;
        send_update(6, 2, 3, 2);
        assert_true(player->is_doubted);
        tick(199);
        assert_int_equal(player->said, REST_NOTHING);
        if (is_cut)
            rest_hang_up(turn(), 5, true);
        tick(1);
        assert_false(player->is_doubted);
        assert_int_equal(player->said, is_cut ? REST_NOTHING : REST_UPDATE);
        assert_int_equal(answer_to(6) != NULL, is_cut);
    }
}

static void of_whom_nothing_is_held_any_more_nothing_is_in_doubt(void **unused)
{
    (void) unused;
    begin_moves();
    player->map.is_said = player->is_first_said = true;
    counts_down();
    player->retry_ms = 0;
    send_update(6, 2, 3, 2);
    assert_true(player->is_doubted);
    rest_hang_up(turn(), 6, false);
    tick(1);
    assert_false(player->is_doubted);
}

static void all_who_wait_are_answered_at_the_end(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    ends(ARBITER__TREASURE__RESULT__RESULT_P1_WIN, ARBITER__TREASURE__REASON__REASON_WATER);
    assert_answer(5, REST_KIND(UPDATE));
    assert_true(answer_to(5)->win && !answer_to(5)->loss);
    send_update(6, 2, 3, 2);
    assert_answer(6, REST_KIND(UPDATE));
    send_half(7, HALF);
    assert_answer(7, REST_KIND(MAP));
    send_half(8, OTHER);
    assert_answer(8, REST_KIND(PROBLEM));
    under_way(REST_UPDATE, 9);
    reply(CLIENT_ACCEPTED);
    assert_int_equal(player->command, 0);
}

static void who_lost_by_time_is_told_of_a_problem(void **unused)
{
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    ends(ARBITER__TREASURE__RESULT__RESULT_P2_WIN, ARBITER__TREASURE__REASON__REASON_THINK_TIME);
    assert_answer(5, REST_KIND(PROBLEM));
    assert_true(answer_to(5)->loss);
    send_update(6, 2, 3, 2);
    assert_answer(6, REST_KIND(PROBLEM));
}

static void who_lost_in_the_map_phase_has_no_map(void **unused)
{
    (void) unused;
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_HALF);
    send_half(4, HALF);
    send_update(5, 2, 3, 2);
    ends(ARBITER__TREASURE__RESULT__RESULT_BOTH_LOSE, ARBITER__TREASURE__REASON__REASON_BAD_MAP);
    assert_answer(4, REST_KIND(PROBLEM));
    assert_answer(5, REST_KIND(PROBLEM));
    assert_true(answer_to(5)->loss);
}

/* A seat that was lost is taken again, and told everything once more: until then nothing is said. */
static void nothing_is_said_before_all_was_told_again(void **unused)
{
    struct client_event lost = { .refusal = 0 }, attached = { .number = 3 };
    (void) unused;
    begin_moves();
    send_update(5, 2, 3, 2);
    under_way(REST_UPDATE, 5);
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_ATTACHING);
    assert_true(player->update.is_held);
    player->may_repeat = true;
    counts_down();
    tell_match(CLIENT_ATTACHED, &attached);
    for (int i = 0; i < 2; i++) {
        asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
        assert_null(answer_to(5));
    }
    asked(ARBITER__TREASURE__EVENT__ACT_NOW__KIND__KIND_MOVE);
    assert_answer(5, REST_KIND(UPDATE)); /* It had been carried out. */
    assert_false(player->update.is_held);
}

static void what_was_carried_out_is_known_by_where_the_figure_is(void **unused)
{
    (void) unused;
    begin_moves();
    player->may_repeat = true;
    player->view.x = 2; /* The player went from 1 to 2, as the house counts. */
    send_update(5, 2, 3, 0);
    assert_answer(5, REST_KIND(UPDATE));
    send_update(6, 2, 3, 0); /* But once only. */
    assert_null(answer_to(6));
}

static void who_is_cut_off_and_says_his_action_again_is_answered(void **unused)
{
    (void) unused;
    begin_moves();
    under_way(REST_UPDATE, 5);
    rest_hang_up(turn(), 5, false);
    send_update(6, 2, 3, 2);
    assert_null(answer_to(6)); /* The first one is under way still. */
    counts_down();
    reply(CLIENT_ACCEPTED);
    assert_answer(6, REST_KIND(UPDATE));
    send_update(7, 2, 3, 2); /* The player has heard it: this one is a mistake of the player. */
    assert_null(answer_to(7));
    assert_true(player->update.is_held);
}

static void a_match_long_over_is_over(void **unused)
{
    struct client_event lost = { .refusal = REFUSAL(NO_SUCH_MATCH) };
    (void) unused;
    player->is_back = true;
    tell_match(CLIENT_LOST, &lost);
    assert_int_equal(player->state, REST_OVER);
    assert_true(player->wants_out);
}

static void whoever_waits_when_the_door_closes_is_told_so(void **unused)
{
    (void) unused;
    begin_moves();
    player->is_turn = false;
    send_update(5, 2, 3, 2);
    send_half(6, OTHER);
    player->is_in_flight = true;
    player->flight = 7;
    rest_stop(turn());
    for (uint64_t route = 5; route <= 7; route++)
        assert_answer(route, REST_KIND(BUSY));
}

static void a_move_that_waits_for_its_turn_is_not_slow(void **unused)
{
    (void) unused;
    struct rest_held held = { .came_ms = 1000 };
    now_ms = 60000;
    begin_moves();
    player->turn_ms = now_ms - 300;
    assert_int_equal(rest_came_of(turn(), player, &held), now_ms - 300);
    held.came_ms = now_ms - 200;
    assert_int_equal(rest_came_of(turn(), player, &held), now_ms - 200);
    held.came_ms = now_ms + 1;
    assert_int_equal(rest_came_of(turn(), player, &held), now_ms);
    player->is_joined = false; /* Before the map is whole, from when a half was wanted. */
    player->half_ms = now_ms - 50;
    held.came_ms = 1000;
    assert_int_equal(rest_came_of(turn(), player, &held), now_ms - 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_match, end)
    const struct CMUnitTest tests[] = {
        TEST(an_update_is_answered_when_its_act_was_told),
        TEST(a_move_that_waits_for_its_turn_is_not_slow),
        TEST(nobodys_time_runs_while_he_is_owed_an_answer),
        TEST(who_waited_for_the_map_thinks_from_its_answer_on_and_gains_nothing_by_asking_again),
        TEST(an_update_nobody_heard_of_waits_on),
        TEST(a_second_request_takes_the_place_of_the_first),
        TEST(whose_connection_is_closed_already_displaces_nobody),
        TEST(a_half_is_asked_for_again_and_answered_when_maps_are_joined),
        TEST(a_half_nobody_heard_of_is_said_again),
        TEST(who_hangs_up_is_not_judged_but_for_what_was_malformed),
        TEST(who_has_only_closed_his_side_is_answered),
        TEST(who_was_answered_when_he_had_gone_is_answered_again_and_once),
        TEST(who_says_his_action_again_is_judged_a_little_later),
        TEST(of_whom_nothing_is_held_any_more_nothing_is_in_doubt),
        TEST(all_who_wait_are_answered_at_the_end),
        TEST(who_lost_by_time_is_told_of_a_problem),
        TEST(who_lost_in_the_map_phase_has_no_map),
        TEST(nothing_is_said_before_all_was_told_again),
        TEST(what_was_carried_out_is_known_by_where_the_figure_is),
        TEST(who_is_cut_off_and_says_his_action_again_is_answered),
        TEST(a_match_long_over_is_over),
        TEST(whoever_waits_when_the_door_closes_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
