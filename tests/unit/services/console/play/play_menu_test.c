/* play_menu_test.c: a list of hundreds becomes rows a person can choose from by number. */
#include "services/console/play/play_menu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/dead/dead.h"
#include "services/console/faces/evening.h"

#define INTRO ARBITER_SOURCE "/configs/dead/intro.json"

static struct evening evening;
static struct menu    menu;
static struct command command;

/* The list of the seat that is awaited, `acts` acts into the evening. */
static void open_menu(uint32_t acts)
{
    evening_open(&evening, INTRO, "edition=base", 3);
    assert_true(evening_play(&evening, acts));
    seat_mask    awaited = match_to_act(evening.playing.match);
    uint32_t     seat = (uint32_t) __builtin_ctz(awaited);
    struct legal list = evening.playing.policy.list;
    evening_look(&evening, seat);
    match_legal(evening.playing.match, seat, &list);
    assert_true(legal_count(&list) > 0);
    menu_fill(&menu, &evening.phrase, &list);
}

static void close_menu(void)
{
    menu_clear(&menu);
    evening_close(&evening);
}

static uint32_t row_named(const char *deed)
{
    for (uint32_t i = 0; i < menu.count; i++)
        if (strcmp(menu.rows[i].deed, deed) == 0)
            return i + 1;
    fail_msg("there is no row \"%s\"", deed);
    return 0;
}

static void two_of_four_are_six_pairs(void **unused)
{
    (void) unused;
    open_menu(0);
    assert_int_equal(menu.count, 1);
    assert_int_equal(menu.rows[0].count, 6);
    assert_true(menu.is_asked); /* There is nothing else to choose, so no row is to be chosen. */
    assert_int_equal(menu_take(&menu, "0", &command), MENU_NONSENSE);
    assert_int_equal(menu_take(&menu, "7", &command), MENU_NONSENSE);
    assert_int_equal(menu_take(&menu, "6", &command), MENU_PLAYS);
    assert_int_equal(command.kind, DEAD_SELECT_CHARACTERS);
    assert_true(command.arg[0] != command.arg[1]);
    close_menu();
}

static void every_choice_is_a_command_of_the_list_and_no_two_read_the_same(void **unused)
{
    (void) unused;
    open_menu(12);
    struct legal list = evening.playing.policy.list;
    match_legal(evening.playing.match, evening.phrase.seat, &list);
    uint32_t choices = 0;
    for (uint32_t i = 0; i < menu.count; i++)
        for (uint32_t k = 0; k < menu.rows[i].count; k++, choices++) {
            assert_true(legal_has(&list, &menu.rows[i].choices[k].command));
            for (uint32_t m = 0; m < k; m++)
                assert_string_not_equal(menu.rows[i].choices[k].words,
                                        menu.rows[i].choices[m].words);
        }
    assert_true(choices > 10 && choices <= legal_count(&list));
    close_menu();
}

static void the_end_stands_at_the_end(void **unused)
{
    (void) unused;
    open_menu(12);
    assert_int_equal(menu.rows[menu.count - 2].kind, DEAD_END_TURN);
    assert_int_equal(menu.rows[menu.count - 1].kind, DEAD_LEAVE);
    close_menu();
}

static void a_row_of_one_is_played_at_once_and_others_ask(void **unused)
{
    (void) unused;
    char line[16];
    open_menu(12);
    (void) snprintf(line, sizeof line, "%u", row_named("End the turn"));
    assert_int_equal(menu_take(&menu, line, &command), MENU_PLAYS);
    assert_int_equal(command.kind, DEAD_END_TURN);
    assert_int_equal(menu_take(&menu, "0", &command), MENU_NONSENSE);
    uint32_t row = 1;
    while (menu.rows[row - 1].count < 2)
        row++;
    (void) snprintf(line, sizeof line, " %u ", row);
    assert_int_equal(menu_take(&menu, line, &command), MENU_ASKS);
    assert_int_equal(menu_take(&menu, "0", &command), MENU_ASKS);
    assert_false(menu.is_asked);
    (void) snprintf(line, sizeof line, "%u 2", row);
    assert_int_equal(menu_take(&menu, line, &command), MENU_PLAYS);
    assert_memory_equal(&command, &menu.rows[row - 1].choices[1].command, sizeof command);
    close_menu();
}

static void what_is_no_number_of_a_row_is_nonsense(void **unused)
{
    (void) unused;
    open_menu(12);
    const char *lines[] = { "", "x", "99", "-1", "1 99", "1 2 3", "99999999999999999999", "2x" };
    for (uint32_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        menu.is_asked = false;
        if (menu_take(&menu, lines[i], &command) != MENU_NONSENSE)
            fail_msg("\"%s\" was taken", lines[i]);
    }
    close_menu();
}

static void a_choice_that_is_not_there_leaves_him_before_the_rows_he_sees(void **unused)
{
    (void) unused;
    uint32_t row = 0;
    open_menu(3);
    while (menu.rows[row].count < 2)
        row++;
    char wrong[16], right[16];
    (void) snprintf(wrong, sizeof wrong, "%u %u", row + 1, menu.rows[row].count + 1);
    (void) snprintf(right, sizeof right, "%u %u", row + 1, menu.rows[row].count);
    assert_int_equal(menu_take(&menu, wrong, &command), MENU_NONSENSE);
    assert_false(menu.is_asked);
    assert_int_equal(menu_take(&menu, right, &command), MENU_PLAYS);
    close_menu();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_choice_that_is_not_there_leaves_him_before_the_rows_he_sees),
        cmocka_unit_test(two_of_four_are_six_pairs),
        cmocka_unit_test(every_choice_is_a_command_of_the_list_and_no_two_read_the_same),
        cmocka_unit_test(the_end_stands_at_the_end),
        cmocka_unit_test(a_row_of_one_is_played_at_once_and_others_ask),
        cmocka_unit_test(what_is_no_number_of_a_row_is_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
