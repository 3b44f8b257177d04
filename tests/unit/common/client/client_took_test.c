/* client_took_test.c: a command has a name from end to end, and its time is told part by part. */
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

/* The engine says that it reads both versions. */
static void hear_the_engine_reads_two(void)
{
    Arbiter__Directory__Welcome welcome = ARBITER__DIRECTORY__WELCOME__INIT;
    struct header               header;
    welcome.has_protocol = true;
    welcome.protocol = 2;
    header_init(&header, KIND(WELCOME), NULL);
    scene_say(&world, ENGINE, DOOR_REQUESTS, &header, &welcome);
}

/* The name of the command that was said last; false: it had none. */
static bool name_of(uint8_t id[TRACE_ID_SIZE], struct sent *sent)
{
    assert_int_equal(scene_sent(&world, KIND(COMMAND), sent), 1);
    Arbiter__Engine__Command *said = scene_body(sent, &arbiter__engine__command__descriptor);
    bool                      has_id = said->has_id;
    assert_false(said->has_door_us); /* That is a gateway's to say. */
    if (has_id) {
        assert_int_equal(said->id.len, TRACE_ID_SIZE);
        memcpy(id, said->id.data, TRACE_ID_SIZE);
    }
    protobuf_c_message_free_unpacked((ProtobufCMessage *) said, NULL);
    return has_id;
}

static void a_command_has_one_name_however_often_it_is_said(void **unused)
{
    (void) unused;
    uint8_t     first[TRACE_ID_SIZE], again[TRACE_ID_SIZE], second[TRACE_ID_SIZE];
    struct sent sent;
    hear_the_engine_reads_two();
    play();
    assert_true(name_of(first, &sent));
    scene_wait(&world, 500);
    assert_true(name_of(again, &sent));
    assert_memory_equal(first, again, sizeof first);
    scene_reply(&world, &sent, false, 2);
    play();
    assert_true(name_of(second, &sent));
    assert_memory_not_equal(first, second, sizeof first);
}

static void an_engine_of_version_1_is_told_no_name(void **unused)
{
    (void) unused;
    uint8_t     id[TRACE_ID_SIZE];
    struct sent sent;
    play();
    assert_false(name_of(id, &sent));
}

static void who_speaks_for_others_keeps_their_names(void **unused)
{
    (void) unused;
    struct client_came came = { .came_ms = world.now_ms, .has_id = true };
    uint8_t            id[TRACE_ID_SIZE];
    struct sent        sent;
    memset(came.id, 0x4d, sizeof came.id);
    hear_the_engine_reads_two();
    (void) client_core_play_for(world.core, world.match_id, OUR_SEAT, command, sizeof command,
                                &came, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_true(name_of(id, &sent));
    assert_memory_equal(id, came.id, sizeof id);
}

/* It came 30 ms ago, is answered after 200, of which the engine has had 150, and its act comes 70 later. */
static void its_time_is_told_part_by_part(void **unused)
{
    (void) unused;
    struct client_came     came = { .came_ms = world.now_ms - 30 };
    Arbiter__Wire__Took    took = ARBITER__WIRE__TOOK__INIT;
    Arbiter__Engine__Reply reply = ARBITER__ENGINE__REPLY__INIT;
    struct trace           trace = { 0 };
    struct sent            sent;
    uint8_t                id[TRACE_ID_SIZE];
    hear_the_engine_reads_two();
    (void) client_core_play_for(world.core, world.match_id, OUR_SEAT, command, sizeof command,
                                &came, world.now_ms, &world.out);
    scene_wait(&world, 200);
    assert_true(name_of(id, &sent));
    scene_make(&world, 3, OUR_SEAT, NULL, NULL);
    took.has_commit_us = took.has_queue_us = true;
    took.commit_us = 149000;
    took.queue_us = 1000;
    reply.took = &took;
    reply.has_request = reply.has_accepted = reply.has_number = reply.has_chain = true;
    reply.request = sent.header.request;
    reply.accepted = true;
    reply.number = 3;
    reply.chain = (ProtobufCBinaryData){ 32, world.acts[3].after };
    sent.header.kind = KIND(REPLY);
    scene_say(&world, ENGINE, DOOR_REQUESTS, &sent.header, &reply);
    scene_wait(&world, 70);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_ACT);
    scene_told(&world, CLIENT_REPLY);
    assert_false(client_core_took(world.core, world.match_id, OUR_SEAT + 1, world.now_ms, &trace));
    assert_true(client_core_took(world.core, world.match_id, OUR_SEAT, world.now_ms, &trace));
    assert_memory_equal(trace.id, id, sizeof id);
    assert_int_equal(trace.number, 3);
    assert_int_equal(trace.us[TRACE_DOOR], 30000);
    assert_int_equal(trace.us[TRACE_QUEUE], 1000);
    assert_int_equal(trace.us[TRACE_COMMIT], 149000);
    assert_int_equal(trace.us[TRACE_WAY], 50000);
    assert_int_equal(trace.us[TRACE_DELIVERY], 70000);
    assert_int_equal(trace_sum_us(&trace), 300000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_command_has_one_name_however_often_it_is_said),
        TEST(an_engine_of_version_1_is_told_no_name),
        TEST(who_speaks_for_others_keeps_their_names),
        TEST(its_time_is_told_part_by_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
