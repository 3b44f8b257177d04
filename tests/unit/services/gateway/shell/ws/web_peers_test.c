/* web_peers_test.c: connections are counted for each address, however many addresses there are. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "services/gateway/shell/ws/web_peers.h"
#include "shell/networks.h"

#define MANY 20000u

static struct sockaddr_storage six_at(const char *text)
{
    struct sockaddr_in6     address = { .sin6_family = AF_INET6 };
    struct sockaddr_storage who = { .ss_family = AF_UNSPEC };
    assert_int_equal(inet_pton(AF_INET6, text, &address.sin6_addr), 1);
    memcpy(&who, &address, sizeof address);
    return who;
}

static struct sockaddr_storage four_at(const char *text)
{
    struct sockaddr_in      address = { .sin_family = AF_INET };
    struct sockaddr_storage who = { .ss_family = AF_UNSPEC };
    assert_int_equal(inet_pton(AF_INET, text, &address.sin_addr), 1);
    memcpy(&who, &address, sizeof address);
    return who;
}

static uint64_t half_of(const struct sockaddr_storage *who)
{
    struct address address;
    assert_true(address_of(&address, who));
    return address_half(&address);
}

static uint64_t six(const char *text)
{
    const struct sockaddr_storage who = six_at(text);
    return half_of(&who);
}

static uint64_t four(const char *text)
{
    const struct sockaddr_storage who = four_at(text);
    return half_of(&who);
}

/* What the address has, by its own place. */
static uint32_t count_of(const struct web_peers *peers, uint64_t address)
{
    const struct web_peer *peer = web_peer_find(peers, address);
    return peer != NULL ? peer->count : 0;
}

static void one_network_of_ipv6_is_one_address(void **unused)
{
    (void) unused;
    assert_true(six("2001:db8:1:2::1") == six("2001:db8:1:2:ffff::9"));
    assert_true(six("2001:db8:1:2::1") != six("2001:db8:1:3::1"));
    assert_true(six("::ffff:192.0.2.1") == four("192.0.2.1"));
    assert_true(four("192.0.2.1") != four("192.0.2.2"));
}

static void this_machine_is_known_by_its_addresses(void **unused)
{
    (void) unused;
    const struct sockaddr_storage near[] = { four_at("127.0.0.1"), four_at("127.9.8.7"),
                                             six_at("::1"), six_at("::ffff:127.0.0.1") };
    const struct sockaddr_storage far[] = { four_at("172.18.0.1"), four_at("128.0.0.1"),
                                            four_at("1.0.0.127"),  six_at("::"),
                                            six_at("2001:db8::1"), six_at("::ffff:192.0.2.1"),
                                            six_at("7f00::1"),     { .ss_family = AF_UNSPEC } };
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        assert_true(web_peer_is_loopback(&near[i]));
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        assert_false(web_peer_is_loopback(&far[i]));
}

static void count_and_forget_many(struct web_peers *peers, uint32_t many)
{
    struct web_peer *all[MANY];
    for (uint64_t i = 0; i < many; i++) {
        all[i] = web_peer_enter(peers, i);
        assert_non_null(all[i]);
        if (i % 3 == 0)
            assert_ptr_equal(web_peer_enter(peers, i), all[i]);
    }
    for (uint64_t i = 0; i < many; i++)
        assert_int_equal(count_of(peers, i), i % 3 == 0 ? 2 : 1);
    for (uint64_t i = 0; i < many; i += 2) /* A place stays where it is while others go. */
        web_peer_leave(peers, all[i]);
    for (uint64_t i = 0; i < many; i++)
        assert_int_equal(count_of(peers, i), (i % 3 == 0 ? 2 : 1) - (i % 2 == 0));
    for (uint64_t i = 1; i < many; i += 2)
        assert_ptr_equal(web_peer_find(peers, i), all[i]);
    for (uint64_t i = 0; i < many; i++)
        while (count_of(peers, i) > 0)
            web_peer_leave(peers, all[i]);
}

static void many_addresses_are_told_apart(void **unused)
{
    (void) unused;
    struct web_peers peers;
    assert_true(web_peers_open(&peers, MANY));
    for (uint32_t round = 0; round < 3; round++)
        count_and_forget_many(&peers, MANY);
    web_peers_close(&peers);
}

static void those_of_one_chain_are_told_apart(void **unused)
{
    (void) unused;
    struct web_peers peers;
    assert_true(web_peers_open(&peers, 300));
    peers.chains = 1;
    for (uint32_t round = 0; round < 3; round++)
        count_and_forget_many(&peers, 300);
    web_peers_close(&peers);
}

static void a_full_table_still_counts_whom_it_knows(void **unused)
{
    (void) unused;
    struct web_peers peers;
    assert_true(web_peers_open(&peers, 4));
    for (uint64_t i = 0; i < 4; i++)
        assert_non_null(web_peer_enter(&peers, i));
    assert_null(web_peer_enter(&peers, 4));
    assert_null(web_peer_find(&peers, 4));
    assert_non_null(web_peer_enter(&peers, 3));
    web_peer_leave(&peers, web_peer_find(&peers, 0));
    assert_non_null(web_peer_enter(&peers, 4));
    assert_null(web_peer_enter(&peers, 0));
    web_peers_close(&peers);
}

static void addresses_are_spread_over_all_chains(void **unused)
{
    (void) unused;
    struct web_peers peers;
    uint32_t         longest = 0;
    assert_true(web_peers_open(&peers, MANY));
    for (uint64_t i = 0; i < MANY; i++)
        assert_non_null(web_peer_enter(&peers, i << 24)); /* As one who chooses them would. */
    for (uint32_t i = 0; i < peers.chains; i++) {
        uint32_t length = 0;
        for (uint32_t at = peers.first[i]; at < MANY; at = peers.all[at].next)
            length++;
        longest = length > longest ? length : longest;
    }
    assert_in_range(longest, 1, 20); /* Seven or eight; twenty in none of 10^12 runs. */
    web_peers_close(&peers);
}

static void the_most_of_any_address_is_known_and_crowds_are_left_out(void **unused)
{
    (void) unused;
    struct web_peers peers;
    assert_true(web_peers_open(&peers, 8));
    assert_int_equal(web_peers_most(&peers).count, 0);
    for (uint64_t i = 0; i < 9; i++) /* Two of the first, three of the second, four of the third. */
        assert_non_null(web_peer_enter(&peers, i < 2 ? 1 : i < 5 ? 2 : 3));
    web_peer_find(&peers, 1)->tabs = 2;
    web_peer_find(&peers, 2)->tabs = 1;
    assert_int_equal(web_peers_most(&peers).count, 4);
    web_peer_find(&peers, 3)->is_crowd = true;
    assert_int_equal(web_peers_most(&peers).count, 3);
    assert_int_equal(web_peers_most(&peers).tabs, 2);
    for (uint32_t i = 0; i < 2; i++)
        web_peer_leave(&peers, web_peer_find(&peers, 2));
    assert_int_equal(web_peers_most(&peers).count, 2);
    web_peers_close(&peers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_network_of_ipv6_is_one_address),
        cmocka_unit_test(this_machine_is_known_by_its_addresses),
        cmocka_unit_test(many_addresses_are_told_apart),
        cmocka_unit_test(those_of_one_chain_are_told_apart),
        cmocka_unit_test(a_full_table_still_counts_whom_it_knows),
        cmocka_unit_test(addresses_are_spread_over_all_chains),
        cmocka_unit_test(the_most_of_any_address_is_known_and_crowds_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
