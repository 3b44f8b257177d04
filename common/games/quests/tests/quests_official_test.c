/* quests_official_test.c: the four official acceptance scenarios of the course, told as its use cases are.
 *
 * Hands and decks are laid as the course lays them (recorded/scenarios.jsonl); what is said and what comes of
 * it stands here, by hand. Every sentence asserts that the one it is about is the one who is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/quests/conform/quests_table_conform.h"
#include "games/quests/quests_rules.h"

#define RECORDED ARBITER_SOURCE "/common/games/quests/recorded/scenarios.jsonl"

enum player { P1, P2, P3, P4 };

static struct quests_table table;

/* The course's hands and decks. */
static void given(const char *name)
{
    FILE  *file = fopen(RECORDED, "r");
    char  *text = NULL;
    size_t capacity = 0;
    bool   found = false;
    assert_non_null(file);
    while (!found && getline(&text, &capacity, file) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        found = strcmp(json_string_value(json_object_get(line, "name")), name) == 0;
        if (found)
            assert_true(quests_table_open(&table, json_object_get(line, "config")));
        json_decref(line);
    }
    free(text);
    (void) fclose(file);
    assert_true(found);
}

static void end(void)
{
    quests_table_close(&table);
}

static uint32_t card_called(const char *name)
{
    for (uint32_t card = 1; card < QUESTS_CARDS; card++)
        if (strcmp(quests_card_names[QUESTS_ADVENTURE][card - 1], name) == 0)
            return card;
    fail_msg("there is no card %s", name);
    return 0;
}

static void says(enum player player, enum quests_phase asked, uint32_t kind, word argument)
{
    struct play    play = { table.setup, table.state, &table.dice, &table.out };
    struct command command = { .kind = kind };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = i == 0 ? argument : ABSENT;
    assert_int_equal(table.state->asked, player);
    assert_int_equal(table.state->phase, asked);
    table.out.used = 0;
    assert_int_equal(game_quests.apply(&play, player, &command), ACCEPTED);
    assert_null(game_quests.check(table.setup, table.state));
}

/* Names of cards, one by one. */
static void says_cards(enum player player, enum quests_phase asked, uint32_t kind,
                       const char *cards)
{
    char text[128];
    (void) snprintf(text, sizeof text, "%s", cards);
    for (char *rest, *name = strtok_r(text, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        says(player, asked, kind, card_called(name));
}

static void declines(enum player player)
{
    says(player, QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 0);
}

static void sponsors(enum player player)
{
    says(player, QUESTS_ASKS_SPONSOR, QUESTS_SPONSOR, 1);
}

static void builds(enum player player, const char *cards, uint32_t value)
{
    uint32_t stage = table.state->built;
    says_cards(player, QUESTS_ASKS_BUILD, QUESTS_STAGE_ADD, cards);
    assert_int_equal(quests_sum(table.state->stage_card[stage], table.state->stage_count[stage]),
                     value);
    says(player, QUESTS_ASKS_BUILD, QUESTS_STAGE_DONE, ABSENT);
}

static void tackles(enum player player)
{
    uint32_t held = table.state->hand_count[player];
    says(player, QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 1);
    assert_int_equal(table.state->hand_count[player], held + 1);
}

static void withdraws(enum player player)
{
    says(player, QUESTS_ASKS_PARTICIPATE, QUESTS_PARTICIPATE, 0);
}

static void discards(enum player player, const char *cards)
{
    says_cards(player, QUESTS_ASKS_DISCARD, QUESTS_DISCARD, cards);
}

static void attacks(enum player player, const char *cards, uint32_t value)
{
    says_cards(player, QUESTS_ASKS_ATTACK, QUESTS_ATTACK_ADD, cards);
    assert_int_equal(
        quests_sum(table.state->attack_card[player], table.state->attack_count[player]), value);
    says(player, QUESTS_ASKS_ATTACK, QUESTS_ATTACK_DONE, ABSENT);
}

/* What somebody who tackles a stage trims, and what they attack with, worth so much. */
struct attacker {
    enum player player;
    const char *trims, *attack;
    uint32_t    value;
};

/* All of them tackle it first, one after the other, and then attack it. */
static void stage(const struct attacker *attackers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tackles(attackers[i].player);
        discards(attackers[i].player, attackers[i].trims);
    }
    for (size_t i = 0; i < count; i++)
        attacks(attackers[i].player, attackers[i].attack, attackers[i].value);
}

#define STAGE(...)                                                                                 \
    stage((const struct attacker[]){ __VA_ARGS__ },                                                \
          sizeof((const struct attacker[]){ __VA_ARGS__ }) / sizeof(struct attacker))

static void leaves_turn(enum player player)
{
    says(player, QUESTS_ASKS_END_TURN, QUESTS_END_TURN, ABSENT);
}

static void holds(enum player player, const char *cards)
{
    char     came[128] = "";
    uint16_t count = table.state->hand_count[player];
    for (uint32_t position = 1; position <= count; position++) {
        size_t size = strlen(came);
        (void) snprintf(came + size, sizeof came - size, "%s%s", position > 1 ? " " : "",
                        quests_card_names[QUESTS_ADVENTURE]
                                         [quests_at(table.state->hand[player], position) - 1]);
    }
    assert_string_equal(came, cards);
}

static void shields_are(uint32_t p1, uint32_t p2, uint32_t p3, uint32_t p4)
{
    assert_int_equal(table.state->shields[P1], p1);
    assert_int_equal(table.state->shields[P2], p2);
    assert_int_equal(table.state->shields[P3], p3);
    assert_int_equal(table.state->shields[P4], p4);
}

static void is_asked(enum player player, enum quests_phase phase)
{
    assert_int_equal(table.state->asked, player);
    assert_int_equal(table.state->phase, phase);
}

static void win(uint32_t players)
{
    assert_int_equal(table.state->phase, QUESTS_OVER);
    assert_int_equal(table.state->winners, players);
}

/* P1 declines, P2 sponsors. P1 fails at the second stage, P3 at the fourth. */
static void a1_p2_sponsors_four_stages_and_p4_alone_wins_them(void **unused)
{
    (void) unused;
    given("official_A1_scenario");
    declines(P1);
    sponsors(P2);
    builds(P2, "F5 H10", 15);
    builds(P2, "F15 S10", 25);
    builds(P2, "F15 D5 B15", 35);
    builds(P2, "F40 B15", 55);

    STAGE({ P1, "F5", "D5 S10", 15 }, { P3, "F5", "S10 D5", 15 }, { P4, "F5", "D5 H10", 15 });
    STAGE({ P1, "", "H10 S10", 20 }, { P3, "", "B15 S10", 25 }, { P4, "", "H10 B15", 25 });
    STAGE({ P3, "", "L20 H10 S10", 40 }, { P4, "", "B15 S10 L20", 45 });
    STAGE({ P3, "", "B15 H10 L20", 45 }, { P4, "", "D5 S10 L20 E30", 65 });
    discards(P2, "F5 F10 F10 F15");

    holds(P1, "F5 F10 F15 F15 F30 H10 B15 B15 L20");
    holds(P2, "F20 F20 F25 F35 D5 S10 S10 H10 H10 H10 H10 E30");
    holds(P3, "F5 F5 F15 F30 S10");
    holds(P4, "F15 F15 F40 L20");
    shields_are(0, 0, 0, 4);
    is_asked(P1, QUESTS_ASKS_END_TURN);
    end();
}

static void a_quest_of_four_for_p2_and_p4(void)
{
    sponsors(P1);
    builds(P1, "F5", 5);
    builds(P1, "F5 D5", 10);
    builds(P1, "F10 H10", 20);
    builds(P1, "F10 B15", 25);

    STAGE({ P2, "F5", "H10", 10 }, { P3, "F5", "", 0 }, { P4, "F10", "H10", 10 });
    STAGE({ P2, "", "S10", 10 }, { P4, "", "S10", 10 });
    STAGE({ P2, "", "H10 S10", 20 }, { P4, "", "H10 S10", 20 });
    STAGE({ P2, "", "S10 B15", 25 }, { P4, "", "S10 B15", 25 });
    discards(P1, "F5 F10 F15 F15");
}

/* P2 and P4 pass a quest of four stages, where P3 attacks with nothing, and then one of three. */
static void two_players_win_two_quests_and_the_game(void **unused)
{
    (void) unused;
    given("official_2winner_game_2winner_quest");
    a_quest_of_four_for_p2_and_p4();
    leaves_turn(P1);

    declines(P2);
    sponsors(P3);
    builds(P3, "F5", 5);
    builds(P3, "F5 D5", 10);
    builds(P3, "F5 H10", 15);

    withdraws(P1);
    STAGE({ P2, "", "D5", 5 }, { P4, "", "D5", 5 });
    STAGE({ P2, "", "B15", 15 }, { P4, "", "B15", 15 });
    STAGE({ P2, "", "E30", 30 }, { P4, "", "E30", 30 });
    discards(P3, "F20 F25 F30");
    leaves_turn(P2);

    holds(P1, "F15 F15 F20 F20 F20 F20 F25 F25 F30 H10 B15 L20");
    holds(P2, "F10 F15 F15 F25 F30 F40 F50 L20 L20");
    holds(P3, "F20 F40 D5 D5 S10 H10 H10 H10 H10 B15 B15 L20");
    holds(P4, "F15 F15 F20 F25 F30 F50 F70 L20 L20");
    shields_are(0, 7, 0, 7);
    win(1u << P2 | 1u << P4);
    end();
}

static void a_quest_of_four_for_three(void)
{
    sponsors(P1);
    builds(P1, "F5", 5);
    builds(P1, "F10", 10);
    builds(P1, "F15", 15);
    builds(P1, "F20", 20);

    STAGE({ P2, "F5", "S10", 10 }, { P3, "F10", "S10", 10 }, { P4, "F20", "S10", 10 });
    STAGE({ P2, "", "H10", 10 }, { P3, "", "H10", 10 }, { P4, "", "H10", 10 });
    STAGE({ P2, "", "B15", 15 }, { P3, "", "B15", 15 }, { P4, "", "B15", 15 });
    STAGE({ P2, "", "L20", 20 }, { P3, "", "L20", 20 }, { P4, "", "L20", 20 });
    discards(P1, "F5 F5 F10 F10");
}

static void a_quest_of_three_that_p4_fails_at_once(void)
{
    sponsors(P1);
    builds(P1, "F15", 15);
    builds(P1, "F15 D5", 20);
    builds(P1, "F20 D5", 25);

    STAGE({ P2, "F5", "B15", 15 }, { P3, "F10", "B15", 15 }, { P4, "F20", "H10", 10 });
    STAGE({ P2, "", "B15 H10", 25 }, { P3, "", "B15 S10", 25 });
    STAGE({ P2, "", "L20 S10", 30 }, { P3, "", "E30", 30 });
    discards(P1, "F15 F15 F15");
    leaves_turn(P1);
}

/* A quest of four for three winners. Then P2 loses two shields, P3 turns over Prosperity, P4 the
 * Queen. P4 fails at the first stage of the last quest, which P2 and P3 pass. */
static void between_two_quests_come_plague_prosperity_and_the_queen(void **unused)
{
    (void) unused;
    given("official_1winner_game_with_events");
    a_quest_of_four_for_three();
    leaves_turn(P1);
    leaves_turn(P2);
    discards(P1, "F5 F10");
    discards(P2, "F5");
    discards(P3, "F5");
    discards(P4, "F20");
    leaves_turn(P3);
    discards(P4, "F25 F30");
    leaves_turn(P4);

    a_quest_of_three_that_p4_fails_at_once();

    holds(P1, "F25 F25 F35 D5 D5 S10 S10 S10 S10 H10 H10 H10");
    holds(P2, "F15 F25 F30 F40 S10 S10 S10 H10 E30");
    holds(P3, "F10 F25 F30 F40 F50 S10 S10 H10 H10 L20");
    holds(P4, "F25 F25 F30 F50 F70 D5 D5 S10 S10 B15 L20");
    shields_are(0, 5, 7, 4);
    win(1u << P3);
    end();
}

/* The sponsor lays out the whole hand; nobody beats the first stage. */
static void a_quest_that_nobody_wins_gives_no_shields(void **unused)
{
    (void) unused;
    given("official_0_winner_quest");
    sponsors(P1);
    builds(P1, "F50 D5 S10 H10 B15 L20", 110);
    builds(P1, "F70 D5 S10 H10 B15 L20", 130);

    STAGE({ P2, "F5", "E30", 30 }, { P3, "F15", "", 0 }, { P4, "F10", "", 0 });
    discards(P1, "F5 F10");
    leaves_turn(P1);

    holds(P1, "F15 D5 D5 D5 D5 S10 S10 S10 H10 H10 H10 H10");
    holds(P2, "F5 F5 F10 F15 F15 F20 F20 F25 F30 F30 F40");
    holds(P3, "F5 F5 F10 F15 F15 F20 F20 F25 F25 F30 F40 L20");
    holds(P4, "F5 F5 F10 F15 F15 F20 F20 F25 F25 F30 F50 E30");
    shields_are(0, 0, 0, 0);
    is_asked(P2, QUESTS_ASKS_SPONSOR);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a1_p2_sponsors_four_stages_and_p4_alone_wins_them),
        cmocka_unit_test(two_players_win_two_quests_and_the_game),
        cmocka_unit_test(between_two_quests_come_plague_prosperity_and_the_queen),
        cmocka_unit_test(a_quest_that_nobody_wins_gives_no_shields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
