/* lobby_bots_test.c: bots are promised seats and join like anyone. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static Arbiter__Lobby__Invited invitation;
static uint8_t                 bot_id[16];

static bool a_bot_was_called(const struct person *service)
{
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, service, EVENT(INVITED));
    if (event == NULL)
        return false;
    assert_false(event->has_number);
    assert_int_equal(event->player.len, 16);
    assert_string_equal(event->invited->code, table_code);
    invitation = *event->invited;
    memcpy(bot_id, event->player.data, sizeof bot_id);
    return true;
}

static const Arbiter__Lobby__Answer *the_bot_joins(const struct person *service, uint32_t request)
{
    Arbiter__Lobby__Ask       ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    ask.has_player = join.has_table = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = bot_id };
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_JOIN_TABLE;
    ask.join_table = &join;
    bench_say(&bench, service, KIND(LOBBY_ASK), request, &ask);
    return bench_message(&bench, service, KIND(LOBBY_ANSWER), 0);
}

static void ann_opens_for_two(void)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_private_table = create.private_table = true;
    party_opens(&ann, &create);
}

static void a_called_bot_sits_down_and_the_match_begins(void **unused)
{
    (void) unused;
    ann_opens_for_two();
    party_fills_with_bots(&ann, VERDICT(NO_BOTS));
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(invitation.seat, 1);
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_true(start->holders[1]->bot);
    assert_int_equal(start->holders[1]->key.data[0], bots.number);
}

static struct person others = { .number = 14, .role = ROLE(BOT) };

static void ann_asks_two_services_for_a_bot(void)
{
    ann_opens_for_two();
    bench_service(&bench, &bots, "bots-1");
    bench_service(&bench, &others, "bots-2");
    party_fills_with_bots(&ann, VERDICT(DONE));
}

static void a_bot_that_does_not_come_is_called_at_the_next_service(void **unused)
{
    (void) unused;
    ann_asks_two_services_for_a_bot();
    bool first = a_bot_was_called(&bots), second = a_bot_was_called(&others);
    assert_true(first != second);
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(&bots) == second);
    assert_true(a_bot_was_called(&others) == first);
    bench_restart(&bench);
    bench_service(&bench, &bots, "bots-1");
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
}

/* Both were called; the second one's word comes when the match has begun under the first one's key. */
static void whoever_sits_down_with_a_bot_first_plays_it(void **unused)
{
    (void) unused;
    ann_asks_two_services_for_a_bot();
    bool                 is_first = a_bot_was_called(&bots);
    const struct person *early = is_first ? &bots : &others, *late = is_first ? &others : &bots;
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(late));
    assert_int_equal(the_bot_joins(early, 1)->verdict, VERDICT(DONE));
    assert_null(the_bot_joins(late, 2));
    const Arbiter__Wire__Refused *refused = bench_message(&bench, late, KIND(REFUSED), 0);
    assert_non_null(refused);
    assert_int_equal(refused->refusal, REFUSAL(NOT_YOURS));
    bench.service_started_ms++;
    bench_service(&bench, early, early == &bots ? "bots-1" : "bots-2");
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(early)); /* Back to its seat. */
}

static void a_bot_that_has_come_is_not_called_any_more(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    party_opens(&ann, &create);
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
    uint32_t seat = invitation.seat;
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(&bots));
    assert_int_not_equal(invitation.seat, seat);
    assert_null(bench_message(&bench, &bots, KIND(TABLE_EVENT), 1));
}

static void people_go_before_bots_that_are_not_there_yet(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(BEGUN));
}

/* Another process under the service's name, which knows nothing. */
static void the_service_begins_anew(void)
{
    bench.service_started_ms++;
    bench_service(&bench, &bots, "bots-1");
}

static void a_service_that_begins_anew_is_called_back_to_its_seats(void **unused)
{
    (void) unused;
    ann_opens_for_two();
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
    bench_wait(&bench, 1000);
    assert_false(a_bot_was_called(&bots));
    uint8_t played[16];
    memcpy(played, bot_id, sizeof played);
    the_service_begins_anew();
    for (uint32_t second = 0; second < 3; second++) {
        memset(bot_id, 0, sizeof bot_id);
        bench_wait(&bench, 1000);
        assert_true(a_bot_was_called(&bots));
        assert_int_equal(invitation.seat, 1);
        assert_memory_equal(bot_id, played, sizeof played);
    }
    const Arbiter__Lobby__Answer *answer = the_bot_joins(&bots, 2);
    assert_int_equal(answer->verdict, VERDICT(DONE));
    assert_int_equal(answer->table->phase, PHASE(PLAYING));
    assert_int_equal(answer->table->match_id.len, 16);
    bench_wait(&bench, 1000);
    assert_false(a_bot_was_called(&bots));
    bench_service(&bench, &bots, "bots-1");
    bench_wait(&bench, 1000);
    assert_false(a_bot_was_called(&bots));
}

/* It may have begun anew while nobody was there to hear it. */
static void a_lobby_that_begins_anew_calls_bots_back_until_they_speak(void **unused)
{
    (void) unused;
    struct person late = { .number = 15, .role = ROLE(BOT) };
    ann_opens_for_two();
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
    bench_restart(&bench);
    bench_wait(&bench, 1000);
    bench_service(&bench, &late, "bots-2");
    bench_wait(&bench, 1000);
    /* Its own has said nothing. */
    assert_false(a_bot_was_called(&bots) || a_bot_was_called(&late));
    bench_service(&bench, &bots, "bots-1");
    bench_wait(&bench, 1000);
    assert_true(a_bot_was_called(&bots));
    assert_false(a_bot_was_called(&late)); /* The engine knows the seat by the other's key. */
    Arbiter__Lobby__TableAsk ask = ARBITER__LOBBY__TABLE_ASK__INIT;
    ask.has_player = ask.has_table = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = bot_id };
    ask.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    bench_say(&bench, &bots, KIND(TABLE_ASK), 0, &ask);
    bench_wait(&bench, 1000);
    assert_false(a_bot_was_called(&bots));
}

/* Ann plays against a bot of the first service; all but that one are heard of each second. */
static void seconds_go_by(uint32_t seconds, bool is_other_there)
{
    for (uint32_t i = 0; i < seconds; i++) {
        bench_service(&bench, &engine, "engine-1");
        if (is_other_there)
            bench_service(&bench, &others, "bots-2");
        bench_wait(&bench, 1000);
    }
}

static void ann_plays_against_a_bot(void)
{
    ann_opens_for_two();
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    assert_true(a_bot_was_called(&bots));
    assert_int_equal(the_bot_joins(&bots, 1)->verdict, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
}

static void another_service_plays_on_for_one_that_is_gone(void **unused)
{
    (void) unused;
    uint8_t gone[16], called[16];
    ann_plays_against_a_bot();
    memcpy(gone, bot_id, sizeof gone);
    seconds_go_by(29, true);
    assert_false(a_bot_was_called(&others));
    seconds_go_by(2, true);
    assert_true(a_bot_was_called(&others));
    assert_int_equal(invitation.seat, 1);
    assert_memory_not_equal(bot_id, gone, sizeof gone); /* The bot would come back under its old
                                                         * key. */
    memcpy(called, bot_id, sizeof called);
    seconds_go_by(70, true); /* However long it takes: nobody has to vote. */
    assert_true(a_bot_was_called(&others));
    assert_memory_equal(bot_id, called, sizeof called);
    assert_int_equal(the_bot_joins(&others, 1)->verdict, VERDICT(DONE));
    const Arbiter__Engine__ChangeSeat *change =
        (const void *) bench_to_engine(&bench, KIND(CHANGE_SEAT))->body;
    assert_int_equal(change->generation, 2);
    assert_int_equal(change->holder->key.data[0], others.number);
    memcpy(bot_id, gone, sizeof gone);
    assert_int_equal(the_bot_joins(&bots, 2)->verdict,
                     VERDICT(WRONG_CODE)); /* The bot is nobody here. */
}

static void whoever_comes_back_in_time_plays_on_himself(void **unused)
{
    (void) unused;
    ann_plays_against_a_bot();
    seconds_go_by(29, true);
    bench.service_started_ms++;
    bench_service(&bench, &bots, "bots-1");
    seconds_go_by(29, true);
    assert_false(a_bot_was_called(&others));
    assert_true(a_bot_was_called(&bots)); /* Back to the bot's seat. */
}

/* Nor does a lobby that has begun anew know who was there before. */
static void where_no_other_service_is_nobody_is_replaced(void **unused)
{
    (void) unused;
    ann_plays_against_a_bot();
    seconds_go_by(100, false);
    assert_null(bench_event(&bench, &ann, EVENT(SEAT_VACATED)));
    bench_restart(&bench);
    seconds_go_by(29, true);
    assert_false(a_bot_was_called(&others));
    seconds_go_by(2, true);
    assert_true(a_bot_was_called(&others));
}

/* A bot that was called last, or is called in the next second, sits down. */
static void the_next_bot_sits_down(uint32_t request)
{
    if (!a_bot_was_called(&bots)) {
        bench_wait(&bench, 1000);
        assert_true(a_bot_was_called(&bots));
    }
    assert_int_equal(the_bot_joins(&bots, request)->verdict, VERDICT(DONE));
}

/* Ann and Bob play with two bots at a table of two to four seats; the match is over. */
static void four_have_played(void)
{
    Arbiter__Lobby__CreateTable create = party_nim(4);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&ann, VERDICT(DONE));
    the_next_bot_sits_down(1);
    the_next_bot_sits_down(2);
    assert_true(party_was_started());
    party_engine_started(NULL);
    party_engine_over(1, -1);
}

static void another_match_with_bots_begins_without_who_has_left(void **unused)
{
    (void) unused;
    four_have_played();
    party_leaves(&bob, VERDICT(DONE));
    party_wants_rematch(&ann, VERDICT(DONE));
    assert_false(party_was_started());
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_service(&bench, &bots, "bots-1");
    the_next_bot_sits_down(3);
    assert_false(party_was_started());
    the_next_bot_sits_down(4);
    const struct effect *start = bench_to_engine(&bench, KIND(START_MATCH));
    assert_non_null(start);
    const Arbiter__Engine__StartMatch *match = (const void *) start->body;
    assert_int_equal(match->n_holders, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_called_bot_sits_down_and_the_match_begins),
        TEST(a_bot_that_does_not_come_is_called_at_the_next_service),
        TEST(a_bot_that_has_come_is_not_called_any_more),
        TEST(whoever_sits_down_with_a_bot_first_plays_it),
        TEST(people_go_before_bots_that_are_not_there_yet),
        TEST(a_service_that_begins_anew_is_called_back_to_its_seats),
        TEST(a_lobby_that_begins_anew_calls_bots_back_until_they_speak),
        TEST(another_service_plays_on_for_one_that_is_gone),
        TEST(whoever_comes_back_in_time_plays_on_himself),
        TEST(where_no_other_service_is_nobody_is_replaced),
        TEST(another_match_with_bots_begins_without_who_has_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
