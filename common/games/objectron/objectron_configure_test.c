/* objectron_configure_test.c: every fault of a set-up and of a table's options is said where it is. */
#include "base/value.h"
#include "games/objectron/objectron_stage_test.h"
#include "wire/arena.h"
#include "wire/json.h"

struct collected {
    struct faults faults; /* First: `report` is handed its address. */
    char          said[4096];
};

static void collect(struct faults *faults, const struct value *at, const char *key,
                    const char *what)
{
    struct collected *collected = (void *) faults;
    size_t            used = strlen(collected->said);
    struct text       place;
    text_clear(&place);
    value_place(&place, at);
    (void) snprintf(collected->said + used, sizeof collected->said - used, "%s%s%s: %s\n",
                    place.bytes, key ? "/" : "", key ? key : "", what);
}

static const struct value *read(const char *text, struct arena *arena, void *memory,
                                struct faults *faults)
{
    arena_init(arena, memory, JSON_VALUE_BYTES(strlen(text)));
    return json_value(text, strlen(text), arena, faults);
}

/* Configures a set-up; what is said of it, a line each. Good until the next one. */
static const char *said_of(const char *config, const char *options)
{
    static char             memory[2][1 << 17];
    static struct collected collected;
    struct arena            arena[2];
    collected = (struct collected){ { 0, collect }, "" };
    size_t bytes = game_objectron.configure(
        config ? read(config, &arena[0], memory[0], &collected.faults) : NULL,
        options ? read(options, &arena[1], memory[1], &collected.faults) : NULL, NULL, 0,
        &collected.faults);
    assert_int_equal(bytes == 0, collected.said[0] != '\0');
    return collected.said;
}

/* `words` must be in what is said, or nothing is if it is "". */
static void says_of(const char *config, const char *options, const char *words)
{
    const char *said = said_of(config, options);
    if (strstr(said, words) == NULL || (words[0] == '\0' && said[0] != '\0'))
        fail_msg("expected \"%s\" in \"%s\"", words, said);
}

/* Nothing else is said. */
static void says_only(const char *config, const char *options, const char *lines)
{
    assert_string_equal(said_of(config, options), lines);
}

#define RACE(more) "{\"mode\":\"race\",\"players\":2," more "}"
#define SIZED RACE("\"width\":10,\"height\":10")
#define DRAWN(more) RACE("\"grid\":[\"1    2\",\"  #   \"]," more)
#define PLACED(items) DRAWN("\"placements\":[" items "]")
#define CARRIED(id) "{\"id\":" #id ",\"kind\":\"identity_disc\",\"in\":1}"

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

#define CTF(players, more) "{\"mode\":\"ctf\",\"players\":" players "," more "}"
#define GRID(rows) CTF("2", "\"grid\":[" rows "]")

/* Of a grid with several faults the first in the rules' order is told, and of each kind the first in the grid. */
static void a_grid_has_one_fault_at_a_time(void **unused)
{
    static const char *const rows[][2] = {
        { GRID("\"1::2\",\" ?  \""),
          "/grid: GRID_INVALID_CHARACTER: neither blank, *, # nor 1 to 9 in line 1, column 2\n" },
        { GRID("\"1    0\",\"1 x  2\""),
          "/grid: GRID_INVALID_CHARACTER: neither blank, *, # nor 1 to 9 in line 1, column 6\n" },
        { GRID("\"***\",\"*\""), "/grid: GRID_EMPTY: has no square but holes\n" },
        { GRID("\"1#121\""), "/grid: GRID_DUPLICATE_START: start 1 occurs so often: 3\n" },
        { GRID("\"22#11\""), "/grid: GRID_DUPLICATE_START: start 2 occurs so often: 2\n" },
        { GRID("\"1#3\""), "/grid: GRID_START_GAP: there are starts up to 3, but only 2\n" },
        { GRID("\"9\""), "/grid: GRID_START_GAP: there are starts up to 9, but only 1\n" },
        { GRID("\"1# \""), "/grid: GRID_TOO_FEW_STARTS: has 1 starts, must have at least 2\n" },
        { GRID("\" # \""), "/grid: GRID_TOO_FEW_STARTS: has 0 starts, must have at least 2\n" },
        { GRID("\"12#3# 4\""),
          "/grid: GRID_NO_PATH_BETWEEN_STARTS: no way leads from start 1 to start 3\n" },
        { GRID("\"12#   # \""), "/grid: GRID_UNREACHABLE_SQUARES: of the free squares, 4 cannot "
                                "be reached from start 1\n" },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        says_only(rows[i][0], NULL, rows[i][1]);
}

/* A way goes from a square to the eight around it, and no further, not over walls nor round the border. */
static void a_row_of_walls_cuts_a_grid_in_two(void **unused)
{
    static const char *const grids[] = {
        "\"12  \",\"####\",\"    \"", "\"    \",\"####\",\"12  \"", "\"1#  \",\"2#  \"",
        "\"  #1\",\"  #2\"",          "\"12# \",\"  # \",\"  # \"", "\"   #1\",\" ###2\"",
    };
    static const int cut_off[] = { 4, 4, 4, 4, 3, 4 };
    (void) unused;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        char config[128], said[128];
        (void) snprintf(config, sizeof config, GRID("%s"), grids[i]);
        (void) snprintf(
            said, sizeof said,
            "/grid: GRID_UNREACHABLE_SQUARES: of the free squares, %d cannot be reached "
            "from start 1\n",
            cut_off[i]);
        says_only(config, NULL, said);
    }
    says_only(GRID("\"1#\",\"#2\""), NULL, "");
    says_only(GRID("\"#1\",\"2#\""), NULL, "");
    says_only(GRID("\"2 \",\"# \",\"1#\""), NULL, "");
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

static void a_grid_may_be_as_large_as_the_rules_say_and_no_larger(void **unused)
{
    static char text[11000];
    (void) unused;
    for (uint32_t side = 99; side <= 101; side++) {
        size_t used = (size_t) snprintf(text, sizeof text,
                                        "{\"mode\":\"race\",\"players\":2,"
                                        "\"power_failure_bp\":0,\"grid\":[");
        for (uint32_t y = 0; y < side; y++)
            used += (size_t) snprintf(text + used, sizeof text - used, "%s\"%s%*s\"", y ? "," : "",
                                      y ? "" : "12", (int) (y ? 100 : 98), "");
        (void) snprintf(text + used, sizeof text - used, "]}");
        says_of(text, NULL, side > 100 ? "GRID_TOO_LARGE" : "");
    }
    (void) snprintf(text, sizeof text, RACE("\"grid\":[\"12%99s\"]"), "");
    says_of(text, NULL, "GRID_TOO_LARGE");
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

static void placements_are_judged_one_by_one(void **unused)
{
    (void) unused;
    says_of(PLACED(""), NULL, "");
    says_of(RACE("\"width\":10,\"height\":10,\"placements\":[]"), NULL, "");
    says_of(RACE("\"width\":10,\"height\":10,\"placements\":[{}]"), NULL, "needs a grid");
    says_of(DRAWN("\"placements\":7"), NULL, "must be a list of at most 1000");
    says_of(PLACED("7"), NULL, "PLACEMENT_INVALID: is a whole number, must be an object");
    says_of(PLACED("{\"id\":1}"), NULL, "kind: PLACEMENT_INVALID: is missing");
    says_of(PLACED("{\"id\":1,\"kind\":\"bomb\",\"at\":[1,0]}"), NULL,
            "must be one of light_grenade");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":7}"), NULL, "must be a square");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[1]}"), NULL, "must be a square");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[6,0]}"), NULL,
            "PLACEMENT_INVALID: is 6, must be at most 5");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[2,1]}"), NULL,
            "PLACEMENT_INVALID: is on no free square");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\"}"), NULL, "must be somewhere");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[5,0]}"), NULL, "player's start");
    says_of(PLACED("{\"id\":1,\"kind\":\"identity_disc\",\"at\":[0,0]}"), NULL, "player's start");
    says_of(PLACED("{\"id\":1000000,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "");
    says_of(PLACED("{\"id\":1000001,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL,
            "at most 1000000");
    says_of(PLACED("{\"id\":\"1\",\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL,
            "is a string, must be");
    says_of(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"in\":1,\"state\":\"active\"}"), NULL,
            "a grenade that is carried is idle");
    says_of(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,0],\"state\":\"new\"}"), NULL,
            "must be one of idle");
    says_of(PLACED("{\"id\":1,\"kind\":\"light_grenade\",\"at\":[1,0],\"by\":3}"), NULL,
            "at most 2");
    says_of(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0]}"), NULL, "dest must be");
    says_of(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":\"1\"}"), NULL,
            "dest must");
    says_of(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":1}"), NULL,
            "dest must");
    says_of(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":2},"
                   "{\"id\":2,\"kind\":\"identity_disc\",\"at\":[2,0]}"),
            NULL, "dest must");
    says_of(PLACED("{\"id\":1,\"kind\":\"teleporter\",\"in\":1,\"dest\":2},"
                   "{\"id\":2,\"kind\":\"teleporter\",\"at\":[2,0],\"dest\":1}"),
            NULL, "dest must");
}

#define SEVEN                                                                                      \
    CARRIED(1)                                                                                     \
    "," CARRIED(2) "," CARRIED(3) "," CARRIED(4) "," CARRIED(5) "," CARRIED(6) "," CARRIED(7)

/* What is in an inventory from the start is as much as it holds, and no more. */
static void an_inventory_holds_what_its_limit_says(void **unused)
{
    (void) unused;
    says_of(DRAWN("\"inventory_limit\":20,\"placements\":[" SEVEN "]"), NULL, "");
    says_of(DRAWN("\"inventory_limit\":7,\"placements\":[" SEVEN "]"), NULL, "");
    says_of(DRAWN("\"inventory_limit\":1,\"placements\":[" CARRIED(1) "]"), NULL, "");
    says_of(PLACED(SEVEN), NULL, "more than he can carry");
    says_of(DRAWN("\"inventory_limit\":21,\"placements\":[" SEVEN "]"), NULL,
            "more than he can carry");
}

#define FLAGS(items)                                                                               \
    "{\"mode\":\"ctf\",\"players\":3,\"inventory_limit\":1,\"grid\":[\"1 2 3 "                     \
    "\"],\"placements\":[" items "]}"

/* A thousand things that are none, and one more. */
static void a_thousand_placements_are_read(void **unused)
{
    char text[4096];
    (void) unused;
    for (uint32_t count = 1000; count <= 1001; count++) {
        size_t used = (size_t) snprintf(text, sizeof text,
                                        "{\"mode\":\"race\",\"players\":2,\"grid\":[\"1    2\"],"
                                        "\"placements\":[7");
        for (uint32_t i = 1; i < count; i++)
            used += (size_t) snprintf(text + used, sizeof text - used, ",7");
        (void) snprintf(text + used, sizeof text - used, "]}");
        says_of(text, NULL, count == 1000 ? "must be an object" : "must be a list of at most 1000");
    }
}

static void flags_have_owners_and_few_carriers(void **unused)
{
    (void) unused;
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":1}"), NULL, "");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0]}"), NULL,
            "owner: PLACEMENT_INVALID: is missing");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":0}"), NULL, "at least 1");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":4}"), NULL, "at most 3");
    says_of(FLAGS("{\"id\":1,\"kind\":\"identity_disc\",\"in\":0}"), NULL, "at least 1");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":3},"
                  "{\"id\":2,\"kind\":\"flag\",\"at\":[3,0],\"owner\":3}"),
            NULL, "its owner has a flag already");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"at\":[1,0],\"owner\":1},"
                  "{\"id\":2,\"kind\":\"flag\",\"at\":[3,0],\"owner\":1}"),
            NULL, "its owner has a flag already");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":1}"), NULL, "nobody carries");
    says_of(FLAGS("{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":2},"
                  "{\"id\":2,\"kind\":\"flag\",\"in\":1,\"owner\":3}"),
            NULL, "that is more than he can carry");
    says_of(FLAGS("{\"id\":901,\"kind\":\"identity_disc\",\"at\":[1,0]}"), NULL, "ids from 901");
}

/* With room for less than it takes, it says how much that is, and writes nothing. */
static void a_set_up_is_compiled_where_there_is_room(void **unused)
{
    static char             memory[1 << 14];
    static _Alignas(8) char block[1 << 14], untouched[1 << 14];
    struct arena            arena;
    struct collected        collected = { { 0, collect }, "" };
    const struct value     *config = read(DRAWN("\"seed\":1"), &arena, memory, &collected.faults);
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

/* A set-up that is good, compiled; for one test after the other. */
static const struct objectron_setup *compiled(const char *config)
{
    static char             memory[1 << 17];
    static _Alignas(8) char setup[1 << 16];
    struct arena            arena;
    struct collected        collected = { { 0, collect }, "" };
    memset(setup, 0, sizeof setup);
    size_t bytes = game_objectron.configure(read(config, &arena, memory, &collected.faults), NULL,
                                            setup, sizeof setup, &collected.faults);
    assert_string_equal(collected.said, "");
    assert_int_equal(bytes, ((const struct objectron_setup *) (const void *) setup)->bytes);
    return (const void *) setup;
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
    setup = compiled(RACE("\"width\":11,\"height\":10,\"seed\":0"));
    assert_int_equal(setup->has_seed, 1);
    assert_true(setup->seed == 0);
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

#define LAID(more) "{\"rigged\":true," more "}"

static void only_a_table_for_tests_lays_players_and_failures(void **unused)
{
    (void) unused;
    says_of(DRAWN("\"seed\":1"), "{\"rigged\":true}", "");
    says_of(SIZED, "{\"rigged\":true}", "");
    says_of(DRAWN("\"seed\":1"), "{\"players\":{\"1\":{\"at\":[2,0]}}}",
            "players: is for tables for tests");
    says_of(DRAWN("\"seed\":1"), "{\"rigged\":false,\"power_failures\":[]}",
            "power_failures: is for tables");
    says_of(SIZED, "{\"rigged\":true,\"players\":{\"1\":{\"at\":[2,0]}}}", "needs a grid");
    says_of(DRAWN("\"seed\":1"),
            LAID("\"players\":{\"1\":{\"at\":[5,0],\"trail\":[[4,0,2]],\"pending_actions\":100,"
                 "\"skip_turns\":100,\"captured\":[2]},\"2\":{\"at\":[0,0]}},"
                 "\"power_failures\":[{\"at\":[2,1],\"turns\":3,\"spread\":{\"dir\":\"N\","
                 "\"rotation\":\"ccw\","
                 "\"tertiary\":null}}]"),
            "");
}

static void what_is_laid_where_it_cannot_lie_is_refused(void **unused)
{
    static const char *const wrong[][2] = {
        { "\"players\":[]", "is a list, must be an object" },
        { "\"players\":{\"3\":{}}", "is no player's number" },
        { "\"players\":{\"10\":{}}", "is no player's number" },
        { "\"players\":{\"1\":{\"at\":[2,1]}}", "where somebody may stand" },
        { "\"players\":{\"1\":{\"at\":[6,0]}}", "is 6, must be" },
        { "\"players\":{\"1\":{\"at\":[0,-1]}}", "is -1, must be" },
        { "\"players\":{\"1\":{\"at\":[0]}}", "must be a square" },
        { "\"players\":{\"1\":{\"at\":7}}", "must be a square" },
        { "\"players\":{\"1\":{\"at\":[5,0]}}", "two players on one square" },
        { "\"players\":{\"1\":7}", "must be an object" },
        { "\"players\":{\"1\":{\"trail\":[[1,0,1],[2,0,1],[3,0,1],[4,0,1]]}}",
          "longer than a trail" },
        { "\"players\":{\"1\":{\"trail\":[[1,0,4]]}}", "is 4, must be" },
        { "\"players\":{\"1\":{\"captured\":[3]}}", "is 3, must be" },
        { "\"players\":{\"1\":{\"pending_actions\":101}}", "is 101, must be at most 100" },
        { "\"players\":{\"1\":{\"skip_turns\":101}}", "is 101, must be at most 100" },
        { "\"players\":{\"1\":{\"more\":1}}", "is not a key here" },
        { "\"power_failures\":{}", "must be a list" },
        { "\"power_failures\":[7]", "must be an object" },
        { "\"power_failures\":[{\"at\":[9,9]}]", "is 9, must be" },
        { "\"power_failures\":[{\"at\":[1,1],\"turns\":1001}]", "is 1001, must be at most 1000" },
        { "\"power_failures\":[{\"at\":[1,1],\"spread\":7}]", "must be an object" },
        { "\"power_failures\":[{\"at\":[1,1],\"spread\":{\"dir\":\"up\"}}]", "\"up\"" },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char options[256];
        (void) snprintf(options, sizeof options, "{\"rigged\":true,%s}", wrong[i][0]);
        says_of(DRAWN("\"seed\":1"), options, wrong[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_up_that_is_none_is_refused),
        cmocka_unit_test(a_grid_may_be_as_large_as_the_rules_say_and_no_larger),
        cmocka_unit_test(what_a_table_may_come_to_hold_is_bounded_by_its_options),
        cmocka_unit_test(placements_are_judged_one_by_one),
        cmocka_unit_test(a_grid_has_one_fault_at_a_time),
        cmocka_unit_test(a_row_of_walls_cuts_a_grid_in_two),
        cmocka_unit_test(a_set_up_with_one_fault_is_told_that_one),
        cmocka_unit_test(placements_beside_a_wrong_number_of_players_are_judged_by_the_nearest),
        cmocka_unit_test(what_one_command_may_say_is_bounded),
        cmocka_unit_test(a_set_up_is_compiled_where_there_is_room),
        cmocka_unit_test(a_thousand_placements_are_read),
        cmocka_unit_test(an_inventory_holds_what_its_limit_says),
        cmocka_unit_test(flags_have_owners_and_few_carriers),
        cmocka_unit_test(what_a_set_up_leaves_out_is_as_the_rules_have_it),
        cmocka_unit_test(numbers_of_a_set_up_have_their_bounds),
        cmocka_unit_test(bounds_are_what_a_set_up_comes_to),
        cmocka_unit_test(only_a_table_for_tests_lays_players_and_failures),
        cmocka_unit_test(what_is_laid_where_it_cannot_lie_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
