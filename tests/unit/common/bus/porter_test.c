/* porter_test.c: who may knock how often, what a caller may bring, and who is shown out; topics
 * given back. */
#include "common/bus/bus_help.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus/blind.h"
#include "bus/holders.h"
#include "bus/porter.h"

/* Other addresses of this machine. What one has spent in a test it has spent for the others, too. */
#define STRANGER 0x7f000007u
#define FLOODER 0x7f000008u
#define CROWD 0x7f000009u
#define MAPPED 0x7f00000au
#define MAPPED_TOO 0x7f00000cu
#define LATE 0x7f00000bu

static struct bus        *service, *caller;
static struct bus_socket *door;

static int begin_with(const struct porter_limits *limits)
{
    struct bus_settings settings = { .porter = *limits };
    service = help_bus(&settings);
    caller = help_bus(NULL);
    help_admit(service, &caller, 1);
    door = help_open(service, BUS_ROUTER);
    return 0;
}

static int end(void **unused)
{
    const struct porter_limits none = { 0 };
    (void) unused;
    bus_close(&door);
    bus_stop(&caller);
    bus_stop(&service);
    porter_set_limits(&none);
    return 0;
}

static struct porter_counters counted(void)
{
    struct porter_counters counters;
    porter_counts(&counters);
    return counters;
}

/* A connection without a word, or its beginning: whether somebody answers is not waited for. */
static int knock_from(const struct bus_socket *at, uint32_t source)
{
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(source) };
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    to.sin_port = htons((uint16_t) strtoul(strrchr(bus_address(at), ':') + 1, NULL, 10));
    int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_true(file >= 0);
    assert_int_equal(bind(file, (const struct sockaddr *) &from, sizeof from), 0);
    assert_true(connect(file, (const struct sockaddr *) &to, sizeof to) == 0 ||
                errno == EINPROGRESS);
    return file;
}

static void wait_until(uint64_t (*counter)(void), uint64_t wanted)
{
    struct bus_message message;
    for (int turn = 0; turn < PATIENCE_MS / 10 && counter() < wanted; turn++) {
        (void) bus_receive(door, &message);
        (void) bus_wait(&door, 1, NULL, 0, 10);
    }
    assert_true(counter() >= wanted);
}

static uint64_t knocks(void)
{
    return counted().let_in + counted().turned_away;
}

static uint64_t drowned(void)
{
    return counted().drowned;
}

static uint64_t hung_up(void)
{
    return counted().hung_up;
}

static void expect_answer(void)
{
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    bus_close(&line);
}

static void a_source_may_knock_so_often_and_others_do_not_pay(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 0 });
    struct porter_counters before = counted();
    int                    files[20];
    for (int i = 0; i < 20; i++)
        files[i] = knock_from(door, STRANGER);
    wait_until(knocks, before.let_in + before.turned_away + 20);
    assert_int_equal(counted().let_in - before.let_in, 4);
    assert_int_equal(counted().turned_away - before.turned_away, 16);
    expect_answer();
    for (int i = 0; i < 20; i++)
        (void) close(files[i]);
}

static uint64_t dropped(void)
{
    return counted().dropped;
}

/* Knocks until the source is barred; how often it was let in meanwhile. */
static uint64_t flood(uint32_t source)
{
    struct porter_counters before = counted();
    for (int i = 0; i < 100000 && counted().barred == before.barred; i++)
        (void) close(knock_from(door, source));
    assert_int_equal(counted().barred, before.barred + 1);
    assert_true(counted().turned_away - before.turned_away >= 64);
    return counted().let_in - before.let_in;
}

static void a_flood_is_not_even_heard_until_it_is_over(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 100 });
    assert_true(flood(FLOODER) >= 4);
    struct porter_counters before = counted();
    int                    files[8];
    for (int i = 0; i < 8; i++)
        files[i] = knock_from(door, FLOODER);
    wait_until(dropped, before.dropped + 4);
    expect_answer(); /* From another address. */
    for (int i = 0; i < 8; i++)
        (void) close(files[i]);
    before = counted();
    for (int turn = 0; turn < PATIENCE_MS / 10 && counted().let_in == before.let_in; turn++) {
        (void) close(knock_from(door, FLOODER));
        (void) bus_wait(&door, 1, NULL, 0, 10);
    }
    assert_int_equal(counted().let_in, before.let_in + 1);
}

static void who_lives_where_a_flood_comes_from_stays_and_comes_back(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 16 });
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    (void) flood(INADDR_LOOPBACK);
    assert_true(help_send(line, 0, "still here"));
    help_expect(door, &message, "still here");
    expect_answer(); /* A new connection, when the kernel knocks again, or libzmq does. */
    bus_close(&line);
}

static void doors_that_are_closed_make_room_for_others(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 1 });
    for (uint32_t i = 0; i <= BLIND_DOORS_MAX; i++) {
        bus_close(&door);
        door = help_open(service, BUS_ROUTER);
    }
    (void) flood(LATE);
    int      files[2] = { knock_from(door, LATE), knock_from(door, LATE) };
    uint64_t before = dropped();
    (void) close(knock_from(door, LATE));
    wait_until(dropped, before + 1);
    for (int i = 0; i < 2; i++)
        (void) close(files[i]);
}

/* What is turned away at such a pace costs little, and is forgiven. */
static void who_knocks_too_often_but_floods_nobody_is_not_barred(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 1000 });
    struct porter_counters before = counted();
    for (int round = 0; round < 10000 && counted().turned_away < before.turned_away + 128;
         round++) {
        uint64_t heard = knocks();
        int      files[20];
        for (int i = 0; i < 20; i++)
            files[i] = knock_from(door, CROWD);
        wait_until(knocks, heard + 20);
        for (int i = 0; i < 20; i++)
            (void) close(files[i]);
        (void) usleep(10000); /* Ten tokens, and forty are forgiven. */
    }
    assert_true(counted().turned_away >= before.turned_away + 128);
    assert_int_equal(counted().barred, before.barred);
}

static void who_proves_a_key_may_come_as_often_as_he_likes(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 0 });
    for (int i = 0; i < 20; i++)
        expect_answer();
}

static void bytes_that_are_no_message_end_a_connection(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .unheard_bytes = 1u << 20 });
    struct porter_counters before = counted();
    uint8_t                bytes[8192] = { 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3 };
    void                  *raw = help_raw(caller, ZMQ_DEALER, door, NULL);
    /* A message is flushed when it is whole; so its frames are as large as they may be, and many. */
    for (int i = 0; i < 600; i++)
        assert_true(zmq_send(raw, bytes, sizeof bytes, i < 599 ? ZMQ_SNDMORE : 0) > 0);
    wait_until(drowned, before.drowned + 1);
    assert_int_equal(bus_counters(door)->more_frames, 0);
    assert_int_equal(zmq_close(raw), 0);
    expect_answer();
}

static void messages_in_any_number_drown_nobody(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ .unheard_bytes = 1u << 18 });
    struct porter_counters before = counted();
    struct bus_socket     *line = help_connect(caller, BUS_DEALER, door);
    struct bus_message     message;
    for (int i = 0; i < 200; i++) {
        memset(bus_compose(line, 8000), 1, 8000);
        assert_true(bus_send(line, 0));
        assert_int_equal(help_receive(door, &message), BUS_MESSAGE);
    }
    assert_int_equal(counted().drowned, before.drowned);
    bus_close(&line);
}

static void who_sends_two_frames_again_and_again_is_shown_out(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ 0 });
    struct porter_counters before = counted();
    void                  *raw = help_raw(caller, ZMQ_DEALER, door, NULL);
    for (uint32_t i = 0; i < PORTER_MISDEEDS_MAX; i++) {
        assert_int_equal(zmq_send(raw, "a", 1, ZMQ_SNDMORE), 1);
        assert_int_equal(zmq_send(raw, "b", 1, 0), 1);
    }
    wait_until(hung_up, before.hung_up + 1);
    assert_int_equal(bus_counters(door)->more_frames, PORTER_MISDEEDS_MAX);
    assert_int_equal(zmq_close(raw), 0);
}

static void a_banned_ones_connections_end_at_the_second_look(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ 0 });
    struct bus_message message;
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "hello"));
    help_expect(door, &message, "hello");
    assert_int_equal(bus_sweep(service), 0);
    help_admit(service, NULL, 0);
    assert_int_equal(bus_sweep(service), 0);
    assert_int_equal(bus_sweep(service), 1);
    assert_int_equal(bus_sweep(service), 0);
    help_admit(service, &caller, 1);
    bus_close(&line);
    expect_answer();
}

static void who_is_shut_out_stays_out_for_a_while(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ 0 });
    uint64_t admitted = 0, refused = 0;
    bus_shut_out(service, caller->settings.keys.public_key, 300);
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    struct bus_message message;
    assert_true(help_send(line, 0, "hello"));
    for (int turn = 0; turn < 200 && refused == 0; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        bus_handshakes(service, &admitted, &refused);
    }
    assert_int_equal(admitted, 0);
    assert_true(refused > 0);
    for (int turn = 0; turn < 400 && bus_receive(door, &message) == BUS_NOTHING; turn++) {
        (void) bus_wait(&door, 1, NULL, 0, 10);
        (void) bus_mend(line);
        if (turn % 50 == 0)
            (void) help_send(line, 0, "hello");
    }
    assert_int_equal(message.news, BUS_MESSAGE);
    bus_close(&line);
}

static bool everything(void *asked, const uint8_t *key, const uint8_t *topic, size_t size)
{
    (void) asked;
    (void) key;
    (void) topic;
    return size == TOPIC_SIZE;
}

static uint32_t three(void *asked, const uint8_t *key)
{
    (void) asked;
    (void) key;
    return 3;
}

static void who_wants_too_many_topics_is_cut_off(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ 0 });
    struct text        fault;
    struct bus_message message;
    struct bus_place   place = { .kind = BUS_XPUB,
                                 .address = "tcp://127.0.0.1:*",
                                 .may_subscribe = everything,
                                 .topics_max = three };
    struct bus_socket *stream = bus_open(service, &place, &fault);
    assert_non_null(stream);
    struct bus_socket *reader = help_connect(caller, BUS_SUB, stream);
    for (uint8_t i = 0; i < 4; i++)
        bus_listen(reader, (uint8_t[TOPIC_SIZE]){ i }, TOPIC_SIZE);
    for (int i = 0; i < 3; i++)
        assert_int_equal(help_receive(stream, &message), BUS_READER);
    for (int turn = 0; turn < PATIENCE_MS / 10 && bus_counters(stream)->cut_off == 0; turn++) {
        (void) bus_wait(&stream, 1, NULL, 0, 10);
        (void) bus_receive(stream, &message);
    }
    assert_int_equal(bus_counters(stream)->cut_off, 1);
    bus_close(&reader);
    bus_close(&stream);
}

static bool is_shared(int file)
{
    int       is_on = 1;
    socklen_t size = sizeof is_on;
    return getsockopt(file, SOL_SOCKET, SO_REUSEPORT, &is_on, &size) != 0 || is_on != 0;
}

/* How many of six knocks at a door of both kinds of addresses are let in. */
static int let_in_of_six(int own, const void *source, const void *target, socklen_t size)
{
    int let_in = 0;
    for (int i = 0; i < 6; i++) {
        int file = socket(((const struct sockaddr *) source)->sa_family, SOCK_STREAM, 0);
        assert_int_equal(bind(file, source, size), 0);
        assert_int_equal(connect(file, target, size), 0);
        int guest = accept4(own, NULL, NULL, SOCK_CLOEXEC);
        let_in += guest >= 0;
        (void) close(guest);
        (void) close(file);
    }
    return let_in;
}

static void ipv6_is_counted_and_ipv4_that_looks_like_it(void **unused)
{
    (void) unused;
    const struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
    const struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    struct sockaddr_in        four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(MAPPED) };
    struct sockaddr_in6       to_six = six;
    struct sockaddr_in        to_four = four;
    socklen_t                 size = sizeof to_six;
    int                       own = socket(AF_INET6, SOCK_STREAM, 0), no = 0;
    begin_with(&(struct porter_limits){ .knocks_burst = 4, .knocks_per_second = 0 });
    if (own < 0 || setsockopt(own, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0 ||
        bind(own, (const struct sockaddr *) &any, sizeof any) != 0)
        skip(); /* A machine without IPv6. */
    assert_int_equal(listen(own, 16), 0);
    assert_int_equal(getsockname(own, (struct sockaddr *) &to_six, &size), 0);
    assert_false(is_shared(own)); /* A client that listens on its own behalf is left alone. */
    to_six.sin6_addr = six.sin6_addr;
    to_four.sin_port = to_six.sin6_port;
    assert_int_equal(let_in_of_six(own, &six, &to_six, sizeof six), 4);
    assert_int_equal(let_in_of_six(own, &four, &to_four, sizeof four), 4);
    four.sin_addr.s_addr = htonl(MAPPED_TOO);
    assert_int_equal(let_in_of_six(own, &four, &to_four, sizeof four), 4);
    (void) close(own);
}

/* Two connections as the porter sees them, without a bus. */
static void nobody_gives_back_what_he_never_had(void **unused)
{
    (void) unused;
    begin_with(&(struct porter_limits){ 0 });
    struct holders     holders;
    const uint8_t      topic[TOPIC_SIZE] = { 7 };
    int                own = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t          size = sizeof at;
    assert_int_equal(bind(own, (const struct sockaddr *) &at, sizeof at), 0);
    assert_int_equal(listen(own, 4), 0);
    assert_int_equal(getsockname(own, (struct sockaddr *) &at, &size), 0);
    int lines[2], guests[2];
    for (int i = 0; i < 2; i++) {
        lines[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(lines[i], (const struct sockaddr *) &at, sizeof at), 0);
        guests[i] = accept4(own, NULL, NULL, SOCK_CLOEXEC);
        assert_true(porter_guest(guests[i]) != 0);
    }
    assert_true(holders_open(&holders, 4096));
    assert_true(holders_add(&holders, guests[0], topic, sizeof topic));
    assert_false(holders_add(&holders, guests[0], topic, sizeof topic));
    assert_false(holders_remove(&holders, guests[1], topic, sizeof topic));
    assert_true(holders_remove(&holders, guests[0], topic, sizeof topic));
    assert_false(holders_remove(&holders, guests[0], topic, sizeof topic));
    for (uint32_t i = 0; i < 3000; i++) /* More than there is room for at first. */
        assert_true(holders_add(&holders, guests[1], (const uint8_t *) &i, sizeof i));
    porter_hang_up(guests[1]);
    for (uint32_t i = 0; i < 3000; i++) /* A client that has left makes room. */
        assert_true(holders_add(&holders, guests[0], (const uint8_t *) &i, sizeof i));
    assert_true(holders.used <= 4096);
    holders_close(&holders);
    for (int i = 0; i < 2; i++) {
        (void) close(lines[i]);
        (void) close(guests[i]);
    }
    (void) close(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_source_may_knock_so_often_and_others_do_not_pay, end),
        cmocka_unit_test_teardown(a_flood_is_not_even_heard_until_it_is_over, end),
        cmocka_unit_test_teardown(doors_that_are_closed_make_room_for_others, end),
        cmocka_unit_test_teardown(who_knocks_too_often_but_floods_nobody_is_not_barred, end),
        cmocka_unit_test_teardown(ipv6_is_counted_and_ipv4_that_looks_like_it, end),
        cmocka_unit_test_teardown(who_proves_a_key_may_come_as_often_as_he_likes, end),
        cmocka_unit_test_teardown(bytes_that_are_no_message_end_a_connection, end),
        cmocka_unit_test_teardown(messages_in_any_number_drown_nobody, end),
        cmocka_unit_test_teardown(who_sends_two_frames_again_and_again_is_shown_out, end),
        cmocka_unit_test_teardown(a_banned_ones_connections_end_at_the_second_look, end),
        cmocka_unit_test_teardown(who_is_shut_out_stays_out_for_a_while, end),
        cmocka_unit_test_teardown(who_wants_too_many_topics_is_cut_off, end),
        cmocka_unit_test_teardown(nobody_gives_back_what_he_never_had, end),
        /* The last: it floods from the address of everybody else. */
        cmocka_unit_test_teardown(who_lives_where_a_flood_comes_from_stays_and_comes_back, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
