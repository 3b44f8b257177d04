/* lobby_matches_test.c: a match is begun once, changes hands, and ends. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static void the_same_start_is_sent_until_the_engine_has_begun(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    uint8_t                     id[16];
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    memcpy(id, match_id, sizeof id);
    bench_wait(&bench, 1000);
    assert_true(party_was_started());
    assert_memory_equal(match_id, id, 16);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_true(party_was_started());
    assert_memory_equal(match_id, id, 16);
    bench_hello(&bench, &ann);
    party_engine_started(NULL);
    assert_non_null(bench_event(&bench, &ann, EVENT(MATCH_BEGINS)));
    party_engine_started(NULL);
    assert_null(bench_event(&bench, &ann, EVENT(MATCH_BEGINS)));
    bench_wait(&bench, 1000);
    assert_false(party_was_started());
}

/* Ann's table is full, and the engine says that its set-up is none. */
static void a_match_no_engine_can_begin(void)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started("/heaps: too many");
}

static void a_match_that_cannot_begin_closes_its_table_and_says_why(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    a_match_no_engine_can_begin();
    const Arbiter__Lobby__TableEvent *closed = bench_event(&bench, &ann, EVENT(TABLE_CLOSED));
    assert_non_null(strstr(closed->table_closed->sentence, "/heaps: too many"));
    party_opens(&ann, &create);
}

/* Two copies of StartMatch: one was refused, and the other one accepted by the next build's engine. */
static void a_match_that_begins_behind_its_tables_back_is_ended(void **unused)
{
    (void) unused;
    a_match_no_engine_can_begin();
    assert_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    party_engine_started("/heaps: too many");
    assert_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    party_engine_started(NULL);
    const struct effect *abort = bench_to_engine(&bench, KIND(ABORT_MATCH));
    assert_non_null(abort);
    assert_memory_equal(abort->header.match_id, match_id, 16);
    bench_wait(&bench, 1000);
    assert_non_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    party_engine_over(1, -1);
    bench_wait(&bench, 1000);
    assert_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
}

static void a_result_is_stored_before_it_is_heard_and_heard_again(void **unused)
{
    (void) unused;
    party_plays();
    bench.outcome = STORE_BUSY;
    party_engine_over(1, -1);
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(MATCH_OVER_HEARD)), 0);
    party_engine_over(1, -1);
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(MATCH_OVER_HEARD)), 1);
    const Arbiter__Lobby__TableEvent *ended = bench_event(&bench, &bob, EVENT(MATCH_ENDED));
    assert_int_equal(ended->match_ended->result->outcome[1], -1);
    party_engine_over(1, -1);
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(MATCH_OVER_HEARD)), 1);
    assert_null(bench_event(&bench, &bob, EVENT(MATCH_ENDED)));
}

static void who_has_left_may_come_back_to_his_seat(void **unused)
{
    (void) unused;
    party_plays();
    party_leaves(&bob, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &ann, EVENT(SEAT_VACATED)));
    party_joins(&cid, VERDICT(BEGUN));
    party_joins(&bob, VERDICT(DONE));
    const Arbiter__Lobby__TableEvent *given = bench_event(&bench, &ann, EVENT(SEAT_GIVEN));
    assert_int_equal(given->seat_given->generation, 1);
    assert_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
}

static void a_match_that_every_person_has_left_is_ended(void **unused)
{
    (void) unused;
    party_plays();
    party_leaves(&bob, VERDICT(DONE));
    assert_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    party_leaves(&ann, VERDICT(DONE));
    assert_non_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
    bench_wait(&bench, 1000);
    assert_non_null(bench_to_engine(&bench, KIND(ABORT_MATCH)));
}

static void free_seats_are_no_seats_of_the_match(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(4);
    party_opens(&ann, &create);
    party_starts(&ann, VERDICT(TOO_FEW));
    party_joins(&bob, VERDICT(DONE));
    party_takes(&bob, 3, VERDICT(DONE));
    party_starts(&bob, VERDICT(NOT_HOST));
    party_starts(&ann, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_int_equal(start->match->seats, 2);
    assert_int_equal(start->holders[1]->key.data[0], bob.number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_start_is_sent_until_the_engine_has_begun),
        TEST(a_match_that_cannot_begin_closes_its_table_and_says_why),
        TEST(a_match_that_begins_behind_its_tables_back_is_ended),
        TEST(a_result_is_stored_before_it_is_heard_and_heard_again),
        TEST(who_has_left_may_come_back_to_his_seat),
        TEST(a_match_that_every_person_has_left_is_ended),
        TEST(free_seats_are_no_seats_of_the_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
