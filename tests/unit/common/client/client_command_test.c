/* client_command_test.c: a command is said until it is answered, and played at most once. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "client/client_private.h"

static struct scene  world;
static const uint8_t command[] = { 0x0a, 0x02, 0x08, 0x01 };

static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    scene_make(&world, 1, 0, NULL, NULL);
    scene_make(&world, 2, 0, NULL, NULL);
    scene_attach(&world, OUR_SEAT, 2);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static uint32_t play(void)
{
    uint32_t number = client_core_play(world.core, world.match_id, OUR_SEAT, command,
                                       sizeof command, world.now_ms, &world.out);
    scene_wait(&world, 0);
    return number;
}

/* The command was said once since the last look, with this session and request. */
static struct sent expect_command(uint32_t session, uint32_t request)
{
    struct sent sent;
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &sent), 1);
    assert_int_equal(sent.header.seat, OUR_SEAT);
    assert_int_equal(sent.header.session, session);
    assert_int_equal(sent.header.request, request);
    Arbiter__Engine__Command *said = scene_body(&sent, &arbiter__engine__command__descriptor);
    assert_int_equal(said->kind_case, ARBITER__ENGINE__COMMAND__KIND_PLAY);
    assert_int_equal(said->play.len, sizeof command);
    assert_memory_equal(said->play.data, command, sizeof command);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) said, NULL);
    return sent;
}

static void expect_no_command(void)
{
    struct sent sent;
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &sent), 0);
}

static void expect_reply(enum client_outcome outcome, uint32_t request, uint64_t number)
{
    scene_told(&world, CLIENT_REPLY);
    assert_int_equal(world.event.outcome, outcome);
    assert_int_equal(world.event.request, request);
    assert_int_equal(world.event.number, number);
}

static void it_is_said_again_until_it_is_answered(void **unused)
{
    (void) unused;
    uint32_t number = play();
    expect_command(9, 1);
    scene_wait(&world, 499);
    expect_no_command();
    scene_wait(&world, 1);
    expect_command(9, 1);
    scene_wait(&world, 999);
    expect_no_command();
    scene_wait(&world, 1);
    struct sent sent = expect_command(9, 1);
    scene_make(&world, 3, OUR_SEAT, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_reply(&world, &sent, true, 3);
    scene_reply(&world, &sent, true, 3);
    scene_told(&world, CLIENT_ACT);
    expect_reply(CLIENT_ACCEPTED, number, 3);
    scene_told_nothing(&world);
    scene_wait(&world, 60000);
    expect_no_command();
}

static void an_accepted_command_is_told_behind_its_act(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1), ask;
    scene_make(&world, 3, 0, NULL, NULL);
    scene_make(&world, 4, OUR_SEAT, NULL, NULL);
    scene_reply(&world, &sent, true, 4); /* "Accepted as 4" is a head. */
    scene_told_nothing(&world);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &ask), 0);
    scene_wait(&world, 100);
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &ask), 1);
    scene_history(&world, ask.peer, 3, 3, 4);
    scene_told(&world, CLIENT_ACT);
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 4);
    scene_told(&world, CLIENT_ACT);
    expect_reply(CLIENT_ACCEPTED, number, 4);
}

static void one_is_under_way_at_a_time_and_requests_count(void **unused)
{
    (void) unused;
    play();
    struct sent sent = expect_command(9, 1);
    assert_int_equal(play(), 0);
    scene_reply(&world, &sent, false, 2);
    scene_told(&world, CLIENT_REPLY);
    assert_int_equal(world.event.outcome, CLIENT_NOT_ACCEPTED);
    assert_true(world.event.size > 0);
    assert_int_not_equal(play(), 0);
    expect_command(9, 2);
    scene_reply(&world, &sent, false, 2); /* Late: of the request before. */
    scene_told_nothing(&world);
}

static void a_refusal_of_the_house_is_no_answer(void **unused)
{
    (void) unused;
    play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(AGAIN), 300);
    scene_told_nothing(&world);
    scene_wait(&world, 299);
    expect_no_command();
    scene_wait(&world, 1);
    expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(DRAINING), 0);
    scene_told_nothing(&world);
    scene_wait(&world, 8000);
    expect_command(9, 1);
}

static void what_cannot_be_read_is_told_and_its_number_used_again(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(MALFORMED), 0);
    expect_reply(CLIENT_UNFIT, number, 0);
    play();
    expect_command(9, 1);
}

static void the_next_owner_of_the_slot_is_asked_at_once(void **unused)
{
    (void) unused;
    play();
    struct sent sent = expect_command(9, 1);
    assert_int_equal(sent.peer, ENGINE);
    scene_refuse(&world, &sent, REFUSAL(ELSEWHERE), 0);
    expect_no_command();
    scene_directory(&world, ENGINE_2, 2);
    sent = expect_command(9, 1);
    assert_int_equal(sent.peer, ENGINE_2);
    scene_make(&world, 3, OUR_SEAT, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_reply(&world, &sent, true, 3);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_REPLY);
}

static struct sent expect_attach(uint32_t session, bool wants_view)
{
    struct sent sent;
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    Arbiter__Engine__Attach *attach = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_int_equal(attach->session, session);
    assert_int_equal(attach->view, wants_view);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) attach, NULL);
    return sent;
}

static void engine_speaks(uint32_t protocol)
{
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    struct header               header;
    header_init(&header, KIND(WELCOME), NULL);
    welcome.has_protocol = true;
    welcome.protocol = protocol;
    scene_say(&world, ENGINE, DOOR_REQUESTS, &header, &welcome);
}

/* By that an engine whose store was set back finds it out. One of version 1 would not understand the field. */
static void who_attaches_again_says_what_he_was_told(void **unused)
{
    (void) unused;
    scene_make(&world, 3, 0, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    for (uint32_t protocol = 1; protocol <= 2; protocol++) {
        engine_speaks(protocol);
        play();
        struct sent sent = expect_command(9, protocol);
        scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
        Arbiter__Engine__Attach *attach = scene_body(&sent, &arbiter__engine__attach__descriptor);
        assert_int_equal(attach->has_last, protocol == 2);
        assert_int_equal(attach->last, protocol == 2 ? 3 : 0);
        if (protocol == 2)
            assert_memory_equal(attach->last_chain.data, world.acts[3].after, CRYPTO_HASH_SIZE);
        protobuf_c_message_free_unpacked((ProtobufCMessage *) attach, NULL);
        scene_attached(&world, ENGINE, OUR_SEAT, 3, 9, protocol - 1, NULL);
        sent = expect_command(9, protocol);
        scene_reply(&world, &sent, false, 3);
        scene_told(&world, CLIENT_REPLY);
    }
}

static void in_the_same_session_the_same_number_is_asked_for_again(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    expect_attach(9, false);
    scene_attached(&world, ENGINE, OUR_SEAT, 2, 9, 1, NULL); /* Number 1 was answered ... */
    sent = expect_command(9, 1);                             /* ... so it is asked for once more. */
    scene_reply(&world, &sent, false, 2);
    expect_reply(CLIENT_NOT_ACCEPTED, number, 2);
    play();
    expect_command(9, 2);
}

static void in_a_new_session_a_command_that_was_not_played_is_said_again(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_make(&world, 3, 0, NULL, NULL); /* Not ours. */
    scene_make(&world, 4, OUR_SEAT, NULL, NULL);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    expect_attach(9, false);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 12, 0, NULL);
    expect_no_command(); /* Act 3 could be it. */
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    sent = expect_command(12, 1);
    scene_publish(&world, FANOUT, 4);
    scene_reply(&world, &sent, true, 4);
    scene_told(&world, CLIENT_ACT);
    expect_reply(CLIENT_ACCEPTED, number, 4);
}

static void in_a_new_session_a_command_that_may_have_been_played_is_not(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_make(&world, 3, OUR_SEAT, NULL, NULL);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    expect_attach(9, false);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 12, 0, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    expect_reply(CLIENT_UNSURE, number, 3);
    scene_wait(&world, 60000);
    expect_no_command();
    play();
    expect_command(12, 1);
}

static void an_engine_behind_us_is_a_rollback(void **unused)
{
    (void) unused;
    scene_make(&world, 3, 0, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    scene_attached(&world, ENGINE, OUR_SEAT, 2, 9, 0, NULL);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_ROLLBACK);
    assert_int_equal(world.event.number, 3);
}

static void a_second_session_is_given_back(void **unused)
{
    (void) unused;
    struct sent sent;
    scene_attached(&world, ENGINE, OUR_SEAT, 2, 10, 0, NULL); /* An attach was heard twice. */
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &sent), 1);
    assert_int_equal(sent.header.session, 10);
    Arbiter__Engine__Command *said = scene_body(&sent, &arbiter__engine__command__descriptor);
    assert_int_equal(said->kind_case, ARBITER__ENGINE__COMMAND__KIND_DETACH);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) said, NULL);
    play();
    expect_command(9, 1);
}

static void a_seat_that_is_anothers_is_lost(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(NOT_YOURS), 0);
    scene_told(&world, CLIENT_LOST);
    assert_int_equal(world.event.refusal, REFUSAL(NOT_YOURS));
    assert_int_equal(world.event.request, number);
    assert_int_equal(play(), 0);
}

/* Told to its end, and its engine knows it no more: what became of the command, and then the end. */
static void a_command_under_way_at_the_end_of_its_match_is_told_of(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_make(&world, 3, 0, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_head(&world, FANOUT, 3, true);
    scene_told_nothing(&world);
    scene_refuse(&world, &sent, REFUSAL(AGAIN), 0);
    scene_told_nothing(&world);
    scene_wait(&world, 1000);
    sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
    expect_reply(CLIENT_UNFIT, number, 0);
    scene_told(&world, CLIENT_OVER);
}

/* The same when the match ends while its session is looked for. */
static void a_seat_that_is_lost_behind_the_end_of_its_match_is_over(void **unused)
{
    (void) unused;
    uint32_t    number = play();
    struct sent sent = expect_command(9, 1);
    scene_refuse(&world, &sent, REFUSAL(ATTACH_AGAIN), 0);
    scene_make(&world, 3, OUR_SEAT, NULL, NULL);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_head(&world, FANOUT, 3, true);
    for (uint32_t tries = 0; tries < 8; tries++) {
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
        scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
        if (tries < 7)
            scene_told_nothing(&world);
        scene_wait(&world, 8000);
    }
    expect_reply(CLIENT_UNSURE, number, 3);
    scene_told(&world, CLIENT_OVER);
}

static void a_match_that_is_not_there_yet_is_asked_for_again(void **unused)
{
    (void) unused;
    uint8_t     other[16] = { 8 };
    struct sent sent;
    memcpy(world.match_id, other, 16);
    client_core_attach(world.core, world.match_id, OUR_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    for (uint32_t tries = 1; tries < 8; tries++) {
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
        scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
        scene_told_nothing(&world);
        scene_wait(&world, 8000);
    }
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
    scene_told(&world, CLIENT_LOST);
}

/* However long nobody answered: an engine that says that it is not there is asked again soon. */
static void a_match_that_never_comes_is_given_up_in_time(void **unused)
{
    (void) unused;
    struct sent sent;
    uint64_t    since_ms = 0;
    uint32_t    asked = 0;
    world.match_id[0] ^= 1;
    client_core_attach(world.core, world.match_id, NO_SEAT, NULL, world.now_ms, &world.out);
    for (uint32_t i = 0; i < 60; i++)
        scene_wait(&world, 1000);
    scene_sent(&world, KIND(ATTACH), &sent);
    for (uint32_t i = 0; i < 600 && world.core->seats[1].is_used; i++) {
        scene_wait(&world, 50);
        if (scene_sent(&world, KIND(ATTACH), &sent) == 0)
            continue;
        since_ms = since_ms == 0 ? world.now_ms : since_ms;
        asked++;
        scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
    }
    scene_told(&world, CLIENT_LOST);
    assert_in_range(world.now_ms - since_ms, 15000, 18000);
    assert_in_range(asked, 8, 10);
}

static void a_match_that_begins_is_asked_for_at_once(void **unused)
{
    (void) unused;
    struct sent sent, late;
    world.match_id[0] ^= 1;
    client_core_attach(world.core, world.match_id, NO_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &late), 1);
    scene_refuse(&world, &late, REFUSAL(NO_SUCH_MATCH), 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    scene_publish(&world, FANOUT, 1);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    /* The same twice: the engine did not know it when it was asked. */
    scene_refuse(&world, &late, REFUSAL(NO_SUCH_MATCH), 0);
    scene_told_nothing(&world);
    assert_true(world.core->seats[1].is_used);
}

static void a_match_that_was_heard_of_and_is_not_there_is_over(void **unused)
{
    (void) unused;
    struct sent sent;
    world.match_id[0] ^= 1;
    client_core_attach(world.core, world.match_id, NO_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    scene_head(&world, FANOUT, 2, true);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
    scene_told_nothing(&world); /* It may have begun since the engine was asked. */
    scene_wait(&world, 2500);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
    scene_told(&world, CLIENT_LOST);
    assert_int_equal(world.event.refusal, REFUSAL(NO_SUCH_MATCH));
}

/* Services that come and go have it asked for at once, again and again, while nothing has had time to begin. */
static void a_match_is_given_time_to_begin(void **unused)
{
    (void) unused;
    struct sent sent;
    world.match_id[0] ^= 1;
    client_core_attach(world.core, world.match_id, OUR_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    for (uint32_t tries = 0; tries < 20; tries++) {
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
        scene_refuse(&world, &sent, REFUSAL(NO_SUCH_MATCH), 0);
        scene_told_nothing(&world);
        scene_directory(&world, tries % 2 == 0 ? ENGINE_2 : ENGINE, 100 + tries);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_said_again_until_it_is_answered),
        TEST(an_accepted_command_is_told_behind_its_act),
        TEST(one_is_under_way_at_a_time_and_requests_count),
        TEST(a_refusal_of_the_house_is_no_answer),
        TEST(what_cannot_be_read_is_told_and_its_number_used_again),
        TEST(the_next_owner_of_the_slot_is_asked_at_once),
        TEST(who_attaches_again_says_what_he_was_told),
        TEST(in_the_same_session_the_same_number_is_asked_for_again),
        TEST(in_a_new_session_a_command_that_was_not_played_is_said_again),
        TEST(in_a_new_session_a_command_that_may_have_been_played_is_not),
        TEST(an_engine_behind_us_is_a_rollback),
        TEST(a_second_session_is_given_back),
        TEST(a_seat_that_is_anothers_is_lost),
        TEST(a_command_under_way_at_the_end_of_its_match_is_told_of),
        TEST(a_seat_that_is_lost_behind_the_end_of_its_match_is_over),
        TEST(a_match_that_is_not_there_yet_is_asked_for_again),
        TEST(a_match_that_never_comes_is_given_up_in_time),
        TEST(a_match_that_begins_is_asked_for_at_once),
        TEST(a_match_that_was_heard_of_and_is_not_there_is_over),
        TEST(a_match_is_given_time_to_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
