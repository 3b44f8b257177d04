/* zap_test.c: the table of admitted keys, changed by one thread while others ask it and connect. */
#include "common/bus/bus_help.h"

#include <pthread.h>
#include <string.h>

#define KEYS 200u
#define TURNS 500u

static struct bus *service;

static int open_bus(void **unused)
{
    (void) unused;
    service = help_bus(NULL);
    return 0;
}

static int close_bus(void **unused)
{
    (void) unused;
    bus_stop(&service);
    return 0;
}

static void fill(struct bus_admission *list, uint32_t count, uint32_t role)
{
    memset(list, 0, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        list[i].key[0] = (uint8_t) (i * 37); /* Not in order. */
        list[i].key[31] = (uint8_t) (i >> 3);
        list[i].key[16] = (uint8_t) i;
        list[i].role = role;
    }
}

static void every_admitted_key_has_its_role_and_no_other_has_one(void **unused)
{
    (void) unused;
    struct bus_admission list[KEYS];
    fill(list, KEYS, 3);
    uint8_t stranger[BUS_KEY_SIZE] = { 99 };
    assert_int_equal(bus_role_of(service, list[0].key), 0);
    assert_true(bus_admit(service, list, KEYS));
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(bus_role_of(service, list[i].key), 3);
    assert_int_equal(bus_role_of(service, stranger), 0);
    assert_true(bus_admit(service, list, KEYS / 2));
    assert_int_equal(bus_role_of(service, list[KEYS - 1].key), 0);
    assert_int_equal(bus_role_of(service, list[0].key), 3);
}

static void *admit_again_and_again(void *argument)
{
    struct bus_admission   list[KEYS];
    const struct bus_keys *keys = argument;
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        fill(list, KEYS, 3 + turn % 2);
        memcpy(list[0].key, keys->public_key, BUS_KEY_SIZE);
        assert_true(bus_admit(service, list, KEYS));
    }
    return NULL;
}

static void the_table_may_change_while_it_is_asked(void **unused)
{
    (void) unused;
    pthread_t            thread;
    struct bus_message   message;
    struct bus_admission list[KEYS];
    struct bus          *caller = help_bus(NULL);
    fill(list, KEYS, 3);
    memcpy(list[0].key, caller->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(service, list, KEYS));
    struct bus_socket *door = help_open(service, BUS_ROUTER);
    assert_int_equal(pthread_create(&thread, NULL, admit_again_and_again, &caller->settings.keys),
                     0);
    for (int turn = 0; turn < 10; turn++) {
        struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
        assert_true(help_send(line, 0, "hello"));
        help_expect(door, &message, "hello");
        uint32_t role = bus_role_of(service, message.key);
        assert_true(role == 3 || role == 4);
        bus_close(&line);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    bus_close(&door);
    bus_stop(&caller);
}

/* What libzmq would never say is refused, not believed. */
static void a_question_that_is_none_is_answered_no(void **unused)
{
    (void) unused;
    static const char *const odd[][8] = {
        { "1.0", "1", "arbiter", "address", "", "CURVE", "short key", NULL },
        { "2.0", "1", "arbiter", "address", "", "CURVE", "0123456789abcdef0123456789abcdef", NULL },
        { "1.0", "1", "other", "address", "", "CURVE", "0123456789abcdef0123456789abcdef", NULL },
        { "1.0", "1", "arbiter", "address", "", "PLAIN", "name", "password" },
        { "1.0", "1", "arbiter", "address", "", "NULL", NULL },
        { "1.0", NULL },
    };
    struct bus_admission one = { .key = "0123456789abcdef0123456789abcde", .role = 3 };
    one.key[31] = 'f';
    assert_true(bus_admit(service, &one, 1));
    void *asking = zmq_socket(service->context, ZMQ_REQ);
    assert_int_equal(zmq_connect(asking, "inproc://zeromq.zap.01"), 0);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (size_t frame = 0; frame < 8 && odd[i][frame] != NULL; frame++) {
            bool is_more = frame < 7 && odd[i][frame + 1] != NULL;
            assert_true(zmq_send(asking, odd[i][frame], strlen(odd[i][frame]),
                                 is_more ? ZMQ_SNDMORE : 0) >= 0);
        }
        char status[8] = "";
        char spare[64];
        assert_int_equal(zmq_recv(asking, spare, sizeof spare, 0), 3);
        assert_true(zmq_recv(asking, spare, sizeof spare, 0) >= 0);
        assert_int_equal(zmq_recv(asking, status, sizeof status, 0), 3);
        assert_memory_equal(status, "400", 3);
        for (int frame = 0; frame < 3; frame++)
            assert_true(zmq_recv(asking, spare, sizeof spare, 0) >= 0);
    }
    assert_int_equal(zmq_close(asking), 0);
}

#define WITH_BUS(test) cmocka_unit_test_setup_teardown(test, open_bus, close_bus)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BUS(every_admitted_key_has_its_role_and_no_other_has_one),
        WITH_BUS(the_table_may_change_while_it_is_asked),
        WITH_BUS(a_question_that_is_none_is_answered_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
