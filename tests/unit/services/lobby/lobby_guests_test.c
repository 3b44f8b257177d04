/* lobby_guests_test.c: guests who come no more make room for others, and nobody else does. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"
#include "services/lobby/lobby_rows.h"

#define SILENT_MS 3600000u
#define GUESTS (bench.settings.players_max - 4) /* Beside Ann, Bob, Cid and Dan. */
#define AT_ONCE 64                              /* So many are forgotten in a step.    */
#define APART_MS 20000u

static void few_places(struct lobby_settings *settings)
{
    settings->players_max = 20;
}

static void many_places(struct lobby_settings *settings)
{
    settings->players_max = 100;
}

static int party(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, few_places);
    return 0;
}

static int crowd(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, many_places);
    return 0;
}

static int over(void **unused)
{
    (void) unused;
    party_close();
    return 0;
}

static struct person guest(uint32_t number)
{
    return (struct person){ .number = 11, .role = ROLE(GATEWAY), .guest = (uint8_t) number };
}

static const char *name_of(uint32_t number)
{
    static char name[24];
    snprintf(name, sizeof name, "guest-%u", number);
    return name;
}

static uint32_t bind_guest(uint32_t number)
{
    struct person            him = guest(10 + number);
    Arbiter__Lobby__BindName bind = ARBITER__LOBBY__BIND_NAME__INIT;
    bind.name = (char *) (uintptr_t) name_of(number);
    return bench_ask(&bench, &him, ASK(BIND_NAME), &bind)->verdict;
}

/* Who this is, which the lobby is asked whenever a guest comes back. */
static uint32_t who_is(uint32_t number)
{
    struct person            him = guest(10 + number);
    Arbiter__Lobby__BindName who = ARBITER__LOBBY__BIND_NAME__INIT;
    return bench_ask(&bench, &him, ASK(BIND_NAME), &who)->verdict;
}

/* One behind the other, until there is no place left; nobody has to go yet. */
static uint32_t guests_come(void)
{
    uint32_t count = who_is(0) == VERDICT(DONE); /* The guest may be there. */
    for (; count < GUESTS; count++) {
        assert_int_equal(bind_guest(count), VERDICT(DONE));
        bench_wait(&bench, APART_MS);
    }
    return count;
}

static void whoever_was_silent_longest_makes_room(void **unused)
{
    (void) unused;
    uint32_t count = guests_come();
    assert_int_equal(bind_guest(count), VERDICT(LOBBY_FULL));
    bench_wait(&bench, SILENT_MS - APART_MS * count - 1);
    assert_int_equal(bind_guest(count), VERDICT(LOBBY_FULL));
    bench_wait(&bench, 1000);
    assert_int_equal(who_is(0), VERDICT(NO_NAME));
    assert_int_equal(who_is(1), VERDICT(DONE));
    assert_int_equal(bind_guest(0), VERDICT(DONE)); /* The guest's name is free, too. */
}

static void whoever_is_heard_of_stays(void **unused)
{
    (void) unused;
    guests_come();
    bench_wait(&bench, SILENT_MS / 4);
    assert_int_equal(who_is(0), VERDICT(DONE));
    bench_wait(&bench, SILENT_MS - SILENT_MS / 4 - 1000);
    for (uint32_t i = 1; i < GUESTS; i++)
        assert_int_equal(who_is(i), VERDICT(NO_NAME));
    assert_int_equal(who_is(0), VERDICT(DONE));
    Arbiter__Lobby__BindName who = ARBITER__LOBBY__BIND_NAME__INIT; /* Of a key of one's own. */
    bench_expect(&bench, &ann, ASK(BIND_NAME), &who, VERDICT(DONE));
}

static void while_there_is_room_nobody_is_forgotten(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < GUESTS - 2; i++)
        assert_int_equal(bind_guest(i), VERDICT(DONE));
    bench_wait(&bench, 100ull * SILENT_MS);
    for (uint32_t i = 0; i < GUESTS - 2; i++)
        assert_int_equal(who_is(i), VERDICT(DONE));
}

static void at_table(struct person *person, int kind)
{
    Arbiter__Lobby__Spectate at =
        ARBITER__LOBBY__SPECTATE__INIT; /* Like all that say a table only. */
    at.has_table = true;
    at.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    bench_expect(&bench, person, kind, &at, VERDICT(DONE));
}

static void ann_chats(void)
{
    Arbiter__Lobby__Chat chat = ARBITER__LOBBY__CHAT__INIT;
    chat.has_table = true;
    chat.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    chat.text = (char *) (uintptr_t) "Is anybody there?";
    bench_expect(&bench, &ann, ASK(CHAT), &chat, VERDICT(DONE));
}

static void ann_invites(uint32_t number)
{
    Arbiter__Lobby__Invite invite = ARBITER__LOBBY__INVITE__INIT;
    invite.has_table = true;
    invite.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    invite.name = (char *) (uintptr_t) name_of(number);
    bench_expect(&bench, &ann, ASK(INVITE), &invite, VERDICT(DONE));
}

/* The guest sits there, or has got up and nobody has the seat, watches, or was invited; whatever
 * was told meanwhile. */
static void whoever_belongs_to_a_table_stays(void **unused)
{
    (void) unused;
    struct person               sits = guest(10), gone = guest(11), watches = guest(12);
    Arbiter__Lobby__CreateTable create = party_nim(3);
    guests_come();
    bench_service(&bench, &engine, "engine-1"); /* It was silent meanwhile. */
    create.has_chat = create.chat = create.has_spectators = create.spectators = true;
    sits.request = gone.request = watches.request = 100;
    party_opens(&ann, &create);
    ann_invites(3);
    party_joins(&sits, VERDICT(DONE));
    party_joins(&gone, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    at_table(&watches, ASK(SPECTATE));
    party_leaves(&gone, VERDICT(DONE));
    for (uint32_t i = 0; i < bench.settings.events_kept + 1; i++)
        ann_chats();
    bench_wait(&bench, SILENT_MS);
    assert_int_equal(who_is(4), VERDICT(NO_NAME));
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(who_is(i), VERDICT(DONE));
}

/* The guest came and went: a reader who asks for missed events is told of both. */
static void whoever_a_table_tells_of_stays(void **unused)
{
    (void) unused;
    struct person               passes = guest(10);
    Arbiter__Lobby__CreateTable create = party_nim(3);
    guests_come();
    passes.request = 100;
    party_opens(&ann, &create);
    party_joins(&passes, VERDICT(DONE));
    party_leaves(&passes, VERDICT(DONE));
    for (uint32_t i = 0; i < 3; i++) { /* A table at which nothing happens would be closed. */
        bench_wait(&bench, SILENT_MS / 2);
        party_leaves(&bob, i == 0 ? VERDICT(NO_SUCH_TABLE) : VERDICT(DONE));
        party_joins(&bob, VERDICT(DONE));
    }
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
    assert_int_equal(who_is(0), VERDICT(DONE));
}

/* The vote is not over yet. */
static void whoever_is_voted_for_stays(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(3);
    guests_come();
    bench_service(&bench, &engine, "engine-1"); /* It was silent meanwhile. */
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    party_joins(&cid, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    bench_wait(&bench, SILENT_MS - APART_MS * GUESTS - 1000);
    party_leaves(&cid, VERDICT(DONE));
    party_votes(&ann, 2, CHOICE(FRIEND), name_of(0), VERDICT(DONE));
    bench_wait(&bench, APART_MS + 1000);
    assert_true(APART_MS + 1000 < bench.settings.vote_ms);
    assert_int_equal(who_is(0), VERDICT(DONE));
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
}

/* Until an engine has written down who registered. */
static void whoever_is_to_be_written_down_stays(void **unused)
{
    (void) unused;
    struct person               hunter = guest(10);
    Arbiter__Lobby__CreateTable create = ARBITER__LOBBY__CREATE_TABLE__INIT;
    guests_come();
    create.game = (char *) (uintptr_t) "treasure";
    create.setup = (char *) (uintptr_t) "{\"game\":\"treasure\"}";
    create.has_seated = create.seated = true;
    hunter.request = 100;
    party_opens(&hunter, &create);
    party_leaves(&hunter, VERDICT(DONE));
    bench_wait(&bench, 2 * SILENT_MS);
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
    assert_int_equal(who_is(0), VERDICT(DONE));
}

static void no_more_go_than_have_to_at_once(void **unused)
{
    (void) unused;
    guests_come();
    bench_wait(&bench, SILENT_MS);
    assert_int_equal(who_is(AT_ONCE - 1), VERDICT(NO_NAME));
    assert_int_equal(who_is(AT_ONCE), VERDICT(DONE));
    bench_wait(&bench, 1000);
    assert_int_equal(who_is(AT_ONCE), VERDICT(DONE)); /* There is room again. */
}

static void who_has_his_place_now_is_not_taken_for_him(void **unused)
{
    (void) unused;
    struct person               first = guest(10);
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__ListResults list = ARBITER__LOBBY__LIST_RESULTS__INIT;
    assert_int_equal(bind_guest(0), VERDICT(DONE));
    party_opens(&ann, &create);
    first.request = 100;
    party_joins(&first, VERDICT(DONE));
    assert_true(party_was_started());
    party_engine_started(NULL);
    party_engine_over(1, -1);
    party_leaves(&first, VERDICT(DONE));
    party_leaves(&ann, VERDICT(DONE));
    guests_come();
    bench_wait(&bench, SILENT_MS);
    assert_int_equal(who_is(0), VERDICT(NO_NAME));
    for (uint32_t i = 0; i < GUESTS; i++) /* Somebody has the place. */
        assert_int_equal(bind_guest(GUESTS + i), VERDICT(DONE));
    bench_restart(&bench);
    const Arbiter__Lobby__Result *result =
        bench_expect(&bench, &ann, ASK(LIST_RESULTS), &list, VERDICT(DONE))->results->results[0];
    assert_string_equal(result->players[0]->name, "Ann");
    assert_null(result->players[1]->name);
    assert_false(result->players[1]->has_player);
    list.name = (char *) (uintptr_t) name_of(GUESTS);
    assert_int_equal(
        bench_expect(&bench, &ann, ASK(LIST_RESULTS), &list, VERDICT(DONE))->results->n_results, 0);
}

static void who_is_banned_is_not_forgotten(void **unused)
{
    (void) unused;
    Arbiter__Lobby__BanPlayer ban = ARBITER__LOBBY__BAN_PLAYER__INIT;
    guests_come();
    ban.name = (char *) (uintptr_t) name_of(0);
    bench_expect(&bench, &operator_, ASK(BAN_PLAYER), &ban, VERDICT(DONE));
    bench_wait(&bench, 2 * SILENT_MS);
    assert_int_equal(who_is(0), VERDICT(BANNED));
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
}

/* Nothing of a batch that was not stored has happened: the guest is not forgotten, and is a second
 * later. */
static void nobody_is_forgotten_by_a_batch_that_was_not_stored(void **unused)
{
    (void) unused;
    guests_come();
    bench.outcome = STORE_BUSY;
    bench_wait(&bench, SILENT_MS + 1000);
    assert_int_equal(who_is(0), VERDICT(DONE));
    bench_wait(&bench, 1000);
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
    bench_restart(&bench);
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
}

/* Its guests' silence is counted from its start on. */
static void a_store_from_before_forgets_nobody_at_once(void **unused)
{
    (void) unused;
    guests_come();
    for (uint32_t i = 0; i < bench.store.count; i++) {
        struct row *row = bench.store.rows[i];
        for (uint32_t k = row->count - 6; row->table == LOBBY_PLAYERS && k < row->count; k++)
            row->cells[k].kind = CELL_NULL; /* All that came later: `seen_ms` is the first. */
    }
    bench_restart(&bench);
    bench_wait(&bench, SILENT_MS - 2000);
    assert_int_equal(who_is(0), VERDICT(DONE));
    bench_wait(&bench, 4000);
    assert_int_equal(who_is(1), VERDICT(NO_NAME));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whoever_was_silent_longest_makes_room, party, over),
        cmocka_unit_test_setup_teardown(whoever_is_heard_of_stays, party, over),
        cmocka_unit_test_setup_teardown(while_there_is_room_nobody_is_forgotten, party, over),
        cmocka_unit_test_setup_teardown(whoever_belongs_to_a_table_stays, party, over),
        cmocka_unit_test_setup_teardown(whoever_a_table_tells_of_stays, party, over),
        cmocka_unit_test_setup_teardown(whoever_is_voted_for_stays, party, over),
        cmocka_unit_test_setup_teardown(whoever_is_to_be_written_down_stays, party, over),
        cmocka_unit_test_setup_teardown(no_more_go_than_have_to_at_once, crowd, over),
        cmocka_unit_test_setup_teardown(who_has_his_place_now_is_not_taken_for_him, party, over),
        cmocka_unit_test_setup_teardown(who_is_banned_is_not_forgotten, party, over),
        cmocka_unit_test_setup_teardown(nobody_is_forgotten_by_a_batch_that_was_not_stored, party,
                                        over),
        cmocka_unit_test_setup_teardown(a_store_from_before_forgets_nobody_at_once, party, over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
