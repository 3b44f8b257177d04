/* hops_test.c: the visitor is the last whom a listed proxy heard, whatever the visitor's own header
 * says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "services/gateway/shell/http/hops.h"

/* The header as it came, and who is behind it; NULL: nobody. Of what stands before the visitor nothing is believed. */
static const struct {
    const char     *header, *visitor;
    enum hops_found found;
} all[] = {
    { "192.0.2.1", "192.0.2.1", HOPS_VISITOR },
    { "192.0.2.1, 10.0.0.1", "192.0.2.1", HOPS_VISITOR },
    { "192.0.2.1,10.0.0.1 ,\t10.9.9.9", "192.0.2.1", HOPS_VISITOR },
    { "198.51.100.7, 192.0.2.1", "192.0.2.1", HOPS_MORE },
    { "198.51.100.7, 192.0.2.1, 10.0.0.1", "192.0.2.1", HOPS_MORE },
    { "10.0.0.7, 192.0.2.1, 10.0.0.1", "192.0.2.1", HOPS_MORE },
    { "10.0.0.7, 10.0.0.1", "10.0.0.7", HOPS_VISITOR },
    { "unknown, 10.0.0.1", "10.0.0.1", HOPS_MORE },
    { ", 10.0.0.1", "10.0.0.1", HOPS_MORE },
    { "192.0.2.1:4711, 10.0.0.1", "192.0.2.1", HOPS_VISITOR },
    { "[2001:db8::1]:4711, fd00::9", "2001:db8::1", HOPS_VISITOR },
    { "2001:db8::1", "2001:db8::1", HOPS_VISITOR },
    { "", NULL, HOPS_NOBODY },
    { ",", NULL, HOPS_NOBODY },
    { "192.0.2.1,", NULL, HOPS_NOBODY },
    { "192.0.2.1, unknown", NULL, HOPS_NOBODY },
    { "192.0.2.1 10.0.0.1", NULL, HOPS_NOBODY },
};

static void the_visitor_is_whom_our_own_proxies_heard(void **unused)
{
    (void) unused;
    struct networks proxies;
    struct text     fault;
    assert_true(networks_read(&proxies, "10.0.0.0/8,fd00::/8", &fault));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct address visitor, wanted;
        assert_int_equal(hops_visitor(&proxies, all[i].header, strlen(all[i].header), &visitor),
                         all[i].found);
        assert_int_equal(all[i].found != HOPS_NOBODY, all[i].visitor != NULL);
        if (all[i].found == HOPS_NOBODY)
            continue;
        assert_true(address_read(&wanted, all[i].visitor, strlen(all[i].visitor)));
        assert_memory_equal(&visitor, &wanted, sizeof visitor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_visitor_is_whom_our_own_proxies_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
