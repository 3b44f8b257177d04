/* face_objectron_test.c: objectron in a terminal: its grid in every size, its sentences, its menu, and the
 * warning before a turn is ended. */
#include "services/console/faces/face_objectron.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/objectron/objectron.h"
#include "services/console/faces/evening.h"
#include "services/console/faces/face.h"
#include "services/console/play/play_menu.h"

#define GRIDS ARBITER_SOURCE "/configs/objectron/"

static struct evening evening;
#define EVENT(kind, ...) EVENING_EVENT(&evening, kind, __VA_ARGS__)

static void draw(uint32_t columns, uint32_t rows)
{
    evening_draw(&evening, columns, rows);
}

static void assert_said(const char *words)
{
    evening_assert_said(&evening, words);
}

static uint32_t assert_fits(uint32_t columns)
{
    return evening_assert_fits(evening.said, columns);
}

static void every_board_of_a_match_fits_in_either_language(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "star.json", NULL, 5);
    for (uint32_t acts = 0; acts < 400 && evening_play(&evening, 1); acts++) {
        evening_look(&evening, acts % 6 == 5 ? NOT_SEATED : acts % 6);
        evening.phrase.language = acts % 2 == 0 ? ENGLISH : GERMAN;
        evening.phrase.is_ascii = acts % 3 == 0;
        draw(80, 24);
        assert_fits(80);
    }
    evening_close(&evening);
}

static void the_grid_shows_players_walls_trails_and_where_one_may_go(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "duel.json", NULL, 2);
    evening_look(&evening, 0);
    evening.phrase.is_ascii = true;
    draw(80, 24);
    assert_said("A race   Turn 1   Ada (you)  actions: 4  must move yet");
    assert_said("\nYou win at 12,1, the start of Ben\n");
    assert_said("    1 2 3 4 5 6 7 8 9 0 1 2");
    assert_said("\n 11 + + . #");
    assert_said("\n 12 1 G+d #");
    assert_said("May go: north northeast east");
    assert_said("\n 2 Ben");
    assert_true(evening_play(&evening, 2));
    evening_look(&evening, 0);
    evening.phrase.is_ascii = true;
    draw(80, 24);
    assert_said("=");
    evening.phrase.language = GERMAN;
    evening.phrase.is_ascii = false;
    draw(80, 24);
    assert_said("Ein Rennen   Zug 1   Ada (du)  Aktionen: 2");
    assert_said("\nDu gewinnst auf 12,1, dem Start von Ben\n");
    assert_said("▓");
    evening_close(&evening);
}

/* Of a flag it is one's own start; a spectator has nothing to win. */
static void the_goal_stands_above_the_grid(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "cross.json", NULL, 4);
    evening_look(&evening, 2);
    const Arbiter__Objectron__Square *home = objectron_seen(&evening.phrase)->homes[2];
    char                              line[80];
    (void) snprintf(line, sizeof line, "\nYou win by carrying every other flag to %u,%u\n",
                    home->x + 1, home->y + 1);
    draw(80, 24);
    assert_said(line);
    evening_look(&evening, NOT_SEATED);
    draw(80, 24);
    assert_null(strstr(evening.said, "You win"));
    evening_close(&evening);
}

/* A set-up of this size, in a file of its own. */
static void open_sized(uint32_t width, uint32_t height)
{
    char  path[] = "objectron-XXXXXX.json";
    int   file = mkstemps(path, 5);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"mode\":\"race\",\"players\":2,\"width\":%u,\"height\":%u}", width, height);
    (void) fclose(out);
    char here[64];
    (void) snprintf(here, sizeof here, "./%s", path);
    evening_open_game(&evening, "objectron", here, NULL, 2);
    (void) remove(path);
    evening_look(&evening, 0);
}

static void grids_up_to_sixty_by_thirty_are_shown_whole_and_larger_ones_in_part(void **unused)
{
    (void) unused;
    open_sized(60, 30);
    draw(80, 24);
    assert_null(strstr(evening.said, "A part"));
    assert_true(assert_fits(80) >= 33);
    assert_said("\n  1 ");
    assert_said("\n 30 ");
    evening_close(&evening);
    open_sized(100, 40);
    draw(80, 24);
    assert_fits(80);
    assert_said("A part of the grid; its size is 100 x 40");
    assert_null(strstr(evening.said, "\n  1 ")); /* The reader stands at the bottom. */
    assert_said("\n 40 1");
    evening_look(&evening, 1);
    draw(80, 24);
    assert_said("\n  1 "); /* And the other one at the top. */
    assert_null(strstr(evening.said, "\n 40 "));
    draw(240, 60);
    assert_null(strstr(evening.said, "A part"));
    evening_close(&evening);
}

static void what_happens_is_a_sentence(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "castles.json", NULL, 2);
    assert_string_equal(EVENT(OBJECTRON_PLAYER_MOVED, 0, 1, 3, 4, 1, 4, 5, 4),
                        "Ada goes southeast, to 5,6");
    assert_string_equal(
        EVENT(OBJECTRON_DISC_THROWN, 1, 7, 2, 3, 1, 0, 2, 2, 1, 2, 0, 2, 2, 0, 1, 1, 2, 2),
        "Ben throws a disc east; it lands at 3,3");
    assert_string_equal(EVENT(OBJECTRON_DISC_THROWN, 1, 7, 3, 3, 1, 0, 2, 1, 1, 2, 0, 3, 1, 1, 2),
                        "Ben throws a charged disc east; a force field destroys it");
    assert_string_equal(EVENT(OBJECTRON_GRENADE_ARMED, 7, 1, 2, 9),
                        "The grenade at 3,10 is armed; nobody sees it any more");
    assert_string_equal(EVENT(OBJECTRON_PLAYER_ELIMINATED, 1, 2, 1, 0, 0),
                        "Ben has not moved and is out");
    assert_string_equal(EVENT(OBJECTRON_GAME_OVER, 0, 2, ABSENT),
                        "Ada has captured every flag and wins");
    assert_string_equal(EVENT(OBJECTRON_GAME_OVER, ABSENT, 4, ABSENT), "Nobody is left: a draw");
    assert_string_equal(EVENT(OBJECTRON_ACTION_SPENT, 0, 1, 3), "");
    evening.phrase.seat = 1;
    assert_string_equal(EVENT(OBJECTRON_TURN_STARTED, 1, 7, 3), "It is your turn; actions: 3");
    evening.phrase.language = GERMAN;
    assert_string_equal(EVENT(OBJECTRON_PLAYER_MOVED, 0, 1, 3, 4, 1, 4, 5, 4),
                        "Ada geht nach Südosten, auf 5,6");
    evening_close(&evening);
}

/* Whatever happens in matches with everything in them is said, in both languages, or is no news. */
static void no_event_of_a_match_is_half_said(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "cross.json", NULL, 4);
    for (uint32_t acts = 0; acts < 300; acts++) {
        const struct sink *events = evening.playing.act.events;
        evening.phrase.language = acts % 2 == 0 ? ENGLISH : GERMAN;
        for (const word *at = sink_first(events); at != NULL; at = sink_next(events, at)) {
            evening_event(&evening, event_kind(at), event_fields(at), event_length(at));
            assert_null(strstr(evening.said, "something"));
            assert_null(strstr(evening.said, "-922337"));
            assert_null(strstr(evening.said, "nowhere"));
        }
        if (!evening_play(&evening, 1))
            break;
    }
    evening_close(&evening);
}

static const char *menu(void)
{
    struct menu    rows = { 0 };
    struct pattern pattern[8];
    word           value[256];
    struct legal   list = {
          .pattern = pattern, .value = value, .patterns_max = 8, .values_max = 256
    };
    game_objectron.legal(evening.table.setup, evening.playing.match->state, 0, &list);
    menu_fill(&rows, &evening.phrase, &list);
    FILE *out = evening_listen(&evening);
    menu_put(&rows, &evening.phrase, out);
    fclose(out);
    menu_clear(&rows);
    return evening.said;
}

static void the_menu_ends_with_the_turns_end_and_giving_up(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "duel.json", NULL, 2);
    evening_look(&evening, 0);
    menu();
    assert_said("   1  Go ... (");
    assert_true(strstr(evening.said, "End the turn") > strstr(evening.said, "Go"));
    assert_true(strstr(evening.said, "Give up") > strstr(evening.said, "End the turn"));
    assert_said("Give up and leave the match");
    evening_close(&evening);
}

static void ending_a_turn_is_asked_first_and_the_answer_is_a_warning(void **unused)
{
    const struct face *face = face_find(&game_objectron);
    struct command     end = { .kind = OBJECTRON_END_TURN, .arg = { 1 } }, asked;
    struct command     move = { .kind = OBJECTRON_MOVE, .arg = { 1 } };
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "duel.json", NULL, 2);
    assert_true(face->asks_first(&end, &asked));
    assert_int_equal(asked.kind, OBJECTRON_END_TURN);
    assert_int_equal(asked.arg[0], 0);
    assert_false(face->asks_first(&move, &asked));
    FILE *out = evening_listen(&evening);
    face->warning(&evening.phrase, out, OBJECTRON_NO_WARNING_LOSES);
    face->warning(&evening.phrase, out, OBJECTRON_NO_WARNING_MOVED);
    fclose(out);
    assert_string_equal(evening.said,
                        "Who ends this turn has lost.The actions that are left pass without "
                        "effect.");
    evening_close(&evening);
}

static void ways_are_words_and_east_is_not_the_key_that_ends_the_turn(void **unused)
{
    static const char *const ways[] = { "n",     "NE",        "ea", "se",
                                        "south", "Südwesten", "w",  "northwest" };
    struct command           command;
    (void) unused;
    evening_open_game(&evening, "objectron", GRIDS "duel.json", NULL, 2);
    evening_look(&evening, 0);
    const struct face *face = face_of(&evening.phrase);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(face->reads(&evening.phrase, stdout, ways[i], &command), FACE_PLAYS);
        assert_int_equal(command.kind, OBJECTRON_MOVE);
        assert_int_equal(command.arg[0], i + 1);
    }
    assert_int_equal(face->reads(&evening.phrase, stdout, "e", &command), FACE_KNOWS_NOT);
    assert_int_equal(face->reads(&evening.phrase, stdout, "north pole", &command), FACE_KNOWS_NOT);
    evening_close(&evening);
}

/* A set-up that stands in a file of its own. */
static void open_with(const char *json)
{
    char  path[] = "objectron-XXXXXX.json";
    int   file = mkstemps(path, 5);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs(json, out);
    (void) fclose(out);
    char here[64];
    (void) snprintf(here, sizeof here, "./%s", path);
    evening_open_game(&evening, "objectron", here, NULL, 2);
    (void) remove(path);
    evening_look(&evening, 0);
}

static void what_shares_a_square_is_listed_with_all_of_it(void **unused)
{
    (void) unused;
    open_with(
        "{\"mode\":\"race\",\"players\":2,\"grid\":[\"1     2\",\"       "
        "\"],\"power_failure_bp\":0,"
        "\"placements\":[{\"id\":1,\"kind\":\"light_grenade\",\"at\":[0,0],\"allow_start\":true},"
        "{\"id\":2,\"kind\":\"identity_disc\",\"at\":[0,0],\"allow_start\":true},"
        "{\"id\":3,\"kind\":\"force_field_generator\",\"at\":[2,1]},"
        "{\"id\":4,\"kind\":\"force_field_generator\",\"at\":[4,1]}]}");
    draw(80, 24);
    assert_said("\nTogether: 1,1: Ada + a grenade + a disc + the start of Ada 7,1: Ben + the");
    assert_said("3,2: a generator + a field that is off");
    assert_null(strstr(evening.said, "No power"));
    evening_close(&evening);
}

static void every_square_without_power_is_named_whatever_stands_there(void **unused)
{
    (void) unused;
    open_with("{\"mode\":\"race\",\"players\":2,\"grid\":[\"1     2\"],\"power_failure_bp\":10000,"
              "\"placements\":[]}");
    draw(80, 24);
    assert_said("\nNo power: 1,1 2,1 3,1 4,1 5,1 6,1 7,1\n");
    evening_close(&evening);
    open_with(
        "{\"mode\":\"race\",\"players\":2,\"width\":12,\"height\":12,\"power_failure_bp\":10000}");
    draw(80, 24);
    assert_said("\nNo power: squares 144\n");
    evening_close(&evening);
}

static void the_whole_board_of_a_large_grid_is_all_of_it_in_strips(void **unused)
{
    (void) unused;
    open_sized(100, 40);
    draw(80, 24);
    assert_said("A part of the grid");
    evening_draw_whole(&evening, 80);
    assert_null(strstr(evening.said, "A part"));
    assert_fits(80);
    uint32_t rows = 0;
    for (const char *at = evening.said; (at = strstr(at, "\n 40 ")) != NULL; at++)
        rows++;
    assert_int_equal(rows, 2); /* Columns 1 to 76, and 77 to 100. */
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_of_a_match_fits_in_either_language),
        cmocka_unit_test(the_grid_shows_players_walls_trails_and_where_one_may_go),
        cmocka_unit_test(the_goal_stands_above_the_grid),
        cmocka_unit_test(grids_up_to_sixty_by_thirty_are_shown_whole_and_larger_ones_in_part),
        cmocka_unit_test(what_happens_is_a_sentence),
        cmocka_unit_test(no_event_of_a_match_is_half_said),
        cmocka_unit_test(the_menu_ends_with_the_turns_end_and_giving_up),
        cmocka_unit_test(ending_a_turn_is_asked_first_and_the_answer_is_a_warning),
        cmocka_unit_test(ways_are_words_and_east_is_not_the_key_that_ends_the_turn),
        cmocka_unit_test(what_shares_a_square_is_listed_with_all_of_it),
        cmocka_unit_test(every_square_without_power_is_named_whatever_stands_there),
        cmocka_unit_test(the_whole_board_of_a_large_grid_is_all_of_it_in_strips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
