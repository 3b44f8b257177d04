/* client_spread_test.c: a crowd spreads evenly over fanouts, and only those move who must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "client/client_private.h"

#define CROWD 4000u

static struct client_core core;
static struct client_seat seat;
static uint32_t           before[CROWD], readers[PEERS_MAX];

static int forget(void **unused)
{
    (void) unused;
    memset(&core, 0, sizeof core);
    memset(&seat, 0, sizeof seat);
    seat.fanout = NO_PEER;
    return 0;
}

static void add_fanout(uint32_t place, uint64_t hello_ms)
{
    struct peer *fanout = &core.peers.list[place];
    memset(fanout, 0, sizeof *fanout);
    fanout->role = ROLE(FANOUT);
    fanout->welcome = true;
    fanout->hello_ms = hello_ms;
    snprintf(fanout->name, sizeof fanout->name, "fanout-%u", (unsigned) place);
}

/* What each of a crowd chooses, all for one match; the readers at each fanout are counted. */
static void choose_all(uint32_t chosen[CROWD])
{
    memset(readers, 0, sizeof readers);
    for (uint32_t i = 0; i < CROWD; i++) {
        core.salt = UINT64_C(0x1234567) * (i + 1);
        chosen[i] = spread_choose(&core, &seat);
        assert_int_not_equal(chosen[i], NO_PEER);
        readers[chosen[i]]++;
    }
}

static void without_a_fanout_there_is_none(void **unused)
{
    (void) unused;
    assert_int_equal(spread_choose(&core, &seat), NO_PEER);
    assert_int_equal(spread_better(&core, &seat), NO_PEER);
}

static void the_crowd_of_one_match_is_spread_over_all(void **unused)
{
    (void) unused;
    for (uint32_t i = 1; i <= 4; i++)
        add_fanout(i, 1);
    choose_all(before);
    for (uint32_t i = 1; i <= 4; i++)
        assert_in_range(readers[i], CROWD / 4 - 150, CROWD / 4 + 150);
}

/* And so are the matches of one client, by their slot. */
static void the_slots_of_one_client_are_spread_over_all(void **unused)
{
    (void) unused;
    for (uint32_t i = 1; i <= 4; i++)
        add_fanout(i, 1);
    memset(readers, 0, sizeof readers);
    for (uint32_t match = 0; match < CROWD; match++) {
        memcpy(seat.match_id, &match, sizeof match);
        readers[spread_choose(&core, &seat)]++;
    }
    for (uint32_t i = 1; i <= 4; i++) /* 256 slots, however many matches. */
        assert_in_range(readers[i], CROWD / 4 - 400, CROWD / 4 + 400);
}

static void a_busy_one_gets_fewer(void **unused)
{
    (void) unused;
    for (uint32_t i = 1; i <= 4; i++)
        add_fanout(i, 1);
    core.peers.list[2].load = 51; /* Half as idle as the others. */
    choose_all(before);
    assert_in_range(readers[2], CROWD / 7 - 150, CROWD / 7 + 150);
    core.peers.list[2].load = 100;
    choose_all(before);
    assert_in_range(readers[2], 1, CROWD / 100);
}

static void one_that_comes_gets_its_share_and_nobody_else_moves(void **unused)
{
    (void) unused;
    uint32_t moved = 0;
    for (uint32_t i = 1; i <= 3; i++)
        add_fanout(i, 1);
    choose_all(before);
    add_fanout(4, 100);
    for (uint32_t i = 0; i < CROWD; i++) {
        core.salt = UINT64_C(0x1234567) * (i + 1);
        seat.fanout = before[i];
        seat.chosen_ms = 50;
        uint32_t better = spread_better(&core, &seat);
        assert_int_equal(better != NO_PEER ? better : before[i], spread_choose(&core, &seat));
        assert_true(better == NO_PEER || better == 4);
        moved += better != NO_PEER;
        seat.chosen_ms = 101; /* A client that chose when it was there already, looks no more. */
        assert_int_equal(spread_better(&core, &seat), NO_PEER);
    }
    assert_in_range(moved, CROWD / 4 - 150, CROWD / 4 + 150);
}

static void who_listened_to_one_that_goes_is_spread_over_the_rest(void **unused)
{
    (void) unused;
    static uint32_t after[CROWD];
    for (uint32_t i = 1; i <= 4; i++)
        add_fanout(i, 1);
    choose_all(before);
    core.peers.list[3].role = 0;
    choose_all(after);
    for (uint32_t i = 0; i < CROWD; i++)
        assert_true(before[i] == 3 || before[i] == after[i]);
    for (uint32_t i = 1; i <= 4; i++)
        if (i != 3)
            assert_in_range(readers[i], CROWD / 3 - 150, CROWD / 3 + 150);
}

static void one_that_stops_is_chosen_only_if_it_is_the_last(void **unused)
{
    (void) unused;
    add_fanout(1, 1);
    add_fanout(2, 1);
    core.peers.list[1].draining = true;
    choose_all(before);
    assert_int_equal(readers[1], 0);
    core.peers.list[2].draining = true;
    choose_all(before);
    assert_int_equal(readers[1] + readers[2], CROWD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_fanout_there_is_none, forget),
        cmocka_unit_test_setup(the_crowd_of_one_match_is_spread_over_all, forget),
        cmocka_unit_test_setup(the_slots_of_one_client_are_spread_over_all, forget),
        cmocka_unit_test_setup(a_busy_one_gets_fewer, forget),
        cmocka_unit_test_setup(one_that_comes_gets_its_share_and_nobody_else_moves, forget),
        cmocka_unit_test_setup(who_listened_to_one_that_goes_is_spread_over_the_rest, forget),
        cmocka_unit_test_setup(one_that_stops_is_chosen_only_if_it_is_the_last, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
