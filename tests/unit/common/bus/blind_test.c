/* blind_test.c: who is barred knocks in vain, everybody else comes in; what is open stays so, and what is over is over. */
#include "common/bus/bus_help.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bus/blind.h"

#define UNTIL_US 1000u
#define TWO 0x7f000002u /* Addresses of this machine: 127.0.0.2 and the next.                 */
#define THREE 0x7f000003u

static const struct source four_two = { .version = 4, .words = { TWO } };
static const struct source six_self = { .version = 6 }; /* ::1 and its like.                   */

static int                     door, blind;
static struct sockaddr_storage place;
static socklen_t               place_size;

static int fresh(int family)
{
    const int yes = 1;
    int       file = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_true(file >= 0);
    assert_int_equal(setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), 0);
    return file;
}

/* As libzmq opens a door: the address first. */
static void open_at(const void *address, socklen_t size)
{
    const int no = 0;
    place_size = sizeof place;
    door = fresh(((const struct sockaddr *) address)->sa_family);
    if (((const struct sockaddr *) address)->sa_family == AF_INET6)
        assert_int_equal(setsockopt(door, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no), 0);
    assert_int_equal(bind(door, address, size), 0);
    blind_prepare(door);
    assert_int_equal(listen(door, 1024), 0);
    assert_int_equal(getsockname(door, (struct sockaddr *) &place, &place_size), 0);
    blind = blind_open(door);
    assert_true(blind >= 0);
}

static int begin(void **unused)
{
    const struct sockaddr_in at = { .sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    (void) unused;
    open_at(&at, sizeof at);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    (void) blind_tend(UINT64_MAX);
    blind_close(blind);
    (void) close(door);
    return 0;
}

/* The port is at the same place in both kinds of address. */
static in_port_t port(void)
{
    return ((const struct sockaddr_in *) (const void *) &place)->sin_port;
}

static int knock_from(const void *source, const void *target, socklen_t size)
{
    int file = fresh(((const struct sockaddr *) source)->sa_family);
    assert_int_equal(bind(file, source, size), 0);
    assert_true(connect(file, target, size) == 0 || errno == EINPROGRESS);
    return file;
}

static int knock(uint32_t source)
{
    const struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(source) };
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = port(),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    return knock_from(&from, &to, sizeof from);
}

static int knock_six(void)
{
    const struct sockaddr_in6 from = { .sin6_family = AF_INET6,
                                       .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    struct sockaddr_in6       to = from;
    to.sin6_port = port();
    return knock_from(&from, &to, sizeof from);
}

/* The one that comes in, as it is seen there. */
static int expect_in(uint32_t source)
{
    struct sockaddr_in6 who;
    socklen_t           size = sizeof who;
    struct pollfd       wait = { .fd = door, .events = POLLIN };
    uint32_t            word;
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
    int file = accept4(door, (struct sockaddr *) &who, &size, 0);
    assert_true(file >= 0);
    if (size == sizeof who) /* The last four bytes are an IPv4 address, or 1. */
        memcpy(&word, &who.sin6_addr.s6_addr[12], sizeof word);
    else
        memcpy(&word, &((struct sockaddr_in *) (void *) &who)->sin_addr, sizeof word);
    assert_int_equal(ntohl(word), source);
    return file;
}

static void expect_nobody(void)
{
    assert_int_equal(accept4(door, NULL, NULL, 0), -1);
    assert_int_equal(errno, EAGAIN);
}

/* Each knock is dropped before the next: then the kernel's count is ours. */
static void expect_dropped(int (*again)(void), uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        uint64_t before = blind_dropped();
        int      file = again();
        for (int turn = 0; turn < PATIENCE_MS && blind_dropped() == before; turn++)
            (void) poll(NULL, 0, 1);
        assert_true(blind_dropped() > before);
        (void) close(file);
    }
    expect_nobody();
}

static int knock_two(void)
{
    return knock(TWO);
}

/* The first of the barred finds room at the blind door; its arrival is told. */
static int fill(int file)
{
    struct pollfd wait = { .fd = file, .events = POLLOUT };
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
    expect_nobody();
    return file;
}

static void expect_let_in(uint32_t source)
{
    int file = knock(source);
    (void) close(expect_in(source));
    (void) close(file);
}

static void pass(int from, int to)
{
    char          byte = 0;
    struct pollfd wait = { .fd = to, .events = POLLIN };
    assert_int_equal(send(from, "x", 1, 0), 1);
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
    assert_int_equal(read(to, &byte, 1), 1);
    assert_int_equal(byte, 'x');
}

static void who_is_barred_knocks_in_vain_and_others_come_in(void **unused)
{
    (void) unused;
    expect_let_in(TWO);
    assert_true(blind_bar(&four_two, UNTIL_US));
    int first = fill(knock(TWO));
    expect_dropped(knock_two, 3);
    uint64_t dropped = blind_dropped();
    assert_int_equal(blind_dropped(), dropped); /* Each is counted once. */
    expect_let_in(THREE);
    expect_let_in(INADDR_LOOPBACK);
    (void) close(first);
}

static void his_open_connections_and_those_that_wait_go_on(void **unused)
{
    (void) unused;
    int           open = knock(TWO), inside = expect_in(TWO), waiting = knock(TWO);
    struct pollfd wait = { .fd = waiting, .events = POLLOUT };
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
    assert_true(blind_bar(&four_two, UNTIL_US));
    int first = knock(TWO);
    pass(open, inside);
    pass(inside, open);
    int second = expect_in(TWO);
    (void) fill(first);
    pass(waiting, second);
    pass(second, waiting);
    const int all[] = { open, inside, waiting, first, second };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void) close(all[i]);
}

static void when_his_time_is_over_he_comes_in(void **unused)
{
    (void) unused;
    char byte;
    assert_int_equal(blind_tend(0), 0);
    assert_true(blind_bar(&four_two, UNTIL_US));
    int           first = fill(knock(TWO));
    struct pollfd wait = { .fd = first, .events = POLLIN };
    assert_int_equal(blind_tend(UNTIL_US - 1), UNTIL_US);
    expect_dropped(knock_two, 1);
    /* Somebody may be on the way to the blind door. */
    assert_true(blind_tend(UNTIL_US) > UNTIL_US);
    expect_let_in(TWO);
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1); /* The one that stood there has been hung up
                                                       * on. */
    assert_int_equal(read(first, &byte, 1), -1);
    assert_int_equal(errno, ECONNRESET);
    assert_int_equal(blind_tend(2 * UNTIL_US), 0);
    (void) close(first);
}

static void who_floods_longer_stays_out_while_others_come_back(void **unused)
{
    (void) unused;
    const struct source four_three = { .version = 4, .words = { THREE } };
    assert_true(blind_bar(&four_two, 2 * UNTIL_US));
    assert_true(blind_bar(&four_three, UNTIL_US));
    int first = fill(knock(THREE));
    assert_int_equal(blind_tend(UNTIL_US), 2 * UNTIL_US);
    expect_let_in(THREE);
    expect_dropped(knock_two, 2);
    (void) close(first);
}

static void no_more_than_so_many_are_barred_and_each_of_them_is(void **unused)
{
    (void) unused;
    struct source source = four_two;
    for (uint32_t i = 0; i < BLIND_SOURCES_MAX; i++) {
        source.words[0] = TWO + i;
        assert_true(blind_bar(&source, UNTIL_US));
        assert_false(blind_bar(&source, UNTIL_US)); /* He is. */
    }
    source.words[0] = TWO + BLIND_SOURCES_MAX;
    assert_false(blind_bar(&source, UNTIL_US));
    int knocks[BLIND_SOURCES_MAX];
    knocks[0] = fill(knock(TWO));
    for (uint32_t i = 1; i < BLIND_SOURCES_MAX; i++)
        knocks[i] = knock(TWO + i);
    /* And behind them in the queue there would be nobody else. */
    expect_let_in(TWO + BLIND_SOURCES_MAX);
    expect_nobody();
    for (uint32_t i = 0; i < BLIND_SOURCES_MAX; i++)
        (void) close(knocks[i]);
}

/* A door of both kinds, where IPv4 looks like IPv6 to us but not to the kernel. */
static void both_kinds_of_addresses_are_told_apart(void **unused)
{
    (void) unused;
    const struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
    int                       probe = socket(AF_INET6, SOCK_STREAM, 0);
    if (probe < 0 || bind(probe, (const struct sockaddr *) &any, sizeof any) != 0)
        skip(); /* A machine without IPv6. */
    (void) close(probe);
    end(NULL);
    open_at(&any, sizeof any);
    struct source others = { .version = 6, .words = { 0, 1 } };
    assert_true(blind_bar(&others, UNTIL_US)); /* Half of it is the same. */
    others.words[0] = 1;
    others.words[1] = 0;
    assert_true(blind_bar(&others, UNTIL_US));
    int file = knock_six();
    (void) close(expect_in(1));
    (void) close(file);

    assert_true(blind_bar(&six_self, UNTIL_US));
    file = fill(knock_six());
    expect_dropped(knock_six, 2);
    expect_let_in(TWO);
    assert_true(blind_bar(&four_two, UNTIL_US));
    expect_dropped(knock_two, 2);
    expect_dropped(knock_six, 2);
    expect_let_in(THREE);
    (void) close(file);
}

/* Or a second engine would be dealt half of the callers. */
static void nobody_else_opens_the_same_door(void **unused)
{
    (void) unused;
    int other = fresh(AF_INET);
    assert_int_equal(bind(other, (const struct sockaddr *) &place, place_size), -1);
    assert_int_equal(errno, EADDRINUSE);
    blind_close(blind);
    (void) close(door);
    assert_int_equal(bind(other, (const struct sockaddr *) &place, place_size), 0);
    (void) close(other);
    open_at(&place, place_size); /* And we ourselves do, again. */
}

/* What a kernel would not do: here, because it is asked too late, or for what it cannot. */
static void a_door_without_a_blind_one_is_as_it_was(void **unused)
{
    (void) unused;
    const struct sockaddr_un nameless = { .sun_family = AF_UNIX };
    int                      file = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(file, (const struct sockaddr *) &nameless, sizeof(sa_family_t)), 0);
    assert_int_equal(listen(file, 4), 0);
    assert_int_equal(blind_open(file), -1);
    (void) close(file);

    end(NULL);
    assert_false(blind_bar(&four_two, UNTIL_US));
    blind = -1;
    door = fresh(AF_INET);
    ((struct sockaddr_in *) (void *) &place)->sin_port = 0;
    assert_int_equal(bind(door, (const struct sockaddr *) &place, place_size), 0);
    assert_int_equal(listen(door, 4), 0);
    assert_int_equal(getsockname(door, (struct sockaddr *) &place, &place_size), 0);
    assert_int_equal(blind_open(door), -1);
    blind_prepare(door);
    assert_int_equal(blind_open(door), -1);
    for (int i = 0; i < 20; i++) /* Nor is anybody dealt out by lot. */
        expect_let_in(TWO);
}

/* Somebody who is let in again must come in, even if the kernel had no memory at that moment; here,
 * no socket. */
static void a_program_that_was_not_taken_is_offered_again(void **unused)
{
    (void) unused;
    assert_true(blind_bar(&four_two, UNTIL_US));
    int first = fill(knock(TWO)), elsewhere = dup(door);
    (void) close(door);
    assert_true(blind_tend(UNTIL_US) > UNTIL_US);
    assert_true(blind_tend(2 * UNTIL_US) > UNTIL_US);
    assert_int_equal(dup2(elsewhere, door), door);
    (void) close(elsewhere);
    expect_dropped(knock_two, 1);
    assert_true(blind_tend(3 * UNTIL_US) > UNTIL_US);
    expect_let_in(TWO);
    assert_int_equal(blind_tend(4 * UNTIL_US), 0);
    (void) close(first);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_is_barred_knocks_in_vain_and_others_come_in),
        TEST(his_open_connections_and_those_that_wait_go_on),
        TEST(when_his_time_is_over_he_comes_in),
        TEST(who_floods_longer_stays_out_while_others_come_back),
        TEST(no_more_than_so_many_are_barred_and_each_of_them_is),
        TEST(both_kinds_of_addresses_are_told_apart),
        TEST(nobody_else_opens_the_same_door),
        TEST(a_door_without_a_blind_one_is_as_it_was),
        TEST(a_program_that_was_not_taken_is_offered_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
