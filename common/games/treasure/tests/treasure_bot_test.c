/* treasure_bot_test.c: the reference bot against itself: how long its matches take, and how they end.
 *
 * The table of section 12 of the rules says what 1,500 matches of each countdown must come to, within
 * 5 %. The short run takes the first of them and allows for luck; ARBITER_GAMES=1500 plays them all. */
#include "games/treasure/tests/treasure_test.h"

#include "dice/kinds.h"

#define SHORT_RUN 100

struct tally {
    uint32_t games, won[TREASURE_SEATS], undecided, by_the_rules, actions;
};

/* Any listed step that is liked: there is exactly one. */
static word liked_step(uint32_t seat)
{
    word liked = 0;
    for (word direction = TREASURE_UP; direction <= TREASURE_TO_RIGHT; direction++) {
        struct command command;
        treasure_bare(&command, TREASURE_STEP);
        command.arg[1] = direction;
        if (game_treasure.judge(table.setup, table.state, seat, &command) == 0)
            continue;
        assert_int_equal(liked, 0);
        liked = direction;
    }
    assert_int_not_equal(liked, 0);
    return liked;
}

static void propose(uint32_t seat, struct dice *dice)
{
    struct command command;
    uint8_t        text[2 * TREASURE_FIELDS_MAX];
    assert_true(
        game_treasure.propose(table.setup, table.state, seat, dice, &command, text, sizeof text));
    assert_int_equal(treasure_table_hear(&table, seat, &command), ACCEPTED);
}

/* Small seeds of java dice resemble each other; these do not. */
static void play_one(const char *leaves, uint64_t seed, struct tally *tally)
{
    struct dice own;
    json_t     *config = json_loads(leaves, 0, NULL);
    dice_splitmix(&own, ~seed);
    assert_true(treasure_table_open(&table, config, seed * UINT64_C(0x9e3779b97f4a7c15), stderr));
    json_decref(config);
    treasure_table_start(&table);
    propose(0, &own);
    propose(1, &own);
    while (table.state->phase == TREASURE_MOVES) {
        uint32_t seat = (uint32_t) table.state->n % 2;
        assert_int_equal(step(seat, liked_step(seat)), ACCEPTED);
    }
    tally->games++;
    tally->won[0] += table.state->result == TREASURE_P1_WIN;
    tally->won[1] += table.state->result == TREASURE_P2_WIN;
    tally->undecided += table.state->reason == TREASURE_ACTION_LIMIT;
    tally->by_the_rules += table.state->reason == TREASURE_CASTLE_TAKEN;
    if (table.state->reason == TREASURE_CASTLE_TAKEN)
        tally->actions += (uint32_t) table.state->n;
    close_table();
}

/* The mean of decided matches is near the expected one, and nobody broke a rule. */
static void meet(const char *leaves, uint32_t mean)
{
    const char  *asked = getenv("ARBITER_GAMES");
    uint32_t     games = asked != NULL ? (uint32_t) strtoul(asked, NULL, 10) : SHORT_RUN;
    uint32_t     per_mille = games >= 1500 ? 50 : 150;
    struct tally tally = { 0 };
    for (uint64_t seed = 1; seed <= games; seed++)
        play_one(leaves, seed, &tally);
    print_message("%u matches: %u, %u, nobody %u; %.1f actions\n", tally.games, tally.won[0],
                  tally.won[1], tally.undecided, (double) tally.actions / tally.by_the_rules);
    assert_int_equal(tally.by_the_rules + tally.undecided, games);
    assert_true(tally.undecided <= games / 25);
    uint32_t found = tally.actions * 1000 / tally.by_the_rules;
    assert_in_range(found, mean * (1000 - per_mille), mean * (1000 + per_mille));
}

static void matches_of_bots_until_zero_are_as_long_as_the_rules_say(void **unused)
{
    (void) unused;
    meet("{}", 97);
}

static void matches_of_bots_with_exact_costs_are_as_long_as_the_rules_say(void **unused)
{
    (void) unused;
    meet("{\"countdown\":\"exact_cost\"}", 73);
}

static void a_running_countdown_is_always_finished(void **unused)
{
    (void) unused;
    open_match("{}");
    for (word direction = TREASURE_UP; direction <= TREASURE_TO_RIGHT; direction++) {
        assert_int_equal(step(0, direction), ACCEPTED);
        if (table.state->phase != TREASURE_MOVES)
            break;
        assert_int_equal(liked_step(0), direction);
        assert_int_equal(step(1, TREASURE_TO_LEFT), ACCEPTED);
    }
    close_table();
}

/* The castle is at (1,1), the treasure is put at (3,1): two steps along the row. */
static void what_is_known_is_gone_for(void **unused)
{
    (void) unused;
    open_match("{}");
    table.state->seat[0].treasure_x = 3;
    table.state->seat[0].treasure_y = 0;
    table.state->seat[0].treasure_seen = 1;
    table.state->seat[0].x = 3;
    assert_int_equal(liked_step(0), TREASURE_UP);
    table.state->seat[0].x = 1;
    table.state->seat[0].y = 0;
    assert_int_equal(liked_step(0), TREASURE_TO_RIGHT);
    table.state->seat[0].treasure = 1;
    table.state->seat[0].castle_seen = 1;
    table.state->seat[0].x = 6;
    table.state->seat[0].y = 6;
    assert_int_equal(liked_step(0), TREASURE_DOWN);
    close_table();
}

static void nothing_but_steps_of_the_awaited_phase_is_liked(void **unused)
{
    struct command command;
    (void) unused;
    open_table("{}");
    treasure_bare(&command, TREASURE_STEP);
    command.arg[1] = TREASURE_UP;
    assert_int_equal(game_treasure.judge(table.setup, table.state, 0, &command), 0);
    close_table();
    open_match("{}");
    assert_int_equal(game_treasure.judge(table.setup, table.state, 2, &command), 0);
    treasure_bare(&command, TREASURE_LEAVE);
    assert_int_equal(game_treasure.judge(table.setup, table.state, 0, &command), 0);
    close_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_of_bots_until_zero_are_as_long_as_the_rules_say),
        cmocka_unit_test(matches_of_bots_with_exact_costs_are_as_long_as_the_rules_say),
        cmocka_unit_test(a_running_countdown_is_always_finished),
        cmocka_unit_test(what_is_known_is_gone_for),
        cmocka_unit_test(nothing_but_steps_of_the_awaited_phase_is_liked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
