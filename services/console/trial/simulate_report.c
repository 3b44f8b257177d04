/* simulate_report.c: counts simulated games, and says it to people or to machines. */
#include "services/console/trial/simulate_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "services/console/command/progress.h"

void simulate_report_open(struct simulate_report *report, const struct table *table, uint64_t seed)
{
    memset(report, 0, sizeof *report);
    report->table = table;
    report->seed = seed;
    report->shortest = UINT64_MAX;
    report->started = seconds_now();
    crypto_hash_sha256_init(&report->digest);
}

static void count_outcome(struct simulate_report *report, const struct playing *playing)
{
    int32_t outcome[SEATS_MAX] = { 0 };
    bool    won = false;
    match_outcome(playing->match, outcome);
    for (uint32_t seat = 0; seat < playing->terms.seats; seat++) {
        report->won[seat] += outcome[seat] > 0;
        report->drew[seat] += outcome[seat] == 0;
        report->lost[seat] += outcome[seat] < 0;
        won = won || outcome[seat] > 0;
    }
    report->any_won += won;
}

void simulate_count(struct simulate_report *report, const struct playing *playing)
{
    uint8_t  digest[MATCH_HASH_SIZE];
    uint64_t acts = playing->match->number - 1;
    match_digest(playing->match, digest);
    crypto_hash_sha256_update(&report->digest, playing->match->chain, MATCH_HASH_SIZE);
    crypto_hash_sha256_update(&report->digest, digest, MATCH_HASH_SIZE);
    report->games++;
    report->acts += acts;
    report->shortest = acts < report->shortest ? acts : report->shortest;
    report->longest = acts > report->longest ? acts : report->longest;
    if (playing_over(playing))
        count_outcome(report, playing);
    else
        report->cut++;
}

static void hex_of(struct simulate_report *report, char hex[2 * MATCH_HASH_SIZE + 1])
{
    uint8_t digest[MATCH_HASH_SIZE];
    crypto_hash_sha256_final(&report->digest, digest);
    sodium_bin2hex(hex, 2 * MATCH_HASH_SIZE + 1, digest, sizeof digest);
}

static void print_text(struct simulate_report *report, double seconds, const char *hex)
{
    const struct game *game = report->table->wire->game;
    double             games = (double) (report->games > 0 ? report->games : 1);
    printf("%s, rules %" PRIu32 ", %" PRIu32 " seat%s: %" PRIu64 " game%s from seed %" PRId64 "\n",
           game->name, game->version, report->table->seats, report->table->seats == 1 ? "" : "s",
           report->games, report->games == 1 ? "" : "s", (int64_t) report->seed);
    printf("commands  %" PRIu64 ", %.1f a game, %" PRIu64 " to %" PRIu64 "\n", report->acts,
           (double) report->acts / games, report->games > 0 ? report->shortest : 0,
           report->longest);
    printf("speed     %.0f commands/s in %.2f s\n", (double) report->acts / seconds, seconds);
    printf("won       %" PRIu64 " by somebody (%.1f %%), %" PRIu64 " cut\n", report->any_won,
           100 * (double) report->any_won / games, report->cut);
    for (uint32_t seat = 0; seat < report->table->seats; seat++)
        printf("seat %-4" PRIu32 " won %" PRIu64 ", drew %" PRIu64 ", lost %" PRIu64 "\n", seat,
               report->won[seat], report->drew[seat], report->lost[seat]);
    printf("digest    %s\n", hex);
}

static void print_json(struct simulate_report *report, double seconds, const char *hex)
{
    const struct game *game = report->table->wire->game;
    json_t            *seats = json_array();
    for (uint32_t seat = 0; seat < report->table->seats; seat++)
        json_array_append_new(seats,
                              json_pack("{s:I s:I s:I}", "won", (json_int_t) report->won[seat],
                                        "drew", (json_int_t) report->drew[seat], "lost",
                                        (json_int_t) report->lost[seat]));
    char seed[24]; /* In decimal, as in all our JSON: a script's number has 53 bits. */
    (void) snprintf(seed, sizeof seed, "%" PRId64, (int64_t) report->seed);
    json_t *json =
        json_pack("{s:s s:i s:i s:s s:I s:I s:I s:I s:I s:I s:f s:o s:s}", "game", game->name,
                  "rules", (int) game->version, "seats", (int) report->table->seats, "seed", seed,
                  "games", (json_int_t) report->games, "cut", (json_int_t) report->cut, "commands",
                  (json_int_t) report->acts, "shortest",
                  (json_int_t) (report->games > 0 ? report->shortest : 0), "longest",
                  (json_int_t) report->longest, "won", (json_int_t) report->any_won, "seconds",
                  seconds, "per_seat", seats, "digest", hex);
    json_dumpf(json, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(json);
}

void simulate_report_print(struct simulate_report *report, bool json)
{
    char   hex[2 * MATCH_HASH_SIZE + 1];
    double seconds = seconds_now() - report->started;
    hex_of(report, hex);
    if (json)
        print_json(report, seconds, hex);
    else
        print_text(report, seconds, hex);
}
