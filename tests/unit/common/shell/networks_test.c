/* networks_test.c: which texts are networks, and which addresses lie in them. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "shell/networks.h"

static struct address at(const char *text)
{
    struct address address;
    assert_true(address_read(&address, text, strlen(text)));
    return address;
}

static bool lies_in(const char *list, const char *text)
{
    struct networks networks;
    struct text     fault;
    struct address  address = at(text);
    assert_true(networks_read(&networks, list, &fault));
    return networks_hold(&networks, &address);
}

static void an_address_lies_in_a_network_that_shares_its_first_bits(void **unused)
{
    (void) unused;
    assert_true(lies_in("10.0.0.0/8", "10.255.0.1"));
    assert_false(lies_in("10.0.0.0/8", "11.0.0.1"));
    assert_true(lies_in("172.16.0.0/12", "172.31.255.255"));
    assert_false(lies_in("172.16.0.0/12", "172.32.0.0"));
    assert_true(lies_in("192.0.2.7", "192.0.2.7"));
    assert_false(lies_in("192.0.2.7", "192.0.2.6"));
    assert_true(lies_in("0.0.0.0/0", "8.8.8.8"));
    assert_false(lies_in("0.0.0.0/0", "2001:db8::1"));
    assert_true(lies_in("fd00::/9,2001:db8::/33", "2001:db8:7fff::1"));
    assert_false(lies_in("fd00::/9,2001:db8::/33", "2001:db8:8000::1"));
    assert_true(lies_in("::/0", "8.8.8.8"));
    assert_true(lies_in("10.0.0.0/8", "::ffff:10.1.2.3"));
    assert_false(lies_in("", "10.1.2.3"));
}

static void what_is_no_network_is_said(void **unused)
{
    (void) unused;
    static const char *const wrong[] = { "10.0.0.0/33", "10.0.0.0/",   "10.0.0/8",    "fd00::/129",
                                         "door",        "10.0.0.0/8,", ",",           " 10.0.0.1",
                                         "10.0.0.1/-1", "10.0.0.1/ 8", "10.0.0.1:80", "[::1]" };
    struct networks          networks;
    struct text              fault;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(networks_read(&networks, wrong[i], &fault));
        assert_non_null(strstr(fault.bytes, "no network"));
    }
    char   many[NETWORKS_MAX * 9 + 16] = "";
    size_t size = 0;
    for (uint32_t i = 0; i <= NETWORKS_MAX; i++, size = strlen(many))
        memcpy(many + size, i == 0 ? "10.0.0.1" : ",10.0.0.1", i == 0 ? 9 : 10);
    assert_false(networks_read(&networks, many, &fault));
    assert_non_null(strstr(fault.bytes, "too many"));
    many[size - 9] = '\0';
    assert_true(networks_read(&networks, many, &fault));
}

static void an_address_may_have_a_port(void **unused)
{
    (void) unused;
    static const char *const wrong[] = {
        "",
        "1.2.3",
        "1.2.3.4:",
        "1.2.3.4:x",
        "1.2.3.4:123456",
        "[::1",
        "[::1]80",
        "[1.2.3.4]",
        "::1]",
        "unknown",
        "_hidden",
        "[]",
        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc"
    };
    struct address address;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(address_read(&address, wrong[i], strlen(wrong[i])));
    assert_false(address_read(&address, "1.2.3.4\0", 8));
    struct address plain = at("192.0.2.1"), ported = at("192.0.2.1:65535");
    assert_memory_equal(&plain, &ported, sizeof plain);
    plain = at("2001:db8::1");
    ported = at("[2001:db8::1]:1");
    assert_memory_equal(&plain, &ported, sizeof plain);
    ported = at("[2001:db8::1]");
    assert_memory_equal(&plain, &ported, sizeof plain);
}

static void a_socket_says_the_same_address(void **unused)
{
    (void) unused;
    struct sockaddr_in      four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000201) };
    struct sockaddr_storage who = { .ss_family = AF_UNSPEC };
    struct address          address, wanted = at("192.0.2.1");
    assert_false(address_of(&address, &who));
    memcpy(&who, &four, sizeof four);
    assert_true(address_of(&address, &who));
    assert_memory_equal(&address, &wanted, sizeof address);
    address = at("2001:db8:1:2:3::4");
    wanted = at("2001:db8:1:2::");
    assert_true(address_half(&address) == address_half(&wanted));
    wanted = at("2001:db8:1:3::");
    assert_true(address_half(&address) != address_half(&wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_lies_in_a_network_that_shares_its_first_bits),
        cmocka_unit_test(what_is_no_network_is_said),
        cmocka_unit_test(an_address_may_have_a_port),
        cmocka_unit_test(a_socket_says_the_same_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
