/* lobby_persons_test.c: a person who registers for a hunt has a number, once and for good, and an
 * engine is told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/treasure.pb-c.h"
#include "services/lobby/lobby_party.h"
#include "services/lobby/lobby_rows.h"

static Arbiter__Lobby__CreateTable hunt(bool by_words)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) (uintptr_t) "treasure";
    create.setup = (char *) (uintptr_t) "{\"game\":\"treasure\"}";
    create.has_registration = create.registration = by_words;
    create.has_seated = by_words;
    create.seated = !by_words;
    return create;
}

/* A gateway's or somebody's own Register, with three lines; the answer. */
static Arbiter__Lobby__Say say;
static uint8_t             said[128];

static Arbiter__Lobby__Say *registering(const char *person)
{
    Arbiter__Treasure__Command           command = ARBITER__TREASURE__COMMAND__INIT;
    Arbiter__Treasure__Command__Register enter = ARBITER__TREASURE__COMMAND__REGISTER__INIT;
    enter.person = (char *) (uintptr_t) person;
    command.kind_case = ARBITER__TREASURE__COMMAND__KIND_REGISTER;
    command.register_ = &enter;
    arbiter__lobby__say__init(&say);
    say.has_table = say.has_command = true;
    say.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    say.command.len = arbiter__treasure__command__pack(&command, said);
    say.command.data = said;
    return &say;
}

#define ANNA "Anna\nMuster\n01234567"
#define BERT "Bert\nBeispiel\n07654321"

/* Two players of a gateway's: guests 21 and 22. */
static struct person guest_of(uint8_t number)
{
    struct person guest = gateway;
    guest.guest = number;
    bench_bind(&bench, &guest, number == 21 ? "guest 1" : number == 22 ? "guest 2" : "guest 3");
    return guest;
}

/* Opens a table, or sits down at it, and registers; returns the person's number. */
static uint32_t enters(struct person *guest, bool opens, const char *person)
{
    Arbiter__Lobby__CreateTable create = hunt(true);
    if (opens)
        party_opens(guest, &create);
    else
        party_joins(guest, VERDICT(DONE));
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, guest, ASK(SAY), registering(person), VERDICT(DONE));
    assert_int_equal(answer->kind_case, ARBITER__LOBBY__ANSWER__KIND__NOT_SET);
    assert_true(answer->has_number);
    return answer->number;
}

static const Arbiter__Engine__Register *told(void)
{
    const struct effect *effect = bench_to_engine(&bench, KIND(REGISTER));
    return effect != NULL ? (const void *) effect->body : NULL;
}

static void the_engine_has(uint32_t number)
{
    Arbiter__Engine__Registered registered = ARBITER__ENGINE__REGISTERED__INIT;
    registered.has_number = true;
    registered.number = number;
    bench_engine_says(&bench, KIND(REGISTERED), match_id, NO_SEAT, &registered);
}

/* The persons who wait for an engine, by what is stored: all, or those with a name. */
static uint32_t persons_kept(bool named)
{
    uint32_t           count = 0, found = 0;
    const struct query all = { .table = LOBBY_PERSONS };
    struct row       **rows = memory_store_read(&bench.store, &all, &count);
    for (uint32_t i = 0; i < count; i++)
        found += !named || rows[i]->cells[4].size > 0;
    free(rows);
    return found;
}

static struct row *stored_meta(void)
{
    uint32_t           count = 0;
    const struct query all = { .table = LOBBY_META };
    struct row       **rows = memory_store_read(&bench.store, &all, &count), *row = rows[0];
    assert_int_equal(count, 1);
    free(rows);
    return row;
}

static void a_registration_is_told_its_number_and_the_engine_who_it_is(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21);
    assert_int_equal(enters(&guest, true, ANNA), 1);
    const Arbiter__Engine__Register *ask = told();
    assert_non_null(ask);
    assert_string_equal(ask->game, "treasure");
    assert_int_equal(ask->number, 1);
    assert_int_equal(ask->player.data[0], 21);
    assert_string_equal(ask->person, ANNA "\n");
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(REGISTER)), 1);
    assert_int_equal(persons_kept(false), 1);
}

static void the_same_ask_again_is_told_the_same_number_and_gives_no_other(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21), other = guest_of(22);
    assert_int_equal(enters(&guest, true, ANNA), 1);
    bench_restart(&bench);
    const Arbiter__Lobby__Answer *answer =
        bench_ask_again(&bench, &guest, ASK(SAY), registering(ANNA));
    assert_int_equal(answer->verdict, VERDICT(DONE));
    assert_int_equal(answer->number, 1);
    bench_expect(&bench, &guest, ASK(SAY), registering(ANNA), VERDICT(RULES));
    assert_int_equal(enters(&other, false, BERT), 2);
}

static void whom_the_rules_refuse_uses_up_no_number(void **unused)
{
    (void) unused;
    struct person               guest = guest_of(21);
    Arbiter__Lobby__CreateTable create = hunt(true);
    party_opens(&guest, &create);
    bench_expect(&bench, &guest, ASK(SAY), registering("Anna\nMuster\nnonsense"), VERDICT(RULES));
    assert_null(told());
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &guest, ASK(SAY), registering(ANNA), VERDICT(DONE));
    assert_int_equal(answer->number, 1);
}

static void what_was_not_kept_has_given_no_number(void **unused)
{
    (void) unused;
    struct person               guest = guest_of(21);
    Arbiter__Lobby__CreateTable create = hunt(true);
    party_opens(&guest, &create);
    bench.outcome = STORE_BUSY;
    assert_null(bench_ask(&bench, &guest, ASK(SAY), registering(ANNA)));
    assert_int_equal(persons_kept(false), 0);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &guest, ASK(SAY), registering(ANNA), VERDICT(DONE));
    assert_int_equal(answer->number, 1);
}

static void every_registration_in_ones_own_words_has_a_new_number(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21), other = guest_of(22);
    assert_int_equal(enters(&guest, true, ANNA), 1);
    party_leaves(&guest, VERDICT(DONE));
    assert_int_equal(enters(&guest, true, BERT), 2);
    bench_restart(&bench);
    assert_int_equal(enters(&other, false, ANNA), 3);
}

static void an_engine_is_told_again_until_it_has_it(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21);
    enters(&guest, true, ANNA);
    bench_wait(&bench, 1000);
    assert_int_equal(told()->number, 1);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_string_equal(told()->person, ANNA "\n");
    the_engine_has(2); /* Somebody else. */
    assert_int_equal(persons_kept(false), 1);
    the_engine_has(1);
    assert_int_equal(persons_kept(false), 0);
    bench_wait(&bench, 1000);
    assert_null(told());
}

/* The person's table is no more, and so is what was said at it; the engine is told all the same. */
static void who_left_before_an_engine_was_there_is_not_lost(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21);
    bench_restart(&bench); /* No engine. */
    enters(&guest, true, ANNA);
    assert_null(told());
    party_leaves(&guest, VERDICT(DONE));
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_int_equal(told()->number, 1);
    assert_string_equal(told()->person, ANNA "\n");
}

/* The two who play now have these numbers; 0: none. */
static void assert_players(uint32_t one, uint32_t other)
{
    assert_true(party_was_started());
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_int_equal(start->holders[0]->number, one);
    assert_int_equal(start->holders[1]->number, other);
}

static void the_match_has_the_numbers_of_who_registered(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21), other = guest_of(22);
    enters(&guest, true, ANNA);
    enters(&other, false, BERT);
    assert_players(1, 2);
}

static uint32_t number_at(const Arbiter__Lobby__Answer *answer, uint32_t seat)
{
    const Arbiter__Lobby__TableSeat *at = answer->table->seats[seat];
    return at->has_number ? at->number : 0;
}

/* A person who was not told in time finds it at the seat, and sees nobody else's. */
static void a_gateway_finds_its_players_number_at_his_seat(void **unused)
{
    (void) unused;
    struct person guest = guest_of(21), other = guest_of(22);
    enters(&guest, true, ANNA);
    assert_int_equal(number_at(party_joins(&guest, VERDICT(DONE)), 0), 1);
    assert_int_equal(number_at(party_joins(&other, VERDICT(DONE)), 0), 0);
    bench_restart(&bench);
    assert_int_equal(number_at(party_joins(&guest, VERDICT(DONE)), 0), 1);
}

/* Players' programs are told no new field. */
static void who_comes_by_himself_is_told_no_number(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = hunt(true);
    party_opens(&ann, &create);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &ann, ASK(SAY), registering(ANNA), VERDICT(DONE));
    assert_false(answer->has_number);
    assert_int_equal(told()->number, 1);
    assert_int_equal(number_at(party_joins(&ann, VERDICT(DONE)), 0), 0);
}

static void the_match_ends(void)
{
    party_engine_started(NULL);
    party_engine_over(1, -1);
}

static void who_is_registered_under_his_name_keeps_one_number(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = hunt(false);
    party_opens(&ann, &create);
    assert_string_equal(told()->person, "Ann\n");
    party_joins(&bob, VERDICT(DONE));
    assert_players(1, 2);
    the_match_ends();
    party_wants_rematch(&ann, VERDICT(DONE));
    party_wants_rematch(&bob, VERDICT(DONE));
    assert_players(1, 2);
    the_match_ends();
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    party_leaves(&ann, VERDICT(DONE));
    party_leaves(&bob, VERDICT(DONE));
    create = hunt(false);
    party_opens(&bob, &create);
    party_joins(&cid, VERDICT(DONE));
    assert_players(2, 3);
}

/* The tables know no game in which somebody has both seats. */
static void who_has_both_seats_of_a_table_has_two_numbers(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = hunt(false);
    create.has_hotseat = create.hotseat = true;
    for (uint32_t second = 2; second < 4; second++) {
        party_opens(&ann, &create);
        party_joins(&ann, VERDICT(DONE));
        assert_players(1, second);
        the_match_ends();
        party_leaves(&ann, VERDICT(DONE));
    }
}

static void a_game_without_such_tables_numbers_nobody(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_players(0, 0);
    assert_int_equal(persons_kept(false), 0);
}

/* No two the same, none that counting gives, and no two neighbours. */
static void numbers_that_cannot_be_guessed_differ_from_all_others(void **unused)
{
    enum { MANY = 200 };
    uint32_t given[MANY];
    uint8_t  secret[16];
    (void) unused;
    struct person guest = guest_of(21);
    for (uint32_t i = 0; i < MANY; i++) {
        Arbiter__Lobby__CreateTable create = hunt(true);
        party_opens(&guest, &create);
        registering(ANNA)->has_unguessable = true;
        say.unguessable = true;
        const Arbiter__Lobby__Answer *answer =
            bench_expect(&bench, &guest, ASK(SAY), &say, VERDICT(DONE));
        given[i] = answer->number;
        assert_in_range(given[i], 1u << 30, INT32_MAX);
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(given[k], given[i]);
        if (i > 0)
            assert_int_not_equal(given[i], given[i - 1] + 1);
        the_engine_has(given[i]);
        party_leaves(&guest, VERDICT(DONE));
        if (i == 0)
            memcpy(secret, stored_meta()->cells[6].bytes, sizeof secret);
        if (i == MANY / 2)
            bench_restart(&bench);
    }
    assert_memory_equal(stored_meta()->cells[6].bytes, secret, sizeof secret);
    assert_int_equal(enters(&guest, true, ANNA), MANY + 1);
}

/* A gateway that gave out numbers of its own says so; nobody else is believed. */
static void numbers_go_on_above_those_that_a_gateway_gave_out_itself(void **unused)
{
    (void) unused;
    struct person               guest = guest_of(21);
    Arbiter__Lobby__CreateTable create = hunt(true);
    party_opens(&ann, &create);
    registering(BERT)->has_above = true;
    say.above = 5000;
    bench_expect(&bench, &ann, ASK(SAY), &say, VERDICT(DONE));
    assert_int_equal(told()->number, 1);
    create = hunt(true);
    party_opens(&guest, &create);
    registering(ANNA)->has_above = true;
    say.above = 41;
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &guest, ASK(SAY), &say, VERDICT(DONE));
    assert_int_equal(answer->number, 42);
    party_leaves(&guest, VERDICT(DONE));
    assert_int_equal(enters(&guest, true, ANNA), 43);
}

/* What a lobby wrote that knew no numbers. */
static void forget_numbers(void)
{
    stored_meta()->cells[5] = (struct cell){ .kind = CELL_NULL };
    stored_meta()->cells[6] = (struct cell){ .kind = CELL_NULL };
}

static void an_older_stores_numbers_begin_above_those_of_its_matches(void **unused)
{
    (void) unused;
    party_plays();
    party_engine_over(1, -1);
    party_wants_rematch(&ann, VERDICT(DONE));
    party_wants_rematch(&bob, VERDICT(DONE));
    /* One is over, one goes on: the engine has numbered two at most. */
    assert_true(party_was_started());
    forget_numbers();
    bench_restart(&bench);
    struct person guest = guest_of(21);
    assert_int_equal(enters(&guest, true, ANNA), 5);
    bench_restart(&bench);
    party_leaves(&guest, VERDICT(DONE));
    assert_int_equal(enters(&guest, true, ANNA), 6);
    party_close();
    party_open(ARBITER_SOURCE);
    party_plays();
    forget_numbers();
    bench.settings.numbers_apart = 256; /* With several engines. */
    bench_restart(&bench);
    guest = guest_of(21);
    assert_int_equal(enters(&guest, true, ANNA), 513);
}

/* How many registrations the engine is told of, with a name or without one. */
static uint32_t count_told(bool named)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench.out.effect_count; i++) {
        const struct effect             *effect = &bench.out.effects[i];
        const Arbiter__Engine__Register *ask = (const void *) effect->body;
        count += effect->kind == EFFECT_SEND && effect->header.kind == KIND(REGISTER) &&
                 (ask->person != NULL) == named;
    }
    return count;
}

/* One guest's place is used by 100 while no engine is there; the next that is hears of none of them by name. */
static void whoever_is_forgotten_is_not_named_to_an_engine_any_more(void **unused)
{
    (void) unused;
    Arbiter__Lobby__ForgetPlayer forget = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    struct person                guest = guest_of(21), other = guest_of(22);
    bench_restart(&bench);
    for (uint32_t i = 0; i < 100; i++) {
        enters(&guest, true, ANNA);
        party_leaves(&guest, VERDICT(DONE));
    }
    enters(&other, true, BERT);
    forget.name = (char *) (uintptr_t) "guest 1";
    assert_int_equal(persons_kept(true), 101);
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(DONE));
    assert_int_equal(persons_kept(true), 101 - 64); /* As many as go in one step. */
    bench_restart(&bench);
    uint32_t named = 0, nameless = 0;
    for (uint32_t turn = 0; turn < 101; turn++) { /* 64 each time: 64 times round. */
        bench_service(&bench, &engine, "engine-1");
        bench_wait(&bench, 1000);
        named += count_told(true);
        nameless += count_told(false);
    }
    assert_int_equal(named, 64);
    assert_int_equal(nameless, 64 * 100);
    assert_int_equal(persons_kept(true), 1);
}

/* No engine writes anybody down: those who come now are told to come back, and nothing is lost. */
static void when_too_many_wait_for_an_engine_others_are_told_to_come_back(void **unused)
{
    (void) unused;
    party_close();
    party_open(ARBITER_SOURCE);
    bench.settings.persons_max = 2;
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    struct person guest = guest_of(21), other = guest_of(22), third = guest_of(23);
    enters(&guest, true, ANNA);
    party_leaves(&guest, VERDICT(DONE));
    enters(&other, true, BERT);
    party_joins(&third, VERDICT(DONE));
    bench_expect(&bench, &third, ASK(SAY), registering(ANNA), VERDICT(LOBBY_FULL));
    the_engine_has(1);
    assert_int_equal(
        bench_expect(&bench, &third, ASK(SAY), registering(ANNA), VERDICT(DONE))->number, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_registration_is_told_its_number_and_the_engine_who_it_is),
        TEST(the_same_ask_again_is_told_the_same_number_and_gives_no_other),
        TEST(whom_the_rules_refuse_uses_up_no_number),
        TEST(what_was_not_kept_has_given_no_number),
        TEST(every_registration_in_ones_own_words_has_a_new_number),
        TEST(an_engine_is_told_again_until_it_has_it),
        TEST(who_left_before_an_engine_was_there_is_not_lost),
        TEST(the_match_has_the_numbers_of_who_registered),
        TEST(a_gateway_finds_its_players_number_at_his_seat),
        TEST(who_comes_by_himself_is_told_no_number),
        TEST(who_is_registered_under_his_name_keeps_one_number),
        TEST(who_has_both_seats_of_a_table_has_two_numbers),
        TEST(a_game_without_such_tables_numbers_nobody),
        TEST(numbers_that_cannot_be_guessed_differ_from_all_others),
        TEST(numbers_go_on_above_those_that_a_gateway_gave_out_itself),
        TEST(an_older_stores_numbers_begin_above_those_of_its_matches),
        TEST(whoever_is_forgotten_is_not_named_to_an_engine_any_more),
        TEST(when_too_many_wait_for_an_engine_others_are_told_to_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
