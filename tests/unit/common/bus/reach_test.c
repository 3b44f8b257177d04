/* reach_test.c: a door that is open everywhere is told at the address that others see. */
#include "bus/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static char        host[REACH_HOST_MAX], to[BUS_ADDRESS_MAX];
static struct text fault;

static void who_talks_to_loopback_talks_from_it(void **unused)
{
    (void) unused;
    assert_true(reach_host(host, "tcp://127.0.0.1:7000", &fault));
    assert_string_equal(host, "127.0.0.1");
    assert_true(reach_host(host, "tcp://localhost:7000", &fault));
    assert_true(strcmp(host, "127.0.0.1") == 0 || strcmp(host, "::1") == 0);
}

static void what_is_no_place_is_named(void **unused)
{
    (void) unused;
    static const char *const none[] = { "ipc:///tmp/lobby", "tcp://", "tcp://:1", "7000",
                                        "tcp://127.0.0.1:no-such-port" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(reach_host(host, none[i], &fault));
        assert_non_null(strstr(fault.bytes, none[i]));
    }
}

static void only_doors_open_everywhere_are_moved(void **unused)
{
    (void) unused;
    static const struct {
        const char *door, *host, *told;
    } cases[] = {
        { "tcp://0.0.0.0:7030", "10.1.2.3", "tcp://10.1.2.3:7030" },
        { "tcp://*:7030", "10.1.2.3", "tcp://10.1.2.3:7030" },
        { "tcp://[::]:7030", "fd00::5", "tcp://[fd00::5]:7030" },
        { "tcp://127.0.0.1:7030", "10.1.2.3", "tcp://127.0.0.1:7030" },
        { "ipc:///run/stream", "10.1.2.3", "ipc:///run/stream" },
        { "", "10.1.2.3", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_put = reach_door(to, cases[i].door, cases[i].host);
        assert_int_equal(is_put, cases[i].told[0] != '\0');
        assert_string_equal(to, cases[i].told);
        assert_int_equal(reach_is_everywhere(cases[i].door), i < 3);
    }
}

static void who_comes_from_outside_is_told_a_host_and_each_doors_port(void **unused)
{
    (void) unused;
    static const struct {
        const char *advertised;
        uint32_t    at, count;
        const char *told; /* NULL: it is refused. */
    } cases[] = {
        { "play.example:7010", 0, 3, "tcp://play.example:7010" },
        { "play.example:7010", 2, 3, "tcp://play.example:7012" },
        { "play.example:80,443,1", 1, 3, "tcp://play.example:443" },
        { "[fd00::5]:7010", 1, 2, "tcp://[fd00::5]:7011" },
        { "play.example:80,443", 0, 3, NULL },
        { "play.example:1,2,3,4,5", 0, 3, NULL },
        { "play.example:65535", 1, 2, NULL },
        { "play.example:70000", 0, 1, NULL },
        { "play.example:0", 0, 1, NULL },
        { "play.example:", 0, 1, NULL },
        { "play.example:80,", 0, 2, NULL },
        { "play.example:80x", 0, 1, NULL },
        { "play.example", 0, 1, NULL },
        { ":7010", 0, 1, NULL },
        { "tcp://play.example:7010", 0, 1, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_put = reach_outside(to, cases[i].advertised, cases[i].at, cases[i].count);
        assert_int_equal(is_put, cases[i].told != NULL);
        if (is_put)
            assert_string_equal(to, cases[i].told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_from_outside_is_told_a_host_and_each_doors_port),
        cmocka_unit_test(who_talks_to_loopback_talks_from_it),
        cmocka_unit_test(what_is_no_place_is_named),
        cmocka_unit_test(only_doors_open_everywhere_are_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
