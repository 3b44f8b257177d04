/* gone_test.c: who goes while his messages wait takes nobody with him: libzmq aborts where its options let it. */
#include "common/bus/bus_help.h"

#include <unistd.h>

#define MANY 200
/* A heartbeat's interval, twice over: what waits for one has seen it. */
#define HEARTBEATS_US 1200000

/* libzmq stops reading from a peer whose messages have no room, says goodbye to his connection when he goes, and
 * aborts at the next heartbeat it sends there. */
static void who_sends_more_than_is_read_and_goes_stops_nobody(void **unused)
{
    (void) unused;
    struct bus_settings settings = { .frames_max = 4 };
    struct bus         *service = help_bus(&settings), *caller = help_bus(NULL);
    struct bus_message  message;
    help_admit(service, &caller, 1);
    struct bus_socket *door = help_open(service, BUS_ROUTER);
    struct bus_socket *line = help_connect(caller, BUS_DEALER, door);
    assert_true(help_send(line, 0, "first"));
    help_expect(door, &message, "first");
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(help_send(line, 0, "more"));
    (void) usleep(HEARTBEATS_US / 4);
    bus_close(&line);
    bus_stop(&caller);
    (void) usleep(HEARTBEATS_US);
    help_expect(door, &message, "more"); /* We are still here. */
    bus_close(&door);
    bus_stop(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sends_more_than_is_read_and_goes_stops_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
