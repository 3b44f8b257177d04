/* treasure_log_test.c: the lines of section 10, as a match leaves them. */
#include "games/treasure/tests/treasure_told_test.h"

static void every_step_of_a_match_leaves_its_line(void **unused)
{
    (void) unused;
    begin_game("{}");
    assert_string_equal(said, "I treasure game 1: map preparation begins\n");
    submit(0, UPPER);
    assert_string_equal(said, "I treasure game 1: half of seat 1: grass 25, mountain 3, water 4; "
                              "water at the edges: top 0, bottom 0, left 0, right 0; no island\n");
    submit(1, LOWER);
    char *joined = strchr(said, '\n') + 1;
    assert_memory_equal(joined,
                        "I treasure game 1: halves joined one above the other, that of "
                        "seat 1 first; treasures hidden\n"
                        "d treasure game 1: seat 1: castle at 2/2, treasure at ",
                        strlen("I treasure game 1: halves joined one above the other, that of "
                               "seat 1 first; treasures hidden\n"
                               "d treasure game 1: seat 1: castle at 2/2, treasure at "));
    assert_non_null(strstr(joined, "d treasure game 1: seat 2: castle at 7/8, treasure at "));
    assert_null(strstr(joined, "seat 3"));
    go(0, TREASURE_TO_RIGHT);
    assert_string_equal(said, "I treasure game 1: action 1, seat 1: from 2/2 to 3/2, turns left 3, "
                              "STAY, thought 17 ms\n");
    update(1, 6, 7, 6, 8, 2);
    assert_string_equal(said, "I treasure game 1: action 2, seat 2: from 7/8 to 7/9, turns left 2, "
                              "STAY, thought 2999 ms\n");
    update(0, 1, 1, 1, 3, 2);
    assert_string_equal(said, "W treasure game 1: action 3, seat 1: from 2/2 to 2/4, turns left 2, "
                              "STAY, ILLEGAL_STEP, thought 2999 ms\n"
                              "I treasure game 1: P2_WIN, ILLEGAL_STEP, 3 actions in 250 ms\n");
    close_table();
}

static void bad_halves_and_silence_are_warned_of(void **unused)
{
    struct command malformed;
    (void) unused;
    begin_game("{}");
    submit(1, SHORES);
    assert_string_equal(said, "W treasure game 1: half of seat 2: grass 27, mountain 0, water 5; "
                              "water at the edges: top 2, bottom 1, left 1, right 0; no island; "
                              "wrong: TOO_FEW_MOUNTAIN\n"
                              "I treasure game 1: P1_WIN, BAD_MAP, 0 actions in 50 ms\n");
    close_table();
    begin_game("{}");
    submit(0, "0101");
    assert_memory_equal(said, "W treasure game 2: half of seat 1; wrong: BAD_LENGTH\n", 53);
    close_table();
    begin_game("{}");
    treasure_table_expire(&table, 1);
    tell(0, NULL, false);
    assert_string_equal(said, "W treasure game 3: after action 0: THINK_TIME\n"
                              "I treasure game 3: P2_WIN, THINK_TIME, 0 actions in 0 ms\n");
    close_table();
    begin_moves("{}");
    treasure_bare(&malformed, TREASURE_MALFORMED);
    do_command(0, &malformed);
    assert_memory_equal(said,
                        "W treasure game 4: action 1, seat 1: cannot be read, STAY, "
                        "BAD_MESSAGE, thought 0 ms\n",
                        83);
    close_table();
}

/* A treasure in a half can be read, but says nothing of its terrain. */
static void all_that_is_wrong_with_a_half_is_named(void **unused)
{
    char grass[65];
    (void) unused;
    for (uint32_t i = 0; i < 32; i++)
        memcpy(grass + 2 * (size_t) i, "01", 3);
    begin_game("{}");
    submit(0, grass);
    assert_non_null(strstr(said, "; wrong: CASTLE_COUNT TOO_FEW_MOUNTAIN TOO_FEW_WATER\n"));
    close_table();
    begin_game("{}");
    submit(0, "0T0G0G0G0G0G0G0G0GPC0M0M0G0W0W0G0G0G0G0M0G0W0W0G0G0G0G0G0G0G0G0G");
    assert_memory_equal(said, "W treasure game 2: half of seat 1; wrong: ", 42);
    close_table();
}

/* Whoever wins by it. */
static void who_acts_out_of_turn_is_warned_of(void **unused)
{
    (void) unused;
    begin_moves("{}");
    go(1, TREASURE_UP);
    assert_memory_equal(said, "W treasure game 1: after action 0, seat 2: NOT_YOUR_TURN\n", 57);
    close_table();
    begin_moves("{}");
    update(1, 6, 7, 6, 8, 2);
    assert_memory_equal(said, "W treasure game 2: after action 0, seat 2: NOT_YOUR_TURN\n", 57);
    close_table();
}

static void steps_say_where_they_lead_from(void **unused)
{
    (void) unused;
    begin_moves("{}");
    for (word way = TREASURE_UP; way <= TREASURE_TO_RIGHT; way++) {
        go(0, way);
        assert_non_null(strstr(said, "from 2/2 to "));
        go(1, TREASURE_TO_LEFT);
        if (table.state->result != 0 || table.state->n > 4)
            break;
    }
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_step_of_a_match_leaves_its_line, open_store,
                                        remove_store),
        cmocka_unit_test_setup_teardown(bad_halves_and_silence_are_warned_of, open_store,
                                        remove_store),
        cmocka_unit_test_setup_teardown(all_that_is_wrong_with_a_half_is_named, open_store,
                                        remove_store),
        cmocka_unit_test_setup_teardown(who_acts_out_of_turn_is_warned_of, open_store,
                                        remove_store),
        cmocka_unit_test_setup_teardown(steps_say_where_they_lead_from, open_store, remove_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
