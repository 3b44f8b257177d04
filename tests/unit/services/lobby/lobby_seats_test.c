/* lobby_seats_test.c: a player has one seat, but at a table for one key several. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static void who_sits_somewhere_sits_nowhere_else(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    party_opens(&ann, &create);
    bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SEATED_ELSEWHERE));
    party_opens(&bob, &create);
    party_joins(&ann, VERDICT(SEATED_ELSEWHERE));
    party_joins(&bob, VERDICT(DONE));
    assert_null(bench_event(&bench, &bob, EVENT(SEATED)));
}

static void one_key_may_hold_two_seats_where_the_table_says_so(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_hotseat = create.hotseat = true;
    party_opens(&ann, &create);
    party_joins(&ann, VERDICT(DONE));
    assert_true(party_was_started());
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_int_equal(start->holders[0]->key.data[0], ann.number);
    assert_int_equal(start->holders[1]->key.data[0], ann.number);
}

static void a_seat_is_changed_for_a_free_one(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(4);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    party_takes(&bob, 0, VERDICT(SEAT_TAKEN));
    party_takes(&bob, 4, VERDICT(SEAT_TAKEN));
    party_takes(&bob, 3, VERDICT(DONE));
    const Arbiter__Lobby__Seated *seated = bench_event(&bench, &ann, EVENT(SEATED))->seated;
    assert_int_equal(seated->from, 1);
    assert_int_equal(seated->seat, 3);
    party_takes(&cid, 2, VERDICT(NO_SUCH_TABLE));
}

static void a_table_has_as_many_seats_as_it_has(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    Arbiter__Lobby__JoinTable   join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    party_opens(&ann, &create);
    join.has_table = join.has_seat = true;
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    join.seat = 0;
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(SEAT_TAKEN));
    join.seat = 7;
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(SEAT_TAKEN));
    join.seat = 2;
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
    party_joins(&dan, VERDICT(BEGUN));
}

static void the_last_person_closes_the_table(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    party_leaves(&ann, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &bob, EVENT(HOST_CHANGED)));
    party_leaves(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(NO_SUCH_TABLE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_sits_somewhere_sits_nowhere_else),
        TEST(one_key_may_hold_two_seats_where_the_table_says_so),
        TEST(a_seat_is_changed_for_a_free_one),
        TEST(a_table_has_as_many_seats_as_it_has),
        TEST(the_last_person_closes_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
