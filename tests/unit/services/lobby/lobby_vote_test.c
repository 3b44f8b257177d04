/* lobby_vote_test.c: a vacant seat is voted on, and given to a bot or a friend. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static void the_engine_confirms(uint32_t seat)
{
    Arbiter__Engine__HouseReply reply = ARBITER__ENGINE__HOUSE_REPLY__INIT;
    reply.has_done = reply.done = true;
    bench_engine_says(&bench, KIND(HOUSE_REPLY), match_id, seat, &reply);
}

static void a_friend_who_is_voted_for_takes_the_seat_with_the_next_generation(void **unused)
{
    (void) unused;
    party_plays();
    party_votes(&ann, 1, CHOICE(FRIEND), "Cid", VERDICT(NO_VOTE));
    party_leaves(&bob, VERDICT(DONE));
    bench_hello(&bench, &cid);
    party_votes(&ann, 1, CHOICE(FRIEND), "Nobody", VERDICT(NO_SUCH_PLAYER));
    party_votes(&ann, 1, CHOICE(FRIEND), "Cid", VERDICT(DONE));
    const Arbiter__Lobby__TableEvent *invited = bench_event(&bench, &cid, EVENT(INVITED));
    assert_int_equal(invited->invited->seat, 1);
    assert_int_equal(invited->invited->by.len, 16); /* He is told who keeps the seat for him. */
    assert_false(invited->has_number);
    party_joins(&cid, VERDICT(DONE));
    const Arbiter__Engine__ChangeSeat *change =
        (const void *) bench_to_engine(&bench, KIND(CHANGE_SEAT))->body;
    assert_int_equal(change->generation, 2);
    assert_int_equal(change->holder->key.data[0], cid.number);
    assert_string_equal(change->name, "Cid");
    bench_wait(&bench, 1000);
    assert_non_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
    the_engine_confirms(1);
    assert_int_equal(bench_event(&bench, &ann, EVENT(SEAT_GIVEN))->seat_given->generation, 2);
    bench_wait(&bench, 1000);
    assert_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
    party_joins(&bob, VERDICT(BEGUN));
}

static void silence_at_a_vote_means_waiting(void **unused)
{
    (void) unused;
    party_plays();
    party_leaves(&bob, VERDICT(DONE));
    bench_wait(&bench, 60000);
    bench_service(&bench, &engine, "engine-1");
    party_joins(&bob, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &ann, EVENT(SEAT_GIVEN)));
}

/* The engine hears of it only when somebody else has the seat; until then it is still the
 * player's. */
static void who_gets_up_keeps_his_seat_until_another_has_it(void **unused)
{
    (void) unused;
    party_plays();
    party_leaves(&bob, VERDICT(DONE));
    assert_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
    bench_wait(&bench, 60000);
    assert_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
    bench_service(&bench, &engine, "engine-1");
    party_votes(&ann, 1, CHOICE(FRIEND), "Cid", VERDICT(DONE));
    assert_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
    party_joins(&cid, VERDICT(DONE));
    const struct effect *change = bench_to_engine(&bench, KIND(CHANGE_SEAT));
    assert_non_null(change);
    const Arbiter__Engine__ChangeSeat *asked = (const void *) change->body;
    assert_int_equal(asked->holder->key.data[0], cid.number);
    assert_int_equal(asked->generation, 2);
}

static void there_is_no_vote_for_bots_that_are_not_there(void **unused)
{
    (void) unused;
    party_plays();
    party_leaves(&bob, VERDICT(DONE));
    party_votes(&ann, 1, CHOICE(BOT), NULL, VERDICT(NO_BOTS));
    bench_service(&bench, &bots, "bots-1");
    party_votes(&ann, 1, CHOICE(BOT), NULL, VERDICT(DONE));
    assert_int_equal(bench_event(&bench, &bots, EVENT(INVITED))->invited->seat, 1);
}

/* Three play nim, one leaves: two votes count more than one, whichever came first. */
static void most_votes_win(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(4);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
    party_joins(&dan, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    bench_service(&bench, &bots, "bots-1");
    party_leaves(&dan, VERDICT(DONE));
    party_votes(&ann, 3, CHOICE(BOT), NULL, VERDICT(DONE));
    party_votes(&bob, 3, CHOICE(FRIEND), "Dan", VERDICT(DONE));
    party_votes(&cid, 3, CHOICE(FRIEND), "Dan", VERDICT(DONE));
    assert_null(bench_event(&bench, &bots, EVENT(INVITED)));
    assert_non_null(bench_event(&bench, &dan, EVENT(INVITED)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_friend_who_is_voted_for_takes_the_seat_with_the_next_generation),
        TEST(silence_at_a_vote_means_waiting),
        TEST(who_gets_up_keeps_his_seat_until_another_has_it),
        TEST(there_is_no_vote_for_bots_that_are_not_there),
        TEST(most_votes_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
