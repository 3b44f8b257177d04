/* lobby_asks_test.c: asks are numbered, done once, and answered the same again. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

static void a_resent_ask_is_done_once_and_told_the_same(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    uint8_t                     id[16];
    party_opens(&ann, &create);
    memcpy(id, table_id, sizeof id);
    for (uint32_t i = 0; i < 2; i++) {
        const Arbiter__Lobby__Answer *again =
            bench_ask_again(&bench, &ann, ASK(CREATE_TABLE), &create);
        assert_int_equal(again->verdict, VERDICT(DONE));
        assert_memory_equal(again->table->table.data, id, 16);
        assert_int_equal(bench.out.row_count, 0);
        bench_restart(&bench);
    }
}

/* What was no once is not yes later, because a copy of the ask came late. */
static void a_refusal_is_remembered_too(void **unused)
{
    (void) unused;
    Arbiter__Lobby__BindName     bind = ARBITER__LOBBY__BIND_NAME__INIT;
    Arbiter__Lobby__ForgetPlayer forget = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    struct person                fay = { .number = 5, .role = ROLE(CLIENT) };
    bind.name = forget.name = (char *) (uintptr_t) "Ann";
    bench_expect(&bench, &fay, ASK(BIND_NAME), &bind, VERDICT(NAME_TAKEN));
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(DONE));
    bench_restart(&bench);
    const Arbiter__Lobby__Answer *again = bench_ask_again(&bench, &fay, ASK(BIND_NAME), &bind);
    assert_int_equal(again->verdict, VERDICT(NAME_TAKEN));
    bench_expect(&bench, &fay, ASK(BIND_NAME), &bind, VERDICT(DONE));
}

static void an_older_ask_is_told_the_last_number(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    struct person old = ann;
    old.request = 1;
    assert_null(bench_ask_again(&bench, &old, ASK(CREATE_TABLE), &create));
    assert_int_equal(bench_refusal(&bench), REFUSAL(GAP));
    const Arbiter__Wire__Refused *refused = bench_message(&bench, &ann, KIND(REFUSED), 0);
    assert_int_equal(refused->request, ann.request);
}

/* Both devices knew of the same last answer; the first one has the number, before and behind a
 * restart. */
static void another_devices_ask_of_the_same_number_is_told_so_and_not_done(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__LeaveTable  leave = ARBITER__LOBBY__LEAVE_TABLE__INIT;
    party_opens(&ann, &create);
    leave.has_table = true;
    leave.table = (ProtobufCBinaryData){ .len = sizeof table_id, .data = table_id };
    for (uint32_t i = 0; i < 2; i++) {
        assert_null(bench_ask_again(&bench, &ann, ASK(LEAVE_TABLE), &leave));
        assert_int_equal(bench_refusal(&bench), REFUSAL(GAP));
        const Arbiter__Wire__Refused *refused = bench_message(&bench, &ann, KIND(REFUSED), 0);
        assert_int_equal(refused->request, ann.request);
        assert_int_equal(bench.out.row_count, 0);
        bench_restart(&bench);
    }
    assert_non_null(bench_ask_again(&bench, &ann, ASK(CREATE_TABLE), &create));
    bench_expect(&bench, &ann, ASK(LEAVE_TABLE), &leave, VERDICT(DONE));
}

static void a_batch_that_is_not_stored_has_not_happened(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__ListTables  list = ARBITER__LOBBY__LIST_TABLES__INIT;
    bench.outcome = STORE_FULL;
    assert_null(bench_ask(&bench, &ann, ASK(CREATE_TABLE), &create));
    assert_int_equal(bench_refusal(&bench), REFUSAL(AGAIN));
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &bob, ASK(LIST_TABLES), &list, VERDICT(DONE));
    assert_int_equal(answer->tables->n_tables, 0);
    assert_non_null(bench_ask_again(&bench, &ann, ASK(CREATE_TABLE), &create));
}

static void a_key_that_is_not_admitted_is_answered_nothing_else(void **unused)
{
    (void) unused;
    struct person              stranger = { .number = 77, .role = ROLE(CLIENT) };
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    assert_null(bench_ask(&bench, &stranger, ASK(LIST_TABLES), &list));
    assert_int_equal(bench_refusal(&bench), REFUSAL(NOT_YOURS));
}

static void a_gateway_speaks_for_its_players_and_for_nobody_else(void **unused)
{
    (void) unused;
    struct person zoe = gateway, other = gateway, cheat = ann;
    zoe.guest = 50;
    other.guest = 51;
    cheat.guest = 50;
    bench_bind(&bench, &zoe, "Zoe");
    bench_bind(&bench, &other, "Yan");
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&zoe, &create);
    party_joins(&other, VERDICT(DONE));
    const Arbiter__Lobby__TableEvent *seated =
        bench_message(&bench, &gateway, KIND(TABLE_EVENT), 0);
    assert_int_equal(seated->player.data[0], 50);
    assert_null(bench_ask(&bench, &cheat, ASK(CREATE_TABLE), &create));
    assert_int_equal(bench_refusal(&bench), REFUSAL(NOT_YOURS));
    assert_int_equal(zoe.request, 2);
    assert_int_equal(other.request, 2);
}

/* What a gateway asks for this guest: a list of his tables, and the right to take his seats. */
static bool speaks_for(struct person *guest)
{
    Arbiter__Lobby__Rejoin rejoin = ARBITER__LOBBY__REJOIN__INIT;
    if (bench_ask(&bench, guest, ASK(REJOIN), &rejoin) != NULL)
        return true;
    assert_int_equal(bench_refusal(&bench), REFUSAL(NOT_YOURS));
    return false;
}

static bool gets_ticket(struct person *guest)
{
    struct person             service = *guest;
    Arbiter__Lobby__AskTicket ask = ARBITER__LOBBY__ASK_TICKET__INIT;
    static uint32_t           requests = 1000;
    service.guest = 0;
    service.id = NULL;
    service.request = requests++;
    ask.has_player = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = (uint8_t *) (uintptr_t) guest->id };
    const Arbiter__Lobby__Answer *answer = bench_ask(&bench, &service, ASK(ASK_TICKET), &ask);
    assert_true(answer->verdict == VERDICT(DONE) || answer->verdict == VERDICT(NO_SUCH_PLAYER));
    assert_true((answer->ticket != NULL) == (answer->verdict == VERDICT(DONE)));
    return answer->verdict == VERDICT(DONE);
}

static void a_guest_is_his_gateways_until_he_proves_that_he_has_moved(void **unused)
{
    (void) unused;
    static const char  label[] = "arbiter session";
    uint8_t            secret[32] = { 1, 2, 3 }, wrong[32] = { 1, 2, 4 }, id[32];
    const struct piece pieces[] = { { label, sizeof label - 1 }, { secret, sizeof secret } };
    crypto_sodium.hash(id, pieces, 2);
    struct person here = { .number = 11, .role = ROLE(GATEWAY), .guest = 1, .id = id };
    struct person there = { .number = 12, .role = ROLE(GATEWAY), .guest = 1, .id = id };
    bench_bind(&bench, &here, "Zoe");
    there.request = 10;
    assert_false(speaks_for(&there) || gets_ticket(&there));
    there.secret = wrong;
    assert_false(speaks_for(&there) || gets_ticket(&there));
    assert_true(speaks_for(&here) && gets_ticket(&here));
    there.secret = secret;
    assert_true(speaks_for(&there));
    there.secret = NULL;
    assert_true(speaks_for(&there) && gets_ticket(&there));
    assert_false(speaks_for(&here) || gets_ticket(&here));
    bench_restart(&bench);
    bench_hello(&bench, &here);
    assert_false(speaks_for(&here) || gets_ticket(&here));
    here.secret = secret;
    assert_true(gets_ticket(&here));
    assert_false(gets_ticket(&there));
}

static void who_has_left_is_nobody_by_the_old_secret(void **unused)
{
    (void) unused;
    struct person               zoe = { .number = 11, .role = ROLE(GATEWAY), .guest = 50 };
    struct person               again = zoe;
    Arbiter__Lobby__Depart      depart = ARBITER__LOBBY__DEPART__INIT;
    Arbiter__Lobby__BindName    who = ARBITER__LOBBY__BIND_NAME__INIT;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    bench_bind(&bench, &zoe, "Zoe");
    party_opens(&zoe, &create);
    party_joins(&bob, VERDICT(DONE));
    bench_expect(&bench, &zoe, ASK(DEPART), &depart, VERDICT(DONE));
    for (uint32_t i = 0; i < 2; i++) {
        again.request = 10 + i;
        bench_expect(&bench, &again, ASK(BIND_NAME), &who, VERDICT(NO_NAME));
        bench_expect(&bench, &again, ASK(REJOIN), &who, VERDICT(NO_NAME));
        bench_restart(&bench);
        bench_hello(&bench, &again);
    }
    bench_expect(&bench, &ann, ASK(DEPART), &depart, VERDICT(NOT_ALLOWED));
}

static void a_table_goes_on_where_it_was_when_the_lobby_starts_anew(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_opens(&ann, &create);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_hello(&bench, &ann);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    const Arbiter__Lobby__TableEvent *event = bench_event(&bench, &ann, EVENT(SEATED));
    assert_int_equal(event->number, 3); /* Opened and Ann seated were 1 and 2. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_resent_ask_is_done_once_and_told_the_same),
        TEST(a_refusal_is_remembered_too),
        TEST(an_older_ask_is_told_the_last_number),
        TEST(another_devices_ask_of_the_same_number_is_told_so_and_not_done),
        TEST(a_batch_that_is_not_stored_has_not_happened),
        TEST(a_key_that_is_not_admitted_is_answered_nothing_else),
        TEST(a_gateway_speaks_for_its_players_and_for_nobody_else),
        TEST(a_guest_is_his_gateways_until_he_proves_that_he_has_moved),
        TEST(who_has_left_is_nobody_by_the_old_secret),
        TEST(a_table_goes_on_where_it_was_when_the_lobby_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
