/* lobby_test.c: names, tables, seats and matches, asked for by people. */
#include "services/lobby/lobby.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_bench.h"

static struct bench  bench;
static struct person ann, bob, cid, eve, engine;
static uint8_t       table_id[16], match_id[16];

static int two_named_people_and_an_engine(void **unused)
{
    (void) unused;
    bench_open(&bench, ARBITER_SOURCE, NULL);
    ann = (struct person){ .number = 1, .role = ROLE(CLIENT) };
    bob = (struct person){ .number = 2, .role = ROLE(CLIENT) };
    cid = (struct person){ .number = 3, .role = ROLE(CLIENT) };
    eve = (struct person){ .number = 4, .role = ROLE(CLIENT) };
    engine = (struct person){ .number = 15, .role = ROLE(ENGINE) };
    bench_service(&bench, &engine, "engine-1");
    bench_bind(&bench, &ann, "Ann");
    bench_bind(&bench, &bob, "Bob");
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    bench_close(&bench);
    return 0;
}

static Arbiter__Lobby__CreateTable nim_table(uint32_t seats)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) (uintptr_t) "nim";
    create.has_seats = true;
    create.seats = seats;
    return create;
}

/* Ann's table of nim for so many. */
static void ann_opens(uint32_t seats)
{
    Arbiter__Lobby__CreateTable   create = nim_table(seats);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(DONE));
    memcpy(table_id, answer->table->table.data, sizeof table_id);
}

static Arbiter__Lobby__JoinTable joining(void)
{
    Arbiter__Lobby__JoinTable join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    join.has_table = true;
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    return join;
}

static const Arbiter__Lobby__Answer *joins(struct person *person, uint32_t expected)
{
    Arbiter__Lobby__JoinTable join = joining();
    return bench_expect(&bench, person, ASK(JOIN_TABLE), &join, expected);
}

static void begin_with_bob(void)
{
    Arbiter__Engine__MatchStarted started = ARBITER__ENGINE__MATCH_STARTED__INIT;
    ann_opens(2);
    joins(&bob, VERDICT(DONE));
    const struct effect *start = bench_to_engine(&bench, KIND(START_MATCH));
    assert_non_null(start);
    memcpy(match_id, start->header.match_id, sizeof match_id);
    bench_engine_says(&bench, KIND(MATCH_STARTED), match_id, NO_SEAT, &started);
}

static void a_name_is_bound_once_and_nobody_else_gets_it(void **unused)
{
    (void) unused;
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) (uintptr_t) "aNN";
    bench_expect(&bench, &cid, ASK(BIND_NAME), &bind, VERDICT(NAME_TAKEN));
    bind.name = (char *) (uintptr_t) "Cid\x1b[2J";
    bench_expect(&bench, &cid, ASK(BIND_NAME), &bind, VERDICT(NAME_UNFIT));
    bind.name = (char *) (uintptr_t) "Cid";
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &cid, ASK(BIND_NAME), &bind, VERDICT(DONE));
    assert_string_equal(answer->player->name, "Cid");
    assert_int_equal(answer->player->player.len, 16);
}

/* Ann is taken, and nobody is called as she is by a letter that is not seen. */
static void a_name_that_only_looks_like_another_is_none(void **unused)
{
    (void) unused;
    static const char *const unseen[] = { "\u00ad",     "\u200b",     "\u202e", "\u3164", "\ufe0f",
                                          "\U000e0041", "\U000e0100", "\u00a0", " \u0301" };
    static const char *const good[] = { "\u00c4nn", "\u5b89", "Ann\U0001f3b2" };
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    char                     name[16];
    bind.name = name;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        (void) snprintf(name, sizeof name, "An%sn", unseen[i]);
        bench_expect(&bench, &cid, ASK(BIND_NAME), &bind, VERDICT(NAME_UNFIT));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        (void) snprintf(name, sizeof name, "%s", good[i]);
        bench_expect(&bench, &cid, ASK(BIND_NAME), &bind, VERDICT(DONE));
    }
}

/* What is not seen tells nobody from anybody: Bob is meant. */
static void a_name_is_found_by_what_is_seen_of_it(void **unused)
{
    (void) unused;
    static const char *const bobs[] = { "B\u00adob", "bo\u200bB", "\u0301Bob\ufe0f" };
    Arbiter__Lobby__Invite   invite = ARBITER__LOBBY__INVITE__INIT;
    ann_opens(2);
    invite.has_table = true;
    invite.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    for (size_t i = 0; i < sizeof bobs / sizeof *bobs; i++) {
        invite.name = (char *) (uintptr_t) bobs[i];
        bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(DONE));
    }
    invite.name = (char *) (uintptr_t) "Bo";
    bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(NO_SUCH_PLAYER));
}

static void who_has_no_name_opens_no_table(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = nim_table(2);
    bench_expect(&bench, &cid, ASK(CREATE_TABLE), &create, VERDICT(NO_NAME));
}

static void a_full_table_begins_its_match(void **unused)
{
    (void) unused;
    ann_opens(2);
    assert_null(bench_to_engine(&bench, KIND(START_MATCH)));
    joins(&bob, VERDICT(DONE));
    const struct effect *sent = bench_to_engine(&bench, KIND(START_MATCH));
    assert_non_null(sent);
    const Arbiter__Engine__StartMatch *start = (const void *) sent->body;
    assert_string_equal(start->match->game, "nim");
    assert_string_equal(start->match->setup, "{ \"heaps\": [3, 4, 5] }");
    assert_string_equal(start->match->dice, "chacha");
    assert_int_equal(start->n_holders, 2);
    assert_int_equal(start->holders[1]->key.data[0], bob.number);
    assert_string_equal(start->match->seat[0]->name, "Ann");
}

static void members_hear_that_it_begins_when_the_engine_has_begun(void **unused)
{
    (void) unused;
    begin_with_bob();
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, &bob, EVENT(MATCH_BEGINS));
    assert_non_null(event);
    assert_memory_equal(event->match_begins->match_id.data, match_id, 16);
    assert_int_equal(event->match_begins->n_seats, 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, two_named_people_and_an_engine, done)
    const struct CMUnitTest tests[] = {
        TEST(a_name_is_bound_once_and_nobody_else_gets_it),
        TEST(a_name_that_only_looks_like_another_is_none),
        TEST(a_name_is_found_by_what_is_seen_of_it),
        TEST(who_has_no_name_opens_no_table),
        TEST(a_full_table_begins_its_match),
        TEST(members_hear_that_it_begins_when_the_engine_has_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
