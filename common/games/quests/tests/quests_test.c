/* quests_test.c: the scenarios, that a false one is found out, and that bad set-ups are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/quests/conform/quests_conform.h"

#define RECORDED ARBITER_SOURCE "/common/games/quests/recorded/"

static void play_file(const char *path, uint32_t scenarios)
{
    uint32_t agreed, disagreed;
    assert_true(quests_conform(path, stderr, &agreed, &disagreed));
    assert_int_equal(disagreed, 0);
    assert_int_equal(agreed, scenarios);
}

static void every_scenario_agrees(void **unused)
{
    (void) unused;
    play_file(RECORDED "scenarios.jsonl", 73);
}

static void every_bad_set_up_is_refused(void **unused)
{
    (void) unused;
    play_file(RECORDED "bad_configs.jsonl", 17);
}

/* A scenario by its name. */
static json_t *scenario(const char *name)
{
    FILE   *file = fopen(RECORDED "scenarios.jsonl", "r");
    char   *text = NULL;
    size_t  capacity = 0;
    json_t *found = NULL;

    assert_non_null(file);
    while (found == NULL && getline(&text, &capacity, file) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        if (strcmp(json_string_value(json_object_get(line, "name")), name) == 0)
            found = json_incref(line);
        json_decref(line);
    }
    free(text);
    (void) fclose(file);
    assert_non_null(found);
    return found;
}

/* Plays one line in a file of its own; returns whether it could be read. */
static bool play_line(const json_t *line, char *complaints, size_t size, uint32_t *disagreed)
{
    char     path[] = "scenario-XXXXXX";
    int      handle = mkstemp(path);
    FILE    *file = fdopen(handle, "w");
    FILE    *to = fmemopen(complaints, size, "w");
    uint32_t agreed;

    assert_non_null(file);
    assert_int_equal(json_dumpf(line, file, JSON_COMPACT | JSON_ENCODE_ANY), 0);
    (void) fputc('\n', file);
    (void) fclose(file);
    bool read = quests_conform(path, to, &agreed, disagreed);
    (void) fclose(to);
    (void) unlink(path);
    return read;
}

static void disagrees(json_t *line, const char *about)
{
    char     complaints[65536] = "";
    uint32_t disagreed;

    assert_true(play_line(line, complaints, sizeof complaints, &disagreed));
    assert_int_equal(disagreed, 1);
    assert_non_null(strstr(complaints, about));
    assert_non_null(strstr(complaints, ":1: "));
    json_decref(line);
}

static json_t *expected(json_t *line, const char *what)
{
    return json_object_get(json_object_get(line, "expect"), what);
}

static void a_false_scenario_is_found_out(void **unused)
{
    (void) unused;
    json_t *line = scenario("secrecy_views");
    json_object_set_new(json_array_get(expected(line, "events"), 7), "to", json_string("P2"));
    disagrees(line, "event");
    line = scenario("secrecy_views");
    json_array_remove(expected(line, "events"), json_array_size(expected(line, "events")) - 1);
    disagrees(line, "event");
    line = scenario("secrecy_views");
    json_array_append_new(expected(line, "events"), json_object());
    disagrees(line, "event");
    line = scenario("secrecy_views");
    json_t *look = json_object_get(json_array_get(expected(line, "views"), 3), "view");
    json_array_append_new(json_object_get(look, "hand"), json_string("F70"));
    disagrees(line, "view");
    line = scenario("secrecy_views");
    json_object_set_new(expected(line, "final"), "turn", json_integer(9));
    disagrees(line, "final");
    line = scenario("malformed_commands");
    json_object_del(json_array_get(json_object_get(line, "steps"), 0), "error");
    disagrees(line, "error");
    line = scenario("card_counts_seed_5");
    json_object_set_new(json_object_get(expected(line, "distribution"), "events"), "deck",
                        json_object());
    disagrees(line, "distribution");
}

static void what_is_no_scenario_cannot_be_read(void **unused)
{
    char     complaints[4096] = "";
    uint32_t disagreed;

    (void) unused;
    json_t *line = json_pack("{s:s, s:{}}", "name", "nothing", "config");
    assert_false(play_line(line, complaints, sizeof complaints, &disagreed));
    assert_non_null(strstr(complaints, "no scenario"));
    json_decref(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_agrees),
        cmocka_unit_test(every_bad_set_up_is_refused),
        cmocka_unit_test(a_false_scenario_is_found_out),
        cmocka_unit_test(what_is_no_scenario_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
