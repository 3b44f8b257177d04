/* lobby_versions_test.c: a match is of the version that everybody reads who holds a seat or passes its acts on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#define ORIGIN(name) ARBITER__WIRE__ORIGIN__ORIGIN_##name

static void says_hello(const struct person *person, uint32_t protocol)
{
    bench.protocol = protocol;
    bench_hello(&bench, person);
}

static void is_there(const struct person *person, const char *name, uint32_t protocol)
{
    bench.protocol = protocol;
    bench_service(&bench, person, name);
    bench.protocol = 0;
}

/* Ann's table of two begins with Bob; what the engine is asked. */
static const Arbiter__Engine__StartMatch *start(struct person *second)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    party_joins(second, VERDICT(DONE));
    const struct effect *sent = bench_to_engine(&bench, KIND(START_MATCH));
    assert_non_null(sent);
    assert_int_equal(sent->header.version, 1); /* A service of the build before reads it. */
    assert_true(party_was_started());
    return (const void *) sent->body;
}

static void engine_says(uint32_t protocol)
{
    Arbiter__Engine__MatchStarted started = ARBITER__ENGINE__MATCH_STARTED__INIT;
    started.has_number = true;
    started.has_protocol = protocol != 0;
    started.protocol = protocol;
    bench_engine_says(&bench, KIND(MATCH_STARTED), match_id, NO_SEAT, &started);
}

static void where_all_speak_2_the_match_does(void **unused)
{
    (void) unused;
    says_hello(&ann, 2);
    says_hello(&bob, 2);
    const Arbiter__Engine__MatchFacts *facts = start(&bob)->match;
    assert_true(facts->has_protocol && facts->protocol == 2);
    assert_int_equal(facts->n_contributors, 2);
    for (uint32_t seat = 0; seat < 2; seat++) {
        assert_int_equal(facts->contributors[seat]->seat, seat);
        assert_int_equal(facts->contributors[seat]->origin, ORIGIN(OWN));
    }
}

static void one_who_speaks_1_makes_it_a_match_of_1(void **unused)
{
    (void) unused;
    says_hello(&ann, 2);
    says_hello(&bob, 1);
    const Arbiter__Engine__MatchFacts *facts = start(&bob)->match;
    assert_true(!facts->has_protocol && facts->n_contributors == 0);
}

static void who_has_not_said_what_it_speaks_is_taken_for_the_oldest(void **unused)
{
    (void) unused;
    says_hello(&ann, 2);
    assert_false(start(&bob)->match->has_protocol);
}

static void a_service_of_the_build_before_makes_it_a_match_of_1(void **unused)
{
    (void) unused;
    static const struct person older = { .number = 14, .role = ROLE(BOT) };
    says_hello(&ann, 2);
    says_hello(&bob, 2);
    is_there(&older, "bots-2", 1);
    assert_false(start(&bob)->match->has_protocol);
}

/* Gil comes by the gateway, and says who makes the bytes with an ask that only looks. */
static void gil_says(struct person *gil, uint32_t origin)
{
    Arbiter__Lobby__Ask        ask = ARBITER__LOBBY__ASK__INIT;
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    uint8_t                    player[16];
    memset(player, gil->guest, sizeof player);
    ask.kind_case = ARBITER__LOBBY__ASK__KIND_LIST_TABLES;
    ask.list_tables = &list;
    ask.has_player = ask.has_bytes = true;
    ask.player = (ProtobufCBinaryData){ sizeof player, player };
    ask.bytes = (Arbiter__Wire__Origin) origin;
    bench_say(&bench, gil, KIND(LOBBY_ASK), ++gil->request, &ask);
}

static void a_gateways_player_has_the_gateways_bytes_until_it_says_otherwise(void **unused)
{
    static const uint32_t rows[][2] = { { 0, ORIGIN(GATEWAY) },
                                        { ORIGIN(OWN), ORIGIN(OWN) },
                                        { ORIGIN(HOUSE), ORIGIN(HOUSE) } };
    (void) unused;
    struct person gil = gateway;
    gil.guest = 7;
    says_hello(&ann, 2);
    is_there(&gateway, "gateway-1", 2);
    bench_bind(&bench, &gil, "Gil");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gil_says(&gil, rows[i][0]);
        const Arbiter__Engine__MatchFacts *facts = start(&gil)->match;
        assert_int_equal(facts->contributors[0]->origin, ORIGIN(OWN));
        assert_int_equal(facts->contributors[1]->origin, rows[i][1]);
        engine_says(2);
        party_engine_over(1, -1);
        party_leaves(&ann, VERDICT(DONE));
        party_leaves(&gil, VERDICT(DONE));
    }
}

/* Bob has left, and those who stay want Cid in his place. */
static void bob_is_replaced(void)
{
    party_leaves(&bob, VERDICT(DONE));
    party_votes(&ann, 1, ARBITER__LOBBY__VOTE__CHOICE__CHOICE_FRIEND, "Cid", VERDICT(DONE));
}

static void a_seat_of_a_match_of_2_goes_to_nobody_who_speaks_1(void **unused)
{
    (void) unused;
    says_hello(&ann, 2);
    says_hello(&bob, 2);
    says_hello(&cid, 1);
    start(&bob);
    engine_says(2);
    bench_restart(&bench); /* The next lobby knows it, too. */
    bench_service(&bench, &engine, "engine-1");
    says_hello(&ann, 2);
    says_hello(&cid, 1);
    bob_is_replaced();
    const Arbiter__Lobby__Answer *answer = party_joins(&cid, VERDICT(BEGUN));
    assert_non_null(strstr(answer->sentence, "version 2"));
    says_hello(&cid, 2);
    party_joins(&cid, VERDICT(DONE));
    assert_non_null(bench_to_engine(&bench, KIND(CHANGE_SEAT)));
}

static void an_engine_that_began_it_in_1_has_the_last_word(void **unused)
{
    (void) unused;
    says_hello(&ann, 2);
    says_hello(&bob, 2);
    says_hello(&cid, 1);
    start(&bob);
    engine_says(0);
    bob_is_replaced();
    party_joins(&cid, VERDICT(DONE));
}

/* What a member is told unasked comes in a version that it reads. */
static void events_are_told_in_the_members_own_version(void **unused)
{
    (void) unused;
    for (uint32_t protocol = 1; protocol <= 2; protocol++) {
        Arbiter__Lobby__CreateTable create = party_nim(3);
        says_hello(&ann, protocol);
        party_opens(&ann, &create);
        party_joins(&bob, VERDICT(DONE));
        for (uint32_t i = 0; i < bench.out.effect_count; i++) {
            const struct effect *effect = &bench.out.effects[i];
            if (effect->kind == EFFECT_SEND && effect->route == 100u + ann.number &&
                effect->header.kind == KIND(TABLE_EVENT))
                assert_int_equal(effect->header.version, protocol);
        }
        party_leaves(&ann, VERDICT(DONE));
        party_leaves(&bob, VERDICT(DONE));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(where_all_speak_2_the_match_does),
        TEST(one_who_speaks_1_makes_it_a_match_of_1),
        TEST(who_has_not_said_what_it_speaks_is_taken_for_the_oldest),
        TEST(a_service_of_the_build_before_makes_it_a_match_of_1),
        TEST(a_gateways_player_has_the_gateways_bytes_until_it_says_otherwise),
        TEST(a_seat_of_a_match_of_2_goes_to_nobody_who_speaks_1),
        TEST(an_engine_that_began_it_in_1_has_the_last_word),
        TEST(events_are_told_in_the_members_own_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
