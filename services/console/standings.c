/* standings.c: counting and rating; see standings.h. */
#include "services/console/standings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "services/console/terminal.h"

#define ROUNDS 2000
#define ELO_PER_NAT (400 / 2.302585092994046)
#define NORMAL_95 1.959964

void standings_open(struct standings *all, const struct contestants *entrants, const char *game)
{
    memset(all, 0, sizeof *all);
    all->entrants = entrants;
    all->game = game;
    all->lines = json_array();
}

void standings_close(struct standings *all)
{
    json_decref(all->lines);
}

static uint32_t index_of(const struct standings *all, const json_t *line, const char *key)
{
    const char *name = json_string_value(json_object_get(line, key));
    uint32_t    i = 0;
    while (i < all->entrants->count &&
           (name == NULL || strcmp(all->entrants->list[i].name, name) != 0))
        i++;
    return i;
}

static int64_t number(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

static void count_for(struct standings *all, uint32_t who, uint32_t against, int64_t score,
                      const json_t *line, bool is_other)
{
    struct standing *of = &all->of[who];
    uint64_t slowest = (uint64_t) number(line, is_other ? "slowest_ms_other" : "slowest_ms_one");
    const json_t *failed = json_object_get(line, "failed");
    of->games++;
    of->won += score > 0;
    of->drawn += score == 0;
    of->lost += score < 0;
    of->failed += json_is_integer(failed) && json_integer_value(failed) == (is_other ? 1 : 0);
    of->slowest_ms = slowest > of->slowest_ms ? slowest : of->slowest_ms;
    all->points[who][against] += score > 0 ? 2 : score == 0 ? 1 : 0;
    all->games[who][against]++;
}

bool standings_count(struct standings *all, json_t *line)
{
    uint32_t one = index_of(all, line, "one"), other = index_of(all, line, "other");
    int64_t  score = number(line, "score");
    bool     swapped = json_is_true(json_object_get(line, "swapped"));
    if (one >= all->entrants->count || other >= all->entrants->count || one == other)
        return false;
    count_for(all, one, other, score, line, false);
    count_for(all, other, one, -score, line, true);
    all->played++;
    all->acts += (uint64_t) number(line, "acts");
    all->first_won += swapped ? score < 0 : score > 0;
    all->second_won += swapped ? score > 0 : score < 0;
    json_array_append(all->lines, line);
    return true;
}

bool standings_has(const struct standings *all, uint32_t one, uint32_t other, uint64_t seed,
                   bool swapped)
{
    size_t  index;
    json_t *line;
    json_array_foreach(all->lines, index, line)
    {
        if (index_of(all, line, "one") == one && index_of(all, line, "other") == other &&
            (uint64_t) number(line, "seed") == seed &&
            json_is_true(json_object_get(line, "swapped")) == swapped)
            return true;
    }
    return false;
}

/* How likely one of this strength beats the other. */
static double chance(double one, double other)
{
    return 1 / (1 + exp(other - one));
}

/* The slope of the likelihood at somebody's strength, and how sharply it bends. */
static double slope(const struct standings *all, const double *strength, uint32_t who, double *bend)
{
    double rise = 0.5 - chance(strength[who], 0); /* The drawn game against an average player. */
    *bend = chance(strength[who], 0) * chance(0, strength[who]);
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        double expected = chance(strength[who], strength[i]);
        double games = all->games[who][i];
        rise += all->points[who][i] / 2.0 - games * expected;
        *bend += games * expected * (1 - expected);
    }
    return rise;
}

/* Where a game broke off because somebody died or was late, its length says nothing about the game. */
static void count_lengths(struct standings *all)
{
    size_t  index;
    json_t *line;
    all->length_step = 1;
    memset(all->lengths, 0, sizeof all->lengths);
    json_array_foreach(all->lines, index, line) while (
        (uint64_t) number(line, "acts") / all->length_step >= LENGTHS) all->length_step++;
    json_array_foreach(all->lines, index, line) if (json_object_get(line, "failed") == NULL)
        all->lengths[(uint64_t) number(line, "acts") / all->length_step]++;
}

void standings_rate(struct standings *all)
{
    double strength[CONTESTANTS_MAX] = { 0 }, bend = 1;
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < all->entrants->count; i++) {
            double step = slope(all, strength, i, &bend) / bend;
            strength[i] += step > 1 ? 1 : step < -1 ? -1 : step;
        }
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        (void) slope(all, strength, i, &bend);
        all->of[i].elo = ELO_PER_NAT * strength[i];
        all->of[i].margin = NORMAL_95 * ELO_PER_NAT / sqrt(bend);
    }
    count_lengths(all);
}

uint32_t standings_at(const struct standings *all, uint32_t place)
{
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        uint32_t better = 0;
        for (uint32_t j = 0; j < all->entrants->count; j++)
            better +=
                all->of[j].elo > all->of[i].elo || (!(all->of[j].elo < all->of[i].elo) && j < i);
        if (better == place)
            return i;
    }
    return 0;
}

void standings_print(const struct standings *all, FILE *out)
{
    fprintf(out,
            "%s: %" PRIu32 " games, %.1f acts each; who sat first won %" PRIu32 ", second %" PRIu32
            "\n",
            all->game, all->played, all->played > 0 ? (double) all->acts / all->played : 0.0,
            all->first_won, all->second_won);
    fputs("place  elo (95 %)        games   won  drawn  lost  failed  slowest  name\n", out);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        uint32_t               i = standings_at(all, place);
        const struct standing *of = &all->of[i];
        fprintf(out, "%5u  %+6.0f +- %-6.0f  %5u  %4u  %5u  %4u  %6u  %4" PRIu64 " ms  ", place + 1,
                of->elo, of->margin, of->games, of->won, of->drawn, of->lost, of->failed,
                of->slowest_ms);
        terminal_put(out, all->entrants->list[i].name, strlen(all->entrants->list[i].name));
        fputc('\n', out);
    }
}
