/* objectron_state_test.c: neighbours, fields side by side, what a view lists, and the doors of a match that
 * recordings do not use. */
#include "games/objectron/tests/objectron_stage_test.h"

static struct objectron_table table;

#define PLAIN(grid, items)                                                                         \
    "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":0,\"grid\":[" grid                       \
    "],\"placements\":[" items "]}"
#define FIVE "\"1    \",\"     \",\"     \",\"     \",\"    2\""

static void neighbours_end_at_the_border(void **unused)
{
    (void) unused;
    stage(&table, PLAIN("\"1   \",\"    \",\"   2\"", ""), "{}", 1);
    for (int32_t at = 0; at < 12; at++) {
        int32_t around[8];
        objectron_around(table.state, at, around);
        for (uint32_t dir = 0; dir < 8; dir++) {
            int32_t x = at % 4 + objectron_dx(dir), y = at / 4 + objectron_dy(dir);
            bool    inside = x >= 0 && x < 4 && y >= 0 && y < 3;
            assert_int_equal(around[dir], inside ? y * 4 + x : -1);
            assert_int_equal(objectron_step(table.state, at, dir), around[dir]);
        }
    }
    objectron_table_close(&table);
}

/* One field at the one side and another at the other are no fence: only one field over both is. */
static void a_diagonal_step_between_two_fields_is_free(void **unused)
{
    struct objectron_state *state;
    int32_t                 to;
    (void) unused;
    stage(&table,
          PLAIN(FIVE, "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[4,1]},"
                      "{\"id\":2,\"kind\":\"force_field_generator\",\"at\":[2,3]},"
                      "{\"id\":3,\"kind\":\"force_field_generator\",\"at\":[1,2]},"
                      "{\"id\":4,\"kind\":\"force_field_generator\",\"at\":[3,0]}"),
          "{\"players\":{\"1\":{\"at\":[2,2]}}}", 1);
    state = table.state;
    for (int32_t i = 0; i < state->fields; i++)
        objectron_fields(state)[i].on = 1;
    assert_true(objectron_charged(state, 2 * 5 + 3));
    assert_true(objectron_charged(state, 1 * 5 + 2));
    assert_int_equal(objectron_judge_move(state, 0, 1, &to), ACCEPTED);
    assert_int_equal(to, 1 * 5 + 3);
    objectron_table_close(&table);
}

#define GENERATOR(id, at) "{\"id\":" id ",\"kind\":\"force_field_generator\",\"at\":" at "}"

/* The second player's field goes on at the next action and would put that player out. Then the
 * third is the last one living, unless the first lives too. The third's own field goes on an action
 * later, and traps nobody any more. */
static void nobody_is_trapped_when_he_is_the_last_one(void **unused)
{
    struct objectron_field *field;
    (void) unused;
    stage(
        &table,
        "{\"mode\":\"ctf\",\"players\":3,\"power_failure_bp\":0,\"grid\":[\"1      \",\" 2   3 \","
        "\"       \"],\"placements\":[" GENERATOR("1", "[1,0]") "," GENERATOR(
            "2", "[1,2]") "," GENERATOR("3", "[5,0]") "," GENERATOR("4", "[5,2]") "]}",
        "{}", 1);
    field = objectron_fields(table.state);
    assert_int_equal(table.state->fields, 2);
    /* On at the second action from now, off at the fourth, and at the sixth it catches the player
     * again. */
    assert_false(objectron_would_trap(table.state, 1, 5));
    assert_true(objectron_would_trap(table.state, 1, 6));
    field[0].counter = 1;
    field[0].trapped = 2;
    field[1].trapped = 4;
    assert_true(objectron_would_trap(table.state, 1, 4));
    assert_true(objectron_would_trap(table.state, 2, 4));
    assert_false(objectron_would_trap(table.state, 2, 1));
    table.state->player[0].alive = 0;
    assert_true(objectron_would_trap(table.state, 1, 4));
    assert_false(objectron_would_trap(table.state, 2, 4));
    objectron_table_close(&table);
}

static void a_view_lists_what_players_carry_and_have_captured(void **unused)
{
    (void) unused;
    stage(&table,
          PLAIN(FIVE, "{\"id\":7,\"kind\":\"identity_disc\",\"in\":1},"
                      "{\"id\":8,\"kind\":\"charged_identity_disc\",\"in\":1}"),
          "{\"players\":{\"1\":{\"captured\":[2]}}}", 1);
    json_t *view = objectron_table_view(&table);
    json_t *first = json_array_get(json_object_get(view, "players"), 0);
    json_t *carried = json_object_get(first, "inventory");
    assert_int_equal(json_array_size(carried), 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(carried, 0), "id")), 7);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(carried, 1), "id")), 8);
    json_t *captured = json_object_get(first, "captured");
    assert_int_equal(json_array_size(captured), 1);
    assert_int_equal(json_integer_value(json_array_get(captured, 0)), 1);
    json_decref(view);
    objectron_table_close(&table);
}

static void a_match_begins_with_its_grid_and_the_first_turn(void **unused)
{
    (void) unused;
    stage(&table, PLAIN(FIVE, ""), "{}", 1);
    memset(table.state, 0, table.bounds.state_bytes);
    dice_splitmix(&table.dice, 1);
    struct play play = staged(&table);
    game_objectron.start(&play, 2);
    const word *event = sink_first(&table.out);
    assert_int_equal(event_kind(event), OBJECTRON_GAME_STARTED);
    event = sink_next(&table.out, event);
    assert_int_equal(event_kind(event), OBJECTRON_TURN_STARTED);
    assert_int_equal(event_fields(event)[0], 0);
    assert_null(sink_next(&table.out, event));
    objectron_table_close(&table);
}

static void only_who_is_on_turn_is_asked(void **unused)
{
    (void) unused;
    stage(&table, PLAIN(FIVE, ""), "{}", 1);
    for (uint32_t seat = 0; seat < 70; seat++) {
        table.out.used = table.out.events = 0;
        game_objectron.asks(table.setup, table.state, seat, &table.out);
        assert_int_equal(table.out.events, seat == 0);
    }
    assert_int_equal(event_kind(table.out.words), OBJECTRON_TURN_STARTED);
    objectron_table_close(&table);
}

static void who_is_removed_is_out_and_leaves_nothing(void **unused)
{
    static const struct objectron_piece none[OBJECTRON_TRAIL_MAX];
    int32_t                             outcome[2];
    (void) unused;
    stage(&table, PLAIN(FIVE, ""),
          "{\"players\":{\"2\":{\"at\":[2,2],\"trail\":[[3,3,2],[3,2,1],[3,1,0]]}}}", 1);
    struct play play = staged(&table);
    assert_false(game_objectron.leave(&play, 2));
    assert_true(game_objectron.leave(&play, 1));
    assert_false(table.state->player[1].alive);
    assert_memory_equal(table.state->player[1].trail, none, sizeof none);
    assert_true(table.state->over);
    assert_int_equal(table.state->winner, 0);
    game_objectron.outcome(table.setup, table.state, outcome);
    assert_true(outcome[0] > 0 && outcome[1] < 0);
    assert_int_equal(game_objectron.to_act(table.setup, table.state), 0);
    assert_false(game_objectron.leave(&play, 0));
    assert_false(game_objectron.expire(&play, 1));
    objectron_table_close(&table);
}

/* A command with a field more than it has is none; nor is one with a field of another type. */
static void a_command_has_its_fields_and_no_others(void **unused)
{
    static const struct {
        uint32_t kind;
        word     arg[3];
        verdict  verdict;
    } rows[] = {
        { OBJECTRON_MOVE, { 0, ABSENT, ABSENT }, OBJECTRON_NO_BAD_DIRECTION },
        { OBJECTRON_MOVE, { 9, ABSENT, ABSENT }, OBJECTRON_NO_BAD_DIRECTION },
        { OBJECTRON_MOVE, { ABSENT, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_DIR },
        { OBJECTRON_MOVE, { MISTYPED, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_DIR },
        { OBJECTRON_MOVE, { 3, 3, ABSENT }, OBJECTRON_NO_UNKNOWN_CMD },
        { OBJECTRON_PICK_UP, { 1, 1, ABSENT }, OBJECTRON_NO_UNKNOWN_CMD },
        { OBJECTRON_PICK_UP, { MISTYPED, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_ITEM },
        { OBJECTRON_PICK_UP, { 1, ABSENT, ABSENT }, OBJECTRON_NO_NOTHING_HERE },
        { OBJECTRON_USE, { 1, 3, 1 }, OBJECTRON_NO_UNKNOWN_CMD },
        { OBJECTRON_USE, { 1, MISTYPED, ABSENT }, OBJECTRON_NO_UNKNOWN_DIR },
        { OBJECTRON_USE, { ABSENT, 3, ABSENT }, OBJECTRON_NO_UNKNOWN_ITEM },
        { OBJECTRON_USE, { 1, 3, ABSENT }, OBJECTRON_NO_EMPTY },
        { OBJECTRON_END_TURN, { 2, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_CONFIRM },
        { OBJECTRON_END_TURN, { MISTYPED, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_CONFIRM },
        { OBJECTRON_END_TURN, { 1, 1, ABSENT }, OBJECTRON_NO_UNKNOWN_CMD },
        { OBJECTRON_END_TURN, { 0, ABSENT, ABSENT }, OBJECTRON_NO_WARNING_LOSES },
        { OBJECTRON_END_TURN, { ABSENT, ABSENT, ABSENT }, OBJECTRON_NO_WARNING_LOSES },
        { OBJECTRON_RESIGN, { 1, ABSENT, ABSENT }, OBJECTRON_NO_UNKNOWN_CMD },
    };
    (void) unused;
    stage(&table, PLAIN(FIVE, ""), "{\"players\":{\"1\":{\"at\":[1,1]}}}", 1);
    struct play play = staged(&table);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct command command = { .kind = rows[i].kind };
        for (uint32_t k = 0; k < COMMAND_ARGS_MAX; k++)
            command.arg[k] = k < 3 ? rows[i].arg[k] : ABSENT;
        assert_int_equal(game_objectron.apply(&play, 0, &command), rows[i].verdict);
    }
    objectron_table_close(&table);
}

static void what_is_no_command_is_unknown(void **unused)
{
    struct command command = { .kind = OBJECTRON_MOVE, .arg = { 3 } };
    (void) unused;
    stage(&table, PLAIN(FIVE, ""), "{}", 1);
    struct play play = staged(&table);
    for (uint32_t i = 1; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    command.kind = 0;
    assert_int_equal(game_objectron.apply(&play, 0, &command), OBJECTRON_NO_UNKNOWN_CMD);
    command.kind = OBJECTRON_COMMAND_KINDS;
    assert_int_equal(game_objectron.apply(&play, 0, &command), OBJECTRON_NO_UNKNOWN_CMD);
    command.kind = OBJECTRON_MOVE;
    command.text_size = 1;
    assert_int_equal(game_objectron.apply(&play, 0, &command), OBJECTRON_NO_UNKNOWN_CMD);
    command.text_size = 0;
    command.arg[1] = 1;
    assert_int_equal(game_objectron.apply(&play, 0, &command), OBJECTRON_NO_UNKNOWN_CMD);
    command.arg[1] = ABSENT;
    assert_int_equal(game_objectron.apply(&play, 0, &command), ACCEPTED);
    objectron_table_close(&table);
}

/* On a row with two starts, the squares from `first` to `last` are fair, and no others. */
static void fair_between(int32_t one, int32_t two, int32_t first, int32_t last)
{
    uint8_t fair[OBJECTRON_SQUARES_MAX];
    char    config[512], row[101] = "";
    memset(row, ' ', 100);
    row[one] = '1';
    row[two] = '2';
    (void) snprintf(config, sizeof config,
                    "{\"mode\":\"race\",\"players\":2,\"power_failure_bp\":0,\"grid\":[\"%s\"],"
                    "\"placements\":[]}",
                    row);
    stage(&table, config, "{}", 1);
    objectron_mark_fair(table.state, fair);
    for (int32_t x = 0; x < 100; x++)
        assert_int_equal(fair[x], x >= first && x <= last);
    objectron_table_close(&table);
}

/* Columns on either side of the 64th, where a row of squares is two words. */
static void distances_are_right_on_wide_grids(void **unused)
{
    (void) unused;
    fair_between(0, 99, 49, 50); /* 49 and 50 steps; 51 and 48 are three apart. */
    fair_between(60, 68, 63, 65);
    fair_between(56, 76, 65, 67); /* From the right, beyond the 64th column. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_end_at_the_border),
        cmocka_unit_test(a_diagonal_step_between_two_fields_is_free),
        cmocka_unit_test(nobody_is_trapped_when_he_is_the_last_one),
        cmocka_unit_test(a_view_lists_what_players_carry_and_have_captured),
        cmocka_unit_test(a_match_begins_with_its_grid_and_the_first_turn),
        cmocka_unit_test(only_who_is_on_turn_is_asked),
        cmocka_unit_test(who_is_removed_is_out_and_leaves_nothing),
        cmocka_unit_test(what_is_no_command_is_unknown),
        cmocka_unit_test(a_command_has_its_fields_and_no_others),
        cmocka_unit_test(distances_are_right_on_wide_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
