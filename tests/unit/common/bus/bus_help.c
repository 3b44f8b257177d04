/* bus_help.c: see bus_help.h. */
#include "common/bus/bus_help.h"

#include <string.h>

static bool everything(void *asked, const uint8_t key[BUS_KEY_SIZE], const uint8_t *topic,
                       size_t size)
{
    (void) asked;
    (void) key;
    (void) topic;
    return size > 0;
}

struct bus *help_bus(const struct bus_settings *settings)
{
    struct bus_settings with = { 0 };
    struct text         fault;
    if (settings != NULL)
        with = *settings;
    bus_keys_make(&with.keys, "test");
    struct bus *bus = bus_start(&with, &fault);
    assert_non_null(bus);
    return bus;
}

void help_admit(struct bus *bus, struct bus *const *callers, size_t count)
{
    struct bus_admission list[8];
    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++) {
        memcpy(list[i].key, callers[i]->settings.keys.public_key, BUS_KEY_SIZE);
        list[i].role = CALLER_ROLE;
    }
    assert_true(bus_admit(bus, list, count));
}

struct bus_socket *help_open(struct bus *bus, enum bus_kind kind)
{
    struct text        fault = { 0 };
    struct bus_place   place = { .kind = kind,
                                 .address = "tcp://127.0.0.1:*",
                                 .may_subscribe = everything };
    struct bus_socket *socket = bus_open(bus, &place, &fault);
    assert_string_equal(fault.bytes, "");
    assert_non_null(socket);
    return socket;
}

struct bus_socket *help_connect(struct bus *bus, enum bus_kind kind, const struct bus_socket *to)
{
    struct text        fault = { 0 };
    struct bus_place   place = { .kind = kind,
                                 .address = bus_address(to),
                                 .key = to->bus->settings.keys.public_key };
    struct bus_socket *socket = bus_open(bus, &place, &fault);
    assert_string_equal(fault.bytes, "");
    assert_non_null(socket);
    return socket;
}

bool help_send(struct bus_socket *socket, uint64_t route, const char *bytes)
{
    memcpy(bus_compose(socket, strlen(bytes)), bytes, strlen(bytes));
    return bus_send(socket, route);
}

enum bus_news help_receive(struct bus_socket *socket, struct bus_message *message)
{
    for (int turn = 0; turn < PATIENCE_MS / 100; turn++) {
        if (bus_receive(socket, message) != BUS_NOTHING)
            return message->news;
        (void) bus_wait(&socket, 1, NULL, 0, 100);
    }
    return BUS_NOTHING;
}

void help_expect(struct bus_socket *socket, struct bus_message *message, const char *bytes)
{
    assert_int_equal(help_receive(socket, message), BUS_MESSAGE);
    assert_int_equal(message->size, strlen(bytes));
    assert_memory_equal(message->bytes, bytes, message->size);
}

void *help_raw(struct bus *bus, int type, const struct bus_socket *to, const char *id)
{
    const struct bus_keys *keys = &bus->settings.keys;
    void                  *raw = zmq_socket(bus->context, type);
    int                    none = 0;
    assert_non_null(raw);
    assert_int_equal(zmq_setsockopt(raw, ZMQ_LINGER, &none, sizeof none), 0);
    if (id != NULL)
        assert_int_equal(zmq_setsockopt(raw, ZMQ_ROUTING_ID, id, strlen(id)), 0);
    assert_int_equal(zmq_setsockopt(raw, ZMQ_CURVE_SECRETKEY, keys->secret_key, BUS_KEY_SIZE), 0);
    assert_int_equal(zmq_setsockopt(raw, ZMQ_CURVE_PUBLICKEY, keys->public_key, BUS_KEY_SIZE), 0);
    assert_int_equal(
        zmq_setsockopt(raw, ZMQ_CURVE_SERVERKEY, to->bus->settings.keys.public_key, BUS_KEY_SIZE),
        0);
    assert_int_equal(zmq_connect(raw, bus_address(to)), 0);
    return raw;
}
