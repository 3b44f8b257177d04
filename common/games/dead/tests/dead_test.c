/* dead_test.c: the recorded games of the original server, and that a false recording is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/dead/conform/dead_conform.h"

#define RECORDED ARBITER_SOURCE "/common/games/dead/recorded/"

static uint32_t play_folder(const char *folder)
{
    char           path[4096];
    uint32_t       agreed = 0;
    struct dirent *entry;
    DIR           *files = opendir(folder);
    assert_non_null(files);
    while ((entry = readdir(files)) != NULL) {
        uint32_t good, bad;
        if (strstr(entry->d_name, ".jsonl") == NULL)
            continue;
        (void) snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        assert_true(dead_conform(path, stderr, &good, &bad));
        assert_int_equal(bad, 0);
        agreed += good;
    }
    (void) closedir(files);
    return agreed;
}

static void every_recorded_game_of_base_agrees(void **unused)
{
    (void) unused;
    assert_int_equal(play_folder(RECORDED "base"), 166);
}

static void every_recorded_game_of_equipment_agrees(void **unused)
{
    (void) unused;
    assert_int_equal(play_folder(RECORDED "equipment"), 166);
}

static void every_recorded_game_of_crossroads_agrees(void **unused)
{
    (void) unused;
    assert_int_equal(play_folder(RECORDED "crossroads"), 168);
}

#define VALIDITY ARBITER_SOURCE "/common/games/dead/validity/"

static void every_recorded_verdict_on_a_set_up_agrees(void **unused)
{
    (void) unused;
    uint32_t good, bad;
    assert_true(dead_conform(VALIDITY "expected.jsonl", stderr, &good, &bad));
    assert_int_equal(good, 157);
    assert_int_equal(bad, 0);
}

/* Plays a recording of these lines, in a folder of its own, and keeps what was complained about. */
static bool play_text(const char *text, char *complaints, size_t size, uint32_t *bad)
{
    char     folder[] = "false-XXXXXX";
    char     configs[64];
    char     path[64];
    uint32_t good = 0;
    assert_non_null(mkdtemp(folder));
    (void) snprintf(configs, sizeof configs, "%s/configs", folder);
    (void) snprintf(path, sizeof path, "%s/game.jsonl", folder);
    assert_int_equal(symlink(ARBITER_SOURCE "/common/games/dead/configs", configs), 0);
    FILE *recording = fopen(path, "w");
    assert_non_null(recording);
    (void) fputs(text, recording);
    (void) fclose(recording);
    FILE *said = fmemopen(complaints, size, "w");
    assert_non_null(said);
    *bad = 0;
    bool read = dead_conform(path, said, &good, bad);
    (void) fclose(said);
    (void) remove(path);
    (void) remove(configs);
    (void) rmdir(folder);
    assert_true(!read || good + *bad == 1);
    return read;
}

#define HEADER                                                                                     \
    "{\"edition\": \"base\", \"config\": \"solo-base.json\", \"seed\": 1, \"players\": "           \
    "[{\"comm\": 1, \"name\": \"A\"}]}\n"
#define REGISTER "{\"from\": 1, \"cmd\": \"Register\", \"args\": {\"playerName\": \"A\"}}\n"
#define GOT_CONFIG "{\"to\": 1, \"ev\": \"Config\", \"args\": {\"config\": \"@file\"}}\n"

static void expect_complaint(const char *text, const char *complaint)
{
    char     complaints[4096] = "";
    uint32_t bad;
    assert_true(play_text(text, complaints, sizeof complaints, &bad));
    assert_int_equal(bad, 1);
    if (strstr(complaints, complaint) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", complaint, complaints);
}

static void a_wrong_event_is_reported_with_its_line_and_what_came(void **unused)
{
    (void) unused;
    expect_complaint(HEADER REGISTER "{\"to\": 1, \"ev\": \"ActNow\", \"args\": {}}\n",
                     ":3: expected {\"args\":{},\"ev\":\"ActNow\",\"to\":1}, came "
                     "{\"args\":{\"config\":\"@file\"},\"ev\":\"Config\",\"to\":1}");
}

static void a_missing_event_is_reported(void **unused)
{
    (void) unused;
    expect_complaint(HEADER REGISTER GOT_CONFIG "{\"to\": \"all\", \"ev\": \"GameStarted\"}\n",
                     ":4: expected {\"ev\":\"GameStarted\",\"to\":\"all\"}, came "
                     "{\"args\":{},\"ev\":\"GameStarted\"");
    expect_complaint(HEADER "{\"to\": 1, \"ev\": \"ActNow\", \"args\": {}}\n", "came nothing");
}

static void an_event_too_much_is_reported_at_the_next_command_or_the_end(void **unused)
{
    (void) unused;
    expect_complaint(HEADER REGISTER REGISTER, ":3: expected no further event");
    expect_complaint(HEADER REGISTER, ":3: expected no further event");
}

/* What nobody hears anybody could claim. */
static void an_event_that_nobody_hears_is_reported(void **unused)
{
    (void) unused;
    expect_complaint(HEADER "{\"to\": \"all\", \"ev\": \"GameEnd\", \"args\": {\"win\": true}}\n",
                     ":2: expected an event that somebody hears");
}

static void a_failure_must_say_something(void **unused)
{
    (void) unused;
    expect_complaint(HEADER
                     "{\"from\": 1, \"cmd\": \"StartGame\", \"args\": {}}\n"
                     "{\"to\": 1, \"ev\": \"CommandFailed\", \"args\": {\"message\": \"\"}}\n",
                     ":3: expected");
}

static void an_event_in_a_failures_place_is_shown_as_it_came(void **unused)
{
    (void) unused;
    expect_complaint(HEADER REGISTER
                     "{\"to\": 1, \"ev\": \"CommandFailed\", \"args\": {\"message\": \"x\"}}\n",
                     "came {\"args\":{\"config\":\"@file\"},\"ev\":\"Config\",\"to\":1}");
}

/* Its sentence is free, but nothing else about it is. */
static void a_failure_says_nothing_beside_its_sentence(void **unused)
{
    (void) unused;
    static const char *const failures[] = {
        "{\"to\": 1, \"ev\": \"CommandFailed\", \"args\": {\"message\": \"x\", \"more\": 1}}\n",
        "{\"to\": 1, \"ev\": \"CommandFailed\", \"args\": {\"message\": \"x\"}, \"more\": 1}\n",
        "{\"to\": 2, \"ev\": \"CommandFailed\", \"args\": {\"message\": \"x\"}}\n",
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        char text[512];
        (void) snprintf(text, sizeof text, "%s%s%s", HEADER,
                        "{\"from\": 1, \"cmd\": \"StartGame\", \"args\": {}}\n", failures[i]);
        expect_complaint(text, ":3: expected");
    }
}

static void a_player_is_announced_by_the_name_he_registered(void **unused)
{
    (void) unused;
    expect_complaint(
        "{\"edition\": \"base\", \"config\": \"big-base.json\", \"seed\": 1, \"players\": "
        "[{\"comm\": 1, \"name\": \"A\"}]}\n" REGISTER GOT_CONFIG
        "{\"from\": 1, \"cmd\": \"StartGame\", \"args\": {}}\n"
        "{\"to\": \"all\", \"ev\": \"GameStarted\", \"args\": {}}\n"
        "{\"to\": \"all\", \"ev\": \"Player\", \"args\": {\"player\": 0, "
        "\"playerName\": \"B\"}}\n",
        "\"playerName\":\"A\"");
}

static void what_is_no_command_of_the_game_is_reported(void **unused)
{
    (void) unused;
    expect_complaint(HEADER "{\"from\": 1, \"cmd\": \"Dance\", \"args\": {}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": 1, \"cmd\": \"Register\", \"args\": {\"playerName\": 1}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER
                     "{\"from\": 1, \"cmd\": \"Search\", \"args\": {\"characterId\": \"x\"}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": 1, \"cmd\": \"EndTurn\", \"args\": {\"characterId\": 1}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": \"x\", \"cmd\": \"EndTurn\", \"args\": {}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": 1, \"cmd\": \"EndTurn\", \"args\": []}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": -1, \"cmd\": \"EndTurn\", \"args\": {}}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"from\": 1, \"cmd\": \"EndTurn\", \"args\": {}, \"more\": 1}\n",
                     "expected a command of the game");
    expect_complaint(HEADER "{\"nothing\": 1}\n", "expected a command of the game");
    expect_complaint(HEADER "{\"timeout\": false}\n", "expected a command of the game");
    expect_complaint(HEADER "{\"timeout\": true, \"more\": 1}\n", "expected a command of the game");
    expect_complaint(HEADER "not json\n", "expected a line of JSON");
}

static void expect_unreadable(const char *text, const char *complaint)
{
    char     complaints[4096] = "";
    uint32_t bad;
    assert_false(play_text(text, complaints, sizeof complaints, &bad));
    assert_non_null(strstr(complaints, complaint));
}

#define UP8 "../../../../../../../../"

#define GAME_STARTED "{\"to\": \"all\", \"ev\": \"GameStarted\", \"args\": {}}\n"
#define PLAYERS(list)                                                                              \
    "{\"edition\": \"base\", \"config\": \"big-base.json\", \"seed\": 1, \"players\": [" list "]}" \
    "\n"
#define START "{\"from\": 1, \"cmd\": \"StartGame\", \"args\": {}}\n"

/* Who registers, in which order and under which names, stands in the header, too. */
static void players_are_those_of_the_header(void **unused)
{
    (void) unused;
    expect_complaint(PLAYERS("") REGISTER GOT_CONFIG,
                     ":3: by its header registers nobody more, here comm 1 does");
    expect_complaint(PLAYERS("{\"comm\": 2, \"name\": \"A\"}") REGISTER GOT_CONFIG,
                     ":3: by its header registers {\"comm\":2,\"name\":\"A\"}, here comm 1 does");
    expect_complaint(PLAYERS("{\"comm\": 1, \"name\": \"B\"}") REGISTER GOT_CONFIG,
                     ":3: by its header registers {\"comm\":1,\"name\":\"B\"}, here comm 1 does");
    expect_complaint(PLAYERS("{\"comm\": 1, \"name\": \"A\"}, {\"comm\": 2, \"name\": \"B\"}")
                         REGISTER GOT_CONFIG START GAME_STARTED,
                     ":5: by its header 2 players register, here 1 do");
}

/* Behind the last line only. */
static void a_blank_line_ends_a_recording(void **unused)
{
    char     complaints[4096] = "";
    uint32_t bad = 0;
    (void) unused;
    assert_true(play_text(PLAYERS("{\"comm\": 1, \"name\": \"A\"}") REGISTER GOT_CONFIG "\n \r\n",
                          complaints, sizeof complaints, &bad));
    assert_int_equal(bad, 0);
    expect_complaint(HEADER "\n" REGISTER GOT_CONFIG, ":2: expected a line of JSON");
}

#define VERDICT(config, verdict)                                                                   \
    "{\"config\": \"" config "\", \"edition\": \"base\", \"verdict\": \"" verdict "\"}\n"

static void a_verdict_that_is_another_is_reported_with_its_line(void **unused)
{
    (void) unused;
    char     folder[] = "verdicts-XXXXXX", configs[64], path[64];
    char     complaints[4096] = "";
    uint32_t good, bad;
    assert_non_null(mkdtemp(folder));
    (void) snprintf(configs, sizeof configs, "%s/configs", folder);
    (void) snprintf(path, sizeof path, "%s/verdicts.jsonl", folder);
    assert_int_equal(symlink(VALIDITY, configs), 0);
    FILE *said = fmemopen(complaints, sizeof complaints, "w");
    FILE *verdicts = fopen(path, "w");
    assert_non_null(said);
    assert_non_null(verdicts);
    (void) fputs(VERDICT("base-ok-survive-false.json", "valid"), verdicts);
    (void) fputs(VERDICT("base-ok-survive-false.json", "invalid"), verdicts);
    (void) fputs(VERDICT("base-moral-0.json", "valid"), verdicts);
    (void) fputs(VERDICT("base-moral-0.json", "doubtful"), verdicts);
    (void) fputs(VERDICT("absent.json", "invalid"), verdicts);
    (void) fclose(verdicts);
    assert_true(dead_conform(path, said, &good, &bad));
    (void) fclose(said);
    (void) remove(path);
    (void) remove(configs);
    (void) rmdir(folder);
    assert_int_equal(good, 1);
    assert_int_equal(bad, 4);
    assert_non_null(strstr(complaints, ":2: expected that base-ok-survive-false.json is invalid, "
                                       "came that it is valid\n"));
    assert_non_null(strstr(complaints, ":3: expected that base-moral-0.json is valid, came that it "
                                       "is invalid\n"));
    assert_non_null(strstr(complaints, "/goal/moral: is 0, must be at least 1\n"));
    assert_non_null(strstr(complaints, ":4: expected a verdict on a set-up, came none\n"));
    assert_non_null(strstr(complaints, ":5: its config absent.json is not to be found\n"));
}

static void a_file_that_is_no_recording_is_refused_with_the_reason(void **unused)
{
    (void) unused;
    uint32_t good, bad;
    char     complaints[4096] = "";
    FILE    *said = fmemopen(complaints, sizeof complaints, "w");
    assert_non_null(said);
    assert_false(dead_conform(RECORDED "no such file", said, &good, &bad));
    (void) fclose(said);
    assert_non_null(strstr(complaints, "No such file"));
    expect_unreadable("", "no header");
    expect_unreadable("{}\n", "no header");
    expect_unreadable("{\"config\": \"a.json\"}\n", "no header");
    expect_unreadable("{\"config\": \"a.json\", \"edition\": \"base\"}\n", "no header");
    expect_unreadable("{\"config\": \"a.json\", \"edition\": \"base\", \"seed\": 1}\n",
                      "no header");
    expect_unreadable(
        "{\"config\": \"a.json\", \"edition\": \"base\", \"seed\": 1, \"players\": []}\n",
        "is not to be found");
    expect_unreadable("{\"config\": \"" UP8 UP8 UP8 UP8 "dev/zero\", "
                      "\"edition\": \"base\", \"seed\": 1, \"players\": []}\n",
                      "is too long");
    expect_unreadable(
        "{\"config\": \"solo-base.json\", \"edition\": \"other\", \"seed\": 1, \"players\": []}\n",
        "edition");
    expect_unreadable("{\"config\": \"solo-crossroads.json\", \"edition\": \"base\", \"seed\": 1, "
                      "\"players\": []}\n",
                      "/crossroads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_game_of_base_agrees),
        cmocka_unit_test(every_recorded_game_of_equipment_agrees),
        cmocka_unit_test(every_recorded_game_of_crossroads_agrees),
        cmocka_unit_test(every_recorded_verdict_on_a_set_up_agrees),
        cmocka_unit_test(a_verdict_that_is_another_is_reported_with_its_line),
        cmocka_unit_test(players_are_those_of_the_header),
        cmocka_unit_test(a_blank_line_ends_a_recording),
        cmocka_unit_test(a_wrong_event_is_reported_with_its_line_and_what_came),
        cmocka_unit_test(a_missing_event_is_reported),
        cmocka_unit_test(an_event_too_much_is_reported_at_the_next_command_or_the_end),
        cmocka_unit_test(an_event_that_nobody_hears_is_reported),
        cmocka_unit_test(a_failure_must_say_something),
        cmocka_unit_test(an_event_in_a_failures_place_is_shown_as_it_came),
        cmocka_unit_test(a_failure_says_nothing_beside_its_sentence),
        cmocka_unit_test(a_player_is_announced_by_the_name_he_registered),
        cmocka_unit_test(what_is_no_command_of_the_game_is_reported),
        cmocka_unit_test(a_file_that_is_no_recording_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
