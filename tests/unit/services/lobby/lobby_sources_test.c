/* lobby_sources_test.c: no address takes all the names, tables and seats: others come in, sit down and play. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#define MINUTE_MS 60000u
#define ATTACKER 0xa77ac4u
#define NEWCOMER 0x4ce3u

static void small_bounds(struct lobby_settings *settings)
{
    settings->players_max = 200;
    settings->tables_max = 100;
    settings->names_per_address = 8;
    settings->names_per_minute = 5;
    settings->tables_per_address = 4;
    settings->tables_per_minute = 3;
    settings->seats_per_address = 6;
    settings->seats_per_minute = 4;
    settings->crowd_times = 3;
}

/* Nothing holds an address back but what others have. */
static void no_bounds(struct lobby_settings *settings)
{
    settings->players_max = 100;
    settings->tables_max = 40;
    settings->names_per_address = settings->names_per_minute = settings->tables_per_address =
        settings->tables_per_minute = settings->seats_per_address = settings->seats_per_minute = 0;
}

static int bounded(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, small_bounds);
    return 0;
}

static int unbounded(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, no_bounds);
    return 0;
}

static int over(void **unused)
{
    (void) unused;
    party_close();
    return 0;
}

static struct person guest(uint32_t number, uint64_t from)
{
    return (struct person){
        .number = 11, .role = ROLE(GATEWAY), .guest = (uint8_t) number, .from = from
    };
}

static uint32_t binds(struct person *person)
{
    char                     name[24];
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    snprintf(name, sizeof name, "guest-%u", person->guest);
    bind.name = name;
    return bench_ask(&bench, person, ASK(BIND_NAME), &bind)->verdict;
}

static uint32_t is_known(uint32_t number)
{
    struct person            person = guest(number, 0);
    Arbiter__Lobby__BindName who = ARBITER__LOBBY__BIND_NAME__INIT;
    return bench_ask(&bench, &person, ASK(BIND_NAME), &who)->verdict == VERDICT(DONE);
}

static uint32_t opens(struct person *person, bool is_seated)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_seated = true;
    create.seated = is_seated;
    const Arbiter__Lobby__Answer *answer = bench_ask(&bench, person, ASK(CREATE_TABLE), &create);
    if (answer->verdict == VERDICT(DONE))
        memcpy(table_id, answer->table->table.data, sizeof table_id);
    return answer->verdict;
}

/* How many of `tries` asks are granted; none behind the first that is not. */
static uint32_t count_of(uint32_t (*asks)(struct person *), uint32_t first, uint32_t tries,
                         uint64_t from, bool is_crowd)
{
    uint32_t granted = 0;
    for (uint32_t i = 0; i < tries; i++) {
        struct person person = guest(first + i, from);
        person.is_crowd = is_crowd;
        uint32_t said = asks(&person);
        assert_true(said == VERDICT(DONE) || said == VERDICT(LOBBY_FULL));
        granted += said == VERDICT(DONE);
    }
    return granted;
}

static void an_address_has_so_many_names_in_a_minute_and_at_once(void **unused)
{
    (void) unused;
    assert_int_equal(count_of(binds, 20, 10, ATTACKER, false), 5);
    bench_wait(&bench, MINUTE_MS / 5 + 1); /* One comes back. */
    assert_int_equal(count_of(binds, 30, 10, ATTACKER, false), 1);
    bench_wait(&bench, 10 * MINUTE_MS); /* No more than eight at once, however long it waits. */
    assert_int_equal(count_of(binds, 40, 10, ATTACKER, false), 2);
    bench_wait(&bench, 10 * MINUTE_MS);
    assert_int_equal(count_of(binds, 50, 10, ATTACKER, false), 0);
    assert_int_equal(count_of(binds, 60, 10, NEWCOMER, false), 5);
    assert_int_equal(count_of(binds, 70, 10, 0, false), 10); /* This machine's own. */
}

static void a_refusal_says_why(void **unused)
{
    (void) unused;
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    struct person            late = guest(30, ATTACKER);
    assert_int_equal(count_of(binds, 20, 5, ATTACKER, false), 5);
    bind.name = (char *) (uintptr_t) "Late";
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &late, ASK(BIND_NAME), &bind, VERDICT(LOBBY_FULL));
    assert_non_null(strstr(answer->sentence, "from your address"));
}

static void assert_used(enum bound bound, uint64_t used, uint64_t limit)
{
    struct fullness bounds = { 0 };
    lobby_ops.bounds(bench.lobby, &bounds);
    assert_int_equal(bounds.of[bound].used, used);
    assert_int_equal(bounds.of[bound].limit, limit);
}

/* The last ask was refused for this limit alone. */
static void assert_refused_for(enum bound bound)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench.out.effect_count; i++) {
        count += bench.out.effects[i].is_full;
        assert_true(!bench.out.effects[i].is_full || bench.out.effects[i].bound == bound);
    }
    assert_int_equal(count, 1);
}

static void what_one_address_has_is_shown_and_a_refusal_names_its_limit(void **unused)
{
    (void) unused;
    struct person host = guest(20, ATTACKER);
    assert_int_equal(binds(&host), VERDICT(DONE));
    assert_int_equal(count_of(binds, 21, 9, ATTACKER, false), 4);
    assert_refused_for(BOUND_NAMES_A_MINUTE);
    assert_used(BOUND_NAMES_OF_ONE, 5, 8);
    bench_wait(&bench, 10 * MINUTE_MS);
    assert_int_equal(count_of(binds, 30, 10, ATTACKER, false), 3);
    assert_refused_for(BOUND_NAMES_OF_ONE);
    assert_int_equal(count_of(binds, 50, 15, NEWCOMER, true), 15); /* A class is none of that. */
    assert_used(BOUND_NAMES_OF_ONE, 8, 8);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(opens(&host, i == 0), VERDICT(DONE));
    assert_int_equal(opens(&host, false), VERDICT(LOBBY_FULL));
    assert_refused_for(BOUND_TABLES_A_MINUTE);
    assert_used(BOUND_TABLES_OF_ONE, 3, 4);
    assert_used(BOUND_SEATS_OF_ONE, 1, 6);
}

static void a_listed_network_has_so_many_times_more(void **unused)
{
    (void) unused;
    assert_int_equal(count_of(binds, 20, 20, ATTACKER, true), 15);
    bench_wait(&bench, 10 * MINUTE_MS);
    assert_int_equal(count_of(binds, 40, 20, ATTACKER, true), 9);
}

static void only_gateways_say_where_somebody_is_from(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 9; i++) { /* A key is a source of its own, three times as large. */
        ann.from = i + 1;
        assert_int_equal(opens(&ann, false), VERDICT(DONE));
    }
    assert_int_equal(opens(&ann, false), VERDICT(LOBBY_FULL));
    bob.from = ATTACKER;
    assert_int_equal(opens(&bob, false), VERDICT(DONE));
}

static void an_address_opens_so_many_tables(void **unused)
{
    (void) unused;
    struct person host = guest(20, ATTACKER), other = guest(21, ATTACKER),
                  newcomer = guest(22, NEWCOMER);
    assert_int_equal(binds(&host), VERDICT(DONE));
    assert_int_equal(binds(&other), VERDICT(DONE));
    assert_int_equal(binds(&newcomer), VERDICT(DONE));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(opens(i == 0 ? &other : &host, false), VERDICT(DONE));
    assert_int_equal(opens(&other, false), VERDICT(LOBBY_FULL));
    bench_wait(&bench, MINUTE_MS);
    assert_int_equal(opens(&other, false), VERDICT(DONE));
    bench_wait(&bench, MINUTE_MS);
    assert_int_equal(opens(&other, false), VERDICT(LOBBY_FULL));
    assert_int_equal(opens(&newcomer, false), VERDICT(DONE));
}

static void an_address_takes_so_many_seats(void **unused)
{
    (void) unused;
    struct person players[8], newcomer = guest(40, NEWCOMER);
    for (uint32_t i = 0; i < 8; i++) {
        players[i] = guest(20 + i, ATTACKER);
        players[i].is_crowd = true; /* While they come; then they are where one may do less. */
        assert_int_equal(binds(&players[i]), VERDICT(DONE));
        players[i].is_crowd = false;
    }
    assert_int_equal(binds(&newcomer), VERDICT(DONE));
    Arbiter__Lobby__CreateTable create = party_nim(4);
    party_opens(&ann, &create);
    for (uint32_t i = 0; i < 3; i++)
        party_joins(&players[i], VERDICT(DONE));
    party_opens(&bob, &create);
    party_joins(&players[3], VERDICT(DONE));
    party_joins(&players[4], VERDICT(LOBBY_FULL));
    bench_wait(&bench, MINUTE_MS);
    party_joins(&players[4], VERDICT(DONE));
    party_joins(&newcomer, VERDICT(DONE));
    party_opens(&cid, &create);
    party_joins(&players[5], VERDICT(DONE));
    party_joins(&players[6], VERDICT(LOBBY_FULL));
}

/* One address comes with all the names it can; nothing but what others have holds it back. */
static uint32_t fill_with_names(uint32_t first)
{
    uint32_t last = first;
    for (struct person next = guest(last, ATTACKER); binds(&next) == VERDICT(DONE);
         next = guest(++last, ATTACKER))
        assert_true(last < 250);
    return last;
}

static void when_names_run_short_who_has_most_makes_room(void **unused)
{
    (void) unused;
    struct person honest = guest(10, 77), newcomer = guest(11, NEWCOMER);
    assert_int_equal(binds(&honest), VERDICT(DONE));
    uint32_t last = fill_with_names(20);
    assert_true(last - 20 >= bench.settings.players_max - 10);
    assert_int_equal(binds(&newcomer), VERDICT(DONE));
    assert_true(is_known(10) && is_known(11));
    assert_false(is_known(20)); /* Who was silent longest, of the attacker's. */
    for (uint32_t i = 0; i < 20; i++) {
        (void) fill_with_names(last + i);
        struct person more = guest(200 + i, 1000 + i);
        assert_int_equal(binds(&more), VERDICT(DONE));
    }
    assert_true(is_known(10) && is_known(11) && is_known(200));
}

static void whoever_sits_stays_whatever_his_address_took(void **unused)
{
    (void) unused;
    struct person sits = guest(20, ATTACKER), newcomer = guest(11, NEWCOMER);
    assert_int_equal(binds(&sits), VERDICT(DONE));
    assert_int_equal(opens(&sits, true), VERDICT(DONE));
    (void) fill_with_names(21);
    assert_int_equal(binds(&newcomer), VERDICT(DONE));
    assert_true(is_known(20));
    assert_false(is_known(21));
}

static uint32_t opens_for_four(struct person *person)
{
    Arbiter__Lobby__CreateTable   create = party_nim(4);
    const Arbiter__Lobby__Answer *answer = bench_ask(&bench, person, ASK(CREATE_TABLE), &create);
    if (answer->verdict == VERDICT(DONE))
        memcpy(table_id, answer->table->table.data, sizeof table_id);
    return answer->verdict;
}

static uint32_t sits_down(struct person *person)
{
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    join.has_table = true;
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    return bench_ask(&bench, person, ASK(JOIN_TABLE), &join)->verdict;
}

/* All of its players sit at its tables: first these go, then they. */
static void who_fills_the_house_from_his_tables_loses_those(void **unused)
{
    (void) unused;
    struct person newcomer;
    uint32_t      came = 0;
    for (uint32_t i = 0; i < 100; i++) {
        struct person one = guest(20 + i, ATTACKER);
        if (binds(&one) == VERDICT(DONE))
            assert_int_equal(i % 3 == 0 ? opens_for_four(&one) : sits_down(&one), VERDICT(DONE));
    }
    for (uint32_t i = 0; i < 20; i++) {
        newcomer = guest(130 + i, 1000 + i);
        came += binds(&newcomer) == VERDICT(DONE);
    }
    assert_int_equal(came, 20);
}

static void when_tables_run_short_who_has_most_makes_room(void **unused)
{
    (void) unused;
    struct person hosts[8], honest = guest(10, 77), newcomer = guest(11, NEWCOMER),
                            friend_ = guest(12, NEWCOMER + 1);
    uint32_t opened = 0;
    assert_int_equal(binds(&honest), VERDICT(DONE));
    assert_int_equal(opens(&honest, true), VERDICT(DONE));
    for (uint32_t i = 0; i < 8; i++) {
        hosts[i] = guest(20 + i, ATTACKER);
        assert_int_equal(binds(&hosts[i]), VERDICT(DONE));
        for (uint32_t k = 0; k < 16 && opens(&hosts[i], false) == VERDICT(DONE); k++)
            opened++;
    }
    assert_true(opened >= bench.settings.tables_max - 4);
    assert_int_equal(binds(&newcomer), VERDICT(DONE));
    assert_int_equal(binds(&friend_), VERDICT(DONE));
    assert_int_equal(opens(&newcomer, true), VERDICT(DONE));
    party_joins(&friend_, VERDICT(DONE));
    assert_true(party_was_started());
    for (uint32_t i = 0; i < 30;
         i++) { /* Attackers take what is left, newcomers come all the same. */
        struct person more = guest(50 + i, 1000 + i);
        (void) opens(&hosts[i % 8], false);
        assert_int_equal(binds(&more), VERDICT(DONE));
        assert_int_equal(opens(&more, true), VERDICT(DONE));
    }
    Arbiter__Lobby__Rejoin rejoin = ARBITER__LOBBY__REJOIN__INIT;
    assert_int_equal(
        bench_expect(&bench, &honest, ASK(REJOIN), &rejoin, VERDICT(DONE))->tables->n_tables, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_address_has_so_many_names_in_a_minute_and_at_once,
                                        bounded, over),
        cmocka_unit_test_setup_teardown(a_refusal_says_why, bounded, over),
        cmocka_unit_test_setup_teardown(what_one_address_has_is_shown_and_a_refusal_names_its_limit,
                                        bounded, over),
        cmocka_unit_test_setup_teardown(a_listed_network_has_so_many_times_more, bounded, over),
        cmocka_unit_test_setup_teardown(only_gateways_say_where_somebody_is_from, bounded, over),
        cmocka_unit_test_setup_teardown(an_address_opens_so_many_tables, bounded, over),
        cmocka_unit_test_setup_teardown(an_address_takes_so_many_seats, bounded, over),
        cmocka_unit_test_setup_teardown(when_names_run_short_who_has_most_makes_room, unbounded,
                                        over),
        cmocka_unit_test_setup_teardown(whoever_sits_stays_whatever_his_address_took, unbounded,
                                        over),
        cmocka_unit_test_setup_teardown(who_fills_the_house_from_his_tables_loses_those, unbounded,
                                        over),
        cmocka_unit_test_setup_teardown(when_tables_run_short_who_has_most_makes_room, unbounded,
                                        over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
