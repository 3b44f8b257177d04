/* simulate_report.h: what many simulated games came to.
 *
 * The digest is a hash over every game's last chain and final state, in order of their numbers. Two
 * builds, or two machines, that play the same seeds report the same one. */
#ifndef ARBITER_SIMULATE_REPORT_H
#define ARBITER_SIMULATE_REPORT_H

#include <sodium.h>

#include "services/console/trial/playing.h"

struct simulate_report {
    const struct table      *table;
    uint64_t                 seed;
    uint64_t                 games;
    uint64_t                 cut;  /* Games that were not over after the most acts.     */
    uint64_t                 acts; /* Of all games, their starts not counted.           */
    uint64_t                 shortest, longest;
    uint64_t                 won[SEATS_MAX], drew[SEATS_MAX], lost[SEATS_MAX];
    uint64_t                 any_won; /* Games somebody won.                             */
    double                   started;
    crypto_hash_sha256_state digest;
};

void simulate_report_open(struct simulate_report *report, const struct table *table, uint64_t seed);
/* Adds a game that has ended. */
void simulate_count(struct simulate_report *report, const struct playing *playing);
/* Prints it; to be called once. */
void simulate_report_print(struct simulate_report *report, bool json);

#endif
