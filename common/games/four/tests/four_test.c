/* four_test.c: what only four in a row knows: its set-ups, its events in order, its lines, and what judges well.
 *
 * That the list is what apply accepts, that refusals change nothing and the like is asked of all games
 * together, in tests/conformance. */
#include "games/four/four.h"
#include "games/tests/small_test.h"

static struct four_setup setup;
static struct four_state state;

static void begin(const char *config)
{
    small_begin(&game_four, &setup, sizeof setup, &state, sizeof state, config, FOUR_SEATS);
}

static verdict drop(uint32_t seat, word column)
{
    return small_play(&game_four, seat, FOUR_DROP, column, ABSENT);
}

/* Both drop in turn, Alice first: a digit each, the column. */
static void drop_all(const char *columns)
{
    for (uint32_t seat = ALICE; *columns != '\0'; columns++, seat = 1 - seat)
        assert_int_equal(drop(seat, *columns - '0'), ACCEPTED);
}

static void assert_outcome(int32_t alice, int32_t bob)
{
    int32_t per_seat[SEATS_MAX];
    small_outcome(&game_four, per_seat);
    assert_int_equal(per_seat[ALICE], alice);
    assert_int_equal(per_seat[BOB], bob);
}

static void a_match_begins_with_its_grid_and_a_turn(void **unused)
{
    (void) unused;
    begin("{}");
    assert_said(HEADER(FOUR_STARTED, 3), 7, 6, 4, HEADER(FOUR_TURN, 1), ALICE);
    begin("{\"columns\": 3, \"rows\": 3}");
    assert_said(HEADER(FOUR_STARTED, 3), 3, 3, 3, HEADER(FOUR_TURN, 1), ALICE);
}

static void a_disc_falls_on_what_lies_there(void **unused)
{
    (void) unused;
    begin("{}");
    assert_int_equal(drop(ALICE, 3), ACCEPTED);
    assert_said(HEADER(FOUR_DROPPED, 3), ALICE, 3, 0, HEADER(FOUR_TURN, 1), BOB);
    assert_int_equal(drop(BOB, 3), ACCEPTED);
    assert_said(HEADER(FOUR_DROPPED, 3), BOB, 3, 1, HEADER(FOUR_TURN, 1), ALICE);
}

static void mistakes_are_named(void **unused)
{
    (void) unused;
    struct command nothing = { .kind = 0 };
    begin("{\"columns\": 4, \"rows\": 3, \"line\": 4}");
    assert_int_equal(drop(BOB, 0), FOUR_NOT_YOUR_TURN);
    assert_int_equal(drop(ALICE, -1), FOUR_NO_SUCH_COLUMN);
    assert_int_equal(drop(ALICE, 4), FOUR_NO_SUCH_COLUMN);
    assert_int_equal(drop(ALICE, (word) 1 << 32), FOUR_NO_SUCH_COLUMN);
    assert_int_equal(drop(ALICE, ABSENT), FOUR_NO_SUCH_COLUMN);
    assert_int_equal(game_four.apply(&play, ALICE, &nothing), FOUR_NOT_A_MOVE);
    drop_all("000");
    assert_int_equal(drop(BOB, 0), FOUR_COLUMN_FULL);
}

static void a_line_in_any_direction_wins(void **unused)
{
    (void) unused;
    static const char *const won_by_alice[] = {
        "0011223",     /* Level.                  */
        "0101010",     /* Upright.                */
        "01122323363", /* Slanting up.            */
        "65544343303", /* Slanting down.          */
        "0011332",     /* The last one between.   */
    };
    for (size_t i = 0; i < sizeof won_by_alice / sizeof won_by_alice[0]; i++) {
        begin("{}");
        drop_all(won_by_alice[i]);
        assert_outcome(1, -1);
    }
}

static void the_winner_is_told(void **unused)
{
    (void) unused;
    begin("{}");
    drop_all("0011223");
    assert_said(HEADER(FOUR_DROPPED, 3), ALICE, 3, 0, HEADER(FOUR_OVER, 2), 1, ALICE);
    assert_int_equal(state.turn, 0); /* Equal ends are equal states. */
    assert_int_equal(drop(BOB, 0), FOUR_NOT_YOUR_TURN);
}

static void no_line_goes_round_the_edge(void **unused)
{
    (void) unused;
    begin("{\"columns\": 4, \"rows\": 4, \"line\": 3}");
    drop_all("2030"); /* Alice has 2 and 3 of the lowest row, Bob 0 twice. */
    assert_int_equal(drop(ALICE, 0), ACCEPTED);
    assert_int_not_equal(game_four.to_act(&setup, &state), 0);
}

static void a_full_grid_without_a_line_is_drawn(void **unused)
{
    (void) unused;
    begin("{\"columns\": 3, \"rows\": 3, \"line\": 3}");
    drop_all("210102102");
    assert_outcome(0, 0);
    assert_said(HEADER(FOUR_DROPPED, 3), ALICE, 2, 2, HEADER(FOUR_OVER, 1), 0);
}

static void who_is_late_loses(void **unused)
{
    (void) unused;
    begin("{}");
    small_forget();
    assert_false(game_four.expire(&play, 1u << BOB)); /* This player is not awaited. */
    assert_true(game_four.expire(&play, 1u << ALICE | 1u << BOB));
    assert_said(HEADER(FOUR_OUT, 1), ALICE, HEADER(FOUR_OVER, 2), 1, BOB);
    assert_outcome(-1, 1);
}

static void who_is_removed_loses_on_anybodys_turn(void **unused)
{
    (void) unused;
    begin("{}");
    assert_false(game_four.leave(&play, 2));
    assert_true(game_four.leave(&play, BOB));
    assert_outcome(1, -1);
    assert_false(game_four.leave(&play, ALICE));
}

static void a_view_shows_the_grid_from_the_top(void **unused)
{
    (void) unused;
    begin("{\"columns\": 3, \"rows\": 3, \"line\": 3}");
    drop_all("00");
    small_look(&game_four, SPECTATOR);
    assert_said(3, 3, 9, -1, -1, -1, BOB, -1, -1, ALICE, -1, -1, ALICE, 0);
    drop_all("121"); /* Alice 1, Bob 2, Alice 1. */
    small_look(&game_four, BOB);
    assert_said(3, 3, 9, -1, -1, -1, BOB, ALICE, -1, ALICE, ALICE, BOB, BOB, 0);
    assert_int_equal(drop(BOB, 2), ACCEPTED);
    assert_int_equal(drop(ALICE, 1), ACCEPTED);
    small_look(&game_four, BOB);
    assert_said(3, 3, 9, -1, ALICE, -1, BOB, ALICE, BOB, ALICE, ALICE, BOB, ABSENT, 1, ALICE);
}

static int64_t liking(uint32_t seat, word column)
{
    struct command command = { .kind = FOUR_DROP, .arg = { column, ABSENT } };
    return game_four.judge(&setup, &state, seat, &command);
}

static void a_win_is_liked_before_a_block_and_a_block_before_the_middle(void **unused)
{
    (void) unused;
    begin("{}");
    assert_true(liking(ALICE, 3) > liking(ALICE, 2));
    assert_int_equal(liking(ALICE, 2), liking(ALICE, 4));
    drop_all("060606"); /* Three of each upon one another. */
    assert_true(liking(ALICE, 0) > liking(ALICE, 6));
    assert_true(liking(ALICE, 6) > liking(ALICE, 3));
}

static void the_ground_for_the_others_win_is_not_laid(void **unused)
{
    (void) unused;
    begin("{}");
    drop_all("1002261"); /* Alice has 0, 1, 2 of the second row, and column 3 is empty. */
    assert_true(liking(BOB, 3) < liking(BOB, 5));
    assert_true(liking(ALICE, 3) > liking(ALICE, 5));
}

/* Nothing is larger than its bound, and no bound is larger than what can be. */
static void bounds_are_exact(void **unused)
{
    (void) unused;
    struct bounds bounds;
    begin("{\"columns\": 4, \"rows\": 3}");
    game_four.bounds(&setup, FOUR_SEATS, &bounds);
    assert_int_equal(bounds.state_bytes, sizeof state);
    assert_int_equal(bounds.legal_patterns, 1);
    assert_int_equal(bounds.legal_values, 4);
    assert_int_equal(bounds.event_words, 7);
    assert_int_equal(bounds.view_words, 3 + 12 + 3);
    assert_int_equal(bounds.commands, 12 + 1);
}

static void only_the_seat_on_turn_is_asked(void **unused)
{
    (void) unused;
    begin("{}");
    small_forget();
    game_four.asks(&setup, &state, BOB, &out);
    assert_int_equal(out.used, 0);
    game_four.asks(&setup, &state, ALICE, &out);
    assert_said(HEADER(FOUR_TURN, 1), ALICE);
    drop_all("0011223");
    small_forget();
    game_four.asks(&setup, &state, ALICE, &out);
    assert_int_equal(out.used, 0);
}

/* One change to a match of two discs in the first column, and what is said of it. */
#define BROKEN(change, sentence)                                                                   \
    do {                                                                                           \
        begin("{\"columns\": 3, \"rows\": 3}");                                                    \
        drop_all("00");                                                                            \
        assert_null(game_four.check(&setup, &state));                                              \
        change;                                                                                    \
        assert_string_equal(game_four.check(&setup, &state), sentence);                            \
    } while (0)

static void a_broken_state_is_named(void **unused)
{
    (void) unused;
    BROKEN(state.height[0] = 4, "no column holds more than its rows");
    BROKEN(state.height[2] = 4, "no column holds more than its rows");
    BROKEN(state.cell[0] = 0, "discs lie on one another, without a gap");
    BROKEN(state.cell[8] = 1, "discs lie on one another, without a gap");
    BROKEN(state.height[0] = 1, "discs lie on one another, without a gap");
    BROKEN(state.dropped = 3, "as many discs lie there as were dropped");
    BROKEN(state.winner = FOUR_DRAWN + 1, "two play, and one wins or nobody");
    BROKEN(state.turn = FOUR_SEATS, "two play, and one wins or nobody");
    begin("{\"columns\": 3, \"rows\": 3}");
    drop_all("000"); /* A full column, and a match that goes on. */
    assert_null(game_four.check(&setup, &state));
}

static void assert_refused(const char *config, const char *options, const char *complaint)
{
    small_refused(&game_four, config, options, complaint);
}

static void a_faulty_setup_is_refused_at_its_place(void **unused)
{
    (void) unused;
    assert_refused("[]", NULL, "config: is a list, must be an object");
    assert_refused("{\"columns\": 2}", NULL, "/columns: is 2, must be at least 3");
    assert_refused("{\"rows\": 13}", NULL, "/rows: is 13, must be at most 12");
    assert_refused("{\"columns\": 4, \"rows\": 3, \"line\": 5}", NULL,
                   "/line: is 5, must be at most 4");
    assert_refused("{\"color\": 1}", NULL, "/color: is not a key here");
    assert_refused("{}", "{\"edition\": 1}", "/edition: is not a key here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_begins_with_its_grid_and_a_turn),
        cmocka_unit_test(a_disc_falls_on_what_lies_there),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(a_line_in_any_direction_wins),
        cmocka_unit_test(the_winner_is_told),
        cmocka_unit_test(no_line_goes_round_the_edge),
        cmocka_unit_test(a_full_grid_without_a_line_is_drawn),
        cmocka_unit_test(who_is_late_loses),
        cmocka_unit_test(who_is_removed_loses_on_anybodys_turn),
        cmocka_unit_test(a_view_shows_the_grid_from_the_top),
        cmocka_unit_test(a_win_is_liked_before_a_block_and_a_block_before_the_middle),
        cmocka_unit_test(the_ground_for_the_others_win_is_not_laid),
        cmocka_unit_test(bounds_are_exact),
        cmocka_unit_test(only_the_seat_on_turn_is_asked),
        cmocka_unit_test(a_broken_state_is_named),
        cmocka_unit_test(a_faulty_setup_is_refused_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
