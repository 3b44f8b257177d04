/* standings.c: counting and rating; see standings.h. */
#include "services/console/tournament/standings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "services/console/command/terminal.h"

#define ROUNDS 2000
#define ELO_PER_NAT (400 / 2.302585092994046)
#define NORMAL_95 1.959964

void standings_open(struct standings *all, const struct contestants *entrants, const char *game)
{
    memset(all, 0, sizeof *all);
    all->entrants = entrants;
    all->game = game;
    all->lines = json_array();
    all->known = json_object();
}

void standings_close(struct standings *all)
{
    json_decref(all->lines);
    json_decref(all->known);
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

/* Of one game, whoever of the two is named first. */
struct game_key {
    char text[64];
};

static struct game_key key_of(uint32_t one, uint32_t other, uint64_t seed, bool swapped)
{
    struct game_key key;
    (void) snprintf(key.text, sizeof key.text, "%" PRIu32 " %" PRIu32 " %" PRIu64,
                    swapped ? other : one, swapped ? one : other, seed);
    return key;
}

#define ACTS_MOST UINT32_MAX

static bool is_number(const json_t *line, const char *key, int64_t least, int64_t most)
{
    return json_is_integer(json_object_get(line, key)) && number(line, key) >= least &&
           number(line, key) <= most;
}

static bool is_game(const json_t *line)
{
    const json_t *failed = json_object_get(line, "failed");
    bool          is_whole = failed == NULL || (is_number(line, "failed", 0, 1) &&
                                       json_is_string(json_object_get(line, "why")));
    return is_whole && json_is_boolean(json_object_get(line, "swapped")) &&
           is_number(line, "seed", 0, INT64_MAX) && is_number(line, "score", -1, 1) &&
           is_number(line, "acts", 0, ACTS_MOST) &&
           is_number(line, "slowest_ms_one", 0, INT64_MAX) &&
           is_number(line, "slowest_ms_other", 0, INT64_MAX);
}

bool standings_count(struct standings *all, json_t *line)
{
    uint32_t one = index_of(all, line, "one"), other = index_of(all, line, "other");
    int64_t  score = number(line, "score");
    bool     swapped = json_is_true(json_object_get(line, "swapped"));
    if (one >= all->entrants->count || other >= all->entrants->count || one == other ||
        !is_game(line))
        return false;
    const struct game_key key = key_of(one, other, (uint64_t) number(line, "seed"), swapped);
    if (json_object_get(all->known, key.text) != NULL)
        return true;
    json_object_set_new(all->known, key.text, json_true());
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
    const struct game_key key = key_of(one, other, seed, swapped);
    return json_object_get(all->known, key.text) != NULL;
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

uint32_t standings_forfeits(const struct standings *all, struct forfeits *list)
{
    size_t   index;
    json_t  *line;
    uint32_t count = 0;
    json_array_foreach(all->lines, index, line)
    {
        const json_t *failed = json_object_get(line, "failed");
        const char   *why = json_string_value(json_object_get(line, "why"));
        const char   *said = json_string_value(json_object_get(line, "said"));
        if (!json_is_integer(failed) || why == NULL)
            continue;
        uint32_t who = index_of(all, line, json_integer_value(failed) == 0 ? "one" : "other");
        uint32_t i = 0;
        while (i < count && (list[i].entrant != who || strcmp(list[i].why, why) != 0))
            i++;
        if (i == FORFEITS_MAX)
            continue;
        if (i == count)
            list[count++] =
                (struct forfeits){ .entrant = who,
                                   .why = why,
                                   .said = said != NULL ? said : "",
                                   .seed = number(line, "seed"),
                                   .swapped = json_is_true(json_object_get(line, "swapped")) };
        list[i].count++;
    }
    return count;
}

static void print_forfeits(const struct standings *all, FILE *out)
{
    struct forfeits list[FORFEITS_MAX];
    uint32_t        count = standings_forfeits(all, list);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = all->entrants->list[list[i].entrant].name;
        terminal_put(out, name, strlen(name));
        fprintf(out, " forfeited %" PRIu32 " game%s: ", list[i].count,
                list[i].count == 1 ? "" : "s");
        terminal_put(out, list[i].why, strlen(list[i].why));
        fprintf(out, " (the first with seed %" PRId64 "%s)%s", list[i].seed,
                list[i].swapped ? ", seats swapped" : "", list[i].said[0] != '\0' ? ": " : "");
        terminal_put(out, list[i].said, strlen(list[i].said));
        fputc('\n', out);
    }
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
    print_forfeits(all, out);
}
