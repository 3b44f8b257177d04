/* face_treasure_test.c: a treasure hunt by hand: a half that is typed, ways, and the key that leaves. */
#include "services/console/faces/face_treasure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/faces/evening.h"
#include "services/console/play/play_menu.h"

#define SETUP ARBITER_SOURCE "/configs/treasure/unhurried.json"
#define GOOD "gggggggg gcmwwmmg/GGGWWMMG|GGGGGGGG"

static struct evening evening;
static struct command command;

static enum face_reading read_line(const char *line)
{
    FILE             *out = evening_listen(&evening);
    enum face_reading reading =
        face_of(&evening.phrase)->reads(&evening.phrase, out, line, &command);
    fclose(out);
    return reading;
}

static verdict play(uint32_t seat)
{
    return match_play(evening.playing.match, seat, &command, &evening.playing.room,
                      &evening.playing.act);
}

static void open_hunt(void)
{
    evening_open_game(&evening, "treasure", SETUP, NULL, 2);
    evening_look(&evening, 0);
}

static void a_half_is_typed_as_letters_or_as_signs_of_the_map(void **unused)
{
    (void) unused;
    open_hunt();
    evening_draw(&evening, 80, 24);
    evening_assert_said(&evening, "Type your half: 4 rows of 8 letters");
    evening_assert_said(&evening, "mountains 3, grass 5, water 4; and no island.");
    assert_int_equal(read_line(GOOD), FACE_PLAYS);
    assert_int_equal(command.text_size, 64);
    FILE *out = evening_listen(&evening);
    phrase_command(&evening.phrase, out, &command);
    fclose(out);
    assert_string_equal(evening.said, "Hand in half a map: GGGGGGGG GCMWWMMG GGGWWMMG GGGGGGGG");
    assert_int_equal(play(0), ACCEPTED);
    evening_look(&evening, 1);
    assert_int_equal(read_line("........ .@^~~^^. ...~~^^. ........"), FACE_PLAYS);
    assert_int_equal(play(1), ACCEPTED);
    evening_close(&evening);
}

static void a_half_that_would_lose_is_not_handed_in(void **unused)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        { "GGGG", "This half would lose the game: another number of fields.\n" },
        { "GGGGGGGG GGMWWMMG GGGWWMMG GGGGGGGG",
          "This half would lose the game: not exactly one castle.\n" },
        { "WWWWGGGG GCGWWGGG GGGWWGGG GGGGGGWG",
          "This half would lose the game: too few mountains, too much water at the top.\n" },
        { "GWGGGGGG WCMWWMMG GGGWWMMG GGGGGGGG", "This half would lose the game: an island.\n" },
    };
    (void) unused;
    open_hunt();
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(read_line(rows[i].line), FACE_SAYS);
        assert_string_equal(evening.said, rows[i].says);
    }
    assert_int_equal(read_line("hello"), FACE_KNOWS_NOT);
    assert_int_equal(read_line("/"), FACE_KNOWS_NOT);
    evening_close(&evening);
}

static void ways_are_words_and_a_countdown_says_how_far_it_is(void **unused)
{
    struct menu menu = { 0 };
    (void) unused;
    open_hunt();
    for (uint32_t seat = 0; seat < 2; seat++) {
        assert_int_equal(read_line(GOOD), FACE_PLAYS);
        assert_int_equal(play(seat), ACCEPTED);
        evening_look(&evening, seat == 0 ? 1 : 0);
    }
    assert_int_equal(read_line("sideways"), FACE_KNOWS_NOT);
    assert_int_equal(read_line("up"), FACE_PLAYS);
    assert_int_equal(command.arg[1], TREASURE_UP);
    assert_int_equal(read_line("ea"), FACE_PLAYS);
    assert_int_equal(command.arg[1], TREASURE_TO_RIGHT);
    assert_int_equal(play(0), ACCEPTED); /* Onto a mountain: 3, 2, 1, 0. */
    assert_int_equal(match_to_act(evening.playing.match), 2);
    evening_look(&evening, 0);
    FILE *out = evening_listen(&evening);
    phrase_choice(&evening.phrase, out, &command);
    fclose(out);
    assert_string_equal(evening.said, "right (announced; 3 more)");
    assert_int_equal(menu_take_key(&menu, &game_treasure, "l", &command), MENU_PLAYS);
    assert_int_equal(command.kind, TREASURE_LEAVE); /* Which is never listed. */
    assert_int_equal(menu_take_key(&menu, &game_treasure, "e", &command), MENU_NONSENSE);
    assert_int_equal(play(0), ACCEPTED);
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_half_is_typed_as_letters_or_as_signs_of_the_map),
        cmocka_unit_test(a_half_that_would_lose_is_not_handed_in),
        cmocka_unit_test(ways_are_words_and_a_countdown_says_how_far_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
