/* standings_rate.c: how strong entrants are, and how sure that is.
 *
 * The ratings are the likeliest of the Bradley-Terry model. The interval is from the sandwich
 * estimate of their variance: the model's curvature on both sides, and between them what the games
 * scattered around what the model expects. One observation is one seed of one pair, both seatings
 * together, because the same luck makes these two alike. Nothing is taken as given: an entrant's
 * interval is for its distance from the mean of all. standings_rate_test.c simulates tournaments
 * and counts how often the true strength lies inside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/tournament/standings.h"

#define ROUNDS 2000
#define ELO_PER_NAT (400 / 2.302585092994046)
#define NORMAL_95 1.959964
#define STEP_LEAST 1e-9

/* What one pair scored with one seed, and how many games that were. */
struct observation {
    uint32_t one, other;
    uint64_t seed;
    double   score, games;
};

struct rating {
    const struct standings *all;
    uint32_t                count;
    double                  strength[CONTESTANTS_MAX];
    double inverse[CONTESTANTS_MAX][CONTESTANTS_MAX]; /* Of the curvature.                       */
    double meat[CONTESTANTS_MAX][CONTESTANTS_MAX];    /* What games scattered.                   */
};

/* How likely one of this strength beats the other. */
static double chance(double one, double other)
{
    return 1 / (1 + exp(other - one));
}

/* The slope of the likelihood at somebody's strength, and how sharply it bends. */
static double slope(const struct rating *rating, uint32_t who, double *bend)
{
    const struct standings *all = rating->all;
    const double           *strength = rating->strength;
    double rise = 0.5 - chance(strength[who], 0); /* The drawn game against an average player. */
    *bend = chance(strength[who], 0) * chance(0, strength[who]);
    for (uint32_t i = 0; i < rating->count; i++) {
        double expected = chance(strength[who], strength[i]);
        double games = all->rated[who][i];
        rise += all->rated_points[who][i] / 2.0 - games * expected;
        *bend += games * expected * (1 - expected);
    }
    return rise;
}

static void find_strengths(struct rating *rating)
{
    double bend = 1, most = 1, mean = 0;
    for (uint32_t round = 0; round < ROUNDS && most > STEP_LEAST; round++) {
        most = 0;
        for (uint32_t i = 0; i < rating->count; i++) {
            double step = slope(rating, i, &bend) / bend;
            step = step > 1 ? 1 : step < -1 ? -1 : step;
            rating->strength[i] += step;
            most = fabs(step) > most ? fabs(step) : most;
        }
    }
    for (uint32_t i = 0; i < rating->count; i++)
        mean += rating->strength[i] / rating->count;
    for (uint32_t i = 0; i < rating->count; i++)
        rating->strength[i] -= mean;
}

/* Games say nothing about the sum of all strengths; one observation of it makes the curvature whole, and
 * is taken out again by centred(). */
static void put_curvature(const struct rating *rating, double (*to)[CONTESTANTS_MAX])
{
    uint32_t count = rating->count;
    for (uint32_t i = 0; i < count; i++) {
        double own = 0.25;
        for (uint32_t j = 0; j < count; j++) {
            double expected = chance(rating->strength[i], rating->strength[j]);
            double bend = rating->all->rated[i][j] * expected * (1 - expected);
            to[i][j] = 1.0 / count - bend;
            own += bend;
        }
        to[i][i] += own;
    }
}

/* Gauss and Jordan, in place of a positive matrix. */
static void invert(double (*matrix)[CONTESTANTS_MAX], uint32_t count)
{
    for (uint32_t pivot = 0; pivot < count; pivot++) {
        double value = matrix[pivot][pivot];
        matrix[pivot][pivot] = 1;
        for (uint32_t j = 0; j < count; j++)
            matrix[pivot][j] /= value;
        for (uint32_t i = 0; i < count; i++) {
            double factor = i == pivot ? 0 : matrix[i][pivot];
            if (i == pivot)
                continue;
            matrix[i][pivot] = 0;
            for (uint32_t j = 0; j < count; j++)
                matrix[i][j] -= factor * matrix[pivot][j];
        }
    }
}

static int by_pair_and_seed(const void *first, const void *second)
{
    const struct observation *a = first, *b = second;
    if (a->one != b->one)
        return a->one < b->one ? -1 : 1;
    if (a->other != b->other)
        return a->other < b->other ? -1 : 1;
    return a->seed == b->seed ? 0 : a->seed < b->seed ? -1 : 1;
}

/* Games of a pair with one seed become one observation. Returns how many there are. */
static size_t join(struct observation *list, size_t count)
{
    size_t joined = 0;
    qsort(list, count, sizeof *list, by_pair_and_seed);
    for (size_t i = 0; i < count; i++)
        if (joined > 0 && by_pair_and_seed(&list[joined - 1], &list[i]) == 0) {
            list[joined - 1].score += list[i].score;
            list[joined - 1].games += list[i].games;
        } else {
            list[joined++] = list[i];
        }
    return joined;
}

static size_t pairs_of(const struct observation *list, size_t count)
{
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++)
        pairs += i == 0 || list[i].one != list[i - 1].one || list[i].other != list[i - 1].other;
    return pairs;
}

/* With one seed for each pair nothing is seen to scatter: false. */
static bool put_scatter(struct rating *rating, const struct observation *list, size_t count)
{
    size_t pairs = pairs_of(list, count);
    double each = pairs > 0 ? (double) count / (double) pairs : 0;
    if (each <= 1)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t one = list[i].one, other = list[i].other;
        double   expected = chance(rating->strength[one], rating->strength[other]);
        double   beyond = list[i].score - list[i].games * expected;
        double   square = beyond * beyond * each / (each - 1);
        rating->meat[one][one] += square;
        rating->meat[other][other] += square;
        rating->meat[one][other] -= square;
        rating->meat[other][one] -= square;
    }
    return true;
}

/* A row of the inverse, as it is for the distance from the mean. */
static void centred(const struct rating *rating, uint32_t who, double row[CONTESTANTS_MAX])
{
    for (uint32_t j = 0; j < rating->count; j++) {
        double mean = 0;
        for (uint32_t i = 0; i < rating->count; i++)
            mean += rating->inverse[i][j] / rating->count;
        row[j] = rating->inverse[who][j] - mean;
    }
}

/* By the scatter of games; who has won all or none has none to see, and the model says it alone. */
static double variance(const struct rating *rating, uint32_t who, bool is_seen)
{
    double   row[CONTESTANTS_MAX], seen = 0, model = 0;
    uint32_t points = 0, games = 0;
    centred(rating, who, row);
    for (uint32_t i = 0; i < rating->count; i++) {
        points += rating->all->rated_points[who][i];
        games += rating->all->rated[who][i];
        model += row[i] * (i == who ? 1 : 0) - row[i] / rating->count;
        for (uint32_t j = 0; j < rating->count; j++)
            seen += row[i] * rating->meat[i][j] * row[j];
    }
    return is_seen && points > 0 && points < 2 * games ? seen : model;
}

static void find_margins(struct rating *rating, struct standings *all,
                         const struct observation *list, size_t count)
{
    put_curvature(rating, rating->inverse);
    invert(rating->inverse, rating->count);
    bool is_seen = put_scatter(rating, list, count);
    for (uint32_t i = 0; i < rating->count; i++) {
        double found = variance(rating, i, is_seen);
        all->of[i].elo = ELO_PER_NAT * rating->strength[i];
        all->of[i].margin = NORMAL_95 * ELO_PER_NAT * sqrt(found > 0 ? found : 0);
    }
}

static size_t list_games(const struct standings *all, struct observation *list)
{
    size_t        index, count = 0;
    const json_t *line;
    json_array_foreach((json_t *) all->lines, index, line)
    {
        struct standings_game game;
        standings_read(all, line, &game);
        if (game.both_lost)
            continue;
        bool   turns = game.one > game.other;
        double score = game.score > 0 ? 1 : game.score < 0 ? 0 : 0.5;
        list[count++] = (struct observation){ .one = turns ? game.other : game.one,
                                              .other = turns ? game.one : game.other,
                                              .seed = game.seed,
                                              .score = turns ? 1 - score : score,
                                              .games = 1 };
    }
    return join(list, count);
}

void standings_find_ratings(struct standings *all)
{
    static struct rating rating;
    struct observation  *list = calloc(json_array_size(all->lines) + 1, sizeof *list);
    if (list == NULL)
        abort();
    memset(&rating, 0, sizeof rating);
    rating.all = all;
    rating.count = all->entrants->count;
    find_strengths(&rating);
    find_margins(&rating, all, list, list_games(all, list));
    free(list);
}
