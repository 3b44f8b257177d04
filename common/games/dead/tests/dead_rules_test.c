/* dead_rules_test.c: walking, building, fighting, searching, cleaning and most cards, each with all
 * that it tells and takes. */
#include "games/dead/tests/dead_stage_test.h"

static void a_move_by_fuel_in_base_takes_the_lowest_card_and_no_die(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(CLEAN_BLOOD, 0, 1);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 2, 1), DEAD_NO_FUEL_CARD);
    give(0, FUEL_HIGH);
    give(0, FUEL_LOW);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 2, NO), DEAD_NO_MALFORMED);
    assert_int_equal(act(DEAD_USE_CARD, FUEL_LOW, CLEAN_BLOOD, 2), DEAD_NO_WRONG_CARD);
    assert_int_equal(act(DEAD_USE_CARD, FUEL_LOW, NO, NO), DEAD_NO_TARGET_NEEDED);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 2, 1), ACCEPTED);
    TOLD("moved 3 2 1; waste_changed 1; act_now 0");
    assert_true(holds(0, FUEL_HIGH) && !holds(0, FUEL_LOW));
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 1, 0), DEAD_NO_MOVED_ALREADY);
    close_stage();
}

static void fuel_is_a_card_in_the_later_editions(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(CLEAN_BLOOD, 0, 1);
    give(0, FUEL_HIGH);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 2, 1), DEAD_NO_MALFORMED);
    assert_int_equal(act(DEAD_USE_CARD, FUEL_HIGH, CLEAN_BLOOD, 1), DEAD_NO_THERE_ALREADY);
    assert_int_equal(act(DEAD_USE_CARD, FUEL_HIGH, CLEAN_BLOOD, 9), DEAD_NO_SUCH_LOCATION);
    assert_int_equal(act(DEAD_USE_CARD, FUEL_HIGH, CLEAN_BLOOD, 2), ACCEPTED);
    TOLD("card_used 53 3 2; waste_changed 1; act_now 0");
    assert_false(holds(0, FUEL_HIGH));
    close_stage();
}

static void a_full_place_takes_nobody_but_the_colony_does(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(CLEAN_BLOOD, 0, 1);
    place(HEALER, 1, 2);
    place(FEEDER, 1, 2);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 2, NO), DEAD_NO_ROOM);
    LOAD(NOTHING_SHOWS);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 3, NO), ACCEPTED);
    TOLD("moved 3 3 -; act_now 0");
    close_stage();
}

static void on_the_way_the_ability_changes_what_the_die_shows(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(BITE_TO_WOUND, 0, 1);
    place(CLEAN_BLOOD, 0, 1);
    LOAD(SHOWS_BITE);
    assert_int_equal(act(DEAD_MOVE, BITE_TO_WOUND, 2, 0), ACCEPTED);
    TOLD("moved 1 2 0; wounded 1; act_now 0");
    LOAD(SHOWS_FROST);
    assert_int_equal(act(DEAD_MOVE, CLEAN_BLOOD, 3, 0), ACCEPTED);
    TOLD("moved 3 3 0; frostbitten 3; act_now 0");
    close_stage();
}

static void boots_make_frost_a_wound_and_the_ability_is_not_asked(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(FROST_TO_BITE, 0, 1);
    give(0, BOOTS);
    assert_int_equal(act(DEAD_USE_CARD, BOOTS, FROST_TO_BITE, FROST_TO_BITE), ACCEPTED);
    TOLD("card_used 58 10 10; act_now 0");
    LOAD(SHOWS_FROST);
    assert_int_equal(act(DEAD_MOVE, FROST_TO_BITE, 2, NO), ACCEPTED);
    TOLD("moved 10 2 -; wounded 10; act_now 0");
    close_stage();
}

static void a_barricade_takes_the_smallest_die_or_a_hammer(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(CLEAN_BLOOD, 0, 1);
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, 0, NO), DEAD_NO_DIE);
    give(0, HAMMER);
    give_die(0, 5);
    give_die(0, 2);
    assert_int_equal(act(DEAD_USE_CARD, HAMMER, CLEAN_BLOOD, CLEAN_BLOOD), ACCEPTED);
    all_told();
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, 1, NO), ACCEPTED);
    TOLD("barricaded 3 1 1; act_now 0");
    assert_int_equal(dice_of(0), 2);
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, 1, NO), ACCEPTED);
    assert_int_equal(dice_of(0), 1);
    assert_int_equal(dead_die(stage.state, 0, 1), 5);
    zombies_at(1)[1] = 1;
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, 1, NO), DEAD_NO_FREE_PLACE);
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, 2, NO), DEAD_NO_SUCH_ENTRANCE);
    assert_int_equal(act(DEAD_BARRICADE, CLEAN_BLOOD, -1, NO), DEAD_NO_SUCH_ENTRANCE);
    assert_int_equal(act(DEAD_BARRICADE, HEALER, 0, NO), DEAD_NO_NOT_YOURS);
    close_stage();
}

static void an_attack_spends_a_die_and_rolls_for_infection(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 2);
    place(CLEAN_BLOOD, 0, 2);
    zombies_at(2)[0] = 3;
    give_die(0, 1);
    assert_int_equal(act(DEAD_ATTACK, HEALER, 0, NO), DEAD_NO_DIE);
    give_die(0, 6);
    give_die(0, 2);
    give_die(0, 3);
    assert_int_equal(act(DEAD_ATTACK, HEALER, 1, NO), DEAD_NO_ZOMBIE);
    LOAD(SHOWS_WOUND);
    assert_int_equal(act(DEAD_ATTACK, HEALER, 0, NO), ACCEPTED);
    TOLD("zombie_killed 2 2 0; wounded 2; act_now 0");
    assert_int_equal(dead_seat(stage.state, 0)->dice[1], 0);
    assert_int_equal(act(DEAD_ATTACK, CLEAN_BLOOD, 0, NO), ACCEPTED);
    TOLD("zombie_killed 3 2 0; act_now 0");
    give(0, COLT);
    assert_int_equal(act(DEAD_USE_CARD, COLT, CLEAN_BLOOD, HEALER), ACCEPTED);
    all_told();
    assert_int_equal(act(DEAD_ATTACK, HEALER, 0, NO), ACCEPTED);
    TOLD("zombie_killed 2 2 0; act_now 0");
    close_stage();
}

/* The second sequence diagram of the README. */
static void a_search_may_meet_somebody_who_brings_a_child(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(FINDER, 0, 2);
    into_pool(HEALER);
    give_die(0, 4);
    LOAD(0, FOUR(1));
    assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), ACCEPTED);
    TOLD("searched 7 2; character_spawned 0 2; child_spawned; act_now 0");
    assert_int_equal(dice_of(0), 0);
    assert_int_equal(person(FINDER)->ability_used, 0);
    assert_int_equal(person(HEALER)->place, 0);
    close_stage();
}

static void a_search_finds_cards_and_uses_one_bonus(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    const uint16_t *deck = dead_u16(stage.state, on_stage.state->at.deck) + 10;
    place(FINDER, 0, 2);
    into_pool(HEALER);
    for (uint32_t i = 0; i < 4; i++)
        give_die(0, 6);
    give(0, PLAN_OF_2);
    assert_int_equal(act(DEAD_USE_CARD, PLAN_OF_2, FINDER, FINDER), ACCEPTED);
    const uint32_t found[] = { 2, 3, 1 };
    uint32_t       next = 0;
    for (uint32_t i = 0; i < 3; i++) {
        all_told();
        LOAD(5);
        assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), ACCEPTED);
        assert_int_equal(stage.out.used, 3 + 3 * found[i] + 2);
        for (uint32_t k = 0; k < found[i]; k++)
            assert_true(holds(0, dead_card(stage.setup, deck[next++])->id));
    }
    on_stage.state->pool_count = 0; /* Nobody left to be met: nothing is rolled. */
    dead_u16(stage.state, on_stage.state->at.taken)[1] = 9;
    assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), ACCEPTED);
    give_die(0, 6);
    assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), DEAD_NO_CARDS_LEFT);
    close_stage();
}

static void nothing_is_found_in_the_colony_or_without_a_die(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(FINDER, 0, 1);
    assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), DEAD_NO_DIE);
    give_die(0, 6);
    assert_int_equal(act(DEAD_SEARCH, FINDER, NO, NO), DEAD_NO_CARDS_LEFT);
    close_stage();
}

static void base_cleans_once_in_the_ordinary_way_and_once_with_each_cleaner(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(CLEANER, 0, 1);
    place(HEALER, 0, 1);
    place(FEEDER, 0, 2);
    for (uint32_t i = 0; i < 3; i++)
        give_die(0, 1 + i);
    assert_int_equal(act(DEAD_CLEAN_WASTE, HEALER, NO, NO), DEAD_NO_WASTE);
    on_stage.state->waste = 20;
    assert_int_equal(act(DEAD_CLEAN_WASTE, FEEDER, NO, NO), DEAD_NO_NOT_IN_COLONY);
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), ACCEPTED);
    TOLD("waste_changed 15; act_now 0");
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), DEAD_NO_CLEANED_ALREADY);
    assert_int_equal(act(DEAD_CLEAN_WASTE, HEALER, NO, NO), ACCEPTED);
    TOLD("waste_changed 12; act_now 0");
    assert_int_equal(dice_of(0), 1);
    assert_int_equal(act(DEAD_CLEAN_WASTE, HEALER, NO, NO), DEAD_NO_CLEANED_ALREADY);
    close_stage();
}

static void later_editions_clean_while_a_die_is_there(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(CLEANER, 0, 1);
    place(HEALER, 0, 1);
    on_stage.state->waste = 19;
    give(0, SWAB);
    assert_int_equal(act(DEAD_USE_CARD, SWAB, HEALER, HEALER), ACCEPTED);
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), DEAD_NO_DIE);
    give_die(0, 1);
    all_told();
    assert_int_equal(act(DEAD_CLEAN_WASTE, HEALER, NO, NO), ACCEPTED);
    TOLD("waste_changed -5; act_now 0");
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), ACCEPTED);
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), ACCEPTED);
    assert_int_equal(dice_of(0), 1);
    all_told();
    assert_int_equal(act(DEAD_CLEAN_WASTE, HEALER, NO, NO), ACCEPTED);
    TOLD("waste_changed -3; act_now 0");
    assert_int_equal(dice_of(0), 0);
    give_die(0, 1);
    assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), ACCEPTED);
    TOLD("waste_changed -1; act_now 0");
    close_stage();
}

/* Legal, and of no use: a match may go on with it for ever, and a greedy player must not. */
static void who_carries_out_nothing_may_go_on_for_ever(void **unused)
{
    (void) unused;
    static const char *const editions[] = { "{\"edition\":\"base\"}",
                                            "{\"edition\":\"equipment\"}" };
    static char              config[] = STAGE("\"survive\":true", "");
    struct command           clean = { .kind = DEAD_CLEAN_WASTE, .arg = { CLEANER } };
    for (uint32_t later = 0; later < 2; later++) {
        char *cards = strstr(config, "numCards\":");
        cards[10] = '5';
        open_stage_with(config, editions[later]);
        place(CLEANER, 0, 1);
        on_stage.state->waste = 19;
        assert_true(stage.bounds.commands > 0);
        assert_true(dead_judge(stage.setup, stage.state, 0, &clean) > 0);
        close_stage();
        cards[10] = '0';
        open_stage_with(config, editions[later]);
        place(CLEANER, 0, 1);
        give_die(0, 1);
        on_stage.state->waste = 19;
        assert_int_equal(stage.bounds.commands == 0, later);
        assert_true(dead_judge(stage.setup, stage.state, 0, &clean) < 0);
        assert_int_equal(act(DEAD_CLEAN_WASTE, CLEANER, NO, NO), ACCEPTED);
        TOLD(later ? "waste_changed 0; act_now 0" : "waste_changed 19; act_now 0");
        assert_int_equal(dice_of(0), later);
        close_stage();
    }
}

static void a_crisis_takes_what_helps_and_tells_who_gave(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    const word helpful[] = { STUFF, LOCK, SCISSORS, HAMMER };
    const word useless[] = { FOOD_3, FUEL_LOW, MEDICINE };
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(act(DEAD_CONTRIBUTE_CARD, helpful[i], NO, NO), DEAD_NO_NOT_IN_HAND);
        give(0, helpful[i]);
        assert_int_equal(act(DEAD_CONTRIBUTE_CARD, helpful[i], NO, NO), ACCEPTED);
        assert_false(holds(0, helpful[i]));
    }
    TOLD("contributed 0 57; act_now 0");
    for (uint32_t i = 0; i < 3; i++) {
        give(0, useless[i]);
        assert_int_equal(act(DEAD_CONTRIBUTE_CARD, useless[i], NO, NO), DEAD_NO_WRONG_CARD);
    }
    assert_int_equal(act(DEAD_CONTRIBUTE_CARD, 4711, NO, NO), DEAD_NO_NOT_IN_HAND);
    close_stage();
}

static void food_and_stuff_are_played_alone(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(HEALER, 0, 1);
    give(0, FOOD_3);
    give(0, STUFF);
    assert_int_equal(act(DEAD_USE_CARD, FOOD_3, HEALER, 0), DEAD_NO_TARGET_TAKEN);
    assert_int_equal(act(DEAD_USE_CARD, STUFF, HEALER, 0), DEAD_NO_TARGET_TAKEN);
    assert_int_equal(act(DEAD_USE_CARD, FOOD_3, NO, NO), ACCEPTED);
    TOLD("card_used 50 - -; waste_changed 1; food_changed 3 1; act_now 0");
    assert_int_equal(act(DEAD_USE_CARD, STUFF, NO, NO), DEAD_NO_DIE);
    give_die(0, 1);
    LOAD(5);
    assert_int_equal(act(DEAD_USE_CARD, STUFF, NO, NO), ACCEPTED);
    TOLD("card_used 51 - -; waste_changed 2; die_rolled 0 6; act_now 0");
    assert_int_equal(dice_of(0), 1);
    assert_true(!holds(0, FOOD_3) && !holds(0, STUFF));
    close_stage();
}

static void a_lock_bars_and_scissors_kill_without_a_die(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 2);
    give(0, LOCK);
    give(0, SCISSORS);
    barricades_at(2)[0] = 3;
    zombies_at(2)[1] = 1;
    assert_int_equal(act(DEAD_USE_CARD, LOCK, HEALER, 0), DEAD_NO_FREE_PLACE);
    assert_int_equal(act(DEAD_USE_CARD, LOCK, HEALER, 7), DEAD_NO_SUCH_ENTRANCE);
    assert_int_equal(act(DEAD_USE_CARD, LOCK, HEALER, 1), ACCEPTED);
    TOLD("card_used 54 2 1; waste_changed 1; act_now 0");
    assert_int_equal(barricades_at(2)[1], 1);
    assert_false(holds(0, LOCK));
    assert_int_equal(act(DEAD_USE_CARD, SCISSORS, HEALER, 0), DEAD_NO_ZOMBIE);
    assert_int_equal(act(DEAD_USE_CARD, SCISSORS, HEALER, NO), DEAD_NO_SUCH_ENTRANCE);
    assert_int_equal(act(DEAD_USE_CARD, SCISSORS, HEALER, 1), ACCEPTED);
    TOLD("card_used 55 2 1; waste_changed 1; zombie_killed 2 2 1; act_now 0");
    assert_false(holds(0, SCISSORS));
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_by_fuel_in_base_takes_the_lowest_card_and_no_die),
        cmocka_unit_test(fuel_is_a_card_in_the_later_editions),
        cmocka_unit_test(a_full_place_takes_nobody_but_the_colony_does),
        cmocka_unit_test(on_the_way_the_ability_changes_what_the_die_shows),
        cmocka_unit_test(boots_make_frost_a_wound_and_the_ability_is_not_asked),
        cmocka_unit_test(a_barricade_takes_the_smallest_die_or_a_hammer),
        cmocka_unit_test(an_attack_spends_a_die_and_rolls_for_infection),
        cmocka_unit_test(a_search_may_meet_somebody_who_brings_a_child),
        cmocka_unit_test(a_search_finds_cards_and_uses_one_bonus),
        cmocka_unit_test(nothing_is_found_in_the_colony_or_without_a_die),
        cmocka_unit_test(base_cleans_once_in_the_ordinary_way_and_once_with_each_cleaner),
        cmocka_unit_test(later_editions_clean_while_a_die_is_there),
        cmocka_unit_test(who_carries_out_nothing_may_go_on_for_ever),
        cmocka_unit_test(a_crisis_takes_what_helps_and_tells_who_gave),
        cmocka_unit_test(food_and_stuff_are_played_alone),
        cmocka_unit_test(a_lock_bars_and_scissors_kill_without_a_die),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
