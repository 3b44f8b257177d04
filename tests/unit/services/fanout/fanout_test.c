/* fanout_test.c: what a fanout does with each frame, question and reader, one story each. The stories of
 * what is lost at random are in live_test.c, those of history in asks_test.c. */
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

/* The question for acts among those that are out. */
static struct world_question history_question(void)
{
    struct world_question question = { 0 };
    while (question.header.kind != KIND(HISTORY_ASK))
        assert_true(world_take_question(&world, &question));
    return question;
}

static void an_act_goes_out_as_the_bytes_it_came_in(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    const struct effect *frame = world_find(&world, EFFECT_PUBLISH, KIND(ACT), 0);
    assert_non_null(frame);
    assert_true(world_is_act(&world, 0, 1, frame->bytes, frame->size));
    assert_int_equal(frame->header.number, 1);
    assert_int_equal(frame->header.epoch, 1);
    world_say_act(&world, 0, 1);
    assert_int_equal(published(KIND(ACT)), 0); /* Once. */
    assert_int_equal(fanout_facts(world.fanout).duplicates, 1);
}

static void an_act_behind_a_gap_waits_for_those_before_it(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_play(&world, 0);
    world_move(&world, 0);
    assert_int_equal(published(KIND(ACT)), 0);
    struct world_question question = history_question();
    assert_int_equal(question.from, 2);
    assert_int_equal(question.to, 3);
    world_answer(&world, &question, WORLD_ACTS);
    assert_int_equal(published(KIND(ACT)), 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct effect *frame = world_find(&world, EFFECT_PUBLISH, KIND(ACT), i);
        assert_int_equal(frame->header.number, 2 + i);
        assert_true(world_is_act(&world, 0, 2 + i, frame->bytes, frame->size));
    }
}

static void what_an_old_owner_says_is_dropped(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world.epoch = 2;
    world_move(&world, 0);
    world.question_count = 0;
    world_play(&world, 0);
    world.epoch = 1;
    world_say_act(&world, 0, 2);
    assert_int_equal(published(KIND(ACT)), 0);
    world_say_head(&world, 0, false);
    world_say_count(&world);
    assert_int_equal(fanout_facts(world.fanout).old_epochs, 3);
    assert_int_equal(world.question_count, 0);
    world.epoch = 2;
    world_say_act(&world, 0, 2);
    assert_int_equal(published(KIND(ACT)), 1);
}

static void what_an_old_owner_says_is_dropped_if_the_slot_was_left_meanwhile(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_read_match(&world, EVENT_READER_GONE, 0);
    for (uint32_t i = 0; i < 250; i++)
        world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).slots, 0);
    world.epoch = 2;
    world_say_count(&world); /* It was on its way. */
    world_read_match(&world, EVENT_READER, 0);
    world.epoch = 1;
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 0);
    assert_int_equal(fanout_facts(world.fanout).old_epochs, 1);
    world.epoch = 2;
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
}

static void who_answers_for_a_newer_owner_makes_the_one_before_an_old_one(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_play(&world, 1);
    world_say_count(&world);
    world.epoch = 2;
    world_answer_all(&world);
    world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).level, 1); /* It is the owner's own word. */
    world.epoch = 1;
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 0);
    assert_int_equal(fanout_facts(world.fanout).old_epochs, 1);
}

static void an_old_owners_history_is_not_believed(void **unused)
{
    (void) unused;
    struct world_question question;
    world_read_match(&world, EVENT_READER, 0);
    world.epoch = 2;
    world_move(&world, 0);
    world_play(&world, 0);
    world_move(&world, 0);
    question = history_question();
    world.epoch = 1;
    world_answer(&world, &question, WORLD_ACTS);
    assert_int_equal(published(KIND(ACT)), 0);
    world.epoch = 2;
    world_wait(&world, 600);
    world_answer_all(&world);
    assert_int_equal(fanout_facts(world.fanout).relayed, 3);
}

static void a_forked_act_is_not_relayed_and_history_is_asked(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world.matches[0].acts[1].chain[5] ^= 1; /* Somebody tells another story. */
    world_move(&world, 0);
    world.matches[0].acts[1].chain[5] ^= 1;
    assert_int_equal(published(KIND(ACT)), 0);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 1);
    assert_int_equal(fanout_facts(world.fanout).forks, 1);
    free(world.matches[0].acts[2].bytes);
    world.matches[0].number--;
    world.slot_count--;
    world_play(&world, 0); /* What truly happened. */
    struct world_question question = history_question();
    assert_int_equal(question.from, 2);
    world_answer(&world, &question, WORLD_ACTS);
    assert_int_equal(published(KIND(ACT)), 1);
    assert_int_equal(fanout_facts(world.fanout).forks, 1);
}

static void if_history_differs_what_was_held_is_thrown_away(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world.matches[0].acts[1].chain[5] ^= 1;
    world_move(&world, 0);
    world_answer_all(&world);
    assert_int_equal(published(KIND(ACT)), 1);
    assert_int_equal(fanout_facts(world.fanout).forks, 2);
    world_ask_history(&world, 100, 0, 1, 1);
    assert_int_equal(world_count(&world, EFFECT_SEND, KIND(HISTORY_ASK)), 1);
}

static struct figures figures(void)
{
    struct figures figures = { 0 };
    fanout_ops.figures(world.fanout, &figures);
    return figures;
}

static void only_slots_with_readers_are_listened_to(void **unused)
{
    (void) unused;
    assert_int_equal(fanout_facts(world.fanout).slots, 0);
    world_read_match(&world, EVENT_READER, 0);
    assert_int_equal(world_count(&world, EFFECT_LISTEN, 0), 2); /* At both engines. */
    const struct effect *listen = world_find(&world, EFFECT_LISTEN, 0, 0);
    assert_int_equal(listen->size, 1);
    assert_int_equal(listen->bytes[0], WORLD_SLOT);
    world_read_match(&world, EVENT_READER, 1);
    assert_int_equal(world_count(&world, EFFECT_LISTEN, 0), 0);
    world_read_match(&world, EVENT_READER_GONE, 0);
    world_read_match(&world, EVENT_READER_GONE, 1);
    for (uint32_t i = 0; i < 239; i++)
        world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).slots, 1);
    uint32_t left = 0;
    for (uint32_t i = 0; i < 3; i++) {
        world_wait(&world, 250);
        left += world_count(&world, EFFECT_UNLISTEN, 0);
    }
    assert_int_equal(left, 2);
    assert_int_equal(fanout_facts(world.fanout).slots, 0);
}

static void a_reader_who_comes_back_in_time_keeps_the_slot(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_read_match(&world, EVENT_READER_GONE, 0);
    for (uint32_t i = 0; i < 200; i++)
        world_wait(&world, 250);
    world_read_match(&world, EVENT_READER, 1);
    for (uint32_t i = 0; i < 200; i++) {
        world_wait(&world, 250);
        assert_int_equal(world_count(&world, EFFECT_UNLISTEN, 0), 0);
    }
}

static void a_connection_made_anew_is_told_what_is_listened_to(void **unused)
{
    (void) unused;
    uint8_t slot = 9;
    world_read_match(&world, EVENT_READER, 0);
    world_read(&world, EVENT_READER, &slot, 1);
    world_introduce(&world, 2, "ipc://elsewhere");
    assert_int_equal(world_count(&world, EFFECT_LISTEN, 0), 4); /* Two slots at two engines. */
}

static void the_lost_last_act_is_found_by_the_slots_count(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_play(&world, 0); /* And nobody is told. */
    world_say_count(&world);
    assert_int_equal(world_count(&world, EFFECT_SEND, KIND(MOVED_ASK)), 1);
    world_answer_all(&world);
    assert_int_equal(published(KIND(ACT)), 1);
    assert_int_equal(fanout_facts(world.fanout).fetched, 1);
}

static void it_shows_for_how_long_it_has_been_behind(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_wait(&world, 1000);
    assert_int_equal(figures().slots, 1);
    assert_int_equal(figures().slots_behind, 0);
    assert_int_equal(figures().behind_ms, 0);
    world_play(&world, 0); /* And nobody is told, but by the count. */
    world_say_count(&world);
    world_wait(&world, 2000);
    assert_int_equal(figures().slots_behind, 1);
    assert_in_range(figures().behind_ms, 1500, 2500);
    world_level(&world);
    world_wait(&world, 1000);
    assert_int_equal(figures().slots_behind, 0);
    assert_int_equal(figures().behind_ms, 0);
}

static void under_steady_load_a_lost_act_is_caught_up_with(void **unused)
{
    (void) unused;
    struct world_question question;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 1);
    world_level(&world);
    world_play(&world, 2); /* Lost. */
    world_move(&world, 0);
    assert_true(world_take_question(&world, &question));
    uint64_t then = world.slot_count;
    for (uint32_t i = 0; i < 5; i++) /* While the answer is on its way the others go on. */
        world_move(&world, 1);
    uint64_t now = world.slot_count;
    world.slot_count = then;
    world_answer(&world, &question, WORLD_ACTS);
    world.slot_count = now;
    world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).level, 1);
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
    assert_int_equal(world.question_count, 0);
}

static void an_answer_in_pages_is_asked_for_to_its_end(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 5);
    for (uint32_t match = 0; match < 6; match++)
        world_play(&world, match);
    world.moved_max = 2;
    world_say_count(&world);
    uint32_t pages = 0;
    for (; world.question_count > 0; pages++) {
        assert_true(pages < 4);
        world_answer_once(&world);
    }
    assert_int_equal(pages, 3);
    assert_int_equal(fanout_facts(world.fanout).matches, 6);
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
}

static void a_new_owner_has_said_nothing_of_where_the_slot_stands(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_level(&world);
    world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).level, 1);
    world.epoch = 2;
    world_move(&world, 0);
    world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).level, 0);
    world_say_count(&world);
    world_wait(&world, 250);
    assert_int_equal(fanout_facts(world.fanout).level, 1);
}

static void an_act_under_anothers_number_is_not_relayed(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_play(&world, 0);
    world_say_act_as(&world, 0, 1, 2);
    assert_int_equal(published(KIND(ACT)), 0);
    assert_int_equal(fanout_facts(world.fanout).malformed, 1);
}

static void a_slots_count_is_passed_on_only_when_all_before_it_is_known(void **unused)
{
    (void) unused;
    uint8_t slot = WORLD_SLOT;
    world_read(&world, EVENT_READER, &slot, 1);
    world_play(&world, 0);
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 0);
    world_answer_all(&world);
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
}

static void a_restored_backup_is_noticed_and_all_is_asked(void **unused)
{
    (void) unused;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_move(&world, 0);
    world_level(&world);
    world.epoch = 2;
    world.slot_count = 1;
    world_say_count(&world);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 1);
    struct world_question question;
    assert_true(world_take_question(&world, &question));
    assert_false(question.has_count);
}

static void a_restored_backup_is_noticed_by_an_answer_too(void **unused)
{
    (void) unused;
    struct world_question question;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_move(&world, 0);
    world_level(&world);
    world_play(&world, 1);
    world_say_count(&world);
    assert_true(world_take_question(&world, &question));
    world.epoch = 2;
    world.slot_count = 1;
    question.has_count = false; /* A count that the reader never had: all that moved is told. */
    world_answer(&world, &question, WORLD_ACTS);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 1);
    world_say_count(&world);
    assert_int_equal(world_count(&world, EFFECT_SAY, 0), 0);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
}

static void a_question_without_an_answer_is_asked_again_elsewhere(void **unused)
{
    (void) unused;
    struct world_question question, again;
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    world_say_count(&world);
    assert_true(world_take_question(&world, &question));
    assert_int_equal(question.header.kind, KIND(MOVED_ASK));
    world_wait(&world, 400);
    assert_int_equal(world.question_count, 0);
    world_wait(&world, 250);
    assert_true(world_take_question(&world, &again));
    assert_true(again.header.request != question.header.request);
    world_answer(&world, &question, WORLD_ACTS); /* Late: it is not the one that is waited for. */
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 0);
    world_answer(&world, &again, WORLD_ACTS);
    world_say_count(&world);
    assert_int_equal(published(KIND(SLOT_COUNT)), 1);
}

static void whatever_upstream_leaves_out_nothing_breaks(void **unused)
{
    (void) unused;
    static const uint16_t kinds[] = { KIND(ACT),          KIND(HEAD),           KIND(SLOT_COUNT),
                                      KIND(MOVED_ANSWER), KIND(HISTORY_ANSWER), KIND(REFUSED) };
    world_read_match(&world, EVENT_READER, 0);
    world_move(&world, 0);
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct header header;
        header_init(&header, kinds[i], world.matches[0].id);
        header.epoch = world.epoch;
        world_hear_nothing(&world, &header);
        assert_int_equal(published(KIND(ACT)), 0);
    }
    world_move(&world, 0);
    assert_int_equal(published(KIND(ACT)), 1);
}

static void a_stop_is_obeyed_at_once(void **unused)
{
    (void) unused;
    struct event event = { .kind = EVENT_STOP };
    world_step(&world, &event);
    assert_int_equal(world_count(&world, EFFECT_EXIT, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define STORY(name) cmocka_unit_test_setup_teardown(name, a_fanout, done)
        STORY(an_act_goes_out_as_the_bytes_it_came_in),
        STORY(an_act_behind_a_gap_waits_for_those_before_it),
        STORY(what_an_old_owner_says_is_dropped),
        STORY(what_an_old_owner_says_is_dropped_if_the_slot_was_left_meanwhile),
        STORY(who_answers_for_a_newer_owner_makes_the_one_before_an_old_one),
        STORY(an_old_owners_history_is_not_believed),
        STORY(a_forked_act_is_not_relayed_and_history_is_asked),
        STORY(if_history_differs_what_was_held_is_thrown_away),
        STORY(only_slots_with_readers_are_listened_to),
        STORY(a_reader_who_comes_back_in_time_keeps_the_slot),
        STORY(a_connection_made_anew_is_told_what_is_listened_to),
        STORY(the_lost_last_act_is_found_by_the_slots_count),
        STORY(it_shows_for_how_long_it_has_been_behind),
        STORY(under_steady_load_a_lost_act_is_caught_up_with),
        STORY(an_answer_in_pages_is_asked_for_to_its_end),
        STORY(a_new_owner_has_said_nothing_of_where_the_slot_stands),
        STORY(an_act_under_anothers_number_is_not_relayed),
        STORY(a_slots_count_is_passed_on_only_when_all_before_it_is_known),
        STORY(a_restored_backup_is_noticed_and_all_is_asked),
        STORY(a_restored_backup_is_noticed_by_an_answer_too),
        STORY(a_question_without_an_answer_is_asked_again_elsewhere),
        STORY(whatever_upstream_leaves_out_nothing_breaks),
        STORY(a_stop_is_obeyed_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
