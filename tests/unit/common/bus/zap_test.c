/* zap_test.c: the table of admitted keys, changed by one thread while others ask it and connect. */
#include "common/bus/bus_help.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    struct bus_socket *door = help_open(service, BUS_ROUTER);
    void              *asking = zmq_socket(service->context, ZMQ_REQ);
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
    bus_close(&door);
}

/* A player's program has one thread less. */
static void a_bus_that_only_connects_has_no_actor(void **unused)
{
    (void) unused;
    struct bus_settings  plain = { .is_plain = true };
    struct bus          *open_house = help_bus(&plain), *caller = help_bus(NULL);
    struct bus_admission one = { .role = 3 };
    memcpy(one.key, caller->settings.keys.public_key, BUS_KEY_SIZE);
    assert_true(bus_admit(service, &one, 1));
    struct bus_socket *door = help_open(service, BUS_ROUTER);
    struct bus_socket *more = help_open(service, BUS_XPUB);
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    struct bus_socket *plain_door = help_open(open_house, BUS_ROUTER);
    struct bus_message message;
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    assert_non_null(service->zap.actor);
    assert_null(caller->zap.actor);
    assert_null(open_house->zap.actor);
    bus_close(&plain_door);
    bus_close(&line);
    bus_close(&more);
    bus_close(&door);
    bus_stop(&open_house);
    bus_stop(&caller);
}

/* CZMQ would catch SIGINT and SIGTERM, and log to the standard output. */
static void czmq_takes_neither_signals_nor_the_standard_output(void **unused)
{
    (void) unused;
    char             said[64] = "";
    struct sigaction before[2], after[2];
    FILE            *heard = tmpfile();
    int              own = dup(STDOUT_FILENO);
    (void) fflush(stdout);
    assert_true(heard != NULL && dup2(fileno(heard), STDOUT_FILENO) >= 0);
    assert_int_equal(sigaction(SIGINT, NULL, &before[0]) + sigaction(SIGTERM, NULL, &before[1]), 0);
    struct bus_socket *door = help_open(service, BUS_ROUTER);
    zsys_error("something that nobody asked about");
    assert_int_equal(sigaction(SIGINT, NULL, &after[0]) + sigaction(SIGTERM, NULL, &after[1]), 0);
    bus_close(&door);
    assert_true(dup2(own, STDOUT_FILENO) >= 0);
    assert_int_equal(close(own), 0);
    rewind(heard);
    assert_null(fgets(said, sizeof said, heard));
    assert_int_equal(fclose(heard), 0);
    for (int i = 0; i < 2; i++)
        assert_true(before[i].sa_handler == SIG_DFL && after[i].sa_handler == SIG_DFL);
}

static void *open_a_door(void *unused)
{
    (void) unused;
    return help_open(service, BUS_ROUTER);
}

static void doors_that_open_at_once_share_one_actor(void **unused)
{
    (void) unused;
    pthread_t threads[8];
    void     *doors[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_a_door, NULL), 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_join(threads[i], &doors[i]), 0);
    struct text fault;
    for (int i = 0; i < 8; i++)
        assert_true(bus_prove(doors[i], &fault));
    for (int i = 0; i < 8; i++)
        bus_close(&(struct bus_socket *){ doors[i] });
}

#define WITH_BUS(test) cmocka_unit_test_setup_teardown(test, open_bus, close_bus)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BUS(every_admitted_key_has_its_role_and_no_other_has_one),
        WITH_BUS(the_table_may_change_while_it_is_asked),
        WITH_BUS(a_question_that_is_none_is_answered_no),
        WITH_BUS(a_bus_that_only_connects_has_no_actor),
        WITH_BUS(czmq_takes_neither_signals_nor_the_standard_output),
        WITH_BUS(doors_that_open_at_once_share_one_actor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
