/* face_quests_test.c: quests in a terminal: its board in 80 columns, its sentences, its menu. */
#include "services/console/face_quests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/evening.h"
#include "services/console/play_menu.h"

#define STANDARD ARBITER_SOURCE "/configs/quests/standard.json"
#define BOARD_ROWS 13 /* So that a menu of some rows fits below it in 24. */

static struct evening evening;
static char          *said;
static size_t         said_size;

static FILE *listen(void)
{
    free(said);
    said = NULL;
    FILE *out = open_memstream(&said, &said_size);
    assert_non_null(out);
    return out;
}

static const char *draw(uint32_t columns, uint32_t rows)
{
    struct board_look look = { &evening.phrase, columns, rows, false };
    FILE             *out = listen();
    board_draw(&look, out);
    fclose(out);
    return said;
}

static const char *event(uint32_t kind, const word *fields, uint32_t count)
{
    FILE *out = listen();
    bool  is_said = phrase_event(&evening.phrase, out, kind, fields, count);
    fclose(out);
    assert_true(is_said == (said[0] != '\0'));
    return said;
}

#define EVENT(kind, ...)                                                                           \
    event(kind, (const word[]){ __VA_ARGS__ }, sizeof((const word[]){ __VA_ARGS__ }) / sizeof(word))

static void open_evening(void)
{
    evening_open_game(&evening, "quests", STANDARD, NULL, 4);
}

static void assert_said(const char *words)
{
    if (strstr(said, words) == NULL)
        fail_msg("expected \"%s\" in:\n%s", words, said);
}

static void assert_fits(uint32_t columns, uint32_t rows)
{
    uint32_t lines = 0;
    for (const char *at = said; *at != '\0'; lines++) {
        size_t size = strcspn(at, "\n");
        if (board_text_width(at, size) > columns)
            fail_msg("wider than %u columns: %.*s", columns, (int) size, at);
        at += size + 1;
    }
    if (lines > rows)
        fail_msg("%u lines:\n%s", lines, said);
}

static void every_board_of_an_evening_fits(void **unused)
{
    (void) unused;
    open_evening();
    for (uint32_t acts = 0; evening_play(&evening, 1); acts++) {
        evening_look(&evening, acts % 5 == 4 ? NOT_SEATED : acts % 5);
        evening.phrase.language = acts % 2 == 0 ? ENGLISH : GERMAN;
        draw(80, 24);
        assert_fits(80, BOARD_ROWS);
    }
    evening_look(&evening, 0);
    evening.phrase.language = ENGLISH;
    draw(80, 24);
    assert_said("The game is over");
    assert_said("has won");
    evening_close(&evening);
}

/* What the sponsor sees of his stages the others see as numbers. */
static void stages_are_their_sponsors_until_they_are_resolved(void **unused)
{
    (void) unused;
    open_evening();
    for (;;) {
        assert_true(evening_play(&evening, 1));
        evening_look(&evening, NOT_SEATED);
        const Arbiter__Quests__View *view = quests_seen(&evening.phrase);
        if (view->quest != NULL && view->quest->stage == 1)
            break;
    }
    uint32_t sponsor = quests_seen(&evening.phrase)->quest->sponsor;
    evening_look(&evening, sponsor);
    draw(80, 24);
    assert_said("> Stage 1    F");
    assert_said("(you)");
    assert_said("sponsor");
    assert_said("Your hand:");
    evening_look(&evening, (sponsor + 1) % 4);
    draw(80, 24);
    assert_said("> Stage 1    (");
    evening_look(&evening, NOT_SEATED);
    draw(80, 24);
    assert_said("> Stage 1    (");
    assert_null(strstr(said, "Your hand:"));
    evening_close(&evening);
}

static void events_name_players_and_cards(void **unused)
{
    (void) unused;
    open_evening();
    EVENT(QUESTS_EVENT_CARD, 1, QUESTS_QUEEN);
    assert_string_equal(said, "Ben draws the event card Queen's favor.");
    EVENT(QUESTS_DREW, 0, 2, 6, 12, ABSENT, QUESTS_BY_QUEEN, 14);
    assert_string_equal(said, "You draw: F30 S10.");
    EVENT(QUESTS_DREW, 0, 0, 1, QUESTS_BY_STAGE, 12);
    assert_string_equal(said, "Ada draws 1 card.");
    EVENT(QUESTS_STAGE_STARTED, 2, 2, 0, 3);
    assert_string_equal(said, "Stage 2 begins. Eligible participants: Ada, Dörte.");
    EVENT(QUESTS_STAGE_RESOLVED, 1, 2, 1, 13, 15, 1, 0, 2, 11, 12, 15, 1);
    assert_string_equal(said,
                        "Stage 1 was: F5 H10 (15).\n    Ada attacked with D5 S10 (15): success.");
    EVENT(QUESTS_CAN_SPONSOR, 0, 0);
    assert_string_equal(said, "Your cards make no quest of this size.");
    EVENT(QUESTS_CAN_SPONSOR, 0, 1);
    assert_string_equal(said, "");
    EVENT(QUESTS_GAME_OVER, 1, 2, 4, 0, 0, 7, 0);
    assert_string_equal(said, "The game is won by Chloé.");
    evening.phrase.language = GERMAN;
    EVENT(QUESTS_SHIELDS_CHANGED, 1, 1, 5, QUESTS_BY_QUEST);
    assert_string_equal(said, "Ben erhält 1 Schild und hat 5.");
    EVENT(QUESTS_RESHUFFLED, 1, 23);
    assert_string_equal(said, "Der Ablagestapel (Abenteuer) wird gemischt und wird zum Stapel (23 "
                              "Karten).");
    evening_close(&evening);
}

/* An enum of another machine may be any number. */
static void nonsense_is_said_without_harm(void **unused)
{
    (void) unused;
    open_evening();
    EVENT(QUESTS_DISCARDED, 0, 1, 999, ABSENT, 77, 3);
    assert_string_equal(said, "You discard: ?.");
    EVENT(QUESTS_QUEST_ENDED, ABSENT, 1, 0);
    EVENT(QUESTS_EVENT_CARD, 1, 99);
    assert_string_equal(said, "Ben draws the event card ?.");
    evening_close(&evening);
}

static struct menu menu;

/* Fills the menu with what the awaited seat may do; returns its phase. */
static uint32_t fill_menu(void)
{
    static struct pattern patterns[8];
    static word           values[64];
    struct legal          list = {
                 .pattern = patterns, .patterns_max = 8, .value = values, .values_max = 64
    };
    uint32_t seat = (uint32_t) __builtin_ctz(match_to_act(evening.playing.match));
    evening_look(&evening, seat);
    match_legal(evening.playing.match, seat, &list);
    menu_fill(&menu, &evening.phrase, &list);
    FILE *out = listen();
    menu_put(&menu, &evening.phrase, out);
    fclose(out);
    return quests_seen(&evening.phrase)->phase;
}

static void a_menu_has_words_for_every_question(void **unused)
{
    (void) unused;
    static const char *const words[] = {
        [QUESTS_ASKS_SPONSOR] = "Do not sponsor it", [QUESTS_ASKS_BUILD] = "Take all stages back",
        [QUESTS_ASKS_PARTICIPATE] = "Tackle stage ", [QUESTS_ASKS_ATTACK] = "Attack stage ",
        [QUESTS_ASKS_DISCARD] = "Discard a card",    [QUESTS_ASKS_END_TURN] = "End the turn",
    };
    uint32_t asked = 0;
    open_evening();
    do {
        uint32_t phase = fill_menu();
        assert_fits(80, 24);
        /* A menu of one row shows its choices, of which all are cards. */
        assert_said(words[phase]);
        assert_null(strchr(said, '{'));
        asked |= 1u << phase;
    } while (evening_play(&evening, 1) && match_to_act(evening.playing.match) != 0);
    assert_int_equal(asked, 0x7e);
    menu_clear(&menu);
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_of_an_evening_fits),
        cmocka_unit_test(stages_are_their_sponsors_until_they_are_resolved),
        cmocka_unit_test(events_name_players_and_cards),
        cmocka_unit_test(nonsense_is_said_without_harm),
        cmocka_unit_test(a_menu_has_words_for_every_question),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(said);
    return failed;
}
