/* objectron_turn_test.c: how turns begin, pass and end, and how matches do, event by event; and what the clock does
 * with few actions left. */
#include "games/objectron/tests/objectron_said_test.h"

static struct objectron_table         table;
static const struct objectron_failure no_failure;
static const struct objectron_piece   no_trail[OBJECTRON_TRAIL_MAX];

/* Of the turn that begins, from what was owed before. */
static void who_begins_in_the_dark_loses_an_action(void **unused)
{
    (void) unused;
    stage(&table, CTF("3", "\"1  2  3\",\"       \"", ""),
          "{\"players\":{\"2\":{\"pending_actions\":1}},\"power_failures\":[{\"at\":[3,0],"
          "\"turns\":3}]}",
          1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"SE\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"SE\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[1,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"actions\":1,\"carried\":1,\"ev\":\"penalty\",\"lost_now\":0,\"player\":2,\"reason\":"
          "\"unpowered_start\"}\n"
          "{\"actions\":2,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    objectron_table_close(&table);
}

static void a_trail_is_told_when_it_changes_and_once(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("3", "\"1  2  3\",\"       \"", "{\"id\":1,\"kind\":\"light_grenade\",\"in\":1}"),
          "{\"players\":{\"1\":{\"at\":[1,1],\"trail\":[[0,1,1],[0,0,0]]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[1,1],\"player\":1,\"to\":[2,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,1,true],[0,1,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 1}",
          "{\"action\":\"use\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,1,true]]}\n"
          "{\"at\":[2,1],\"ev\":\"item_placed\",\"item\":1,\"kind\":\"light_grenade\",\"player\":1}"
          "\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"pick_up\", \"item\": 1}",
          "{\"action\":\"pick_up\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[2,1],\"ev\":\"item_picked_up\",\"item\":1,\"kind\":\"light_grenade\","
          "\"player\":1}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    assert_memory_equal(table.state->player[0].trail, no_trail, sizeof no_trail);
    assert_int_equal(objectron_items(table.state)[0].by, -1); /* It was picked up again. */
    objectron_table_close(&table);
}

/* With the carried item the player could have waited for the trail. It flew, and nothing is left to
 * do. */
static void who_threw_away_his_last_way_out_is_boxed_in(void **unused)
{
    (void) unused;
    stage(&table, CTF("3", "\"1   2\",\"####3\"", "{\"id\":1,\"kind\":\"identity_disc\",\"in\":1}"),
          "{\"players\":{\"1\":{\"at\":[1,0],\"trail\":[[0,0,2]]},\"2\":{\"at\":[2,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 1, \"dir\": \"W\"}",
          "{\"action\":\"use\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[0,0],\"dir\":\"W\",\"ev\":\"disc_thrown\",\"from\":[1,0],\"item\":1,\"kind\":"
          "\"identity_disc\",\"path\":[[0,0,false]],\"player\":1,\"result\":\"landed\"}\n"
          "{\"at\":[1,0],\"ev\":\"player_eliminated\",\"player\":1,\"reason\":\"boxed_in\"}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"eliminated\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    objectron_table_close(&table);
}

static void all_at_once_in_a_field_are_a_draw(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"     \",\"1   2\"",
              "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[1,1]},{\"id\":2,\"kind\":"
              "\"force_field_generator\",\"at\":[3,1]}"),
          "{\"players\":{\"1\":{\"at\":[1,0]},\"2\":{\"at\":[2,1]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"S\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"S\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[1,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"force_field_switched\",\"field\":1,\"on\":true}\n"
          "{\"at\":[1,1],\"ev\":\"player_held\",\"player\":1}\n"
          "{\"at\":[2,1],\"ev\":\"player_held\",\"player\":2}\n"
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"force_field_switched\",\"field\":1,\"on\":false}\n"
          "{\"at\":[1,1],\"ev\":\"player_released\",\"player\":1}\n"
          "{\"at\":[2,1],\"ev\":\"player_released\",\"player\":2}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    tells(&table, "{\"player\": 2, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":2}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[2,1],\"player\":2,\"to\":[3,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":2,\"squares\":[[2,1,true]]}\n");
    tells(&table, "{\"player\": 2, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":2}\n"
          "{\"ev\":\"force_field_switched\",\"field\":1,\"on\":true}\n"
          "{\"at\":[1,1],\"ev\":\"player_held\",\"player\":1}\n"
          "{\"at\":[3,1],\"ev\":\"player_held\",\"player\":2}\n"
          "{\"at\":[1,1],\"ev\":\"player_eliminated\",\"player\":1,\"reason\":\"double_trap\"}\n"
          "{\"at\":[3,1],\"ev\":\"player_eliminated\",\"player\":2,\"reason\":\"double_trap\"}\n"
          "{\"ev\":\"game_over\",\"reason\":\"draw\",\"seed\":1}\n");
    has_ended(&table, -1, OBJECTRON_DRAW, (const int32_t[]){ 0, 0 });
    objectron_table_close(&table);
}

static void who_enters_the_dark_loses_the_rest(void **unused)
{
    (void) unused;
    stage(&table, CTF("2", "\"1   \",\"   2\"", ""),
          "{\"power_failures\":[{\"at\":[1,0],\"turns\":3}]}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[1,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true]]}\n"
          "{\"at\":[1,0],\"ev\":\"turn_cut\",\"lost\":3,\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"penalty\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    objectron_table_close(&table);
}

static void turns_are_skipped_for_discs_and_for_debts(void **unused)
{
    (void) unused;
    stage(&table, CTF("3", "\"1 2 3\",\"     \"", ""),
          "{\"players\":{\"2\":{\"skip_turns\":2,\"pending_actions\":1},\"3\":{\"pending_actions\":"
          "5}}}",
          1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[1,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"ev\":\"turn_skipped\",\"pending_actions\":1,\"player\":2,\"reason\":\"disc\",\"skip_"
          "turns\":1,\"turn\":2}\n"
          "{\"ev\":\"turn_skipped\",\"pending_actions\":1,\"player\":3,\"reason\":\"penalty\","
          "\"skip_turns\":0,\"turn\":3}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":1,\"turn\":4}\n");
    objectron_table_close(&table);
}

/* The flag falls where the player stood; the disc is gone, and the grenade is armed. */
static void who_leaves_drops_what_he_carries(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("3", "\"1   \",\"2  3\"",
              "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2},{\"id\":2,\"kind\":\"identity_"
              "disc\",\"in\":1},{\"id\":3,\"kind\":\"light_grenade\",\"at\":[1,0],\"state\":"
              "\"placed\",\"by\":1}"),
          "{\"players\":{\"1\":{\"at\":[1,0],\"trail\":[[0,0,1]]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"resign\"}",
          "{\"at\":[1,0],\"ev\":\"player_eliminated\",\"player\":1,\"reason\":\"resigned\"}\n"
          "{\"at\":[1,0],\"ev\":\"flag_dropped\",\"owner\":2,\"player\":1}\n"
          "{\"at\":[1,0],\"ev\":\"grenade_armed\",\"item\":3}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"eliminated\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    tells(&table, "{\"player\": 2, \"cmd\": \"resign\"}",
          "{\"at\":[0,1],\"ev\":\"player_eliminated\",\"player\":2,\"reason\":\"resigned\"}\n"
          "{\"ev\":\"game_over\",\"reason\":\"last_standing\",\"seed\":1,\"winner\":3}\n");
    has_ended(&table, 2, OBJECTRON_LAST, (const int32_t[]){ -1, -1, 1 });
    objectron_table_close(&table);
}

static void who_reaches_the_others_start_wins(void **unused)
{
    (void) unused;
    stage(&table, RACE("\"1 2 \"", ""), "{\"players\":{\"1\":{\"at\":[1,0]},\"2\":{\"at\":[3,0]}}}",
          1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[2,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n"
          "{\"ev\":\"game_over\",\"reason\":\"finish\",\"seed\":1,\"winner\":1}\n");
    has_ended(&table, 0, OBJECTRON_FINISH, (const int32_t[]){ 1, -1 });
    objectron_table_close(&table);
}

/* A grenade on the other's start explodes no more, and a teleporter takes the player no further. */
static void so_does_the_second_player_whatever_lies_there(void **unused)
{
    (void) unused;
    stage(&table,
          RACE("\"  1 2 \"",
               "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[2,0],\"state\":"
               "\"active\",\"by\":1,\"allow_start\":true},"
               "{\"id\":2,\"kind\":\"teleporter\",\"at\":[2,0],\"dest\":3,\"allow_start\":true},"
               "{\"id\":3,\"kind\":\"teleporter\",\"at\":[5,0],\"dest\":2}"),
          "{\"players\":{\"1\":{\"at\":[0,0]},\"2\":{\"at\":[3,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[1,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    tells(&table, "{\"player\": 2, \"cmd\": \"move\", \"dir\": \"W\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":2}\n"
          "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[3,0],\"player\":2,\"to\":[2,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":2,\"squares\":[[3,0,false]]}\n"
          "{\"ev\":\"game_over\",\"reason\":\"finish\",\"seed\":1,\"winner\":2}\n");
    has_ended(&table, 1, OBJECTRON_FINISH, (const int32_t[]){ -1, 1 });
    objectron_table_close(&table);
}

static void a_trail_of_three_pieces_drops_its_oldest(void **unused)
{
    (void) unused;
    stage(&table, CTF("2", "\"1     \",\"     2\"", ""),
          "{\"players\":{\"1\":{\"at\":[3,0],\"trail\":[[2,0,2],[1,0,2],[0,0,2]]}}}", 1);
    tells(
        &table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
        "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
        "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[3,0],\"player\":1,\"to\":[4,0]}\n"
        "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[3,0,true],[2,0,true],[1,0,true]]}\n");
    objectron_table_close(&table);
}

static void power_that_fails_is_told_again_where_it_moves(void **unused)
{
    (void) unused;
    stage(&table, CTF("2", "\"1    \",\"     \",\"    2\"", ""),
          "{\"power_failures\":[{\"at\":[2,1],\"turns\":2,\"spread\":{\"dir\":\"NW\",\"rotation\":"
          "\"ccw\",\"tertiary\":\"W\"}},{\"at\":[4,1],\"turns\":1,\"spread\":{\"dir\":\"N\","
          "\"rotation\":\"cw\"}},{\"at\":[4,0],\"turns\":0}]}",
          1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"S\"}",
          "{\"action\":\"move\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"S\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[0,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true]]}\n"
          "{\"ev\":\"power_moved\",\"failure\":1,\"primary\":[2,1],\"secondary\":[1,0]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"power_moved\",\"failure\":1,\"primary\":[2,1],\"secondary\":[1,1],"
          "\"tertiary\":[0,0]}\n"
          "{\"ev\":\"power_moved\",\"failure\":2,\"primary\":[4,1]}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"power_moved\",\"failure\":1,\"primary\":[2,1],\"secondary\":[1,1],"
          "\"tertiary\":[0,1]}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"at\":[4,1],\"ev\":\"power_restored\",\"failure\":2}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    assert_int_equal(table.state->failures, 1);
    assert_memory_equal(objectron_failures(table.state) + 1, &no_failure, sizeof no_failure);
    objectron_table_close(&table);
}

/* Why the first turn that ended did so, or 0. */
static word reason_of_the_end(void)
{
    for (const word *event = sink_first(&table.out); event != NULL;
         event = sink_next(&table.out, event))
        if (event_kind(event) == OBJECTRON_TURN_ENDED)
            return event_fields(event)[2];
    return 0;
}

/* The clock moves the player north unless a field there goes on before the turn is over. The rows
 * say how many actions are left, and how far the field is from its next switching. */
static void the_clock_avoids_fields_that_go_on_in_time(void **unused)
{
    static const struct {
        int     pending;
        uint8_t counter;
        int32_t at;
    } rows[] = { { 0, 0, 13 }, { 2, 0, 13 }, { 3, 0, 7 }, { 3, 1, 13 }, { 2, 1, 13 } };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char scene[128];
        (void) snprintf(scene, sizeof scene,
                        "{\"players\":{\"1\":{\"at\":[2,2],\"pending_actions\":%d}}}",
                        rows[i].pending);
        stage(&table,
              CTF("2", "\"1    \",\"     \",\"     \",\"    2\"",
                  "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[1,1]},"
                  "{\"id\":2,\"kind\":\"force_field_generator\",\"at\":[3,1]}"),
              scene, 1);
        objectron_fields(table.state)[0].counter = rows[i].counter;
        struct play play = staged(&table);
        assert_true(game_objectron.expire(&play, 1));
        assert_int_equal(table.state->player[0].at, rows[i].at);
        assert_int_equal(objectron_fields(table.state)[0].counter,
                         (rows[i].counter + 4 - rows[i].pending) % 2);
        assert_int_equal(reason_of_the_end(),
                         rows[i].pending == 3 ? OBJECTRON_USED_UP : OBJECTRON_BY_PLAYER);
        objectron_table_close(&table);
    }
}

/* Where every way leads into the dark it takes the first; and it looks behind teleporters. */
static void the_clock_goes_the_first_way_if_all_are_bad(void **unused)
{
    (void) unused;
    stage(&table, CTF("2", "\"1    \",\"     \",\"     \",\"    2\"", ""),
          "{\"players\":{\"1\":{\"at\":[2,2]}},\"power_failures\":[{\"at\":[1,1],\"turns\":1},"
          "{\"at\":[2,1],\"turns\":1},{\"at\":[3,1],\"turns\":1},{\"at\":[1,2],\"turns\":1},"
          "{\"at\":[3,2],\"turns\":1},{\"at\":[1,3],\"turns\":1},{\"at\":[2,3],\"turns\":1},"
          "{\"at\":[3,3],\"turns\":1}]}",
          1);
    struct play play = staged(&table);
    assert_true(game_objectron.expire(&play, 1));
    assert_int_equal(table.state->player[0].at, 7);
    objectron_table_close(&table);
    stage(&table,
          CTF("2", "\"1    \",\"     \",\"     \",\"    2\"",
              "{\"id\":1,\"kind\":\"teleporter\",\"at\":[2,1],\"dest\":2},"
              "{\"id\":2,\"kind\":\"teleporter\",\"at\":[4,0],\"dest\":1}"),
          "{\"players\":{\"1\":{\"at\":[2,2]}},\"power_failures\":[{\"at\":[4,0],\"turns\":1}]}",
          1);
    play = staged(&table);
    assert_true(game_objectron.expire(&play, 1));
    assert_int_equal(table.state->player[0].at, 8);
    objectron_table_close(&table);
}

/* A player who has moved is moved no more, even if a field catches them again as the turn ends. */
static void the_clock_moves_nobody_twice(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("3", "\"1    \",\"     \",\"     \",\"3   2\"",
              "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[1,2]},"
              "{\"id\":2,\"kind\":\"force_field_generator\",\"at\":[3,2]}"),
          "{\"players\":{\"1\":{\"at\":[2,2]}}}", 1);
    table.state->moved = 1;
    table.state->turn_start = 0;
    objectron_fields(table.state)[0].counter = 1;
    objectron_fields(table.state)[0].trapped = 1;
    struct play play = staged(&table);
    assert_true(game_objectron.expire(&play, 1));
    assert_int_equal(table.state->player[0].at, 12);
    assert_false(table.state->player[0].alive);
    objectron_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_begins_in_the_dark_loses_an_action),
        cmocka_unit_test(a_trail_is_told_when_it_changes_and_once),
        cmocka_unit_test(who_threw_away_his_last_way_out_is_boxed_in),
        cmocka_unit_test(all_at_once_in_a_field_are_a_draw),
        cmocka_unit_test(who_enters_the_dark_loses_the_rest),
        cmocka_unit_test(turns_are_skipped_for_discs_and_for_debts),
        cmocka_unit_test(who_leaves_drops_what_he_carries),
        cmocka_unit_test(who_reaches_the_others_start_wins),
        cmocka_unit_test(so_does_the_second_player_whatever_lies_there),
        cmocka_unit_test(a_trail_of_three_pieces_drops_its_oldest),
        cmocka_unit_test(power_that_fails_is_told_again_where_it_moves),
        cmocka_unit_test(the_clock_avoids_fields_that_go_on_in_time),
        cmocka_unit_test(the_clock_goes_the_first_way_if_all_are_bad),
        cmocka_unit_test(the_clock_moves_nobody_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
