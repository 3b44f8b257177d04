/* search_test.c: what players who think ahead are held to: here with nim and four in a row, where the best
 * command is known.
 *
 * That guesses agree with what is known is asked of all games together, in tests/conformance. */
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "dice/kinds.h"
#include "games/four/four.h"
#include "games/nim/nim.h"
#include "search/skill.h"

#define NODES 400

static struct nim_setup  nim;
static struct nim_state  heaps;
static struct four_setup grid;
static struct four_state discs;
static word              seen[512];
static struct search     search;
static void             *memory;

/* Makes room for a search of this game. */
static void open_search(const struct game *game, const void *setup, uint32_t nodes)
{
    free(memory);
    size_t bytes = search_bytes(game, setup, 2, nodes);
    memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, 0xa5, bytes); /* Whatever was there. */
    search_init(&search, game, setup, 2, nodes, memory);
}

/* What this seat sees of a state. */
static struct known look(const struct game *game, const void *setup, const void *state,
                         uint32_t seat)
{
    struct sink view = { .words = seen, .capacity = 512 };
    game->view(setup, state, seat, &view);
    return (struct known){ .seat = seat, .seats = 2, .view = seen, .view_words = view.used };
}

static void lay_heaps(uint32_t misere, uint32_t a, uint32_t b, uint32_t c)
{
    nim = (struct nim_setup){ .heaps = 3, .misere = misere, .heap = { a, b, c } };
    heaps = (struct nim_state){ .seats = 2, .in = 3, .heaps = 3, .heap = { a, b, c } };
}

/* Bouton 1901: who is on turn has lost if the exclusive or is 0; in misere, once all heaps are of one
 * counter, if their number is odd. */
static bool is_lost(void)
{
    uint32_t sum = heaps.heap[0] ^ heaps.heap[1] ^ heaps.heap[2];
    bool     ones = heaps.heap[0] <= 1 && heaps.heap[1] <= 1 && heaps.heap[2] <= 1;
    return nim.misere && ones ? sum == 1 : sum == 0;
}

static void a_won_position_of_nim_is_never_lost(void **unused)
{
    (void) unused;
    struct sink deaf = { 0 };
    uint32_t    won = 0;
    for (uint32_t i = 0; i < 2 * 5 * 5 * 5; i++) {
        lay_heaps(i % 2, i / 2 % 5, i / 10 % 5, i / 50);
        if (heaps.heap[0] + heaps.heap[1] + heaps.heap[2] == 0 || is_lost())
            continue;
        struct play    play = { &nim, &heaps, NULL, &deaf };
        struct command best;
        open_search(&game_nim, &nim, NODES);
        struct known known = look(&game_nim, &nim, &heaps, 0);
        assert_true(search_begin(&search, &known, i));
        search_think(&search, NODES);
        search_best(&search, &best);
        assert_int_equal(game_nim.apply(&play, 0, &best), ACCEPTED);
        assert_true(heaps.winners == 1 || (heaps.winners == 0 && is_lost()));
        won++;
    }
    assert_int_equal(won, 211);
}

/* Alice drops first, a digit each; a full game has 7 columns. */
static void drop_all(const char *columns)
{
    struct sink deaf = { 0 };
    struct play play = { &grid, &discs, NULL, &deaf };
    grid = (struct four_setup){ 7, 6, 4 };
    memset(&discs, 0, sizeof discs);
    for (uint32_t seat = 0; *columns != '\0'; columns++, seat = 1 - seat) {
        struct command drop = { .kind = FOUR_DROP, .arg = { *columns - '0', ABSENT } };
        assert_int_equal(game_four.apply(&play, seat, &drop), ACCEPTED);
    }
}

static word think_of_four(uint64_t seed, uint32_t nodes)
{
    struct command best;
    struct known   known = look(&game_four, &grid, &discs, discs.turn);
    open_search(&game_four, &grid, nodes + 1);
    assert_true(search_begin(&search, &known, seed));
    search_think(&search, nodes - 1);
    search_best(&search, &best);
    assert_int_equal(search.futures, nodes);
    return best.arg[0];
}

/* Two open ends cannot both be blocked. */
static void what_threatens_is_seen(void **unused)
{
    (void) unused;
    drop_all("26262"); /* Alice has three on top of each other: Bob must block. */
    for (uint64_t seed = 1; seed <= 5; seed++)
        assert_int_equal(think_of_four(seed, 200), 2);
    drop_all("203050"); /* Alice has 2, 3 and 5 below: 4 wins at once. */
    for (uint64_t seed = 1; seed <= 5; seed++)
        assert_int_equal(think_of_four(seed, 200), 4);
    drop_all("203"); /* Alice threatens an open row of three: 1, 4 and 5 stop it. */
    for (uint64_t seed = 1; seed <= 5; seed++) {
        word column = think_of_four(seed, 4000);
        assert_true(column == 1 || column == 4 || column == 5);
    }
}

static void the_same_seed_and_nodes_give_the_same_thoughts(void **unused)
{
    (void) unused;
    struct search_choice once[7], again;
    drop_all("3324");
    (void) think_of_four(42, 1000);
    uint32_t count = 0;
    while (search_choice(&search, count, &once[count]))
        count++;
    assert_int_equal(count, 7);
    struct known known = look(&game_four, &grid, &discs, 0);
    open_search(&game_four, &grid, 1001);
    assert_true(search_begin(&search, &known, 42));
    search_think(&search, 1); /* In other slices than before. */
    search_think(&search, 500);
    search_think(&search, 498);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(search_choice(&search, i, &again));
        assert_int_equal(again.command.arg[0], once[i].command.arg[0]);
        assert_int_equal(again.visits, once[i].visits);
        assert_int_equal(again.worth, once[i].worth);
    }
    assert_false(search_choice(&search, count, &again));
}

static void a_full_tree_goes_on_thinking(void **unused)
{
    (void) unused;
    struct command best;
    drop_all("203050");
    struct known known = look(&game_four, &grid, &discs, 0);
    open_search(&game_four, &grid, 20);
    assert_true(search_begin(&search, &known, 1));
    search_think(&search, 2000);
    search_best(&search, &best);
    assert_int_equal(best.arg[0], 4);
    assert_int_equal(search.nodes, 20);
    assert_int_equal(search.futures, 2001);
}

static void what_cannot_be_thought_about_is_not(void **unused)
{
    (void) unused;
    drop_all("33");
    open_search(&game_four, &grid, NODES);
    struct known known = look(&game_four, &grid, &discs, 1); /* It is not Bob's turn. */
    assert_false(search_begin(&search, &known, 1));
    known = look(&game_four, &grid, &discs, 0);
    known.view_words--; /* A word is missing. */
    assert_false(search_begin(&search, &known, 1));
    known = look(&game_four, &grid, &discs, 0);
    seen[3] = 1; /* A disc in the air. */
    assert_false(search_begin(&search, &known, 1));
    seen[3] = 7; /* A disc of nobody. */
    assert_false(search_begin(&search, &known, 1));
    known = look(&game_four, &grid, &discs, 0);
    known.seat = 2;
    assert_false(search_begin(&search, &known, 1));
    known.seat = 0;
    known.seats = 3;
    assert_false(search_begin(&search, &known, 1));
    known.seats = 2;
    known.view_words = 1000000; /* More than there can be: nothing of it is read. */
    assert_false(search_begin(&search, &known, 1));
    drop_all("2030405"); /* Alice has won. */
    known = look(&game_four, &grid, &discs, 0);
    assert_false(search_begin(&search, &known, 1));
}

static void assert_skill(const char *name, uint32_t nodes, uint32_t careless)
{
    struct level skill;
    if (nodes == 0) {
        assert_false(skill_read(name, strlen(name), &game_four, &skill));
        return;
    }
    assert_true(skill_read(name, strlen(name), &game_four, &skill));
    assert_int_equal(skill.nodes, nodes);
    assert_int_equal(skill.careless, careless);
}

static void a_player_is_as_good_as_the_word_says(void **unused)
{
    (void) unused;
    const struct level *levels = four_foresight.level;
    const struct game   none = { .name = "none" };
    struct level        skill;
    assert_int_equal(four_foresight.levels, 4);
    assert_skill("search", levels[3].nodes, levels[3].careless);
    assert_skill("search:7", 7, 0);
    assert_skill("search:1000000", 1000000, 0);
    assert_skill("level:1", levels[0].nodes, levels[0].careless);
    static const char *const wrong[] = {
        "",        "searc",   "search:",  "search:0",  "search:x",       "level",
        "level:0", "level:5", "search:-", "search:1 ", "search:1000001", "search:99999999"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_skill(wrong[i], 0, 0);
    assert_false(skill_read("search", 6, &none, &skill));
    skill.nodes = SEARCH_NODES_MAX;
    assert_int_equal(skill_tree(&skill), SEARCH_NODES_MAX);
    skill.nodes = 1;
    assert_int_equal(skill_tree(&skill), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_won_position_of_nim_is_never_lost),
        cmocka_unit_test(what_threatens_is_seen),
        cmocka_unit_test(the_same_seed_and_nodes_give_the_same_thoughts),
        cmocka_unit_test(a_full_tree_goes_on_thinking),
        cmocka_unit_test(what_cannot_be_thought_about_is_not),
        cmocka_unit_test(a_player_is_as_good_as_the_word_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
