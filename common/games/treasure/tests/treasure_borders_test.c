/* treasure_borders_test.c: values just inside and just outside of what is accepted, and who is asked, told and shown what. */
#include "games/treasure/tests/treasure_test.h"

#include "dice/kinds.h"

#define CASTLE_MOVED "0001010101010101010102020103030101010102010303010101010101010101"
#define ONE_MOUNTAIN_MORE "0201010101010101010002020103030101010102010303010101010101010101"

static void a_half_is_the_same_with_the_same_castle_and_terrain_only(void **unused)
{
    static const char *const others[] = { CASTLE_MOVED, ONE_MOUNTAIN_MORE };
    (void) unused;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        open_match("{}");
        assert_int_equal(hand_in(0, others[i]), ACCEPTED);
        assert_over(TREASURE_P2_WIN, TREASURE_BAD_MAP, 0);
        close_table();
    }
}

/* Whether a half was meant is yes or no. */
static void what_cannot_be_read_was_a_half_or_none(void **unused)
{
    (void) unused;
    open_match("{}");
    assert_int_equal(ask(0, TREASURE_MALFORMED, 0, 2), TREASURE_NO_INCOMPLETE);
    assert_int_equal(ask(0, TREASURE_MALFORMED, 0, -1), TREASURE_NO_INCOMPLETE);
    assert_int_equal(ask(0, TREASURE_MALFORMED, 0, 0), ACCEPTED);
    assert_over(TREASURE_P2_WIN, TREASURE_BAD_MESSAGE, 1);
    close_table();
    open_match("{}");
    assert_int_equal(ask(0, TREASURE_MALFORMED, 0, 1), ACCEPTED);
    assert_over(TREASURE_P2_WIN, TREASURE_BAD_MESSAGE, 0);
    close_table();
}

static void a_think_time_has_32_bits_and_who_leaves_has_none(void **unused)
{
    (void) unused;
    open_table("{\"think_ms\": 0}");
    assert_int_equal(treasure_table_half(&table, 0, UPPER, -1), TREASURE_NO_INCOMPLETE);
    assert_int_equal(treasure_table_half(&table, 0, UPPER, 0), ACCEPTED);
    assert_int_equal(treasure_table_half(&table, 1, LOWER, 0), ACCEPTED);
    assert_int_equal(ask(0, TREASURE_STEP, (word) UINT32_MAX + 1, TREASURE_UP),
                     TREASURE_NO_INCOMPLETE);
    assert_int_equal(ask(0, TREASURE_STEP, UINT32_MAX, TREASURE_UP), ACCEPTED);
    assert_int_equal(ask(1, TREASURE_LEAVE, 5, ABSENT), TREASURE_NO_INCOMPLETE);
    close_table();
    open_match("{\"think_ms\": 1}");
    assert_int_equal(ask(0, TREASURE_STEP, 2, TREASURE_UP), ACCEPTED);
    assert_over(TREASURE_P2_WIN, TREASURE_THINK_TIME, 0);
    close_table();
}

static void assert_asked(uint32_t seat, const char *expected)
{
    table.out.used = 0;
    table.out.events = 0;
    game_treasure.asks(table.setup, table.state, seat, &table.out);
    assert_said(expected);
}

static void only_who_is_to_act_is_asked_again(void **unused)
{
    (void) unused;
    open_table("{}");
    assert_asked(0, "act_now@0");
    assert_int_equal(hand_in(0, UPPER), ACCEPTED);
    assert_int_equal(game_treasure.to_act(table.setup, table.state), 2);
    assert_asked(0, "");
    assert_asked(1, "act_now@1");
    assert_asked(SPECTATOR, "");
    assert_int_equal(hand_in(1, LOWER), ACCEPTED);
    assert_asked(0, "act_now@0");
    assert_asked(1, "");
    close_table();
}

/* To who comes upon it, and once. */
static void the_sight_of_a_castle_is_told(void **unused)
{
    (void) unused;
    open_match("{}");
    table.state->seat[1].castle_x = 1;
    table.state->seat[1].castle_y = 0;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(step(i % 2, i % 2 ? TREASURE_TO_LEFT : TREASURE_UP), ACCEPTED);
    assert_int_equal(step(0, TREASURE_UP), ACCEPTED);
    assert_said("enemy_castle_sighted@0 updated@0 action_done enemy_position@1 act_now@1");
    close_table();
}

/* What a player is shown of the other one when the mask ends is where the other stands then. */
static void where_masks_end_both_figures_are_shown(void **unused)
{
    (void) unused;
    open_match("{\"mask_actions\": 4}");
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(table.state->seat[0].shown, 0);
        assert_int_equal(step(i % 2, i % 2 ? TREASURE_TO_LEFT : TREASURE_UP), ACCEPTED);
    }
    for (uint32_t seat = 0; seat < TREASURE_SEATS; seat++) {
        const struct treasure_seat *player = &table.state->seat[seat];
        assert_int_equal(player->shown, 1);
        assert_int_equal(player->shown_x, player->x);
        assert_int_equal(player->shown_y, player->y);
        assert_int_equal(player->shown_after, 4);
    }
    close_table();
}

/* The first field of a half included. */
static void a_castle_that_dice_place_lies_on_any_grass(void **unused)
{
    static const char scarce[] = "0102020202020202020203030203030202020202020202020202020202020201";
    uint32_t          first = 0, last = 0;
    (void) unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        open_table("{\"castle_missing\": \"server_random\", \"min_grass\": 2}");
        dice_splitmix(&table.dice, seed);
        assert_int_equal(hand_in(0, scarce), ACCEPTED);
        assert_int_equal(hand_in(1, LOWER), ACCEPTED);
        first += table.state->seat[0].castle_x == 0 && table.state->seat[0].castle_y == 0;
        last += table.state->seat[0].castle_x == 7 && table.state->seat[0].castle_y == 3;
        close_table();
    }
    assert_in_range(first, 5, 35);
    assert_int_equal(first + last, 40);
}

static void numbers_that_no_rule_made_have_no_names(void **unused)
{
    (void) unused;
    assert_null(treasure_result_name(TREASURE_ABORTED + 1));
    assert_null(treasure_reason_name(TREASURE_SHUTDOWN + 1));
    assert_null(treasure_result_name(-1));
}

/* Spectators who see all are sent what was kept for them, be it one moment only. */
static void what_spectators_are_shown_counts_into_the_bounds(void **unused)
{
    (void) unused;
    open_table("{}");
    uint32_t without = table.bounds.event_words;
    close_table();
    open_table("{\"spectators\": \"all\", \"spectator_delay_actions\": 0}");
    assert_int_equal(table.bounds.event_words, without + 2 * (64 + 8 + 90));
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_half_is_the_same_with_the_same_castle_and_terrain_only),
        cmocka_unit_test(what_cannot_be_read_was_a_half_or_none),
        cmocka_unit_test(a_think_time_has_32_bits_and_who_leaves_has_none),
        cmocka_unit_test(only_who_is_to_act_is_asked_again),
        cmocka_unit_test(the_sight_of_a_castle_is_told),
        cmocka_unit_test(where_masks_end_both_figures_are_shown),
        cmocka_unit_test(a_castle_that_dice_place_lies_on_any_grass),
        cmocka_unit_test(numbers_that_no_rule_made_have_no_names),
        cmocka_unit_test(what_spectators_are_shown_counts_into_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
