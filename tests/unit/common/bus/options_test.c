/* options_test.c: every option of every kind of socket, read back from libzmq. */
#include "common/bus/bus_help.h"

#include <string.h>
#include <unistd.h>

struct wanted {
    const char *name;
    int         option;
    int         value[4]; /* By enum bus_kind. */
};

#define WANTED(option, ...)                                                                        \
    {                                                                                              \
#option, option,                                                                           \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Columns: ROUTER, XPUB, DEALER, SUB. */
static const struct wanted wanted[] = {
    WANTED(ZMQ_HEARTBEAT_IVL, 500, 500, 0, 0),
    WANTED(ZMQ_HEARTBEAT_TIMEOUT, 1500, 1500, -1, -1),
    WANTED(ZMQ_HEARTBEAT_TTL, 2000, 2000, 0, 0),
    WANTED(ZMQ_HANDSHAKE_IVL, 2000, 2000, 2000, 2000),
    WANTED(ZMQ_SNDTIMEO, 0, 0, 0, 0),
    WANTED(ZMQ_RCVTIMEO, 0, 0, 0, 0),
    WANTED(ZMQ_LINGER, 500, 0, 500, 0),
    WANTED(ZMQ_SNDHWM, 1000, 10000, 1000, 0),
    WANTED(ZMQ_RCVHWM, 0, 0, 0, 0),
    WANTED(ZMQ_BACKLOG, 1024, 1024, 100, 100),
    WANTED(ZMQ_CONNECT_TIMEOUT, 0, 0, 2000, 2000),
    WANTED(ZMQ_RECONNECT_IVL, 100, 100, 100, 100),
    WANTED(ZMQ_RECONNECT_IVL_MAX, 0, 0, 400, 400),
    WANTED(ZMQ_CURVE_SERVER, 1, 1, 0, 0),
    WANTED(ZMQ_MECHANISM, ZMQ_CURVE, ZMQ_CURVE, ZMQ_CURVE, ZMQ_CURVE),
    WANTED(BUS_ZAP_ENFORCE_DOMAIN, 1, 1, 0, 0),
};

static struct bus        *service, *caller;
static struct bus_socket *sockets[4];

static int open_all(void **unused)
{
    (void) unused;
    service = help_bus(NULL);
    caller = help_bus(NULL);
    sockets[BUS_ROUTER] = help_open(service, BUS_ROUTER);
    sockets[BUS_XPUB] = help_open(service, BUS_XPUB);
    sockets[BUS_DEALER] = help_connect(caller, BUS_DEALER, sockets[BUS_ROUTER]);
    sockets[BUS_SUB] = help_connect(caller, BUS_SUB, sockets[BUS_XPUB]);
    return 0;
}

static int close_all(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < 4; i++)
        bus_close(&sockets[i]);
    bus_stop(&caller);
    bus_stop(&service);
    return 0;
}

static void numbers_are_what_the_table_says(void **unused)
{
    (void) unused;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (size_t kind = 0; kind < 4; kind++) {
            int    value = -1;
            size_t size = sizeof value;
            assert_int_equal(zmq_getsockopt(sockets[kind]->handle, wanted[i].option, &value, &size),
                             0);
            if (value != wanted[i].value[kind])
                fail_msg("%s of kind %zu is %d, not %d", wanted[i].name, kind, value,
                         wanted[i].value[kind]);
        }
}

static void no_frame_may_be_longer_than_a_message(void **unused)
{
    (void) unused;
    for (size_t kind = 0; kind < 4; kind++) {
        int64_t limit = -1;
        size_t  size = sizeof limit;
        assert_int_equal(zmq_getsockopt(sockets[kind]->handle, ZMQ_MAXMSGSIZE, &limit, &size), 0);
        if (kind == BUS_XPUB) /* A topic, or a handshake's longest word. */
            assert_true(limit >= 400 && limit < 600);
        else
            assert_true(limit >= BUS_FRAME_MAX + 33 && limit < BUS_FRAME_MAX + 100);
    }
}

static void bound_sockets_have_the_domain_that_is_asked_about(void **unused)
{
    (void) unused;
    for (size_t kind = BUS_ROUTER; kind <= BUS_XPUB; kind++) {
        char   domain[64];
        size_t size = sizeof domain;
        assert_int_equal(zmq_getsockopt(sockets[kind]->handle, ZMQ_ZAP_DOMAIN, domain, &size), 0);
        assert_string_equal(domain, ZAP_DOMAIN);
    }
}

static void expect_key(void *handle, int option, const uint8_t *wanted_key)
{
    uint8_t key[BUS_KEY_SIZE];
    size_t  size = sizeof key;
    assert_int_equal(zmq_getsockopt(handle, option, key, &size), 0);
    assert_memory_equal(key, wanted_key, sizeof key);
}

static void sockets_have_their_own_keys_and_know_whom_they_call(void **unused)
{
    (void) unused;
    for (size_t kind = 0; kind < 4; kind++) {
        const struct bus_keys *own = &sockets[kind]->bus->settings.keys;
        expect_key(sockets[kind]->handle, ZMQ_CURVE_PUBLICKEY, own->public_key);
        expect_key(sockets[kind]->handle, ZMQ_CURVE_SECRETKEY, own->secret_key);
    }
    expect_key(sockets[BUS_DEALER]->handle, ZMQ_CURVE_SERVERKEY, service->settings.keys.public_key);
    expect_key(sockets[BUS_SUB]->handle, ZMQ_CURVE_SERVERKEY, service->settings.keys.public_key);
}

static void nobody_chooses_a_routing_id(void **unused)
{
    (void) unused;
    for (size_t kind = 0; kind < 4; kind++) {
        uint8_t id[256];
        size_t  size = sizeof id;
        assert_int_equal(zmq_getsockopt(sockets[kind]->handle, ZMQ_ROUTING_ID, id, &size), 0);
        assert_int_equal(size, 0);
    }
}

static void high_water_marks_are_settings(void **unused)
{
    (void) unused;
    int                 mark = 0;
    size_t              size = sizeof mark;
    struct bus_settings settings = { .frames_max = 77, .stream_frames_max = 99 };
    struct bus         *bus = help_bus(&settings);
    struct bus_socket  *router = help_open(bus, BUS_ROUTER);
    struct bus_socket  *xpub = help_open(bus, BUS_XPUB);
    assert_int_equal(zmq_getsockopt(router->handle, ZMQ_SNDHWM, &mark, &size), 0);
    assert_int_equal(mark, 77);
    assert_int_equal(zmq_getsockopt(xpub->handle, ZMQ_SNDHWM, &mark, &size), 0);
    assert_int_equal(mark, 99);
    bus_close(&router);
    bus_close(&xpub);
    bus_stop(&bus);
}

#define MANY 200
/* A heartbeat's interval, twice over: what waits for one has seen it. */
#define HEARTBEATS_US 1200000

/* libzmq stops reading from a peer whose messages have no room. When the peer goes, it says goodbye
 * to that connection, and aborts at the next heartbeat it sends there. */
static void who_sends_more_than_is_read_and_goes_stops_nobody(void **unused)
{
    (void) unused;
    struct bus_settings settings = { .frames_max = 4 };
    struct bus         *crowded = help_bus(&settings), *guest = help_bus(NULL);
    struct bus_message  message;
    help_admit(crowded, &guest, 1);
    struct bus_socket *door = help_open(crowded, BUS_ROUTER);
    struct bus_socket *line = help_connect(guest, BUS_DEALER, door);
    assert_true(help_send(line, 0, "first"));
    help_expect(door, &message, "first");
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(help_send(line, 0, "more"));
    (void) usleep(HEARTBEATS_US / 4);
    bus_close(&line);
    bus_stop(&guest);
    (void) usleep(HEARTBEATS_US);
    help_expect(door, &message, "more"); /* We are still here. */
    bus_close(&door);
    bus_stop(&crowded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_what_the_table_says),
        cmocka_unit_test(no_frame_may_be_longer_than_a_message),
        cmocka_unit_test(bound_sockets_have_the_domain_that_is_asked_about),
        cmocka_unit_test(sockets_have_their_own_keys_and_know_whom_they_call),
        cmocka_unit_test(nobody_chooses_a_routing_id),
        cmocka_unit_test(high_water_marks_are_settings),
        cmocka_unit_test(who_sends_more_than_is_read_and_goes_stops_nobody),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
