/* moved_test.c: what a fanout does when an engine has another history than was told, or less of it: its store was set back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/fanout/world.h"

static struct world world;

static int a_fanout(void **unused)
{
    (void) unused;
    struct fanout_settings settings;
    world_limits(&settings);
    world_begin(&world, &settings, NULL);
    return 0;
}

static int done(void **unused)
{
    (void) unused;
    world_end(&world);
    return 0;
}

static uint32_t published(uint16_t kind)
{
    return world_count(&world, EFFECT_PUBLISH, kind);
}

static struct figures figures(void)
{
    struct figures figures = { 0 };
    fanout_ops.figures(world.fanout, &figures);
    return figures;
}

/* The owner's store was set back to act `number`: from here on the match goes another way. */
static void set_back(uint32_t match, uint64_t number)
{
    while (world.matches[match].number > number)
        free(world.matches[match].acts[world.matches[match].number--].bytes);
    world.slot_count += 100; /* Another body, and so another chain. */
}

static void an_act_that_contradicts_one_before_it_is_said(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 6; i++)
        world_move(&world, 0);
    set_back(0, 3);
    world_move(&world, 0);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 1);
    assert_int_equal(fanout_facts(world.fanout).forks, 1);
    assert_int_equal(figures().forks, 1);
    assert_int_equal(fanout_facts(world.fanout).duplicates, 0);
}

/* Who watches from now on sees what the owner has, from the first act to the last, and nothing of the other. */
static void a_new_watcher_is_not_shown_two_histories_as_one(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 6; i++)
        world_move(&world, 0);
    set_back(0, 3);
    world_move(&world, 0);
    world_ask_history(&world, 100, 0, 1, 10);
    world_answer_all(&world);
    const struct effect *answer = world_find(&world, EFFECT_SEND, KIND(HISTORY_ANSWER), 0);
    assert_non_null(answer);
    Arbiter__Stream__HistoryAnswer *given = world_given(answer);
    assert_int_equal(given->n_acts, 4);
    assert_int_equal(arbiter__stream__act__get_packed_size(given->acts[3]),
                     world.matches[0].acts[4].size);
    arbiter__stream__history_answer__free_unpacked(given, NULL);
    world_move(&world, 0);
    assert_int_equal(published(KIND(ACT)), 1);
    assert_int_equal(fanout_facts(world.fanout).forks, 1);
}

static void a_head_that_contradicts_an_act_before_it_is_said(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 6; i++)
        world_move(&world, 0);
    set_back(0, 3);
    world_play(&world, 0);
    world_say_head(&world, 0, false);
    assert_int_equal(fanout_facts(world.fanout).forks, 1);
}

/* Nobody publishes what is not kept: who owns the slot now must have it all. */
static void a_new_owner_who_has_less_is_said(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 6; i++)
        world_move(&world, 0);
    world_level(&world);
    set_back(0, 3);
    world_say_head(&world, 0, false); /* Late, perhaps: of the same owner this is no news. */
    assert_int_equal(fanout_facts(world.fanout).rollbacks, 0);
    world.epoch = 2;
    world_say_head(&world, 0, false);
    assert_int_equal(fanout_facts(world.fanout).rollbacks, 1);
    assert_int_equal(figures().forks, 1);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 1);
}

/* History brought an act of a newer owner before any live frame of his: his older head, which comes late, is no news. */
static void a_late_head_behind_an_act_out_of_history_is_none(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 3; i++)
        world_move(&world, 0);
    world_level(&world);
    world.epoch = 2;
    for (uint32_t i = 0; i < 3; i++)
        world_play(&world, 0);
    world_ask_history(&world, 100, 0, 4, 6);
    world.epoch = 1; /* The door that answers has not heard of the new owner. */
    world_answer_all(&world);
    world.epoch = 2;
    world.matches[0].number = 5;
    world_say_head(&world, 0, false);
    world.matches[0].number = 6;
    assert_int_equal(fanout_facts(world.fanout).rollbacks, 0);
}

/* How many marks the fanout's question to the engine bears; the last one is looked at. */
static size_t marks_told(uint64_t number)
{
    const struct effect *question = world_find(&world, EFFECT_SEND, KIND(MOVED_ASK), 0);
    assert_non_null(question);
    const Arbiter__Stream__MovedAsk *ask = (const void *) question->body;
    assert_int_equal(ask->epoch, world.epoch);
    for (size_t i = 0; i < ask->n_marks; i++) {
        assert_memory_equal(ask->marks[i]->match_id.data, world.matches[0].id, 16);
        assert_int_equal(ask->marks[i]->number, number);
        assert_memory_equal(ask->marks[i]->chain.data, world.matches[0].acts[number].chain, 32);
    }
    return ask->n_marks;
}

/* Its store may have been set back: it cannot know, unless somebody says where its matches stood. */
static void an_owner_that_begins_is_told_once_where_matches_stand(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    for (uint32_t i = 0; i < 4; i++)
        world_move(&world, 0);
    world_level(&world);
    world.epoch = 2;
    world_say_count(&world);
    world_wait(&world, 600);
    assert_int_equal(marks_told(4), 1);
    world_answer_all(&world);
    world_play(&world, 0);
    world_say_count(&world);
    assert_int_equal(marks_told(0), 0);
    world_answer_all(&world);
    world_say_head(&world, 0, true);
    world.epoch = 3;
    world_play(&world, 1);
    world_say_count(&world);
    assert_int_equal(marks_told(5), 1); /* Of one that is over, too: it must not begin anew. */
}

/* A new process of the owner, and a fanout that knows thousands of matches: it says them in steps that an outbox
 * has room for, and soon. */
static void marks_of_thousands_of_matches_fit_their_steps(void **unused)
{
    enum { MATCHES = 6000 };
    struct fanout_settings settings;
    size_t                 marks = 0;
    (void) unused;
    world_end(&world);
    world_limits(&settings);
    settings.matches_max = MATCHES;
    world_begin(&world, &settings, NULL);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        world_read(&world, EVENT_READER, &(uint8_t){ (uint8_t) slot }, 1);
    for (uint32_t i = 0; i < MATCHES; i++) {
        Arbiter__Stream__Head head = ARBITER__STREAM__HEAD__INIT;
        struct header         header;
        uint8_t               id[HEADER_MATCH_SIZE] = { (uint8_t) (i >> 8), (uint8_t) i, 7 };
        header_init(&header, KIND(HEAD), id);
        header.epoch = 1;
        head.has_number = true;
        head.number = header.number = 5;
        world_hear(&world, 1, DOOR_STREAM, &header, &head.base);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        world_read(&world, EVENT_READER_GONE, &(uint8_t){ (uint8_t) slot }, 1);
    world.question_count = 0;
    outbox_reset(&world.out);
    size_t empty = world.out.used;
    for (uint32_t waits = 0; waits < 60 && marks < MATCHES; waits++) {
        world_wait(&world, waits == 0 ? 250 : 10);
        assert_true(world.out.used - empty < OUTBOX_STEP_BYTES);
        for (uint32_t i = 0; world_find(&world, EFFECT_SEND, KIND(MOVED_ASK), i) != NULL; i++)
            marks += ((const Arbiter__Stream__MovedAsk *) (const void *) world_find(
                          &world, EFFECT_SEND, KIND(MOVED_ASK), i)
                          ->body)
                         ->n_marks;
        world.question_count = 0;
    }
    assert_true(marks >= MATCHES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_fanout, done)
        STORY(an_act_that_contradicts_one_before_it_is_said),
        STORY(a_new_watcher_is_not_shown_two_histories_as_one),
        STORY(a_head_that_contradicts_an_act_before_it_is_said),
        STORY(a_new_owner_who_has_less_is_said),
        STORY(a_late_head_behind_an_act_out_of_history_is_none),
        STORY(an_owner_that_begins_is_told_once_where_matches_stand),
        STORY(marks_of_thousands_of_matches_fit_their_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
