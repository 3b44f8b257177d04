/* objectron_test.c: every recorded scenario, and that a false one is found out. Also what the
 * recordings do not tell: faults by name, whole event lists, and games played at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/objectron/conform/objectron_conform.h"

#define RECORDED ARBITER_SOURCE "/common/games/objectron/recorded/"
#define OPEN "\"        2\",\"         \",\"         \",\"         \",\"1        \""

static void every_recorded_scenario_agrees(void **unused)
{
    uint32_t good, bad;
    (void) unused;
    assert_true(objectron_conform(RECORDED "scenarios.jsonl", stderr, &good, &bad));
    assert_int_equal(bad, 0);
    assert_int_equal(good, 193);
}

/* What the rules' text shows and no recording does. */
static void scenarios_of_our_own_agree(void **unused)
{
    uint32_t good, bad;
    (void) unused;
    assert_true(objectron_conform(RECORDED "ours.jsonl", stderr, &good, &bad));
    assert_int_equal(bad, 0);
    assert_int_equal(good, 11);
}

static void golden_set_ups_agree_to_the_bit(void **unused)
{
    uint32_t good, bad;
    (void) unused;
    assert_true(objectron_conform(RECORDED "golden_setups.jsonl", stderr, &good, &bad));
    assert_int_equal(bad, 0);
    assert_int_equal(good, 2);
}

/* Plays a file of one line; how many disagreed, or -1 if it is none of ours. */
static int play_text(const char *text)
{
    char     path[] = "objectron-XXXXXX";
    uint32_t good, bad;
    int      file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t) strlen(text));
    (void) close(file);
    FILE *said = tmpfile();
    bool  ours = objectron_conform(path, said, &good, &bad);
    (void) fclose(said);
    (void) unlink(path);
    if (ours)
        assert_int_equal(good + bad, 1);
    return ours ? (int) bad : -1;
}

#define SCENE(rest)                                                                                \
    "{\"name\":\"x\",\"config\":{\"mode\":\"race\",\"players\":2,\"power_failure_bp\":0},"         \
    "\"grid\":[" OPEN "],\"placements\":[]," rest "}\n"

static void a_false_scenario_is_found_out(void **unused)
{
    (void) unused;
    assert_int_equal(play_text("{\"name\":\"x\"}\n"), -1);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"turn\":1}]")), 0);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"turn\":2}]")), 1);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"item\":7,\"exists\":true}]")), 1);
    assert_int_equal(
        play_text(SCENE("\"commands\":[{\"player\":1,\"cmd\":\"move\",\"dir\":\"N\"}]")), 0);
    assert_int_equal(
        play_text(SCENE("\"commands\":[{\"player\":2,\"cmd\":\"move\",\"dir\":\"N\"}]")), 1);
    assert_int_equal(play_text(SCENE("\"commands\":[{\"player\":1,\"cmd\":\"move\",\"dir\":\"N\","
                                     "\"error\":\"WALL\"}]")),
                     1);
    assert_int_equal(play_text(SCENE("\"commands\":[{\"player\":1,\"cmd\":\"move\",\"dir\":\"N\","
                                     "\"events\":[{\"ev\":\"turn_ended\"}]}]")),
                     1);
    assert_int_equal(play_text(SCENE("\"setup_error\":\"GRID_EMPTY\"")), 1);
}

/* Whoever is named in a fact may be nobody, and squares may be nowhere: then it does not hold. */
static void a_fact_of_nobody_does_not_hold(void **unused)
{
    static const char *const facts[] = {
        "{\"player\":0,\"alive\":false}",
        "{\"player\":3,\"alive\":false}",
        "{\"player\":-1000000,\"alive\":false}",
        "{\"player\":4294967297,\"alive\":true}",
        "{\"player\":\"x\",\"inventory\":[]}",
        "{\"dark\":[2147483647,2147483647],\"val\":false}",
        "{\"dark\":[9,0],\"val\":false}",
        "{\"legal_moves\":3,\"dirs\":[]}",
        "7",
    };
    (void) unused;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char scene[512];
        (void) snprintf(scene, sizeof scene, SCENE("\"facts\":[%s]"), facts[i]);
        assert_int_equal(play_text(scene), 1);
    }
    assert_int_equal(play_text(SCENE("\"facts\":[{\"player\":2,\"alive\":true}]")), 0);
}

/* Or a slip of the pen would agree with everything. */
static void a_line_that_asks_nothing_is_no_scenario(void **unused)
{
    static const char *const rests[] = {
        "\"factsx\":[{\"turn\":2}]",
        "\"commands\":[],\"facts\":[]",
        "\"facts\":{\"turn\":2}",
        "\"setup_error\":7",
        "\"generate\":{\"seeds\":[1,2],\"check\":[]}",
        "\"generate\":{\"seeds\":[1,2],\"check\":[7]}",
        "\"generate\":{\"seeds\":[1],\"check\":[\"walls\"]}",
        "\"generate\":[\"walls\"]",
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        char scene[512];
        (void) snprintf(scene, sizeof scene, SCENE("%s"), rests[i]);
        assert_int_equal(play_text(scene), -1);
    }
}

#define LAID(failure, dark)                                                                        \
    "{\"name\":\"x\",\"config\":{\"mode\":\"race\",\"players\":2,\"power_failure_bp\":0},"         \
    "\"grid\":[" OPEN "],\"placements\":[],\"power_failures\":[{\"at\":[3,3],\"turns\":1" failure  \
    "}],\"facts\":[{\"dark\":[3,3],\"val\":true},{\"dark\":[0,0],\"val\":false}" dark "]}\n"

/* Without a tertiary there is none, whatever comes first in a list of directions or squares. */
static void a_failure_that_is_laid_spreads_as_it_says_and_no_further(void **unused)
{
    (void) unused;
    assert_int_equal(play_text(LAID("", ",{\"dark\":[3,2],\"val\":false}")), 0);
    assert_int_equal(
        play_text(LAID(",\"spread\":{\"dir\":\"N\"}",
                       ",{\"dark\":[3,2],\"val\":true},{\"dark\":[2,1],\"val\":false},"
                       "{\"dark\":[3,1],\"val\":false},{\"dark\":[4,1],\"val\":false}")),
        0);
    assert_int_equal(play_text(LAID(",\"spread\":{\"dir\":\"N\",\"tertiary\":\"N\"}",
                                    ",{\"dark\":[3,1],\"val\":true}")),
                     0);
    assert_int_equal(play_text(LAID("},{\"at\":[8,2],\"turns\":1,"
                                    "\"spread\":{\"dir\":\"E\",\"tertiary\":\"E\"}",
                                    ",{\"dark\":[8,2],\"val\":true}")),
                     0);
}

/* Fields that a command does not know are no part of it, whatever they are called. */
static void a_field_that_no_command_knows_is_ignored(void **unused)
{
    (void) unused;
    assert_int_equal(play_text(SCENE("\"commands\":[{\"player\":1,\"cmd\":\"move\",\"dir\":\"N\","
                                     "\"item\":7,\"speed\":\"12345678901234567890\"}]")),
                     0);
}

#define SEEDED(seed, said)                                                                         \
    "{\"name\":\"x\",\"config\":{\"mode\":\"race\",\"players\":2,\"seed\":" seed                   \
    "},\"grid\":[\"1  2\"],"                                                                       \
    "\"placements\":[],\"commands\":[{\"player\":1,\"cmd\":\"resign\",\"events\":["                \
    "{\"ev\":\"game_over\",\"winner\":2,\"seed\":" said "}]}]}\n"

/* A seed has 64 bits, written as a number or as its digits. */
static void the_end_of_a_game_with_open_dice_repeats_their_seed(void **unused)
{
    (void) unused;
    assert_int_equal(play_text(SEEDED("7", "7")), 0);
    assert_int_equal(play_text(SEEDED("\"7\"", "7")), 0);
    assert_int_equal(play_text(SEEDED("7", "8")), 1);
    assert_int_equal(play_text(SEEDED("18446744073709551615", "\"18446744073709551615\"")), 0);
    assert_int_equal(play_text(SEEDED("18446744073709551614", "18446744073709551615")), 1);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"turn\":-1234567890123456789}]")), 1);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"turn\":1.1234567890123456789}]")), 1);
    assert_int_equal(play_text(SCENE("\"facts\":[{\"turn\":1234567890123456789.5}]")), 1);
}

/* A table of this config, with this scenario's players and failures. */
static void open_table(struct objectron_table *table, const char *config, const char *scenario)
{
    json_t *with = json_loads(config, 0, NULL), *scene = json_loads(scenario, 0, NULL);
    assert_non_null(with);
    assert_non_null(scene);
    assert_true(objectron_table_open(table, with, scene));
    objectron_table_start(table, 1);
    json_decref(with);
    json_decref(scene);
}

/* The names of the events of a command, one behind the other. */
static void say(struct objectron_table *table, const char *command, char *names, size_t size)
{
    json_t     *line = json_loads(command, 0, NULL), *said = NULL, *event;
    size_t      index, used = 0;
    const char *error = objectron_table_hear(table, line, &said);
    used += (size_t) snprintf(names, size, "%s", error ? error : "");
    json_array_foreach(said, index, event) used +=
        (size_t) snprintf(names + used, size - used, "%s%s", used ? " " : "",
                          json_string_value(json_object_get(event, "ev")));
    json_decref(said);
    json_decref(line);
}

#define PLAIN "{\"mode\":\"race\",\"players\":2,\"power_failure_bp\":0,\"grid\":[" OPEN "],"

static void a_move_onto_a_grenade_in_the_dark_tells_all_in_order(void **unused)
{
    struct objectron_table table;
    char                   names[1024];
    (void) unused;
    open_table(&table,
               PLAIN "\"placements\":[{\"id\":1,\"kind\":\"light_grenade\",\"at\":[4,1],\"state\":"
                     "\"active\"},{\"id\":2,\"kind\":\"teleporter\",\"at\":[4,1],\"dest\":3},"
                     "{\"id\":3,\"kind\":\"teleporter\",\"at\":[7,3],\"dest\":2}]}",
               "{\"power_failures\":[{\"at\":[4,1],\"turns\":3},{\"at\":[7,3],\"turns\":3}],"
               "\"players\":{\"1\":{\"at\":[4,2]}}}");
    say(&table, "{\"player\":1,\"cmd\":\"move\",\"dir\":\"N\"}", names, sizeof names);
    assert_string_equal(names, "action_spent player_moved trail_changed grenade_exploded penalty "
                               "player_teleported turn_cut turn_ended turn_started");
    assert_int_equal(table.state->player[0].pending, 1);
    objectron_table_close(&table);
}

static void what_lies_active_is_in_no_view_and_in_no_list(void **unused)
{
    struct objectron_table table;
    uint8_t               *mask;
    (void) unused;
    open_table(&table,
               PLAIN "\"placements\":[{\"id\":1,\"kind\":\"light_grenade\",\"at\":[4,1],\"state\":"
                     "\"active\"},{\"id\":2,\"kind\":\"identity_disc\",\"at\":[5,1]}]}",
               "{}");
    json_t *view = objectron_table_view(&table);
    assert_int_equal(json_array_size(json_object_get(view, "items")), 1);
    json_decref(view);
    mask = calloc(1, table.bounds.state_bytes);
    game_objectron.hidden(table.setup, table.state, 0, mask);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < table.bounds.state_bytes; i++)
        marked += mask[i] == 0xff;
    assert_int_equal(marked, 4);
    free(mask);
    objectron_table_close(&table);
}

/* The code of a set-up's first fault, or "". */
static void judge(const char *config, const char *code)
{
    struct objectron_table table;
    json_t                *with = json_loads(config, 0, NULL);
    assert_non_null(with);
    bool opened = objectron_table_open(&table, with, NULL);
    assert_string_equal(table.fault, code);
    assert_int_equal(opened, code[0] == '\0');
    objectron_table_close(&table);
    json_decref(with);
}

#define SIZED(more) "{\"mode\":\"ctf\",\"players\":2,\"width\":10,\"height\":10" more "}"

static void faults_of_a_set_up_have_their_codes(void **unused)
{
    (void) unused;
    judge(SIZED(""), "");
    judge(SIZED(",\"seed\":\"18446744073709551615\""), "");
    judge(SIZED(",\"seed\":\"18446744073709551616\""), "INVALID_CONFIG");
    judge(SIZED(",\"seed\":-1"), "INVALID_CONFIG");
    judge(SIZED(",\"seed\":1e20"), "INVALID_CONFIG");
    judge(SIZED(",\"colour\":1"), "INVALID_CONFIG");
    judge(SIZED(",\"grid\":[\"1 2\"]"), "INVALID_CONFIG");
    judge(SIZED(",\"wall_percent\":1"), "INVALID_CONFIG");
    judge("{\"mode\":\"ctf\",\"players\":5,\"width\":10,\"height\":10}", "INVALID_PLAYER_COUNT");
    judge("{\"mode\":\"ctf\",\"players\":1,\"width\":10,\"height\":10}", "INVALID_PLAYER_COUNT");
    judge("{\"mode\":\"ctf\",\"players\":2,\"grid\":\"1 \\r\\n*2\"}", "");
    judge("{\"mode\":\"ctf\",\"players\":2,\"grid\":\"1 \\t2\"}", "GRID_INVALID_CHARACTER");
    judge("{\"mode\":\"ctf\",\"players\":2,\"grid\":\"1   \"}", "GRID_TOO_FEW_STARTS");
    judge("{\"mode\":\"ctf\",\"players\":2,\"grid\":7}", "INVALID_CONFIG");
    judge(PLAIN "\"placements\":[{\"id\":1,\"kind\":\"flag\",\"at\":[1,1],\"in\":2,\"owner\":1}]}",
          "PLACEMENT_INVALID");
    judge(PLAIN "\"placements\":[{\"id\":1,\"kind\":\"identity_disc\",\"in\":2},"
                "{\"id\":1,\"kind\":\"identity_disc\",\"in\":1}]}",
          "PLACEMENT_INVALID");
    judge(PLAIN "\"placements\":[{\"id\":1,\"kind\":\"flag\",\"in\":1,\"owner\":1}]}",
          "PLACEMENT_INVALID");
}

static void a_resignation_out_of_turn_ends_no_turn(void **unused)
{
    struct objectron_table table;
    char                   names[256];
    (void) unused;
    open_table(&table,
               "{\"mode\":\"ctf\",\"players\":3,\"power_failure_bp\":0,\"grid\":[\"1  2  3\"],"
               "\"placements\":[]}",
               "{}");
    say(&table, "{\"player\":3,\"cmd\":\"resign\"}", names, sizeof names);
    assert_string_equal(names, "player_eliminated");
    say(&table, "{\"player\":3,\"cmd\":\"resign\"}", names, sizeof names);
    assert_string_equal(names, "NOT_IN_GAME");
    say(&table, "{\"player\":1,\"cmd\":\"resign\"}", names, sizeof names);
    assert_string_equal(names, "player_eliminated game_over");
    say(&table, "{\"player\":2,\"cmd\":\"resign\"}", names, sizeof names);
    assert_string_equal(names, "GAME_OVER");
    objectron_table_close(&table);
}

/* The k-th command that is listed, but resignations, which would end every game at once. */
static bool pick(const struct objectron_table *table, struct legal *list, struct command *command)
{
    game_objectron.legal(table->setup, table->state, (uint32_t) table->state->current, list);
    uint64_t count = legal_count(list);
    uint32_t turn = (uint32_t) (table->state->turn * 7 + table->state->left);
    for (uint64_t k = 0; k < count; k++) {
        legal_pick(list, (turn * 2654435761u % 1000 + k) % count, command);
        if (command->kind != OBJECTRON_RESIGN && command->kind != OBJECTRON_END_TURN)
            return true;
    }
    return false;
}

static void play_on(struct objectron_table *table, uint32_t commands)
{
    struct play    play = { table->setup, table->state, &table->dice, &table->out };
    struct legal   list = { .patterns_max = table->bounds.legal_patterns,
                            .values_max = table->bounds.legal_values };
    struct command command;
    list.pattern = calloc(list.patterns_max, sizeof *list.pattern);
    list.value = calloc(list.values_max, sizeof *list.value);
    for (uint32_t i = 0; i < commands && !table->state->over; i++) {
        uint32_t seat = (uint32_t) table->state->current;
        table->out.used = 0;
        if (pick(table, &list, &command))
            assert_int_equal(game_objectron.apply(&play, seat, &command), ACCEPTED);
        else
            assert_true(game_objectron.expire(&play, 1u << seat));
        const char *broken = game_objectron.check(table->setup, table->state);
        if (broken != NULL)
            fail_msg("%s", broken);
    }
    free(list.pattern);
    free(list.value);
}

static void long_games_break_no_invariant(void **unused)
{
    (void) unused;
    for (int seed = 1; seed <= 60; seed++) {
        struct objectron_table table;
        json_t                *config =
            json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "mode", seed % 2 ? "race" : "ctf",
                      "players", seed % 2 ? 2 : 2 + seed % 3, "width", 10 + seed % 5, "height", 12,
                      "power_failure_bp", seed % 4 * 150, "generator_percent", 15);
        assert_true(objectron_table_open(&table, config, NULL));
        objectron_table_start(&table, (uint64_t) seed);
        play_on(&table, 400);
        objectron_table_close(&table);
        json_decref(config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_scenario_agrees),
        cmocka_unit_test(scenarios_of_our_own_agree),
        cmocka_unit_test(golden_set_ups_agree_to_the_bit),
        cmocka_unit_test(a_false_scenario_is_found_out),
        cmocka_unit_test(a_fact_of_nobody_does_not_hold),
        cmocka_unit_test(a_line_that_asks_nothing_is_no_scenario),
        cmocka_unit_test(a_failure_that_is_laid_spreads_as_it_says_and_no_further),
        cmocka_unit_test(a_field_that_no_command_knows_is_ignored),
        cmocka_unit_test(the_end_of_a_game_with_open_dice_repeats_their_seed),
        cmocka_unit_test(a_move_onto_a_grenade_in_the_dark_tells_all_in_order),
        cmocka_unit_test(what_lies_active_is_in_no_view_and_in_no_list),
        cmocka_unit_test(faults_of_a_set_up_have_their_codes),
        cmocka_unit_test(a_resignation_out_of_turn_ends_no_turn),
        cmocka_unit_test(long_games_break_no_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
