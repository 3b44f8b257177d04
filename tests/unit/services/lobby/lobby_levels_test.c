/* lobby_levels_test.c: a bot is called to play at a level, and who reads version 2 sees at which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static uint8_t bot_id[16];

static Arbiter__Lobby__FillWithBots *one_of(const char *policy)
{
    static Arbiter__Lobby__FillWithBots fill;
    arbiter__lobby__fill_with_bots__init(&fill);
    fill.has_table = fill.has_count = true;
    fill.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    fill.count = 1;
    fill.policy = (char *) (uintptr_t) policy;
    return &fill;
}

/* How the bot is told to play that is called now. */
static const char *called_to_play(void)
{
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, &bots, EVENT(INVITED));
    assert_non_null(event);
    memcpy(bot_id, event->player.data, sizeof bot_id);
    return event->invited->policy != NULL ? event->invited->policy : "";
}

static void the_bot_joins(uint32_t request)
{
    Arbiter__Lobby__Ask       ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    ask.has_player = join.has_table = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = bot_id };
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_JOIN_TABLE;
    ask.join_table = &join;
    bench_say(&bench, &bots, KIND(LOBBY_ASK), request, &ask);
}

static void says_hello(const struct person *person, uint32_t protocol)
{
    bench.protocol = protocol;
    bench_hello(&bench, person);
    bench.protocol = 0;
}

/* The bot that has just sat down, as this member is told. */
static const Arbiter__Lobby__Player *seen_by(const struct person *person)
{
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, person, EVENT(SEATED));
    assert_non_null(event);
    assert_true(event->seated->player->bot);
    return event->seated->player;
}

static void opened_for(uint32_t seats)
{
    Arbiter__Lobby__CreateTable create = party_nim(seats);
    party_opens(&ann, &create);
    bench_service(&bench, &bots, "bots-1");
}

static void each_bot_has_the_level_it_was_called_with(void **unused)
{
    (void) unused;
    static const char *const policies[] = { "level:1", "random", "level:2" };
    opened_for(4);
    for (uint32_t i = 0; i < 3; i++) {
        bench_expect(&bench, &ann, ASK(FILL_WITH_BOTS), one_of(policies[i]), VERDICT(DONE));
        assert_string_equal(called_to_play(), policies[i]);
        if (i < 2) /* The last one is only called, so that the match does not begin. */
            the_bot_joins(i + 1);
    }
    bench_restart(&bench);
    says_hello(&ann, 2);
    bench_service(&bench, &bots, "bots-1");
    bench_wait(&bench, 1000);
    assert_string_equal(called_to_play(), "level:1"); /* Its seat is played on as before. */
}

static void who_reads_1_is_told_of_no_level(void **unused)
{
    (void) unused;
    opened_for(4);
    party_joins(&bob, VERDICT(DONE));
    says_hello(&ann, 2);
    says_hello(&bob, 1);
    bench_expect(&bench, &ann, ASK(FILL_WITH_BOTS), one_of("level:2"), VERDICT(DONE));
    assert_string_equal(called_to_play(), "level:2");
    the_bot_joins(1);
    assert_true(seen_by(&ann)->has_level);
    assert_int_equal(seen_by(&ann)->level, 2);
    assert_false(seen_by(&bob)->has_level);
    Arbiter__Lobby__ListTables    list = ARBITER__LOBBY__LIST_TABLES__INIT;
    const Arbiter__Lobby__Answer *answer = /* A request in version 1. */
        bench_expect(&bench, &bob, ASK(LIST_TABLES), &list, VERDICT(DONE));
    assert_true(answer->tables->tables[0]->seats[2]->player->bot);
    assert_false(answer->tables->tables[0]->seats[2]->player->has_level);
}

static void a_greedy_bot_has_no_level(void **unused)
{
    (void) unused;
    opened_for(3);
    says_hello(&ann, 2);
    bench_expect(&bench, &ann, ASK(FILL_WITH_BOTS), one_of(NULL), VERDICT(DONE));
    assert_string_equal(called_to_play(), "");
    the_bot_joins(1);
    assert_false(seen_by(&ann)->has_level);
}

static void another_match(bool bot_gets_up_first)
{
    Arbiter__Lobby__Ask        ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__LeaveTable leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    uint8_t                    first[16];
    opened_for(2);
    bench_service(&bench, &engine, "engine-1");
    bench_expect(&bench, &ann, ASK(FILL_WITH_BOTS), one_of("level:2"), VERDICT(DONE));
    assert_string_equal(called_to_play(), "level:2");
    the_bot_joins(1);
    assert_true(party_was_started());
    party_engine_started(NULL);
    memcpy(first, match_id, sizeof first);
    party_engine_over(1, -1);
    ask.has_player = leave.has_table = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = bot_id };
    leave.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_LEAVE_TABLE;
    ask.leave_table = &leave;
    if (bot_gets_up_first)
        bench_say(&bench, &bots, KIND(LOBBY_ASK), 2, &ask);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_service(&bench, &bots, "bots-1");
    party_wants_rematch(&ann, VERDICT(DONE));
    assert_false(party_was_started());
    assert_string_equal(called_to_play(), "level:2");
    if (!bot_gets_up_first) /* It says so late, and gets up from nothing. */
        bench_say(&bench, &bots, KIND(LOBBY_ASK), 2, &ask);
    the_bot_joins(3);
    assert_true(party_was_started());
    assert_memory_not_equal(match_id, first, 16);
}

static void another_match_brings_the_bots_again(void **unused)
{
    (void) unused;
    another_match(true);
}

static void a_bot_that_has_not_got_up_yet_is_called_again_like_the_others(void **unused)
{
    (void) unused;
    another_match(false);
}

/* Nim has two. */
static void a_level_that_the_game_has_not_is_refused(void **unused)
{
    (void) unused;
    static const char *const policies[] = { "level:3", "level:0", "level:", "search:9", "best" };
    opened_for(3);
    for (uint32_t i = 0; i < 5; i++) {
        assert_null(bench_ask(&bench, &ann, ASK(FILL_WITH_BOTS), one_of(policies[i])));
        assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(another_match_brings_the_bots_again),
        TEST(a_bot_that_has_not_got_up_yet_is_called_again_like_the_others),
        TEST(each_bot_has_the_level_it_was_called_with),
        TEST(who_reads_1_is_told_of_no_level),
        TEST(a_greedy_bot_has_no_level),
        TEST(a_level_that_the_game_has_not_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
