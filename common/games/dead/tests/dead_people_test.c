/* dead_people_test.c: what people do for each other, their abilities and equipment, and whose turn
 * it is. */
#include "games/dead/tests/dead_stage_test.h"

static void medicine_heals_frost_first_and_only_who_is_there(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(FEEDER, 0, 1);
    place(CLEANER, 1, 1);
    place(BUILDER, 1, 2);
    give(0, MEDICINE);
    person(CLEANER)->wounds = 1;
    person(CLEANER)->frostbites = 1;
    person(BUILDER)->wounds = 1;
    assert_int_equal(act(DEAD_USE_CARD, MEDICINE, FEEDER, BUILDER), DEAD_NO_NOBODY_THERE);
    assert_int_equal(act(DEAD_USE_CARD, MEDICINE, FEEDER, 99), DEAD_NO_NOBODY_THERE);
    assert_int_equal(act(DEAD_USE_CARD, MEDICINE, FEEDER, FEEDER), DEAD_NO_UNHURT);
    assert_int_equal(act(DEAD_USE_CARD, MEDICINE, CLEANER, CLEANER), DEAD_NO_NOT_YOURS);
    assert_int_equal(act(DEAD_USE_CARD, MEDICINE, FEEDER, CLEANER), ACCEPTED);
    TOLD("card_used 56 4 5; waste_changed 1; act_now 0");
    assert_false(holds(0, MEDICINE));
    assert_int_equal(person(CLEANER)->frostbites, 0);
    assert_int_equal(person(CLEANER)->wounds, 1);
    close_stage();
}

static void a_healer_heals_others_in_base_and_also_himself_later(void **unused)
{
    (void) unused;
    const char *const editions[] = { "{\"edition\":\"base\"}", "{\"edition\":\"equipment\"}" };
    for (uint32_t later = 0; later < 2; later++) {
        open_stage_with(STAGE("\"survive\":true", ""), editions[later]);
        place(HEALER, 0, 1);
        place(FEEDER, 0, 1);
        person(HEALER)->wounds = 1;
        person(FEEDER)->wounds = 1;
        assert_int_equal(act(DEAD_USE_ABILITY, HEALER, NO, NO), DEAD_NO_NOBODY_THERE);
        assert_int_equal(act(DEAD_USE_ABILITY, HEALER, HEALER, NO),
                         later ? ACCEPTED : DEAD_NO_ONESELF);
        assert_int_equal(act(DEAD_USE_ABILITY, HEALER, FEEDER, NO),
                         later ? DEAD_NO_USED_UP : ACCEPTED);
        assert_int_equal(person(later ? HEALER : FEEDER)->wounds, 0);
        assert_int_equal(person(HEALER)->ability_used, 1);
        close_stage();
    }
}

static void feeding_tells_of_the_food_in_base_only(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(FEEDER, 0, 2);
    assert_int_equal(act(DEAD_USE_ABILITY, FEEDER, 1, NO), DEAD_NO_TARGET_TAKEN);
    assert_int_equal(act(DEAD_USE_ABILITY, FEEDER, NO, NO), ACCEPTED);
    TOLD("ability_used 4 -; food_changed 2 1; act_now 0");
    assert_int_equal(person(FEEDER)->ability_used, 1);
    assert_int_equal(act(DEAD_USE_ABILITY, FEEDER, NO, NO), DEAD_NO_USED_UP);
    close_stage();
    OPEN_STAGE("equipment");
    place(FEEDER, 0, 2);
    assert_int_equal(act(DEAD_USE_ABILITY, FEEDER, NO, NO), ACCEPTED);
    TOLD("ability_used 4 -; act_now 0");
    assert_int_equal(on_stage.state->food, 2);
    close_stage();
}

static void a_builder_fills_what_is_free(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(BUILDER, 0, 2);
    place(CLEAN_BLOOD, 0, 2);
    zombies_at(2)[0] = 2;
    zombies_at(2)[1] = 3;
    assert_int_equal(act(DEAD_USE_ABILITY, CLEAN_BLOOD, 0, NO), DEAD_NO_PASSIVE);
    assert_int_equal(act(DEAD_USE_ABILITY, BUILDER, 1, NO), DEAD_NO_FREE_PLACE);
    assert_int_equal(act(DEAD_USE_ABILITY, BUILDER, 5, NO), DEAD_NO_SUCH_ENTRANCE);
    assert_int_equal(act(DEAD_USE_ABILITY, BUILDER, 0, NO), ACCEPTED);
    TOLD("ability_used 6 0; act_now 0");
    assert_int_equal(barricades_at(2)[0], 1);
    assert_int_equal(act(DEAD_USE_ABILITY, BUILDER, 1, NO), DEAD_NO_USED_UP);
    close_stage();
}

static void a_killer_kills_several_and_may_be_infected(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(KILLER, 0, 1);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), DEAD_NO_ELSEWHERE);
    dead_walk(&on_stage, dead_who(stage.setup, KILLER), 1);
    zombies_at(2)[0] = 3;
    give_die(0, 2);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), DEAD_NO_DIE);
    give_die(0, 3);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 1, NO), DEAD_NO_ZOMBIE);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 2, NO), DEAD_NO_SUCH_ENTRANCE);
    LOAD(SHOWS_WOUND);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), ACCEPTED);
    TOLD("ability_used 8 0; zombie_killed 8 2 0; zombie_killed 8 2 0; wounded 8; act_now 0");
    assert_int_equal(dice_of(0), 1);
    assert_int_equal(act(DEAD_USE_ABILITY, KILLER, 0, NO), DEAD_NO_USED_UP);
    close_stage();
}

static void killing_with_die_value_0_needs_no_die_but_perhaps_a_child(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(MOTHER, 0, 1);
    zombies_at(1)[0] = 1;
    assert_int_equal(act(DEAD_USE_ABILITY, MOTHER, 0, NO), DEAD_NO_CHILDREN);
    on_stage.state->children = 1;
    assert_int_equal(act(DEAD_USE_ABILITY, MOTHER, 0, NO), ACCEPTED);
    TOLD("ability_used 9 0; zombie_killed 9 1 0; act_now 0");
    close_stage();
}

static void base_knows_equipment_only_as_stuff(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    give(0, HAMMER);
    assert_int_equal(act(DEAD_USE_CARD, HAMMER, HEALER, HEALER), DEAD_NO_WRONG_CARD);
    assert_int_equal(act(DEAD_CONTRIBUTE_CARD, HAMMER, NO, NO), ACCEPTED);
    close_stage();
}

static void equipment_is_put_on_whoever_stands_there_and_is_buried_with_him(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(FEEDER, 1, 1);
    place(BUILDER, 1, 2);
    give(0, COLT);
    assert_int_equal(act(DEAD_USE_CARD, COLT, HEALER, BUILDER), DEAD_NO_NOBODY_THERE);
    assert_int_equal(act(DEAD_USE_CARD, COLT, HEALER, FEEDER), ACCEPTED);
    TOLD("card_used 60 2 4; act_now 0");
    uint32_t colt = dead_card_index(stage.setup, COLT);
    assert_int_equal(dead_u16(stage.state, on_stage.state->at.next)[colt], DEAD_NONE);
    assert_true(set_has(dead_u64(stage.state, on_stage.state->at.worn), colt));
    dead_remove(&on_stage, dead_who(stage.setup, FEEDER));
    assert_false(set_has(dead_u64(stage.state, on_stage.state->at.worn), colt));
    assert_true(set_has(dead_u64(stage.state, on_stage.state->at.gone), colt));
    assert_int_equal(dead_u16(stage.state, on_stage.state->at.next)[colt], 0);
    close_stage();
}

static void what_was_used_in_a_turn_can_be_used_again_in_the_next(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(BUILDER, 0, 1);
    place(FEEDER, 1, 1);
    give(0, HAMMER);
    assert_int_equal(act(DEAD_USE_CARD, HAMMER, BUILDER, BUILDER), ACCEPTED);
    assert_int_equal(act(DEAD_BARRICADE, BUILDER, 0, NO), ACCEPTED);
    assert_int_equal(act(DEAD_BARRICADE, BUILDER, 0, NO), DEAD_NO_DIE);
    assert_int_equal(act(DEAD_USE_ABILITY, BUILDER, 1, NO), ACCEPTED);
    LOAD(NOTHING_SHOWS);
    assert_int_equal(act(DEAD_MOVE, BUILDER, 2, NO), ACCEPTED);
    give_die(0, 6);
    all_told();
    assert_int_equal(act(DEAD_END_TURN, NO, NO, NO), ACCEPTED);
    TOLD("act_now 1");
    assert_int_equal(dice_of(0), 0);
    assert_int_equal(person(BUILDER)->moved, 0);
    assert_int_equal(person(BUILDER)->ability_used, 0);
    assert_int_equal(
        dead_tool(stage.setup, stage.state, dead_who(stage.setup, BUILDER), DEAD_HAMMER, DEAD_NONE),
        dead_card_index(stage.setup, HAMMER));
    close_stage();
}

static void only_the_player_on_turn_may_act_and_only_as_the_turn_allows(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(BUILDER, 0, 1);
    place(FEEDER, 1, 1);
    assert_int_equal(act_as(1, DEAD_END_TURN, NO, NO, NO), DEAD_NO_NOT_YOUR_TURN);
    assert_int_equal(act(DEAD_REGISTER, NO, NO, NO), DEAD_NO_NOT_NOW);
    assert_int_equal(act(DEAD_VOTE, 1, NO, NO), DEAD_NO_NOT_VOTING);
    assert_int_equal(act(DEAD_SELECT_CHARACTERS, 1, 2, NO), DEAD_NO_NOT_CHOOSING);
    assert_int_equal(act(99, 1, NO, NO), DEAD_NO_NOT_NOW);
    assert_int_equal(act(DEAD_COMMAND_KINDS, NO, NO, NO), DEAD_NO_NOT_NOW);
    assert_int_equal(act(DEAD_END_TURN, 1, NO, NO), DEAD_NO_MALFORMED);
    assert_int_equal(act_as(2, DEAD_END_TURN, NO, NO, NO), DEAD_NO_NOT_IN_GAME);
    struct command spoken = { .kind = DEAD_END_TURN,
                              .text_size = 1,
                              .arg = { NO, NO, NO, NO, NO, NO } };
    assert_int_equal(apply_to(&stage, 0, &spoken), DEAD_NO_MALFORMED);
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medicine_heals_frost_first_and_only_who_is_there),
        cmocka_unit_test(a_healer_heals_others_in_base_and_also_himself_later),
        cmocka_unit_test(feeding_tells_of_the_food_in_base_only),
        cmocka_unit_test(a_builder_fills_what_is_free),
        cmocka_unit_test(a_killer_kills_several_and_may_be_infected),
        cmocka_unit_test(killing_with_die_value_0_needs_no_die_but_perhaps_a_child),
        cmocka_unit_test(base_knows_equipment_only_as_stuff),
        cmocka_unit_test(equipment_is_put_on_whoever_stands_there_and_is_buried_with_him),
        cmocka_unit_test(what_was_used_in_a_turn_can_be_used_again_in_the_next),
        cmocka_unit_test(only_the_player_on_turn_may_act_and_only_as_the_turn_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
