/* worded_test.c: games without a face, shown by their words: nim, and one that has grids of every sort.
 *
 * The screens stand beside those of board_test.c, and are made anew in the same way. */
#include "services/console/faces/worded.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/nim/nim.h"
#include "lattice.pb-c.h"
#include "services/console/faces/evening.h"
#include "services/console/play/play_menu.h"

#define NIM ARBITER_SOURCE "/tests/unit/services/console/faces/nim.json"
#define NIM_LARGE ARBITER_SOURCE "/tests/unit/services/console/faces/nim-large.json"

static struct evening evening;
static struct menu    menu;

static void assert_board(const char *name, uint32_t columns, bool terse)
{
    struct board_look look = { &evening.phrase, columns, 24, false, terse, false };
    FILE             *out = evening_listen(&evening);
    board_draw(&look, out);
    fclose(out);
    evening_assert_screen(name, evening.said, columns);
}

static const char *command_of(uint32_t kind, word first, word second, word third)
{
    struct command command = { .kind = kind,
                               .arg = { first, second, third, ABSENT, ABSENT, ABSENT } };
    FILE          *out = evening_listen(&evening);
    phrase_command(&evening.phrase, out, &command);
    fclose(out);
    return evening.said;
}

#define EVENT(kind, ...) EVENING_EVENT(&evening, kind, __VA_ARGS__)

static void nim_is_a_board_of_heaps(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "nim", NIM, NULL, 2);
    assert_true(evening_play(&evening, 1));
    evening_look(&evening, 0);
    assert_board("nim", 80, false);
    assert_board("nim-terse", 80, true);
    evening.phrase.language = GERMAN;
    evening.phrase.is_ascii = true;
    evening_look(&evening, 1);
    assert_board("nim-german-ascii", 60, false);
    assert_false(evening_play(&evening, 100));
    evening.phrase.language = ENGLISH;
    evening_look(&evening, NOT_SEATED);
    assert_board("nim-over", 80, false);
    evening_close(&evening);
}

static void heaps_that_have_no_room_are_numbers(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "nim", NIM_LARGE, NULL, 4);
    evening_look(&evening, 3);
    assert_board("nim-large", 60, false);
    evening_close(&evening);
}

static void nim_is_told_in_sentences_in_both_languages(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "nim", NIM, NULL, 2);
    assert_string_equal(EVENT(NIM_TAKEN, 0, 1, 2, 0), "Ada takes 2 from heap 2.");
    assert_string_equal(EVENT(NIM_OVER, 2, 0, 1), "Ada, Ben have won.");
    assert_string_equal(EVENT(NIM_TURN, 0), ""); /* The board shows it. */
    assert_string_equal(command_of(NIM_TAKE, 0, 3, ABSENT), "Take 3 from heap 1");
    evening.phrase.language = GERMAN;
    assert_string_equal(EVENT(NIM_TAKEN, 0, 1, 2, 0), "Ada nimmt 2 von Haufen 2.");
    assert_string_equal(EVENT(NIM_OVER, 1, 1), "Ben hat gewonnen.");
    assert_string_equal(command_of(NIM_TAKE, 0, 3, ABSENT), "3 von Haufen 1 nehmen");
    evening_close(&evening);
}

static const char *refusal(uint32_t refused)
{
    FILE *out = evening_listen(&evening);
    bool  is_said = worded_refusal(&evening.phrase, out, refused);
    fclose(out);
    assert_true(is_said == (evening.said[0] != '\0'));
    return evening.said;
}

/* English stands in the rules. */
static void refusals_are_in_the_words_of_other_languages(void **unused)
{
    (void) unused;
    evening_open_game(&evening, "nim", NIM, NULL, 2);
    assert_string_equal(refusal(NIM_NOT_YOUR_TURN), "");
    evening.phrase.language = GERMAN;
    assert_string_equal(refusal(NIM_NOT_YOUR_TURN), "Du bist nicht an der Reihe.");
    assert_string_equal(refusal(ACCEPTED), "");
    assert_string_equal(refusal(99), "");
    evening_close(&evening);
}

/* The menu of the seat that is awaited, as it is put. */
static const char *menu_now(void)
{
    seat_mask    awaited = match_to_act(evening.playing.match);
    uint32_t     seat = (uint32_t) __builtin_ctz(awaited);
    struct legal list = evening.playing.policy.list;
    match_legal(evening.playing.match, seat, &list);
    menu_fill(&menu, &evening.phrase, &list);
    FILE *out = evening_listen(&evening);
    menu_put(&menu, &evening.phrase, out);
    fclose(out);
    return evening.said;
}

static void a_short_menu_has_a_row_for_each_command(void **unused)
{
    struct command command;
    (void) unused;
    evening_open_game(&evening, "nim", NIM, NULL, 2);
    (void) menu_now();
    evening_assert_said(&evening, "   1  Take 1 from heap 1\n");
    evening_assert_said(&evening, "  12  Take 5 from heap 3\n");
    assert_int_equal(menu.count, 12);
    assert_int_equal(menu_take(&menu, "12", &command), MENU_PLAYS);
    assert_int_equal(command.arg[0], 2);
    assert_int_equal(command.arg[1], 5);
    menu_clear(&menu);
    evening_close(&evening);
}

static void a_long_menu_has_a_row_for_each_first_argument(void **unused)
{
    struct command command;
    (void) unused;
    evening_open_game(&evening, "nim", NIM_LARGE, NULL, 2);
    (void) menu_now();
    evening_assert_said(&evening, "   1  Take … from heap 1 (1000)\n");
    evening_assert_said(&evening, "   7  Take … from heap 7 (1000)\n");
    evening_assert_said(&evening, "   8  Take 1 from heap 8\n");
    assert_int_equal(menu_take(&menu, "7 1000", &command), MENU_PLAYS);
    assert_int_equal(command.arg[0], 6);
    assert_int_equal(command.arg[1], 1000);
    menu_clear(&menu);
    evening_close(&evening);
}

/* A game with every sort of field, of which nobody has written rules. */
static const struct command_kind commands[] = { { "", 0 }, { "place", 0 }, { "pass", 0 } };
static const struct reason       reasons[] = { { "", "" },
                                               { "TAKEN", "somebody is there" },
                                               { "TAKEN", "a wall is there" } };
static const struct game         lattice = {
            .name = "lattice", .commands = commands, .reasons = reasons, .reason_kinds = 3
};
static const struct game_wire wire = { .game = &lattice,
                                       .command = &arbiter__lattice__command__descriptor,
                                       .event = &arbiter__lattice__event__descriptor,
                                       .view = &arbiter__lattice__view__descriptor };
static const char *const      words =
    "{ 'fields': { 'seat': 'seat', 'turn': 'turn', 'winners': 'winners', 'owner': 'seat',"
    "    'board': { 'grid': 'width', 'of': 'seat' }, 'map': { 'grid': 0 }, 'pieces': { 'grid': 2 },"
    "    'holes': { 'grid': 3 }, 'points': 'per_seat', 'secret': 'hidden', 'serial_no': 'hidden',"
    "    'column': { 'column': 'board' }, 'row': { 'row': 'board' } },"
    "  'words': { 'en': { 'title': 'Lattice', 'events': {"
    "      'placed': '{seat} moves[ to {spot.row}/{spot.column}]{bold|, boldly|}.',"
    "      'ended': 'Over after {turns} {turns|turn|turns}.[ {winners} {winners|has|have} won.]', "
    "'silence': '' },"
    "    'commands': { 'place': 'Go to {row}/{column}, {mood}' },"
    "    'fields': { 'board': 'Board', 'rainy': 'Rain' },"
    "    'values': { 'mood': { 'MOOD_CALM': 'calmly' }, 'map': { 'w': '~' }, 'holes': { '-1': 'o' "
    "} } },"
    "    'de': { 'refusals': { 'TAKEN': 'besetzt', 'a wall is there': 'eine Wand' }, 'values': { "
    "'mood': { 'MOOD_CALM': 'ruhig' } } } } }";

static json_t *read_words(const char *text)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *at = json; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *read = json_loads(json, 0, NULL);
    assert_non_null(read);
    free(json);
    return read;
}

static void open_lattice(const char *with)
{
    memset(&evening, 0, sizeof evening);
    evening.phrase = (struct phrase){ .wire = &wire, .seat = 1, .words = read_words(with) };
    (void) snprintf(evening.phrase.players[0], PHRASE_NAME_MAX, "Ada");
    (void) snprintf(evening.phrase.players[1], PHRASE_NAME_MAX, "Ben");
}

static void close_lattice(void)
{
    json_t *read = (json_t *) (uintptr_t) evening.phrase.words;
    json_decref(read);
    free(evening.said);
}

static Arbiter__Lattice__Piece pieces[3];
static Arbiter__Lattice__Spot  spots[2];

static void fill_messages(void)
{
    for (uint32_t i = 0; i < 3; i++)
        arbiter__lattice__piece__init(&pieces[i]);
    for (uint32_t i = 0; i < 2; i++)
        arbiter__lattice__spot__init(&spots[i]);
    pieces[0].has_owner = pieces[0].has_strength = pieces[0].has_serial_no = 1;
    pieces[0].strength = 7;
    pieces[2].has_strength = 1;
    spots[0].has_row = spots[0].has_column = spots[1].has_column = 1;
}

/* A view with something in every field. */
static const Arbiter__Lattice__View *everything(void)
{
    static uint32_t                 board[] = { 0, 9, 1, 9, 9, 0, 1, 9 }, points[] = { 3, 11 };
    static int32_t                  holes[] = { -1, 12, 3, 4 };
    static char                     rows[2][4] = { "..w", "w#" };
    static char                    *map[] = { rows[0], rows[1] };
    static Arbiter__Lattice__Piece *piece[] = { &pieces[0], &pieces[1], &pieces[2] };
    static Arbiter__Lattice__Spot  *spot[] = { &spots[0], &spots[1] };
    static Arbiter__Lattice__View   view;
    fill_messages();
    arbiter__lattice__view__init(&view);
    view.has_width = view.has_mood = view.has_rainy = view.has_secret = view.has_turn = 1;
    view.width = 4;
    view.n_board = 8, view.board = board;
    view.n_holes = 4, view.holes = holes;
    view.n_points = 2, view.points = points;
    view.n_map = 2, view.map = map;
    view.n_pieces = 3, view.pieces = piece;
    view.n_marks = 2, view.marks = spot;
    view.mood = ARBITER__LATTICE__MOOD__MOOD_CALM;
    view.secret = 4711;
    return &view;
}

static void grids_tables_and_values_are_drawn_as_words_say(void **unused)
{
    (void) unused;
    open_lattice(words);
    evening.phrase.view = everything();
    assert_board("lattice", 80, false);
    evening_assert_said(&evening, "Ada is on turn.");
    assert_null(strstr(evening.said, "4711"));
    close_lattice();
}

static void without_words_the_names_of_the_messages_do(void **unused)
{
    (void) unused;
    open_lattice("{}");
    evening.phrase.view = everything();
    evening.phrase.is_ascii = true;
    assert_board("lattice-wordless", 80, false);
    assert_string_equal(EVENT(1, 1, 1, 4, 2, 1), "placed seat 1 spot row 4 column 2 bold yes");
    assert_string_equal(EVENT(2, 0, ABSENT), "ended");
    assert_string_equal(command_of(1, 4, 2, 1), "place row 4 column 2 mood MOOD_CALM");
    assert_string_equal(command_of(2, ABSENT, ABSENT, ABSENT), "pass");
    close_lattice();
}

static void sentences_leave_out_what_is_left_out(void **unused)
{
    (void) unused;
    open_lattice(words);
    assert_string_equal(EVENT(1, 1, 1, 4, 2, 1), "Ben moves to 5/3, boldly.");
    assert_string_equal(EVENT(1, 1, 0, 0), "Ben moves.");
    assert_string_equal(EVENT(1, 1, 1, 4, ABSENT, 0), "Ben moves.");
    assert_string_equal(EVENT(2, 1, 0, 12), "Over after 12 turns. Ada has won.");
    assert_string_equal(EVENT(2, 2, 0, 1, 12), "Over after 12 turns. Ada, Ben have won.");
    assert_string_equal(EVENT(2, 0, 12), "Over after 12 turns.");
    assert_string_equal(EVENT(2, 0, 1), "Over after 1 turn.");
    assert_string_equal(evening_event(&evening, 3, NULL, 0), "");
    assert_string_equal(evening_event(&evening, 4, NULL, 0), ""); /* There is no such kind. */
    close_lattice();
}

static void refusals_of_one_code_go_by_their_sentences(void **unused)
{
    (void) unused;
    open_lattice(words);
    assert_string_equal(refusal(1), "");
    evening.phrase.language = GERMAN;
    assert_string_equal(refusal(1), "besetzt");
    assert_string_equal(refusal(2), "eine Wand");
    close_lattice();
}

static void a_row_that_chooses_a_place_has_its_number(void **unused)
{
    word           values[] = { 1, 2, 4 };
    struct pattern patterns[] = { { .kind = 1, .args = 1, .arg = { { 0, 3 } } }, { .kind = 2 } };
    struct legal   list = { patterns, values, 2, 3, 2, 3 };
    struct command command;
    (void) unused;
    open_lattice(words);
    menu_fill(&menu, &evening.phrase, &list);
    FILE *out = evening_listen(&evening);
    menu_put(&menu, &evening.phrase, out);
    fclose(out);
    assert_string_equal(evening.said, "   2  Go to 2/, \n   3  Go to 3/, \n   5  Go to 5/, \n"
                                      "   6  pass\n");
    assert_int_equal(menu_take(&menu, "1", &command), MENU_NONSENSE);
    assert_int_equal(menu_take(&menu, "4", &command), MENU_NONSENSE);
    assert_int_equal(menu_take(&menu, "5", &command), MENU_PLAYS);
    assert_int_equal(command.arg[0], 4);
    assert_int_equal(menu_take(&menu, "6", &command), MENU_PLAYS);
    assert_int_equal(command.kind, 2);
    menu_clear(&menu);
    close_lattice();
}

static void a_language_borrows_from_english(void **unused)
{
    (void) unused;
    open_lattice(words);
    assert_string_equal(command_of(1, 4, 2, 1), "Go to 5/3, calmly");
    assert_string_equal(command_of(1, 4, 2, 2), "Go to 5/3, MOOD_WILD");
    evening.phrase.language = GERMAN;
    assert_string_equal(command_of(1, 4, 2, 1), "Go to 5/3, ruhig");
    close_lattice();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nim_is_a_board_of_heaps),
        cmocka_unit_test(heaps_that_have_no_room_are_numbers),
        cmocka_unit_test(nim_is_told_in_sentences_in_both_languages),
        cmocka_unit_test(refusals_are_in_the_words_of_other_languages),
        cmocka_unit_test(a_short_menu_has_a_row_for_each_command),
        cmocka_unit_test(a_long_menu_has_a_row_for_each_first_argument),
        cmocka_unit_test(grids_tables_and_values_are_drawn_as_words_say),
        cmocka_unit_test(without_words_the_names_of_the_messages_do),
        cmocka_unit_test(sentences_leave_out_what_is_left_out),
        cmocka_unit_test(refusals_of_one_code_go_by_their_sentences),
        cmocka_unit_test(a_row_that_chooses_a_place_has_its_number),
        cmocka_unit_test(a_language_borrows_from_english),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
