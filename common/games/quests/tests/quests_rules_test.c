/* quests_rules_test.c: what no scenario says: the sponsor's test, set-ups, and games played at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice/draw.h"
#include "dice/kinds.h"
#include "games/quests/tests/quests_game_test.h"

/* The sponsor's test. */

static bool can_build_above(const char *cards, uint32_t stages, uint32_t above)
{
    uint16_t hand[QUESTS_CARDS] = { 0 };
    char     text[128];
    (void) snprintf(text, sizeof text, "%s", cards);
    for (char *rest, *name = strtok_r(text, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        uint32_t card = 0;
        while (strcmp(quests_card_names[QUESTS_ADVENTURE][card], name) != 0)
            card++;
        hand[card + 1]++;
    }
    return quests_can_build(hand, stages, above, NULL);
}

static bool can_build(const char *cards, uint32_t stages)
{
    return can_build_above(cards, stages, 0);
}

static void equal_foes_need_weapons_that_tell_them_apart(void **unused)
{
    (void) unused;
    assert_false(can_build("F5 F5", 2));
    assert_true(can_build("F5 F5 D5", 2));
    assert_false(can_build("F5 F5 F5 D5 D5", 3));
    assert_true(can_build("F5 F5 F5 D5 S10", 3));
    assert_true(can_build("F5 F10 F15 F20 F70", 5));
    assert_false(can_build("D5 S10 H10 B15 L20 E30 F5", 2));
    assert_false(can_build("F5 F5 F5 S10 H10", 3));
}

/* The strongest stage there is: the strongest foe with one weapon of each kind, 70 and 90. */
static void the_strongest_stage_is_found_and_none_above_it(void **unused)
{
    (void) unused;
    assert_true(can_build_above("F70 S10 H10 B15 L20 E30", 1, 150));
    assert_false(can_build_above("F70 S10 H10 B15 L20 E30", 1, 155));
    assert_true(can_build_above("F70 D5 S10 H10 B15 L20 E30", 1, 155));
    assert_false(can_build_above("F70 D5 S10 H10 B15 L20 E30", 1, 160));
    assert_true(can_build_above("F50 F70 D5 S10 H10 B15 L20 E30 E30", 2, 75));
}

/* What has failed with weak foes left may yet be done with stronger ones left and the same weapons.
 * Here it is 20, 35 and 40, and 15, 20, 35 and 40. */
static void what_failed_with_other_foes_left_is_tried(void **unused)
{
    (void) unused;
    assert_true(can_build_above("F5 F10 F10 F10 S10 E30 E30", 3, 10));
    assert_true(can_build_above("F5 F10 F10 F10 F10 H10 L20 L20", 4, 5));
}

#define HAND 9 /* Few enough to try all ways to lay them. */

/* The values of a set of cards that is a stage, else 0. */
static uint32_t stage_value(const uint32_t cards[HAND], uint32_t set)
{
    uint32_t foes = 0, seen = 0, value = 0;
    for (uint32_t i = 0; i < HAND; i++) {
        if ((set >> i & 1) == 0)
            continue;
        if ((seen >> cards[i] & 1) != 0)
            return 0;
        seen |= 1u << cards[i];
        foes += cards[i] <= QUESTS_FOES;
        value += quests_value[cards[i]];
    }
    return foes == 1 ? value : 0;
}

#define SETS (1u << HAND)

/* Tries every set of the cards left as the next stage; `values` has what each set of the hand is worth. */
static bool tried(const uint32_t values[SETS], uint32_t left, uint32_t stages, uint32_t above)
{
    if (stages == 0)
        return true;
    for (uint32_t set = left; set != 0; set = (set - 1) & left)
        if (values[set] > above && tried(values, left & ~set, stages - 1, values[set]))
            return true;
    return false;
}

/* Few kinds, so that foes are equal and the answer is not just a count of them. */
static void the_sponsors_test_is_what_trying_everything_says(void **unused)
{
    struct dice dice;
    uint32_t    answers[2] = { 0 };

    (void) unused;
    dice_splitmix(&dice, 4);
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t cards[HAND], values[SETS], foes = 1 + draw_below(&dice, 3),
                                            weapons = 1 + draw_below(&dice, 4);
        uint16_t hand[QUESTS_CARDS] = { 0 };
        for (uint32_t i = 0; i < HAND; i++) {
            cards[i] = draw_below(&dice, 2) == 0 ? 1 + draw_below(&dice, foes)
                                                 : QUESTS_FOES + 1 + draw_below(&dice, weapons);
            hand[cards[i]]++;
        }
        uint32_t stages = 2 + draw_below(&dice, 4), above = 5 * draw_below(&dice, 4);
        for (uint32_t set = 0; set < SETS; set++)
            values[set] = stage_value(cards, set);
        bool able = tried(values, SETS - 1, stages, above);
        assert_int_equal(quests_can_build(hand, stages, above, NULL), able);
        answers[able]++;
    }
    assert_true(answers[0] > 300 && answers[1] > 300);
}

/* Twelve cards, few kinds of foes and many weapons: nothing is answered at once, and what failed once must not be
 * tried again. Told in steps, which are the same on every machine, since a table waits for the answer. */
static void the_sponsors_test_takes_few_steps(void **unused)
{
    struct dice dice;
    uint32_t    all = 0, longest = 0;

    (void) unused;
    dice_splitmix(&dice, 12);
    for (uint32_t round = 0; round < 2000; round++) {
        uint16_t hand[QUESTS_CARDS] = { 0 };
        uint32_t foes = 4 + draw_below(&dice, 3), kinds = 1 + round % 3;
        for (uint32_t i = 0; i < QUESTS_HAND; i++)
            hand[i < foes ? 1 + draw_below(&dice, kinds)
                          : QUESTS_FOES + 1 + draw_below(&dice, QUESTS_WEAPONS)]++;
        for (uint32_t stages = 2; stages <= QUESTS_STAGES; stages++) {
            uint32_t steps = quests_build_steps(hand, stages);
            all += steps;
            longest = steps > longest ? steps : longest;
        }
    }
    assert_in_range(all, 1, 22548);
    assert_in_range(longest, 1, 119);
}

static void foes_of_different_kinds_take_no_step(void **unused)
{
    uint16_t hand[QUESTS_CARDS] = { 0 };
    (void) unused;
    for (uint32_t foe = 1; foe < QUESTS_STAGES; foe++)
        hand[foe] = 1;
    hand[QUESTS_FOES] = 1;
    for (uint32_t stages = 2; stages <= QUESTS_STAGES; stages++)
        assert_int_equal(quests_build_steps(hand, stages), 0);
    hand[1] = 0;
    hand[2] = 2;
    assert_int_not_equal(quests_build_steps(hand, QUESTS_STAGES), 0);
}

static void both_decks_have_their_copies(void **unused)
{
    uint32_t foes = 0, weapons = 0, quests = 0, others = 0;

    (void) unused;
    for (uint32_t card = 1; card < QUESTS_CARDS; card++) {
        *(quests_is_foe(card) ? &foes : &weapons) += quests_copies[QUESTS_ADVENTURE][card];
        *(card <= QUESTS_Q5 ? &quests : &others) += quests_copies[QUESTS_EVENT][card];
    }
    assert_int_equal(foes, 50);
    assert_int_equal(weapons, 50);
    assert_int_equal(quests, 12);
    assert_int_equal(others, 5);
}

/* Set-ups. */

static void only_a_table_for_tests_lays_the_cards(void **unused)
{
    static const char *const rigged[] = {
        "{\"hands\": {}}",
        "{\"shields\": {}}",
        "{\"adventure_deck\": []}",
        "{\"adventure_fill\": \"shuffled\"}",
        "{\"adventure_discard\": []}",
        "{\"event_deck\": []}",
        "{\"event_fill\": \"shuffled\"}",
        "{\"event_discard\": []}",
    };
    struct quests_setup setup;

    (void) unused;
    for (size_t i = 0; i < sizeof rigged / sizeof *rigged; i++) {
        assert_int_equal(configure(rigged[i], "{}", &setup), 1);
        assert_non_null(strstr(last_fault, "lays the cards"));
        assert_int_equal(configure(rigged[i], "{\"rigged\": false}", &setup), 1);
        assert_int_equal(configure(rigged[i], "{\"rigged\": true}", &setup), 0);
    }
    assert_int_equal(configure("{\"seed\": 3, \"winning_shields\": 9}", "{}", &setup), 0);
    assert_int_equal(setup.winning_shields, 9);
    assert_int_equal(configure("{}", "{\"loaded\": true}", &setup), 1);
}

static void what_is_wrong_with_rigged_cards_is_told_with_its_numbers(void **unused)
{
    static const char   rigged[] = "{\"rigged\": true}";
    struct quests_setup setup;

    (void) unused;
    assert_int_equal(configure("{\"hands\": {\"P2\": [\"F70\", \"F70\"]}}", rigged, &setup), 1);
    assert_string_equal(last_fault,
                        ": is one more of its kind than the 1 there are in all; leave out 1, "
                        "wherever it lies");
    assert_int_equal(configure("{\"shields\": {\"P5\": 1}}", rigged, &setup), 1);
    assert_int_equal(configure("{\"hands\": {\"P5\": []}}", rigged, &setup), 1);
    assert_int_equal(configure("{\"shields\": {\"P4\": 1000000}}", rigged, &setup), 0);
    assert_int_equal(setup.shields[3], 1000000);
    assert_int_equal(configure("{\"shields\": {\"P4\": 1000001}}", rigged, &setup), 1);
    assert_int_equal(configure("{\"shields\": {\"P4\": -1}}", rigged, &setup), 1);
}

/* All foes lie on top, in any order; the weapons under them are shuffled, and there are enough of both. */
static void what_lies_under_a_deck_is_dealt_too(void **unused)
{
    struct quests_setup setup;
    char                config[1024] = "{\"adventure_deck\": [";
    size_t              used = strlen(config);

    (void) unused;
    for (uint32_t card = 1; card <= QUESTS_FOES; card++)
        for (uint32_t i = 0; i < quests_copies[QUESTS_ADVENTURE][card]; i++)
            used += (size_t) snprintf(config + used, sizeof config - used, "%s\"%s\"",
                                      card + i > 1 ? ", " : "",
                                      quests_card_names[QUESTS_ADVENTURE][card - 1]);
    (void) snprintf(config + used, sizeof config - used, "]}");
    assert_int_equal(configure(config, "{\"rigged\": true}", &setup), 0);
    assert_int_equal(setup.top[QUESTS_ADVENTURE].count, 50);
    assert_int_equal(setup.under[QUESTS_ADVENTURE].count, 50);
}

/* The first `count` cards of the adventure deck, on top, and none under them. */
static uint32_t configure_short(uint32_t count, const char *hands, struct quests_setup *setup)
{
    char   config[2048];
    size_t used = (size_t) snprintf(config, sizeof config,
                                    "{\"adventure_fill\": \"none\", \"hands\": %s, "
                                    "\"adventure_deck\": [",
                                    hands);
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        for (uint32_t i = 0; i < quests_copies[QUESTS_ADVENTURE][card] && count > 0; i++)
            used += (size_t) snprintf(config + used, sizeof config - used, "\"%s\"%s",
                                      quests_card_names[QUESTS_ADVENTURE][card - 1],
                                      --count > 0 ? ", " : "");
    (void) snprintf(config + used, sizeof config - used, "]}");
    return configure(config, "{\"rigged\": true}", setup);
}

/* Twelve to each who is dealt a hand: to all four, or to those whose hands nobody names. */
static void a_deck_has_enough_to_deal(void **unused)
{
    struct quests_setup setup;

    (void) unused;
    assert_int_equal(configure_short(48, "{}", &setup), 0);
    assert_int_equal(configure_short(47, "{}", &setup), 1);
    assert_non_null(strstr(last_fault, "leaves 47 cards in the adventure deck, but there are 48"));
}

static void there_is_an_event_card_somewhere(void **unused)
{
    static const char   rigged[] = "{\"rigged\": true}";
    struct quests_setup setup;

    (void) unused;
    assert_int_equal(configure("{\"event_fill\": \"none\"}", rigged, &setup), 1);
    assert_non_null(strstr(last_fault, "leaves no event card at all"));
    assert_int_equal(
        configure("{\"event_fill\": \"none\", \"event_deck\": [\"Q2\"]}", rigged, &setup), 0);
    assert_int_equal(
        configure("{\"event_fill\": \"none\", \"event_discard\": [\"Q2\"]}", rigged, &setup), 0);
    assert_int_equal(configure("{\"event_fill\": \"none\", \"event_deck\": [\"Q2\"], "
                               "\"event_discard\": [\"Q3\"]}",
                               rigged, &setup),
                     0);
}

/* Whoever asks only how large it will be, or has too little room, is told, and nothing is written. */
static void a_set_up_is_written_where_it_fits(void **unused)
{
    struct faults       faults = { 0, keep_fault };
    struct quests_setup setup;
    uint8_t             memory[1024];
    struct arena        arena;

    (void) unused;
    arena_init(&arena, memory, sizeof memory);
    memset(&setup, 0x5a, sizeof setup);
    const struct value *tree = json_value("{}", 2, &arena, &faults);
    assert_int_equal(game_quests.configure(tree, NULL, NULL, 0, &faults), sizeof setup);
    assert_int_equal(game_quests.configure(tree, NULL, &setup, sizeof setup - 1, &faults),
                     sizeof setup);
    assert_int_equal(setup.hand_limit, 0x5a5a5a5a);
    assert_int_equal(game_quests.configure(tree, NULL, &setup, sizeof setup, &faults),
                     sizeof setup);
    assert_int_equal(setup.hand_limit, QUESTS_HAND);
}

static void a_set_up_names_its_seed_or_none(void **unused)
{
    struct quests_setup setup;
    uint64_t            seed = 0;

    (void) unused;
    assert_int_equal(configure("{\"seed\": -1}", "{}", &setup), 0);
    assert_true(game_quests.seed(&setup, &seed));
    assert_true(seed == UINT64_MAX);
    assert_int_equal(configure("{}", "{}", &setup), 0);
    assert_false(game_quests.seed(&setup, &seed));
}

/* Games at random. */

static void plays_to_the_end(const char *config, uint64_t seed)
{
    struct game_at_hand game;
    struct play         play = begin(&game, config, seed);
    uint32_t            acts = 0;

    for (; game_quests.to_act(&game.setup, &game.state) != 0; acts++) {
        struct command command;
        assert_null(game_quests.check(&game.setup, &game.state));
        game.out.used = 0;
        if (draw_below(&game.luck, 50) == 0) {
            assert_true(game_quests.expire(&play, 0xf));
            continue;
        }
        choose(&game, game.state.asked, &command);
        assert_int_equal(game_quests.apply(&play, game.state.asked, &command), ACCEPTED);
    }
    assert_true(acts > 0 && acts < 200000);
    assert_null(game_quests.check(&game.setup, &game.state));
}

static void random_games_lose_no_card(void **unused)
{
    (void) unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        plays_to_the_end("{}", seed);
        plays_to_the_end("{\"winning_shields\": 9, \"hand_limit\": 9}", seed);
    }
}

static void a_lost_card_is_found(void **unused)
{
    struct game_at_hand game;

    (void) unused;
    (void) begin(&game, "{}", 1);
    assert_null(game_quests.check(&game.setup, &game.state));
    game.state.deck[QUESTS_ADVENTURE].count--;
    assert_non_null(game_quests.check(&game.setup, &game.state));
    game.state.deck[QUESTS_ADVENTURE].count++;
    game.state.hand_count[2]++;
    assert_non_null(game_quests.check(&game.setup, &game.state));
}

/* A pile that reaches behind its end is found by that, whatever it seems to hold there. */
static void a_pile_that_is_too_long_is_found(void **unused)
{
    struct game_at_hand game;
    struct quests_pile *deck = game.state.deck;

    (void) unused;
    (void) begin(&game, "{}", 1);
    deck[QUESTS_ADVENTURE].first = QUESTS_ADVENTURES - 1;
    deck[QUESTS_ADVENTURE].count = 2;
    deck[QUESTS_ADVENTURE].card[QUESTS_ADVENTURES - 1] = 1;
    deck[QUESTS_EVENT].first = 1; /* It lies behind. */
    assert_string_equal(game_quests.check(&game.setup, &game.state),
                        "decks and piles are made of cards");
}

static void nobody_sees_what_lies_in_a_deck(void **unused)
{
    struct game_at_hand  game;
    static unsigned char mask[sizeof game.state];

    (void) unused;
    (void) begin(&game, "{}", 1);
    for (uint32_t viewer = 0; viewer <= QUESTS_SEATS; viewer++) {
        memset(mask, 0, sizeof mask);
        game_quests.hidden(&game.setup, &game.state, viewer, mask);
        for (uint32_t deck = 0; deck < QUESTS_DECKS; deck++)
            for (size_t i = 0; i < sizeof game.state.deck[deck].card; i++)
                assert_int_equal(
                    mask[offsetof(struct quests_state, deck) + deck * sizeof(struct quests_pile) +
                         offsetof(struct quests_pile, card) + i],
                    0xff);
    }
}

static struct command number_command(uint32_t kind, word number)
{
    return (struct command){ kind, 0, NULL, { number, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT } };
}

/* A foe and a weapon of each kind. */
static void the_largest_stage_is_whole(void **unused)
{
    static const char config[] = "{\"event_deck\": [\"Q2\"], \"hands\": {\"P1\": [\"F5\", \"F10\", "
                                 "\"D5\", \"S10\", \"H10\", \"B15\", \"L20\", \"E30\"]}}";
    struct game_at_hand game;
    struct play         play = begin(&game, config, 1);
    struct command      yes = number_command(QUESTS_SPONSOR, 1);
    struct command      foe = number_command(QUESTS_STAGE_ADD, 1);

    (void) unused;
    assert_int_equal(game_quests.apply(&play, 0, &yes), ACCEPTED);
    assert_int_equal(game_quests.apply(&play, 0, &foe), ACCEPTED);
    for (uint32_t card = QUESTS_FOES + 1; card < QUESTS_CARDS; card++) {
        struct command weapon = number_command(QUESTS_STAGE_ADD, card);
        assert_int_equal(game_quests.apply(&play, 0, &weapon), ACCEPTED);
    }
    assert_int_equal(game.state.stage_count[0], QUESTS_STAGE_MAX);
    assert_null(game_quests.check(&game.setup, &game.state));
}

static void adding_and_taking_back_gains_no_time(void **unused)
{
    static const char config[] =
        "{\"event_deck\": [\"Q2\"], \"hands\": {\"P1\": [\"F5\", \"F10\"]}}";
    struct game_at_hand game;
    struct play         play = begin(&game, config, 1);
    struct command      yes = number_command(QUESTS_SPONSOR, 1);
    struct command      add = number_command(QUESTS_STAGE_ADD, 1);
    struct command      clear = number_command(QUESTS_STAGE_CLEAR, ABSENT);

    (void) unused;
    uint64_t offer = game_quests.question(&game.setup, &game.state, 0);
    assert_int_equal(game_quests.apply(&play, 0, &yes), ACCEPTED);
    uint64_t question = game_quests.question(&game.setup, &game.state, 0);
    assert_true(question > offer); /* The same seat's, and another one. */
    assert_int_equal(game_quests.apply(&play, 0, &add), ACCEPTED);
    assert_int_equal(game_quests.apply(&play, 0, &clear), ACCEPTED);
    assert_int_equal(game_quests.question(&game.setup, &game.state, 0), question);
    assert_int_equal(game.state.hand_count[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_foes_need_weapons_that_tell_them_apart),
        cmocka_unit_test(the_strongest_stage_is_found_and_none_above_it),
        cmocka_unit_test(what_failed_with_other_foes_left_is_tried),
        cmocka_unit_test(the_sponsors_test_is_what_trying_everything_says),
        cmocka_unit_test(the_sponsors_test_takes_few_steps),
        cmocka_unit_test(foes_of_different_kinds_take_no_step),
        cmocka_unit_test(both_decks_have_their_copies),
        cmocka_unit_test(only_a_table_for_tests_lays_the_cards),
        cmocka_unit_test(what_lies_under_a_deck_is_dealt_too),
        cmocka_unit_test(what_is_wrong_with_rigged_cards_is_told_with_its_numbers),
        cmocka_unit_test(a_deck_has_enough_to_deal),
        cmocka_unit_test(there_is_an_event_card_somewhere),
        cmocka_unit_test(a_set_up_is_written_where_it_fits),
        cmocka_unit_test(a_pile_that_is_too_long_is_found),
        cmocka_unit_test(nobody_sees_what_lies_in_a_deck),
        cmocka_unit_test(the_largest_stage_is_whole),
        cmocka_unit_test(a_set_up_names_its_seed_or_none),
        cmocka_unit_test(random_games_lose_no_card),
        cmocka_unit_test(a_lost_card_is_found),
        cmocka_unit_test(adding_and_taking_back_gains_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
