/* treasure_conform_test.c: the scenarios that came with the rules agree, and one that is changed does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "games/treasure/treasure_conform.h"

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
        cmocka_unit_test(a_changed_expectation_is_noticed),
        cmocka_unit_test(what_is_no_scenario_is_noticed),
        cmocka_unit_test(a_file_that_holds_none_is_no_scenario_file),
        cmocka_unit_test(a_file_that_is_not_there_is_no_scenario_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
