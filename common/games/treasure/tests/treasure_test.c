/* treasure_test.c: what is said in what order, what loses, and what is only refused.
 *
 * Countdowns, terrain, fog and results in detail are in the scenarios of treasure_conform_test.c. */
#include "games/treasure/tests/treasure_test.h"

static void a_match_asks_both_for_their_halves_at_once(void **unused)
{
    (void) unused;
    open_table("{}");
    assert_said("player player act_now@0 act_now@1");
    assert_int_equal(game_treasure.to_act(table.setup, table.state), 3);
    assert_int_equal(hand_in(1, LOWER), ACCEPTED);
    assert_said("half_accepted@1");
    assert_int_equal(game_treasure.to_act(table.setup, table.state), 1);
    assert_int_equal(game_treasure.question(table.setup, table.state, 0), 0);
    assert_int_equal(hand_in(0, UPPER), ACCEPTED);
    assert_said("half_accepted@0 map_ready@0 map_ready@1 game_started enemy_position@0 "
                "enemy_position@1 act_now@0");
    assert_int_equal(game_treasure.question(table.setup, table.state, 0), 1);
    close_table();
}

/* The fields of the only event of a kind that this seat alone, or everybody (SPECTATOR), was told last. */
static void assert_fields(uint32_t kind, uint32_t seat, const word *fields, uint32_t count)
{
    audience    to = seat == SPECTATOR ? TO_ALL : TO_SEAT(seat);
    const word *event = sink_first(&table.out);
    while (event != NULL && (event_kind(event) != kind || event_to(event) != to))
        event = sink_next(&table.out, event);
    assert_non_null(event);
    assert_int_equal(event_length(event), count);
    assert_memory_equal(event_fields(event), fields, count * sizeof *fields);
}

static void who_is_asked_is_told_for_what_and_how_long(void **unused)
{
    static const word half[] = { 1, 0, 3000 }, first[] = { 2, 1, 3000 }, second[] = { 2, 2, 3000 };
    static const word started[] = { 0 };
    (void) unused;
    open_table("{}");
    assert_fields(TREASURE_ACT_NOW, 0, half, 3);
    assert_fields(TREASURE_ACT_NOW, 1, half, 3);
    close_table();
    open_match("{}");
    assert_fields(TREASURE_GAME_STARTED, SPECTATOR, started, 1);
    assert_fields(TREASURE_ACT_NOW, 0, first, 3);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_fields(TREASURE_ACT_NOW, 1, second, 3);
    close_table();
}

/* Unmasked, from the beginning. */
static void each_is_told_where_the_other_one_stands(void **unused)
{
    static const word second[] = { 0, 6, 7, 0 }, first[] = { 0, 1, 1, 0 };
    (void) unused;
    open_match("{\"mask_actions\": 0}");
    assert_fields(TREASURE_ENEMY_POSITION, 0, second, 4);
    assert_fields(TREASURE_ENEMY_POSITION, 1, first, 4);
    close_table();
}

/* Both figures stand on their castles; of an end before the halves are joined there is nothing to show. */
static void the_end_shows_the_map_and_where_both_stood(void **unused)
{
    static const word places[] = { 1, 1, 1, 1, 6, 7 }, nothing[] = { ABSENT, 0, 0 };
    (void) unused;
    open_match("{}");
    assert_int_equal(ask(0, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    const word *event = sink_first(&table.out);
    while (event_kind(event) != TREASURE_REVEAL)
        event = sink_next(&table.out, event);
    const word *field = event_fields(event);
    assert_int_equal(event_length(event), 1 + 128 + 6);
    assert_int_equal(field[0], 128);
    assert_int_equal(field[1 + 2 * 9], '1'); /* (1,1): the first player's castle. */
    assert_int_equal(field[2 + 2 * 9], 'C');
    assert_int_equal(field[1 + 2 * 62], '2'); /* (6,7): the second one's. */
    assert_int_equal(field[2 + 2 * 62], 'C');
    assert_int_equal(field[2 + 2 * 10], 'M');
    assert_memory_equal(field + 129, places, sizeof places);
    close_table();
    open_table("{}");
    assert_int_equal(ask(0, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    assert_fields(TREASURE_REVEAL, SPECTATOR, nothing, 3);
    close_table();
}

static void a_bad_half_loses_at_once(void **unused)
{
    (void) unused;
    open_table("{}");
    assert_int_equal(hand_in(1, NO_MOUNTAIN), ACCEPTED);
    assert_said("half_rejected@1 game_end reveal");
    assert_over(TREASURE_P1_WIN, TREASURE_BAD_MAP, 0);
    const word *codes = event_fields(sink_first(&table.out));
    assert_int_equal(codes[0], 1);
    assert_int_equal(codes[1], TREASURE_TOO_FEW_MOUNTAIN);
    close_table();
}

static void all_that_is_wrong_with_a_half_is_told(void **unused)
{
    static const word wrong[] = { 3, TREASURE_CASTLE_COUNT, TREASURE_TOO_FEW_MOUNTAIN,
                                  TREASURE_TOO_FEW_WATER };
    char              grass[65];
    (void) unused;
    for (uint32_t i = 0; i < 32; i++)
        memcpy(grass + 2 * (size_t) i, "01", 3);
    open_table("{}");
    assert_int_equal(hand_in(0, grass), ACCEPTED);
    const word *event = sink_first(&table.out);
    assert_int_equal(event_length(event), 4);
    assert_memory_equal(event_fields(event), wrong, sizeof wrong);
    close_table();
}

static void the_same_half_again_is_refused_and_another_one_loses(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(hand_in(0, " " UPPER), TREASURE_NO_HALF_TWICE);
    assert_int_equal(hand_in(0, LOWER), ACCEPTED);
    assert_over(TREASURE_P2_WIN, TREASURE_BAD_MAP, 0);
    close_table();
}

static void a_half_may_come_as_rows_with_both_coordinates_of_its_castle_or_none(void **unused)
{
    static const char rows[] = "GGGGGGGG\nGGMMGWWG\nGGGMGWWG\nGGGGGGGG";
    struct command    command;
    (void) unused;
    open_table("{}");
    treasure_bare(&command, TREASURE_SUBMIT_ROWS);
    command.text = (const uint8_t *) rows;
    command.text_size = sizeof rows - 1;
    command.arg[1] = 1;
    assert_int_equal(treasure_table_hear(&table, 0, &command), TREASURE_NO_INCOMPLETE);
    command.arg[2] = 1;
    assert_int_equal(treasure_table_hear(&table, 0, &command), ACCEPTED);
    assert_said("half_accepted@0");
    command.arg[1] = 8;
    assert_int_equal(treasure_table_hear(&table, 1, &command), ACCEPTED);
    assert_int_equal(event_fields(sink_first(&table.out))[1], TREASURE_CASTLE_NOT_ON_GRASS);
    close_table();
}

static void an_action_is_told_to_who_did_it_and_then_to_the_others(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_said("updated@0 action_done enemy_position@1 act_now@1");
    assert_int_equal(step(1, TREASURE_TO_LEFT), ACCEPTED);
    assert_said("updated@1 action_done enemy_position@0 act_now@0");
    assert_int_equal(game_treasure.question(table.setup, table.state, 0), 3);
    close_table();
}

static void discoveries_come_before_the_answer_and_the_end_comes_last(void **unused)
{
    (void) unused;
    open_match("{\"max_actions\": 6}");
    table.state->seat[0].treasure_x = 1;
    table.state->seat[0].treasure_y = 0;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(step(i % 2, i % 2 ? TREASURE_TO_LEFT : TREASURE_UP), ACCEPTED);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_said("treasure_sighted@0 treasure_collected@0 updated@0 action_done enemy_position@1 "
                "act_now@1");
    assert_int_equal(step(1, TREASURE_TO_LEFT), ACCEPTED);
    assert_said("updated@1 action_done enemy_position@0 game_end reveal");
    assert_over(TREASURE_BOTH_LOSE, TREASURE_ACTION_LIMIT, 6);
    close_table();
}

static void who_acts_out_of_turn_loses_or_is_refused(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(step(1, TREASURE_UP), ACCEPTED);
    assert_said("game_end reveal");
    assert_over(TREASURE_P1_WIN, TREASURE_NOT_YOUR_TURN, 0);
    close_table();
    open_match("{\"out_of_turn\": \"reject\"}");
    assert_int_equal(step(1, TREASURE_UP), TREASURE_NO_TURN);
    close_table();
}

static verdict update(uint32_t seat, word from_x, word from_y, word to_x, word to_y, word turns)
{
    struct command command;
    treasure_bare(&command, TREASURE_UPDATE);
    const word args[] = { 0, from_x, from_y, to_x, to_y, turns };
    memcpy(command.arg, args, sizeof args);
    return treasure_table_hear(&table, seat, &command);
}

/* R-P3 and R-P5, in their order: the figure stands on its castle, at (1,1), among grass. */
static void each_part_of_an_action_is_judged_and_the_first_that_fails_loses(void **unused)
{
    static const struct {
        word     from_x, from_y, to_x, to_y, turns;
        uint32_t reason;
    } rows[] = {
        { 0, 1, 1, 0, 2, TREASURE_BAD_POSITION },
        { 1, 0, 1, 2, 2, TREASURE_BAD_POSITION },
        { 0, 0, 9, 9, 9, TREASURE_BAD_POSITION },
        { 1, 1, 1, 1, 2, TREASURE_ILLEGAL_STEP },
        { 1, 1, 2, 2, 9, TREASURE_ILLEGAL_STEP },
        { 1, 1, 3, 1, 2, TREASURE_ILLEGAL_STEP },
        { 1, 1, 1, 0, 1, TREASURE_BAD_COUNTDOWN },
        { 1, 1, 1, 0, 3, TREASURE_BAD_COUNTDOWN },
        { 1, 1, 2, 1, 2, TREASURE_BAD_COUNTDOWN },
        { 1, 1, INT32_MIN, INT32_MIN, 2, TREASURE_ILLEGAL_STEP },
        { 1, 1, INT32_MAX, INT32_MAX, 2, TREASURE_ILLEGAL_STEP },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_match("{}");
        assert_int_equal(
            update(0, rows[i].from_x, rows[i].from_y, rows[i].to_x, rows[i].to_y, rows[i].turns),
            ACCEPTED);
        assert_said("updated@0 action_done enemy_position@1 game_end reveal");
        assert_over(TREASURE_P2_WIN, rows[i].reason, 1);
        close_table();
    }
    open_match("{}");
    assert_int_equal(ask(0, TREASURE_MALFORMED, 0, ABSENT), ACCEPTED);
    assert_said("updated@0 action_done enemy_position@1 game_end reveal");
    assert_over(TREASURE_P2_WIN, TREASURE_BAD_MESSAGE, 1);
    close_table();
}

static void who_acts_without_a_half_has_sent_a_wrong_message(void **unused)
{
    (void) unused;
    open_table("{\"out_of_turn\": \"reject\"}");
    assert_int_equal(hand_in(0, UPPER), ACCEPTED);
    assert_int_equal(step(0, TREASURE_UP), TREASURE_NO_TURN);
    assert_int_equal(step(1, TREASURE_UP), ACCEPTED);
    assert_over(TREASURE_P1_WIN, TREASURE_BAD_MESSAGE, 0);
    close_table();
}

static void a_command_with_a_hole_is_refused_and_not_lost(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(ask(0, TREASURE_UPDATE, 0, 1), TREASURE_NO_INCOMPLETE);
    assert_int_equal(step(0, 0), TREASURE_NO_DIRECTION);
    assert_int_equal(step(0, 5), TREASURE_NO_DIRECTION);
    assert_int_equal(ask(0, TREASURE_STEP, -1, 1), TREASURE_NO_INCOMPLETE);
    assert_int_equal(ask(0, TREASURE_REGISTER, ABSENT, ABSENT), TREASURE_NO_KIND);
    assert_int_equal(step(2, TREASURE_UP), TREASURE_NO_SEAT);
    assert_int_equal(table.state->n, 0);
    close_table();
}

static void a_late_action_loses_uncounted_and_a_late_half_is_refused(void **unused)
{
    (void) unused;
    open_match("{\"think_ms\": 100}");
    assert_int_equal(ask(0, TREASURE_STEP, 100, TREASURE_UP), ACCEPTED);
    assert_int_equal(ask(1, TREASURE_STEP, 101, TREASURE_UP), ACCEPTED);
    assert_said("game_end reveal");
    assert_over(TREASURE_P1_WIN, TREASURE_THINK_TIME, 1);
    close_table();
    open_table("{\"think_ms\": 100}");
    assert_int_equal(treasure_table_half(&table, 0, UPPER, 101), TREASURE_NO_LATE_HALF);
    assert_int_equal(treasure_table_half(&table, 0, UPPER, 100), ACCEPTED);
    close_table();
}

static void whose_time_is_up_loses_and_both_may(void **unused)
{
    (void) unused;
    open_table("{}");
    treasure_table_expire(&table, 3);
    assert_over(TREASURE_BOTH_LOSE, TREASURE_THINK_TIME, 0);
    close_table();
    open_match("{}");
    treasure_table_expire(&table, 2); /* Nobody waits for seat 1. */
    assert_int_equal(table.state->result, 0);
    struct play play = { table.setup, table.state, &table.dice, &table.out };
    assert_false(game_treasure.expire(&play, 2));
    assert_true(game_treasure.expire(&play, 3));
    assert_over(TREASURE_P2_WIN, TREASURE_THINK_TIME, 0);
    assert_false(game_treasure.expire(&play, 3));
    close_table();
}

static void the_set_up_says_when_time_is_up_with_grace(void **unused)
{
    (void) unused;
    open_table("{\"think_ms\": 100, \"registration_ms\": 7}");
    assert_int_equal(table.bounds.answer_ms, 2100);
    assert_int_equal(table.bounds.registration_ms, 7);
    close_table();
    open_table("{\"think_ms\": 0, \"registration_ms\": 0}");
    assert_int_equal(table.bounds.answer_ms, NO_TIME_LIMIT);
    assert_int_equal(table.bounds.registration_ms, NO_TIME_LIMIT);
    close_table();
}

static void who_leaves_loses_and_the_house_may_end_it_without_a_winner(void **unused)
{
    int32_t outcome[TREASURE_SEATS];
    (void) unused;
    open_match("{}");
    assert_int_equal(ask(1, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    assert_said("left game_end reveal");
    assert_over(TREASURE_P1_WIN, TREASURE_HAS_LEFT, 0);
    game_treasure.outcome(table.setup, table.state, outcome);
    assert_int_equal(outcome[0], 1);
    assert_int_equal(outcome[1], -1);
    assert_int_equal(step(0, TREASURE_UP), TREASURE_NO_OVER);
    close_table();
    open_match("{}");
    struct play play = { table.setup, table.state, &table.dice, &table.out };
    assert_false(game_treasure.leave(&play, TREASURE_SEATS));
    assert_int_equal(ask(0, TREASURE_LEAVE, ABSENT, ABSENT), ACCEPTED);
    assert_false(game_treasure.leave(&play, 1));
    assert_false(game_treasure.annul(&play));
    game_treasure.outcome(table.setup, table.state, outcome);
    assert_int_equal(outcome[0], -1);
    assert_int_equal(outcome[1], 1);
    close_table();
    open_match("{}");
    play = (struct play){ table.setup, table.state, &table.dice, &table.out };
    table.out.used = 0;
    assert_true(game_treasure.annul(&play));
    assert_said("game_end reveal");
    assert_over(TREASURE_ABORTED, TREASURE_SHUTDOWN, 0);
    game_treasure.outcome(table.setup, table.state, outcome);
    assert_int_equal(outcome[0], 0);
    assert_int_equal(outcome[1], 0);
    close_table();
}

static uint32_t steps_listed(uint32_t seat)
{
    static struct pattern pattern[2];
    static word           value[8];
    struct legal          list = { pattern, value, 0, 0, 2, 8 };
    game_treasure.legal(table.setup, table.state, seat, &list);
    return (uint32_t) legal_count(&list);
}

static void only_steps_onto_land_are_listed_and_only_in_turn(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(steps_listed(0), 4);
    assert_int_equal(steps_listed(1), 0);
    table.state->seat[0].x = 4; /* Water on the right, at (5,1). */
    assert_int_equal(steps_listed(0), 3);
    table.state->seat[0].x = 0;
    assert_int_equal(steps_listed(0), 3);
    close_table();
}

static void proposed_halves_are_good_and_differ(void **unused)
{
    uint8_t        first[64], text[64];
    struct command command;
    (void) unused;
    open_table("{}");
    assert_true(game_treasure.propose(table.setup, table.state, 0, &table.dice, &command, first,
                                      sizeof first));
    for (uint32_t i = 0; i < 200; i++) {
        struct treasure_faults faults;
        struct treasure_half   half;
        assert_true(game_treasure.propose(table.setup, table.state, 0, &table.dice, &command, text,
                                          sizeof text));
        assert_true(treasure_take_half(table.setup, &command, &half, &faults));
        assert_int_equal(faults.count, 0);
        assert_true(command.arg[0] == ABSENT);
        assert_memory_not_equal(first, text, sizeof text);
    }
    assert_false(game_treasure.propose(table.setup, table.state, 0, &table.dice, &command, text,
                                       sizeof text - 1));
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_asks_both_for_their_halves_at_once),
        cmocka_unit_test(who_is_asked_is_told_for_what_and_how_long),
        cmocka_unit_test(each_is_told_where_the_other_one_stands),
        cmocka_unit_test(the_end_shows_the_map_and_where_both_stood),
        cmocka_unit_test(a_bad_half_loses_at_once),
        cmocka_unit_test(all_that_is_wrong_with_a_half_is_told),
        cmocka_unit_test(each_part_of_an_action_is_judged_and_the_first_that_fails_loses),
        cmocka_unit_test(the_same_half_again_is_refused_and_another_one_loses),
        cmocka_unit_test(a_half_may_come_as_rows_with_both_coordinates_of_its_castle_or_none),
        cmocka_unit_test(an_action_is_told_to_who_did_it_and_then_to_the_others),
        cmocka_unit_test(discoveries_come_before_the_answer_and_the_end_comes_last),
        cmocka_unit_test(who_acts_out_of_turn_loses_or_is_refused),
        cmocka_unit_test(who_acts_without_a_half_has_sent_a_wrong_message),
        cmocka_unit_test(a_command_with_a_hole_is_refused_and_not_lost),
        cmocka_unit_test(a_late_action_loses_uncounted_and_a_late_half_is_refused),
        cmocka_unit_test(whose_time_is_up_loses_and_both_may),
        cmocka_unit_test(the_set_up_says_when_time_is_up_with_grace),
        cmocka_unit_test(who_leaves_loses_and_the_house_may_end_it_without_a_winner),
        cmocka_unit_test(only_steps_onto_land_are_listed_and_only_in_turn),
        cmocka_unit_test(proposed_halves_are_good_and_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
