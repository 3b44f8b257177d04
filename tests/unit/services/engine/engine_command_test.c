/* engine_command_test.c: commands are done once, answered always, and undone without a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_parts.h"
#include "services/engine/engine_rig.h"

static struct rig_store *store;
static struct rig        rig;
static uint32_t          alice, bob;

static int sit_down(void **unused)
{
    (void) unused;
    store = rig_begin_nim(&rig);
    alice = rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
    bob = rig_attach(&rig, RIG_MATCH, RIG_BOB, 1);
    assert_int_equal(alice, 1);
    assert_int_equal(bob, 1);
    rig_forget(&rig);
    return 0;
}

static int get_up(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

static const Arbiter__Wire__Refused *refused_to(uint32_t who)
{
    return rig_last(&rig, who, KIND(REFUSED));
}

static const Arbiter__Engine__Reply *reply_to(uint32_t who)
{
    return rig_last(&rig, who, KIND(REPLY));
}

static void a_move_is_an_act_with_a_number_a_row_and_a_frame(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    assert_true(reply_to(RIG_ALICE)->accepted);
    assert_int_equal(reply_to(RIG_ALICE)->number, 2);
    assert_int_equal(rig_count(&rig, 0, KIND(ACT)), 1);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 2);
    const Arbiter__Stream__Act *act = rig_last(&rig, 0, KIND(ACT));
    assert_int_equal(act->number, 2);
    assert_int_equal(act->actor, 0);
    assert_memory_equal(rig_match(&rig, RIG_MATCH)->chain, reply_to(RIG_ALICE)->chain.data, 32);
}

static void a_resent_move_is_played_once(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    struct rig_said first = rig.said[rig.said_count - 1];
    uint64_t        number = rig_match(&rig, RIG_MATCH)->number;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    struct rig_said again = rig.said[rig.said_count - 1];
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(REPLY)), 2);
    assert_int_equal(again.size, first.size);
    assert_memory_equal(again.bytes, first.bytes, first.size);
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, number);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 2);
}

static void a_refusal_is_remembered_like_a_move(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 0, 3);
    assert_false(reply_to(RIG_BOB)->accepted);
    assert_string_equal(reply_to(RIG_BOB)->reason, "NOT_YOUR_TURN");
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    /* Now it would be that player's turn; the old request still has its old answer. */
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 0, 3);
    assert_false(reply_to(RIG_BOB)->accepted);
    assert_int_equal(reply_to(RIG_BOB)->number, 1);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 2);
}

static void a_lower_request_is_dropped_and_a_gap_refused(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 0, 1);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 2, 0, 1);
    rig_forget(&rig);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 1);
    assert_int_equal(rig.said_count, 0);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 3, 0, 1);
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(GAP));
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 4);
}

static void a_session_is_its_keys_alone(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_BOB, 0, alice, 1, 0, 3);
    assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(NOT_YOURS));
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, 99, 1, 0, 3);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(ATTACH_AGAIN));
    assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_CAROL, 0), 0);
    assert_int_equal(rig_refusal(&rig, RIG_CAROL), REFUSAL(NOT_YOURS));
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 1);
}

/* Answers may be late, and a player who asks again each time must not drive the own first session
 * out. */
static void who_asks_again_gets_the_session_he_has_not_used(void **unused)
{
    (void) unused;
    assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0), 1);
    assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0), 1);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, 1, 1, 0, 3);
    assert_true(reply_to(RIG_ALICE)->accepted);
    assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0), 2);
}

/* A session that was used stays its user's: a player who attaches then has another one. */
static uint32_t attach_anew(uint32_t unused_session)
{
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, unused_session, 1, 99, 1);
    return rig_attach(&rig, RIG_MATCH, RIG_ALICE, 0);
}

static void the_ninth_session_closes_the_oldest_and_says_why(void **unused)
{
    (void) unused;
    for (uint32_t i = 2; i <= 8; i++)
        assert_int_equal(attach_anew(i - 1), i);
    assert_int_equal(rig_count(&rig, RIG_ALICE, KIND(CLOSED)), 0);
    assert_int_equal(attach_anew(8), 9);
    const Arbiter__Engine__Closed *closed = rig_last(&rig, RIG_ALICE, KIND(CLOSED));
    assert_int_equal(closed->session, 1);
    assert_int_equal(closed->why, ARBITER__ENGINE__CLOSED__WHY__WHY_NINTH);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, 1, 2, 0, 3);
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(ATTACH_AGAIN));
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, 9, 1, 0, 3);
    assert_true(reply_to(RIG_ALICE)->accepted);
}

static uint8_t *picture(void)
{
    uint8_t *copy = malloc(rig.bytes);
    memcpy(copy, rig.core, rig.bytes);
    return copy;
}

static void assert_part_is_same(const uint8_t *before, const void *part, size_t size)
{
    assert_memory_equal(part, before + ((const uint8_t *) part - (const uint8_t *) rig.core), size);
}

/* All of the engine's memory, but for scratch, the undo log, and what it counts of batches and time. */
static void assert_nothing_changed(const uint8_t *before)
{
    const struct engine *engine = rig.engine;
    assert_part_is_same(before, engine->slab.region, slab_bytes(rig.settings.memory_bytes));
    assert_part_is_same(before, &engine->slab, sizeof engine->slab);
    assert_part_is_same(before, engine->slots, sizeof engine->slots);
    assert_part_is_same(before, engine->buckets,
                        (engine->bucket_mask + 1u) * sizeof engine->buckets[0]);
    assert_part_is_same(before, engine->list, rig.settings.matches_max * sizeof engine->list[0]);
    assert_part_is_same(before, engine->setups,
                        (engine->setup_mask + 1u) * sizeof engine->setups[0]);
    assert_int_equal(engine->list_count,
                     ((const struct engine *) (const void *) before)->list_count);
}

static void a_batch_that_is_refused_leaves_no_trace(void **unused)
{
    (void) unused;
    static const enum store_outcome outcomes[] = { STORE_BUSY, STORE_FULL, STORE_CONFLICT };
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t *before = picture();
        rig_forget(&rig);
        rig.holds = true;
        rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
        rig_start(&rig, RIG_MATCH + 1, "nim", "{\"heaps\": [9, 9]}", NULL, rig_two, 2, 1, 0);
        assert_int_equal(rig_attach(&rig, RIG_MATCH, RIG_BOB, 1), 0);
        rig.holds = false;
        rig_settle(&rig, outcomes[i]);
        assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(AGAIN));
        if (outcomes[i] ==
            STORE_BUSY) /* Else the player waits twice as long each time, and on when it is over. */
            assert_in_range(refused_to(RIG_ALICE)->after_ms, 1, 500);
        assert_int_equal(rig_refusal(&rig, RIG_BOB), REFUSAL(AGAIN));
        assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(AGAIN));
        assert_int_equal(rig_count(&rig, 0, KIND(ACT)), 0);
        assert_int_equal(rig_count(&rig, 0, KIND(REPLY)), 0);
        assert_nothing_changed(before);
        free(before);
        rig_wait(&rig, 3000);
    }
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    assert_true(reply_to(RIG_ALICE)->accepted);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), 2);
}

static void a_whole_match_of_nim_ends_and_the_lobby_hears_of_it(void **unused)
{
    (void) unused;
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 1, 0, 3);
    rig_take(&rig, RIG_MATCH, RIG_BOB, 1, bob, 1, 1, 4);
    assert_int_equal(rig_count(&rig, 0, KIND(HEAD)), 0);
    rig_take(&rig, RIG_MATCH, RIG_ALICE, 0, alice, 2, 2, 5);
    const Arbiter__Stream__Head *head = rig_last(&rig, 0, KIND(HEAD));
    assert_true(head->over && head->number == 4);
    const Arbiter__Engine__MatchOver *over = rig_last(&rig, RIG_LOBBY, KIND(MATCH_OVER));
    assert_int_equal(over->number, 4);
    assert_int_equal(over->n_outcome, 2);
    assert_true(over->outcome[0] > 0 && over->outcome[1] < 0);
    assert_int_equal(rig_rows(store, JOURNAL_RESULTS), 1);
    rig_forget(&rig);
    rig_wait(&rig, 5000);
    assert_true(rig_count(&rig, RIG_LOBBY, KIND(MATCH_OVER)) > 0);
    Arbiter__Engine__MatchOverHeard heard = ARBITER__ENGINE__MATCH_OVER_HEARD__INIT;
    struct header                   header;
    rig_header(&header, KIND(MATCH_OVER_HEARD), RIG_MATCH, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, &heard);
    rig_forget(&rig);
    rig_wait(&rig, 5000);
    assert_int_equal(rig_count(&rig, RIG_LOBBY, KIND(MATCH_OVER)), 0);
    rig_wait(&rig, 700000);
    assert_int_equal(engine_facts(rig.engine).matches, 0);
    assert_int_equal(engine_facts(rig.engine).memory_used, 0);
    assert_int_equal(rig_rows(store, JOURNAL_LIVE) + rig_rows(store, JOURNAL_SESSIONS) +
                         rig_rows(store, JOURNAL_SNAPSHOTS),
                     0);
}

static void are_sixteen(struct engine_settings *settings)
{
    settings->matches_max = 16;
    settings->linger_ms = 600000;
}

static void play_to_the_end(uint8_t match)
{
    struct header                   header;
    Arbiter__Engine__MatchOverHeard heard = ARBITER__ENGINE__MATCH_OVER_HEARD__INIT;
    rig_start(&rig, match, "nim", "{\"heaps\": [1]}", NULL, rig_two, 2, 1, 0);
    rig_take(&rig, match, RIG_ALICE, 0, rig_attach(&rig, match, RIG_ALICE, 0), 1, 0, 1);
    rig_header(&header, KIND(MATCH_OVER_HEARD), match, NO_SEAT);
    rig_hear(&rig, RIG_LOBBY, ROLE(LOBBY), &header, &heard);
}

static void what_is_over_makes_room_for_new_matches_the_sooner_the_less_there_is(void **unused)
{
    (void) unused;
    rig_close(&rig);
    rig_store_free(store);
    store = rig_store_new();
    rig_open(&rig, store, are_sixteen);
    for (uint8_t match = 1; match <= 16; match++)
        play_to_the_end(match);
    assert_int_equal(engine_facts(rig.engine).matches, 16);
    rig_start(&rig, 17, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(FULL));
    rig_wait(&rig, 29000);
    assert_int_equal(engine_facts(rig.engine).matches, 16);
    rig_wait(&rig, 2000);
    /* With one gone, the others have time. */
    assert_int_equal(engine_facts(rig.engine).matches, 15);
    rig_start(&rig, 17, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    assert_int_equal(engine_facts(rig.engine).matches, 16);
    rig_wait(&rig, 1000);
    assert_int_equal(engine_facts(rig.engine).matches, 15);
    rig_wait(&rig, 300000);
    assert_int_equal(engine_facts(rig.engine).matches, 14); /* Then nothing is scarce any more. */
    rig_wait(&rig, 240000);
    assert_int_equal(engine_facts(rig.engine).matches, 14);
    rig_wait(&rig, 60000);
    assert_int_equal(engine_facts(rig.engine).matches, 1);
}

/* Alice takes counters with a command of this name, as this role, in this version. */
static const Arbiter__Engine__Reply *take_named(const uint8_t *id, size_t size, uint32_t role,
                                                uint8_t version, uint32_t request)
{
    static const uint8_t     take[] = { 0x0a, 0x04, 0x08, 0x00, 0x10, 0x01 }; /* One of heap 0. */
    Arbiter__Engine__Command command = ARBITER__ENGINE__COMMAND__INIT;
    struct header            header;
    rig_header(&header, KIND(COMMAND), RIG_MATCH, 0);
    header.session = alice;
    header.request = request;
    header.version = version;
    command.kind_case = ARBITER__ENGINE__COMMAND__KIND_PLAY;
    command.play = (ProtobufCBinaryData){ sizeof take, (uint8_t *) take };
    command.has_id = size > 0;
    command.id = (ProtobufCBinaryData){ size, (uint8_t *) id };
    command.has_door_us = true;
    command.door_us = 5000;
    rig_forget(&rig);
    rig_hear(&rig, RIG_ALICE, role, &header, &command);
    return rig_count(&rig, RIG_ALICE, KIND(REPLY)) > 0 ? reply_to(RIG_ALICE) : NULL;
}

static const uint8_t name[] = "sixteen bytes it";

static void a_commands_name_comes_back_to_who_gave_it(void **unused)
{
    (void) unused;
    const Arbiter__Engine__Reply *reply = take_named(name, TRACE_ID_SIZE, ROLE(CLIENT), 2, 1);
    assert_true(reply->has_id && reply->id.len == TRACE_ID_SIZE);
    assert_memory_equal(reply->id.data, name, TRACE_ID_SIZE);
    assert_null(reply->took); /* How long rules think is no player's business. */
    reply = take_named(name, TRACE_ID_SIZE, ROLE(CLIENT), 2, 1);
    assert_memory_equal(reply->id.data, name, TRACE_ID_SIZE);
    reply = take_named(NULL, 0, ROLE(CLIENT), 2, 2);
    assert_true(!reply->has_id && reply->took == NULL);
}

static void a_gateway_hears_where_the_time_of_its_command_went(void **unused)
{
    (void) unused;
    assert_non_null(take_named(name, TRACE_ID_SIZE, ROLE(GATEWAY), 2, 1)->took);
    assert_null(take_named(NULL, 0, ROLE(GATEWAY), 2, 2)->took);
}

static void in_version_1_nothing_new_comes_back(void **unused)
{
    (void) unused;
    const Arbiter__Engine__Reply *reply = take_named(name, TRACE_ID_SIZE, ROLE(GATEWAY), 1, 1);
    assert_true(!reply->has_id && reply->took == NULL);
}

static void a_name_of_another_length_is_none(void **unused)
{
    (void) unused;
    assert_null(take_named(name, TRACE_ID_SIZE - 1, ROLE(CLIENT), 2, 1));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(MALFORMED));
    assert_null(take_named(name, TRACE_ID_SIZE + 1, ROLE(CLIENT), 2, 1));
    assert_int_equal(rig_match(&rig, RIG_MATCH)->number, 1);
}

/* What is measured is said of the command, its act, and who says so; a gateway alone is believed about its door. */
static void each_judged_command_is_measured_once_behind_its_act(void **unused)
{
    (void) unused;
    static const struct {
        uint32_t role, door_us;
    } rows[] = { { ROLE(GATEWAY), 5000 }, { ROLE(CLIENT), 0 } };
    for (uint32_t i = 0; i < 2; i++) {
        rig.holds = true;
        (void) take_named(name, TRACE_ID_SIZE, rows[i].role, 2, i + 1);
        const struct effect *took = NULL, *act = NULL, *reply = NULL;
        for (uint32_t at = 0; at < rig.out.effect_count; at++) {
            const struct effect *effect = &rig.out.effects[at];
            if (effect->kind == EFFECT_TOOK) {
                assert_null(took);
                took = effect;
            }
            if (effect->kind == EFFECT_PUBLISH && effect->header.kind == KIND(ACT))
                act = effect;
            if (effect->kind == EFFECT_SEND && effect->header.kind == KIND(REPLY))
                reply = effect;
        }
        assert_true(took != NULL && reply > took);
        assert_true(i == 1 || (act != NULL && act < took));
        assert_memory_equal(took->trace->id, name, TRACE_ID_SIZE);
        assert_int_equal(took->trace->number, i == 0 ? 2 : 0); /* The second one is refused. */
        assert_int_equal(took->trace->us[TRACE_DOOR], rows[i].door_us);
        rig.holds = false;
        rig_settle(&rig, STORE_COMMITTED);
    }
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, sit_down, get_up)
    const struct CMUnitTest tests[] = {
        SENTENCE(a_move_is_an_act_with_a_number_a_row_and_a_frame),
        SENTENCE(a_resent_move_is_played_once),
        SENTENCE(a_refusal_is_remembered_like_a_move),
        SENTENCE(a_lower_request_is_dropped_and_a_gap_refused),
        SENTENCE(a_session_is_its_keys_alone),
        SENTENCE(who_asks_again_gets_the_session_he_has_not_used),
        SENTENCE(the_ninth_session_closes_the_oldest_and_says_why),
        SENTENCE(a_batch_that_is_refused_leaves_no_trace),
        SENTENCE(a_whole_match_of_nim_ends_and_the_lobby_hears_of_it),
        SENTENCE(a_commands_name_comes_back_to_who_gave_it),
        SENTENCE(a_gateway_hears_where_the_time_of_its_command_went),
        SENTENCE(in_version_1_nothing_new_comes_back),
        SENTENCE(a_name_of_another_length_is_none),
        SENTENCE(each_judged_command_is_measured_once_behind_its_act),
        SENTENCE(what_is_over_makes_room_for_new_matches_the_sooner_the_less_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
