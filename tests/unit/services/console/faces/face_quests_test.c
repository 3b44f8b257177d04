/* face_quests_test.c: quests in a terminal: its board in 80 columns, its sentences, its menu. */
#include "services/console/faces/face_quests.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/console/faces/evening.h"
#include "services/console/play/play_menu.h"

#define STANDARD ARBITER_SOURCE "/configs/quests/standard.json"
#define BOARD_ROWS 13 /* So that a menu of some rows fits below it in 24. */

static struct evening evening;

#define EVENT(kind, ...) EVENING_EVENT(&evening, kind, __VA_ARGS__)

static void open_evening(void)
{
    evening_open_game(&evening, "quests", STANDARD, NULL, 4);
}

static void assert_said(const char *words)
{
    evening_assert_said(&evening, words);
}

static void assert_lines(uint32_t rows)
{
    if (evening_assert_fits(evening.said, BOARD_COLUMNS_LEAST) > rows)
        fail_msg("more than %u lines:\n%s", rows, evening.said);
}

static void every_board_of_an_evening_fits(void **unused)
{
    (void) unused;
    open_evening();
    for (uint32_t acts = 0; evening_play(&evening, 1); acts++) {
        evening_look(&evening, acts % 5 == 4 ? NOT_SEATED : acts % 5);
        evening.phrase.language = acts % 2 == 0 ? ENGLISH : GERMAN;
        evening_draw(&evening, 80, 24);
        assert_lines(BOARD_ROWS);
    }
    evening_look(&evening, 0);
    evening.phrase.language = ENGLISH;
    evening_draw(&evening, 80, 24);
    assert_said("The game is over");
    assert_said("has won");
    evening_close(&evening);
}

/* What the sponsor sees of the own stages the others see as numbers. */
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
    evening_draw(&evening, 80, 24);
    assert_said("> Stage 1    F");
    assert_said("(you)");
    assert_said("sponsor");
    assert_said("Your hand:");
    evening_look(&evening, (sponsor + 1) % 4);
    evening_draw(&evening, 80, 24);
    assert_said("> Stage 1    (");
    evening_look(&evening, NOT_SEATED);
    evening_draw(&evening, 80, 24);
    assert_said("> Stage 1    (");
    assert_null(strstr(evening.said, "Your hand:"));
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
    FILE *out = evening_listen(&evening);
    menu_put(&menu, &evening.phrase, out);
    fclose(out);
    return quests_seen(&evening.phrase)->phase;
}

static void what_holds_no_card_yet_says_so(void **unused)
{
    (void) unused;
    open_evening();
    do
        assert_true(evening_play(&evening, 1));
    while (fill_menu() != QUESTS_ASKS_BUILD);
    evening_draw(&evening, 80, 24);
    assert_said("\n  Stage 1    (0 cards)\n");
    menu_clear(&menu);
    evening_close(&evening);
}

static void events_name_players_and_cards(void **unused)
{
    (void) unused;
    open_evening();
    assert_string_equal(EVENT(QUESTS_EVENT_CARD, 1, QUESTS_QUEEN),
                        "Ben draws the event card Queen's favor.");
    assert_string_equal(EVENT(QUESTS_DREW, 0, 2, 6, 12, ABSENT, QUESTS_BY_QUEEN, 14),
                        "You draw: F30 S10.");
    assert_string_equal(EVENT(QUESTS_DREW, 0, 0, 1, QUESTS_BY_STAGE, 12), "Ada draws 1 card.");
    assert_string_equal(EVENT(QUESTS_STAGE_STARTED, 2, 2, 0, 3),
                        "Stage 2 begins. Eligible participants: Ada, Dörte.");
    assert_string_equal(EVENT(QUESTS_STAGE_RESOLVED, 1, 2, 1, 13, 15, 1, 0, 2, 11, 12, 15, 1),
                        "Stage 1 was: F5 H10 (15).\n    Ada attacked with D5 S10 (15): success.");
    assert_string_equal(EVENT(QUESTS_CAN_SPONSOR, 0, 0), "Your cards make no quest of this size.");
    assert_string_equal(EVENT(QUESTS_CAN_SPONSOR, 0, 1), "");
    assert_string_equal(EVENT(QUESTS_GAME_OVER, 1, 2, 4, 0, 0, 7, 0), "The game is won by Chloé.");
    evening.phrase.language = GERMAN;
    assert_string_equal(EVENT(QUESTS_SHIELDS_CHANGED, 1, 1, 5, QUESTS_BY_QUEST),
                        "Ben erhält 1 Schild und hat 5.");
    assert_string_equal(EVENT(QUESTS_RESHUFFLED, 1, 23),
                        "Der Ablagestapel (Abenteuer) wird gemischt und wird zum Stapel (23 "
                        "Karten).");
    evening_close(&evening);
}

/* An enum of another machine may be any number. */
static void nonsense_is_said_without_harm(void **unused)
{
    (void) unused;
    open_evening();
    assert_string_equal(EVENT(QUESTS_DISCARDED, 0, 1, 999, ABSENT, 77, 3), "You discard: ?.");
    EVENT(QUESTS_QUEST_ENDED, ABSENT, 1, 0);
    assert_string_equal(EVENT(QUESTS_EVENT_CARD, 1, 99), "Ben draws the event card ?.");
    evening_close(&evening);
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
        assert_lines(24);
        /* A menu of one row shows its choices, of which all are cards. */
        assert_said(words[phase]);
        assert_null(strchr(evening.said, '{'));
        asked |= 1u << phase;
    } while (evening_play(&evening, 1) && match_to_act(evening.playing.match) != 0);
    assert_int_equal(asked, 0x7e);
    menu_clear(&menu);
    evening_close(&evening);
}

/* What the rules say to the last choice of the row of these words, if it stands there to be refused. */
static verdict refused(const char *deed)
{
    for (uint32_t i = 0; i < menu.count; i++) {
        const struct menu_choice *last = &menu.rows[i].choices[menu.rows[i].count - 1];
        if (strncmp(menu.rows[i].deed, deed, strlen(deed)) == 0 &&
            strstr(last->words, "(not now)") != NULL)
            return match_play(evening.playing.match, evening.phrase.seat, &last->command,
                              &evening.playing.room, &evening.playing.act);
    }
    return ACCEPTED;
}

static void a_builder_may_ask_for_what_does_not_fit_and_hears_why(void **unused)
{
    (void) unused;
    bool is_heard[QUESTS_REASONS] = { false };
    open_evening();
    while (evening_play(&evening, 1) && match_to_act(evening.playing.match) != 0) {
        if (fill_menu() != QUESTS_ASKS_BUILD)
            continue;
        is_heard[refused("Stage ")] = true;
        is_heard[refused("Lay a card into stage ")] = true;
    }
    assert_true(is_heard[QUESTS_STAGE_EMPTY]);
    assert_true(is_heard[QUESTS_SECOND_FOE] || is_heard[QUESTS_REPEATED_IN_STAGE]);
    assert_false(is_heard[QUESTS_BAD_COMMAND] || is_heard[QUESTS_WRONG_PHASE] ||
                 is_heard[QUESTS_NO_SUCH_CARD]);
    menu_clear(&menu);
    evening_close(&evening);
}

static void it_is_said_how_many_cards_must_still_go(void **unused)
{
    (void) unused;
    open_evening();
    while (fill_menu() != QUESTS_ASKS_DISCARD)
        assert_true(evening_play(&evening, 1));
    const Arbiter__Quests__View *view = quests_seen(&evening.phrase);
    uint32_t                     left = view->players[view->pending->player]->hand_count - 12;
    char                         row[64], head[64];
    (void) snprintf(row, sizeof row, "Discard a card (%" PRIu32 " to go)", left);
    (void) snprintf(head, sizeof head, "You: discard %" PRIu32 " card", left);
    assert_said(row);
    evening_draw(&evening, 80, 24);
    assert_said(head);
    menu_clear(&menu);
    evening_close(&evening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_of_an_evening_fits),
        cmocka_unit_test(stages_are_their_sponsors_until_they_are_resolved),
        cmocka_unit_test(what_holds_no_card_yet_says_so),
        cmocka_unit_test(events_name_players_and_cards),
        cmocka_unit_test(nonsense_is_said_without_harm),
        cmocka_unit_test(a_menu_has_words_for_every_question),
        cmocka_unit_test(a_builder_may_ask_for_what_does_not_fit_and_hears_why),
        cmocka_unit_test(it_is_said_how_many_cards_must_still_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
