/* board_test.c: the board of the dead, compared with screens that were looked at once and found good.
 *
 * They stand beside this file. Where a change is meant, ARBITER_DRAW=FOLDER writes the new ones there, to
 * be looked at and put in their place. */
#include "services/console/faces/board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/faces/evening.h"
#include "services/console/faces/face_dead.h"

#define INTRO ARBITER_SOURCE "/configs/dead/intro.json"
#define FATES ARBITER_SOURCE "/configs/dead/standard-crossroads.json"
#define BIG ARBITER_SOURCE "/configs/dead/big.json"

static struct evening evening;

static char *draw_as(uint32_t columns, uint32_t rows, bool coloured, bool terse)
{
    char             *screen = NULL;
    size_t            size = 0;
    FILE             *out = open_memstream(&screen, &size);
    struct board_look look = { &evening.phrase, columns, rows, coloured, terse, false };
    assert_non_null(out);
    board_draw(&look, out);
    fclose(out);
    return screen;
}

static char *draw(uint32_t columns, uint32_t rows, bool coloured)
{
    return draw_as(columns, rows, coloured, false);
}

static void assert_screen(const char *name, uint32_t columns, uint32_t rows)
{
    char *screen = draw(columns, rows, false);
    evening_assert_screen(name, screen, columns);
    free(screen);
}

static void who_chooses_sees_the_four_and_what_they_can(void **unused)
{
    (void) unused;
    evening_open(&evening, INTRO, "edition=base", 3);
    evening_look(&evening, 0);
    assert_screen("choice", 80, 24);
    evening_look(&evening, 1);
    char *screen = draw(80, 24, false);
    assert_null(strstr(screen, "attack")); /* Others' offers are their own. */
    free(screen);
    evening_close(&evening);
}

static void a_turn_fits_eighty_columns_and_twenty_four_rows(void **unused)
{
    (void) unused;
    evening_open(&evening, INTRO, "edition=base", 3);
    assert_true(evening_play(&evening, 30));
    evening_look(&evening, 0);
    assert_screen("turn", 80, 24);
    evening.phrase.language = GERMAN;
    assert_screen("turn-german", 80, 24);
    evening.phrase.is_ascii = true;
    assert_screen("turn-german-ascii", 80, 24);
    evening_close(&evening);
}

static void a_wide_terminal_shows_all_hands_beside_the_places(void **unused)
{
    (void) unused;
    evening_open(&evening, FATES, "edition=crossroads", 4);
    assert_true(evening_play(&evening, 60));
    evening_look(&evening, NOT_SEATED);
    assert_screen("wide", 160, 48);
    evening_close(&evening);
}

static void ascii_is_ascii(void **unused)
{
    (void) unused;
    evening_open(&evening, FATES, "edition=crossroads", 4);
    evening.phrase.is_ascii = true;
    for (uint32_t language = 0; language < LANGUAGES; language++)
        for (uint32_t acts = 0; acts < 40; acts++) {
            evening.phrase.language = (enum language) language;
            (void) evening_play(&evening, 1);
            evening_look(&evening, acts % 4);
            char *screen = draw(80, 50, false);
            for (const char *at = screen; *at != '\0'; at++)
                if ((*at < ' ' || *at > '~') && *at != '\n')
                    fail_msg("not ASCII: %s", screen);
            free(screen);
        }
    evening_close(&evening);
}

/* A survivor who carries nothing carries three cards of somebody's hand meanwhile: more than an
 * evening ever has. */
static void burden_all(bool is_burdened)
{
    static Arbiter__Dead__View__Equipment  cards[3];
    static Arbiter__Dead__View__Equipment *carried[3] = { &cards[0], &cards[1], &cards[2] };
    const Arbiter__Dead__View             *view = dead_seen(&evening.phrase);
    for (size_t i = 0, count = 0; i < view->n_seats; i++)
        for (size_t k = 0; k < view->seats[i]->n_cards && count < 3; k++)
            cards[count++].card_id = view->seats[i]->cards[k];
    for (size_t i = 0; i < view->n_survivors; i++) {
        Arbiter__Dead__View__Survivor *who = view->survivors[i];
        if (who->equipment != NULL && who->equipment != carried)
            continue;
        who->n_equipment = is_burdened ? 3 : 0;
        who->equipment = is_burdened ? carried : NULL;
    }
}

/* Every view of a whole match, at every width: no line too wide, and 24 rows suffice where four sit. */
static void every_board_of_an_evening_fits(void **unused)
{
    (void) unused;
    evening_open(&evening, BIG, "edition=equipment", 6);
    for (uint32_t acts = 0; evening_play(&evening, 1); acts++) {
        evening_look(&evening, acts % 6);
        burden_all(acts % 3 == 0);
        for (uint32_t columns = 80 + acts % 8; columns < 180; columns += 8) {
            char *screen = draw_as(columns, 24 + acts % 60, acts % 2 == 0, acts % 4 < 2);
            evening_assert_fits(screen, columns);
            free(screen);
        }
        burden_all(false);
    }
    evening_close(&evening);
    evening_open(&evening, INTRO, "edition=base", 4);
    for (uint32_t acts = 0; evening_play(&evening, 1); acts++) {
        evening_look(&evening, acts % 4);
        char    *screen = draw(80, 24, false);
        uint32_t lines = evening_assert_fits(screen, 80);
        if (lines > 24)
            fail_msg("%u lines:\n%s", lines, screen);
        free(screen);
    }
    evening_close(&evening);
}

static void names_drive_no_terminal(void **unused)
{
    (void) unused;
    evening_open(&evening, INTRO, "edition=base", 2);
    (void) snprintf(evening.phrase.players[0], PHRASE_NAME_MAX, "A\033[2Jda");
    evening_look(&evening, 1);
    char *screen = draw(80, 24, false);
    assert_null(strchr(screen, '\033'));
    assert_non_null(strstr(screen, "A?[2Jda"));
    free(screen);
    screen = draw(80, 24, true);
    assert_non_null(strstr(screen, "\033[1m"));
    assert_null(strstr(screen, "\033[2J"));
    free(screen);
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_chooses_sees_the_four_and_what_they_can),
        cmocka_unit_test(a_turn_fits_eighty_columns_and_twenty_four_rows),
        cmocka_unit_test(a_wide_terminal_shows_all_hands_beside_the_places),
        cmocka_unit_test(ascii_is_ascii),
        cmocka_unit_test(every_board_of_an_evening_fits),
        cmocka_unit_test(names_drive_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
