/* standings.c: counting and rating; see standings.h. */
#include "services/console/tournament/standings.h"

#include <inttypes.h>
#include <string.h>

#include "services/console/command/terminal.h"

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

static bool is_true(const json_t *line, const char *key)
{
    return json_is_true(json_object_get(line, key));
}

void standings_read(const struct standings *all, const json_t *line, struct standings_game *game)
{
    const json_t *failed = json_object_get(line, "failed");
    *game =
        (struct standings_game){ .one = index_of(all, line, "one"),
                                 .other = index_of(all, line, "other"),
                                 .seed = (uint64_t) number(line, "seed"),
                                 .acts = (uint64_t) number(line, "acts"),
                                 .score = number(line, "score"),
                                 .both_lost = is_true(line, "both_lost"),
                                 .swapped = is_true(line, "swapped"),
                                 .failed = json_is_integer(failed) ? number(line, "failed") : -1 };
    uint32_t winner = game->failed == 0 ? game->other : game->one;
    if (game->failed >= 0 && !all->of[winner].has_answered)
        game->both_lost = true;
}

static void count_for(struct standings *all, const struct standings_game *game, const json_t *line,
                      bool is_other)
{
    uint32_t         who = is_other ? game->other : game->one;
    uint32_t         against = is_other ? game->one : game->other;
    int64_t          score = is_other ? -game->score : game->score;
    struct standing *of = &all->of[who];
    uint64_t slowest = (uint64_t) number(line, is_other ? "slowest_ms_other" : "slowest_ms_one");
    uint32_t points = game->both_lost ? 0 : score > 0 ? 2 : score == 0 ? 1 : 0;
    of->games++;
    of->won += points == 2;
    of->drawn += points == 1;
    of->lost += points == 0;
    of->failed += game->failed == (is_other ? 1 : 0) || (game->failed >= 0 && game->both_lost);
    of->slowest_ms = slowest > of->slowest_ms ? slowest : of->slowest_ms;
    all->points[who][against] += points;
    all->games[who][against]++;
    all->rated[who][against] += !game->both_lost;
    all->rated_points[who][against] += points;
}

/* Of one game, the one of the two that is named first. */
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
    bool     swapped = json_is_true(json_object_get(line, "swapped"));
    if (one >= all->entrants->count || other >= all->entrants->count || one == other ||
        !is_game(line))
        return false;
    const struct game_key key = key_of(one, other, (uint64_t) number(line, "seed"), swapped);
    if (json_object_get(all->known, key.text) != NULL)
        return true;
    json_object_set_new(all->known, key.text, json_true());
    all->played++;
    json_array_append(all->lines, line);
    return true;
}

bool standings_has(const struct standings *all, uint32_t one, uint32_t other, uint64_t seed,
                   bool swapped)
{
    const struct game_key key = key_of(one, other, seed, swapped);
    return json_object_get(all->known, key.text) != NULL;
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

/* Who has answered in some game is no program that cannot play at all. */
static void find_answered(struct standings *all)
{
    size_t  index;
    json_t *line;
    for (uint32_t i = 0; i < all->entrants->count; i++)
        all->of[i].has_answered = all->entrants->list[i].door == CONTESTANT_BOT;
    json_array_foreach(all->lines, index, line)
    {
        struct standings_game game;
        standings_read(all, line, &game);
        all->of[game.one].has_answered |= !is_true(line, "silent_one");
        all->of[game.other].has_answered |= !is_true(line, "silent_other");
    }
}

static void count_games(struct standings *all)
{
    size_t  index;
    json_t *line;
    json_array_foreach(all->lines, index, line)
    {
        struct standings_game game;
        standings_read(all, line, &game);
        count_for(all, &game, line, false);
        count_for(all, &game, line, true);
        all->acts += game.acts;
        all->both_lost += game.both_lost;
        if (game.both_lost || game.score == 0)
            continue;
        bool first_won = game.swapped ? game.score < 0 : game.score > 0;
        all->first_won += first_won;
        all->second_won += !first_won;
    }
}

static void forget(struct standings *all)
{
    memset(all->of, 0, sizeof all->of);
    memset(all->points, 0, sizeof all->points);
    memset(all->games, 0, sizeof all->games);
    memset(all->rated, 0, sizeof all->rated);
    memset(all->rated_points, 0, sizeof all->rated_points);
    all->first_won = all->second_won = all->both_lost = 0;
    all->acts = 0;
}

void standings_rate(struct standings *all)
{
    forget(all);
    find_answered(all);
    count_games(all);
    standings_find_ratings(all);
    count_lengths(all);
}

uint32_t standings_points(const struct standings *all, uint32_t who)
{
    return 2 * all->of[who].won + all->of[who].drawn;
}

uint32_t standings_rank(const struct standings *all, uint32_t who)
{
    uint32_t rank = 1;
    for (uint32_t i = 0; i < all->entrants->count; i++)
        rank += standings_points(all, i) > standings_points(all, who);
    return rank;
}

/* Equals stand in order of their ratings, and then as they were named. */
static bool stands_before(const struct standings *all, uint32_t one, uint32_t other)
{
    uint32_t points = standings_points(all, one), others = standings_points(all, other);
    double   elo = all->of[one].elo, others_elo = all->of[other].elo;
    if (points != others)
        return points > others;
    return elo > others_elo || (!(elo < others_elo) && one < other);
}

uint32_t standings_at(const struct standings *all, uint32_t place)
{
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        uint32_t better = 0;
        for (uint32_t j = 0; j < all->entrants->count; j++)
            better += j != i && stands_before(all, j, i);
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
            ", both lost %" PRIu32 "\n",
            all->game, all->played, all->played > 0 ? (double) all->acts / all->played : 0.0,
            all->first_won, all->second_won, all->both_lost);
    fputs("rank  points  elo (95 %)        games   won  drawn  lost  failed  slowest  name\n", out);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        uint32_t               i = standings_at(all, place);
        const struct standing *of = &all->of[i];
        fprintf(out, "%4u  %6.1f  %+6.0f +- %-6.0f  %5u  %4u  %5u  %4u  %6u  %4" PRIu64 " ms  ",
                standings_rank(all, i), standings_points(all, i) / 2.0, of->elo, of->margin,
                of->games, of->won, of->drawn, of->lost, of->failed, of->slowest_ms);
        terminal_put(out, all->entrants->list[i].name, strlen(all->entrants->list[i].name));
        fputc('\n', out);
    }
    print_forfeits(all, out);
}
