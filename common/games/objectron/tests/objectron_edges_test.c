/* objectron_edges_test.c: what recordings hardly touch. The tests take each of the eight directions
 * alone, and pockets of several things. They check what is left of somebody who is out, and what is
 * said of power that fails. */
#include "games/objectron/tests/objectron_stage_test.h"

static struct objectron_table table;

static struct objectron match_at_hand(void)
{
    struct play play = staged(&table);
    return objectron_of(&play);
}

/* A player in the middle of walls, and one way out, on whose end the other one stands. */
static void stage_one_way(uint32_t dir, const char *items)
{
    char rows[5][6], config[1024];
    for (uint32_t y = 0; y < 5; y++)
        (void) snprintf(rows[y], sizeof rows[y], "#####");
    int32_t dx = objectron_dx(dir), dy = objectron_dy(dir);
    rows[2][2] = '1';
    rows[2 + dy][2 + dx] = ' ';
    rows[2 + 2 * dy][2 + 2 * dx] = '2';
    (void) snprintf(
        config, sizeof config,
        "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":0,\"grid\":[\"%s\",\"%s\","
        "\"%s\",\"%s\",\"%s\"],\"placements\":[%s]}",
        rows[0], rows[1], rows[2], rows[3], rows[4], items);
    stage(&table, config, "{}", 1);
}

static void the_only_way_is_found_wherever_it_leads(void **unused)
{
    (void) unused;
    for (uint32_t dir = 0; dir < 8; dir++) {
        stage_one_way(dir, "");
        assert_true(objectron_can_move(table.state, 0, false));
        assert_true(objectron_can_move(table.state, 0, true));
        assert_int_equal(objectron_moves(table.state, 0), 1u << dir);
        objectron_table_close(&table);
    }
}

static void a_flag_falls_where_there_is_room(void **unused)
{
    (void) unused;
    for (uint32_t dir = 0; dir < 8; dir++) {
        stage_one_way(dir, "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2}");
        struct objectron o = match_at_hand();
        int32_t          square = objectron_step(table.state, 12, dir);
        objectron_drop_flag(&o, 0, 12);
        assert_int_equal(objectron_items(table.state)[0].at, square);
        assert_int_equal(table.state->player[0].carried, 0);
        objectron_table_close(&table);
    }
}

#define CTF(players, grid, items)                                                                  \
    "{\"mode\":\"ctf\",\"players\":" players ",\"power_failure_bp\":0,\"grid\":[" grid             \
    "],\"placements\":[" items "]}"
#define IN_A_ROW "\"1  2  3\",\"       \",\"       \""

static bool is_said(uint32_t kind)
{
    for (const word *event = sink_first(&table.out); event != NULL;
         event = sink_next(&table.out, event))
        if (event_kind(event) == kind)
            return true;
    return false;
}

static struct command a_command(uint32_t kind, word first)
{
    struct command command = { .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    command.arg[0] = first;
    return command;
}

static void who_was_held_and_is_out_is_not_released(void **unused)
{
    struct command south = a_command(OBJECTRON_MOVE, 5);
    (void) unused;
    stage(&table,
          CTF("3", IN_A_ROW,
              "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[3,1]},"
              "{\"id\":2,\"kind\":\"force_field_generator\",\"at\":[3,2]}"),
          "{\"players\":{\"2\":{\"at\":[3,1]}}}", 1);
    objectron_fields(table.state)[0].on = 1;
    table.state->held = 2;
    struct play play = staged(&table);
    assert_true(game_objectron.leave(&play, 1));
    assert_true(is_said(OBJECTRON_PLAYER_ELIMINATED));
    play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &south), ACCEPTED);
    assert_false(is_said(OBJECTRON_PLAYER_RELEASED));
    objectron_table_close(&table);
}

/* It is the first thing in the list, and the first in the pocket. */
static void who_is_out_leaves_the_flag_he_carried(void **unused)
{
    (void) unused;
    stage(&table, CTF("3", IN_A_ROW, "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
          "{\"players\":{\"1\":{\"at\":[1,1]}}}", 1);
    struct play play = staged(&table);
    assert_true(game_objectron.leave(&play, 0));
    assert_int_equal(objectron_items(table.state)[0].at, 7 + 1);
    assert_true(is_said(OBJECTRON_FLAG_DROPPED));
    objectron_table_close(&table);
}

static void a_pocket_keeps_its_order_when_something_is_taken_out(void **unused)
{
    static const word left[3][2] = { { 2, 3 }, { 1, 3 }, { 1, 2 } };
    (void) unused;
    for (int32_t out = 0; out < 3; out++) {
        stage(&table,
              CTF("3", IN_A_ROW,
                  "{\"id\":1,\"kind\":\"identity_disc\",\"in\":1},"
                  "{\"id\":2,\"kind\":\"light_grenade\",\"in\":1},"
                  "{\"id\":3,\"kind\":\"identity_disc\",\"in\":1}"),
              "{}", 1);
        const struct objectron_player *player = &table.state->player[0];
        objectron_take_out(table.state, 0, out);
        assert_int_equal(player->carried, 2);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(objectron_items(table.state)[player->inventory[i]].id, left[out][i]);
        assert_int_equal(player->inventory[2], 0);
        objectron_table_close(&table);
    }
}

/* The first square of the grid, with nothing on it. */
static void nothing_lies_where_nothing_lies(void **unused)
{
    struct command take = a_command(OBJECTRON_PICK_UP, 7);
    (void) unused;
    stage(&table, CTF("2", "\"1   \",\"   2\"", ""), "{\"players\":{\"1\":{\"at\":[2,0]}}}", 1);
    table.state->player[0].at = 0;
    objectron_items(table.state)[0].at = 2; /* The player's flag, which lay at home. */
    struct play play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &take), OBJECTRON_NO_NOTHING_HERE);
    objectron_table_close(&table);
}

static void nobody_sits_behind_the_ninth(void **unused)
{
    struct command resign = a_command(OBJECTRON_RESIGN, ABSENT);
    (void) unused;
    stage(&table, CTF("9", "\"123456789\",\"         \"", ""), "{}", 1);
    struct play play = staged(&table);
    assert_false(game_objectron.leave(&play, 9));
    assert_int_equal(game_objectron.apply(&play, 9, &resign), OBJECTRON_NO_NOT_IN_GAME);
    struct pattern pattern[8];
    word           value[64];
    struct legal list = { .pattern = pattern, .value = value, .patterns_max = 8, .values_max = 64 };
    game_objectron.legal(table.setup, table.state, 9, &list);
    assert_int_equal(legal_count(&list), 0);
    assert_int_equal(game_objectron.apply(&play, 8, &resign), ACCEPTED);
    objectron_table_close(&table);
}

static void put_square(word **to, int32_t square)
{
    *(*to)++ = square >= 0;
    if (square < 0)
        return;
    *(*to)++ = square % table.state->width;
    *(*to)++ = square / table.state->width;
}

/* Every square fails as the match begins, and is told of as it is; none fails again while it is dark. */
static void each_failure_is_told_as_it_is_and_once(void **unused)
{
    struct command south = a_command(OBJECTRON_MOVE, 5);
    int32_t        count = 0;
    (void) unused;
    stage(&table,
          "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":10000,\"grid\":[\"1   \",\"    \","
          "\"   2\"],\"placements\":[]}",
          "{}", 1);
    memset(table.state, 0, table.bounds.state_bytes);
    dice_splitmix(&table.dice, 1);
    struct play play = staged(&table);
    game_objectron.start(&play, 2);
    for (const word *event = sink_first(&table.out); event != NULL;
         event = sink_next(&table.out, event)) {
        const struct objectron_failure *failure = &objectron_failures(table.state)[count];
        word                            fields[16], *end = fields;
        if (event_kind(event) != OBJECTRON_POWER_FAILED)
            continue;
        assert_int_equal(failure->primary, count++);
        assert_int_equal(failure->id, count);
        *end++ = failure->id;
        put_square(&end, failure->primary);
        put_square(&end, failure->secondary);
        put_square(&end, failure->tertiary);
        *end++ = failure->dir + 1;
        *end++ = failure->rotation;
        *end++ = 3;
        assert_int_equal(event_length(event), end - fields);
        assert_memory_equal(event_fields(event), fields, (size_t) ((char *) end - (char *) fields));
        assert_in_range(failure->rotation, 1, 2);
        assert_int_equal(objectron_step(table.state, failure->primary, failure->dir),
                         failure->secondary);
    }
    assert_int_equal(count, 12);
    play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &south), ACCEPTED); /* Dark: the turn is cut. */
    assert_int_equal(table.state->current, 1);
    assert_false(is_said(OBJECTRON_POWER_FAILED));
    assert_int_equal(table.state->failures, 12);
    objectron_table_close(&table);
}

/* A failure that has a secondary draws a die after every action, also if that is the first square. */
static void a_secondary_on_the_first_square_draws_a_die(void **unused)
{
    struct command south = a_command(OBJECTRON_MOVE, 5);
    (void) unused;
    for (int32_t spreads = 0; spreads < 2; spreads++) {
        stage(&table, CTF("2", "\"1   \",\"    \",\"   2\"", ""),
              spreads
                  ? "{\"power_failures\":[{\"at\":[1,0],\"turns\":3,\"spread\":{\"dir\":\"W\"}}]}"
                  : "{\"power_failures\":[{\"at\":[1,0],\"turns\":3}]}",
              1);
        table.state->player[0].at = 2;
        table.state->turn_start = 2;
        struct dice before = table.dice;
        struct play play = staged(&table);
        assert_int_equal(game_objectron.apply(&play, 0, &south), ACCEPTED);
        assert_int_equal(memcmp(&before, &table.dice, sizeof before) != 0, spreads);
        objectron_table_close(&table);
    }
}

/* A square fails if its die is below the chance, and not if it is the chance. */
static void a_die_that_is_the_chance_fails_no_square(void **unused)
{
    (void) unused;
    for (int32_t more = 0; more < 2; more++) {
        stage(&table,
              "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":1,\"grid\":[\"12\"],"
              "\"placements\":[]}",
              "{}", 7);
        struct dice twin = table.dice;
        table.state->failure_bp = (int32_t) draw_below_u64(&twin, 1, 10000) + more;
        table.state->failures = 0;
        struct objectron o = match_at_hand();
        objectron_power_turn(&o);
        bool failed = false;
        for (int32_t i = 0; i < table.state->failures; i++)
            failed = failed || objectron_failures(table.state)[i].primary == 0;
        assert_int_equal(failed, more);
        objectron_table_close(&table);
    }
}

/* The flag is the first thing of the list, and the first in the pocket. */
static void who_carries_a_flag_takes_no_second(void **unused)
{
    struct command take = a_command(OBJECTRON_PICK_UP, 2);
    (void) unused;
    stage(&table,
          CTF("3", IN_A_ROW,
              "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
              "{\"id\":2,\"kind\":\"flag\",\"at\":[1,1],\"owner\":3}"),
          "{\"players\":{\"1\":{\"at\":[1,1]}}}", 1);
    struct play play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &take), OBJECTRON_NO_CARRYING_FLAG);
    objectron_table_close(&table);
}

/* Of what is put down any of the eight directions means nothing, and a ninth is none. */
static void there_are_eight_directions(void **unused)
{
    struct command use = a_command(OBJECTRON_USE, 1);
    (void) unused;
    stage(&table,
          CTF("3", IN_A_ROW,
              "{\"id\":1,\"kind\":\"light_grenade\",\"in\":1},"
              "{\"id\":2,\"kind\":\"identity_disc\",\"in\":1}"),
          "{}", 1);
    struct play play = staged(&table);
    use.arg[1] = 9;
    assert_int_equal(game_objectron.apply(&play, 0, &use), OBJECTRON_NO_UNKNOWN_DIR);
    use.arg[1] = 8;
    assert_int_equal(game_objectron.apply(&play, 0, &use), ACCEPTED);
    use.arg[0] = 2;
    assert_int_equal(game_objectron.apply(&play, 0, &use), OBJECTRON_NO_BAD_DIRECTION);
    use.arg[1] = 9;
    assert_int_equal(game_objectron.apply(&play, 0, &use), OBJECTRON_NO_BAD_DIRECTION);
    objectron_table_close(&table);
}

/* Whatever item the player could use first, and wherever it stands in the pocket. */
static void who_can_wait_with_an_item_is_not_boxed_in(void **unused)
{
    static const struct {
        const char *items;
        bool        out;
    } rows[] = {
        { "{\"id\":1,\"kind\":\"identity_disc\",\"in\":2},", false },
        { "{\"id\":1,\"kind\":\"charged_identity_disc\",\"in\":2},", false },
        { "{\"id\":1,\"kind\":\"light_grenade\",\"in\":2},", false },
        { "{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1},{\"id\":2,\"kind\":\"identity_disc\","
          "\"in\":2},",
          false },
        { "{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1},", true },
        { "{\"id\":1,\"kind\":\"identity_disc\",\"at\":[2,0],\"allow_start\":true},", false },
        { "", true },
    };
    struct command end = a_command(OBJECTRON_END_TURN, 1), west = a_command(OBJECTRON_MOVE, 7);
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char config[512];
        (void) snprintf(
            config, sizeof config,
            "{\"mode\":\"ctf\",\"players\":3,\"power_failure_bp\":0,\"grid\":[\"1 2   3\"],"
            "\"placements\":[%s{\"id\":9,\"kind\":\"flag\",\"at\":[5,0],\"owner\":2}]}",
            rows[i].items);
        stage(&table, config,
              "{\"players\":{\"1\":{\"at\":[1,0]},\"2\":{\"at\":[2,0],\"trail\":[[3,0,2]]}}}", 1);
        struct play play = staged(&table);
        assert_int_equal(game_objectron.apply(&play, 0, &west), ACCEPTED);
        table.state->player[0].at = 1; /* The player stays in the way. */
        table.state->player[0].pieces = 0;
        table.state->turn_start = 0;
        play = staged(&table);
        assert_int_equal(game_objectron.apply(&play, 0, &end), ACCEPTED);
        assert_int_equal(is_said(OBJECTRON_PLAYER_ELIMINATED), rows[i].out);
        objectron_table_close(&table);
    }
}

/* All that the player carries and can use is listed, each thing with the directions it takes. */
static void all_that_can_be_used_is_listed(void **unused)
{
    struct choices choices;
    (void) unused;
    stage(&table,
          CTF("3", IN_A_ROW,
              "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2},{\"id\":2,\"kind\":\"light_"
              "grenade\",\"in\":1},"
              "{\"id\":3,\"kind\":\"force_field_generator\",\"in\":1},"
              "{\"id\":4,\"kind\":\"identity_disc\",\"in\":1},"
              "{\"id\":5,\"kind\":\"charged_identity_disc\",\"in\":1}"),
          "{}", 1);
    list_choices(&table, &choices);
    /* Three moves, the own flag, two things put down, two thrown four ways, the end of the turn,
     * and resigning. */
    assert_int_equal(legal_count(&choices.list), 3 + 1 + 2 + 2 * 4 + 1 + 1);
    objectron_table_close(&table);
}

/* With one action left the player could have moved, but the only square around is taken. */
static void who_is_boxed_in_with_one_action_left_is_out(void **unused)
{
    struct command west = a_command(OBJECTRON_MOVE, 7), end = a_command(OBJECTRON_END_TURN, 1);
    (void) unused;
    stage(&table, CTF("2", "\"2  1 \"", ""),
          "{\"players\":{\"1\":{\"at\":[2,0]},\"2\":{\"pending_actions\":3}}}", 1);
    struct play play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &west), ACCEPTED);
    play = staged(&table);
    assert_int_equal(game_objectron.apply(&play, 0, &end), ACCEPTED);
    assert_true(is_said(OBJECTRON_PLAYER_ELIMINATED));
    assert_true(table.state->over);
    assert_int_equal(table.state->winner, 0);
    objectron_table_close(&table);
}

/* The clock moves for the player, and that is one of the four actions. */
static void a_move_of_the_clock_costs_an_action(void **unused)
{
    static const word spent[4][3] = { { 0, OBJECTRON_BY_MOVE, 3 },
                                      { 0, OBJECTRON_EMPTY, 2 },
                                      { 0, OBJECTRON_EMPTY, 1 },
                                      { 0, OBJECTRON_EMPTY, 0 } };
    uint32_t          count = 0;
    (void) unused;
    stage(&table, CTF("3", IN_A_ROW, ""), "{}", 1);
    struct play play = staged(&table);
    assert_true(game_objectron.expire(&play, 1));
    for (const word *event = sink_first(&table.out); event != NULL;
         event = sink_next(&table.out, event))
        if (event_kind(event) == OBJECTRON_ACTION_SPENT) {
            assert_true(count < 4);
            assert_memory_equal(event_fields(event), spent[count++], sizeof spent[0]);
        }
    assert_int_equal(count, 4);
    assert_int_equal(table.state->current, 1);
    objectron_table_close(&table);
}

/* Behind the winner: actions, what a pocket holds, a disc's range, a field's reach and period, a
 * secondary's period, a primary's turns. Then a piece of trail's actions, a grenade's cost with
 * power and without, and failures. */
static void a_view_tells_the_numbers_of_the_rules(void **unused)
{
    static const word limits[] = { ABSENT, 1, 4, 6, 4, 3, 2, 2, 3, 2, 3, 4, 0 };
    bool              found = false;
    (void) unused;
    stage(&table, CTF("3", IN_A_ROW, ""), "{}", 1);
    (void) staged(&table);
    game_objectron.view(table.setup, table.state, SPECTATOR, &table.out);
    for (uint32_t i = 0; i + 13 <= table.out.used && !found; i++)
        found = memcmp(table.out.words + i, limits, sizeof limits) == 0;
    assert_true(found);
    objectron_table_close(&table);
}

static void only_armed_grenades_are_hidden(void **unused)
{
    static uint8_t mask[1 << 14];
    (void) unused;
    stage(&table,
          CTF("3", IN_A_ROW,
              "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,1]},"
              "{\"id\":2,\"kind\":\"light_grenade\",\"at\":[2,1],\"state\":\"active\"}"),
          "{}", 1);
    assert_true(table.bounds.state_bytes <= sizeof mask);
    memset(mask, 0, sizeof mask);
    game_objectron.hidden(table.setup, table.state, 0, mask);
    const struct objectron_item *marks = (const void *) (mask + table.state->items_at);
    assert_int_equal(marks[0].at, 0);
    assert_int_equal(marks[0].by, 0);
    assert_int_equal(marks[1].at, -1);
    assert_int_equal(marks[1].by, -1);
    assert_int_equal(marks[1].id, 0);
    objectron_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_way_is_found_wherever_it_leads),
        cmocka_unit_test(a_flag_falls_where_there_is_room),
        cmocka_unit_test(who_was_held_and_is_out_is_not_released),
        cmocka_unit_test(who_is_out_leaves_the_flag_he_carried),
        cmocka_unit_test(a_pocket_keeps_its_order_when_something_is_taken_out),
        cmocka_unit_test(nothing_lies_where_nothing_lies),
        cmocka_unit_test(nobody_sits_behind_the_ninth),
        cmocka_unit_test(a_secondary_on_the_first_square_draws_a_die),
        cmocka_unit_test(a_die_that_is_the_chance_fails_no_square),
        cmocka_unit_test(who_carries_a_flag_takes_no_second),
        cmocka_unit_test(there_are_eight_directions),
        cmocka_unit_test(who_can_wait_with_an_item_is_not_boxed_in),
        cmocka_unit_test(all_that_can_be_used_is_listed),
        cmocka_unit_test(who_is_boxed_in_with_one_action_left_is_out),
        cmocka_unit_test(a_move_of_the_clock_costs_an_action),
        cmocka_unit_test(a_view_tells_the_numbers_of_the_rules),
        cmocka_unit_test(only_armed_grenades_are_hidden),
        cmocka_unit_test(each_failure_is_told_as_it_is_and_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
