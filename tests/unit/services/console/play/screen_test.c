/* screen_test.c: a player who is asked sees the head of the board and the whole menu, on 80 x 24,
 * at any moment. */
#include "services/console/play/screen.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/faces/board.h"
#include "services/console/faces/evening.h"
#include "services/console/play/play_menu.h"

#define COLUMNS 80
#define ROWS 24
#define PROMPT 2
#define PAGES_MAX 8

static struct evening evening;
static struct menu    menu;
static char          *said;
static bool           is_paged;
static uint32_t       screens, paged; /* Of whole evenings. */

static struct screen screen_of(const char *board, const char *text)
{
    return (struct screen){ .board = board,
                            .terse = "terse\n",
                            .head = "head\n",
                            .clock = "",
                            .menu = text,
                            .more = "more",
                            .columns = COLUMNS,
                            .rows = ROWS,
                            .prompt = PROMPT };
}

static void put(const struct screen *screen)
{
    size_t size = 0;
    free(said);
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    is_paged = screen_put(screen, out);
    fclose(out);
}

/* "1\n2\n ...", or entries of a menu. */
static char *lines(const char *format, uint32_t count)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (uint32_t i = 1; i <= count; i++) {
        fprintf(out, "%4" PRIu32 "  ", i);
        fprintf(out, "%s\n", format);
    }
    fclose(out);
    return text;
}

static uint32_t count_lines(const char *text)
{
    uint32_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static void without_a_terminal_all_stands_as_it_is(void **unused)
{
    (void) unused;
    char         *board = lines("board", 40), *text = lines("deed", 40);
    struct screen screen = screen_of(board, text);
    screen.rows = 0;
    put(&screen);
    assert_int_equal(strlen(said), strlen(board) + strlen(text));
    assert_memory_equal(said, board, strlen(board));
    assert_string_equal(said + strlen(board), text);
    assert_false(is_paged);
    free(board);
    free(text);
}

static void a_menu_without_room_stands_in_columns_and_its_title_alone(void **unused)
{
    (void) unused;
    char         *board = lines("board", 17);
    struct screen screen =
        screen_of(board, "Choose:\n"
                         "   1  Ada\n"
                         "   2  somebody whose name takes more than half a line\n"
                         "   3  Ben\n"
                         "   4  Chloé\n"
                         "   5  Dörte\n"
                         "   0  back\n");
    put(&screen);
    assert_string_equal(said + strlen(board),
                        "Choose:\n"
                        "   1  Ada\n"
                        "   2  somebody whose name takes more than half a line\n"
                        "   3  Ben                                  4  Chloé\n"
                        "   5  Dörte                                0  back\n");
    free(board);
}

static void a_board_without_room_is_told_in_fewer_words(void **unused)
{
    (void) unused;
    char         *board = lines("board", 20), *text = lines("deed", 12);
    struct screen screen = screen_of(board, text);
    put(&screen);
    assert_memory_equal(said, "terse\n   1  deed\n", 17);
    free(board);
    free(text);
}

static void what_fits_in_no_way_has_its_head_above_the_menu(void **unused)
{
    (void) unused;
    char         *board = lines("board", 30), *text = lines("deed", 30);
    struct screen screen = screen_of(board, text);
    screen.terse = board;
    put(&screen);
    assert_memory_equal(said, board, strlen(board));
    assert_memory_equal(said + strlen(board), "head\n   1  deed", 15);
    assert_false(is_paged);
    assert_int_equal(count_lines(said), 30 + 1 + 10);
    free(board);
    free(text);
}

/* 100 entries, three in a line, are 34 lines; 24 rows have room for 20 of them: each stands on one page. */
static void a_menu_longer_than_the_screen_has_pages(void **unused)
{
    (void) unused;
    char         *board = lines("board", 30), *text = lines("deed", 100);
    struct screen screen = screen_of(board, text);
    uint32_t      seen[101] = { 0 };
    screen.terse = "";
    for (screen.page = 0; screen.page < 2; screen.page++) {
        put(&screen);
        assert_true(is_paged);
        assert_in_range(count_lines(said), 1, ROWS - PROMPT);
        assert_non_null(
            strstr(said, screen.page == 0 ? "   +  more (1/2)\n" : "   +  more (2/2)\n"));
        for (uint32_t i = 1; i <= 100; i++) {
            char entry[32];
            (void) snprintf(entry, sizeof entry, "%4" PRIu32 "  deed", i);
            seen[i] += strstr(said, entry) != NULL;
        }
    }
    for (uint32_t i = 1; i <= 100; i++)
        assert_int_equal(seen[i], 1);
    char *first;
    screen.page = 0;
    put(&screen);
    first = strdup(said);
    screen.page = 2; /* And round. */
    put(&screen);
    assert_string_equal(said, first);
    free(first);
    free(board);
    free(text);
}

/* Nobody reads it there, but somebody may drag a window that small. */
static void a_terminal_of_one_column_or_row_ends_nothing(void **unused)
{
    (void) unused;
    char         *board = lines("board", 5), *text = lines("a deed of some words", 40);
    struct screen screen = screen_of(board, text);
    for (screen.columns = 1; screen.columns <= 8; screen.columns++)
        for (screen.rows = 1; screen.rows <= 12; screen.rows++)
            for (screen.page = 0; screen.page < 3; screen.page++) {
                put(&screen);
                assert_true(said[0] != '\0');
            }
    free(board);
    free(text);
}

static char *string_of(bool is_terse, bool is_head)
{
    char             *text = NULL;
    size_t            size = 0;
    FILE             *out = open_memstream(&text, &size);
    struct board_look look = { &evening.phrase, COLUMNS, ROWS, false, is_terse, false };
    assert_non_null(out);
    (is_head ? board_draw_head : board_draw)(&look, out);
    fclose(out);
    return text;
}

/* The last rows of what was said, those that are seen. */
static const char *visible(void)
{
    uint32_t    above = count_lines(said);
    const char *at = said;
    for (; above + PROMPT > ROWS; above--)
        at = strchr(at, '\n') + 1;
    return at;
}

/* Where the menu begins of what was said, or of what of it is seen. */
static const char *behind(const char *board, const char *terse, const char *head)
{
    bool        is_whole = strncmp(said, board, strlen(board)) == 0;
    const char *at = said + strlen(is_whole ? board : terse);
    if (strncmp(at, head, strlen(head)) == 0)
        at += strlen(head);
    return at > visible() ? at : visible();
}

/* How many of a menu's numbers are seen. */
static uint32_t count_entries(const char *at, uint32_t count)
{
    uint32_t seen = 0;
    for (uint32_t i = 1; i <= count; i++) {
        char number[16];
        (void) snprintf(number, sizeof number, "%4" PRIu32 "  ", i);
        seen += strstr(at, number) != NULL;
    }
    return seen;
}

/* The view that was looked at last, and the menu as it is. */
static void assert_all_in_sight(void)
{
    char         *board = string_of(false, false), *terse = string_of(true, false);
    char         *head = string_of(false, true), *text = NULL;
    size_t        size = 0;
    FILE         *out = open_memstream(&text, &size);
    struct screen screen = screen_of(board, NULL);
    menu_put(&menu, &evening.phrase, out);
    fclose(out);
    screen.terse = terse;
    screen.head = head;
    screen.menu = text;
    uint32_t    count = menu.is_asked ? menu.rows[menu.row].count : menu.count, seen = 0;
    const char *menu_at;
    do {
        put(&screen);
        if (strstr(visible(), head) == NULL)
            fail_msg("the head is out of sight:\n%s", said);
        menu_at = behind(board, terse, head);
        seen += count_entries(menu_at, count);
        (void) evening_assert_fits(said, COLUMNS);
    } while (is_paged && ++screen.page < PAGES_MAX && seen < count);
    if (seen != count)
        fail_msg("%" PRIu32 " of %" PRIu32 " entries are in sight:\n%s", seen, count, menu_at);
    paged += is_paged;
    screens++;
    free(board);
    free(terse);
    free(head);
    free(text);
}

/* At each act, the menu, and what each of its rows asks. */
static void follow(const char *config, const char *edition, uint32_t seats, enum language language)
{
    struct command unused;
    evening_open(&evening, config, edition, seats);
    evening.phrase.language = language;
    while (evening_play(&evening, 1)) {
        seat_mask awaited = match_to_act(evening.playing.match);
        if (awaited == 0)
            break; /* That was its last act. */
        struct legal list = evening.playing.policy.list;
        evening_look(&evening, (uint32_t) __builtin_ctz(awaited));
        match_legal(evening.playing.match, evening.phrase.seat, &list);
        menu_fill(&menu, &evening.phrase, &list);
        assert_all_in_sight();
        for (uint32_t row = 1; !menu.is_asked && row <= menu.count; row++) {
            char number[16];
            (void) snprintf(number, sizeof number, "%" PRIu32, row);
            if (menu_take(&menu, number, &unused) == MENU_ASKS) {
                assert_all_in_sight();
                assert_int_equal(menu_take(&menu, "0", &unused), MENU_ASKS);
            }
        }
    }
    menu_clear(&menu);
    evening_close(&evening);
}

static void whole_evenings_of_the_dead_stay_in_sight(void **unused)
{
    (void) unused;
    follow(ARBITER_SOURCE "/configs/dead/intro.json", "edition=base", 3, GERMAN);
    follow(ARBITER_SOURCE "/configs/dead/standard.json", "edition=equipment", 4, GERMAN);
    follow(ARBITER_SOURCE "/configs/dead/big-crossroads.json", "edition=crossroads", 5, ENGLISH);
    assert_in_range(screens, 1000, 10000);
    assert_in_range(100 * paged, 0, 2 * screens); /* Pages are for two in a hundred at most. */
}

static int clean(void **unused)
{
    (void) unused;
    free(said);
    said = NULL;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_terminal_all_stands_as_it_is),
        cmocka_unit_test(a_menu_without_room_stands_in_columns_and_its_title_alone),
        cmocka_unit_test(a_board_without_room_is_told_in_fewer_words),
        cmocka_unit_test(what_fits_in_no_way_has_its_head_above_the_menu),
        cmocka_unit_test(a_menu_longer_than_the_screen_has_pages),
        cmocka_unit_test(a_terminal_of_one_column_or_row_ends_nothing),
        cmocka_unit_test(whole_evenings_of_the_dead_stay_in_sight),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
