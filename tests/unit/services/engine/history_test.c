/* history_test.c: a reader who asks gets the missed acts, in order, within a budget, and only kept
 * ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": [300]}"
#define MATCH 7

static struct rig_store       *store;
static struct rig              engine;
static struct rig              door; /* The history core, in the rig's loop. */
static struct history_settings settings;

static void play_acts(uint32_t count)
{
    uint32_t session[2];
    rig_start(&engine, MATCH, "nim", NIM, NULL, rig_two, 2, 1, 0);
    session[0] = rig_attach(&engine, MATCH, RIG_ALICE, 0);
    session[1] = rig_attach(&engine, MATCH, RIG_BOB, 1);
    for (uint32_t i = 0; i + 1 < count; i++)
        rig_take(&engine, MATCH, rig_two[i % 2], i % 2, session[i % 2], i / 2 + 1, 0, 1);
    assert_int_equal(rig_rows(store, JOURNAL_ACTS), count);
}

static int open_door(void **unused)
{
    (void) unused;
    store = rig_store_new();
    rig_open(&engine, store, NULL);
    rig_open_history(&door, store, &settings);
    return 0;
}

static int close_door(void **unused)
{
    (void) unused;
    rig_close(&engine);
    rig_close(&door);
    rig_store_free(store);
    return 0;
}

static void ask(uint32_t who, uint64_t from, uint64_t to)
{
    Arbiter__Stream__HistoryAsk question = ARBITER__STREAM__HISTORY_ASK__INIT;
    struct header               header;
    question.has_from = true;
    question.from = from;
    question.has_to = to != 0;
    question.to = to;
    rig_header(&header, KIND(HISTORY_ASK), MATCH, NO_SEAT);
    rig_hear(&door, who, ROLE(FANOUT), &header, &question);
}

static const Arbiter__Stream__HistoryAnswer *answer(uint32_t who)
{
    return rig_last(&door, who, KIND(HISTORY_ANSWER));
}

static void acts_come_in_order_and_their_chain_holds(void **unused)
{
    (void) unused;
    play_acts(10);
    ask(RIG_ALICE, 3, 0);
    const Arbiter__Stream__HistoryAnswer *said = answer(RIG_ALICE);
    uint8_t                               chain[32];
    assert_int_equal(said->n_acts, 8);
    assert_int_equal(said->last, 10);
    memcpy(chain, said->acts[0]->chain_before.data, 32);
    for (uint32_t i = 0; i < 8; i++) {
        const Arbiter__Stream__Act *act = said->acts[i];
        assert_int_equal(act->number, 3 + i);
        assert_memory_equal(act->chain_before.data, chain, 32);
        chain_next(chain, &crypto_sodium, act->number, act->actor, act->command_hash.data,
                   act->body.data, act->body.len);
    }
    assert_memory_equal(chain, rig_match(&engine, MATCH)->chain, 32);
    assert_int_equal(rig_last_header(&door, RIG_ALICE, KIND(HISTORY_ANSWER))->epoch, 1);
}

static void a_range_is_a_range(void **unused)
{
    (void) unused;
    play_acts(10);
    ask(RIG_ALICE, 4, 6);
    assert_int_equal(answer(RIG_ALICE)->n_acts, 3);
    assert_int_equal(answer(RIG_ALICE)->last, 10);
    ask(RIG_ALICE, 11, 0);
    assert_int_equal(answer(RIG_ALICE)->n_acts, 0);
    ask(RIG_ALICE, 6, 4);
    assert_int_equal(rig_refusal(&door, RIG_ALICE), REFUSAL(MALFORMED));
}

static void an_answer_keeps_to_its_budget_but_says_at_least_one_act(void **unused)
{
    (void) unused;
    play_acts(200);
    rig_close(&door);
    settings.answer_bytes = 2000;
    rig_open_history(&door, store, &settings);
    ask(RIG_ALICE, 1, 0);
    size_t first = answer(RIG_ALICE)->n_acts;
    assert_true(first > 1 && first < 20);
    assert_int_equal(answer(RIG_ALICE)->last, 200);
    rig_close(&door);
    settings.answer_bytes = 1;
    rig_open_history(&door, store, &settings);
    ask(RIG_ALICE, 1, 0);
    assert_int_equal(answer(RIG_ALICE)->n_acts, 1);
    settings.answer_bytes = 0;
}

static void what_was_not_kept_is_not_told(void **unused)
{
    (void) unused;
    play_acts(3);
    engine.next = STORE_BUSY;
    rig_take(&engine, MATCH, RIG_ALICE, 0, 1, 2, 0, 1);
    ask(RIG_BOB, 1, 0);
    assert_int_equal(answer(RIG_BOB)->last, 3);
}

static void equal_questions_are_asked_once_and_too_many_are_refused(void **unused)
{
    (void) unused;
    play_acts(4);
    rig_close(&door);
    settings.questions_max = 2;
    rig_open_history(&door, store, &settings);
    settings.questions_max = 0;
    door.holds = true;
    ask(RIG_ALICE, 1, 0);
    ask(RIG_BOB, 1, 0);
    ask(RIG_BOB, 2, 0);
    ask(RIG_CAROL, 3, 0);
    assert_int_equal(door.out.effect_count, 4 + 4 + 1); /* Two times four reads, one refusal. */
    door.holds = false;
    rig_settle(&door, STORE_COMMITTED);
    assert_int_equal(answer(RIG_ALICE)->n_acts, 4);
    assert_int_equal(rig_count(&door, RIG_BOB, KIND(HISTORY_ANSWER)), 2);
    assert_int_equal(rig_refusal(&door, RIG_CAROL), REFUSAL(TOO_MUCH));
    ask(RIG_CAROL, 3, 0);
    assert_int_equal(answer(RIG_CAROL)->n_acts, 2);
}

int main(void)
{
#define SENTENCE(name) cmocka_unit_test_setup_teardown(name, open_door, close_door)
    const struct CMUnitTest tests[] = {
        SENTENCE(acts_come_in_order_and_their_chain_holds),
        SENTENCE(a_range_is_a_range),
        SENTENCE(an_answer_keeps_to_its_budget_but_says_at_least_one_act),
        SENTENCE(what_was_not_kept_is_not_told),
        SENTENCE(equal_questions_are_asked_once_and_too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
