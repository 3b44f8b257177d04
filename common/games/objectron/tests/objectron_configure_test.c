/* objectron_configure_test.c: every fault of a set-up and of a table's options is said where it is. */
#include "games/objectron/tests/objectron_setup_test.h"

static void a_set_up_that_is_none_is_refused(void **unused)
{
    (void) unused;
    says_of(NULL, NULL, "is no set-up");
    says_of("[]", NULL, "must be an object");
    says_of("{}", NULL, "mode: is missing");
    says_of(RACE("\"width\":9,\"height\":10"), NULL, "GRID_TOO_SMALL: is 9");
    says_of(RACE("\"width\":10,\"height\":101"), NULL, "GRID_TOO_LARGE: is 101");
    says_of(RACE("\"width\":101,\"height\":9"), NULL,
            "height: GRID_TOO_SMALL: is 9, must be at least 10\n/width: GRID_TOO_LARGE: is 101");
    says_of(RACE("\"width\":3000000000,\"height\":10"), NULL, "GRID_TOO_LARGE: is 3000000000");
    says_of(RACE("\"width\":9"), NULL, "height: is missing");
    says_of(RACE("\"grid\":[\"12\"],\"height\":10"), NULL, "is given beside width and height");
    says_of(RACE("\"grid\":[\"12\",7]"), NULL, "must be a string, or a list of strings");
    says_of(RACE("\"grid\":\"12\\n\\n\""), NULL, "");
    says_of(RACE("\"grid\":\":2\""), NULL, "GRID_INVALID_CHARACTER");
    says_of(RACE("\"grid\":\"::2\""), NULL, "GRID_INVALID_CHARACTER");
    says_of("{\"mode\":\"race\",\"players\":3,\"grid\":\"123\"}", NULL,
            "INVALID_PLAYER_COUNT: is 3");
    says_of("{\"mode\":\"ctf\",\"players\":\"2\",\"grid\":\"12\"}", NULL, "is a string, must be");
    says_of("{\"mode\":\"ctf\",\"players\":5,\"grid\":\"1\"}", NULL, "GRID_TOO_FEW_STARTS");
    says_of(RACE("\"grid\":\"12\",\"seed\":\"\""), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":\"1a\""), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":\":\""), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":\"/\""), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":\"18446744073709551616\""), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":true"), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":-1"), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":18446744073709551616"), NULL, "below 2 to the 64th");
    says_of(RACE("\"grid\":\"12\",\"seed\":-18446744073709551615"), NULL, "below 2 to the 64th");
}

/* What follows from a fault is none. */
static void a_set_up_with_one_fault_is_told_that_one(void **unused)
{
    (void) unused;
    says_only(CTF("2", "\"grid\":\"12\",\"width\":10"), NULL,
              "/grid: is given beside width and height; must be one or the other\n");
    says_only(CTF("2", "\"width\":9,\"height\":10"), NULL,
              "/width: GRID_TOO_SMALL: is 9, must be at least 10\n");
    says_only(CTF("9", "\"grid\":\"1\",\"placements\":[7]"), NULL,
              "/grid: GRID_TOO_FEW_STARTS: has 1 starts, must have at least 2\n");
    says_only(CTF("10", "\"grid\":\"1\""), NULL,
              "/grid: GRID_TOO_FEW_STARTS: has 1 starts, must have at least 2\n"
              "/players: INVALID_PLAYER_COUNT: is 10, must be from 2 to 9\n");
    says_only(CTF("true", "\"grid\":\"12\""), NULL,
              "/players: is true or false, must be a whole number\n");
    says_only(CTF("2", "\"grid\":[\"1 2\"],\"inventory_limit\":0,\"placements\":[" CARRIED(1) "]"),
              NULL, "/inventory_limit: is 0, must be at least 1\n");
    says_only(CTF("2", "\"grid\":[\"1 2\"],\"placements\":\"none\""), NULL,
              "/placements: must be a list of at most 1000 items\n");
    says_only(CTF("4", "\"width\":100,\"height\":100,\"disc_percent\":100"), "{\"failures\":9999}",
              ": may come to 10000 power failures, must come to at most 9999\n");
}

/* Placements are judged by the players there can be: two at least, and no more than there are starts. */
static void placements_beside_a_wrong_number_of_players_are_judged_by_the_nearest(void **unused)
{
    static const char said[] = "/players: INVALID_PLAYER_COUNT: is %d, must be from 2 to 3\n"
                               "/placements/0/in: PLACEMENT_INVALID: is %d, must be at most %d\n";
    char              lines[256];
    (void) unused;
    (void) snprintf(lines, sizeof lines, said, 1, 3, 2);
    says_only(CTF("1", "\"grid\":[\"1 2 3\"],\"placements\":[{\"id\":1,"
                       "\"kind\":\"identity_disc\",\"in\":3}]"),
              NULL, lines);
    (void) snprintf(lines, sizeof lines, said, 4, 4, 3);
    says_only(CTF("4", "\"grid\":[\"1 2 3\"],\"placements\":[{\"id\":1,"
                       "\"kind\":\"identity_disc\",\"in\":4}]"),
              NULL, lines);
}

static uint32_t words_of(const char *options)
{
    const struct objectron_setup *setup =
        compiled_with(CTF("9", "\"power_failure_bp\":0,\"grid\":\"123456789 \""), options);
    struct bounds bounds;
    game_objectron.bounds(setup, 9, &bounds);
    return bounds.event_words;
}

/* Each turn that is laid to be skipped, and each action to be lost, may let a turn more pass. That
 * is three events of six numbers and their kinds. */
static void what_is_laid_makes_an_act_longer(void **unused)
{
    (void) unused;
    uint32_t ever = words_of(NULL);
    assert_int_equal(words_of("{\"rigged\":true,\"players\":{\"1\":{\"skip_turns\":3}}}"),
                     ever + 63);
    assert_int_equal(words_of("{\"rigged\":true,\"players\":{\"1\":{\"pending_actions\":4}}}"),
                     ever + 84);
    assert_int_equal(words_of("{\"rigged\":true,\"players\":{\"9\":{\"skip_turns\":1,"
                              "\"pending_actions\":1}}}"),
                     ever + 42);
}

/* Of numbers that are as large as one command may say, the discs, failures and inventories make up the most. */
static void what_one_command_may_say_is_bounded(void **unused)
{
#define TALKATIVE(inventory)                                                                       \
    RACE("\"width\":51,\"height\":49,\"disc_percent\":82,\"grenade_percent\":11,"                  \
         "\"teleporter_percent\":0,\"inventory_limit\":" inventory)
    (void) unused;
    says_only(TALKATIVE("17"), NULL, ""); /* Two players: two numbers for each thing they carry. */
    says_only(TALKATIVE("18"), NULL,
              ": may have to tell of 33554434 numbers at once, must be at most 33554432: a smaller "
              "grid, or fewer power failures\n");
}

static void what_a_table_may_come_to_hold_is_bounded_by_its_options(void **unused)
{
    (void) unused;
    says_of(SIZED, "{\"failures\":100,\"fields\":21}", "");
    says_of(SIZED, "{\"failures\":99}", "may come to 100 power failures, must come to at most 99");
    says_of(SIZED, "{\"fields\":20}", "may come to 21 force fields, must come to at most 20");
    says_of(RACE("\"width\":10,\"height\":10,\"power_failure_bp\":0"), "{\"failures\":0}", "");
    /* Of 24 generators each pair at most; of 26 each has 24 squares in reach, and a pair has two ends. */
    says_of(RACE("\"width\":10,\"height\":10,\"generator_percent\":24"), "{\"fields\":275}",
            "may come to 276 force fields");
    says_of(RACE("\"width\":10,\"height\":10,\"generator_percent\":26"), "{\"fields\":311}",
            "may come to 312 force fields");
    says_of(SIZED, "{\"fields\":-1}", "is -1, must be at least 0");
    says_of(SIZED, "{\"walls\":1}", "is not a key here");
    says_of(SIZED, "7", "must be an object");
    says_of("{\"mode\":\"ctf\",\"players\":4,\"width\":100,\"height\":100,\"actions_per_turn\":10,"
            "\"power_failure_bp\":1,\"generator_percent\":100}",
            "{\"fields\":12000}", "force fields");
}

/* With room for less than it takes, it says how much that is, and writes nothing. */
static void a_set_up_is_compiled_where_there_is_room(void **unused)
{
    static char             memory[1 << 14];
    static _Alignas(8) char block[1 << 14], untouched[1 << 14];
    struct arena            arena;
    struct collected        collected = { { 0, collect }, "" };
    const struct value *config = read_setup(DRAWN("\"seed\":1"), &arena, memory, &collected.faults);
    (void) unused;
    size_t bytes = game_objectron.configure(config, NULL, NULL, sizeof block, &collected.faults);
    assert_in_range(bytes, 1, sizeof block);
    assert_int_equal(game_objectron.configure(config, NULL, block, bytes - 1, &collected.faults),
                     bytes);
    assert_memory_equal(block, untouched, sizeof block);
    assert_int_equal(game_objectron.configure(config, NULL, block, bytes, &collected.faults),
                     bytes);
    assert_int_equal(((const struct objectron_setup *) (const void *) block)->bytes, bytes);
}

static void tells_its_seed(const char *config, bool has_one, uint64_t number)
{
    uint64_t seed = 0;
    assert_int_equal(game_objectron.seed(compiled(config), &seed), has_one);
    if (has_one)
        assert_true(seed == number);
}

/* Section 12 of the rules has the numbers. */
static void what_a_set_up_leaves_out_is_as_the_rules_have_it(void **unused)
{
    const struct objectron_setup *setup = compiled(SIZED);
    (void) unused;
    assert_int_equal(setup->mode, OBJECTRON_RACE);
    assert_int_equal(setup->players, 2);
    assert_int_equal(setup->drawn, 1);
    assert_int_equal(setup->squares, 100);
    assert_int_equal(setup->actions, 4);
    assert_int_equal(setup->inventory, 6);
    assert_int_equal(setup->wall_percent, 20);
    assert_int_equal(setup->wall_length, 50);
    assert_int_equal(setup->grenade_percent, 2);
    assert_int_equal(setup->disc_percent, 2);
    assert_int_equal(setup->teleporter_percent, 3);
    assert_int_equal(setup->generator_percent, 7);
    assert_int_equal(setup->charged, 1);
    assert_int_equal(setup->failure_bp, 100);
    assert_int_equal(setup->has_seed, 0);
    setup = compiled(RACE("\"width\":11,\"height\":10,\"seed\":\"18446744073709551615\""));
    assert_int_equal(setup->has_seed, 1);
    assert_true(setup->seed == UINT64_MAX);
    assert_true(compiled(RACE("\"width\":11,\"height\":10,\"seed\":18446744073709551615"))->seed ==
                UINT64_MAX);
    tells_its_seed(SIZED, false, 0);
    tells_its_seed(RACE("\"width\":11,\"height\":10,\"seed\":0"), true, 0);
    tells_its_seed(RACE("\"width\":11,\"height\":10,\"seed\":\"77\""), true, 77);
    setup = compiled(RACE("\"width\":11,\"height\":10"));
    assert_int_equal(setup->home[0], 99); /* Bottom left, top right, top left, bottom right. */
    assert_int_equal(setup->home[1], 10);
    assert_int_equal(setup->home[2], 0);
    assert_int_equal(setup->home[3], 109);
}

static void numbers_of_a_set_up_have_their_bounds(void **unused)
{
    static const struct {
        const char *key;
        int         least, most;
    } rows[] = {
        { "actions_per_turn", 2, 10 },    { "inventory_limit", 1, 20 },
        { "wall_percent", 2, 20 },        { "wall_length_percent", 20, 50 },
        { "grenade_percent", 0, 100 },    { "disc_percent", 0, 100 },
        { "teleporter_percent", 0, 100 }, { "generator_percent", 0, 100 },
        { "power_failure_bp", 0, 10000 },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 4; k++) {
            const int values[] = { rows[i].least - 1, rows[i].least, rows[i].most,
                                   rows[i].most + 1 };
            char      config[256];
            (void) snprintf(config, sizeof config, RACE("\"width\":10,\"height\":10,\"%s\":%d"),
                            rows[i].key, values[k]);
            says_of(config, NULL, k == 0 ? "must be at least" : k == 3 ? "must be at most" : "");
        }
}

/* Its head, and behind it what a table for tests may lay. */
#define SETUP_BYTES (136 + 4 * (2 + OBJECTRON_LAID_MAX * 5 + (OBJECTRON_PLAYERS_MAX + 1) * 11))

/* What the numbers of a set-up come to: each part of a state and of a view by its size. What one command may
 * say is pinned, so that nobody widens or narrows it unknowingly; README.md has the reckoning. */
static void comes_to(const char *config, uint32_t items, uint32_t failures, uint32_t fields,
                     uint32_t letters, uint32_t view_words, uint32_t event_words)
{
    const struct objectron_setup *setup = compiled(config);
    struct bounds                 bounds;
    game_objectron.bounds(setup, (uint32_t) setup->players, &bounds);
    assert_int_equal(setup->failures_most, failures);
    assert_int_equal(setup->fields_most, fields);
    assert_int_equal(bounds.state_bytes, 760 + items * 20 + failures * 20 + fields * 16 + letters);
    uint32_t grid = setup->drawn ? 0 : (letters + 7) / 8 * 8;
    assert_int_equal(setup->bytes, SETUP_BYTES + setup->placements * 32 + (int32_t) grid);
    assert_int_equal(bounds.legal_patterns, 6);
    assert_int_equal(bounds.legal_values, 16 + 2 * items);
    assert_int_equal(bounds.view_words, view_words);
    assert_int_equal(bounds.event_words, event_words);
}

static void bounds_are_what_a_set_up_comes_to(void **unused)
{
    (void) unused;
    assert_int_equal(compiled(RACE("\"grid\":[\"1   \",\"   2\"]"))->bytes, SETUP_BYTES + 8);
    /* 120 squares: 3 grenades, 3 discs, 4 teleporters, 9 generators and 1 charged disc. */
    comes_to(RACE("\"width\":10,\"height\":12"), 20, 120, 36, 120, 2888, 60588);
    /* 110 squares: a grenade and a disc for each player, generators, the charged disc and flags. */
    comes_to("{\"mode\":\"ctf\",\"players\":4,\"width\":11,\"height\":10,\"grenade_percent\":1,"
             "\"disc_percent\":1,\"teleporter_percent\":0,\"generator_percent\":2,"
             "\"inventory_limit\":7,\"power_failure_bp\":0}",
             16, 0, 3, 112, 530, 11325);
    /* Five placed, and the flags of the two players who have none; 13 of 15 letters are squares. */
    comes_to("{\"mode\":\"ctf\",\"players\":3,\"power_failure_bp\":1,\"grid\":[\"1   2\",\"     \","
             "\"3 #**\"],\"placements\":["
             "{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,1]},"
             "{\"id\":2,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":3},"
             "{\"id\":3,\"kind\":\"teleporter\",\"at\":[2,0],\"dest\":2},"
             "{\"id\":4,\"kind\":\"identity_disc\",\"at\":[2,0]},"
             "{\"id\":5,\"kind\":\"flag\",\"at\":[1,1],\"owner\":2}]}",
             7, 13, 21, 16, 903, 20442);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_up_that_is_none_is_refused),
        cmocka_unit_test(a_set_up_with_one_fault_is_told_that_one),
        cmocka_unit_test(placements_beside_a_wrong_number_of_players_are_judged_by_the_nearest),
        cmocka_unit_test(what_one_command_may_say_is_bounded),
        cmocka_unit_test(what_is_laid_makes_an_act_longer),
        cmocka_unit_test(what_a_table_may_come_to_hold_is_bounded_by_its_options),
        cmocka_unit_test(a_set_up_is_compiled_where_there_is_room),
        cmocka_unit_test(what_a_set_up_leaves_out_is_as_the_rules_have_it),
        cmocka_unit_test(numbers_of_a_set_up_have_their_bounds),
        cmocka_unit_test(bounds_are_what_a_set_up_comes_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
