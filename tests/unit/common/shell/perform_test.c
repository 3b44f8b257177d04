/* perform_test.c: connections a core asks for, and the beat that watchdogs hear beside them. */
#include "common/shell/toy.h"

#include <string.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "wire/names.h"

static struct toy_world   world;
static struct bus        *other; /* Another service, with two doors. */
static struct bus_socket *requests, *stream;

static void know_the_other(struct toy_world *changed)
{
    struct bus_admission admission = { .role = ROLE(ENGINE) };
    other = help_bus(NULL);
    memcpy(admission.key, changed->bus->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(other, &admission, 1));
    requests = help_open(other, BUS_ROUTER);
    stream = help_open(other, BUS_XPUB);
    changed->toy->peer_requests = bus_address(requests);
    changed->toy->peer_stream = bus_address(stream);
    changed->toy->peer_key = other->settings.keys.public_key;
    changed->settings.beats = true;
}

static int open_world(void **unused)
{
    (void) unused;
    toy_world_open(&world, know_the_other);
    toy_world_run(&world);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    toy_world_close(&world);
    bus_close(&requests);
    bus_close(&stream);
    bus_stop(&other);
    return 0;
}

static uint32_t peer_events(uint64_t route)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world.toy->event_count; i++)
        count += world.toy->events[i].kind == EVENT_MESSAGE &&
                 world.toy->events[i].door == DOOR_PEER && world.toy->events[i].route == route;
    return count;
}

/* A pong to the toy, back on the route or to those who listen. */
static void say_pong(struct bus_socket *socket, uint64_t route)
{
    struct header header;
    uint8_t      *frame = bus_compose(socket, HEADER_SIZE);
    header_init(&header, KIND(PONG), NULL);
    header_encode(frame, &header);
    assert_true(bus_send(socket, route));
}

static void a_core_speaks_and_listens_over_connections_of_its_own(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct bus_message reader;
    toy_world_ping(&world, TOY_CONNECT);
    assert_int_equal(help_receive(requests, &message), BUS_MESSAGE);
    assert_memory_equal(message.key, world.bus->settings.keys.public_key, BUS_KEY_SIZE);
    assert_int_equal(help_receive(stream, &reader), BUS_READER);
    assert_int_equal(reader.size, TOPIC_SIZE);
    say_pong(requests, message.route);
    say_pong(stream, 0);
    for (uint64_t nonce = 1; nonce <= 20; nonce++) {
        toy_world_ping(&world, nonce);
        toy_world_expect(&world, nonce);
        (void) bus_wait(&world.line, 1, NULL, 0, 10);
    }
    toy_world_ping(&world, TOY_DISCONNECT);
    assert_int_equal(help_receive(stream, &reader), BUS_READER_GONE);
    shell_stop(world.shell);
    assert_int_equal(toy_world_end(&world), SHELL_DONE);
    assert_int_equal(peer_events(5), 1);
    assert_int_equal(peer_events(6), 1);
}

/* And what the core says to it goes out. */
static void a_core_is_told_of_a_connection_that_was_lost(void **unused)
{
    (void) unused;
    struct bus_message reader;
    toy_world_ping(&world, TOY_CONNECT);
    assert_int_equal(help_receive(stream, &reader), BUS_READER);
    bus_close(&stream);
    toy_world_expect(&world, 6); /* That connection, and not the one to the other door. */
    toy_world_ping(&world, 1);
    toy_world_expect(&world, 1);
}

/* Makes the other one what this role is, in the toy's world, beside the caller. */
static void admit_both(uint32_t role)
{
    struct bus_admission list[2] = { { .role = ROLE(CLIENT) }, { .role = role } };
    memcpy(list[0].key, world.caller->settings.keys.public_key, BUS_KEY_SIZE);
    memcpy(list[1].key, other->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(world.bus, list, 2));
}

static void a_watchdog_hears_that_the_process_lives(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct header      header = { 0 };
    admit_both(ROLE(WATCHDOG));
    toy_world_ping(&world, TOY_CONNECT);
    for (uint64_t expected = 1; expected <= 2;) {
        assert_int_equal(help_receive(requests, &message), BUS_MESSAGE);
        assert_int_equal(header_decode(&header, message.bytes, message.size), HEADER_GOOD);
        if (header.kind != KIND(BEAT))
            continue; /* The core's own ping. */
        Arbiter__Watchdog__Beat *beat = arbiter__watchdog__beat__unpack(
            NULL, message.size - HEADER_SIZE, message.bytes + HEADER_SIZE);
        assert_non_null(beat);
        assert_string_equal(beat->name, "toy-1");
        assert_int_equal(beat->role, ROLE(ENGINE));
        assert_true(beat->started_ms > 0);
        assert_true(beat->memory_bytes > 0);
        assert_false(beat->has_commit_ms);
        if (expected == 2)
            assert_true(beat->beat > 1);
        arbiter__watchdog__beat__free_unpacked(beat, NULL);
        expected++;
    }
}

static void who_is_no_watchdog_hears_no_beat(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct header      header = { 0 };
    admit_both(ROLE(LOBBY));
    toy_world_ping(&world, TOY_CONNECT);
    assert_int_equal(help_receive(requests, &message), BUS_MESSAGE);
    (void) bus_wait(&requests, 1, NULL, 0, 2500); /* Two beats' time. */
    while (bus_receive(requests, &message) == BUS_MESSAGE) {
        assert_int_equal(header_decode(&header, message.bytes, message.size), HEADER_GOOD);
        assert_int_not_equal(header.kind, KIND(BEAT));
    }
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(a_core_speaks_and_listens_over_connections_of_its_own),
        IN_A_WORLD(a_core_is_told_of_a_connection_that_was_lost),
        IN_A_WORLD(a_watchdog_hears_that_the_process_lives),
        IN_A_WORLD(who_is_no_watchdog_hears_no_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
