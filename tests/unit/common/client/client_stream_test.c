/* client_stream_test.c: acts come once, in order, without a gap, the last one too, whatever is lost. */
#include "common/client/client_world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

#include "client/client_private.h"
#include "wire/chain.h"

#define LAST 12

static struct scene world;

/* A match of which we saw act 2, and which has gone on to act LAST. */
static int open_world(void **unused)
{
    (void) unused;
    scene_open_behind(&world, 2, LAST);
    return 0;
}

static int close_world(void **unused)
{
    (void) unused;
    scene_close(&world);
    return 0;
}

static void the_topic_is_subscribed_to_before_the_seat_is_attached(void **unused)
{
    (void) unused;
    uint8_t     other[16] = { 5 };
    struct sent sent;
    world.sent_count = 0;
    client_core_attach(world.core, other, 0, NULL, world.now_ms, &world.out);
    scene_wait(&world, 0);
    assert_true(world.sent[0].is_listen);
    assert_int_equal(scene_sent(&world, KIND(ATTACH), &sent), 1);
}

static void acts_are_told_once_in_order(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 1); /* Before our view. */
    scene_publish(&world, FANOUT, 3);
    scene_publish(&world, FANOUT, 3);
    scene_publish(&world, FANOUT_2, 4);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
    scene_told_nothing(&world);
    scene_asked_no_history(&world);
}

/* Chains are remembered for the last few acts only; of older ones nothing is said. */
static void late_copies_of_old_acts_are_no_forks(void **unused)
{
    (void) unused;
    for (uint64_t number = 3; number <= LAST; number++) {
        scene_publish(&world, FANOUT, number);
        scene_told_act(&world, number);
    }
    for (uint64_t number = 1; number <= LAST; number++)
        scene_publish(&world, FANOUT_2, number);
    scene_head(&world, FANOUT, 3, false);
    scene_told_nothing(&world);
}

static void an_answer_says_how_much_there_is_still(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world);
    scene_wait(&world, 2000); /* All was quiet. */
    scene_asked_history(&world, fanout, 3);
    scene_history(&world, fanout, 3, 4, 8);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
    scene_asked_history(&world, fanout, 5);
}

static void a_hole_is_asked_for_at_once_and_filled(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world);
    scene_publish(&world, fanout, 5);
    scene_told_nothing(&world);
    scene_asked_history(&world, fanout, 3);
    scene_publish(&world, fanout, 6); /* Is known to be missing already. */
    scene_asked_no_history(&world);
    scene_history(&world, fanout, 3, 4, 6); /* Fewer than there are. */
    scene_asked_history(&world, fanout, 5);
    scene_history(&world, fanout, 5, 6, 6);
    for (uint64_t number = 3; number <= 6; number++)
        scene_told_act(&world, number);
    scene_told_nothing(&world);
}

static void the_last_act_is_found_by_its_head(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world);
    scene_head(&world, fanout, 3, true);
    scene_asked_no_history(&world); /* It may be on its way. */
    scene_wait(&world, 100);
    scene_asked_history(&world, fanout, 3);
    scene_history(&world, fanout, 3, 3, 3);
    scene_told_act(&world, 3);
    scene_told(&world, CLIENT_OVER);
    assert_int_equal(world.event.number, 3);
    scene_told_nothing(&world);
}

static void a_head_that_is_behind_us_ends_nothing(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 3);
    scene_publish(&world, FANOUT, 4);
    scene_head(&world, FANOUT, 3, true);
    scene_publish(&world, FANOUT, 5);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
    scene_told_act(&world, 5);
    scene_told_nothing(&world);
}

static void when_all_is_quiet_somebody_is_asked_ever_more_seldom(void **unused)
{
    (void) unused;
    uint32_t    asked = 0;
    struct sent sent;
    for (uint32_t second = 0; second < 120; second++) {
        scene_wait(&world, 1000);
        if (scene_sent(&world, KIND(HISTORY_ASK), &sent) == 1) {
            asked++;
            scene_history(&world, sent.peer, 3, 2, 2);
        }
    }
    assert_in_range(asked, 6, 12); /* After 2, 4, 8, then each 16 seconds. */
    scene_told_nothing(&world);
}

/* The better one goes, and comes back: its reader goes with it both times, and misses nothing. */
static void a_fanout_that_comes_takes_those_who_rank_it_first(void **unused)
{
    (void) unused;
    uint32_t better = scene_our_fanout(&world), other = better == FANOUT ? FANOUT_2 : FANOUT;
    world.missing = better;
    world.sent_count = 0;
    for (uint32_t i = 0; i < 6; i++) {
        scene_directory(&world, ENGINE, world.epoch);
        scene_wait(&world, 1000);
    }
    assert_int_equal(scene_our_fanout(&world), other);
    scene_publish(&world, other, 3);
    scene_told_act(&world, 3);
    world.missing = 0;
    world.sent_count = 0;
    scene_directory(&world, ENGINE, world.epoch);
    scene_wait(&world, 1024);
    assert_int_equal(scene_our_fanout(&world), better);
    uint32_t left = 0;
    for (uint32_t i = 0; i < world.sent_count; i++)
        left += world.sent[i].is_unlisten && world.sent[i].peer == other;
    assert_int_equal(left, 1);
    world.sent_count = 0;
    scene_directory(&world, ENGINE, world.epoch);
    scene_wait(&world, 2048);
    for (uint32_t i = 0; i < world.sent_count; i++)
        assert_false(world.sent[i].is_listen || world.sent[i].is_unlisten);
    scene_publish(&world, better, 5); /* What was said meanwhile is fetched there. */
    scene_asked_history(&world, better, 4);
    scene_history(&world, better, 4, 5, 5);
    scene_told_act(&world, 4);
    scene_told_act(&world, 5);
}

static void who_does_not_answer_is_left_for_another_then_for_the_engine(void **unused)
{
    (void) unused;
    uint32_t fanout = scene_our_fanout(&world), other = fanout == FANOUT ? FANOUT_2 : FANOUT;
    world.sent_count = 0;
    scene_publish(&world, other, 4);
    scene_asked_history(&world, fanout, 3);
    scene_wait(&world, 1000);
    assert_true(world.sent_count >= 1 &&
                scene_our_fanout(&world) == other); /* Listens there, too. */
    scene_asked_history(&world, other, 3);
    scene_wait(&world, 2000);
    scene_asked_history(&world, ENGINE, 3);
    scene_history(&world, ENGINE, 3, 4, 4);
    scene_told_act(&world, 3);
    scene_told_act(&world, 4);
}

static void the_engine_is_asked_at_a_bounded_rate(void **unused)
{
    (void) unused;
    uint32_t engine = 0, others = 0, last = 0, last_of[256] = { 0 };
    /* Six more matches, all with a hole, and nobody answers. */
    for (uint8_t i = 0; i < 6; i++) {
        memset(world.match_id, i + 1, 16);
        scene_attach(&world, OUR_SEAT, 2);
        scene_publish(&world, FANOUT, 4);
    }
    world.sent_count = 0;
    for (uint32_t tick = 1; tick <= 5000; tick++) {
        scene_wait(&world, 2);
        for (uint32_t i = 0; i < world.sent_count; i++) {
            uint8_t match = world.sent[i].header.match_id[0];
            if (world.sent[i].header.kind != KIND(HISTORY_ASK))
                continue;
            others += world.sent[i].peer != ENGINE;
            if (world.sent[i].peer != ENGINE)
                continue;
            /* Half a second for each, and all of them not at once. */
            assert_true(last_of[match] == 0 || tick - last_of[match] >= 250);
            assert_true(engine == 0 || tick - last >= 5);
            last = last_of[match] = tick;
            engine++;
        }
        world.sent_count = 0;
    }
    assert_in_range(engine, 2, 40);
    assert_true(others > 10);
}

static void another_past_is_a_fork_and_is_told_once(void **unused)
{
    (void) unused;
    struct true_act truth = world.acts[3];
    memset(world.acts[3].before, 0xee, 32);
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    assert_int_equal(world.event.number, 3);
    scene_publish(&world, FANOUT, 3);
    scene_told_nothing(&world);
    world.acts[3] = truth;
    scene_publish(&world, FANOUT_2, 3);
    scene_told_act(&world, 3);
}

/* The store was set back: the same number, and another act that goes on from the same past. */
static void another_act_of_a_number_we_know_is_a_fork(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    world.acts[3].hash[0] ^= 1;
    scene_publish(&world, FANOUT, 3);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    assert_int_equal(world.event.number, 3);
}

static void history_that_tells_an_act_otherwise_is_a_fork(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    world.acts[3].hash[0] ^= 1;
    scene_history(&world, FANOUT, 3, 3, 3);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
}

static void a_head_with_another_chain_is_a_fork(void **unused)
{
    (void) unused;
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    world.acts[3].after[0] ^= 1;
    scene_head(&world, FANOUT, 3, false);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
}

/* Replies and heads may come before their act. */
static void an_act_that_leads_elsewhere_than_was_told_before_is_a_fork(void **unused)
{
    (void) unused;
    world.acts[3].after[0] ^= 1;
    scene_head(&world, FANOUT, 3, false);
    world.acts[3].after[0] ^= 1;
    scene_told_nothing(&world);
    scene_publish(&world, FANOUT, 3);
    bool is_told = false;
    while (!is_told && client_core_next(world.core, &world.event))
        is_told = world.event.kind == CLIENT_FAULT;
    assert_true(is_told);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    assert_int_equal(world.event.number, 3);
}

static void an_act_that_leads_where_was_told_before_is_none(void **unused)
{
    (void) unused;
    scene_head(&world, FANOUT, 4, false);
    scene_history(&world, FANOUT, 3, 5, 5);
    for (uint64_t number = 3; number <= 5; number++)
        scene_told_act(&world, number);
    scene_told_nothing(&world);
}

/* A forged body continues the chain we know; the next true act does not continue the forged one. */
static void a_forged_act_is_found_at_the_next_one(void **unused)
{
    (void) unused;
    uint8_t kept = world.acts[3].hash[0];
    world.acts[3].hash[0] ^= 1;
    scene_publish(&world, FANOUT, 3);
    world.acts[3].hash[0] = kept;
    scene_told(&world, CLIENT_ACT);
    scene_publish(&world, FANOUT, 4);
    scene_told(&world, CLIENT_FAULT);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    assert_int_equal(world.event.number, 4);
}

static void live_frames_of_an_older_epoch_are_not_heard(void **unused)
{
    (void) unused;
    uint64_t epoch = 1;
    world.epoch = 7;
    scene_head(&world, FANOUT, 2, false); /* The slot stands at epoch 7 now. */
    world.epoch = epoch;
    scene_publish(&world, FANOUT, 3);
    scene_told_nothing(&world);
    world.epoch = 7;
    scene_history(&world, FANOUT, 3, 3, 3); /* Here the answerer's epoch counts. */
    scene_told_act(&world, 3);
}

static void history_of_a_stale_answerer_is_not_heard(void **unused)
{
    (void) unused;
    world.epoch = 7;
    scene_head(&world, FANOUT, 2, false);
    world.epoch = 6;
    scene_history(&world, FANOUT, 3, 3, 3);
    scene_told_nothing(&world);
}

static void a_full_queue_loses_nothing(void **unused)
{
    (void) unused;
    uint64_t       told = 2;
    struct sent    sent;
    static uint8_t large[60000];
    for (uint64_t number = 3; number <= LAST; number++) {
        Arbiter__Stream__Act act;
        struct header        header;
        scene_act(&world, number, &act);
        /* One public event of 59,990 bytes: tag, length, and inside tag, length, zeros. */
        large[0] = 0x0a;
        large[1] = 0xd2, large[2] = 0xd4, large[3] = 0x03; /* 59986 */
        large[4] = 0x1a;
        large[5] = 0xce, large[6] = 0xd4, large[7] = 0x03; /* 59982 */
        act.body = (ProtobufCBinaryData){ 59990, large };
        if (number > 3)
            memcpy(world.acts[number].before, world.acts[number - 1].after, 32);
        memcpy(world.acts[number].after, world.acts[number].before, 32);
        chain_next(world.acts[number].after, &crypto_sodium, number, act.actor,
                   act.command_hash.data, large, 59990);
        header_init(&header, KIND(ACT), world.match_id);
        header.epoch = 1;
        header.number = number;
        scene_say(&world, FANOUT, DOOR_STREAM, &header, &act);
    }
    while (client_core_next(world.core, &world.event)) {
        assert_int_equal(world.event.kind, CLIENT_ACT);
        assert_int_equal(world.event.number, ++told);
        assert_int_equal(world.event.size, 59990);
    }
    assert_in_range(told, 5, LAST - 1); /* Not all had room. */
    scene_sent(&world, KIND(HISTORY_ASK), &sent);
    scene_wait(&world, 0); /* And now that there is, the rest is asked for at once. */
    assert_int_equal(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1);
    Arbiter__Stream__HistoryAsk *ask = scene_body(&sent, &arbiter__stream__history_ask__descriptor);
    assert_int_equal(ask->from, told + 1);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void seats_of_one_match_share_a_topic_until_the_last_leaves(void **unused)
{
    (void) unused;
    uint32_t gone = 0;
    world.sent_count = 0;
    scene_attach(&world, 0, 2);
    scene_publish(&world, FANOUT, 3);
    scene_told_act(&world, 3);
    scene_told_act(&world, 3); /* Each seat is told. */
    for (uint32_t i = 0; i < world.sent_count; i++)
        assert_false(world.sent[i].is_listen);
    client_core_detach(world.core, world.match_id, 0, &world.out);
    client_core_detach(world.core, world.match_id, OUR_SEAT, &world.out);
    scene_wait(&world, 0);
    for (uint32_t i = 0; i < world.sent_count; i++)
        gone += world.sent[i].is_unlisten;
    assert_int_equal(gone, 1);
}

/* Attaches at act 8, to be told of the match from act `from` on. */
static void attach_from(uint64_t from)
{
    struct sent sent;
    client_core_detach(world.core, world.match_id, OUR_SEAT, &world.out);
    world.core->settings.from_start = from == 1;
    assert_true(
        client_core_attach(world.core, world.match_id, OUR_SEAT, NULL, world.now_ms, &world.out));
    if (from > 1)
        client_core_past(world.core, world.match_id, OUR_SEAT, 8 - from + 1);
    scene_attach(&world, OUR_SEAT, 8);
    scene_wait(&world, 0);
    assert_in_range(scene_sent(&world, KIND(HISTORY_ASK), &sent), 1, 2);
    Arbiter__Stream__HistoryAsk *ask = scene_body(&sent, &arbiter__stream__history_ask__descriptor);
    assert_int_equal(ask->from, from);
    protobuf_c_message_free_unpacked((ProtobufCMessage *) ask, NULL);
}

static void is_told_from(uint64_t from)
{
    attach_from(from);
    scene_history(&world, FANOUT, from, LAST, LAST);
    for (uint64_t number = from; number <= LAST; number++)
        scene_told_act(&world, number);
    scene_told_nothing(&world);
}

static void who_wants_it_is_told_of_the_past_all_of_it_or_the_end(void **unused)
{
    (void) unused;
    is_told_from(1);
    is_told_from(6);
}

static void a_first_act_that_does_not_lead_to_the_view_is_a_fork(void **unused)
{
    (void) unused;
    attach_from(1);
    for (uint64_t number = 1; number <= LAST; number++)
        scene_make(&world, number, 0, NULL, NULL);
    scene_history(&world, FANOUT, 1, 8, LAST);
    for (uint64_t number = 1; number < 8; number++)
        scene_told_act(&world, number);
    bool is_told = false;
    while (!is_told && client_core_next(world.core, &world.event))
        is_told = world.event.kind == CLIENT_FAULT;
    assert_true(is_told);
    assert_int_equal(world.event.fault, CLIENT_FAULT_FORK);
    assert_int_equal(world.event.number, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_topic_is_subscribed_to_before_the_seat_is_attached),
        TEST(acts_are_told_once_in_order),
        TEST(late_copies_of_old_acts_are_no_forks),
        TEST(an_answer_says_how_much_there_is_still),
        TEST(a_hole_is_asked_for_at_once_and_filled),
        TEST(the_last_act_is_found_by_its_head),
        TEST(a_head_that_is_behind_us_ends_nothing),
        TEST(when_all_is_quiet_somebody_is_asked_ever_more_seldom),
        TEST(a_fanout_that_comes_takes_those_who_rank_it_first),
        TEST(who_does_not_answer_is_left_for_another_then_for_the_engine),
        TEST(the_engine_is_asked_at_a_bounded_rate),
        TEST(another_past_is_a_fork_and_is_told_once),
        TEST(another_act_of_a_number_we_know_is_a_fork),
        TEST(history_that_tells_an_act_otherwise_is_a_fork),
        TEST(a_head_with_another_chain_is_a_fork),
        TEST(an_act_that_leads_elsewhere_than_was_told_before_is_a_fork),
        TEST(an_act_that_leads_where_was_told_before_is_none),
        TEST(a_forged_act_is_found_at_the_next_one),
        TEST(live_frames_of_an_older_epoch_are_not_heard),
        TEST(history_of_a_stale_answerer_is_not_heard),
        TEST(a_full_queue_loses_nothing),
        TEST(who_wants_it_is_told_of_the_past_all_of_it_or_the_end),
        TEST(a_first_act_that_does_not_lead_to_the_view_is_a_fork),
        TEST(seats_of_one_match_share_a_topic_until_the_last_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
