/* live_test.c: frames are lost, doubled or late on the way in or out. Readers who follow live
 * frames and ask history see every act exactly once, in order, and the last one too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "services/fanout/world.h"

#define READERS 12
#define DELAYED_MAX 4096
#define ASK_AGAIN_MS 300

/* Somebody at the fanout's doors, as a client library follows a match. */
struct reader {
    uint32_t match;
    uint64_t seen;  /* The reader has acts 1 to this. */
    uint64_t heard; /* The highest number that was heard of. */
    uint64_t asked_ms;
    bool     is_here, is_asking;
};

/* Something on its way to the fanout. */
struct delayed {
    uint64_t at_ms;
    enum { LATE_ACT, LATE_COUNT, LATE_ANSWER, LATE_HEAD } what;
    uint32_t              match;
    uint64_t              number;
    struct world_question question;
};

static struct world   world;
static struct reader  readers[READERS];
static struct delayed delayed[DELAYED_MAX];
static uint32_t       delayed_count;
static uint64_t       relayed[WORLD_MATCHES]; /* The last act of each that went out live, ... */
static bool           follows[WORLD_MATCHES]; /* ... and it was read then. */
static uint64_t       loss;                   /* In percent. */

static bool is_lost(void)
{
    return world_draw(&world, 100) < loss;
}

static void sees(struct reader *reader, uint64_t number, const uint8_t *bytes, size_t size)
{
    assert_true(world_is_act(&world, reader->match, number, bytes, size));
    if (number > reader->heard)
        reader->heard = number;
    if (number == reader->seen + 1)
        reader->seen = number;
}

static void sees_frame(const struct effect *effect)
{
    for (uint32_t i = 0; i < READERS; i++) {
        struct reader *reader = &readers[i];
        if (!reader->is_here ||
            memcmp(world.matches[reader->match].id, effect->header.match_id, 16) != 0 || is_lost())
            continue;
        if (effect->header.kind == KIND(ACT))
            sees(reader, effect->header.number, effect->bytes, effect->size);
        if (effect->header.kind == KIND(HEAD) && effect->header.number > reader->heard)
            reader->heard = effect->header.number;
        assert_true(reader->heard <= world.matches[reader->match].number);
    }
}

static void sees_answer(const struct effect *effect)
{
    struct reader *reader = &readers[effect->route % 100];
    if (is_lost())
        return;
    reader->is_asking = false;
    if (effect->header.kind == KIND(REFUSED))
        return;
    Arbiter__Stream__HistoryAnswer *given = world_given(effect);
    for (size_t i = 0; i < given->n_acts; i++) {
        uint8_t bytes[2048];
        size_t  size = arbiter__stream__act__pack(given->acts[i], bytes);
        sees(reader, given->acts[i]->number, bytes, size);
    }
    if (given->last > reader->heard)
        reader->heard = given->last;
    arbiter__stream__history_answer__free_unpacked(given, NULL);
}

static bool is_read(uint32_t match)
{
    for (uint32_t i = 0; i < READERS; i++)
        if (readers[i].is_here && readers[i].match == match)
            return true;
    return false;
}

/* The fanout itself sends each act once, in order, and none is left out while the match is read. */
static void is_in_order(const struct effect *effect)
{
    for (uint32_t i = 0; i < WORLD_MATCHES; i++) {
        if (memcmp(world.matches[i].id, effect->header.match_id, 16) != 0)
            continue;
        assert_true(effect->header.number > relayed[i]);
        if (follows[i] && relayed[i] != 0)
            assert_int_equal(effect->header.number, relayed[i] + 1);
        follows[i] = is_read(i);
        relayed[i] = effect->header.number;
    }
}

static void watch(struct world *unused, const struct effect *effect)
{
    (void) unused;
    if (effect->kind == EFFECT_PUBLISH && effect->header.kind != KIND(SLOT_COUNT))
        sees_frame(effect);
    if (effect->kind == EFFECT_PUBLISH && effect->header.kind == KIND(ACT))
        is_in_order(effect);
    if (effect->kind == EFFECT_SEND && effect->door == DOOR_HISTORY)
        sees_answer(effect);
}

static void later(struct delayed thing)
{
    uint32_t copies = world_draw(&world, 100) < loss ? 2 : 1;
    for (uint32_t i = 0; i < copies; i++) {
        if (is_lost())
            continue;
        assert_true(delayed_count < DELAYED_MAX);
        thing.at_ms = world.now_ms + world_draw(&world, loss > 0 ? 80 : 1);
        delayed[delayed_count++] = thing;
    }
}

static void arrive(const struct delayed *thing)
{
    switch (thing->what) {
    case LATE_ACT: world_say_act(&world, thing->match, thing->number); break;
    case LATE_COUNT: world_say_count(&world); break;
    case LATE_HEAD: world_say_head(&world, thing->match, false); break;
    case LATE_ANSWER: world_answer(&world, &thing->question, 1 + world_draw(&world, 20)); break;
    }
}

/* What is due, acts first: an answer that knows of an act comes behind it when nothing is late. */
static void deliver_due(void)
{
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < delayed_count;) {
            if (delayed[i].at_ms > world.now_ms || (pass == 0 && delayed[i].what != LATE_ACT)) {
                i++;
                continue;
            }
            struct delayed thing = delayed[i];
            delayed[i] = delayed[--delayed_count];
            arrive(&thing);
        }
    struct delayed answer = { .what = LATE_ANSWER };
    while (world_take_question(&world, &answer.question))
        later(answer);
}

static void readers_ask(void)
{
    for (uint32_t i = 0; i < READERS; i++) {
        struct reader *reader = &readers[i];
        bool           must = reader->heard > reader->seen || reader->asked_ms == 0;
        if (!reader->is_here || !must ||
            (reader->is_asking && world.now_ms - reader->asked_ms < ASK_AGAIN_MS))
            continue;
        reader->is_asking = true;
        reader->asked_ms = world.now_ms;
        if (!is_lost())
            world_ask_history(&world, 100 * (i + 1) + i, reader->match, reader->seen + 1,
                              UINT64_MAX);
    }
}

static void moves(uint32_t match)
{
    world_play(&world, match);
    struct delayed act = { .what = LATE_ACT, .match = match };
    act.number = world.matches[match].number;
    later(act);
}

/* Time goes on by 10 ms; each match moves with a chance of `pace` in a hundred. */
static void tick(uint64_t pace)
{
    world_wait(&world, 10);
    for (uint32_t i = 0; i < WORLD_MATCHES; i++)
        if (world_draw(&world, 100) < pace && world.matches[i].number < WORLD_ACTS)
            moves(i);
    if (world.now_ms % 250 == 0) {
        struct delayed count = { .what = LATE_COUNT };
        later(count);
    }
    deliver_due();
    readers_ask();
}

static void somebody_comes(uint32_t index)
{
    readers[index].is_here = true;
    readers[index].match = (uint32_t) world_draw(&world, WORLD_MATCHES);
    world_read_match(&world, EVENT_READER, readers[index].match);
}

static bool all_have_seen_all(void)
{
    for (uint32_t i = 0; i < READERS; i++)
        if (readers[i].seen != world.matches[readers[i].match].number)
            return false;
    return true;
}

/* Bad weather, then good; in the end everybody has everything. */
static void follow(uint64_t seed, uint64_t lost)
{
    struct fanout_settings settings;
    world_limits(&settings);
    settings.asks_max = 64;
    world_begin(&world, &settings, seed % 4 == 3 ? "fanout-0" : NULL);
    memset(readers, 0, sizeof readers);
    memset(relayed, 0, sizeof relayed);
    memset(follows, 0, sizeof follows);
    delayed_count = 0;
    world.luck = seed;
    world.watch = watch;
    loss = lost;
    for (uint32_t i = 0; i < READERS / 2; i++)
        somebody_comes(i);
    for (uint32_t i = 0; i < 300; i++) {
        if (i == 150) /* Late. */
            for (uint32_t late = READERS / 2; late < READERS; late++)
                somebody_comes(late);
        if (i == 200)
            world.epoch++;
        tick(12);
    }
    loss = 0;
    uint32_t patience = 0;
    while (!all_have_seen_all() && patience++ < 6000)
        tick(0);
    if (!all_have_seen_all())
        fail_msg("seed %lu: a reader is not complete after a minute", (unsigned long) seed);
    for (uint32_t i = 0; i < 100; i++)
        tick(0);
    struct fanout_facts facts = fanout_facts(world.fanout);
    assert_int_equal(facts.forks, 0);
    assert_int_equal(facts.malformed, 0);
    assert_int_equal(facts.level, 1);
    assert_int_equal(facts.waiting, 0);
    assert_true(lost == 0 ? facts.fetched == 0 : facts.fetched > 0);
    world_end(&world);
}

static void in_good_weather_nothing_is_fetched(void **unused)
{
    (void) unused;
    for (uint64_t seed = 0; seed < 8; seed++)
        follow(seed, 0);
}

static void whatever_is_lost_every_reader_sees_every_act_once(void **unused)
{
    (void) unused;
    for (uint64_t seed = 0; seed < 150; seed++)
        follow(seed, 5 + seed % 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_good_weather_nothing_is_fetched),
        cmocka_unit_test(whatever_is_lost_every_reader_sees_every_act_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
