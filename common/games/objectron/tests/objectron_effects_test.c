/* objectron_effects_test.c: discs, grenades, teleporters, flags and fields, event by event. */
#include "games/objectron/tests/objectron_said_test.h"

static struct objectron_table       table;
static const struct objectron_field no_field;

static void a_disc_flies_through_teleporters_and_hits(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("3", "\"1     2\",\"       \",\"   3   \"",
              "{\"id\":1,\"kind\":\"teleporter\",\"at\":[2,0],\"dest\":2},{\"id\":2,\"kind\":"
              "\"teleporter\",\"at\":[1,2],\"dest\":1},{\"id\":3,\"kind\":\"identity_disc\",\"in\":"
              "1},{\"id\":4,\"kind\":\"flag\",\"in\":3,\"owner\":1}"),
          "{}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 3, \"dir\": \"E\"}",
          "{\"action\":\"use\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[3,2],\"dir\":\"E\",\"ev\":\"disc_thrown\",\"from\":[0,0],\"item\":3,\"kind\":"
          "\"identity_disc\",\"path\":[[1,0,false],[2,0,false],[1,2,true],[2,2,false],[3,2,false]],"
          "\"player\":1,\"result\":\"hit\"}\n"
          "{\"actions_lost\":0,\"by\":1,\"ev\":\"player_hit\",\"item\":3,\"player\":3,\"skip_"
          "turns\":1}\n"
          "{\"at\":[4,1],\"ev\":\"flag_dropped\",\"owner\":1,\"player\":3}\n");
    objectron_table_close(&table);
}

static void a_disc_in_the_dark_flies_less_far(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1      \",\"      2\"", "{\"id\":1,\"kind\":\"identity_disc\",\"in\":1}"),
          "{\"power_failures\":[{\"at\":[1,0],\"turns\":3}]}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 1, \"dir\": \"E\"}",
          "{\"action\":\"use\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[3,0],\"dir\":\"E\",\"ev\":\"disc_thrown\",\"from\":[0,0],\"item\":1,\"kind\":"
          "\"identity_disc\",\"path\":[[1,0,false],[2,0,false],[3,0,false]],\"player\":1,"
          "\"result\":\"landed\"}\n");
    objectron_table_close(&table);
}

static void who_hits_himself_loses_his_turn(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1   \",\"   2\"",
              "{\"id\":1,\"kind\":\"charged_identity_disc\",\"in\":1},{\"id\":2,\"kind\":"
              "\"teleporter\",\"at\":[1,0],\"dest\":3},{\"id\":3,\"kind\":\"teleporter\",\"at\":[3,"
              "0],\"dest\":2}"),
          "{\"players\":{\"1\":{\"at\":[2,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 1, \"dir\": \"W\"}",
          "{\"action\":\"use\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[2,0],\"dir\":\"W\",\"ev\":\"disc_thrown\",\"from\":[2,0],\"item\":1,\"kind\":"
          "\"charged_identity_disc\",\"path\":[[1,0,false],[3,0,true],[2,0,false]],\"player\":1,"
          "\"result\":\"hit\"}\n"
          "{\"actions_lost\":3,\"by\":1,\"ev\":\"player_hit\",\"item\":1,\"player\":1,\"skip_"
          "turns\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"penalty\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    objectron_table_close(&table);
}

/* On the first square, with the carried flag; what the turn has left is lost now. */
static void a_grenade_explodes_under_who_enters(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\" 1  \",\"   2\"",
              "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[0,0],\"state\":\"active\",\"by\":2},{"
              "\"id\":2,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
          "{\"players\":{\"1\":{\"pending_actions\":2}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"W\"}",
          "{\"action\":\"move\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[0,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n"
          "{\"at\":[0,0],\"ev\":\"grenade_exploded\",\"item\":1,\"player\":1,\"unpowered\":false}\n"
          "{\"at\":[1,0],\"ev\":\"flag_dropped\",\"owner\":2,\"player\":1}\n"
          "{\"actions\":3,\"carried\":2,\"ev\":\"penalty\",\"lost_now\":1,\"player\":1,\"reason\":"
          "\"grenade\"}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"penalty\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    assert_int_equal(objectron_items(table.state)[0].state, OBJECTRON_EXPLODED);
    assert_int_equal(objectron_items(table.state)[0].by, -1);
    objectron_table_close(&table);
}

/* The first thing of the list, from the first square to the last. */
static void a_teleporter_takes_who_enters_and_his_flag_falls(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\" 1  \",\"#   \",\"#2  \"",
              "{\"id\":1,\"kind\":\"teleporter\",\"at\":[0,0],\"dest\":2},{\"id\":2,\"kind\":"
              "\"teleporter\",\"at\":[3,2],\"dest\":1},{\"id\":3,\"kind\":\"flag\",\"in\":1,"
              "\"owner\":2}"),
          "{}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"W\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[0,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,false]]}\n"
          "{\"at\":[1,1],\"ev\":\"flag_dropped\",\"owner\":2,\"player\":1}\n"
          "{\"ev\":\"player_teleported\",\"from\":[0,0],\"player\":1,\"teleporter\":1,\"to\":[3,2]}"
          "\n");
    objectron_table_close(&table);
}

/* The flag is the first thing of the list, and home is the first square. */
static void a_flag_that_is_brought_home_is_captured(void **unused)
{
    (void) unused;
    stage(
        &table,
        CTF("3", "\"1   \",\"    \",\"2  3\"", "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
        "{\"players\":{\"1\":{\"at\":[1,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"W\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[0,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n"
          "{\"at\":[0,0],\"ev\":\"flag_captured\",\"owner\":2,\"player\":1}\n"
          "{\"at\":[0,2],\"ev\":\"flag_returned\",\"owner\":2,\"player\":1,\"reason\":\"captured\"}"
          "\n");
    objectron_table_close(&table);
}

static void the_last_flag_ends_the_match(void **unused)
{
    (void) unused;
    stage(
        &table,
        CTF("3", "\"1   \",\"    \",\"2  3\"", "{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
        "{\"players\":{\"1\":{\"at\":[1,0],\"captured\":[3]}}}", 1);
    tells(
        &table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"W\"}",
        "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
        "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[0,0]}\n"
        "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n"
        "{\"at\":[0,0],\"ev\":\"flag_captured\",\"owner\":2,\"player\":1}\n"
        "{\"at\":[0,2],\"ev\":\"flag_returned\",\"owner\":2,\"player\":1,\"reason\":\"captured\"}\n"
        "{\"ev\":\"game_over\",\"reason\":\"flags\",\"seed\":1,\"winner\":1}\n");
    has_ended(&table, 0, OBJECTRON_FLAGS, (const int32_t[]){ 1, -1, -1 });
    objectron_table_close(&table);
}

/* Put down in the middle of two that lie there, picked up again. */
static void generators_make_a_field_that_goes_on_and_off(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1    2\",\"      \",\"      \"",
              "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[0,1]},{\"id\":2,\"kind\":"
              "\"force_field_generator\",\"in\":1},{\"id\":3,\"kind\":\"force_field_generator\","
              "\"at\":[5,1]},{\"id\":4,\"kind\":\"force_field_generator\",\"in\":2}"),
          "{\"players\":{\"1\":{\"at\":[3,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"S\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"S\",\"ev\":\"player_moved\",\"from\":[3,0],\"player\":1,\"to\":[3,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[3,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 2}",
          "{\"action\":\"use\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[3,1],\"ev\":\"item_placed\",\"item\":2,\"kind\":\"force_field_generator\","
          "\"player\":1}\n"
          "{\"a\":1,\"b\":2,\"ev\":\"force_field_created\",\"field\":1,\"squares\":[[0,1],[1,1],[2,"
          "1],[3,1]]}\n"
          "{\"a\":2,\"b\":3,\"ev\":\"force_field_created\",\"field\":2,\"squares\":[[3,1],[4,1],[5,"
          "1]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"end_turn\", \"confirm\": true}",
          "{\"action\":\"empty\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"action\":\"empty\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"ev\":\"trail_changed\",\"player\":1}\n"
          "{\"ev\":\"force_field_switched\",\"field\":1,\"on\":true}\n"
          "{\"ev\":\"force_field_switched\",\"field\":2,\"on\":true}\n"
          "{\"at\":[3,1],\"ev\":\"player_held\",\"player\":1}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"ended_by_player\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    tells(&table, "{\"player\": 2, \"cmd\": \"end_turn\", \"confirm\": false}",
          "{\"ev\":\"end_turn_warning\",\"loses\":true,\"moved\":false,\"player\":2}\n");
    objectron_table_close(&table);
}

static void who_takes_the_generator_under_him_is_free(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1    2\",\"      \"",
              "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[1,0]},{\"id\":2,\"kind\":"
              "\"force_field_generator\",\"at\":[1,1]},{\"id\":3,\"kind\":\"identity_disc\",\"at\":"
              "[1,0]},{\"id\":4,\"kind\":\"light_grenade\",\"at\":[1,0]}"),
          "{\"players\":{\"1\":{\"at\":[1,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"pick_up\", \"item\": 3}",
          "{\"action\":\"pick_up\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[1,0],\"ev\":\"item_picked_up\",\"item\":3,\"kind\":\"identity_disc\","
          "\"player\":1}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"pick_up\", \"item\": 4}",
          "{\"action\":\"pick_up\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[1,0],\"ev\":\"item_picked_up\",\"item\":4,\"kind\":\"light_grenade\","
          "\"player\":1}\n"
          "{\"ev\":\"force_field_switched\",\"field\":1,\"on\":true}\n"
          "{\"at\":[1,0],\"ev\":\"player_held\",\"player\":1}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"pick_up\", \"item\": 1}",
          "{\"action\":\"pick_up\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[1,0],\"ev\":\"item_picked_up\",\"item\":1,\"kind\":\"force_field_generator\","
          "\"player\":1}\n"
          "{\"ev\":\"force_field_removed\",\"field\":1}\n"
          "{\"at\":[1,0],\"ev\":\"player_released\",\"player\":1}\n");
    assert_int_equal(table.state->fields, 0);
    assert_memory_equal(objectron_fields(table.state), &no_field, sizeof no_field);
    objectron_table_close(&table);
}

/* Another's is not, nor an own one that lies elsewhere, nor one that is armed. */
static void a_grenade_is_armed_by_who_laid_it_and_leaves(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1   \",\"   2\"",
              "{\"id\":1,\"kind\":\"light_grenade\",\"in\":1},{\"id\":2,\"kind\":\"light_grenade\","
              "\"at\":[1,1],\"state\":\"placed\",\"by\":2},{\"id\":3,\"kind\":\"light_grenade\","
              "\"at\":[1,0],\"state\":\"active\",\"by\":1},{\"id\":4,\"kind\":\"light_grenade\","
              "\"at\":[3,0],\"state\":\"placed\",\"by\":1}"),
          "{\"players\":{\"1\":{\"at\":[1,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"W\"}",
          "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":1,\"to\":[0,0]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,0,true]]}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"use\", \"item\": 1}",
          "{\"action\":\"use\",\"actions_left\":2,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[0,0],\"ev\":\"item_placed\",\"item\":1,\"kind\":\"light_grenade\",\"player\":1}"
          "\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"SE\"}",
          "{\"action\":\"move\",\"actions_left\":1,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"SE\",\"ev\":\"player_moved\",\"from\":[0,0],\"player\":1,\"to\":[1,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[0,0,true],[1,0,true]]}\n"
          "{\"at\":[0,0],\"ev\":\"grenade_armed\",\"item\":1}\n");
    tells(&table, "{\"player\": 1, \"cmd\": \"move\", \"dir\": \"E\"}",
          "{\"action\":\"move\",\"actions_left\":0,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"dir\":\"E\",\"ev\":\"player_moved\",\"from\":[1,1],\"player\":1,\"to\":[2,1]}\n"
          "{\"ev\":\"trail_changed\",\"player\":1,\"squares\":[[1,1,true],[0,0,true]]}\n"
          "{\"ev\":\"turn_ended\",\"player\":1,\"reason\":\"actions_used\",\"turn\":1}\n"
          "{\"actions\":4,\"ev\":\"turn_started\",\"player\":2,\"turn\":2}\n");
    objectron_table_close(&table);
}

static void who_takes_his_own_flag_brings_it_home(void **unused)
{
    (void) unused;
    stage(&table,
          CTF("2", "\"1   \",\"   2\"", "{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":1}"),
          "{\"players\":{\"1\":{\"at\":[1,0]}}}", 1);
    tells(&table, "{\"player\": 1, \"cmd\": \"pick_up\", \"item\": 1}",
          "{\"action\":\"pick_up\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":1}\n"
          "{\"at\":[0,0],\"ev\":\"flag_returned\",\"owner\":1,\"player\":1,\"reason\":\"own_pick_"
          "up\"}\n");
    objectron_table_close(&table);
}

static void the_second_player_can_have_the_last_flag(void **unused)
{
    (void) unused;
    stage(
        &table,
        CTF("3", "\"2   \",\"    \",\"1  3\"", "{\"id\":1,\"kind\":\"flag\",\"in\":2,\"owner\":1}"),
        "{\"players\":{\"1\":{\"skip_turns\":1},\"2\":{\"at\":[1,0],\"captured\":[3]}}}", 1);
    tells(
        &table, "{\"player\": 2, \"cmd\": \"move\", \"dir\": \"W\"}",
        "{\"action\":\"move\",\"actions_left\":3,\"ev\":\"action_spent\",\"player\":2}\n"
        "{\"dir\":\"W\",\"ev\":\"player_moved\",\"from\":[1,0],\"player\":2,\"to\":[0,0]}\n"
        "{\"ev\":\"trail_changed\",\"player\":2,\"squares\":[[1,0,true]]}\n"
        "{\"at\":[0,0],\"ev\":\"flag_captured\",\"owner\":1,\"player\":2}\n"
        "{\"at\":[0,2],\"ev\":\"flag_returned\",\"owner\":1,\"player\":2,\"reason\":\"captured\"}\n"
        "{\"ev\":\"game_over\",\"reason\":\"flags\",\"seed\":1,\"winner\":2}\n");
    has_ended(&table, 1, OBJECTRON_FLAGS, (const int32_t[]){ -1, 1, -1 });
    objectron_table_close(&table);
}

/* On a square without teleporters if one is near, else on any. */
static void a_flag_falls_on_no_teleporter_if_it_can(void **unused)
{
    (void) unused;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int32_t both = 0; both < 2; both++) {
            stage(&table,
                  CTF("2", "\"1    2\"",
                      "{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":2},"
                      "{\"id\":2,\"kind\":\"teleporter\",\"at\":[4,0],\"dest\":1},"
                      "{\"id\":3,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
                  both ? "{\"players\":{\"1\":{\"at\":[2,0]}}}" : "{}", seed);
            struct play      play = staged(&table);
            struct objectron o = objectron_of(&play);
            objectron_drop_flag(&o, 0, table.state->player[0].at);
            assert_int_equal(objectron_items(table.state)[2].at, both ? 3 : 1);
            objectron_table_close(&table);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_flies_through_teleporters_and_hits),
        cmocka_unit_test(a_disc_in_the_dark_flies_less_far),
        cmocka_unit_test(who_hits_himself_loses_his_turn),
        cmocka_unit_test(a_grenade_explodes_under_who_enters),
        cmocka_unit_test(a_teleporter_takes_who_enters_and_his_flag_falls),
        cmocka_unit_test(a_flag_that_is_brought_home_is_captured),
        cmocka_unit_test(the_last_flag_ends_the_match),
        cmocka_unit_test(generators_make_a_field_that_goes_on_and_off),
        cmocka_unit_test(who_takes_the_generator_under_him_is_free),
        cmocka_unit_test(a_grenade_is_armed_by_who_laid_it_and_leaves),
        cmocka_unit_test(who_takes_his_own_flag_brings_it_home),
        cmocka_unit_test(the_second_player_can_have_the_last_flag),
        cmocka_unit_test(a_flag_falls_on_no_teleporter_if_it_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
