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
    all->length_step = 1;
    size_t  index;
    json_t *line;
    json_array_foreach(all->lines, index, line) while (
        (uint64_t) number(line, "acts") / all->length_step >= 20) all->length_step++;
    memset(all->lengths, 0, sizeof all->lengths);
    json_array_foreach(all->lines, index, line)
        all->lengths[(uint64_t) number(line, "acts") / all->length_step]++;
}

/* The entrant who stands at this place. */
static uint32_t at_place(const struct standings *all, uint32_t place)
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
        uint32_t               i = at_place(all, place);
        const struct standing *of = &all->of[i];
        fprintf(out, "%5u  %+6.0f +- %-6.0f  %5u  %4u  %5u  %4u  %6u  %4" PRIu64 " ms  ", place + 1,
                of->elo, of->margin, of->games, of->won, of->drawn, of->lost, of->failed,
                of->slowest_ms);
        terminal_put(out, all->entrants->list[i].name, strlen(all->entrants->list[i].name));
        fputc('\n', out);
    }
}

/* The page. */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out); break;
        }
}

/* A line for each entrant, from lowest to highest bound of all. */
static void put_ratings(const struct standings *all, FILE *out)
{
    double low = 0, high = 0;
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        low = fmin(low, all->of[i].elo - all->of[i].margin);
        high = fmax(high, all->of[i].elo + all->of[i].margin);
    }
    double scale = high > low ? 500 / (high - low) : 1;
    fprintf(out, "<h2>Elo, 95 %% intervals</h2>\n<svg width=\"760\" height=\"%u\">\n",
            all->entrants->count * 24 + 10);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        uint32_t               i = at_place(all, place);
        const struct standing *of = &all->of[i];
        unsigned               y = place * 24 + 16;
        fprintf(out, "<text x=\"0\" y=\"%u\">", y + 4);
        put_escaped(out, all->entrants->list[i].name);
        fprintf(out,
                "</text><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%u\" y2=\"%u\"/>"
                "<circle cx=\"%.1f\" cy=\"%u\" r=\"4\"/><text x=\"730\" y=\"%u\">%+.0f</text>\n",
                220 + (of->elo - of->margin - low) * scale,
                220 + (of->elo + of->margin - low) * scale, y, y, 220 + (of->elo - low) * scale, y,
                y + 4, of->elo);
    }
    fputs("</svg>\n", out);
}

static void put_cross_table(const struct standings *all, FILE *out)
{
    fputs("<h2>Points</h2>\n<table><tr><th></th>", out);
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        fputs("<th>", out);
        put_escaped(out, all->entrants->list[at_place(all, i)].name);
        fputs("</th>", out);
    }
    for (uint32_t row = 0; row < all->entrants->count; row++) {
        uint32_t one = at_place(all, row);
        fputs("</tr>\n<tr><th>", out);
        put_escaped(out, all->entrants->list[one].name);
        fputs("</th>", out);
        for (uint32_t column = 0; column < all->entrants->count; column++) {
            uint32_t other = at_place(all, column);
            if (one == other)
                fputs("<td></td>", out);
            else
                fprintf(out, "<td>%.1f / %u</td>", all->points[one][other] / 2.0,
                        all->games[one][other]);
        }
    }
    fputs("</tr></table>\n", out);
}

static void put_lengths(const struct standings *all, FILE *out)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < 20; i++)
        most = all->lengths[i] > most ? all->lengths[i] : most;
    fputs("<h2>Acts a game</h2>\n<svg width=\"760\" height=\"150\">\n", out);
    for (uint32_t i = 0; i < 20; i++) {
        double height = 110.0 * all->lengths[i] / most;
        fprintf(out,
                "<rect x=\"%u\" y=\"%.1f\" width=\"30\" height=\"%.1f\"/>"
                "<text x=\"%u\" y=\"140\">%" PRIu64 "</text>\n",
                i * 36, 120 - height, height, i * 36, i * all->length_step);
    }
    fputs("</svg>\n", out);
}

void standings_page(const struct standings *all, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tournament: ",
          out);
    put_escaped(out, all->game);
    fputs(
        "</title><style>body{font:15px sans-serif;margin:2em}svg line{stroke:#36c;stroke-width:3}"
        "svg circle,svg rect{fill:#36c}td,th{border:1px solid #ccc;padding:4px 8px}"
        "table{border-collapse:collapse}pre{background:#f4f4f4;padding:1em}svg text{font-size:12px}"
        "</style></head><body>\n<h1>Tournament: ",
        out);
    put_escaped(out, all->game);
    fprintf(out, "</h1>\n<p>%u games; who sat first won %u, who sat second %u, nobody %u.</p>\n",
            all->played, all->first_won, all->second_won,
            all->played - all->first_won - all->second_won);
    put_ratings(all, out);
    put_cross_table(all, out);
    put_lengths(all, out);
    fputs("<h2>Table</h2>\n<table><tr><th>name</th><th>Elo</th><th>games</th><th>won</th>"
          "<th>drawn</th><th>lost</th><th>failed</th><th>slowest answer</th></tr>\n",
          out);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        uint32_t               i = at_place(all, place);
        const struct standing *of = &all->of[i];
        fputs("<tr><td>", out);
        put_escaped(out, all->entrants->list[i].name);
        fprintf(out,
                "</td><td>%+.0f &plusmn; %.0f</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td>"
                "<td>%u</td><td>%" PRIu64 " ms</td></tr>\n",
                of->elo, of->margin, of->games, of->won, of->drawn, of->lost, of->failed,
                of->slowest_ms);
    }
    fputs("</table></body></html>\n", out);
}
