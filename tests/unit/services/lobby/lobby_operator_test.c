/* lobby_operator_test.c: bans, forgetting, ending a match, tickets; what only some may. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#include <sodium.h>

static void ban(const char *name, bool is_banned, uint64_t until_ms, uint32_t expected)
{
    Arbiter__Lobby__BanPlayer ask = ARBITER__LOBBY__BAN_PLAYER__INIT;
    ask.name = (char *) (uintptr_t) name;
    ask.has_banned = true;
    ask.banned = is_banned;
    ask.has_until_ms = until_ms > 0;
    ask.until_ms = until_ms;
    ask.reason = (char *) (uintptr_t) "He turned the table over.";
    bench_expect(&bench, &operator_, ASK(BAN_PLAYER), &ask, expected);
}

static const Arbiter__Directory__Directory *services_hear(void)
{
    return bench_message(&bench, &engine, KIND(DIRECTORY), 0);
}

static void who_is_banned_gets_up_and_is_told_why(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    party_plays();
    ban("Bob", true, 0, VERDICT(DONE));
    assert_non_null(bench_event(&bench, &ann, EVENT(SEAT_VACATED)));
    assert_int_equal(services_hear()->n_bans, 1);
    assert_int_equal(services_hear()->bans[0].data[0], bob.number);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &bob, ASK(CREATE_TABLE), &create, VERDICT(BANNED));
    assert_string_equal(answer->sentence, "He turned the table over.");
    ban("Bob", false, 0, VERDICT(DONE));
    party_opens(&bob, &create);
    ban("Nobody", true, 0, VERDICT(NO_SUCH_PLAYER));
}

static void a_ban_ends_when_its_time_has_come(void **unused)
{
    (void) unused;
    ban("Bob", true, bench.wall_ms + 3000, VERDICT(DONE));
    bench_wait(&bench, 2000);
    assert_int_equal(services_hear()->n_bans, 1);
    bench_wait(&bench, 1000);
    assert_int_equal(services_hear()->n_bans, 0);
}

static void a_forgotten_player_has_no_name_anywhere(void **unused)
{
    (void) unused;
    Arbiter__Lobby__ForgetPlayer forget = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    Arbiter__Lobby__ListResults  list = ARBITER__LOBBY__LIST_RESULTS__INIT;
    party_plays();
    party_engine_over(1, -1);
    forget.name = (char *) (uintptr_t) "Bob";
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(DONE));
    bench_restart(&bench);
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &ann, ASK(LIST_RESULTS), &list, VERDICT(DONE));
    assert_int_equal(answer->results->n_results, 1);
    assert_string_equal(answer->results->results[0]->players[0]->name, "Ann");
    assert_null(answer->results->results[0]->players[1]->name);
    assert_int_equal(answer->results->results[0]->players[1]->player.len, 16);
    bench_bind(&bench, &dan, "Bob");
}

/* Without a name the ban could never be lifted. */
static void whoever_is_banned_is_not_forgotten(void **unused)
{
    (void) unused;
    Arbiter__Lobby__ForgetPlayer forget = ARBITER__LOBBY__FORGET_PLAYER__INIT;
    forget.name = (char *) (uintptr_t) "Bob";
    ban("Bob", true, 0, VERDICT(DONE));
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(NOT_ALLOWED));
    ban("Bob", false, 0, VERDICT(DONE));
    bench_expect(&bench, &operator_, ASK(FORGET_PLAYER), &forget, VERDICT(DONE));
}

static void a_reason_that_is_too_long_is_refused(void **unused)
{
    (void) unused;
    Arbiter__Lobby__AbortMatch ask = ARBITER__LOBBY__ABORT_MATCH__INIT;
    char                       reason[122];
    memset(reason, 'a', sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    party_plays();
    ask.has_match_id = true;
    ask.match_id = (ProtobufCBinaryData){ .len = 16, .data = match_id };
    ask.reason = reason;
    assert_null(bench_ask(&bench, &operator_, ASK(ABORT_MATCH), &ask));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    reason[120] = '\0';
    bench_expect(&bench, &operator_, ASK(ABORT_MATCH), &ask, VERDICT(DONE));
    const Arbiter__Engine__AbortMatch *abort =
        (const void *) bench_to_engine(&bench, KIND(ABORT_MATCH))->body;
    assert_string_equal(abort->reason, reason);
}

static void the_operator_lets_a_match_go_on_that_its_engine_holds(void **unused)
{
    (void) unused;
    Arbiter__Lobby__AcceptMatch ask = ARBITER__LOBBY__ACCEPT_MATCH__INIT;
    party_plays();
    bench_expect(&bench, &ann, ASK(ACCEPT_MATCH), &ask, VERDICT(NOT_ALLOWED));
    assert_null(bench_ask(&bench, &operator_, ASK(ACCEPT_MATCH), &ask));
    assert_int_equal(bench_refusal(&bench), REFUSAL(MALFORMED));
    ask.has_match_id = true;
    ask.match_id = (ProtobufCBinaryData){ .len = 16, .data = match_id };
    bench_expect(&bench, &operator_, ASK(ACCEPT_MATCH), &ask, VERDICT(DONE));
    assert_non_null(bench_to_engine(&bench, KIND(ACCEPT_MATCH)));
}

static void the_operator_ends_a_match(void **unused)
{
    (void) unused;
    Arbiter__Lobby__AbortMatch ask = ARBITER__LOBBY__ABORT_MATCH__INIT;
    party_plays();
    ask.has_match_id = true;
    ask.match_id = (ProtobufCBinaryData){ .len = 16, .data = match_id };
    ask.reason = (char *) (uintptr_t) "The house closes.";
    bench_expect(&bench, &ann, ASK(ABORT_MATCH), &ask, VERDICT(NOT_ALLOWED));
    bench_expect(&bench, &operator_, ASK(ABORT_MATCH), &ask, VERDICT(DONE));
    const Arbiter__Engine__AbortMatch *abort =
        (const void *) bench_to_engine(&bench, KIND(ABORT_MATCH))->body;
    assert_string_equal(abort->reason, "The house closes.");
    assert_true(abort->held);
    bench_restart(&bench);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    abort = (const void *) bench_to_engine(&bench, KIND(ABORT_MATCH))->body;
    assert_true(abort->held);
    Arbiter__Engine__MatchOver over_now = ARBITER__ENGINE__MATCH_OVER__INIT;
    over_now.has_aborted = over_now.aborted = true;
    bench_engine_says(&bench, KIND(MATCH_OVER), match_id, NO_SEAT, &over_now);
    bench_expect(&bench, &operator_, ASK(ABORT_MATCH), &ask, VERDICT(NO_SUCH_MATCH));
}

/* It says hello again, and the directory is said. */
static bool is_draining(const char *engine_name)
{
    bench_service(&bench, &engine, engine_name);
    bench_wait(&bench, 1000);
    const Arbiter__Directory__Directory *directory = services_hear();
    for (size_t i = 0; i < directory->n_services; i++)
        if (strcmp(directory->services[i]->name, engine_name) == 0)
            return directory->services[i]->draining;
    return false;
}

static void an_engine_is_drained_until_it_begins_anew(void **unused)
{
    (void) unused;
    Arbiter__Lobby__DrainEngine drain = ARBITER__LOBBY__DRAIN_ENGINE__INIT;
    drain.name = (char *) (uintptr_t) "engine-1";
    bench.service_started_ms = bench.wall_ms;
    assert_false(is_draining("engine-1"));
    bench_expect(&bench, &ann, ASK(DRAIN_ENGINE), &drain, VERDICT(NOT_ALLOWED));
    bench_expect(&bench, &operator_, ASK(DRAIN_ENGINE), &drain, VERDICT(DONE));
    assert_true(is_draining("engine-1"));
    drain.has_undo = drain.undo = true;
    bench_expect(&bench, &operator_, ASK(DRAIN_ENGINE), &drain, VERDICT(DONE));
    assert_false(is_draining("engine-1"));
    drain.undo = false;
    bench_expect(&bench, &operator_, ASK(DRAIN_ENGINE), &drain, VERDICT(DONE));
    assert_true(is_draining("engine-1"));
    bench_restart(&bench); /* The lobby, not the engine. */
    assert_true(is_draining("engine-1"));
    bench.service_started_ms++; /* Another process. */
    assert_false(is_draining("engine-1"));
    drain.name = (char *) (uintptr_t) "engine-9";
    bench_expect(&bench, &operator_, ASK(DRAIN_ENGINE), &drain, VERDICT(NO_SUCH_ENGINE));
}

static void players_are_listed_by_name_page_by_page(void **unused)
{
    (void) unused;
    Arbiter__Lobby__ListPlayers list = ARBITER__LOBBY__LIST_PLAYERS__INIT;
    list.has_limit = true;
    list.limit = 3;
    const Arbiter__Lobby__Answer *answer =
        bench_expect(&bench, &operator_, ASK(LIST_PLAYERS), &list, VERDICT(DONE));
    assert_int_equal(answer->players->n_players, 3);
    assert_true(answer->players->more);
    assert_string_equal(answer->players->players[0]->name, "Ann");
    assert_string_equal(answer->players->players[2]->name, "Cid");
    list.after = (char *) (uintptr_t) "Cid";
    answer = bench_expect(&bench, &operator_, ASK(LIST_PLAYERS), &list, VERDICT(DONE));
    assert_int_equal(answer->players->n_players, 1);
    assert_false(answer->players->more);
    assert_string_equal(answer->players->players[0]->name, "Dan");
}

/* Signed over the words "arbiter ticket" and the bytes, which are a Ticket. */
static void a_ticket_says_that_the_gateway_may_speak_for_its_player(void **unused)
{
    (void) unused;
    struct person zoe = gateway;
    uint8_t       id[16], text[256] = "arbiter ticket";
    zoe.guest = 50;
    memset(id, 50, sizeof id);
    bench_bind(&bench, &zoe, "Zoe");
    Arbiter__Lobby__AskTicket ask = ARBITER__LOBBY__ASK_TICKET__INIT;
    ask.has_player = true;
    ask.player = (ProtobufCBinaryData){ .len = 16, .data = id };
    bench_expect(&bench, &ann, ASK(ASK_TICKET), &ask, VERDICT(NOT_ALLOWED));
    const Arbiter__Wire__SignedTicket *ticket =
        bench_expect(&bench, &gateway, ASK(ASK_TICKET), &ask, VERDICT(DONE))->ticket;
    memcpy(text + 14, ticket->ticket.data, ticket->ticket.len);
    assert_int_equal(crypto_sign_verify_detached(ticket->signature.data, text,
                                                 14 + ticket->ticket.len,
                                                 bench.settings.ticket_key),
                     0);
    Arbiter__Wire__Ticket *read =
        arbiter__wire__ticket__unpack(NULL, ticket->ticket.len, ticket->ticket.data);
    assert_non_null(read);
    assert_memory_equal(read->player.data, id, 16);
    assert_int_equal(read->gateway.data[0], gateway.number);
    assert_int_equal(read->expires_ms, bench.wall_ms + bench.settings.ticket_ms);
    arbiter__wire__ticket__free_unpacked(read, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_is_banned_gets_up_and_is_told_why),
        TEST(a_ban_ends_when_its_time_has_come),
        TEST(a_forgotten_player_has_no_name_anywhere),
        TEST(the_operator_ends_a_match),
        TEST(the_operator_lets_a_match_go_on_that_its_engine_holds),
        TEST(whoever_is_banned_is_not_forgotten),
        TEST(a_reason_that_is_too_long_is_refused),
        TEST(an_engine_is_drained_until_it_begins_anew),
        TEST(players_are_listed_by_name_page_by_page),
        TEST(a_ticket_says_that_the_gateway_may_speak_for_its_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
