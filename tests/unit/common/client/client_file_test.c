/* client_file_test.c: the pieces of a finished match's file are told in order, each once, whatever is lost or full. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "client/client_private.h"

static struct scene world;
static struct sent  sent; /* The last ask. */

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

static uint32_t begin(const char *code)
{
    return client_core_file(world.core, world.match_id, (const uint8_t *) code,
                            code != NULL ? strlen(code) : 0, world.now_ms, &world.out);
}

/* One ask was sent to this engine's history door, for what begins there. */
static void expect_ask(uint32_t engine, uint64_t from, uint64_t skip)
{
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(FILE_ASK), &sent), 1);
    assert_int_equal(sent.peer, engine);
    assert_int_equal(sent.door, DOOR_HISTORY);
    Arbiter__Stream__FileAsk *ask = scene_body(&sent, &arbiter__stream__file_ask__descriptor);
    assert_int_equal(ask->from, from);
    assert_int_equal(ask->skip, skip);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void expect_no_ask(void)
{
    scene_wait(&world, 0);
    assert_int_equal(scene_sent(&world, KIND(FILE_ASK), &sent), 0);
}

static void say_piece(const uint8_t *bytes, size_t size, uint64_t from, uint64_t skip, bool more)
{
    Arbiter__Stream__FileAnswer answer = ARBITER__STREAM__FILE_ANSWER__INIT;
    struct header               header = sent.header;
    header.kind = KIND(FILE_ANSWER);
    answer.has_bytes = answer.has_from = answer.has_skip = answer.has_more = true;
    answer.bytes = (ProtobufCBinaryData){ size, (uint8_t *) (uintptr_t) bytes };
    answer.from = from;
    answer.skip = skip;
    answer.more = more;
    scene_say(&world, sent.peer, sent.door, &header, &answer);
}

static void expect_piece(uint32_t request, const char *bytes, uint64_t before, bool is_last)
{
    scene_told(&world, CLIENT_FILE);
    assert_int_equal(world.event.request, request);
    assert_int_equal(world.event.size, strlen(bytes));
    assert_memory_equal(world.event.bytes, bytes, strlen(bytes));
    assert_int_equal(world.event.number, before);
    assert_int_equal(world.event.is_last, is_last);
}

#define PIECE(text, from, skip, more)                                                              \
    say_piece((const uint8_t *) (text), strlen(text), from, skip, more)

static void pieces_are_told_in_order_and_the_last_one_is_the_last(void **unused)
{
    (void) unused;
    uint32_t file = begin(NULL);
    expect_ask(ENGINE, 0, 0);
    PIECE("arbiter", 1, 0, true);
    expect_piece(file, "arbiter", 0, false);
    expect_ask(ENGINE, 1, 0);
    PIECE(" match", 1, 6, true);
    expect_piece(file, " match", 7, false);
    expect_ask(ENGINE, 1, 6);
    PIECE(" 1", 9, 0, false);
    expect_piece(file, " 1", 13, true);
    expect_no_ask();
    scene_wait(&world, 60000);
    expect_no_ask();
}

static void what_is_lost_is_asked_for_again_and_what_comes_twice_is_told_once(void **unused)
{
    (void) unused;
    uint32_t file = begin(NULL);
    expect_ask(ENGINE, 0, 0);
    scene_wait(&world, 5000);
    expect_ask(ENGINE, 0, 0);
    PIECE("one", 3, 0, true);
    PIECE("one", 3, 0, true);
    expect_piece(file, "one", 0, false);
    scene_told_nothing(&world);
    expect_ask(ENGINE, 3, 0);
    PIECE("two", 4, 0, false);
    expect_piece(file, "two", 3, true);
    PIECE("two", 4, 0, false);
    scene_told_nothing(&world);
}

/* Another engine's pieces may be longer, so an answer that comes late may reach beyond what was told since. */
static void a_late_answer_to_an_earlier_ask_is_not_taken_for_the_next_piece(void **unused)
{
    (void) unused;
    uint32_t file = begin(NULL);
    expect_ask(ENGINE, 0, 0);
    struct sent first = sent;
    PIECE("one", 3, 0, true);
    expect_piece(file, "one", 0, false);
    expect_ask(ENGINE, 3, 0);
    struct sent second = sent;
    sent = first;
    PIECE("onetwo", 4, 0, true);
    scene_told_nothing(&world);
    sent = second;
    PIECE("two", 4, 0, true);
    expect_piece(file, "two", 3, false);
}

static void another_engine_is_asked_when_the_slot_has_moved(void **unused)
{
    (void) unused;
    uint32_t file = begin("sesame");
    expect_ask(ENGINE, 0, 0);
    PIECE("one", 3, 0, true);
    expect_piece(file, "one", 0, false);
    expect_ask(ENGINE, 3, 0);
    scene_directory(&world, ENGINE_2, 2);
    scene_wait(&world, 5000);
    expect_ask(ENGINE_2, 3, 0);
    Arbiter__Stream__FileAsk *ask = scene_body(&sent, &arbiter__stream__file_ask__descriptor);
    assert_int_equal(ask->code.len, 6);
    assert_memory_equal(ask->code.data, "sesame", 6);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void a_refusal_for_good_is_told_and_one_for_now_is_not(void **unused)
{
    (void) unused;
    uint32_t file = begin(NULL);
    expect_ask(ENGINE, 0, 0);
    scene_refuse(&world, &sent, REFUSAL(TOO_MUCH), 100);
    scene_told_nothing(&world);
    scene_wait(&world, 200);
    expect_ask(ENGINE, 0, 0);
    scene_refuse(&world, &sent, REFUSAL(NOT_OVER), 0);
    scene_told(&world, CLIENT_REFUSED);
    assert_int_equal(world.event.request, file);
    assert_int_equal(world.event.refusal, REFUSAL(NOT_OVER));
    scene_wait(&world, 60000);
    expect_no_ask();
}

/* What had no room is asked for again when there is some. */
static void a_caller_who_does_not_look_loses_nothing(void **unused)
{
    (void) unused;
    static const uint8_t large[50u << 10] = { 1 };
    uint64_t             told = 0;
    uint32_t             given = 0;
    (void) begin(NULL);
    for (uint64_t from = 0; scene_wait(&world, 10000), given < 40; given++)
        if (scene_sent(&world, KIND(FILE_ASK), &sent) > 0)
            say_piece(large, sizeof large, ++from, 0, true);
    for (; client_core_next(world.core, &world.event); told += world.event.size)
        assert_int_equal(world.event.number, told);
    assert_true(told > 0 && told < given * sizeof large);
    scene_wait(&world, 0);
    assert_true(scene_sent(&world, KIND(FILE_ASK), &sent) > 0);
    Arbiter__Stream__FileAsk *ask = scene_body(&sent, &arbiter__stream__file_ask__descriptor);
    assert_int_equal(ask->from, told / sizeof large);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void an_answer_that_leads_nowhere_or_to_another_match_is_not_heard(void **unused)
{
    (void) unused;
    (void) begin(NULL);
    expect_ask(ENGINE, 0, 0);
    PIECE("", 0, 0, true);
    scene_told_nothing(&world);
    uint32_t request = sent.header.request;
    sent.header.match_id[3] ^= 1;
    header_init(&sent.header, KIND(FILE_ASK), sent.header.match_id);
    sent.header.request = request;
    PIECE("other", 1, 0, false);
    scene_told_nothing(&world);
}

static void no_more_than_files_max_at_once_until_one_is_done_or_given_up(void **unused)
{
    (void) unused;
    uint32_t first = begin(NULL);
    assert_int_not_equal(first, 0);
    assert_int_not_equal(begin(NULL), 0);
    assert_int_equal(begin(NULL), 0);
    client_core_file_stop(world.core, first);
    client_core_file_stop(world.core, 0);
    assert_int_not_equal(begin(NULL), 0);
    assert_int_equal(begin(NULL), 0);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        SENTENCE(pieces_are_told_in_order_and_the_last_one_is_the_last),
        SENTENCE(what_is_lost_is_asked_for_again_and_what_comes_twice_is_told_once),
        SENTENCE(a_late_answer_to_an_earlier_ask_is_not_taken_for_the_next_piece),
        SENTENCE(another_engine_is_asked_when_the_slot_has_moved),
        SENTENCE(a_refusal_for_good_is_told_and_one_for_now_is_not),
        SENTENCE(a_caller_who_does_not_look_loses_nothing),
        SENTENCE(an_answer_that_leads_nowhere_or_to_another_match_is_not_heard),
        SENTENCE(no_more_than_files_max_at_once_until_one_is_done_or_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
