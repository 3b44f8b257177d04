/* asks_test.c: history from any number. It comes from memory if it is there, and is fetched once
 * for all who ask if not. No answer is more than its bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/fanout/world.h"

#define TO_THE_END UINT64_MAX

static struct world world;

static int a_fanout(void **unused)
{
    (void) unused;
    struct fanout_settings settings;
    world_limits(&settings);
    settings.answer_bytes_max = 8192;
    world_begin(&world, &settings, NULL);
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    world_end(&world);
    return 0;
}

static uint32_t asked_upstream(void)
{
    return world_count(&world, EFFECT_SEND, KIND(HISTORY_ASK));
}

static uint32_t answers(void)
{
    return world_count(&world, EFFECT_SEND, KIND(HISTORY_ANSWER));
}

static uint32_t refusals(void)
{
    return world_count(&world, EFFECT_SEND, KIND(REFUSED));
}

/* The nth answer of the last step holds the match's acts from `from` to `to`, byte for byte. */
static void assert_answer(uint32_t nth, uint32_t match, uint64_t from, uint64_t to)
{
    const struct effect *effect = world_find(&world, EFFECT_SEND, KIND(HISTORY_ANSWER), nth);
    Arbiter__Stream__HistoryAnswer *given = world_given(effect);
    assert_int_equal(given->n_acts, to + 1 - from);
    assert_int_equal(given->last, world.matches[match].number);
    assert_memory_equal(effect->header.match_id, world.matches[match].id, HEADER_MATCH_SIZE);
    for (size_t i = 0; i < given->n_acts; i++) {
        uint8_t bytes[2048];
        size_t  size = arbiter__stream__act__pack(given->acts[i], bytes);
        assert_true(world_is_act(&world, match, from + i, bytes, size));
    }
    arbiter__stream__history_answer__free_unpacked(given, NULL);
}

static void acts_that_were_relayed_are_given_from_memory(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 5; i++)
        world_move(&world, 0);
    world_ask_history(&world, 100, 0, 2, TO_THE_END);
    assert_int_equal(asked_upstream(), 0);
    assert_answer(0, 0, 2, 5);
    world_ask_history(&world, 100, 0, 2, 3);
    assert_answer(0, 0, 2, 3);
}

static void an_answer_goes_back_with_what_was_asked(void **unused)
{
    (void) unused;
    Arbiter__Stream__HistoryAsk ask = ARBITER__STREAM__HISTORY_ASK__INIT;
    struct header               header;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    header_init(&header, KIND(HISTORY_ASK), world.matches[0].id);
    header.request = 77;
    header.session = 5;
    world_ask(&world, 1234, ROLE(CLIENT), &header, &ask.base);
    const struct effect *answer = world_find(&world, EFFECT_SEND, KIND(HISTORY_ANSWER), 0);
    assert_int_equal(answer->route, 1234);
    assert_int_equal(answer->door, DOOR_HISTORY);
    assert_int_equal(answer->header.request, 77);
    assert_int_equal(answer->header.session, 5);
    assert_int_equal(answer->header.epoch, 1);
    assert_answer(0, 0, 1, 1); /* Without numbers: from the first to the last. */
}

static void what_is_not_here_is_fetched_once_for_all_who_ask(void **unused)
{
    (void) unused;
    struct world_question question;
    for (uint32_t i = 0; i < 4; i++)
        world_play(&world, 0);
    for (uint64_t route = 100; route < 1000; route += 100) {
        world_ask_history(&world, route, 0, 1, TO_THE_END);
        assert_int_equal(answers(), 0);
        assert_int_equal(refusals(), 0);
    }
    assert_int_equal(world.question_count, 1);
    assert_true(world_take_question(&world, &question));
    assert_int_equal(question.from, 1);
    world_answer(&world, &question, WORLD_ACTS);
    assert_int_equal(answers(), 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_answer(i, 0, 1, 4);
    assert_int_equal(fanout_facts(world.fanout).waiting, 0);
    assert_int_equal(asked_upstream(), 0);
}

static void who_asks_for_more_is_fetched_for_next(void **unused)
{
    (void) unused;
    struct world_question question;
    for (uint32_t i = 0; i < 6; i++)
        world_play(&world, 0);
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    world_ask_history(&world, 200, 0, 5, TO_THE_END);
    assert_true(world_take_question(&world, &question));
    world_answer(&world, &question, 2); /* Upstream's budget allows two. */
    assert_int_equal(answers(), 1);
    assert_answer(0, 0, 1, 2);
    assert_true(world_take_question(&world, &question));
    assert_int_equal(question.from, 5);
    world_answer(&world, &question, 2);
    assert_answer(0, 0, 5, 6);
}

static void who_asks_for_different_acts_gets_each_his_own(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 4; i++)
        world_play(&world, 0);
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    world_ask_history(&world, 200, 0, 3, TO_THE_END);
    world_ask_history(&world, 300, 0, 1, 2);
    world_answer_once(&world);
    assert_int_equal(answers(), 3);
    assert_answer(0, 0, 1, 4);
    assert_answer(1, 0, 3, 4);
    assert_answer(2, 0, 1, 2);
}

static void who_asks_is_answered_though_a_gap_cannot_be_filled(void **unused)
{
    (void) unused;
    struct world_question question;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 3; i++)
        world_play(&world, 0);
    world_say_act(&world, 0, 3);
    world_play(&world, 0);
    world_play(&world, 0);
    world_say_act(&world, 0, 5);
    world_ask_history(&world, 100, 0, 1, 2);
    bool is_asked = false; /* Upstream answers nothing; still both are asked for in turn. */
    for (uint32_t i = 0; i < 20 && !is_asked; i++) {
        world_wait(&world, 300);
        while (world_take_question(&world, &question))
            is_asked |= question.header.kind == KIND(HISTORY_ASK) && question.from == 1;
    }
    assert_true(is_asked);
}

static void an_answer_is_bounded_and_one_goes_on_from_its_end(void **unused)
{
    (void) unused;
    for (uint32_t i = 0; i < 60; i++)
        world_play(&world, 0);
    uint64_t next = 1;
    uint32_t rounds = 0;
    for (; next <= 60; rounds++) {
        assert_true(rounds < 60);
        world_ask_history(&world, 100, 0, next, TO_THE_END);
        if (answers() == 0)
            world_answer_once(&world);
        const struct effect *effect = world_find(&world, EFFECT_SEND, KIND(HISTORY_ANSWER), 0);
        Arbiter__Stream__HistoryAnswer *given = world_given(effect);
        assert_true(effect->size <= 8192 + 16);
        assert_true(given->n_acts > 0);
        assert_int_equal(given->acts[0]->number, next);
        next += given->n_acts;
        arbiter__stream__history_answer__free_unpacked(given, NULL);
    }
    assert_true(rounds >= 3);
    assert_int_equal(fanout_facts(world.fanout).asked, 1); /* The rest of what came was kept. */
}

static void who_asks_ahead_is_told_at_once_that_there_is_no_more(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_ask_history(&world, 100, 0, 2, TO_THE_END);
    assert_int_equal(asked_upstream(), 0);
    assert_answer(0, 0, 2, 1);
}

static void who_asks_ahead_of_what_may_be_missing_has_it_looked_up(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_play(&world, 0); /* Lost; nobody has noticed. */
    world_ask_history(&world, 100, 0, 2, TO_THE_END);
    assert_int_equal(answers(), 0);
    world_answer_once(&world); /* Which matches moved, or the act itself: either is asked. */
    if (answers() == 0)
        world_answer_once(&world);
    assert_answer(0, 0, 2, 2);
}

static void a_match_with_readers_keeps_its_last_acts_however_many_others_are_read(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 10; i++)
        world_move(&world, 0);
    for (uint32_t i = 0; i < WORLD_ACTS; i++)
        for (uint32_t match = 1; match < WORLD_MATCHES; match++)
            world_move(&world, match);
    assert_true(fanout_facts(world.fanout).evicted > 100);
    world.question_count = 0;
    world_ask_history(&world, 100, 0, 7, TO_THE_END);
    assert_answer(0, 0, 7, 10); /* keep_acts: 4. */
    world_ask_history(&world, 100, 0, 6, TO_THE_END);
    assert_int_equal(answers(), 0);
    assert_int_equal(asked_upstream(), 1); /* Evicted, so it is fetched again. */
    assert_int_equal(fanout_facts(world.fanout).evicted_kept, 0);
}

static void who_begins_to_be_read_has_his_last_acts_kept_from_then_on(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 1);
    for (uint32_t i = 0; i < 10; i++)
        world_move(&world, 0);
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < WORLD_ACTS; i++)
        for (uint32_t match = 1; match < WORLD_MATCHES; match++)
            world_move(&world, match);
    world_ask_history(&world, 100, 0, 7, TO_THE_END);
    assert_answer(0, 0, 7, 10);
    world_read_match(&world, EVENT_READER_GONE, 0);
    for (uint32_t match = 2; match < WORLD_MATCHES; match++)
        for (uint64_t number = 1; number <= WORLD_ACTS; number += 20) {
            world_ask_history(&world, 100, match, number, TO_THE_END);
            world_answer_all(&world);
        }
    world_ask_history(&world, 100, 0, 7, TO_THE_END);
    assert_int_equal(answers(), 0); /* Nobody reads it: it went like any other. */
}

static void matches_are_listed_in_order_though_frames_came_out_of_it(void **unused)
{
    (void) unused;
    uint8_t                   slot = WORLD_SLOT;
    Arbiter__Stream__MovedAsk ask = ARBITER__STREAM__MOVED_ASK__INIT;
    struct header             header;
    header_init(&header, KIND(MOVED_ASK), NULL);
    header.slot = WORLD_SLOT;
    world_read(&world, EVENT_READER, &slot, 1);
    world_level(&world);
    for (uint32_t match = 0; match < 4; match++)
        world_play(&world, match);
    for (uint32_t match = 4; match-- > 0;)
        world_say_act(&world, match, 1);
    ask.has_slot = ask.has_count = true;
    ask.slot = WORLD_SLOT;
    ask.count = 2;
    world_ask(&world, 300, ROLE(FANOUT), &header, &ask.base);
    const struct effect *effect = world_find(&world, EFFECT_SEND, KIND(MOVED_ANSWER), 0);
    assert_non_null(effect);
    const Arbiter__Stream__MovedAnswer *answer =
        (const Arbiter__Stream__MovedAnswer *) (const void *) effect->body;
    assert_int_equal(answer->n_matches, 2);
    assert_memory_equal(answer->matches[0]->match_id.data, world.matches[2].id, HEADER_MATCH_SIZE);
    assert_memory_equal(answer->matches[1]->match_id.data, world.matches[3].id, HEADER_MATCH_SIZE);
}

static void one_caller_may_not_ask_too_much_at_once(void **unused)
{
    (void) unused;
    for (uint32_t match = 0; match < 5; match++)
        world_ask_history(&world, 100, match, 1, TO_THE_END);
    assert_int_equal(refusals(), 1); /* asks_per_caller_max: 4. */
    world_ask_history(&world, 200, 6, 1, TO_THE_END);
    assert_int_equal(refusals(), 0);
    world_ask_history(&world, 100, 0, 1, TO_THE_END); /* The same again is no new one. */
    assert_int_equal(refusals(), 0);
    assert_int_equal(fanout_facts(world.fanout).waiting, 5);
}

static void all_callers_together_may_not_either(void **unused)
{
    (void) unused;
    for (uint64_t route = 100; route < 1700; route += 100)
        world_ask_history(&world, route, 0, 1, TO_THE_END);
    assert_int_equal(refusals(), 0);
    world_ask_history(&world, 1700, 0, 1, TO_THE_END);
    assert_int_equal(refusals(), 1);
    assert_int_equal(fanout_facts(world.fanout).waiting, 16);
}

static void who_waits_too_long_is_told_to_ask_again(void **unused)
{
    (void) unused;
    uint32_t refused = 0;
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    for (uint32_t i = 0; i < 60; i++) {
        world_wait(&world, 250);
        refused += refusals();
    }
    assert_int_equal(refused, 1);
    assert_int_equal(fanout_facts(world.fanout).waiting, 0);
}

/* Longer than it would have waited by itself, and shorter. */
static void upstream_is_asked_again_when_it_said(void **unused)
{
    (void) unused;
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct header          header;
    header_init(&header, KIND(REFUSED), world.matches[0].id);
    refused.has_refusal = refused.has_after_ms = true;
    refused.refusal = REFUSAL(TOO_MUCH);
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    assert_int_equal(asked_upstream(), 1);
    for (uint32_t i = 0; i < 2; i++) {
        refused.after_ms = i == 0 ? 3000 : 100;
        world_hear(&world, 1, DOOR_HISTORY, &header, &refused.base);
        world_wait(&world, refused.after_ms - 50);
        assert_int_equal(asked_upstream(), 0);
        world_wait(&world, 100);
        assert_int_equal(asked_upstream(), 1);
    }
}

/* Being told when to come back is not being left without an answer. */
static void who_was_told_when_to_come_back_is_no_more_patient_for_it(void **unused)
{
    (void) unused;
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct header          header;
    header_init(&header, KIND(REFUSED), world.matches[0].id);
    refused.has_refusal = refused.has_after_ms = true;
    refused.refusal = REFUSAL(TOO_MUCH);
    refused.after_ms = 100;
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    assert_int_equal(asked_upstream(), 1);
    for (uint32_t i = 0; i < 5; i++) {
        world_hear(&world, 1, DOOR_HISTORY, &header, &refused.base);
        world_wait(&world, 150);
        assert_int_equal(asked_upstream(), 1);
    }
    world_wait(&world, world.settings.ask_again_ms + 50); /* And now it keeps silent. */
    assert_int_equal(asked_upstream(), 1);
}

static void what_upstream_refuses_for_good_is_refused(void **unused)
{
    (void) unused;
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct header          header;
    header_init(&header, KIND(REFUSED), world.matches[0].id);
    refused.has_refusal = true;
    world_ask_history(&world, 100, 0, 1, TO_THE_END);
    refused.refusal = REFUSAL(AGAIN);
    world_hear(&world, 1, DOOR_HISTORY, &header, &refused.base);
    assert_int_equal(refusals(), 0); /* This one may go differently. */
    world_wait(&world, 1100);
    assert_int_equal(asked_upstream(), 1);
    refused.refusal = REFUSAL(NO_SUCH_MATCH);
    world_hear(&world, 1, DOOR_HISTORY, &header, &refused.base);
    assert_int_equal(refusals(), 1);
    const struct effect *effect = world_find(&world, EFFECT_SEND, KIND(REFUSED), 0);
    assert_int_equal(((const Arbiter__Wire__Refused *) (const void *) effect->body)->refusal,
                     REFUSAL(NO_SUCH_MATCH));
}

static void another_fanout_is_told_which_matches_moved(void **unused)
{
    (void) unused;
    uint8_t                   slot = WORLD_SLOT;
    Arbiter__Stream__MovedAsk ask = ARBITER__STREAM__MOVED_ASK__INIT;
    struct header             header;
    header_init(&header, KIND(MOVED_ASK), NULL);
    header.slot = WORLD_SLOT;
    ask.has_slot = ask.has_count = true;
    ask.slot = WORLD_SLOT;
    world_ask(&world, 300, ROLE(FANOUT), &header, &ask.base);
    assert_int_equal(refusals(), 1); /* It does not know itself. */
    world_read(&world, EVENT_READER, &slot, 1);
    world_move(&world, 0);
    world_level(&world);
    world_move(&world, 1);
    world_move(&world, 1);
    world_move(&world, 2);
    ask.count = 1;
    world_ask(&world, 300, ROLE(FANOUT), &header, &ask.base);
    const struct effect *effect = world_find(&world, EFFECT_SEND, KIND(MOVED_ANSWER), 0);
    assert_non_null(effect);
    const Arbiter__Stream__MovedAnswer *answer =
        (const Arbiter__Stream__MovedAnswer *) (const void *) effect->body;
    assert_int_equal(answer->count, 4);
    assert_false(answer->has_more);
    assert_int_equal(answer->n_matches, 2); /* Not the one that moved at 1. */
    assert_memory_equal(answer->matches[1]->match_id.data, world.matches[2].id, HEADER_MATCH_SIZE);
    assert_int_equal(answer->matches[0]->number, 2);
    assert_memory_equal(answer->matches[0]->chain.data, world.matches[1].acts[2].chain, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_fanout, done)
        STORY(acts_that_were_relayed_are_given_from_memory),
        STORY(an_answer_goes_back_with_what_was_asked),
        STORY(what_is_not_here_is_fetched_once_for_all_who_ask),
        STORY(who_asks_for_more_is_fetched_for_next),
        STORY(who_asks_for_different_acts_gets_each_his_own),
        STORY(who_asks_is_answered_though_a_gap_cannot_be_filled),
        STORY(an_answer_is_bounded_and_one_goes_on_from_its_end),
        STORY(who_asks_ahead_is_told_at_once_that_there_is_no_more),
        STORY(who_asks_ahead_of_what_may_be_missing_has_it_looked_up),
        STORY(a_match_with_readers_keeps_its_last_acts_however_many_others_are_read),
        STORY(who_begins_to_be_read_has_his_last_acts_kept_from_then_on),
        STORY(matches_are_listed_in_order_though_frames_came_out_of_it),
        STORY(one_caller_may_not_ask_too_much_at_once),
        STORY(all_callers_together_may_not_either),
        STORY(who_waits_too_long_is_told_to_ask_again),
        STORY(upstream_is_asked_again_when_it_said),
        STORY(who_was_told_when_to_come_back_is_no_more_patient_for_it),
        STORY(what_upstream_refuses_for_good_is_refused),
        STORY(another_fanout_is_told_which_matches_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
