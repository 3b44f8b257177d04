/* nim_test.c: what only nim knows: its set-ups, its events in order, who wins, and how to win.
 *
 * That the list is what apply accepts, that refusals change nothing and the like is asked of all games
 * together, in tests/conformance. */
#include "games/nim/nim.h"
#include "games/tests/small_test.h"

#define ALL_MASK(seats) ((1u << (seats)) - 1)

static struct nim_setup setup;
static struct nim_state state;

static void begin(const char *config, uint32_t seats)
{
    small_begin(&game_nim, &setup, sizeof setup, &state, sizeof state, config, seats);
}

static verdict take(uint32_t seat, word heap, word count)
{
    return small_play(&game_nim, seat, NIM_TAKE, heap, count);
}

static void assert_winners(seat_mask winners, uint32_t seats)
{
    int32_t per_seat[SEATS_MAX];
    small_outcome(&game_nim, per_seat);
    for (uint32_t seat = 0; seat < seats; seat++)
        assert_int_equal(per_seat[seat], (winners >> seat & 1) != 0 ? 1 : -1);
}

static void a_match_begins_with_its_heaps_and_a_turn(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [3, 4]}", 2);
    assert_said(HEADER(NIM_STARTED, 4), 0, 2, 3, 4, HEADER(NIM_TURN, 1), ALICE);
    assert_int_equal(dice.draws, 0);
}

static void dice_lay_the_heaps_if_asked(void **unused)
{
    (void) unused;
    begin("{\"heaps\": \"random\"}", 2);
    assert_in_range(state.heaps, NIM_RANDOM_HEAPS_LEAST, NIM_HEAPS_MAX);
    for (uint32_t i = 0; i < state.heaps; i++)
        assert_in_range(state.heap[i], 1, NIM_RANDOM_HEAP_MAX);
    assert_int_equal(dice.draws, 1 + state.heaps);
}

static void a_move_is_told_and_the_next_is_asked(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [3, 4]}", 2);
    assert_int_equal(take(ALICE, 1, 3), ACCEPTED);
    assert_said(HEADER(NIM_TAKEN, 4), ALICE, 1, 3, 1, HEADER(NIM_TURN, 1), BOB);
}

static void mistakes_are_named(void **unused)
{
    (void) unused;
    struct command nothing = { .kind = 0 };
    begin("{\"heaps\": [3, 1]}", 2);
    assert_int_equal(take(BOB, 0, 1), NIM_NOT_YOUR_TURN);
    assert_int_equal(take(ALICE, 2, 1), NIM_NO_SUCH_HEAP);
    assert_int_equal(take(ALICE, ABSENT, 1), NIM_NO_SUCH_HEAP);
    assert_int_equal(take(ALICE, 0, 0), NIM_COUNT);
    assert_int_equal(take(ALICE, 0, 4), NIM_COUNT);
    assert_int_equal(take(ALICE, 0, ABSENT), NIM_COUNT);
    assert_int_equal(game_nim.apply(&play, ALICE, &nothing), NIM_NOT_A_MOVE);
    assert_int_equal(take(ALICE, 1, 1), ACCEPTED);
    assert_int_equal(take(BOB, 1, 1), NIM_NO_SUCH_HEAP);
}

static void who_takes_the_last_counter_wins(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [2, 1]}", 3);
    assert_int_equal(take(ALICE, 0, 1), ACCEPTED);
    assert_int_equal(take(BOB, 0, 1), ACCEPTED);
    assert_int_equal(take(CAROL, 1, 1), ACCEPTED);
    assert_said(HEADER(NIM_TAKEN, 4), CAROL, 1, 1, 0, HEADER(NIM_OVER, 2), 1, CAROL);
    assert_winners(1u << CAROL, 3);
    assert_int_equal(state.turn, 0); /* Equal ends are equal states. */
    assert_int_equal(take(ALICE, 0, 1), NIM_NOT_YOUR_TURN);
}

static void in_misere_he_loses_and_the_others_win(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [1], \"misere\": true}", 3);
    assert_int_equal(take(ALICE, 0, 1), ACCEPTED);
    assert_winners(1u << BOB | 1u << CAROL, 3);
}

static void who_is_late_is_out(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [5]}", 3);
    small_forget();
    assert_false(game_nim.expire(&play, 1u << BOB)); /* This player is not awaited. */
    assert_true(game_nim.expire(&play, ALL_MASK(3)));
    assert_said(HEADER(NIM_OUT, 1), ALICE, HEADER(NIM_TURN, 1), BOB);
    assert_int_equal(take(BOB, 0, 1), ACCEPTED);
    assert_int_equal(take(CAROL, 0, 1), ACCEPTED);
    assert_int_equal(game_nim.to_act(&setup, &state), 1u << BOB); /* Not Alice. */
}

static void the_last_one_in_wins_even_in_misere(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [5], \"misere\": true}", 3);
    small_forget();
    assert_true(game_nim.leave(&play, CAROL)); /* Not on turn: nobody is asked anew. */
    assert_said(HEADER(NIM_OUT, 1), CAROL);
    assert_false(game_nim.leave(&play, CAROL));
    assert_true(game_nim.leave(&play, ALICE));
    assert_winners(1u << BOB, 3);
    assert_false(game_nim.leave(&play, BOB));
}

static void a_view_shows_what_lies_there(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [3, 4]}", 2);
    take(ALICE, 1, 3);
    small_look(&game_nim, SPECTATOR);
    assert_said(0, 2, 3, 1, 2, ALICE, BOB, BOB, 0);
    take(BOB, 0, 3);
    take(ALICE, 1, 1);
    small_look(&game_nim, BOB);
    assert_said(0, 2, 0, 0, 2, ALICE, BOB, ABSENT, 1, ALICE);
}

/* The seat on turn plays what judges best. */
static void play_best(void)
{
    static struct pattern patterns[NIM_HEAPS_MAX];
    static word           values[64];
    struct legal          list = {
                 .pattern = patterns, .value = values, .patterns_max = NIM_HEAPS_MAX, .values_max = 64
    };
    struct command command, best = { 0 };
    int64_t        most = INT64_MIN;

    game_nim.legal(&setup, &state, state.turn, &list);
    for (uint64_t k = 0; k < legal_count(&list); k++) {
        legal_pick(&list, k, &command);
        int64_t liked = game_nim.judge(&setup, &state, state.turn, &command);
        if (liked > most) {
            most = liked;
            best = command;
        }
    }
    assert_int_equal(take(state.turn, best.arg[0], best.arg[1]), ACCEPTED);
}

/* 3, 4, 5 is a win for the first player, 1, 3, 5, 7 for the second, whatever the loser tries. */
static void he_who_judges_well_wins(const char *config, uint32_t winner)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct dice loser;
        begin(config, 2);
        dice_java(&loser, seed);
        while (state.winners == 0) {
            if (state.turn == winner) {
                play_best();
                continue;
            }
            uint32_t heap = dice_bits(&loser, 3) % state.heaps;
            if (state.heap[heap] > 0)
                take(state.turn, heap, 1 + dice_bits(&loser, 8) % state.heap[heap]);
        }
        assert_winners(1u << winner, 2);
    }
}

static void the_winning_side_of_nim_wins(void **unused)
{
    (void) unused;
    he_who_judges_well_wins("{\"heaps\": [3, 4, 5]}", ALICE);
    he_who_judges_well_wins("{\"heaps\": [1, 3, 5, 7]}", BOB);
}

static void the_winning_side_of_misere_wins(void **unused)
{
    (void) unused;
    he_who_judges_well_wins("{\"heaps\": [3, 4, 5], \"misere\": true}", ALICE);
    he_who_judges_well_wins("{\"heaps\": [1, 3, 5, 7], \"misere\": true}", BOB);
    he_who_judges_well_wins("{\"heaps\": [1, 1, 1], \"misere\": true}", BOB);
}

/* Nothing is larger than its bound, and no bound is larger than what can be. */
static void bounds_are_exact(void **unused)
{
    (void) unused;
    static const struct {
        const char *config;
        uint32_t    seats, patterns, values, event, view, commands;
    } bounded[] = {
        { "{\"heaps\": [4]}", 2, 1, 4 + 1, 9, 9, 4 + 2 },
        { "{\"heaps\": [5, 1]}", 3, 2, 5 + 2, 10, 12, 6 + 3 },
        { "{\"heaps\": [1, 1, 1, 1, 1, 1, 1, 1]}", 2, 8, 1 + 8, 13, 16, 8 + 2 },
        { "{\"heaps\": \"random\"}", 2, 8, 9 + 8, 13, 16, 72 + 2 },
    };
    for (size_t i = 0; i < sizeof bounded / sizeof bounded[0]; i++) {
        struct bounds bounds;
        begin(bounded[i].config, bounded[i].seats);
        game_nim.bounds(&setup, bounded[i].seats, &bounds);
        assert_int_equal(bounds.state_bytes, sizeof state);
        assert_int_equal(bounds.legal_patterns, bounded[i].patterns);
        assert_int_equal(bounds.legal_values, bounded[i].values);
        assert_int_equal(bounds.event_words, bounded[i].event);
        assert_int_equal(bounds.view_words, bounded[i].view);
        assert_int_equal(bounds.commands, bounded[i].commands);
    }
}

static void random_heaps_are_of_every_number_and_size(void **unused)
{
    (void) unused;
    uint32_t numbers = 0, sizes = 0; /* Masks of what came. */
    begin("{\"heaps\": \"random\"}", 2);
    for (uint64_t seed = 0; seed < 500; seed++) {
        memset(&state, 0, sizeof state);
        dice_java(&dice, seed);
        small_forget();
        game_nim.start(&play, 2);
        numbers |= 1u << state.heaps;
        for (uint32_t i = 0; i < state.heaps; i++)
            sizes |= 1u << state.heap[i];
    }
    assert_int_equal(numbers, ALL_MASK(9) & ~ALL_MASK(3)); /* 3 to 8. */
    assert_int_equal(sizes, ALL_MASK(10) & ~ALL_MASK(1));  /* 1 to 9. */
}

static void only_the_seat_on_turn_is_asked(void **unused)
{
    (void) unused;
    begin("{\"heaps\": [3, 4]}", 2);
    small_forget();
    game_nim.asks(&setup, &state, BOB, &out);
    assert_int_equal(out.used, 0);
    game_nim.asks(&setup, &state, ALICE, &out);
    assert_said(HEADER(NIM_TURN, 1), ALICE);
}

/* One change to a match that holds, and what is said of it. */
#define BROKEN(change, sentence)                                                                   \
    do {                                                                                           \
        begin("{\"heaps\": [3, 4]}", 2);                                                           \
        assert_null(game_nim.check(&setup, &state));                                               \
        change;                                                                                    \
        assert_string_equal(game_nim.check(&setup, &state), sentence);                             \
    } while (0)

static void a_broken_state_is_named(void **unused)
{
    (void) unused;
    BROKEN(state.heaps = 0, "there are 1 to 8 heaps");
    BROKEN(state.heaps = NIM_HEAPS_MAX + 1, "there are 1 to 8 heaps");
    BROKEN(state.winners = 1u << CAROL, "only who is in can win");
    BROKEN(state.heap[0] = state.heap[1] = 0, "somebody has won when no counter is left");
    BROKEN(state.in = 1u << BOB, "who is on turn is in");
}

static void assert_refused(const char *config, const char *options, const char *complaint)
{
    small_refused(&game_nim, config, options, complaint);
}

static void a_faulty_setup_is_refused_at_its_place(void **unused)
{
    (void) unused;
    assert_refused("[]", NULL, "config: is a list, must be an object");
    assert_refused("{}", NULL,
                   "heaps: is missing, must be a list of 1 to 8 numbers, or \"random\"");
    assert_refused("{\"heaps\": []}", NULL,
                   "/heaps: has 0 numbers, must be a list of 1 to 8 numbers");
    assert_refused("{\"heaps\": [1,1,1,1,1,1,1,1,1]}", NULL,
                   "/heaps: has 9 numbers, must be a list of 1 to 8 numbers");
    assert_refused("{\"heaps\": \"many\"}", NULL,
                   "/heaps: is a string, must be a list of 1 to 8 numbers");
    assert_refused("{\"heaps\": [1, 0]}", NULL, "/heaps/1: is 0, must be at least 1");
    assert_refused("{\"heaps\": [1001]}", NULL, "/heaps/0: is 1001, must be at most 1000");
    assert_refused("{\"heaps\": [1], \"misere\": 1}", NULL, "/misere: is a whole number");
    assert_refused("{\"heaps\": [1], \"color\": 1}", NULL, "/color: is not a key here");
    assert_refused("{\"heaps\": [1]}", "{\"edition\": 1}", "/edition: is not a key here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_begins_with_its_heaps_and_a_turn),
        cmocka_unit_test(dice_lay_the_heaps_if_asked),
        cmocka_unit_test(a_move_is_told_and_the_next_is_asked),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(who_takes_the_last_counter_wins),
        cmocka_unit_test(in_misere_he_loses_and_the_others_win),
        cmocka_unit_test(who_is_late_is_out),
        cmocka_unit_test(the_last_one_in_wins_even_in_misere),
        cmocka_unit_test(a_view_shows_what_lies_there),
        cmocka_unit_test(the_winning_side_of_nim_wins),
        cmocka_unit_test(the_winning_side_of_misere_wins),
        cmocka_unit_test(bounds_are_exact),
        cmocka_unit_test(random_heaps_are_of_every_number_and_size),
        cmocka_unit_test(only_the_seat_on_turn_is_asked),
        cmocka_unit_test(a_broken_state_is_named),
        cmocka_unit_test(a_faulty_setup_is_refused_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
