/* standings_rate_test.c: points, ranks, and how often an interval holds the true strength. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "services/console/tournament/standings.h"

#define ELO_PER_NAT (400 / 2.302585092994046)

static struct contestants entrants;
static struct standings   all;

static void open_standings(uint32_t count)
{
    memset(&entrants, 0, sizeof entrants);
    entrants.count = count;
    for (uint32_t i = 0; i < count; i++)
        (void) snprintf(entrants.list[i].name, sizeof entrants.list[i].name, "%c", 'a' + (int) i);
    standings_open(&all, &entrants, "nim");
}

/* A game of two; `more` is what else its line says. */
static void add(uint32_t one, uint32_t other, uint64_t seed, bool swapped, int score, json_t *more)
{
    json_t *line =
        json_pack("{s:s s:s s:I s:b s:i s:i s:i s:i}", "one", entrants.list[one].name, "other",
                  entrants.list[other].name, "seed", (json_int_t) seed, "swapped", (int) swapped,
                  "score", score, "acts", 5, "slowest_ms_one", 0, "slowest_ms_other", 0);
    json_object_update(line, more);
    assert_true(standings_count(&all, line));
    json_decref(line);
    json_decref(more);
}

static void both_lose_means_no_points(void **unused)
{
    (void) unused;
    open_standings(2);
    add(0, 1, 1, false, 0, json_pack("{s:b}", "both_lost", 1));
    add(0, 1, 2, false, 0, json_object());
    standings_rate(&all);
    assert_int_equal(standings_points(&all, 0), 1);
    assert_int_equal(standings_points(&all, 1), 1);
    assert_int_equal(all.of[0].lost, 1);
    assert_int_equal(all.of[1].lost, 1);
    assert_int_equal(all.both_lost, 1);
    standings_close(&all);
}

static void equals_share_a_rank(void **unused)
{
    (void) unused;
    open_standings(4);
    for (uint32_t i = 0; i < 3; i++)
        add(i, 3, 1, false, 1, json_object());
    add(0, 1, 1, false, 1, json_object());
    standings_rate(&all);
    assert_int_equal(standings_rank(&all, 0), 1);
    assert_int_equal(standings_rank(&all, 1), 2);
    assert_int_equal(standings_rank(&all, 2), 2);
    assert_int_equal(standings_rank(&all, 3), 4);
    assert_int_equal(standings_at(&all, 0), 0);
    assert_int_equal(standings_at(&all, 3), 3);
    standings_close(&all);
}

static json_t *broken(int failed, bool one, bool other)
{
    return json_pack("{s:i s:s s:b s:b}", "failed", failed, "why", "crashed", "silent_one", one,
                     "silent_other", other);
}

/* `a` plays; `b` and `c` never say anything. */
static void who_never_answers_wins_against_nobody(void **unused)
{
    (void) unused;
    open_standings(3);
    entrants.list[1].door = entrants.list[2].door = CONTESTANT_LINES;
    add(0, 1, 1, false, 1, broken(1, false, true));
    add(1, 2, 1, false, -1, broken(0, true, true));
    add(1, 2, 1, true, 1, broken(1, true, true));
    standings_rate(&all);
    assert_int_equal(standings_points(&all, 0), 2);
    assert_int_equal(standings_points(&all, 1), 0);
    assert_int_equal(standings_points(&all, 2), 0);
    assert_int_equal(standings_rank(&all, 2), 2);
    assert_int_equal(all.of[1].failed, 3);
    /* Once it has answered somewhere, its win counts. */
    add(0, 2, 1, false, 1, json_object());
    standings_rate(&all);
    assert_int_equal(standings_points(&all, 2), 2);
    standings_close(&all);
}

/* Simulated tournaments. */

static uint64_t state;

static double draw(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double) ((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

struct design {
    uint32_t count, seeds;
    double   strength[8], draws, luck; /* `luck`: how often both seatings have the same.        */
};

static void play_pair(const struct design *design, uint32_t one, uint32_t other)
{
    double chance = 1 / (1 + exp(design->strength[other] - design->strength[one]));
    double less = chance < 0.5 ? chance : 1 - chance, half = design->draws * less;
    for (uint32_t seed = 0; seed < design->seeds; seed++) {
        double first = draw();
        for (uint32_t swapped = 0; swapped < 2; swapped++) {
            double u = draw() < design->luck ? first : draw();
            int    score = u < chance - half ? 1 : u < chance + half ? 0 : -1;
            add(one, other, seed, swapped != 0, score, json_object());
        }
    }
}

/* Of so many tournaments, how many intervals hold the truth, of a thousand. */
static uint32_t coverage(const struct design *design, uint32_t tournaments)
{
    uint32_t held = 0;
    double   mean = 0;
    for (uint32_t i = 0; i < design->count; i++)
        mean += design->strength[i] / design->count;
    for (uint32_t round = 0; round < tournaments; round++) {
        open_standings(design->count);
        for (uint32_t one = 0; one < design->count; one++)
            for (uint32_t other = one + 1; other < design->count; other++)
                play_pair(design, one, other);
        standings_rate(&all);
        for (uint32_t i = 0; i < design->count; i++)
            held += fabs(all.of[i].elo - ELO_PER_NAT * (design->strength[i] - mean)) <=
                    all.of[i].margin;
        standings_close(&all);
    }
    return held * 1000 / (tournaments * design->count);
}

static void intervals_hold_the_truth_in_93_to_97_of_100_tournaments(void **unused)
{
    static const struct design designs[] = {
        { 2, 10, { 0, 0 }, 0, 0 },
        { 2, 25, { 0, 1 }, 0, 0 },
        { 2, 20, { 0, 1 }, 0.5, 0 },
        { 2, 30, { 0, 0.7 }, 0, 0.7 },
        { 4, 20, { 0, 0.5, 1, 1.5 }, 0.5, 0 },
        { 4, 20, { 0, 0.5, 1, 1.5 }, 0, 0.7 },
        { 6, 10, { 0, 0.2, 0.4, 0.8, 1.2, 2 }, 0.3, 0.3 },
    };
    (void) unused;
    state = 2017;
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        uint32_t held = coverage(&designs[i], 400);
        print_message("design %zu: %u of 1000\n", i, held);
        assert_in_range(held, 930, 970);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_lose_means_no_points),
        cmocka_unit_test(equals_share_a_rank),
        cmocka_unit_test(who_never_answers_wins_against_nobody),
        cmocka_unit_test(intervals_hold_the_truth_in_93_to_97_of_100_tournaments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
