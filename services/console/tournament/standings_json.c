/* standings_json.c: a tournament's standings for programs. */
#include "services/console/tournament/standings.h"

static json_t *entrant_json(const struct standings *all, uint32_t who)
{
    const struct standing *of = &all->of[who];
    return json_pack("{s:i s:s s:f s:f s:f s:i s:i s:i s:i s:i s:I}", "rank",
                     (int) standings_rank(all, who), "name", all->entrants->list[who].name,
                     "points", standings_points(all, who) / 2.0, "elo", of->elo, "margin",
                     of->margin, "games", (int) of->games, "won", (int) of->won, "drawn",
                     (int) of->drawn, "lost", (int) of->lost, "failed", (int) of->failed,
                     "slowest_ms", (json_int_t) of->slowest_ms);
}

static json_t *forfeits_json(const struct standings *all)
{
    struct forfeits list[FORFEITS_MAX];
    uint32_t        count = standings_forfeits(all, list);
    json_t         *json = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(json, json_pack("{s:s s:s s:i s:I s:b s:s}", "name",
                                              all->entrants->list[list[i].entrant].name, "why",
                                              list[i].why, "games", (int) list[i].count, "seed",
                                              (json_int_t) list[i].seed, "swapped",
                                              (int) list[i].swapped, "said", list[i].said));
    return json;
}

void standings_json(const struct standings *all, FILE *out)
{
    json_t *entrants = json_array();
    for (uint32_t place = 0; place < all->entrants->count; place++)
        json_array_append_new(entrants, entrant_json(all, standings_at(all, place)));
    json_t *json = json_pack("{s:s s:i s:i s:i s:i s:o s:o s:O}", "game", all->game, "games",
                             (int) all->played, "first_won", (int) all->first_won, "second_won",
                             (int) all->second_won, "both_lost", (int) all->both_lost, "entrants",
                             entrants, "forfeits", forfeits_json(all), "played", all->lines);
    (void) json_dumpf(json, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(json);
}
