/* client_followed_test.c: view and list that come unasked are told behind their act, and never before it. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

static struct scene             world;
static const struct client_wish wish = { .has_luck = true, .luck = 5 };

static int open_world(void **unused)
{
    (void) unused;
    scene_open(&world, CLIENT_QUEUE_BYTES_MIN);
    for (uint64_t number = 1; number <= 5; number++)
        scene_make(&world, number, 0, NULL, NULL);
    scene_attach(&world, OUR_SEAT, 2);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static void follow(const struct client_wish *what)
{
    client_core_follow(world.core, world.match_id, OUR_SEAT, what, world.now_ms, &world.out);
    scene_wait(&world, 0);
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

/* What the engine says behind act `number`, with a list of this act or (0) none. */
static void engine_says(uint64_t number, uint64_t list)
{
    Arbiter__Engine__Followed    followed = ARBITER__ENGINE__FOLLOWED__INIT;
    Arbiter__Engine__Attached    shown = ARBITER__ENGINE__ATTACHED__INIT;
    Arbiter__Engine__LegalAnswer legal = ARBITER__ENGINE__LEGAL_ANSWER__INIT;
    struct header                header;
    header_init(&header, KIND(FOLLOWED), world.match_id);
    header.version = PROTOCOL_NEWEST;
    header.seat = OUR_SEAT;
    header.session = 9;
    shown.has_number = shown.has_view = legal.has_number = true;
    shown.number = number;
    shown.view = (ProtobufCBinaryData){ 4, (uint8_t *) "view" };
    legal.number = list;
    followed.shown = &shown;
    followed.legal = list != 0 ? &legal : NULL;
    scene_say(&world, ENGINE, DOOR_REQUESTS, &header, &followed);
}

static void the_wish_goes_with_every_attach_until_it_ends(void **unused)
{
    (void) unused;
    struct sent sent;
    engine_speaks(1); /* It would not understand the wish. */
    follow(&wish);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    Arbiter__Engine__Attach *ask = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_null(ask->follow);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    engine_speaks(2);
    follow(&wish);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    ask = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_false(ask->view);
    assert_int_equal(ask->session, 9);
    assert_int_equal(ask->follow->luck, 5);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    (void) client_core_look(world.core, world.match_id, OUR_SEAT, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    ask = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_non_null(ask->follow);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
    follow(NULL);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
    ask = scene_body(&sent, &arbiter__engine__attach__descriptor);
    assert_null(ask->follow);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void what_comes_before_its_act_waits_for_it(void **unused)
{
    (void) unused;
    follow(&wish);
    engine_says(3, 3);
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    scene_told(&world, CLIENT_VIEW);
    assert_int_equal(world.event.number, 3);
    assert_int_equal(world.event.request, 0);
    scene_told(&world, CLIENT_LEGAL);
    assert_int_equal(world.event.number, 3);
    scene_publish(&world, FANOUT, 4);
    scene_told_act(&world, 4);
    scene_told_nothing(&world);
}

static void what_comes_behind_its_act_is_told_at_once(void **unused)
{
    (void) unused;
    struct sent sent;
    follow(&wish);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    engine_says(3, 0);
    scene_told(&world, CLIENT_VIEW);
    scene_told_nothing(&world);
    (void) scene_sent(&world, KIND(ATTACH), &sent);
    scene_wait(&world, 100); /* Nobody asks for what has come. */
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 0);
    assert_int_equal(scene_sent(&world, KIND(LEGAL_ASK), &sent), 0);
}

/* Two acts in quick succession: the view behind the first one is of no use any more. */
static void an_older_one_is_no_news(void **unused)
{
    (void) unused;
    follow(&wish);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    scene_publish(&world, FANOUT, 4);
    scene_told_act(&world, 4);
    engine_says(3, 3);
    scene_told_nothing(&world);
    engine_says(4, 0);
    scene_told(&world, CLIENT_VIEW);
}

/* What it shows is known to exist: if it does not come, it is asked for. */
static void an_act_that_does_not_come_is_asked_for(void **unused)
{
    (void) unused;
    follow(&wish);
    scene_asked_no_history(&world);
    engine_says(4, 4);
    scene_wait(&world, 100);
    scene_asked_history(&world, scene_our_fanout(&world), 3);
    scene_history(&world, scene_our_fanout(&world), 3, 4, 4);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
    scene_told(&world, CLIENT_VIEW);
    scene_told(&world, CLIENT_LEGAL);
    scene_told_nothing(&world);
}

static void who_does_not_follow_is_told_nothing(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    engine_says(3, 3);
    engine_says(4, 4);
    scene_publish(&world, FANOUT, 4);
    scene_told_act(&world, 4);
    scene_told_nothing(&world);
}

/* More than there is room for: the oldest are lost, and nothing else. */
static void what_waits_is_bounded(void **unused)
{
    (void) unused;
    follow(&wish);
    for (uint32_t i = 0; i < 20000; i++)
        engine_says(5, 0);
    engine_says(3, 3);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    scene_told(&world, CLIENT_VIEW);
    scene_told(&world, CLIENT_LEGAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_wish_goes_with_every_attach_until_it_ends),
        TEST(what_comes_before_its_act_waits_for_it),
        TEST(what_comes_behind_its_act_is_told_at_once),
        TEST(an_older_one_is_no_news),
        TEST(an_act_that_does_not_come_is_asked_for),
        TEST(who_does_not_follow_is_told_nothing),
        TEST(what_waits_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
