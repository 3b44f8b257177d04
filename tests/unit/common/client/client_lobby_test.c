/* client_lobby_test.c: asks are numbered, one is under way, and each is answered once. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

static struct scene world;

static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static uint32_t ask(const char *name)
{
    Arbiter__Lobby__Ask      asked = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    uint8_t                  bytes[128];
    bind.name = (char *) name;
    asked.kind_case = ARBITER__LOBBY__ASK__KIND_BIND_NAME;
    asked.bind_name = &bind;
    size_t   size = protobuf_c_message_pack((ProtobufCMessage *) &asked, bytes);
    uint32_t number = client_core_ask(world.core, bytes, size, world.now_ms, &world.out);
    scene_wait(&world, 0);
    return number;
}

static struct sent expect_ask(uint32_t request, const char *name)
{
    struct sent sent;
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 1);
    assert_int_equal(sent.peer, LOBBY);
    assert_int_equal(sent.header.request, request);
    Arbiter__Lobby__Ask *asked = scene_body(&sent, &arbiter__lobby__ask__descriptor);
    assert_string_equal(asked->bind_name->name, name);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) asked, NULL);
    return sent;
}

static void answer(const struct sent *sent)
{
    Arbiter__Lobby__Answer answered = ARBITER__LOBBY__ANSWER__INIT;
    Arbiter__Lobby__Player player = ARBITER__LOBBY__PLAYER__INIT;
    struct header          header = sent->header;
    static uint8_t         id[16] = { 0xbb };
    header.kind = KIND(LOBBY_ANSWER);
    answered.has_verdict = true;
    answered.verdict = ARBITER__LOBBY__VERDICT__VERDICT_DONE;
    answered.kind_case = ARBITER__LOBBY__ANSWER__KIND_PLAYER;
    player.has_player = true;
    player.player = (ProtobufCBinaryData){ 16, id };
    answered.player = &player;
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &answered);
}

/* The lobby said at hello that 40 was the last ask of this key. */
static void one_ask_is_under_way_and_they_are_answered_in_order(void **unused)
{
    (void) unused;
    struct sent sent;
    uint32_t    first = ask("Ada"), second = ask("Bob");
    struct sent mine = expect_ask(41, "Ada");
    answer(&mine);
    sent = expect_ask(42, "Bob");
    scene_told(&world, CLIENT_ANSWER);
    assert_int_equal(world.event.request, first);
    answer(&mine); /* Once more. */
    scene_told_nothing(&world);
    answer(&sent);
    scene_told(&world, CLIENT_ANSWER);
    assert_int_equal(world.event.request, second);
    scene_told_nothing(&world);
    assert_int_equal(client_core_player(world.core)[0], 0xbb);
    scene_wait(&world, 60000);
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 0);
}

static void an_unanswered_ask_is_said_again_with_its_number(void **unused)
{
    (void) unused;
    struct sent sent;
    ask("Ada");
    expect_ask(41, "Ada");
    scene_wait(&world, 499);
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 0);
    scene_wait(&world, 1);
    expect_ask(41, "Ada");
}

static void a_refusal_for_now_is_no_answer(void **unused)
{
    (void) unused;
    ask("Ada");
    struct sent sent = expect_ask(41, "Ada");
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 200);
    scene_told_nothing(&world);
    scene_wait(&world, 200);
    expect_ask(41, "Ada");
}

static void a_refusal_for_good_is_told(void **unused)
{
    (void) unused;
    uint32_t    first = ask("Ada");
    struct sent sent = expect_ask(41, "Ada");
    scene_refuse(&world, &sent, REFUSAL(BANNED), 0);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.request, first);
    assert_int_equal(world.event.refusal, REFUSAL(BANNED));
    ask("Bob");
    expect_ask(42, "Bob");
}

static void refuse_gap(const struct sent *sent, uint32_t last)
{
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct header          header = sent->header;
    header.kind = KIND(REFUSED);
    refused.has_refusal = refused.has_request = true;
    refused.refusal = REFUSAL(GAP);
    refused.request = last;
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &refused);
}

/* Another program with our key has asked since. */
static void who_is_behind_goes_on_behind_the_last(void **unused)
{
    (void) unused;
    ask("Ada");
    struct sent sent = expect_ask(41, "Ada");
    refuse_gap(&sent, 50);
    expect_ask(51, "Ada");
    scene_told_nothing(&world);
}

static void what_may_have_been_done_is_not_done_under_another_number(void **unused)
{
    (void) unused;
    struct sent sent;
    ask("Ada");
    expect_ask(41, "Ada");
    scene_wait(&world, 500);
    sent = expect_ask(41, "Ada"); /* The first may have been done, and its answer lost. */
    refuse_gap(&sent, 50);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.refusal, REFUSAL(GAP));
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 0);
}

/* Its number went to what another device asked, so it cannot have been done, however often it was said. */
static void what_lost_its_number_to_another_ask_goes_on_behind_it(void **unused)
{
    (void) unused;
    struct sent sent;
    ask("Ada");
    expect_ask(41, "Ada");
    scene_wait(&world, 500);
    sent = expect_ask(41, "Ada");
    refuse_gap(&sent, 41);
    expect_ask(42, "Ada");
    scene_told_nothing(&world);
}

/* A client that was told to come back knows that nothing was done. */
static void what_was_put_off_goes_on_behind_the_last(void **unused)
{
    (void) unused;
    ask("Ada");
    struct sent sent = expect_ask(41, "Ada");
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 200);
    scene_wait(&world, 250);
    sent = expect_ask(41, "Ada");
    refuse_gap(&sent, 50);
    expect_ask(51, "Ada");
    scene_told_nothing(&world);
}

/* The lobby is another process now; its store is the same. */
static void a_welcome_does_not_undo_what_may_have_been_done(void **unused)
{
    (void) unused;
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    struct header               header;
    header_init(&header, KIND(WELCOME), NULL);
    ask("Ada");
    expect_ask(41, "Ada");
    scene_say(&world, LOBBY, DOOR_REQUESTS, &header, &welcome);
    scene_told(&world, CLIENT_CONNECTED);
    struct sent sent = expect_ask(41, "Ada");
    refuse_gap(&sent, 50);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.refusal, REFUSAL(GAP));
    assert_int_equal(scene_sent(&world, KIND(LOBBY_ASK), &sent), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_ask_is_under_way_and_they_are_answered_in_order),
        TEST(an_unanswered_ask_is_said_again_with_its_number),
        TEST(a_refusal_for_now_is_no_answer),
        TEST(a_refusal_for_good_is_told),
        TEST(who_is_behind_goes_on_behind_the_last),
        TEST(what_may_have_been_done_is_not_done_under_another_number),
        TEST(what_lost_its_number_to_another_ask_goes_on_behind_it),
        TEST(what_was_put_off_goes_on_behind_the_last),
        TEST(a_welcome_does_not_undo_what_may_have_been_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
