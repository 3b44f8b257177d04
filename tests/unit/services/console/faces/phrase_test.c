/* phrase_test.c: what happens in the dead, and what may be done, in words a person would use. */
#include "services/console/faces/phrase.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/dead/dead.h"
#include "services/console/faces/evening.h"

#define INTRO ARBITER_SOURCE "/configs/dead/intro.json"
#define FATES ARBITER_SOURCE "/configs/dead/hard-crossroads.json"

static struct evening evening;

static int open_intro(void **unused)
{
    (void) unused;
    evening_open(&evening, INTRO, "edition=base", 3);
    return 0;
}

static int close_intro(void **unused)
{
    (void) unused;
    evening_close(&evening);
    return 0;
}

#define EVENT(kind, ...) EVENING_EVENT(&evening, kind, __VA_ARGS__)

static const char *deed(uint32_t kind, word one, word other, word third)
{
    struct command command = { .kind = kind, .arg = { one, other, third, ABSENT, ABSENT, ABSENT } };
    FILE          *out = evening_listen(&evening);
    phrase_deed(&evening.phrase, out, &command);
    fputs(" | ", out);
    phrase_choice(&evening.phrase, out, &command);
    fclose(out);
    return evening.said;
}

static void events_name_people_places_and_cards(void **unused)
{
    (void) unused;
    assert_string_equal(EVENT(DEAD_MOVED, 1, 2, 0), "Aurelio Finck goes to Moll’s Bakery");
    assert_string_equal(EVENT(DEAD_MOVED, 1, 2, 1), "Aurelio Finck drives to Moll’s Bakery");
    assert_string_equal(EVENT(DEAD_CARD_DRAWN, 2, 107), "Chloé draws Provisions +2");
    assert_string_equal(EVENT(DEAD_ZOMBIE_SPAWNED, 1, 0),
                        "Zombies come: Spa Hotel Evergreen, entrance 1");
    assert_string_equal(EVENT(DEAD_CRISIS, 2),
                        "Crisis: The boiler goes out (3 × Fuel, or else morale −2)");
    assert_string_equal(EVENT(DEAD_MORAL_CHANGED, -1, DEAD_MORAL_CHARACTER_DIED),
                        "Morale −1: somebody has died");
    assert_string_equal(EVENT(DEAD_FOOD_CHANGED, 2, DEAD_FOOD_ADDED), "Food +2");
    assert_string_equal(EVENT(DEAD_BITTEN, 5), "Roswitha Hohenfels is bitten and dies");
    assert_string_equal(EVENT(DEAD_BITTEN, ABSENT), "A child is bitten and dies");
    assert_string_equal(EVENT(DEAD_CARD_USED, 122, 1, 0),
                        "Aurelio Finck uses Padlock: somewhere, entrance 1");
    assert_string_equal(EVENT(DEAD_GAME_END, 0), "All is lost");
}

static void the_same_in_german_and_in_ascii(void **unused)
{
    (void) unused;
    evening.phrase.language = GERMAN;
    assert_string_equal(EVENT(DEAD_MOVED, 1, 2, 0), "Aurelio Finck geht nach „Bäckerei Moll“");
    assert_string_equal(EVENT(DEAD_CRISIS, 2),
                        "Krise: Der Kessel geht aus (3 × Treibstoff, sonst Moral −2)");
    evening.phrase.is_ascii = true;
    assert_string_equal(EVENT(DEAD_MOVED, 1, 2, 0), "Aurelio Finck geht nach \"Baeckerei Moll\"");
    assert_string_equal(EVENT(DEAD_CARD_DRAWN, 2, 107), "Chloe zieht Proviant +2");
}

static void whose_turn_it_is_is_said_to_him_as_you(void **unused)
{
    (void) unused;
    evening.phrase.seat = 1;
    assert_string_equal(EVENT(DEAD_ACT_NOW, 1), "It is your turn");
    assert_string_equal(EVENT(DEAD_ACT_NOW, 0), "It is Ada's turn");
    assert_string_equal(EVENT(DEAD_VOTE_NOW, 1), "You are asked for a vote");
    evening.phrase.seat = NOT_SEATED;
    assert_string_equal(EVENT(DEAD_ACT_NOW, 1), "It is Ben's turn");
}

static void rounds_and_waste_count_as_their_edition_counts(void **unused)
{
    (void) unused;
    assert_string_equal(EVENT(DEAD_NEXT_ROUND, 2), "Round 2 begins");
    assert_string_equal(EVENT(DEAD_WASTE_CHANGED, 4), "Waste: 4 cards");
    evening_close(&evening);
    evening_open(&evening, FATES, "edition=crossroads", 4);
    assert_string_equal(EVENT(DEAD_NEXT_ROUND, 2), "A round begins; 2 are left with it");
    assert_string_equal(EVENT(DEAD_NEXT_ROUND, 1), "The last round begins");
    assert_string_equal(EVENT(DEAD_WASTE_CHANGED, 4), "Waste +4");
}

static void dice_and_cards_of_one_player_go_on_in_one_line(void **unused)
{
    (void) unused;
    const word rolled[] = { 0, 5 }, again[] = { 0, 3 }, others[] = { 1, 3 };
    FILE      *out = evening_listen(&evening);
    assert_true(phrase_event(&evening.phrase, out, DEAD_DIE_ROLLED, rolled, 2));
    assert_true(phrase_goes_on(&evening.phrase, out, DEAD_DIE_ROLLED, rolled, again, 2));
    assert_false(phrase_goes_on(&evening.phrase, out, DEAD_DIE_ROLLED, rolled, others, 2));
    assert_false(phrase_goes_on(&evening.phrase, out, DEAD_MOVED, rolled, again, 2));
    fclose(out);
    assert_string_equal(evening.said, "Ada rolls 5, 3");
}

static void deeds_and_what_they_are_done_to(void **unused)
{
    (void) unused;
    evening_look(&evening, 0);
    assert_string_equal(deed(DEAD_END_TURN, ABSENT, ABSENT, ABSENT), "End the turn | ");
    assert_string_equal(deed(DEAD_SELECT_CHARACTERS, 1, 2, ABSENT),
                        "Choose your two survivors | Aurelio Finck and Ottilie Brandl");
    assert_string_equal(deed(DEAD_MOVE, 1, 3, 0), "Aurelio Finck walks to | Gentian Pharmacy");
    assert_string_equal(
        deed(DEAD_MOVE, 1, 3, 1),
        "Aurelio Finck walks to | Gentian Pharmacy, by car: spends a card, no infection");
    assert_string_equal(deed(DEAD_USE_CARD, 101, ABSENT, ABSENT),
                        "Put Provisions +1 into the store | ");
    assert_string_equal(deed(DEAD_USE_CARD, 113, 1, 2),
                        "Aurelio Finck uses Gentian and gauze | for Ottilie Brandl");
    assert_string_equal(deed(DEAD_USE_ABILITY, 3, ABSENT, ABSENT),
                        "Babette Moll uses a skill (brings 2 food) | ");
    assert_string_equal(deed(DEAD_VOTE, 1, ABSENT, ABSENT), "Vote | yes");
}

/* Whatever happens in whole evenings is said, in both languages, without a name that is not known. */
static void every_event_of_an_evening_has_its_sentence(void **unused)
{
    (void) unused;
    evening_close(&evening);
    evening_open(&evening, FATES, "edition=crossroads", 4);
    uint32_t lines = 0;
    do {
        evening.phrase.language = evening.phrase.language == GERMAN ? ENGLISH : GERMAN;
        evening_look(&evening, 0);
        const struct sink *events = evening.playing.act.events;
        for (const word *at = sink_first(events); at != NULL; at = sink_next(events, at)) {
            const char *line =
                evening_event(&evening, event_kind(at), event_fields(at), event_length(at));
            bool is_silent = event_kind(at) == DEAD_PLAYER;
            if (is_silent != (line[0] == '\0') || strstr(line, "somebody ") == line ||
                strstr(line, "jemand ") == line || strchr(line, '{') != NULL)
                fail_msg("kind %u: \"%s\"", event_kind(at), line);
            lines++;
        }
    } while (evening_play(&evening, 1));
    assert_true(lines > 200);
}

static void a_game_without_sentences_is_said_by_reflection(void **unused)
{
    (void) unused;
    struct phrase kept = evening.phrase;
    evening.phrase = (struct phrase){ .wire = registry_find("nim", 0), .setup = NULL };
    assert_string_equal(EVENT(1, 1), "The match begins.");
    assert_string_equal(deed(1, 0, 3, ABSENT), "Take … from heap 1 | Take 3 from heap 1");
    json_t *none = json_object();
    evening.phrase.words = none;
    assert_string_equal(EVENT(1, 1), "started misere yes");
    assert_string_equal(deed(1, 0, 3, ABSENT), "take heap 0 count … | take heap 0 count 3");
    json_decref(none);
    evening.phrase = kept;
}

static void the_language_is_asked_for_or_the_locales(void **unused)
{
    (void) unused;
    assert_int_equal(phrase_language("de"), GERMAN);
    assert_int_equal(phrase_language("en"), ENGLISH);
    setenv("LC_ALL", "", 1);
    unsetenv("LC_MESSAGES");
    unsetenv("LC_CTYPE");
    setenv("LANG", "de_AT.UTF-8", 1);
    assert_int_equal(phrase_language(NULL), GERMAN);
    assert_true(phrase_knows_unicode());
    setenv("LC_ALL", "C", 1);
    assert_int_equal(phrase_language(NULL), ENGLISH);
    assert_false(phrase_knows_unicode());
    unsetenv("LC_ALL");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_intro, close_intro)
    const struct CMUnitTest tests[] = {
        TEST(events_name_people_places_and_cards),
        TEST(the_same_in_german_and_in_ascii),
        TEST(whose_turn_it_is_is_said_to_him_as_you),
        TEST(rounds_and_waste_count_as_their_edition_counts),
        TEST(dice_and_cards_of_one_player_go_on_in_one_line),
        TEST(deeds_and_what_they_are_done_to),
        TEST(every_event_of_an_evening_has_its_sentence),
        TEST(a_game_without_sentences_is_said_by_reflection),
        TEST(the_language_is_asked_for_or_the_locales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
