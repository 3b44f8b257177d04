/* standings_page.c: a tournament as one page of HTML, with nothing outside of it; see standings.h.
 *
 * Plots are boxes placed in per cent, so they are as wide as their reader's window. Colours follow
 * the reader's choice of light and dark. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "services/console/tournament/standings.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--faint:#5a6470;--rule:#d5dae0;"
    "--mark:#2459c4;--won:36 137 62;--lost:200 60 50}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e9ed;--faint:#a3adb8;"
    "--rule:#3a424b;--mark:#7ba7ff;--won:60 170 90;--lost:225 90 80}}\n"
    "body{font:16px/1.4 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:60rem;"
    "background:var(--paper);color:var(--ink)}\n"
    "h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}"
    "p{margin:.3rem 0;color:var(--faint)}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{border-bottom:1px solid var(--rule);padding:.3rem .6rem;text-align:right;"
    "white-space:nowrap}\n"
    "th{font-weight:600}.name{text-align:left;white-space:normal;overflow-wrap:anywhere;"
    "min-width:8rem}\n"
    ".of{display:grid;grid-template-columns:minmax(6rem,14rem) 1fr 7rem;gap:0 .8rem;"
    "align-items:center}"
    ".of b{font-weight:400;overflow-wrap:anywhere}.of i{font-style:normal;text-align:right;"
    "white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    ".scale{position:relative;align-self:stretch;min-height:1.9rem}.scale "
    "s{position:absolute;top:0;bottom:0;width:1px;"
    "background:var(--rule)}.scale s.zero{background:var(--faint)}"
    ".scale u{position:absolute;transform:translateX(-50%);text-decoration:none;font-size:.8rem;"
    "color:var(--faint);white-space:nowrap}\n"
    ".scale em{position:absolute;top:50%;height:4px;margin-top:-2px;border-radius:2px;"
    "background:var(--mark)}.scale q{position:absolute;top:50%;width:12px;height:12px;"
    "margin:-6px 0 0 -6px;border-radius:50%;background:var(--mark)}q::before,q::after"
    "{content:none}\n"
    ".bars{display:flex;align-items:flex-end;gap:2px;height:9rem;border-bottom:1px solid "
    "var(--faint)}.bars div{flex:1;display:flex;flex-direction:column;justify-content:flex-end;"
    "height:100%;text-align:center;font-size:.75rem;color:var(--faint)}"
    ".bars em{display:block;background:var(--mark);border-radius:2px 2px 0 0}\n"
    "@media(max-width:40rem){.of{grid-template-columns:1fr 7rem}.of .scale{grid-column:1/-1;"
    "grid-row:2;margin:0 .6rem}.bars span{display:none}table{font-size:.9rem}"
    "td,th{padding:.3rem .4rem}.name{min-width:6rem}}\n";

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

static void put_name(const struct standings *all, uint32_t place, FILE *out)
{
    put_escaped(out, all->entrants->list[standings_at(all, place)].name);
}

/* With a sign; nothing is neither more nor less. */
static void put_elo(double elo, FILE *out)
{
    double whole = nearbyint(elo);
    fprintf(out, "%s%.0f", whole > 0 ? "+" : whole < 0 ? "&minus;" : "", fabs(whole));
}

/* What the ratings' plot spans: whole steps around all intervals. */
struct span {
    double low, high, step;
};

static struct span span_of(const struct standings *all)
{
    static const double steps[] = { 20, 50, 100, 200, 500, 1000, 2000 };
    struct span         span = { 0, 0, 0 };
    for (uint32_t i = 0; i < all->entrants->count; i++) {
        span.low = fmin(span.low, all->of[i].elo - all->of[i].margin);
        span.high = fmax(span.high, all->of[i].elo + all->of[i].margin);
    }
    uint32_t at = 0;
    while (at + 1 < sizeof steps / sizeof *steps && (span.high - span.low) / steps[at] > 6)
        at++;
    span.step = steps[at];
    span.low = floor(span.low / span.step) * span.step;
    span.high = ceil(span.high / span.step) * span.step;
    return span;
}

static double share(const struct span *span, double elo)
{
    return span->high > span->low ? 100 * (elo - span->low) / (span->high - span->low) : 50;
}

static uint32_t ticks_of(const struct span *span)
{
    return (uint32_t) lround((span->high - span->low) / span->step);
}

static double tick(const struct span *span, uint32_t i)
{
    return span->low + (double) i * span->step;
}

static void put_rating(const struct standings *all, const struct span *span, uint32_t place,
                       FILE *out)
{
    const struct standing *of = &all->of[standings_at(all, place)];
    fputs("<div class=\"of\"><b>", out);
    put_name(all, place, out);
    fputs("</b><div class=\"scale\">", out);
    for (uint32_t i = 0; i <= ticks_of(span); i++)
        fprintf(out, "<s%s style=\"left:%.2f%%\"></s>",
                fabs(tick(span, i)) < 1 ? " class=\"zero\"" : "", share(span, tick(span, i)));
    fprintf(out,
            "<em style=\"left:%.2f%%;width:%.2f%%\"></em><q style=\"left:%.2f%%\"></q></div><i>",
            share(span, of->elo - of->margin),
            share(span, of->elo + of->margin) - share(span, of->elo - of->margin),
            share(span, of->elo));
    put_elo(of->elo, out);
    fprintf(out, " &plusmn; %.0f</i></div>\n", of->margin);
}

static void put_ratings(const struct standings *all, FILE *out)
{
    struct span span = span_of(all);
    fputs("<h2>Elo</h2>\n<p>The bars are 95 % intervals, from how much the games of each pair and "
          "seed "
          "scattered (a sandwich estimate; in simulations 93 to 97 % hold the true strength). The "
          "mean "
          "of all entrants is 0.</p>\n",
          out);
    for (uint32_t place = 0; place < all->entrants->count; place++)
        put_rating(all, &span, place, out);
    fputs("<div class=\"of\" aria-hidden=\"true\"><b></b><div class=\"scale\">", out);
    for (uint32_t i = 0; i <= ticks_of(&span); i++) {
        fprintf(out, "<u style=\"left:%.2f%%\">", share(&span, tick(&span, i)));
        put_elo(tick(&span, i), out);
        fputs("</u>", out);
    }
    fputs("</div><i></i></div>\n", out);
}

static void put_table(const struct standings *all, FILE *out)
{
    fputs("<h2>Table</h2>\n<div class=\"wide\"><table><tr><th></th><th class=\"name\">name</th>"
          "<th>points</th><th>games</th><th>won</th><th>drawn</th><th>lost</th>"
          "<th>forfeited</th><th>slowest answer</th></tr>\n",
          out);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        uint32_t               who = standings_at(all, place);
        const struct standing *of = &all->of[who];
        fprintf(out, "<tr><td>%u</td><td class=\"name\">", standings_rank(all, who));
        put_name(all, place, out);
        fprintf(out,
                "</td><td>%.1f</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td>"
                "<td>%" PRIu64 " ms</td></tr>\n",
                of->won + of->drawn / 2.0, of->games, of->won, of->drawn, of->lost, of->failed,
                of->slowest_ms);
    }
    fputs("</table></div>\n", out);
}

/* Of one against another: the greener the more of the points, the redder the fewer. */
static void put_points(const struct standings *all, uint32_t one, uint32_t other, FILE *out)
{
    uint32_t games = all->games[one][other];
    if (one == other || games == 0) {
        fputs("<td></td>", out);
        return;
    }
    double points = all->points[one][other] / 2.0, lead = 2 * points / games - 1;
    fprintf(out, "<td style=\"background:rgb(var(--%s)/%.2f)\">%.1f</td>",
            lead > 0 ? "won" : "lost", fabs(lead) * 0.35, points);
}

static void put_cross_table(const struct standings *all, FILE *out)
{
    fputs("<h2>Who against whom</h2>\n<p>Points of the row's entrant against the column's.</p>\n"
          "<div class=\"wide\"><table><tr><th></th><th class=\"name\"></th>",
          out);
    for (uint32_t place = 0; place < all->entrants->count; place++) {
        fputs("<th title=\"", out);
        put_name(all, place, out);
        fprintf(out, "\">%u</th>", standings_rank(all, standings_at(all, place)));
    }
    for (uint32_t row = 0; row < all->entrants->count; row++) {
        fprintf(out, "</tr>\n<tr><td>%u</td><td class=\"name\">",
                standings_rank(all, standings_at(all, row)));
        put_name(all, row, out);
        fputs("</td>", out);
        for (uint32_t column = 0; column < all->entrants->count; column++)
            put_points(all, standings_at(all, row), standings_at(all, column), out);
    }
    fputs("</tr></table></div>\n", out);
}

static void put_lengths(const struct standings *all, FILE *out)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < LENGTHS; i++)
        most = all->lengths[i] > most ? all->lengths[i] : most;
    fputs("<h2>How long games were</h2>\n<p>Games by the number of their acts; forfeited ones are "
          "left out.</p>\n<div class=\"bars\">",
          out);
    for (uint32_t i = 0; i < LENGTHS; i++) {
        fprintf(out, "<div title=\"%" PRIu64 " to %" PRIu64 " acts: %u\"><span>",
                i * all->length_step, (i + 1) * all->length_step - 1, all->lengths[i]);
        if (all->lengths[i] > 0)
            fprintf(out, "%u", all->lengths[i]);
        fprintf(out, "</span><em style=\"height:%.1f%%\"></em></div>",
                85.0 * all->lengths[i] / most);
    }
    fputs("</div>\n<div class=\"scale\" aria-hidden=\"true\">", out);
    for (uint32_t i = 0; i <= LENGTHS; i += LENGTHS / 5)
        fprintf(out, "<u style=\"left:%.0f%%\">%" PRIu64 "</u>", 100.0 * i / LENGTHS,
                i * all->length_step);
    fputs("</div>\n", out);
}

static void put_forfeits(const struct standings *all, FILE *out)
{
    struct forfeits list[FORFEITS_MAX];
    uint32_t        count = standings_forfeits(all, list);
    if (count == 0)
        return;
    fputs("<h2>Forfeits</h2>\n<div class=\"wide\"><table><tr><th class=\"name\">name</th>"
          "<th class=\"name\">why</th><th>games</th><th>first seed</th>"
          "<th class=\"name\">its last words</th></tr>\n",
          out);
    for (uint32_t i = 0; i < count; i++) {
        fputs("<tr><td class=\"name\">", out);
        put_escaped(out, all->entrants->list[list[i].entrant].name);
        fputs("</td><td class=\"name\">", out);
        put_escaped(out, list[i].why);
        fprintf(out, "</td><td>%u</td><td>%" PRId64 "%s</td><td class=\"name\">", list[i].count,
                list[i].seed, list[i].swapped ? ", seats swapped" : "");
        put_escaped(out, list[i].said);
        fputs("</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void put_game(const struct standings *all, const json_t *line, FILE *out)
{
    struct standings_game game;
    const char           *match = json_string_value(json_object_get(line, "match"));
    const char           *why = json_string_value(json_object_get(line, "why"));
    standings_read(all, line, &game);
    uint32_t first = game.swapped ? game.other : game.one;
    uint32_t second = game.swapped ? game.one : game.other;
    bool     one_won = game.score > 0;
    fprintf(out, "<tr><td>%" PRIu64 "</td><td class=\"name\">", game.seed);
    put_escaped(out, all->entrants->list[first].name);
    fputs("</td><td class=\"name\">", out);
    put_escaped(out, all->entrants->list[second].name);
    fputs("</td><td class=\"name\">", out);
    if (game.both_lost)
        fputs("both lose", out);
    else if (game.score == 0)
        fputs("drawn", out);
    else
        put_escaped(out, all->entrants->list[one_won ? game.one : game.other].name);
    fprintf(out, "</td><td>%" PRIu64 "</td><td class=\"name\">", game.acts);
    put_escaped(out, why != NULL ? why : "");
    fputs("</td><td class=\"name\">", out);
    if (match != NULL) {
        fputs("<a href=\"", out);
        put_escaped(out, all->matches);
        fputc('/', out);
        put_escaped(out, match);
        fputs("\">match file</a>", out);
    }
    fputs("</td></tr>\n", out);
}

/* Where match files are kept, each game is a row with its own. */
static void put_games(const struct standings *all, FILE *out)
{
    size_t        index;
    const json_t *line;
    if (all->matches == NULL)
        return;
    fputs(
        "<h2>Games</h2>\n<div class=\"wide\"><table><tr><th>seed</th><th class=\"name\">first</th>"
        "<th class=\"name\">second</th><th class=\"name\">winner</th><th>acts</th>"
        "<th class=\"name\">forfeit</th><th class=\"name\"></th></tr>\n",
        out);
    json_array_foreach(all->lines, index, line) put_game(all, line, out);
    fputs("</table></div>\n", out);
}

void standings_page(const struct standings *all, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
          "<title>Tournament: ",
          out);
    put_escaped(out, all->game);
    fprintf(out, "</title><style>\n%s</style></head><body>\n<h1>Tournament: ", style);
    put_escaped(out, all->game);
    fprintf(
        out,
        "</h1>\n<p>%u games of %u entrants. Who sat first won %u of them, who sat second %u. Both "
        "lost %u, and %u were drawn.</p>\n",
        all->played, all->entrants->count, all->first_won, all->second_won, all->both_lost,
        all->played - all->first_won - all->second_won - all->both_lost);
    put_ratings(all, out);
    put_table(all, out);
    put_cross_table(all, out);
    put_lengths(all, out);
    put_forfeits(all, out);
    put_games(all, out);
    fputs("</body></html>\n", out);
}
