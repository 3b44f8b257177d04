/* treasure_conform_test.c: the scenarios that came with the rules agree, and one that is changed does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "games/treasure/conform/treasure_conform.h"

#define SCENARIOS ARBITER_SOURCE "/common/games/treasure/recorded/scenarios.jsonl"

static void every_scenario_but_those_of_the_door_agrees(void **unused)
{
    uint32_t agreed, disagreed;
    char    *said = NULL;
    size_t   size;
    FILE    *to = open_memstream(&said, &size);
    (void) unused;
    assert_true(treasure_conform(SCENARIOS, to, &agreed, &disagreed));
    (void) fclose(to);
    if (disagreed > 0)
        fail_msg("%s", said);
    assert_int_equal(agreed, 31 + 2 + 9 + 45 + 11);
    assert_non_null(strstr(said, "43 exchanges of the 2017 door were not played"));
    free(said);
}

/* Plays the scenario of this id with one piece of its text replaced by another. */
static void assert_noticed(const char *id, const char *old, const char *new)
{
    char     path[] = "/tmp/arbiter-treasure-XXXXXX", key[32];
    int      handle = mkstemp(path);
    FILE    *from = fopen(SCENARIOS, "r"), *into = handle >= 0 ? fdopen(handle, "w") : NULL;
    FILE    *nowhere = fopen("/dev/null", "w");
    char    *line = NULL, *at;
    size_t   capacity = 0;
    uint32_t agreed, disagreed;

    assert_true(from != NULL && into != NULL && nowhere != NULL);
    (void) snprintf(key, sizeof key, "\"%s\"", id);
    while (getline(&line, &capacity, from) > 0 && strstr(line, key) == NULL)
        continue;
    at = strstr(line, old);
    if (at == NULL)
        fail_msg("%s does not say %s", id, old);
    (void) fprintf(into, "%.*s%s%s", (int) (at - line), line, new, at + strlen(old));
    (void) fclose(into);
    (void) fclose(from);
    assert_true(treasure_conform(path, nowhere, &agreed, &disagreed));
    (void) fclose(nowhere);
    (void) remove(path);
    free(line);
    assert_int_equal(agreed, 0);
    assert_int_equal(disagreed, 1);
}

/* Plays scenarios of one line each; returns how many agree. */
static uint32_t count_agreed(const char *const *lines, size_t count)
{
    char     path[] = "/tmp/arbiter-treasure-XXXXXX", *said = NULL;
    int      handle = mkstemp(path);
    FILE    *into = handle >= 0 ? fdopen(handle, "w") : NULL;
    size_t   size;
    FILE    *to = open_memstream(&said, &size);
    uint32_t agreed, disagreed;
    assert_true(into != NULL && to != NULL);
    for (size_t i = 0; i < count; i++)
        (void) fprintf(into, "%s\n", lines[i]);
    (void) fclose(into);
    assert_true(treasure_conform(path, to, &agreed, &disagreed));
    (void) fclose(to);
    (void) remove(path);
    if (disagreed > 0)
        fail_msg("%s", said);
    free(said);
    return agreed;
}

#define CLOCK(events, expect)                                                                      \
    "{\"id\":\"T\",\"type\":\"clock\",\"think_ms\":3000,\"events\":[" events                       \
    "],\"expect\":{" expect "}}"

/* What ends a game beside the time: the recorded clocks have none of it. */
static void a_clock_stands_still_at_whatever_ends_the_game(void **unused)
{
    static const char *const lines[] = {
        CLOCK("[\"registered\",1,0],[\"registered\",2,500],[\"half\",2,600,\"invalid\"],"
              "[\"half\",1,700,\"valid\"]",
              "\"result\":\"P1_WIN\",\"reason\":\"BAD_MAP\",\"at\":600"),
        CLOCK("[\"registered\",1,0],[\"half\",1,10,\"invalid\"],[\"registered\",2,500]",
              "\"result\":null"),
        CLOCK("[\"registered\",1,0],[\"registered\",2,500],[\"half\",1,600,\"valid\"],"
              "[\"half\",2,3501,\"valid\"]",
              "\"result\":\"P1_WIN\",\"reason\":\"THINK_TIME\",\"at\":3501"),
        CLOCK("[\"start\",0],[\"act\",1,100],[\"leave\",1,400],[\"act\",2,9000]",
              "\"result\":\"P2_WIN\",\"reason\":\"LEFT\",\"at\":400"),
        CLOCK("[\"start\",0],[\"malformed\",2,250]",
              "\"result\":\"P1_WIN\",\"reason\":\"BAD_MESSAGE\",\"at\":250"),
        /* In time at the door, and the watchdog was there before it. */
        CLOCK("[\"start\",0],[\"act\",1,3000,5500]",
              "\"result\":\"P2_WIN\",\"reason\":\"THINK_TIME\",\"at\":3001"),
        /* An early ask is judged when the turn comes, and its player's clock has not run. */
        CLOCK("[\"start\",0],[\"act\",1,2900,4500],[\"act\",2,3000],[\"act\",1,7500]",
              "\"result\":null"),
        CLOCK("[\"start\",0],[\"act\",1,2900,4500],[\"act\",2,3000],[\"act\",1,7501]",
              "\"result\":\"P2_WIN\",\"reason\":\"THINK_TIME\",\"at\":7501"),
    };
    (void) unused;
    assert_int_equal(count_agreed(lines, sizeof lines / sizeof *lines),
                     sizeof lines / sizeof *lines);
}

#define ONE "0101010101010101010002020103030101010102010303010101010101010101"
#define TWO "0101010101010101010303010202010101030301020101010101010101010001"

/* Whatever section 9 shows a player can be looked at, and the map in the alphabet of the player's
 * dialect. */
static void every_key_of_a_view_can_be_expected(void **unused)
{
    static const char *const lines[] = {
        "{\"id\":\"G\",\"type\":\"game\",\"seed\":0,\"config\":{\"mask_actions\":0},\"halves\":{"
        "\"1\":\"" ONE "\",\"2\":\"" TWO
        "\"},\"steps\":[[1,1,1,1,0,2],[2,6,7,6,7,0]],\"expect\":[{\"after\":1,\"view\":"
        "{\"2\":{\"seat\":2,\"n\":1,\"turn\":2,\"phase\":\"move\",\"width\":8,\"height\":8,\"own_"
        "half\":"
        "{\"x\":0,\"y\":4,\"w\":8,\"h\":4},\"terrain\":[\"GGGGGGGG\",\"GGMMGWWG\",\"GGGMGWWG\","
        "\"GGGGGGGG\","
        "\"GGGGGGGG\",\"GWWGMMGG\",\"GWWGMGGG\",\"GGGGGGGG\"],\"result\":null,\"reason\":null}}},"
        "{\"after\":2,\"view\":{\"1\":{\"turn\":null,\"phase\":\"end\",\"result\":\"P1_WIN\","
        "\"reason\":\"ILLEGAL_STEP\"}}}],\"final\":{\"n\":2}}",
        "{\"id\":\"M\",\"type\":\"merge\",\"seed\":0,\"alphabet\":\"symbolic\",\"halves\":{\"1\":"
        "\"" ONE "\",\"2\":\"" TWO "\"},\"expect\":{\"player_map\":{"
        "\"1\":\"0G0G0G0G0G0G0G0G0GPC0M0M0G0W0W0G0G0G0G0M0G0W0W0G0G0G0G0G0G0G0G0G"
        "0G0G0G0G0G0G0G0G0G0W0W0G0M0M0G0G0G0W0W0G0M0G0G0G0G0G0G0G0G0G0G0G\","
        "\"2\":\"0G0G0G0G0G0G0G0G0G0G0M0M0G0W0W0G0G0G0G0M0G0W0W0G0G0G0G0G0G0G0G0G"
        "0G0G0G0G0G0G0G0G0G0W0W0G0M0M0G0G0G0W0W0G0M0G0G0G0G0G0G0G0G0GPC0G\"}}}",
    };
    (void) unused;
    assert_int_equal(count_agreed(lines, 2), 2);
}

static void a_changed_expectation_is_noticed(void **unused)
{
    (void) unused;
    assert_noticed("H11", "BAD_CODE", "BAD_LENGTH");
    assert_noticed("H18", "\"errors\":[\"CASTLE_NOT_ON_GRASS\"]", "\"errors\":[]");
    assert_noticed("M01", "1T0G", "0G1T");
    assert_noticed("M01", "\"castles\":{\"1\":[1,1]", "\"castles\":{\"1\":[1,2]");
    assert_noticed("G01", "\"pending\":null", "\"pending\":[[1,0],0]");
    assert_noticed("G01", "\"n\":5", "\"n\":6");
    assert_noticed("G01", "\"after\":5", "\"after\":6");
    assert_noticed("G57", "\"RIGHT\"", "\"LEFT\"");
    assert_noticed("G49", "\"enemy_masked\":false", "\"enemy_masked\":true");
    assert_noticed("T03", "\"at\":3001", "\"at\":3002");
    assert_noticed("T02", "3000]]", "3001]]");
}

static void what_is_no_scenario_is_noticed(void **unused)
{
    (void) unused;
    assert_noticed("H11", "\"type\":\"half\"", "\"type\":\"map\"");
    assert_noticed("H16", "castle_missing", "castle_lost");
    assert_noticed("G01", "[1,1,1,1,0,2]", "[1,1,1,1,0]");
    assert_noticed("T02", "\"act\"", "\"sleep\"");
}

static void a_file_that_holds_none_is_no_scenario_file(void **unused)
{
    static const char *const texts[] = { "", "\n\n", "{}\n", "type\n", "\n{\"type\": \"rest\"}\n" };
    static const char *const said[] = { "there is no scenario in it", "there is no scenario in it",
                                        ":1: no scenario", ":1: no scenario", ":1: no scenario" };
    (void) unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char     path[] = "/tmp/arbiter-treasure-XXXXXX", complaints[1024] = "";
        int      handle = mkstemp(path);
        uint32_t agreed, disagreed;
        FILE    *into = handle >= 0 ? fdopen(handle, "w") : NULL;
        FILE    *to = fmemopen(complaints, sizeof complaints, "w");
        assert_true(into != NULL && to != NULL);
        (void) fputs(texts[i], into);
        (void) fclose(into);
        assert_false(treasure_conform(path, to, &agreed, &disagreed));
        (void) fclose(to);
        (void) remove(path);
        if (strstr(complaints, said[i]) == NULL)
            fail_msg("text %zu: \"%s\"", i, complaints);
    }
}

static void a_file_that_is_not_there_is_no_scenario_file(void **unused)
{
    uint32_t agreed, disagreed;
    FILE    *nowhere = fopen("/dev/null", "w");
    (void) unused;
    assert_non_null(nowhere);
    assert_false(treasure_conform(SCENARIOS ".not", nowhere, &agreed, &disagreed));
    (void) fclose(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_but_those_of_the_door_agrees),
        cmocka_unit_test(a_clock_stands_still_at_whatever_ends_the_game),
        cmocka_unit_test(every_key_of_a_view_can_be_expected),
        cmocka_unit_test(a_changed_expectation_is_noticed),
        cmocka_unit_test(what_is_no_scenario_is_noticed),
        cmocka_unit_test(a_file_that_holds_none_is_no_scenario_file),
        cmocka_unit_test(a_file_that_is_not_there_is_no_scenario_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
