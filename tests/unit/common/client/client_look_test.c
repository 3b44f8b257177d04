/* client_look_test.c: what a seat may do and how it stands, told behind its acts; and what will never be told. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

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

static void say_legal(const struct sent *sent, uint64_t number)
{
    Arbiter__Engine__LegalAnswer answer = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    struct header                header = sent->header;
    header.kind = KIND(LEGAL_ANSWER);
    answer.has_number = true;
    answer.number = number;
    scene_say(&world, sent->peer, sent->door, &header, &answer);
}

static void what_a_seat_may_do_is_told_behind_the_act_it_holds_at(void **unused)
{
    (void) unused;
    struct sent sent;
    uint32_t    number =
        client_core_legal(world.core, world.match_id, OUR_SEAT, 5, true, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 1);
    Arbiter__Engine__LegalAsk *ask = scene_body(&sent, &arbiter__engine__legal_ask__descriptor);
    assert_int_equal(ask->luck, 5);
    assert_true(ask->best);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    scene_make(&world, 3, 0, NULL, NULL);
    say_legal(&sent, 3); /* We stand at 2. */
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_wait(&world, 100); /* The act was on its way, that is all: no reason to wait for long. */
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 1);
    say_legal(&sent, 3);
    scene_told(&world, CLIENT_LEGAL);
    assert_int_equal(world.event.request, number);
    assert_int_equal(world.event.number, 3);
    say_legal(&sent, 3);
    scene_told_nothing(&world);
}

/* A view is what the acts that were told have come to, whatever is on its way meanwhile. */
static void a_second_look_is_told_behind_the_acts_it_shows(void **unused)
{
    (void) unused;
    struct sent sent;
    uint32_t    number =
        client_core_look(world.core, world.match_id, OUR_SEAT, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    Arbiter__Engine__Attach *ask = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_true(ask->view);
    assert_int_equal(ask->session, 9);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    scene_make(&world, 3, 0, NULL, NULL);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 9, 0, NULL); /* We stand at 2. */
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_attached(&world, ENGINE, OUR_SEAT, 2, 9, 0, NULL); /* A late answer. */
    scene_told_nothing(&world);
    scene_wait(&world, 100);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 9, 0, NULL);
    scene_told(&world, CLIENT_VIEW);
    assert_int_equal(world.event.request, number);
    assert_int_equal(world.event.number, 3);
    scene_attached(&world, ENGINE, OUR_SEAT, 3, 9, 0, NULL);
    scene_told_nothing(&world);
}

static struct sent look(void)
{
    struct sent sent;
    (void) client_core_look(world.core, world.match_id, OUR_SEAT, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    return sent;
}

/* Not sooner, which would be refused again, and not after the waits of who was not heard. */
static void a_look_that_is_put_off_comes_back_when_it_was_told(void **unused)
{
    (void) unused;
    struct sent sent = look();
    for (int i = 0; i < 4; i++) {
        scene_refuse(&world, &sent, i % 2 == 0 ? REFUSAL(TOO_MUCH) : REFUSAL(AGAIN), 40);
        scene_wait(&world, 39);
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
        scene_wait(&world, 11); /* And a quarter more, so that not all come at one moment. */
        assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    }
    scene_attached(&world, ENGINE, OUR_SEAT, 2, 9, 0, NULL);
    scene_told(&world, CLIENT_VIEW);
}

static void a_look_that_is_refused_for_good_is_the_end_of_the_seat(void **unused)
{
    (void) unused;
    struct sent sent = look();
    scene_refuse(&world, &sent, REFUSAL(NOT_YOURS), 0);
    scene_told_nothing(&world);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1); /* Whose seat is it, then? */
    scene_refuse(&world, &sent, REFUSAL(NOT_YOURS), 0);
    scene_told(&world, CLIENT_LOST);
    assert_int_equal(world.event.refusal, REFUSAL(NOT_YOURS));
}

/* The acts come without it. */
static void a_look_that_is_too_large_is_told_and_the_seat_stays(void **unused)
{
    (void) unused;
    struct sent sent;
    uint32_t    number =
        client_core_look(world.core, world.match_id, OUR_SEAT, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 0);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.request, number);
    assert_int_equal(world.event.refusal, REFUSAL(TOO_MUCH));
    for (uint32_t i = 0; i < 60; i++)
        scene_wait(&world, 1000);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    scene_told_nothing(&world);
}

static void a_first_view_that_is_too_large_is_the_end_of_the_seat(void **unused)
{
    (void) unused;
    static const uint8_t other[16] = { 5 };
    struct sent          sent;
    memcpy(world.match_id, other, 16);
    client_core_attach(world.core, world.match_id, OUR_SEAT, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 50); /* He has asked too much, that is all. */
    scene_told_nothing(&world);
    scene_wait(&world, 100);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 0);
    scene_told(&world, CLIENT_LOST);
    assert_int_equal(world.event.refusal, REFUSAL(TOO_MUCH));
    scene_wait(&world, 60000);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
}

static void a_command_or_question_that_is_too_large_is_not_said_again(void **unused)
{
    (void) unused;
    struct sent sent;
    uint32_t    number = client_core_play(world.core, world.match_id, OUR_SEAT, command,
                                          sizeof command, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 0);
    scene_told(&world, CLIENT_REPLY);
    assert_int_equal(world.event.request, number);
    assert_int_equal(world.event.outcome, CLIENT_UNFIT);
    number =
        client_core_legal(world.core, world.match_id, OUR_SEAT, 5, true, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 1);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 0);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.request, number);
    scene_wait(&world, 60000);
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 0);
    assert_int_equal(scene_sent(&world, KIND(COMMAND), &sent), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_seat_may_do_is_told_behind_the_act_it_holds_at),
        TEST(a_second_look_is_told_behind_the_acts_it_shows),
        TEST(a_look_that_is_put_off_comes_back_when_it_was_told),
        TEST(a_look_that_is_refused_for_good_is_the_end_of_the_seat),
        TEST(a_look_that_is_too_large_is_told_and_the_seat_stays),
        TEST(a_first_view_that_is_too_large_is_the_end_of_the_seat),
        TEST(a_command_or_question_that_is_too_large_is_not_said_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
