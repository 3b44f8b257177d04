/* lobby_room_test.c: when tables run short, those at which nothing happens make room. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/lobby/lobby_party.h"

#define TABLES 32u /* Room is scarce when less than four are left. */
#define IDLE_LEAST_MS 120000u
#define ASKED_AT_ONCE 16u

static void more_tables(struct lobby_settings *settings)
{
    settings->tables_max = TABLES;
    settings->texts_max = 8;
    settings->abandoned_ms = settings->idle_ms / 2;
}

static int party(void **unused)
{
    (void) unused;
    party_open_with(ARBITER_SOURCE, more_tables);
    return 0;
}

static int over(void **unused)
{
    (void) unused;
    party_close();
    return 0;
}

/* For a player whose whole id is known. */
static void bench_says_for(struct person *person, uint8_t *id, int kind, void *ask)
{
    Arbiter__Lobby__Ask whole = ARBITER__LOBBY__ASK__INIT;
    uint8_t             copy[16];
    memcpy(copy, id, sizeof copy);
    whole.kind_case = (Arbiter__Lobby__Ask__KindCase) kind;
    whole.join_table = ask;
    whole.has_player = true;
    whole.player = (ProtobufCBinaryData){ .len = 16, .data = copy };
    bench_say(&bench, person, KIND(LOBBY_ASK), ++person->request, &whole);
}

/* Tables at which nobody sits. One may be at sixteen. */
static void opens(struct person *person, uint32_t count, const char *setup)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_seated = true;
    create.setup = (char *) (uintptr_t) setup;
    for (uint32_t i = 0; i < count; i++)
        party_opens(person, &create);
}

static size_t tables_open(void)
{
    Arbiter__Lobby__ListTables list = ARBITER__LOBBY__LIST_TABLES__INIT;
    return bench_expect(&bench, &dan, ASK(LIST_TABLES), &list, VERDICT(DONE))->tables->n_tables;
}

static void a_silent_table_is_closed_sooner_when_few_are_left(void **unused)
{
    (void) unused;
    opens(&ann, 14, NULL);
    opens(&bob, 14, NULL); /* Four are left: enough. */
    bench_wait(&bench, bench.settings.idle_ms / 2);
    assert_int_equal(tables_open(), 28);
    opens(&cid, 2, NULL); /* Two are left, and half of the time. */
    bench_wait(&bench, IDLE_LEAST_MS / 2 - 1);
    assert_int_equal(tables_open(), 30);
    bench_wait(&bench, 1);
    assert_int_equal(tables_open(), 29); /* So three are left, and three quarters of the time. */
    bench_wait(&bench, 60000);
    assert_int_equal(tables_open(), 29);
}

static void whoever_opens_a_table_has_two_minutes_in_any_case(void **unused)
{
    (void) unused;
    opens(&ann, 16, NULL);
    opens(&bob, 16, NULL);
    bench_wait(&bench, IDLE_LEAST_MS - 1);
    assert_int_equal(tables_open(), TABLES);
    bench_wait(&bench, 1);
    assert_int_equal(tables_open(), TABLES - 1);
}

static void tables_with_set_ups_of_their_own_make_room_for_such(void **unused)
{
    (void) unused;
    static const char *const texts[] = {
        "{\"heaps\":[1,2]}", "{\"heaps\":[1,3]}", "{\"heaps\":[1,4]}", "{\"heaps\":[1,5]}",
        "{\"heaps\":[1,6]}", "{\"heaps\":[1,7]}", "{\"heaps\":[2,2]}", "{\"heaps\":[2,3]}",
    };
    opens(&bob, 1, NULL); /* Would help nobody by going. */
    for (uint32_t i = 0; i < 8; i++)
        opens(&ann, 1, texts[i]);
    bench_wait(&bench, IDLE_LEAST_MS - 1);
    assert_int_equal(tables_open(), 9);
    bench_wait(&bench, 1);
    assert_int_equal(tables_open(), 8);
    opens(&ann, 1, "{\"heaps\":[2,4]}");
}

static struct person guest(uint32_t number)
{
    struct person guest = { .number = 11,
                            .role = ROLE(GATEWAY),
                            .guest = (uint8_t) (100 + number) };
    char          name[16];
    (void) snprintf(name, sizeof name, "guest-%u", number);
    bench_bind(&bench, &guest, name);
    return guest;
}

static void matches_are_played(uint32_t count)
{
    Arbiter__Lobby__CreateTable create = party_nim(2);
    for (uint32_t i = 0; i < count; i++) {
        struct person host = guest(2 * i), other = guest(2 * i + 1);
        party_opens(&host, &create);
        party_joins(&other, VERDICT(DONE));
        assert_true(party_was_started());
        party_engine_started(NULL);
    }
}

static const Arbiter__Engine__AbortMatch *asked_to_end(void)
{
    const struct effect *effect = bench_to_engine(&bench, KIND(ABORT_MATCH));
    return effect == NULL ? NULL : (const void *) effect->body;
}

static void engines_are_asked_to_end_what_nobody_plays(void **unused)
{
    (void) unused;
    matches_are_played(26);
    bench_wait(&bench, bench.settings.abandoned_ms - 2000);
    opens(&ann, 3, NULL);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_null(asked_to_end());
    bench_wait(&bench, 1000);
    assert_non_null(asked_to_end());
    assert_true(asked_to_end()->has_idle_ms);
    assert_int_equal(asked_to_end()->idle_ms, bench.settings.abandoned_ms);
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(ABORT_MATCH)), ASKED_AT_ONCE);
    uint8_t first[16];
    memcpy(first, bench_to_engine(&bench, KIND(ABORT_MATCH))->header.match_id, sizeof first);
    bench_wait(&bench, 1000); /* The others, and then the first ones again. */
    assert_memory_not_equal(bench_to_engine(&bench, KIND(ABORT_MATCH))->header.match_id, first, 16);
    assert_int_equal(bench_count(&bench, EFFECT_SEND, KIND(ABORT_MATCH)), ASKED_AT_ONCE);
}

/* One that has not begun yet, and one that is over. */
static void engines_are_asked_about_matches_alone(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    uint8_t                     ended[16];
    matches_are_played(26);
    party_engine_over(1, -1);
    memcpy(ended, match_id, sizeof ended);
    party_opens(&ann, &create);
    party_joins(&bob, VERDICT(DONE));
    assert_true(party_was_started());
    bench_wait(&bench, bench.settings.abandoned_ms);
    opens(&cid, 3, NULL);
    for (uint32_t i = 0; i < 4; i++) {
        bench_service(&bench, &engine, "engine-1");
        bench_wait(&bench, 1000);
        assert_non_null(asked_to_end());
        for (uint32_t k = 0; k < bench.out.effect_count; k++) {
            const struct effect *effect = &bench.out.effects[k];
            if (effect->kind != EFFECT_SEND || effect->header.kind != KIND(ABORT_MATCH))
                continue;
            assert_memory_not_equal(effect->header.match_id, match_id, 16);
            assert_memory_not_equal(effect->header.match_id, ended, 16);
        }
    }
}

static void while_there_is_room_no_match_is_asked_about(void **unused)
{
    (void) unused;
    matches_are_played(26);
    bench_wait(&bench, 10ull * bench.settings.abandoned_ms);
    bench_service(&bench, &engine, "engine-1");
    bench_wait(&bench, 1000);
    assert_null(asked_to_end());
}

/* Ann's bot has come, Bob's does not. */
static void matches_with_bots_make_room_when_bots_run_short(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    Arbiter__Lobby__JoinTable   join = ARBITER__LOBBY__JOIN_TABLE__INIT;
    struct person               bot = { .number = 13, .role = ROLE(BOT), .guest = 200 };
    uint8_t                     with_bot[16];
    matches_are_played(3);
    bench_service(&bench, &bots, "bots-1");
    party_opens(&ann, &create);
    party_fills_with_bots(&ann, VERDICT(DONE));
    const Arbiter__Lobby__TableEvent *call = bench_event(&bench, &bots, EVENT(INVITED));
    join.has_table = true;
    join.table = (ProtobufCBinaryData){ .len = 16, .data = table_id };
    assert_non_null(call);
    bench_says_for(&bot, call->player.data, ASK(JOIN_TABLE), &join);
    assert_true(party_was_started());
    party_engine_started(NULL);
    memcpy(with_bot, match_id, sizeof with_bot);
    bench_wait(&bench, bench.settings.abandoned_ms);
    party_opens(&bob, &create);
    bench_service(&bench, &engine, "engine-1");
    bench_service(&bench, &bots, "bots-1");
    party_fills_with_bots(&bob, VERDICT(DONE));
    bench_wait(&bench, 1000);
    assert_null(asked_to_end());
    for (uint32_t i = 0; i < 10; i++) {
        bench_service(&bench, &engine, "engine-1");
        bench_service(&bench, &bots, "bots-1");
        bench_wait(&bench, 1000);
    }
    assert_non_null(asked_to_end());
    for (uint32_t i = 0; i < bench.out.effect_count; i++)
        if (bench.out.effects[i].header.kind == KIND(ABORT_MATCH))
            assert_memory_equal(bench.out.effects[i].header.match_id, with_bot, 16);
}

/* How often it is said that there is no room, always with the name of the setting. */
static uint32_t warnings(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench.out.effect_count; i++) {
        const struct effect *effect = &bench.out.effects[i];
        if (effect->kind != EFFECT_SAY)
            continue;
        assert_true(effect->is_full);
        assert_int_equal(effect->bound, BOUND_TABLES);
        assert_string_equal(effect->text->bytes, "tables_max is reached");
        count++;
    }
    return count;
}

/* Nobody has more than who asks, so nobody makes room. It is said each time; the shell fills no log with it. */
static void operators_hear_that_there_is_no_room(void **unused)
{
    (void) unused;
    Arbiter__Lobby__CreateTable create = party_nim(2);
    create.has_seated = true;
    opens(&ann, 16, NULL);
    opens(&bob, 16, NULL);
    bench_expect(&bench, &bob, ASK(CREATE_TABLE), &create, VERDICT(LOBBY_FULL));
    assert_int_equal(warnings(), 1);
    bench_expect(&bench, &bob, ASK(CREATE_TABLE), &create, VERDICT(LOBBY_FULL));
    assert_int_equal(warnings(), 1);
    bench_wait(&bench, 60000);
    bench_expect(&bench, &bob, ASK(CREATE_TABLE), &create, VERDICT(LOBBY_FULL));
    assert_int_equal(warnings(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_silent_table_is_closed_sooner_when_few_are_left, party,
                                        over),
        cmocka_unit_test_setup_teardown(whoever_opens_a_table_has_two_minutes_in_any_case, party,
                                        over),
        cmocka_unit_test_setup_teardown(tables_with_set_ups_of_their_own_make_room_for_such, party,
                                        over),
        cmocka_unit_test_setup_teardown(engines_are_asked_to_end_what_nobody_plays, party, over),
        cmocka_unit_test_setup_teardown(engines_are_asked_about_matches_alone, party, over),
        cmocka_unit_test_setup_teardown(matches_with_bots_make_room_when_bots_run_short, party,
                                        over),
        cmocka_unit_test_setup_teardown(operators_hear_that_there_is_no_room, party, over),
        cmocka_unit_test_setup_teardown(while_there_is_room_no_match_is_asked_about, party, over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
