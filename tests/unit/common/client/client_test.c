/* client_test.c: the library over real sockets: a name, a view in words, a match of nim to its end. */
#include "client/client.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/client/client_stage.h"
#include "contract/engine.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "games/nim/nim.h"
#include "games/registry.h"
#include "wire/header.h"

#define TURNS_MAX 3000 /* Of 5 ms: patience for a machine that has other things to do. */

static const uint8_t       match_id[16] = { 1, 2, 3 };
static char                folder[64], key_file[96];
static struct stage       *stage;
static struct client      *client;
static struct client_event event;

static int open_both(void **unused)
{
    (void) unused;
    struct bus_keys keys;
    struct text     fault;
    char            why[200];
    (void) snprintf(folder, sizeof folder, "/tmp/arbiter-client-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(key_file, sizeof key_file, "%s/key", folder);
    bus_keys_make(&keys, "client");
    assert_true(bus_keys_save(&keys, key_file, &fault));
    stage = stage_open(folder);
    stage_admit(stage, keys.public_key);
    struct client_settings settings = { .lobby = stage_requests(stage),
                                        .lobby_stream = stage_stream(stage),
                                        .lobby_key = stage_key(stage),
                                        .key_file = key_file };
    client = client_open(&settings, why, sizeof why);
    if (client == NULL)
        fail_msg("%s", why);
    return 0;
}

static int close_both(void **unused)
{
    (void) unused;
    char path[128];
    client_close(&client);
    assert_null(client);
    stage_close(&stage);
    for (uint32_t i = 0; i < 3; i++) {
        (void) snprintf(path, sizeof path, "%s/%s", folder,
                        i == 0   ? "key"
                        : i == 1 ? "requests"
                                 : "stream");
        (void) unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static void expect(enum client_event_kind kind)
{
    for (uint32_t turn = 0; turn < TURNS_MAX; turn++) {
        stage_serve(stage, 0);
        if (!client_next(client, 5, &event))
            continue;
        assert_int_equal(event.kind, kind);
        return;
    }
    fail_msg("event %d did not come", (int) kind);
}

static void a_name_is_bound(void **unused)
{
    (void) unused;
    expect(CLIENT_CONNECTED);
    uint32_t number = client_bind_name(client, "Ada");
    assert_int_not_equal(number, 0);
    expect(CLIENT_ANSWER);
    assert_int_equal(event.request, number);
    const Arbiter__Lobby__Answer *answer =
        (const Arbiter__Lobby__Answer *) (const void *) client_message(client, &event);
    assert_non_null(answer);
    assert_int_equal(answer->verdict, ARBITER__LOBBY__VERDICT__VERDICT_DONE);
}

static void what_is_no_text_is_not_asked(void **unused)
{
    (void) unused;
    assert_int_equal(client_bind_name(client, "\xff\xfe"), 0);
}

static void attach(uint32_t seat)
{
    uint32_t count;
    expect(CLIENT_CONNECTED);
    assert_true(client_attach(client, match_id, seat, NULL));
    expect(CLIENT_ATTACHED);
    assert_int_equal(event.number, 1);
    assert_string_equal(client_game(client, &event)->game->name, "nim");
    const word *view = client_view(client, &event, &count);
    assert_non_null(view);
    assert_true(count > 3);
}

/* Takes everything from a heap, as it is listed. */
static void take_heap(uint32_t seat, word heap)
{
    struct legal   list;
    struct command command;
    assert_int_not_equal(client_legal(client, match_id, seat, 0, false), 0);
    expect(CLIENT_LEGAL);
    assert_true(client_list(client, &event, &list));
    bool is_found = false;
    for (uint64_t k = 0; k < legal_count(&list); k++) {
        struct command listed;
        legal_pick(&list, k, &listed);
        if (listed.arg[0] == heap) {
            command = listed;
            is_found = true;
        }
    }
    assert_true(is_found);
    assert_int_not_equal(client_play(client, match_id, seat, &command), 0);
}

/* The act that came: one of the game's events, in words. */
static void expect_taken(uint32_t seat, word heap)
{
    struct client_happening happening;
    expect(CLIENT_ACT);
    assert_int_equal(event.actor, seat);
    struct client_act act = client_read_act(client, &event);
    assert_true(client_happening(client, &act, &happening));
    assert_int_equal(happening.kind, NIM_TAKEN);
    assert_int_equal(happening.words[0], seat);
    assert_int_equal(happening.words[1], heap);
}

static void a_match_is_played_though_the_stream_loses_frames(void **unused)
{
    (void) unused;
    attach(0);
    assert_true(client_attach(client, match_id, 1, NULL));
    expect(CLIENT_ATTACHED);
    for (uint32_t turn = 0; turn < 3; turn++) {
        uint32_t seat = turn % 2;
        stage_lose(stage, turn == 1 ? 0 : 1); /* And history finds them. */
        take_heap(seat, turn);
        expect_taken(seat, turn);
        if (seat == 0) { /* Seat 0's reply comes before seat 1 is told the act, or behind it. */
            bool is_told[2] = { false, false };
            for (uint32_t i = 0; i < 2; i++) {
                for (uint32_t patience = 0; patience < TURNS_MAX; patience++) {
                    stage_serve(stage, 0);
                    if (client_next(client, 5, &event))
                        break;
                }
                assert_true(event.kind == CLIENT_REPLY || event.kind == CLIENT_ACT);
                is_told[event.kind == CLIENT_REPLY] = true;
            }
            assert_true(is_told[0] && is_told[1]);
        } else {
            expect_taken(seat, turn);
            expect(CLIENT_REPLY);
        }
    }
    assert_int_equal(stage_number(stage), 4);
}

/* The same match through the library in Python: another reader of every byte. */
static void python_plays_it_too(void **unused)
{
    (void) unused;
    int   status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void) setenv("ARBITER_SOURCE", ARBITER_SOURCE, 1);
        (void) setenv("ARBITER_BUILD", ARBITER_BUILD, 1);
        (void) execlp(ARBITER_PYTHON, "python3", "-B",
                      ARBITER_SOURCE "/tests/unit/common/client/play_nim.py", stage_requests(stage),
                      stage_stream(stage), stage_key(stage), key_file, (char *) NULL);
        _exit(127);
    }
    stage_lose(stage, 1);
    pid_t ended = 0;
    while (ended == 0) { /* It gives up by itself when nothing happens any more. */
        stage_serve(stage, 20);
        ended = waitpid(child, &status, WNOHANG);
    }
    assert_int_equal(ended, child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(stage_number(stage), 4);
}

static void a_refusal_by_the_rules_has_its_reason(void **unused)
{
    (void) unused;
    struct command impossible = { .kind = NIM_TAKE,
                                  .arg = { 7, 1, ABSENT, ABSENT, ABSENT, ABSENT } };
    attach(0);
    uint32_t number = client_play(client, match_id, 0, &impossible);
    assert_int_not_equal(number, 0);
    expect(CLIENT_REPLY);
    assert_int_equal(event.request, number);
    assert_int_equal(event.outcome, CLIENT_NOT_ACCEPTED);
    const Arbiter__Engine__Reply *reply =
        (const Arbiter__Engine__Reply *) (const void *) client_message(client, &event);
    assert_string_equal(reply->reason, "NO_SUCH_HEAP");
}

static void who_is_not_admitted_yet_is_let_in_later(void **unused)
{
    (void) unused;
    uint8_t         nobody[BUS_KEY_SIZE] = { 1 };
    struct bus_keys keys;
    struct text     fault;
    assert_true(bus_keys_load(&keys, key_file, NULL, &fault));
    stage_admit(stage, nobody);
    struct client_settings settings = { .lobby = stage_requests(stage),
                                        .lobby_stream = stage_stream(stage),
                                        .lobby_key = stage_key(stage),
                                        .key_file = key_file };
    char                   why[200];
    client_close(&client);
    client = client_open(&settings, why, sizeof why);
    assert_non_null(client);
    for (uint32_t turn = 0; turn < 20; turn++) {
        stage_serve(stage, 0);
        assert_false(client_next(client, 5, &event));
    }
    stage_admit(stage, keys.public_key);
    expect(CLIENT_CONNECTED);
}

static void what_is_wrong_with_the_settings_is_said(void **unused)
{
    (void) unused;
    char                   why[200];
    struct client_settings settings = { .key_file = key_file };
    assert_null(client_open(&settings, why, sizeof why));
    assert_non_null(strstr(why, "two addresses"));
    settings.lobby = settings.lobby_stream = "ipc://nowhere";
    settings.lobby_key = "short";
    assert_null(client_open(&settings, why, sizeof why));
    assert_non_null(strstr(why, "40 characters"));
    settings.key_file = "/nowhere/at/all";
    assert_null(client_open(&settings, why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/at/all"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_both, close_both)
    const struct CMUnitTest tests[] = {
        TEST(a_name_is_bound),
        TEST(what_is_no_text_is_not_asked),
        TEST(a_match_is_played_though_the_stream_loses_frames),
        TEST(python_plays_it_too),
        TEST(a_refusal_by_the_rules_has_its_reason),
        TEST(who_is_not_admitted_yet_is_let_in_later),
        TEST(what_is_wrong_with_the_settings_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
