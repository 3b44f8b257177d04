/* port_test.c: a port that somebody has is not free, and the next one is found. */
#include "bus/port.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int listen_at(uint32_t port)
{
    struct sockaddr_in place = { .sin_family = AF_INET,
                                 .sin_port = htons((uint16_t) port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int                file = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(file >= 0);
    assert_int_equal(bind(file, (const struct sockaddr *) &place, sizeof place), 0);
    assert_int_equal(listen(file, 1), 0);
    return file;
}

static void a_port_that_is_taken_is_passed_over(void **unused)
{
    (void) unused;
    uint32_t port = port_free(0, 1);
    assert_true(port > 0 && port <= UINT16_MAX);
    int file = listen_at(port);
    assert_int_equal(port_free(port, 1), 0);
    if (port <= UINT16_MAX - 100)
        assert_in_range(port_free(port, 100), port + 1, port + 99);
    assert_int_equal(close(file), 0);
    assert_int_equal(port_free(port, 1), port);
}

static void whether_somebody_listens_is_seen(void **unused)
{
    (void) unused;
    uint32_t port = port_free(0, 1);
    assert_false(port_is_open(port));
    int file = listen_at(port);
    assert_true(port_is_open(port));
    assert_int_equal(close(file), 0);
    assert_false(port_is_open(port));
}

static void there_is_none_behind_the_last(void **unused)
{
    (void) unused;
    assert_int_equal(port_free(UINT16_MAX + 1, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_port_that_is_taken_is_passed_over),
        cmocka_unit_test(there_is_none_behind_the_last),
        cmocka_unit_test(whether_somebody_listens_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
