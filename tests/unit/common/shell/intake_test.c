/* intake_test.c: what reaches a core and what does not, by rights, by form, and by who is admitted now. */
#include "common/shell/toy.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "wire/names.h"

static struct toy_world world;

static int open_world(void **unused)
{
    (void) unused;
    toy_world_open(&world, NULL);
    toy_world_run(&world);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    toy_world_close(&world);
    return 0;
}

/* Ends the toy and says what it counted. */
static const struct shell_counters *counted(void)
{
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    return shell_counters(world.shell);
}

/* Sends a header and these bytes; `change` may spoil the frame. */
static void send_frame(uint16_t kind, const char *body, size_t size, int spoiled_byte)
{
    struct header header;
    uint8_t      *frame = bus_compose(world.line, HEADER_SIZE + size);
    header_init(&header, kind, NULL);
    header_encode(frame, &header);
    memcpy(frame + HEADER_SIZE, body, size);
    if (spoiled_byte >= 0)
        frame[spoiled_byte] ^= 0x55;
    assert_true(bus_send(world.line, 0));
}

static void a_body_that_is_no_message_is_refused(void **unused)
{
    (void) unused;
    send_frame(KIND(PING), "\x08", 1, -1); /* A number begins, and ends. */
    toy_world_expect_refusal(&world, REFUSAL(MALFORMED));
    send_frame(KIND(PING), "\x7a\x01x", 3, -1); /* A field nobody declared. */
    toy_world_expect_refusal(&world, REFUSAL(MALFORMED));
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    const struct shell_counters *counters = counted();
    assert_int_equal(counters->refused[REFUSED_BODY], 2);
    assert_int_equal(counters->in[KIND(PING)], 1);
}

static void another_version_is_told_which_is_spoken(void **unused)
{
    (void) unused;
    send_frame(KIND(PING), "", 0, 17);
    toy_world_expect_refusal(&world, REFUSAL(VERSION));
    assert_int_equal(counted()->refused[REFUSED_VERSION], 1);
}

static void a_wrong_slot_and_an_unknown_kind_are_refused(void **unused)
{
    (void) unused;
    send_frame(KIND(PING), "", 0, 1); /* A match, and slot 0. */
    toy_world_expect_refusal(&world, REFUSAL(MALFORMED));
    send_frame(999, "", 0, -1);
    toy_world_expect_refusal(&world, REFUSAL(MALFORMED));
    assert_int_equal(counted()->refused[REFUSED_HEADER], 2);
}

static void what_has_no_header_is_dropped_without_a_word(void **unused)
{
    (void) unused;
    assert_true(help_send(world.line, 0, "too short"));
    assert_true(help_send(world.line, 0, ""));
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    assert_int_equal(counted()->refused[REFUSED_SHORT], 2);
}

static void what_a_role_may_not_say_is_refused(void **unused)
{
    (void) unused;
    send_frame(KIND(EXPIRE), "", 0, -1);
    toy_world_expect_refusal(&world, REFUSAL(NOT_YOURS));
    send_frame(KIND(PONG), "", 0, -1);
    toy_world_expect_refusal(&world, REFUSAL(NOT_YOURS));
    toy_world_admit(&world, ROLE(WATCHDOG)); /* At once it may. */
    send_frame(KIND(EXPIRE), "", 0, -1);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    const struct shell_counters *counters = counted();
    assert_int_equal(counters->refused[REFUSED_RIGHTS], 2);
    assert_int_equal(counters->in[KIND(EXPIRE)], 1);
    assert_int_equal(world.toy->events[1].role, ROLE(WATCHDOG));
}

/* Two who refuse each other's refusals would never stop. */
static void a_refusal_is_never_refused(void **unused)
{
    (void) unused;
    send_frame(KIND(REFUSED), "", 0, -1);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    assert_int_equal(counted()->refused[REFUSED_RIGHTS], 1);
}

static void who_is_banned_is_told_so_at_his_next_word(void **unused)
{
    (void) unused;
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    toy_world_ping(&world, TOY_BAN);
    toy_world_ping(&world, 2); /* May be in the same batch; the third is not. */
    uint64_t number = 0;
    (void) toy_world_hear(&world, &number);
    toy_world_ping(&world, 3);
    toy_world_expect_refusal(&world, REFUSAL(BANNED));
    assert_true(counted()->refused[REFUSED_BANNED] >= 1);
}

static void an_answer_that_is_too_long_is_dropped_and_counted(void **unused)
{
    (void) unused;
    toy_world_ping(&world, TOY_HUGE);
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
    assert_int_equal(counted()->too_large, 1);
}

static void readers_come_and_go_as_events_and_hear_what_is_published(void **unused)
{
    (void) unused;
    struct bus_message message;
    uint8_t            topic[TOPIC_SIZE];
    uint8_t            match_id[HEADER_MATCH_SIZE];
    for (size_t i = 0; i < sizeof match_id; i++)
        match_id[i] = (uint8_t) (i + 1);
    header_topic(topic, match_id);
    struct bus_socket *reader =
        help_connect(world.caller, BUS_SUB, world.shell->doors[DOOR_STREAM]);
    bus_listen(reader, topic, 1); /* A client may not read a whole slot. */
    bus_listen(reader, topic, sizeof topic);
    for (int turn = 0; turn < PATIENCE_MS / 50; turn++) {
        toy_world_ping(&world, TOY_PUBLISH);
        if (bus_wait(&reader, 1, NULL, 0, 50))
            break;
    }
    assert_int_equal(help_receive(reader, &message), BUS_MESSAGE);
    assert_memory_equal(message.bytes, topic, sizeof topic);
    bus_close(&reader);
    for (int turn = 0; turn < PATIENCE_MS / 10; turn++) {
        toy_world_ping(&world, 1);
        toy_world_expect(&world, 1);
        if (atomic_load(&world.toy->readers_gone) > 0)
            break;
    }
    assert_int_equal(bus_counters(world.shell->doors[DOOR_STREAM])->refused_topics, 1);
    (void) counted();
    uint32_t came = 0;
    uint32_t gone = 0;
    for (uint32_t i = 0; i < world.toy->event_count; i++) {
        came += world.toy->events[i].kind == EVENT_READER;
        gone += world.toy->events[i].kind == EVENT_READER_GONE;
    }
    assert_int_equal(came, 1);
    assert_int_equal(gone, 1);
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(a_body_that_is_no_message_is_refused),
        IN_A_WORLD(another_version_is_told_which_is_spoken),
        IN_A_WORLD(a_wrong_slot_and_an_unknown_kind_are_refused),
        IN_A_WORLD(what_has_no_header_is_dropped_without_a_word),
        IN_A_WORLD(what_a_role_may_not_say_is_refused),
        IN_A_WORLD(a_refusal_is_never_refused),
        IN_A_WORLD(who_is_banned_is_told_so_at_his_next_word),
        IN_A_WORLD(an_answer_that_is_too_long_is_dropped_and_counted),
        IN_A_WORLD(readers_come_and_go_as_events_and_hear_what_is_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
