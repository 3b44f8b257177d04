/* bus_test.c: the bus over real sockets: who is let in, what is dropped, and that nothing ever waits. */
#include "common/bus/bus_help.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct bus        *service, *caller;
static struct bus_socket *door;

static int open_both(void **unused)
{
    (void) unused;
    struct bus_settings small = { .frames_max = 8 };
    service = help_bus(&small);
    caller = help_bus(&small);
    help_admit(service, &caller, 1);
    door = help_open(service, BUS_ROUTER);
    return 0;
}

static int close_both(void **unused)
{
    (void) unused;
    bus_close(&door);
    bus_stop(&caller);
    bus_stop(&service);
    return 0;
}

static void a_message_bears_the_key_its_sender_proved_and_an_answer_finds_him(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "who am I?"));
    help_expect(door, &message, "who am I?");
    assert_memory_equal(message.key, caller->settings.keys.public_key, BUS_KEY_SIZE);
    assert_int_equal(bus_role_of(service, message.key), CALLER_ROLE);
    assert_true(help_send(door, message.route, "the caller"));
    help_expect(line, &message, "the caller");
    assert_memory_equal(message.key, service->settings.keys.public_key, BUS_KEY_SIZE);
    bus_close(&line);
}

static void who_is_not_admitted_stays_out_until_he_is(void **unused)
{
    (void) unused;
    uint64_t           admitted = 0;
    uint64_t           refused = 0;
    struct bus_message message;
    struct bus        *stranger = help_bus(NULL);
    struct bus_socket *line = help_connect(stranger, BUS_DEALER, door);
    for (int turn = 0; turn < PATIENCE_MS / 10 && refused < 2; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        (void) bus_mend(line); /* He tries again and again. */
        assert_int_equal(bus_receive(door, &message), BUS_NOTHING);
        bus_handshakes(service, &admitted, &refused);
    }
    assert_true(refused >= 2);
    assert_int_equal(admitted, 0);
    help_admit(service, &stranger, 1); /* He had only come too early. */
    for (int turn = 0; turn < PATIENCE_MS / 10 && admitted == 0; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        (void) bus_mend(line);
        bus_handshakes(service, &admitted, &refused);
    }
    assert_true(help_send(line, 0, "here I am"));
    help_expect(door, &message, "here I am");
    assert_true(bus_counters(line)->turned_away >= 2);
    bus_close(&line);
    bus_stop(&stranger);
}

static void a_connection_that_is_lost_is_told_of_once(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    bool               was_cut = false;
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    assert_false(bus_mend(line));
    assert_false(bus_was_cut(line));
    bus_close(&door);
    for (int turn = 0; turn < PATIENCE_MS / 10 && !was_cut; turn++) {
        (void) bus_wait(&line, 1, NULL, 0, 10);
        assert_false(bus_mend(line)); /* Nobody turned us away. */
        was_cut = bus_was_cut(line);
    }
    assert_true(was_cut);
    assert_false(bus_was_cut(line));
    bus_close(&line);
}

static void a_key_loses_its_role_at_once_and_keeps_nothing_by_staying(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "first"));
    help_expect(door, &message, "first");
    help_admit(service, NULL, 0);
    assert_true(help_send(line, 0, "second"));
    help_expect(door, &message, "second"); /* The handshake is over: only the role tells. */
    assert_int_equal(bus_role_of(service, message.key), 0);
    bus_close(&line);
}

static void the_lock_is_tried_from_outside(void **unused)
{
    (void) unused;
    struct text        fault = { 0 };
    uint64_t           admitted = 0;
    uint64_t           refused = 0;
    struct bus_socket *stream = help_open(service, BUS_XPUB);
    assert_true(bus_prove(door, &fault));
    assert_true(bus_prove(stream, &fault));
    bus_close(&stream);
    bus_handshakes(service, &admitted, &refused);
    assert_int_equal(admitted, 0);
    assert_true(refused >= 2);
}

/* CURVE as its manual has it: encrypted, and open to the whole world. */
static void a_lock_that_lets_strangers_in_is_noticed(void **unused)
{
    (void) unused;
    struct text       fault = { 0 };
    struct bus        naive = { .settings = service->settings, .context = zmq_ctx_new() };
    struct bus_socket open_door = { .bus = &naive };
    size_t            size = sizeof open_door.address;
    int               yes = 1;
    open_door.handle = zmq_socket(naive.context, ZMQ_ROUTER);
    assert_int_equal(zmq_setsockopt(open_door.handle, ZMQ_CURVE_SERVER, &yes, sizeof yes), 0);
    assert_int_equal(zmq_setsockopt(open_door.handle, ZMQ_CURVE_SECRETKEY,
                                    service->settings.keys.secret_key, BUS_KEY_SIZE),
                     0);
    assert_int_equal(zmq_bind(open_door.handle, "tcp://127.0.0.1:*"), 0);
    assert_int_equal(zmq_getsockopt(open_door.handle, ZMQ_LAST_ENDPOINT, open_door.address, &size),
                     0);
    assert_false(bus_prove(&open_door, &fault));
    assert_non_null(strstr(fault.bytes, "was let in"));
    assert_int_equal(zmq_close(open_door.handle), 0);
    assert_int_equal(zmq_ctx_term(naive.context), 0);
}

/* What was dropped before the message that follows it. */
static void expect_after(void *raw, const char *bytes)
{
    struct bus_message message;
    assert_true(zmq_send(raw, bytes, strlen(bytes), 0) >= 0);
    help_expect(door, &message, bytes);
}

static void messages_of_several_frames_are_dropped_and_counted(void **unused)
{
    (void) unused;
    void *raw = help_raw(caller, ZMQ_DEALER, door, NULL);
    for (int message = 0; message < 3; message++) {
        for (int frame = 0; frame < 500; frame++)
            assert_true(zmq_send(raw, "more", 4, ZMQ_SNDMORE) >= 0);
        assert_true(zmq_send(raw, "last", 4, 0) >= 0);
    }
    expect_after(raw, "one frame");
    assert_int_equal(bus_counters(door)->more_frames, 3);
    assert_int_equal(bus_counters(door)->received, 1);
    assert_int_equal(zmq_close(raw), 0);
}

static void who_chooses_his_own_route_is_not_heard(void **unused)
{
    (void) unused;
    void *liar = help_raw(caller, ZMQ_DEALER, door, "impostor");
    void *long_liar = help_raw(caller, ZMQ_DEALER, door, "five!");
    void *honest = help_raw(caller, ZMQ_DEALER, door, NULL);
    assert_true(zmq_send(liar, "hear me", 7, 0) >= 0);
    assert_true(zmq_send(long_liar, "hear me", 7, 0) >= 0);
    for (int turn = 0; turn < PATIENCE_MS / 10 && bus_counters(door)->foreign_routes < 2; turn++) {
        struct bus_message message;
        (void) bus_wait(&door, 1, NULL, 0, 10);
        assert_int_equal(bus_receive(door, &message), BUS_NOTHING);
    }
    assert_int_equal(bus_counters(door)->foreign_routes, 2);
    expect_after(honest, "me");
    assert_int_equal(zmq_close(liar), 0);
    assert_int_equal(zmq_close(long_liar), 0);
    assert_int_equal(zmq_close(honest), 0);
}

static void a_frame_that_is_too_long_ends_its_connection(void **unused)
{
    (void) unused;
    static uint8_t     frame[BUS_FRAME_MAX + 100];
    struct bus_message message;
    void              *raw = help_raw(caller, ZMQ_DEALER, door, NULL);
    assert_true(zmq_send(raw, frame, BUS_FRAME_MAX, 0) >= 0);
    assert_int_equal(help_receive(door, &message), BUS_MESSAGE);
    assert_int_equal(message.size, BUS_FRAME_MAX);
    assert_true(zmq_send(raw, frame, BUS_FRAME_MAX + 1, 0) >= 0); /* Within CURVE's allowance. */
    assert_true(zmq_send(raw, frame, BUS_FRAME_MAX + 100, 0) >= 0);
    uint64_t admitted = 0;
    uint64_t refused = 0;
    for (int turn = 0; turn < PATIENCE_MS / 10 && admitted < 2; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        assert_int_equal(bus_receive(door, &message), BUS_NOTHING);
        bus_handshakes(service, &admitted, &refused);
    }
    assert_int_equal(bus_counters(door)->too_large, 1);
    assert_true(admitted >= 2); /* Cut off, the client came back. */
    assert_int_equal(zmq_close(raw), 0);
}

static void who_does_not_read_is_given_up_and_forgiven_at_his_next_hello(void **unused)
{
    (void) unused;
    static const char  filler[60000] = { 1 };
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    uint64_t route = message.route;
    for (int turn = 0; turn < 100000 && bus_counters(door)->ignored < 10; turn++) {
        memcpy(bus_compose(door, sizeof filler), filler, sizeof filler);
        (void) bus_send(door, route);
    }
    const struct bus_counters *counters = bus_counters(door);
    assert_int_equal(counters->ignored, 10);
    assert_true(counters->full >= BUS_FAILURES_MAX);
    uint64_t full = counters->full;
    bus_forgive(door, route);
    bool is_sent = help_send(door, route, "again"); /* There may be room by now. */
    assert_int_equal(counters->full, is_sent ? full : full + 1);
    assert_int_equal(counters->ignored, 10);
    bus_close(&line);
}

static void an_answer_to_nobody_is_counted(void **unused)
{
    (void) unused;
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    uint64_t route = message.route;
    bus_close(&line);
    for (int turn = 0; turn < PATIENCE_MS / 10 && bus_counters(door)->gone == 0; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        (void) bus_receive(door, &message);
        (void) help_send(door, route, "are you there?");
    }
    assert_int_equal(bus_counters(door)->gone, 1);
}

/* A caller in a process of its own says hello and is stopped, as a laptop is by its lid. */
static pid_t start_one_who_will_be_stopped(const struct bus_keys *keys, const uint8_t *key,
                                           int address_from)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    char                address[BUS_ADDRESS_MAX] = { 0 };
    struct text         fault;
    struct bus_settings settings = { .keys = *keys };
    if (read(address_from, address, sizeof address - 1) <= 0)
        _exit(1);
    struct bus        *bus = bus_start(&settings, &fault);
    struct bus_place   place = { .kind = BUS_DEALER, .address = address, .key = key };
    struct bus_socket *line = bus_open(bus, &place, &fault);
    (void) help_send(line, 0, "hello");
    for (;;)
        (void) pause();
}

static void a_stopped_process_blocks_nothing_and_is_dropped(void **unused)
{
    (void) unused;
    int                 ends[2];
    struct bus_keys     keys;
    struct bus_settings settings = { .frames_max = 8 };
    struct text         fault;
    struct bus_message  message;
    bus_keys_make(&keys, "stopped");
    bus_keys_make(&settings.keys, "service");
    assert_int_equal(pipe(ends), 0);
    pid_t       process = start_one_who_will_be_stopped(&keys, settings.keys.public_key, ends[0]);
    struct bus *bus = bus_start(&settings, &fault);
    struct bus_admission admission = { .role = CALLER_ROLE };
    memcpy(admission.key, keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(bus, &admission, 1));
    struct bus_socket *router = help_open(bus, BUS_ROUTER);
    assert_true(write(ends[1], bus_address(router), strlen(bus_address(router)) + 1) > 0);
    help_expect(router, &message, "hello");
    assert_int_equal(kill(process, SIGSTOP), 0);
    for (int turn = 0; turn < PATIENCE_MS && bus_counters(router)->gone == 0; turn++) {
        struct bus_message none;
        for (int i = 0; i < 100; i++)
            (void) help_send(router, message.route, "an answer nobody fetches");
        (void) bus_wait(&router, 1, NULL, 0, 1);
        (void) bus_receive(router, &none);
        if (turn % 100 == 99)
            bus_forgive(router, message.route);
    }
    assert_true(bus_counters(router)->full > 0);
    assert_true(bus_counters(router)->gone > 0);
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, NULL, 0), process);
    (void) close(ends[0]);
    (void) close(ends[1]);
    bus_close(&router);
    bus_stop(&bus);
}

/* A child has no threads of its parent's: what it starts is its own, and its parent's goes on. */
static void a_child_begins_anew(void **unused)
{
    (void) unused;
    pid_t child = fork();
    if (child == 0) {
        struct bus        *own = help_bus(NULL);
        struct bus_socket *other = help_open(own, BUS_ROUTER);
        struct sigaction   action;
        struct text        fault;
        bool               is_good = bus_prove(other, &fault);
        bus_close(&other);
        bus_stop(&own);
        is_good = is_good && sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
        zsys_shutdown(); /* As at the end of a program; not its end itself, at which the parent's memory would be missed. */
        _exit(is_good ? 0 : 1);
    }
    int         status;
    struct text fault;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(bus_prove(door, &fault));
}

static void a_door_without_keys_opens_on_loopback_only(void **unused)
{
    (void) unused;
    struct text         fault = { 0 };
    struct bus_settings settings = { .is_plain = true };
    struct bus         *plain = help_bus(&settings);
    struct bus_place    place = { .kind = BUS_ROUTER, .address = "tcp://0.0.0.0:*" };
    assert_null(bus_open(plain, &place, &fault));
    assert_string_equal(fault.bytes,
                        "a door without keys opens on loopback only, not on tcp://0.0.0.0:*");
    struct bus_socket *inner = help_open(plain, BUS_ROUTER);
    struct bus_socket *line = help_connect(plain, BUS_DEALER, inner);
    struct bus_message message;
    uint8_t            zeros[BUS_KEY_SIZE] = { 0 };
    assert_true(help_send(line, 0, "anybody"));
    help_expect(inner, &message, "anybody");
    assert_memory_equal(message.key, zeros, sizeof zeros);
    bus_close(&line);
    bus_close(&inner);
    bus_stop(&plain);
}

static void an_address_that_is_none_is_named(void **unused)
{
    (void) unused;
    struct text      fault = { 0 };
    struct bus_place place = { .kind = BUS_ROUTER, .address = "nowhere" };
    assert_null(bus_open(service, &place, &fault));
    assert_string_equal(fault.bytes, "cannot listen on nowhere: Invalid argument");
}

#define WITH_BOTH(test) cmocka_unit_test_setup_teardown(test, open_both, close_both)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_process_blocks_nothing_and_is_dropped),
        WITH_BOTH(a_message_bears_the_key_its_sender_proved_and_an_answer_finds_him),
        WITH_BOTH(who_is_not_admitted_stays_out_until_he_is),
        WITH_BOTH(a_connection_that_is_lost_is_told_of_once),
        WITH_BOTH(a_key_loses_its_role_at_once_and_keeps_nothing_by_staying),
        WITH_BOTH(the_lock_is_tried_from_outside),
        WITH_BOTH(a_lock_that_lets_strangers_in_is_noticed),
        WITH_BOTH(messages_of_several_frames_are_dropped_and_counted),
        WITH_BOTH(who_chooses_his_own_route_is_not_heard),
        WITH_BOTH(a_frame_that_is_too_long_ends_its_connection),
        WITH_BOTH(who_does_not_read_is_given_up_and_forgiven_at_his_next_hello),
        WITH_BOTH(an_answer_to_nobody_is_counted),
        WITH_BOTH(an_address_that_is_none_is_named),
        WITH_BOTH(a_child_begins_anew),
        cmocka_unit_test(a_door_without_keys_opens_on_loopback_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
