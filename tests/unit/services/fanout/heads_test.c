/* heads_test.c: heads tell readers where a match stands, at a bounded pace, and only what is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/fanout/world.h"

static struct world world;

static void begin(uint32_t heads_per_second)
{
    struct fanout_settings settings;
    world_limits(&settings);
    settings.heads_per_second = heads_per_second;
    world_begin(&world, &settings, NULL);
}

static uint32_t heads(void)
{
    return world_count(&world, EFFECT_PUBLISH, KIND(HEAD));
}

/* Waits in steps of 10 ms, the slot's count said four times a second; how many heads came. */
static uint32_t heads_within(uint64_t ms)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < ms; i += 10) {
        world_wait(&world, 10);
        count += heads();
        world_answer_all(&world);
        if (world.now_ms % 250 == 0)
            world_say_count(&world);
    }
    return count;
}

static void heads_come_more_and_more_rarely_after_an_act(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    assert_int_equal(heads_within(900), 0);
    assert_int_equal(heads_within(300), 1);   /* At 1 s, */
    assert_int_equal(heads_within(1200), 1);  /* 1 s later, */
    assert_int_equal(heads_within(2300), 1);  /* 2, */
    assert_int_equal(heads_within(4300), 1);  /* 4, */
    assert_int_equal(heads_within(26000), 2); /* 8, 16, */
    assert_int_equal(heads_within(62000), 2); /* and each 30 s. */
    world_move(&world, 0);                    /* From the next act on all that again. */
    assert_int_equal(heads_within(1200), 1);
    assert_int_equal(heads_within(1200), 1);
    world_end(&world);
}

static void a_head_says_number_chain_and_epoch(void **unused)
{
    (void) unused;
    begin(1000);
    world.epoch = 3;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_move(&world, 0);
    world_level(&world);
    const struct effect *effect = NULL;
    for (uint32_t i = 0; i < 150 && effect == NULL; i++) {
        world_wait(&world, 10);
        effect = world_find(&world, EFFECT_PUBLISH, KIND(HEAD), 0);
    }
    assert_non_null(effect);
    const Arbiter__Stream__Head *head = (const Arbiter__Stream__Head *) (const void *) effect->body;
    assert_int_equal(head->number, 2);
    assert_int_equal(effect->header.number, 2);
    assert_int_equal(effect->header.epoch, 3);
    assert_memory_equal(head->chain.data, world.matches[0].acts[2].chain, 32);
    assert_false(head->over);
    world_end(&world);
}

/* A client that reads only this fanout has nobody else to tell it that the owner before has been
 * replaced. */
static void a_head_behind_a_new_owners_answer_bears_his_epoch(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_play(&world, 1);
    world_say_count(&world);
    world.epoch = 2;
    world_answer_all(&world);
    const struct effect *effect = NULL;
    for (uint32_t i = 0; i < 150 && effect == NULL; i++) {
        world_wait(&world, 10);
        effect = world_find(&world, EFFECT_PUBLISH, KIND(HEAD), 0);
    }
    assert_non_null(effect);
    assert_int_equal(effect->header.epoch, 2);
    world_end(&world);
}

static void who_comes_late_is_told_where_the_match_stands(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 1);
    world_move(&world, 0);
    world_level(&world);
    heads_within(60000);
    world_read_match(&world, EVENT_READER, 0);
    assert_int_equal(heads_within(20), 1);
    world_end(&world);
}

static void no_head_while_something_is_missing(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    for (uint32_t i = 0; i < 500; i++) { /* Nobody has said where the slot stands. */
        world_wait(&world, 10);
        assert_int_equal(heads(), 0);
    }
    world_level(&world);
    assert_int_equal(heads_within(200), 1);
    world_end(&world);
}

static void matches_that_nobody_reads_have_no_heads(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_move(&world, 1);
    world_level(&world);
    assert_int_equal(heads_within(1500), 1);
    world_read_match(&world, EVENT_READER_GONE, 0);
    assert_int_equal(heads_within(40000), 0);
    world_end(&world);
}

static void at_most_one_head_of_a_match_each_tenth_of_a_second(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    uint64_t last_ms = 0;
    for (uint32_t i = 0; i < 600; i++) {
        world_read_match(&world, EVENT_READER, 0); /* Somebody comes every 10 ms. */
        world_wait(&world, 10);
        if (heads() == 0)
            continue;
        assert_int_equal(heads(), 1);
        assert_true(last_ms == 0 || world.now_ms - last_ms >= 100);
        last_ms = world.now_ms;
    }
    assert_true(last_ms > 0);
    world_end(&world);
}

static void what_falls_due_together_goes_out_evenly(void **unused)
{
    (void) unused;
    begin(100); /* One each 10 ms. */
    uint8_t slot = WORLD_SLOT;
    world_read(&world, EVENT_READER, &slot, 1);
    for (uint32_t match = 0; match < WORLD_MATCHES; match++)
        world_move(&world, match);
    world_level(&world);
    uint32_t all = 0;
    for (uint32_t i = 0; i < 120; i++) {
        world_wait(&world, 10);
        assert_in_range(heads(), 0, 1);
        all += heads();
    }
    assert_int_equal(all, WORLD_MATCHES);
    world_end(&world);
}

static void the_end_is_said_at_once_and_not_for_ever(void **unused)
{
    (void) unused;
    begin(1000);
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_say_head(&world, 0, true);
    world_wait(&world, 10);
    assert_int_equal(heads(), 1);
    const struct effect *effect = world_find(&world, EFFECT_PUBLISH, KIND(HEAD), 0);
    assert_true(((const Arbiter__Stream__Head *) (const void *) effect->body)->over);
    assert_in_range(heads_within(120000), 5, 7);
    assert_int_equal(heads_within(120000), 0);
    world_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_come_more_and_more_rarely_after_an_act),
        cmocka_unit_test(a_head_says_number_chain_and_epoch),
        cmocka_unit_test(a_head_behind_a_new_owners_answer_bears_his_epoch),
        cmocka_unit_test(who_comes_late_is_told_where_the_match_stands),
        cmocka_unit_test(no_head_while_something_is_missing),
        cmocka_unit_test(matches_that_nobody_reads_have_no_heads),
        cmocka_unit_test(at_most_one_head_of_a_match_each_tenth_of_a_second),
        cmocka_unit_test(what_falls_due_together_goes_out_evenly),
        cmocka_unit_test(the_end_is_said_at_once_and_not_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
