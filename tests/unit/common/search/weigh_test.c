/* weigh_test.c: what commands are said to have been worth: here in nim, where the truth is known.
 *
 * That nothing hidden is weighed, and that blunders are found in all games, is asked in tests/conformance. */
#include "search/weigh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "games/nim/nim.h"

#define FUTURES 200
#define NODES (FUTURES + 8)

static struct nim_setup nim;
static struct nim_state heaps;
static word             seen[64];
static struct search    search;
static void            *memory;

static int open_search(void **unused)
{
    (void) unused;
    nim = (struct nim_setup){ .heaps = 3, .heap = { 9, 9, 9 } };
    memory = malloc(search_bytes(&game_nim, &nim, 2, NODES));
    search_init(&search, &game_nim, &nim, 2, NODES, memory);
    return memory == NULL;
}

static int close_search(void **unused)
{
    (void) unused;
    free(memory);
    return 0;
}

static struct known look(uint32_t a, uint32_t b, uint32_t c)
{
    struct sink view = { .words = seen, .capacity = 64 };
    heaps = (struct nim_state){ .seats = 2, .in = 3, .heaps = 3, .heap = { a, b, c } };
    game_nim.view(&nim, &heaps, 0, &view);
    return (struct known){ .seat = 0, .seats = 2, .view = seen, .view_words = view.used };
}

static struct command take(word heap, word counters)
{
    struct command command = { .kind = NIM_TAKE };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command.arg[i] = ABSENT;
    command.arg[0] = heap;
    command.arg[1] = counters;
    return command;
}

static void what_gives_a_won_match_away_is_a_blunder(void **unused)
{
    (void) unused;
    struct known    known = look(5, 4, 3); /* Two of the third heap win: 5 ^ 4 ^ 1 is 0. */
    struct weighing weighing;
    struct command  worse = take(1, 1);
    assert_true(weigh(&search, &known, &worse, FUTURES, 1, &weighing));
    assert_int_equal(weigh_kind(&weighing), WEIGH_IS_BLUNDER);
    assert_true(weighing.loss.worth > 900000);
    assert_true(weighing.value.worth > 950000);
    /* What is called better wins. */
    heaps.heap[weighing.best.arg[0]] -= (uint32_t) weighing.best.arg[1];
    assert_int_equal(heaps.heap[0] ^ heaps.heap[1] ^ heaps.heap[2], 0);
}

static void the_best_command_costs_nothing(void **unused)
{
    (void) unused;
    struct known    known = look(7, 4, 1); /* 5 ^ 4 ^ 1 is 0. */
    struct command  best = take(0, 2);
    struct weighing weighing;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_true(weigh(&search, &known, &best, FUTURES, seed, &weighing));
        assert_int_equal(weigh_kind(&weighing), WEIGH_FINE);
        assert_true(weighing.given.worth > 950000);
    }
}

static void in_a_lost_position_nothing_is_a_blunder(void **unused)
{
    (void) unused;
    struct known    known = look(3, 2, 1);
    struct command  any = take(0, 1);
    struct weighing weighing;
    assert_true(weigh(&search, &known, &any, FUTURES, 1, &weighing));
    assert_int_equal(weigh_kind(&weighing), WEIGH_FINE);
    assert_true(weighing.value.worth < 50000);
}

static void what_the_rules_refuse_is_not_judged(void **unused)
{
    (void) unused;
    struct known    known = look(3, 2, 1);
    struct command  refused = take(2, 3);
    struct weighing weighing;
    struct weight   weight;
    assert_false(weigh(&search, &known, &refused, FUTURES, 1, &weighing));
    assert_false(weigh_match(&search, &known, 0, &refused, FUTURES, 1, &weight));
    known.view_words--;
    refused = take(0, 1);
    assert_false(weigh(&search, &known, &refused, FUTURES, 1, &weighing));
}

static void nothing_in_an_open_game_is_chance(void **unused)
{
    (void) unused;
    word           behind[64];
    struct sink    view = { .words = behind, .capacity = 64 }, deaf = { 0 };
    struct command command = take(0, 1);
    struct known   known = look(3, 2, 1);
    struct play    play = { &nim, &heaps, NULL, &deaf };
    assert_int_equal(game_nim.apply(&play, 0, &command), ACCEPTED);
    game_nim.view(&nim, &heaps, 0, &view);
    assert_false(weigh_is_chance(&search, &known, 0, &command, &view, 1));
    behind[1]++; /* Something else was seen than could be foreseen. */
    assert_true(weigh_is_chance(&search, &known, 0, &command, &view, 1));
}

static void the_same_seed_weighs_the_same(void **unused)
{
    (void) unused;
    struct known    known = look(6, 5, 4);
    struct command  any = take(2, 2);
    struct weighing one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    assert_true(weigh(&search, &known, &any, FUTURES, 9, &one));
    assert_true(weigh(&search, &known, &any, FUTURES, 9, &two));
    assert_memory_equal(&one, &two, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gives_a_won_match_away_is_a_blunder),
        cmocka_unit_test(the_best_command_costs_nothing),
        cmocka_unit_test(in_a_lost_position_nothing_is_a_blunder),
        cmocka_unit_test(what_the_rules_refuse_is_not_judged),
        cmocka_unit_test(nothing_in_an_open_game_is_chance),
        cmocka_unit_test(the_same_seed_weighs_the_same),
    };
    return cmocka_run_group_tests(tests, open_search, close_search);
}
