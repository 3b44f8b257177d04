/* dead_listing_test.c: whole lists of what a player may do, pattern by pattern, as text: the command,
 * then the values of each argument. What several patterns share is put once, so the values are counted, too. */
#include "games/dead/tests/dead_stage_test.h"

static char lines[8192];

/* The list of a seat: "move 2,4 1,3 0; end_turn". */
static const char *list_of(uint32_t seat)
{
    const struct legal *list = &stage.legal;
    char               *at = lines;
    *at = '\0';
    list_for(seat);
    for (uint32_t i = 0; i < list->patterns; i++) {
        const struct pattern *pattern = &list->pattern[i];
        at += snprintf(at, 64, "%s%s", i == 0 ? "" : "; ", game_dead.commands[pattern->kind].name);
        for (uint32_t k = 0; k < pattern->args; k++)
            for (uint32_t v = 0; v < pattern->arg[k].count; v++)
                at += snprintf(at, 64, "%s%lld", v == 0 ? " " : ",",
                               (long long) list->value[pattern->arg[k].first + v]);
    }
    return lines;
}

#define LISTED(text) assert_string_equal(list_of(0), text)

static void without_dice_and_cards_there_is_little_to_do(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(CLEAN_BLOOD, 0, 1);
    place(FEEDER, 0, 3);
    place(HEALER, 1, 3);
    zombies_at(1)[0] = 3;
    on_stage.state->waste = 5;
    LISTED("end_turn; leave; move 3 2 0; move 4 1,2 0; use_ability 4");
    assert_int_equal(stage.legal.values, 14);
    assert_string_equal(list_of(1), "");
    close_stage();
}

/* The healer, though hurt, cannot heal themselves in base. */
static void with_a_full_hand_in_base_all_is_listed_once(void **unused)
{
    (void) unused;
    OPEN_STAGE("base");
    place(BITE_TO_WOUND, 1, 2);
    place(HEALER, 0, 2);
    person(BITE_TO_WOUND)->wounds = 1;
    person(HEALER)->frostbites = 1;
    zombies_at(2)[1] = 1;
    give_die(0, 2);
    for (word card = FOOD_3; card <= SWAB; card++)
        give(0, card);
    LISTED("end_turn; leave; contribute_card 51,54,55,57,58,59,60,61; use_card 50; "
           "use_card 51; move 2 1,3 0,1; barricade 2 0,1; attack 2 1; search 2; "
           "use_card 54 2 0,1; use_card 55 2 1; use_card 56 2 1,2; use_ability 2 1");
    assert_int_equal(stage.legal.values, 27);
    close_stage();
}

static void with_a_full_hand_of_equipment_all_is_listed_once(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(CLEANER, 1, 1);
    place(MOTHER, 0, 1);
    place(KILLER, 0, 2);
    place(BUILDER, 0, 2);
    person(HEALER)->wounds = 1;
    person(BUILDER)->moved = 1;
    zombies_at(1)[0] = 3;
    zombies_at(2)[0] = 1;
    barricades_at(1)[1] = 2;
    on_stage.state->waste = 1;
    on_stage.state->children = 1;
    give_die(0, 3);
    for (word card = FOOD_3; card <= SWAB; card++)
        give(0, card);
    LISTED("end_turn; leave; contribute_card 51,54,55,57,58,59,60,61; use_card 50; "
           "use_card 51; move 2,9 3; use_card 53,52 2,9 3; barricade 2,9 1; attack 2,9 0; "
           "clean_waste 2,9; use_card 54 2,9 1; use_card 55 2,9 0; use_card 56 2,9 2; "
           "use_card 57,58,59,60,61 2,9 2,5,9; use_ability 2 2; use_ability 9 0; "
           "move 8 1,3; use_card 53,52 8 1,3; barricade 6,8 0,1; attack 6,8 0; search 6,8; "
           "use_card 54 6,8 0,1; use_card 55 6,8 0; use_card 57,58,59,60,61 6,8 6,8; "
           "use_ability 6 0,1; use_ability 8 0");
    assert_int_equal(stage.legal.values, 45);
    close_stage();
}

static void what_is_used_up_is_listed_no_more(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    place(FEEDER, 0, 1);
    place(BUILDER, 0, 1);
    place(MOTHER, 0, 1);
    on_stage.state->children = 1;
    zombies_at(1)[0] = 1;
    person(FEEDER)->wounds = 1;
    for (word id = HEALER; id <= MOTHER; id++)
        person(id)->moved = 1;
    LISTED("end_turn; leave; use_ability 4; use_ability 2 4; use_ability 6 0,1; "
           "use_ability 9 0");
    for (word id = HEALER; id <= MOTHER; id++)
        person(id)->ability_used = 1;
    LISTED("end_turn; leave; use_ability 9 0");
    close_stage();
}

static void where_nothing_can_be_built_or_fought_nobody_is_put_for_it(void **unused)
{
    (void) unused;
    OPEN_STAGE("equipment");
    place(HEALER, 0, 1);
    person(HEALER)->moved = 1;
    give(0, HAMMER);
    assert_int_equal(act(DEAD_USE_CARD, HAMMER, HEALER, HEALER), ACCEPTED);
    zombies_at(1)[0] = zombies_at(1)[1] = 3;
    LISTED("end_turn; leave");
    assert_int_equal(stage.legal.values, 1 + 2); /* Who is there, and where the zombies are. */
    zombies_at(1)[0] = zombies_at(1)[1] = 0;
    give_die(0, 6);
    LISTED("end_turn; leave; barricade 2 0,1");
    assert_int_equal(stage.legal.values, 1 + 2);
    close_stage();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_dice_and_cards_there_is_little_to_do),
        cmocka_unit_test(with_a_full_hand_in_base_all_is_listed_once),
        cmocka_unit_test(with_a_full_hand_of_equipment_all_is_listed_once),
        cmocka_unit_test(what_is_used_up_is_listed_no_more),
        cmocka_unit_test(where_nothing_can_be_built_or_fought_nobody_is_put_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
