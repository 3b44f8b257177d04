/* objectron_bot_test.c: the bot plays well: single decisions, and races against one who plays at random. */
#include "games/objectron/tests/objectron_stage_test.h"

#define RACES_IN_CHECK 60

static const char race_of_twelve[] = "{\"mode\":\"race\",\"players\":2,\"width\":12,\"height\":12}";

/* The seat that wins a race in which the bot has one seat and chance the other; -1 if nobody does. */
static int32_t race(uint64_t seed, uint32_t bot, uint32_t *commands)
{
    struct objectron_table table;
    struct dice            luck;
    stage(&table, race_of_twelve, "{}", seed);
    dice_splitmix(&luck, ~seed);
    for (*commands = 0; !table.state->over && *commands < 5000; ++*commands) {
        uint32_t       seat = (uint32_t) table.state->current;
        struct command command = seat == bot ? pick_best(&table) : pick_any(&table, &luck);
        struct play    play = staged(&table);
        assert_int_equal(game_objectron.apply(&play, seat, &command), ACCEPTED);
    }
    int32_t winner = table.state->winner;
    objectron_table_close(&table);
    return winner;
}

/* OBJECTRON_RACES asks for more of them. */
static void the_bot_wins_nine_of_ten_races_against_chance(void **unused)
{
    const char *asked = getenv("OBJECTRON_RACES");
    uint32_t    races = asked != NULL ? (uint32_t) strtoul(asked, NULL, 10) : RACES_IN_CHECK;
    uint32_t    won = 0, commands, all = 0;
    (void) unused;
    for (uint32_t i = 0; i < races; i++) {
        won += race(i + 1, i % 2, &commands) == (int32_t) (i % 2);
        all += commands;
    }
    print_message("the bot won %u of %u races, of %u commands on average\n", won, races,
                  all / races);
    assert_true(won * 10 >= races * 9);
}

/* What the bot does in a moment: "move E", "pick_up 7", "use 3 S", "end_turn"; "move": one of them. */
static void decides(const char *config, const char *scenario, const char *wished)
{
    static const char *const dirs[] = { "", "N", "NE", "E", "SE", "S", "SW", "W", "NW" };
    struct objectron_table   table;
    char                     said[64];
    stage(&table, config, scenario, 1);
    struct command best = pick_best(&table);
    const char    *name = game_objectron.commands[best.kind].name;
    if (best.kind == OBJECTRON_MOVE)
        (void) snprintf(said, sizeof said, "%s %s", name, dirs[best.arg[0]]);
    else if (best.kind == OBJECTRON_USE && best.arg[1] != ABSENT)
        (void) snprintf(said, sizeof said, "%s %d %s", name, (int) best.arg[0], dirs[best.arg[1]]);
    else if (best.kind == OBJECTRON_END_TURN)
        (void) snprintf(said, sizeof said, "%s", name);
    else
        (void) snprintf(said, sizeof said, "%s %d", name, (int) best.arg[0]);
    said[strlen(wished) < sizeof said ? strlen(wished) : 0] = '\0';
    assert_string_equal(said, wished);
    objectron_table_close(&table);
}

#define RACE(grid, items)                                                                          \
    "{\"mode\":\"race\",\"players\":2,\"power_failure_bp\":0,\"grid\":[" grid                      \
    "],\"placements\":[" items "]}"
#define CTF(grid, items)                                                                           \
    "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":0,\"grid\":[" grid                       \
    "],\"placements\":[" items "]}"
#define FIRST_AT(at) "{\"players\":{\"1\":{\"at\":" at "}}}"
#define LONG_WAY "\"1     \",\" ####\",\"      \",\"#### \",\"2     \""

static void it_goes_the_shortest_way_around_walls(void **unused)
{
    (void) unused;
    decides(RACE(LONG_WAY, ""), "{}", "move S");
    decides(RACE(LONG_WAY, ""), FIRST_AT("[2,2]"), "move E");
    decides(RACE(LONG_WAY, ""), FIRST_AT("[4,4]"), "move W");
}

#define TELEPORTERS                                                                                \
    "{\"id\":1,\"kind\":\"teleporter\",\"at\":[1,0],\"dest\":2},"                                  \
    "{\"id\":2,\"kind\":\"teleporter\",\"at\":[8,0],\"dest\":1}"
#define CORRIDOR "\"1        2\",\"          \""

static void it_teleports_where_that_is_shorter_but_not_with_a_flag(void **unused)
{
    (void) unused;
    decides(RACE(CORRIDOR, TELEPORTERS), "{}", "move E");
    decides(CTF(CORRIDOR, TELEPORTERS ",{\"id\":3,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
            FIRST_AT("[9,1]"), "move W");
}

static void it_walks_around_squares_without_power(void **unused)
{
    (void) unused;
    decides(RACE("\"1   2\",\"     \"", ""), "{\"power_failures\":[{\"at\":[1,0],\"turns\":3}]}",
            "move SE");
    decides(RACE("\"1   2\",\"     \"", ""), "{\"power_failures\":[{\"at\":[1,1],\"turns\":3}]}",
            "move E");
}

#define FENCE                                                                                      \
    "{\"id\":1,\"kind\":\"force_field_generator\",\"at\":[2,0]},"                                  \
    "{\"id\":2,\"kind\":\"force_field_generator\",\"at\":[2,2]}"

/* With one action left, to stand between two generators is to be held there. */
static void it_does_not_stay_where_a_field_goes_on(void **unused)
{
    struct objectron_table table;
    (void) unused;
    stage(&table, RACE("\"1      2\",\"        \",\"       \"", FENCE),
          "{\"players\":{\"1\":{\"at\":[1,1],\"pending_actions\":3}}}", 1);
    struct command best = pick_best(&table);
    assert_int_equal(best.kind, OBJECTRON_MOVE);
    assert_false(best.arg[0] >= 2 && best.arg[0] <= 4);
    objectron_table_close(&table);
}

#define DISC(where) "{\"id\":7,\"kind\":\"identity_disc\"," where "}"

static void it_picks_up_what_lies_near(void **unused)
{
    (void) unused;
    decides(RACE(CORRIDOR, DISC("\"at\":[1,1]")), FIRST_AT("[1,1]"), "pick_up 7");
    decides(RACE(CORRIDOR, DISC("\"at\":[1,1]")), "{}", "move SE");
    decides(RACE(CORRIDOR, "{\"id\":7,\"kind\":\"force_field_generator\",\"at\":[1,1]}"),
            FIRST_AT("[1,1]"), "move");
}

static void it_shoots_when_it_hits_and_only_then(void **unused)
{
    (void) unused;
    decides(RACE(LONG_WAY, DISC("\"in\":1")), "{\"players\":{\"2\":{\"at\":[3,0]}}}", "use 7 E");
    decides(RACE(LONG_WAY, DISC("\"in\":1")), "{\"players\":{\"2\":{\"at\":[5,0]}}}", "move S");
    decides(RACE(LONG_WAY, "{\"id\":7,\"kind\":\"charged_identity_disc\",\"in\":1}"),
            "{\"players\":{\"2\":{\"at\":[5,0]}}}", "use 7 E");
    decides(CTF(CORRIDOR, TELEPORTERS "," DISC("\"in\":1")), "{}", "use 7 E");
}

static void it_rather_wins_than_shoots(void **unused)
{
    (void) unused;
    decides(RACE(CORRIDOR, DISC("\"in\":1")),
            "{\"players\":{\"1\":{\"at\":[8,0]},\"2\":{\"at\":[6,0]}}}", "move E");
}

#define GRENADE "{\"id\":7,\"kind\":\"light_grenade\",\"in\":1}"

static void it_drops_a_grenade_where_others_come_behind_it(void **unused)
{
    (void) unused;
    decides(RACE("\"1#\",\" #\",\" #\",\" #\",\" #\",\"  \",\"  \",\"  \",\"  \",\" 2\"", GRENADE),
            "{\"players\":{\"1\":{\"at\":[0,4]}}}", "use 7");
    decides(RACE("\"1#\",\" #\",\" #\",\" #\",\" #\",\"  \",\"  \",\"  \",\"  \",\" 2\"", GRENADE),
            "{\"players\":{\"1\":{\"at\":[0,6]},\"2\":{\"at\":[0,4]}}}", "move");
}

/* The last action of a turn; a step into the blind alley would be nearer, and the end. */
static void it_does_not_box_itself_in(void **unused)
{
    (void) unused;
    decides(RACE("\"1    \",\"#### \",\"     \",\"  ###\",\"    2\"", ""),
            "{\"players\":{\"1\":{\"at\":[3,0],\"pending_actions\":3},\"2\":{\"at\":[4,1],"
            "\"trail\":[[3,2,2],[2,2,1]]}}}",
            "move W");
}

static void it_fetches_flags_and_brings_them_home(void **unused)
{
    (void) unused;
    decides(CTF("\"1  2\"", "{\"id\":3,\"kind\":\"flag\",\"at\":[3,0],\"owner\":2}"),
            "{\"players\":{\"1\":{\"at\":[3,0]},\"2\":{\"at\":[0,0]}}}", "pick_up 3");
    decides(CTF("\"1   2\"", "{\"id\":3,\"kind\":\"flag\",\"in\":1,\"owner\":2}"),
            FIRST_AT("[2,0]"), "move W");
    decides(CTF("\"1   2\"", "{\"id\":3,\"kind\":\"flag\",\"at\":[3,0],\"owner\":2}"),
            FIRST_AT("[1,0]"), "move E");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_the_shortest_way_around_walls),
        cmocka_unit_test(it_teleports_where_that_is_shorter_but_not_with_a_flag),
        cmocka_unit_test(it_walks_around_squares_without_power),
        cmocka_unit_test(it_does_not_stay_where_a_field_goes_on),
        cmocka_unit_test(it_picks_up_what_lies_near),
        cmocka_unit_test(it_shoots_when_it_hits_and_only_then),
        cmocka_unit_test(it_rather_wins_than_shoots),
        cmocka_unit_test(it_drops_a_grenade_where_others_come_behind_it),
        cmocka_unit_test(it_does_not_box_itself_in),
        cmocka_unit_test(it_fetches_flags_and_brings_them_home),
        cmocka_unit_test(the_bot_wins_nine_of_ten_races_against_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
