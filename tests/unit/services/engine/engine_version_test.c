/* engine_version_test.c: a match has a version, which its acts carry; in version 2 it fixes who gives bytes to dice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/cells.h"
#include "services/engine/engine_rig.h"

#define NIM "{\"heaps\": \"random\"}"
#define MATCH 3
#define OWN ARBITER__WIRE__ORIGIN__ORIGIN_OWN
#define GATEWAY ARBITER__WIRE__ORIGIN__ORIGIN_GATEWAY

static struct rig_store *store;
static struct rig        rig;

static int begin(void **unused)
{
    (void) unused;
    store = rig_begin(&rig);
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    rig_end(&rig);
    return 0;
}

/* Who the lobby says contributes: pairs of seat and origin. */
static void let_contribute(const uint32_t *pairs, size_t count)
{
    static Arbiter__Wire__Contributor  list[SEATS_MAX];
    static Arbiter__Wire__Contributor *pointers[SEATS_MAX];
    for (size_t i = 0; i < count; i++) {
        arbiter__wire__contributor__init(&list[i]);
        list[i].has_seat = list[i].has_origin = true;
        list[i].seat = pairs[2 * i];
        list[i].origin = (Arbiter__Wire__Origin) pairs[2 * i + 1];
        pointers[i] = &list[i];
    }
    rig.contributors = pointers;
    rig.contributor_count = count;
}

static const Arbiter__Engine__MatchStarted *start(uint8_t match, uint32_t protocol,
                                                  const uint32_t *holders, int64_t seed)
{
    rig.protocol = protocol;
    rig_start(&rig, match, "nim", NIM, NULL, holders, 2, seed, 0);
    return rig_last(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
}

static void start_two(void)
{
    let_contribute((const uint32_t[]){ 0, OWN, 1, GATEWAY }, 2);
    assert_null(start(MATCH, 2, rig_two, 0)->fault);
}

static const Arbiter__Engine__Attached *attach(uint8_t version, uint32_t who, uint32_t seat)
{
    rig.version = version;
    (void) rig_attach(&rig, MATCH, who, seat);
    return rig_last(&rig, who, KIND(ATTACHED));
}

static bool is_let_in(uint8_t version, uint32_t who, uint32_t seat)
{
    uint32_t before = rig_count(&rig, who, KIND(ATTACHED));
    rig.version = version;
    (void) rig_attach(&rig, MATCH, who, seat);
    return rig_count(&rig, who, KIND(ATTACHED)) > before;
}

static void a_match_of_version_2_tells_whose_bytes_its_dice_are_made_of(void **unused)
{
    (void) unused;
    start_two();
    const Arbiter__Engine__MatchStarted *started = rig_last(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
    assert_true(started->has_protocol && started->protocol == 2);
    const Arbiter__Engine__MatchFacts *facts = attach(2, RIG_ALICE, 0)->match;
    assert_int_equal(facts->protocol, 2);
    assert_int_equal(facts->n_contributors, 2);
    assert_int_equal(facts->contributors[0]->origin, OWN);
    assert_int_equal(facts->contributors[1]->seat, 1);
    assert_int_equal(facts->contributors[1]->origin, GATEWAY);
    assert_int_equal(rig_last_header(&rig, RIG_ALICE, KIND(ATTACHED))->version, 2);
}

static void its_acts_need_a_reader_of_version_2(void **unused)
{
    (void) unused;
    start_two();
    assert_int_equal(rig_last_header(&rig, 0, KIND(ACT))->version, 2);
    let_contribute(NULL, 0);
    assert_null(start(MATCH + 1, 1, rig_two, 0)->fault);
    assert_int_equal(rig_last_header(&rig, 0, KIND(ACT))->version, 1);
}

static void who_reads_version_1_comes_into_no_match_of_version_2(void **unused)
{
    (void) unused;
    start_two();
    assert_false(is_let_in(1, RIG_ALICE, 0));
    assert_int_equal(rig_refusal(&rig, RIG_ALICE), REFUSAL(VERSION));
    assert_false(is_let_in(1, RIG_CAROL, NO_SEAT));
    assert_int_equal(rig_refusal(&rig, RIG_CAROL), REFUSAL(VERSION));
    assert_int_equal(rig_last_header(&rig, RIG_CAROL, KIND(REFUSED))->version, 1);
    assert_true(is_let_in(2, RIG_CAROL, NO_SEAT));
}

static void a_match_of_version_1_is_told_as_ever(void **unused)
{
    (void) unused;
    assert_false(start(MATCH, 0, rig_two, 0)->has_protocol);
    for (uint8_t version = 1; version <= 2; version++) {
        const Arbiter__Engine__MatchFacts *facts = attach(version, RIG_ALICE, 0)->match;
        assert_true(!facts->has_protocol && facts->n_contributors == 0);
        assert_int_equal(rig_last_header(&rig, RIG_ALICE, KIND(ATTACHED))->version, version);
    }
}

static void the_contributors_are_the_seats_without_a_bot(void **unused)
{
    static const uint32_t bot_at_one[] = { RIG_ALICE, 0 };
    static const struct {
        const uint32_t *holders;
        uint32_t        protocol, pairs[6];
        size_t          count;
        int64_t         seed;
        bool            is_right;
    } rows[] = {
        { rig_two, 2, { 0, OWN, 1, OWN }, 2, 0, true },
        { bot_at_one, 2, { 0, OWN }, 1, 0, true },
        { rig_two, 2, { 0 }, 0, 7, true }, /* Open dice. */
        { rig_two, 1, { 0 }, 0, 0, true },
        { rig_two, 2, { 0 }, 0, 0, false },
        { rig_two, 2, { 0, OWN }, 1, 0, false },
        { rig_two, 2, { 1, OWN, 0, OWN }, 2, 0, false },
        { rig_two, 2, { 0, OWN, 0, OWN }, 2, 0, false },
        { rig_two, 2, { 0, OWN, 1, OWN, 2, OWN }, 3, 0, false },
        { rig_two, 2, { 0, OWN, 1, 0 }, 2, 0, false },
        { bot_at_one, 2, { 0, OWN, 1, OWN }, 2, 0, false },
        { rig_two, 2, { 0, OWN, 1, OWN }, 2, 7, false },
        { rig_two, 1, { 0, OWN, 1, OWN }, 2, 0, false },
        { rig_two, 3, { 0, OWN, 1, OWN }, 2, 0, false },
    };
    (void) unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        let_contribute(rows[i].pairs, rows[i].count);
        const Arbiter__Engine__MatchStarted *started =
            start((uint8_t) (i + 1), rows[i].protocol, rows[i].holders, rows[i].seed);
        assert_int_equal(started->fault == NULL, rows[i].is_right);
    }
}

static void what_was_fixed_outlives_the_engine(void **unused)
{
    (void) unused;
    start_two();
    uint8_t chain[MATCH_HASH_SIZE];
    memcpy(chain, rig_match(&rig, MATCH)->chain, sizeof chain);
    rig_close(&rig);
    rig_open(&rig, store, NULL);
    rig_wait(&rig, 100);
    assert_false(is_let_in(1, RIG_ALICE, 0));
    const Arbiter__Engine__Attached *attached = attach(2, RIG_ALICE, 0);
    assert_memory_equal(attached->chain.data, chain, sizeof chain);
    assert_int_equal(attached->match->contributors[1]->origin, GATEWAY);
}

static void have_little_memory(struct engine_settings *settings)
{
    settings->memory_bytes = 500u << 10;
}

/* Where there is no room for contributions, there is none for the match: its dice would be the house's alone. */
static void without_room_for_contributions_no_match_begins(void **unused)
{
    uint32_t begun = 0;
    (void) unused;
    rig_close(&rig);
    rig_open(&rig, store, have_little_memory);
    rig_wait(&rig, 100);
    for (uint8_t match = 1; match < 200; match++) {
        uint32_t before = rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED));
        rig_start(&rig, match, "nim", NIM, NULL, rig_two, 2, 0, 0);
        if (rig_count(&rig, RIG_LOBBY, KIND(MATCH_STARTED)) == before) {
            assert_int_equal(rig_refusal(&rig, RIG_LOBBY), REFUSAL(FULL));
            assert_null(rig_match(&rig, match));
            continue;
        }
        begun++;
        assert_int_equal(rig_match(&rig, match)->number, 1); /* DiceCommitted: they were asked. */
    }
    assert_in_range(begun, 1, 198);
}

int main(void)
{
#define ROW(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        ROW(a_match_of_version_2_tells_whose_bytes_its_dice_are_made_of),
        ROW(its_acts_need_a_reader_of_version_2),
        ROW(who_reads_version_1_comes_into_no_match_of_version_2),
        ROW(a_match_of_version_1_is_told_as_ever),
        ROW(the_contributors_are_the_seats_without_a_bot),
        ROW(what_was_fixed_outlives_the_engine),
        ROW(without_room_for_contributions_no_match_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
