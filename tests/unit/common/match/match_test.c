/* match_test.c: a match in memory is undone, saved, loaded and told apart by its digest; played with nim. */
#include "match/match.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dice/kinds.h"
#include "games/registry.h"
#include "match/policy.h"

#include "json/config_file.h"

static const struct game_wire *nim;
static struct match_form       form;
static void                   *setup;
static struct plan            *commands, *events;
static struct match_terms      terms;
static struct match_room       room;
static struct match_act        act;
static struct match           *match;
static void                   *memory, *room_memory, *policy_memory;
static struct policy           policy;

static void begin(uint64_t seed, uint32_t flags)
{
    struct match_begin how = { .epoch = 1, .id = { 1, 2, 3 }, .secret = { 4, 5, 6 } };
    struct dice        dice;
    dice_java(&dice, seed);
    how.dice = &dice;
    match_terms_init(&terms, nim->game, setup, 2, flags, &form);
    free(memory);
    free(room_memory);
    free(policy_memory);
    memory = calloc(1, match_bytes(&terms));
    room_memory = calloc(1, match_room_bytes(&terms));
    policy_memory = calloc(1, policy_bytes(&terms));
    match_room_init(&room, &terms, room_memory);
    policy_init(&policy, POLICY_RANDOM, 1000, seed, &terms, policy_memory);
    match = match_start(memory, &terms, &how, &room, &act);
}

/* Plays so many acts of the match as the policy picks them. */
static void play(uint32_t count)
{
    while (count-- > 0 && match_to_act(match) != 0) {
        struct command command;
        uint32_t       seat = policy_seat(&policy, match_to_act(match));
        assert_true(policy_pick(&policy, match, seat, &command));
        assert_int_equal(match_play(match, seat, &command, &room, &act), ACCEPTED);
    }
}

static int open_nim(void **unused)
{
    static const char  text[] = "{\"heaps\": \"random\"}";
    struct config_text config = { "text", text, sizeof text - 1 };
    size_t             size = 0;
    (void) unused;
    nim = registry_find("nim", 1);
    setup = nim != NULL ? config_compile(nim->game, &config, NULL, &size, stderr) : NULL;
    if (setup == NULL)
        return -1;
    commands = plan_new(nim->command);
    events = plan_new(nim->event);
    form = (struct match_form){ commands, events, &crypto_sodium };
    return 0;
}

static int close_nim(void **unused)
{
    (void) unused;
    free(memory);
    free(room_memory);
    free(policy_memory);
    free(setup);
    plan_destroy(&commands);
    plan_destroy(&events);
    return 0;
}

static void the_start_is_act_one(void **unused)
{
    (void) unused;
    begin(1, MATCH_CHAINED);
    assert_int_equal(act.number, 1);
    assert_int_equal(act.actor, ACTOR_START);
    assert_int_equal(act.command_size, 0);
    assert_true(act.body_size > 0 && act.events->events > 0);
    assert_memory_equal(act.chain, match->chain, sizeof act.chain);
}

static void a_refused_command_changes_nothing(void **unused)
{
    struct command impossible = { .kind = 77 };
    (void) unused;
    begin(1, MATCH_CHAINED);
    void *before = malloc(match_bytes(&terms));
    assert_non_null(before);
    memcpy(before, match, match_bytes(&terms));
    act.number = 12345;
    for (uint32_t seat = 0; seat < 2; seat++)
        assert_int_not_equal(match_play(match, seat, &impossible, &room, &act), ACCEPTED);
    assert_int_equal(act.number, 12345);
    assert_memory_equal(before, match, match_bytes(&terms));
    free(before);
}

static void undo_brings_everything_back(void **unused)
{
    uint8_t first[MATCH_HASH_SIZE];
    (void) unused;
    begin(3, MATCH_CHAINED | MATCH_SEALED);
    void *copy = malloc(match_bytes(&terms));
    assert_non_null(copy);
    struct policy kept = policy;
    match_keep(match, copy);
    play(3);
    memcpy(first, match->chain, sizeof first);
    match_undo(match, copy);
    assert_int_equal(match->number, 1);
    assert_memory_equal(copy, match, match_bytes(&terms));
    policy.dice = kept.dice;
    play(3);
    assert_memory_equal(first, match->chain, sizeof first);
    free(copy);
}

static void words_and_bytes_play_the_same_match(void **unused)
{
    uint8_t digests[3][MATCH_HASH_SIZE];
    (void) unused;
    const uint32_t flags[] = { MATCH_WORDS, MATCH_CHAINED, MATCH_CHAINED | MATCH_SEALED };
    for (uint32_t i = 0; i < 3; i++) {
        begin(9, flags[i]);
        play(100);
        assert_int_equal(match_to_act(match), 0);
        match_digest(match, digests[i]);
    }
    assert_memory_equal(digests[0], digests[1], MATCH_HASH_SIZE);
    assert_memory_equal(digests[0], digests[2], MATCH_HASH_SIZE);
}

static void other_dice_make_another_digest(void **unused)
{
    uint8_t one[MATCH_HASH_SIZE], other[MATCH_HASH_SIZE];
    (void) unused;
    begin(1, MATCH_WORDS);
    match_digest(match, one);
    begin(2, MATCH_WORDS);
    match_digest(match, other);
    assert_memory_not_equal(one, other, sizeof one);
}

static void a_saved_match_goes_on_as_it_would_have(void **unused)
{
    uint8_t bytes[4096], chain[MATCH_HASH_SIZE];
    (void) unused;
    begin(5, MATCH_CHAINED | MATCH_SEALED);
    play(2);
    match_set_generation(match, 1, 4);
    size_t size = match_save(match, bytes, sizeof bytes);
    assert_int_equal(size, match_snapshot_bytes(&terms));
    struct policy kept = policy;
    play(3);
    memcpy(chain, match->chain, sizeof chain);
    begin(5, MATCH_CHAINED | MATCH_SEALED);
    assert_true(match_load(match, bytes, size));
    assert_int_equal(match->number, 3);
    assert_int_equal(match->generation[1], 4);
    assert_int_equal(match_keys(match, 1)->generation, 4);
    policy.dice = kept.dice;
    play(3);
    assert_memory_equal(chain, match->chain, sizeof chain);
}

static void a_damaged_snapshot_is_not_read(void **unused)
{
    uint8_t bytes[4096];
    (void) unused;
    begin(5, MATCH_CHAINED);
    size_t size = match_save(match, bytes, sizeof bytes);
    void  *before = malloc(match_bytes(&terms));
    assert_non_null(before);
    match_keep(match, before);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        assert_false(match_load(match, bytes, size));
        bytes[i] ^= 0x10;
    }
    assert_false(match_load(match, bytes, size - 1));
    assert_memory_equal(before, match, match_bytes(&terms));
    assert_true(match_load(match, bytes, size));
    free(before);
}

static void a_greedy_player_beats_chance_at_nim(void **unused)
{
    int32_t  outcome[SEATS_MAX];
    uint32_t won = 0;
    (void) unused;
    for (uint64_t seed = 0; seed < 100; seed++) {
        begin(seed, MATCH_WORDS);
        while (match_to_act(match) != 0) {
            policy.kind = (match_to_act(match) & 1) != 0 ? POLICY_GREEDY : POLICY_RANDOM;
            play(1);
        }
        match_outcome(match, outcome);
        won += outcome[0] > 0;
    }
    assert_in_range(won, 80, 100);
}

static void what_the_house_says_is_an_act_that_no_rule_hears(void **unused)
{
    static const uint8_t event[] = { 0x22, 2, 0x08, 1 }; /* A HouseEvent: seat_silent of seat 1. */
    static const uint8_t said[] = { 0x0a, 6, 0x22, 4, 0x22, 2, 0x08, 1 }; /* As an ActBody. */
    uint8_t              before[MATCH_HASH_SIZE];
    uint8_t              after[MATCH_HASH_SIZE];
    uint8_t              chain[MATCH_HASH_SIZE];
    (void) unused;
    begin(1, MATCH_CHAINED | MATCH_SEALED);
    match_digest(match, before);
    memcpy(chain, match->chain, sizeof chain);
    match_say(match, event, sizeof event, &room, &act);
    match_digest(match, after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(act.actor, ACTOR_SAY);
    assert_int_equal(act.number, 2);
    assert_int_equal(act.body_size, sizeof said);
    assert_memory_equal(act.body, said, sizeof said);
    assert_memory_not_equal(match->chain, chain, sizeof chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_house_says_is_an_act_that_no_rule_hears),
        cmocka_unit_test(the_start_is_act_one),
        cmocka_unit_test(a_refused_command_changes_nothing),
        cmocka_unit_test(undo_brings_everything_back),
        cmocka_unit_test(words_and_bytes_play_the_same_match),
        cmocka_unit_test(other_dice_make_another_digest),
        cmocka_unit_test(a_saved_match_goes_on_as_it_would_have),
        cmocka_unit_test(a_damaged_snapshot_is_not_read),
        cmocka_unit_test(a_greedy_player_beats_chance_at_nim),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, open_nim, close_nim);
}
