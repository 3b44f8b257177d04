/* objectron_laid_test.c: what a table for tests lays into the state, and what it cannot. */
#include "games/objectron/tests/objectron_setup_test.h"

#define LAID(more) "{\"rigged\":true," more "}"

static void only_a_table_for_tests_lays_players_and_failures(void **unused)
{
    (void) unused;
    says_of(DRAWN("\"seed\":1"), "{\"rigged\":true}", "");
    says_of(SIZED, "{\"rigged\":true}", "");
    says_of(DRAWN("\"seed\":1"), "{\"players\":{\"1\":{\"at\":[2,0]}}}",
            "players: is for tables for tests");
    says_one(DRAWN("\"seed\":1"), "{\"players\":{\"1\":{\"at\":[9,0]}}}",
             "players: is for tables for tests");
    says_one(SIZED, LAID("\"power_failures\":[7]"), "power_failures: needs a grid");
    says_one(SIZED, LAID("\"players\":{\"1\":7}"), "players: needs a grid");
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
        { "\"players\":{\"0\":{}}", "is no player's number" },
        { "\"players\":{\"1\":{\"at\":[0,2]}}", "is 2, must be at most 1" },
        { "\"players\":{\"1\":{\"trail\":[[2,1,1]]}}", "where somebody may stand" },
        { "\"players\":{\"1\":{\"trail\":[[1]]}}", "must be a square" },
        { "\"players\":{\"1\":{\"trail\":7}}", "must be a list" },
        { "\"players\":{\"1\":{\"captured\":[0]}}", "is 0, must be at least 1" },
        { "\"players\":{\"1\":{\"pending_actions\":-1}}", "is -1, must be at least 0" },
        { "\"power_failures\":[{\"turns\":1}]", "must be a square" },
        { "\"power_failures\":[{\"at\":[1,1],\"turns\":1,\"x\":1}]", "is not a key here" },
        { "\"power_failures\":[{\"at\":[1,1],\"turns\":1,\"spread\":{\"dir\":\"N\",\"x\":1}}]",
          "is not a key here" },
        { "\"power_failures\":{}", "must be a list" },
        { "\"power_failures\":[7]", "must be an object" },
        { "\"power_failures\":[{\"at\":[9,0]}]", "is 9, must be" },
        { "\"power_failures\":[{\"at\":[1,1],\"turns\":1001}]", "is 1001, must be at most 1000" },
        { "\"power_failures\":[{\"at\":[1,1],\"spread\":7}]", "must be an object" },
        { "\"power_failures\":[{\"at\":[1,1],\"spread\":{\"dir\":\"up\"}}]", "\"up\"" },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char options[256];
        (void) snprintf(options, sizeof options, "{\"rigged\":true,%s}", wrong[i][0]);
        says_one(DRAWN("\"seed\":1"), options, wrong[i][1]);
    }
}

/* A hundred failures can be laid, and not one more. */
static void a_hundred_failures_are_laid(void **unused)
{
    char options[4096];
    (void) unused;
    for (uint32_t count = 100; count <= 101; count++) {
        size_t used = (size_t) snprintf(options, sizeof options,
                                        "{\"rigged\":true,\"power_failures\":[{\"at\":[0,0]}");
        for (uint32_t i = 1; i < count; i++)
            used += (size_t) snprintf(options + used, sizeof options - used, ",{\"at\":[0,0]}");
        (void) snprintf(options + used, sizeof options - used, "]}");
        says_one(DRAWN("\"seed\":1"), options,
                 count == 100 ? "" : "has 101 entries, must have at most 100");
    }
}

/* Who is not mentioned stands at home and owes nothing; who does not play is nowhere. */
static void what_is_not_laid_is_as_ever(void **unused)
{
    const struct objectron_setup *setup =
        compiled_with(CTF("2", "\"grid\":[\"1  3\",\"2   \"]"),
                      LAID("\"players\":{\"1\":{\"at\":[1,1],\"trail\":[[2,0],[3,1,0]],"
                           "\"pending_actions\":0,\"skip_turns\":0,\"captured\":[2]}},"
                           "\"power_failures\":[{\"at\":[0,0],\"turns\":0}]"));
    const struct objectron_laid_player first = { 5, 0, 0, 2, 2, { 2, 7, 0 }, { 1, 0, 0 } };
    const struct objectron_laid_player second = { 4, 0, 0, 0, 0, { 0 }, { 0 } };
    const struct objectron_laid_player nobody = { -1, 0, 0, 0, 0, { 0 }, { 0 } };
    const struct objectron_laid_player none = { 0 };
    (void) unused;
    assert_memory_equal(&setup->laid_player[0], &first, sizeof first);
    assert_memory_equal(&setup->laid_player[1], &second, sizeof second);
    for (uint32_t seat = 2; seat < OBJECTRON_PLAYERS_MAX; seat++)
        assert_memory_equal(&setup->laid_player[seat], &nobody, sizeof nobody);
    assert_memory_equal(&setup->laid_player[OBJECTRON_PLAYERS_MAX], &none, sizeof none);
    assert_int_equal(setup->laid_failures, 1);
}

/* All nine play, one of them on the first square. */
static void nine_players_are_laid_where_they_stand(void **unused)
{
    (void) unused;
    says_one(CTF("9", "\"grid\":[\"123456789\"]"), LAID("\"players\":{}"), "");
    says_one(CTF("9", "\"grid\":[\"123456789\"]"), LAID("\"players\":{\"9\":{\"at\":[0,0]}}"),
             "two players on one square");
    says_one(CTF("9", "\"grid\":[\"123456789\"]"), LAID("\"players\":{\"2\":{\"at\":[0,0]}}"),
             "two players on one square");
}

/* Straight on, or bent to either side; each has the next number. */
static void failures_are_laid_in_order_with_all_their_squares(void **unused)
{
    static const struct {
        int32_t id, primary, secondary, tertiary, dir, rotation;
    } laid[] = {
        { 1, 12, 7, 2, 0, 1 },   { 2, 12, 7, 1, 0, 2 },   { 3, 12, 7, 3, 0, 1 },
        { 4, 12, -1, -1, 0, 0 }, { 5, 12, 11, 15, 6, 1 }, { 6, 1, 0, -1, 6, 1 },
        { 7, 0, -1, -1, 0, 1 },
    };
    struct objectron_table table;
    (void) unused;
    stage(&table,
          "{\"mode\":\"ctf\",\"players\":2,\"power_failure_bp\":0,\"grid\":[\"1    \",\"     \",\" "
          "    \","
          "\"     \",\"    2\"],\"placements\":[]}",
          "{\"power_failures\":["
          "{\"at\":[2,2],\"turns\":3,\"spread\":{\"dir\":\"N\",\"rotation\":\"cw\",\"tertiary\":"
          "\"N\"}},"
          "{\"at\":[2,2],\"turns\":3,\"spread\":{\"dir\":\"N\",\"rotation\":\"ccw\",\"tertiary\":"
          "\"NW\"}},"
          "{\"at\":[2,2],\"turns\":3,\"spread\":{\"dir\":\"N\",\"tertiary\":\"NE\"}},"
          "{\"at\":[2,2],\"turns\":3},"
          "{\"at\":[2,2],\"turns\":3,\"spread\":{\"dir\":\"W\",\"tertiary\":\"SW\"}},"
          "{\"at\":[1,0],\"turns\":3,\"spread\":{\"dir\":\"W\",\"tertiary\":\"W\"}},"
          "{\"at\":[0,0],\"turns\":3,\"spread\":{\"dir\":\"N\",\"tertiary\":\"N\"}}]}",
          1);
    assert_int_equal(table.state->failures, sizeof laid / sizeof *laid);
    for (int32_t i = 0; i < table.state->failures; i++) {
        const struct objectron_failure *failure = &objectron_failures(table.state)[i];
        assert_int_equal(failure->id, laid[i].id);
        assert_int_equal(failure->primary, laid[i].primary);
        assert_int_equal(failure->secondary, laid[i].secondary);
        assert_int_equal(failure->tertiary, laid[i].tertiary);
        assert_int_equal(failure->dir, laid[i].dir);
        assert_int_equal(failure->rotation, laid[i].rotation);
        assert_int_equal(failure->turns, 3);
        assert_int_equal(failure->count, 0);
    }
    objectron_table_close(&table);
}

/* Equal matches are equal bytes: nothing is written to the places of those who do not play. */
static void who_does_not_play_has_no_bytes_in_the_state(void **unused)
{
    static const struct objectron_player nobody;
    struct objectron_table               table;
    (void) unused;
    stage(&table, "{\"mode\":\"ctf\",\"players\":2,\"grid\":[\"1 3 2\"],\"placements\":[]}",
          "{\"players\":{\"1\":{\"at\":[1,0]}}}", 1);
    assert_int_equal(table.state->player[0].at, 1);
    for (uint32_t seat = 2; seat < OBJECTRON_PLAYERS_MAX; seat++)
        assert_memory_equal(&table.state->player[seat], &nobody, sizeof nobody);
    objectron_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_table_for_tests_lays_players_and_failures),
        cmocka_unit_test(what_is_laid_where_it_cannot_lie_is_refused),
        cmocka_unit_test(a_hundred_failures_are_laid),
        cmocka_unit_test(what_is_not_laid_is_as_ever),
        cmocka_unit_test(nine_players_are_laid_where_they_stand),
        cmocka_unit_test(failures_are_laid_in_order_with_all_their_squares),
        cmocka_unit_test(who_does_not_play_has_no_bytes_in_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
