/* pairing.c: see pairing.h. */
#include "services/console/tournament/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "services/console/command/interrupt.h"
#include "services/console/tournament/pairing_parts.h"

static void *memory_of(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void forfeit(struct pairing *pairing, uint32_t entrant, const char *why)
{
    pairing->result->failed = (int32_t) entrant;
    pairing->result->why = why;
    pairing->result->score = entrant == 0 ? -1 : 1;
}

/* What the contestant in this seat wants to do; false: it forfeits, and why. */
static bool choose(struct pairing *pairing, uint32_t *seat, struct command *command,
                   const char **why)
{
    uint32_t who = pairing_entrant(pairing, *seat);
    *why = "refused";
    if (pairing->entrants[who]->door == CONTESTANT_BOT)
        return playing_pick(&pairing->playing, &pairing->policy[who],
                            &pairing->entrants[who]->policy, *seat, command);
    return pairing_ask(pairing, seat, command, why);
}

/* So often a program may say in vain what the rules refuse, at one turn. */
#define REFUSALS_MAX 100u

/* One act; false: somebody forfeits. */
static bool act(struct pairing *pairing)
{
    struct playing *playing = &pairing->playing;
    struct command  command;
    const char     *why;
    uint32_t        refusals = 0, seat = (uint32_t) __builtin_ctz(match_to_act(playing->match));
    while (choose(pairing, &seat, &command, &why)) {
        verdict said = match_play(playing->match, seat, &command, &playing->room, &playing->act);
        if (said == ACCEPTED) {
            playing_hear(playing);
            pairing_put_trace(pairing);
            pairing_tell(pairing);
            return true;
        }
        why = "refused";
        if (++refusals > REFUSALS_MAX || !pairing_refuse(pairing, seat, said))
            break;
    }
    if (!interrupted()) {
        forfeit(pairing, pairing_entrant(pairing, seat), why);
        contestant_last_words(&pairing->seat[seat].run, pairing->result->said);
    }
    return false;
}

static void open_bout(struct pairing *pairing, uint64_t seed)
{
    const struct playing_rules rules = {
        .seat_policy = { pairing->entrants[0]->policy, pairing->entrants[1]->policy },
        .seat_policies = 2, /* For the room they need. */
        .most = pairing->terms->most,
        .dice = pairing->terms->table->wire->game->open_dice,
        .flags = pairing->terms->matches != NULL ? MATCH_CHAINED | MATCH_SEALED : MATCH_WORDS
    };
    playing_open(&pairing->playing, pairing->terms->table, &rules);
    playing_begin(&pairing->playing, seed);
    pairing_open_trace(pairing);
    pairing->bytes = memory_of(PAIRING_MESSAGE_BYTES);
    arena_init(&pairing->arena, memory_of(PAIRING_MESSAGE_BYTES), PAIRING_MESSAGE_BYTES);
    for (uint32_t i = 0; i < 2; i++) {
        pairing->memory[i] = memory_of(policy_bytes(&pairing->playing.terms));
        policy_init(&pairing->policy[i], pairing->entrants[i]->policy.kind, 1000, 2 * seed + i,
                    &pairing->playing.terms, pairing->memory[i]);
    }
    for (uint32_t seat = 0;
         seat < pairing->terms->table->seats && pairing->result->no_start == NULL; seat++)
        pairing_open_seat(pairing, seat);
    if (pairing->result->no_start == NULL)
        pairing_tell(pairing); /* How it begins. */
}

/* Seats of one entrant stand together: the mean of their outcomes counts. */
static void count_score(struct pairing *pairing)
{
    int32_t outcome[SEATS_MAX] = { 0 }, sum[2] = { 0, 0 }, seats[2] = { 0, 0 };
    if (match_to_act(pairing->playing.match) != 0 || pairing->result->failed >= 0)
        return;
    match_outcome(pairing->playing.match, outcome);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        sum[pairing_entrant(pairing, seat)] += outcome[seat];
        seats[pairing_entrant(pairing, seat)]++;
    }
    int32_t more = sum[0] * seats[1] - sum[1] * seats[0];
    pairing->result->score = (more > 0) - (more < 0);
    pairing->result->both_lost = more == 0 && sum[0] < 0 && sum[1] < 0;
}

/* A program that has ended before it was heard would have forfeited, too. */
#define LOOK_MS 200u

static bool is_broken(struct pairing *pairing, uint32_t entrant)
{
    uint64_t begun_ms = clock_ms();
    bool     is_gone = false;
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        struct contestant_run *run = &pairing->seat[seat].run;
        if (pairing_entrant(pairing, seat) != entrant || run->pid <= 0 || run->has_answered)
            continue;
        while (!(is_gone = is_gone || contestant_is_gone(run)) && clock_ms() - begun_ms < LOOK_MS)
            small_http_wait(NULL, 0, 5);
    }
    return is_gone;
}

static void count_silence(struct pairing *pairing)
{
    struct pairing_result *result = pairing->result;
    for (uint32_t i = 0; i < 2; i++)
        result->was_silent[i] = pairing->entrants[i]->door != CONTESTANT_BOT;
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        if (pairing->seat[seat].run.has_answered)
            result->was_silent[pairing_entrant(pairing, seat)] = false;
    if (result->failed < 0 || result->no_start != NULL)
        return;
    uint32_t winner = result->failed == 0 ? 1 : 0;
    if (result->was_silent[winner] && is_broken(pairing, winner)) {
        result->both_lost = true;
        result->score = 0;
    }
}

static void close_bout(struct pairing *pairing)
{
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++) {
        uint32_t who = pairing_entrant(pairing, seat);
        uint64_t slowest_ms = pairing_slowest_ms(&pairing->seat[seat]);
        if (slowest_ms > pairing->result->slowest_ms[who])
            pairing->result->slowest_ms[who] = slowest_ms;
    }
    pairing_close_seats(pairing);
    for (uint32_t i = 0; i < 2; i++)
        free(pairing->memory[i]);
    free(pairing->arena.bytes);
    free(pairing->bytes);
    playing_close(&pairing->playing);
}

bool pairing_play(const struct pairing_terms *terms, const struct contestant *const entrants[2],
                  uint64_t seed, bool swapped, struct pairing_result *result)
{
    struct pairing pairing = {
        .terms = terms, .entrants = entrants, .result = result, .swapped = swapped
    };
    bool goes_on = true;
    *result = (struct pairing_result){ .failed = -1 };
    open_bout(&pairing, seed);
    while (goes_on && result->no_start == NULL && !interrupted() &&
           match_to_act(pairing.playing.match) != 0 && pairing.playing.match->number < terms->most)
        goes_on = act(&pairing);
    result->acts = pairing.playing.match->number;
    count_score(&pairing);
    count_silence(&pairing);
    pairing_close_trace(&pairing);
    close_bout(&pairing);
    return result->no_start == NULL && !interrupted();
}
