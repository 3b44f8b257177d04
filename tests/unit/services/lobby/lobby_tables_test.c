/* lobby_tables_test.c: tables are opened, found, and closed. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static const Arbiter__Lobby__Tables *listed(struct person *person, uint32_t limit, uint8_t *after)
{
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    list.has_limit = true;
    list.limit = limit;
    list.has_after = after != NULL;
    list.after = (ProtobufCBinaryData){ .len = after == NULL ? 0 : 16, .data = after };
    return bench_expect(&bench, person, ASK(LIST_TABLES), &list, VERDICT(DONE))->tables;
}

static void all_faults_of_a_set_up_are_told_and_told_again(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.setup = (char *) (uintptr_t) "{ \"heaps\": [0, 5000], \"misere\": 7 }";
    const char *sentence =
        bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SETUP_FAULTY))->sentence;
    assert_non_null(strstr(sentence, "/heaps/0: "));
    assert_non_null(strstr(sentence, "/heaps/1: "));
    assert_non_null(strstr(sentence, "/misere: "));
    const Arbiter__Lobby__Answer *again = bench_ask_again(&bench, &ann, ASK(CREATE_TABLE), &create);
    assert_int_equal(again->verdict, VERDICT(SETUP_FAULTY));
    assert_non_null(strstr(again->sentence, "/misere: "));
    create.setup = (char *) (uintptr_t) "{ \"heaps\": ";
    bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SETUP_FAULTY));
    create.setup = NULL;
    create.seats = 9;
    sentence =
        bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SETUP_FAULTY))->sentence;
    assert_non_null(strstr(sentence, "2 to 4"));
}

static void a_set_up_of_ones_own_is_kept_as_it_was_written(void **unused)
{
    (void) unused;
    const char                 *text = "{\n  \"heaps\": [1,  2]\t}";
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.setup = (char *) (uintptr_t) text;
    assert_string_equal(party_opens(&ann, &create)->table->setup, text);
    assert_null(listed(&bob, 9, NULL)->tables[0]->setup);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    party_joins(&bob, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_string_equal(start->match->setup, text);
}

static void there_are_as_many_own_set_ups_as_there_is_room_for(void **unused)
{
    (void) unused;
    struct person              *people[] = { &ann, &bob, &cid, &dan };
    Arbiter__Lobby__CreateTable create = party_nim(2);
    char                        text[32];
    create.setup = text;
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "{ \"heaps\": [1, %d] }", i + 2);
        party_opens(people[i], &create);
    }
    snprintf(text, sizeof text, "{ \"heaps\": [1, 9] }");
    bench_expect(&bench, &dan, ASK(CREATE_TABLE), &create, VERDICT(LOBBY_FULL));
    party_leaves(&cid, VERDICT(DONE));
    party_opens(&dan, &create);
}

/* The player goes back to the table with the taken seat. */
static const char *setup_of(struct person *person)
{
    Arbiter__Lobby__Rejoin        rejoin = ARBITER__LOBBY__REJOIN__INIT;
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, person, ASK(REJOIN), &rejoin, VERDICT(DONE));
    memcpy(table_id, answer->tables->tables[0]->table.data, sizeof table_id);
    return party_joins(person, VERDICT(DONE))->table->setup;
}

static void opens_heaps(struct person *person, int first, int second, uint32_t expected)
{
    char                        text[32];
    Arbiter__Lobby__CreateTable create = party_nim(2);
    (void) snprintf(text, sizeof text, "{ \"heaps\": [%d, %d] }", first, second);
    create.setup = text;
    bench_expect(&bench, person, ASK(CREATE_TABLE), &create, expected);
}

static void gets_up(struct person *person)
{
    setup_of(person);
    party_leaves(person, VERDICT(DONE));
}

/* However many tables play by a text, it stands once; it is there as long as one of them. */
static void tables_share_a_text(void **unused)
{
    (void) unused;
    struct person *people[] = { &ann, &bob, &cid };
    opens_heaps(&dan, 1, 3, VERDICT(DONE));
    for (uint32_t i = 0; i < 3; i++)
        opens_heaps(people[i], 1, 2, VERDICT(DONE));
    bench_restart(&bench);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(setup_of(people[i]), "{ \"heaps\": [1, 2] }");
    gets_up(&bob);
    opens_heaps(&bob, 1, 4, VERDICT(DONE));
    gets_up(&cid);
    opens_heaps(&cid, 1, 5, VERDICT(LOBBY_FULL));
    opens_heaps(&cid, 1, 2, VERDICT(DONE));
    gets_up(&cid);
    gets_up(&ann);
    opens_heaps(&ann, 1, 6, VERDICT(DONE));
    opens_heaps(&cid, 1, 2, VERDICT(LOBBY_FULL));
    assert_string_equal(setup_of(&ann), "{ \"heaps\": [1, 6] }");
    assert_string_equal(setup_of(&dan), "{ \"heaps\": [1, 3] }");
}

static void a_private_table_is_found_by_its_code_alone(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__JoinTable   join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    create.has_private_table = create.private_table = true;
    party_opens(&ann, &create);
    assert_int_equal(listed(&bob, 9, NULL)->n_tables, 0);
    assert_int_equal(listed(&ann, 9, NULL)->n_tables, 1);
    party_joins(&bob, VERDICT(WRONG_CODE));
    join.code = (char *) (uintptr_t) "AAAAAAAA";
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(WRONG_CODE));
    join.code = table_code;
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(DONE));
    assert_true(party_was_started());
}

/* It is found by its code alone until its match goes on, which all may watch. */
static void a_private_table_that_is_shown_is_listed_with_its_match(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__JoinTable   join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    create.has_private_table = create.private_table = create.has_shown = create.shown = true;
    party_opens(&ann, &create);
    assert_int_equal(listed(&bob, 9, NULL)->n_tables, 0);
    party_joins(&bob, VERDICT(WRONG_CODE));
    join.code = table_code;
    bench_expect(&bench, &bob, ASK(JOIN_TABLE), &join, VERDICT(DONE));
    const Arbiter__Engine__StartMatch *start =
        (const void *) bench_to_engine(&bench, KIND(START_MATCH))->body;
    assert_true(start->spectators);
    assert_false(start->has_code);
    bench_restart(&bench);
    assert_int_equal(listed(&cid, 9, NULL)->n_tables, 1);
    party_joins(&cid, VERDICT(WRONG_CODE));
}

static void an_invitation_opens_a_private_table_too(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__Invite      invite = ARBITER__LOBBY__INVITE__INIT;
    create.has_private_table = create.private_table = true;
    party_opens(&ann, &create);
    invite.has_table = true;
    invite.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    invite.name = (char *) (uintptr_t) "Bob";
    bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(DONE));
    assert_null(bench_event(&bench, &ann, EVENT(INVITED))->invited->code);
    assert_string_equal(bench_event(&bench, &bob, EVENT(INVITED))->invited->code, table_code);
    party_joins(&bob, VERDICT(DONE));
}

/* Who comes by a link has no name yet, and wants to know whose table it is. */
static void a_table_is_shown_to_who_knows_its_code(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2), other = party_nim(3);
    Arbiter__Lobby__ListTables  list = ARBITER__LOBBY__LIST_TABLES__INIT;
    party_opens(&bob, &other);
    create.has_private_table = create.private_table = true;
    party_opens(&ann, &create);
    list.code = table_code;
    const Arbiter__Lobby__Tables *tables =
        bench_expect(&bench, &dan, ASK(LIST_TABLES), &list, VERDICT(DONE))->tables;
    assert_int_equal(tables->n_tables, 1);
    assert_memory_equal(tables->tables[0]->table.data, table_id, 16);
    assert_string_equal(tables->tables[0]->seats[0]->player->name, "Ann");
    list.code = (char *) (uintptr_t) "AAAAAAAA";
    assert_int_equal(
        bench_expect(&bench, &dan, ASK(LIST_TABLES), &list, VERDICT(DONE))->tables->n_tables, 0);
}

static void an_invitation_says_who_calls_and_what_to(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__Invite      invite = ARBITER__LOBBY__INVITE__INIT;
    bench.protocol = 2;
    bench_hello(&bench, &bob);
    create.has_seated = true; /* Ann only watches: no seat says who she is. */
    party_opens(&ann, &create);
    invite.has_table = true;
    invite.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    invite.name = (char *) (uintptr_t) "Bob";
    bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(DONE));
    const Arbiter__Lobby__Invited *invited = bench_event(&bench, &bob, EVENT(INVITED))->invited;
    assert_string_equal(invited->inviter->name, "Ann");
    assert_string_equal(invited->at->game, "nim");
    assert_int_equal(invited->at->n_seats, 2);
    assert_null(invited->at->code); /* That stands in the invitation itself. */
    bench.protocol = 1;
    bench_hello(&bench, &cid);
    invite.name = (char *) (uintptr_t) "Cid";
    bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(DONE));
    invited = bench_event(&bench, &cid, EVENT(INVITED))->invited;
    assert_true(invited->inviter == NULL && invited->at == NULL);
}

static void tables_are_listed_page_by_page_the_newest_first(void **unused)
{
    (void) unused;
    struct person              *people[] = { &ann, &bob, &cid };
    Arbiter__Lobby__CreateTable create = party_nim(2);
    uint8_t                     ids[3][16];
    for (uint32_t i = 0; i < 3; i++) {
        party_opens(people[i], &create);
        memcpy(ids[i], table_id, 16);
    }
    const Arbiter__Lobby__Tables *page = listed(&dan, 2, NULL);
    assert_int_equal(page->n_tables, 2);
    assert_true(page->more);
    assert_memory_equal(page->tables[0]->table.data, ids[2], 16);
    page = listed(&dan, 2, ids[1]);
    assert_int_equal(page->n_tables, 1);
    assert_memory_equal(page->tables[0]->table.data, ids[0], 16);
    assert_false(page->more);
}

static void many_tables(struct lobby_settings *settings)
{
    settings->tables_max = 100;
}

static int big_party(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, many_tables);
    return 0;
}

/* Sixteen each, some of which take the places of others that were closed: places say nothing about age. */
static void a_long_list_is_the_newest_first_wherever_tables_stand(void **unused)
{
    (void) unused;
    struct person              *people[] = { &ann, &bob, &cid, &dan };
    Arbiter__Lobby__CreateTable create = party_nim(2);
    uint8_t                     ids[96][16];
    uint32_t                    count = 0, seen = 0;
    create.has_seated = true;
    for (uint32_t i = 0; i < 64; i++) {
        party_opens(people[i % 4], &create);
        if (i % 3 == 0)
            party_leaves(people[i % 4], VERDICT(DONE));
        else
            memcpy(ids[count++], table_id, 16);
    }
    for (uint32_t i = 0; i < 20; i++, count++) {
        party_opens(people[i % 4], &create);
        memcpy(ids[count], table_id, 16);
    }
    assert_true(count > 50);
    const Arbiter__Lobby__Tables *page = listed(&dan, 99, NULL);
    assert_true(page->more);
    while (seen < count) {
        for (size_t i = 0; i < page->n_tables; i++)
            assert_memory_equal(page->tables[i]->table.data, ids[count - 1 - seen++], 16);
        assert_int_equal(page->more, seen < count);
        page = listed(&dan, 99, ids[count - seen]);
    }
    assert_int_equal(page->n_tables, 0);
}

static void quick_play_brings_people_together(void **unused)
{
    (void) unused;
    Arbiter__Lobby__QuickPlay quick = ARBITER__LOBBY__QUICK_PLAY__INIT;
    quick.game = (char *) (uintptr_t) "nim";
    uint8_t id[16];
    memcpy(id,
           bench_expect(&bench, &ann, ASK(QUICK_PLAY), &quick, VERDICT(DONE))->table->table.data,
           16);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &bob, ASK(QUICK_PLAY), &quick, VERDICT(DONE));
    assert_memory_equal(answer->table->table.data, id, 16);
    quick.setup_name = (char *) (uintptr_t) "misere";
    answer = bench_expect(&bench, &cid, ASK(QUICK_PLAY), &quick, VERDICT(DONE));
    assert_memory_not_equal(answer->table->table.data, id, 16);
    assert_string_equal(answer->table->setup_name, "misere");
}

static void quick_play_fills_the_fullest_table(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(4);
    Arbiter__Lobby__QuickPlay   quick = ARBITER__LOBBY__QUICK_PLAY__INIT;
    quick.game = (char *) (uintptr_t) "nim";
    party_opens(&ann, &create);
    party_opens(&bob, &create);
    party_joins(&cid, VERDICT(DONE));
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &dan, ASK(QUICK_PLAY), &quick, VERDICT(DONE));
    assert_memory_equal(answer->table->table.data, table_id, 16);
}

/* Ann needs one shield more. */
static Arbiter__Lobby__CreateTable laid_cards(void)
{
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    create.game = (char *) (uintptr_t) "quests";
    create.setup = (char *) (uintptr_t) "{ \"shields\": { \"P1\": 6 } }";
    create.options = (char *) (uintptr_t) "{ \"rigged\": true }";
    return create;
}

static void nobody_lays_the_cards_unless_the_operator_allows_it(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = laid_cards();
    const char                 *sentence =
        bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SETUP_FAULTY))->sentence;
    assert_non_null(strstr(sentence, "/rigged: must be left out"));
    assert_non_null(strstr(sentence, "--allow-rigged"));
    create.options = (char *) (uintptr_t) "{ \"rigged\": false }";
    sentence =
        bench_expect(&bench, &ann, ASK(CREATE_TABLE), &create, VERDICT(SETUP_FAULTY))->sentence;
    assert_non_null(strstr(sentence, "/shields: lays the cards"));
    create.setup = (char *) (uintptr_t) "{}";
    assert_false(party_opens(&ann, &create)->table->rigged);
}

static void everybody_sees_that_a_table_is_rigged_and_nobody_is_led_to_it(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = laid_cards();
    Arbiter__Lobby__QuickPlay   quick = ARBITER__LOBBY__QUICK_PLAY__INIT;
    bench.settings.allow_rigged = true;
    bench_restart(&bench);
    assert_true(party_opens(&ann, &create)->table->rigged);
    assert_true(listed(&bob, 9, NULL)->tables[0]->rigged);
    quick.game = create.game;
    /* Not to hers; and this lobby has no set-up of quests to open another table with. */
    bench_expect(&bench, &bob, ASK(QUICK_PLAY), &quick, VERDICT(SETUP_FAULTY));
    bench.settings.allow_rigged = false;
    bench_restart(&bench);
    assert_true(listed(&bob, 9, NULL)->tables[0]->rigged);
}

static void who_watches_hears_all_and_holds_no_seat(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__Spectate    watch = ARBITER__LOBBY__SPECTATE__INIT;
    party_opens(&ann, &create);
    watch.has_table = true;
    watch.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    assert_true(bench_expect(&bench, &cid, ASK(SPECTATE), &watch, VERDICT(DONE))->table->watching);
    party_joins(&bob, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &cid, EVENT(SEATED)));
    party_opens(&cid, &create);
}

static void a_table_at_which_nothing_happens_is_closed(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    bench_wait(&bench, bench.settings.idle_ms - 1);
    assert_int_equal(listed(&bob, 9, NULL)->n_tables, 1);
    bench_wait(&bench, 1);
    assert_non_null(bench_event(&bench, &ann, EVENT(TABLE_CLOSED)));
    assert_int_equal(listed(&bob, 9, NULL)->n_tables, 0);
    party_opens(&ann, &create);
}

static void who_plays_finds_back_to_his_table(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Rejoin rejoin = ARBITER__LOBBY__REJOIN__INIT;
    party_plays();
    bench_restart(&bench);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &bob, ASK(REJOIN), &rejoin, VERDICT(DONE));
    assert_int_equal(answer->tables->n_tables, 1);
    assert_memory_equal(answer->tables->tables[0]->match_id.data, match_id, 16);
    answer = bench_expect(&bench, &cid, ASK(REJOIN), &rejoin, VERDICT(DONE));
    assert_int_equal(answer->tables->n_tables, 0);
}

/* A player who never heard the answer to the ask for the seat must find the table, or waits nowhere
 * for ever. */
static void who_waits_finds_back_to_his_table_too(void **unused)
{
    (void) unused;
    Arbiter__Lobby__Rejoin      rejoin = ARBITER__LOBBY__REJOIN__INIT;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &ann, ASK(REJOIN), &rejoin, VERDICT(DONE));
    assert_int_equal(answer->tables->n_tables, 1);
    answer = bench_expect(&bench, &bob, ASK(REJOIN), &rejoin, VERDICT(DONE));
    assert_int_equal(answer->tables->n_tables, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_faults_of_a_set_up_are_told_and_told_again),
        TEST(a_set_up_of_ones_own_is_kept_as_it_was_written),
        TEST(there_are_as_many_own_set_ups_as_there_is_room_for),
        TEST(tables_share_a_text),
        TEST(a_private_table_is_found_by_its_code_alone),
        TEST(a_private_table_that_is_shown_is_listed_with_its_match),
        TEST(an_invitation_opens_a_private_table_too),
        TEST(a_table_is_shown_to_who_knows_its_code),
        TEST(an_invitation_says_who_calls_and_what_to),
        TEST(tables_are_listed_page_by_page_the_newest_first),
        cmocka_unit_test_setup_teardown(a_long_list_is_the_newest_first_wherever_tables_stand,
                                        big_party, party_end),
        TEST(quick_play_brings_people_together),
        TEST(quick_play_fills_the_fullest_table),
        TEST(nobody_lays_the_cards_unless_the_operator_allows_it),
        TEST(everybody_sees_that_a_table_is_rigged_and_nobody_is_led_to_it),
        TEST(who_watches_hears_all_and_holds_no_seat),
        TEST(a_table_at_which_nothing_happens_is_closed),
        TEST(who_plays_finds_back_to_his_table),
        TEST(who_waits_finds_back_to_his_table_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
