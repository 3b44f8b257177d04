/* policy.h: players that need no head: for simulation, benchmarks and the tests of all games.
 *
 * A policy sees what `legal` lists for a seat, and picks. `random` picks evenly among the commands;
 * `greedy` plays the one the game's `judge` likes best, and the first drawn among equals. Their
 * dice are their own, never the match's: a player must not change what the match's dice say. */
#ifndef ARBITER_MATCH_POLICY_H
#define ARBITER_MATCH_POLICY_H

#include "match/match.h"
#include "search/skill.h"

/* A greedy player who is offered more looks at so many of them, evenly spread. */
#define POLICY_LOOKS_MAX 4096

enum policy_kind { POLICY_RANDOM, POLICY_GREEDY, POLICY_SEARCH };

/* How somebody plays: "random", "greedy", or what search/skill.h reads. */
struct policy_choice {
    enum policy_kind kind;
    struct level     skill; /* Of a search (match/thinker.h). */
};

/* False: this is no name of a player of this game. */
bool policy_read(const char *name, size_t size, const struct game *game,
                 struct policy_choice *choice);

struct policy {
    enum policy_kind           kind;
    /* Commands of kinds that are COMMAND_SELDOM are left out of the usual draw. They are drawn once
     * in so many commands; 0: only where there is nothing else. Without this a random game of the
     * dead would be over in a few moves. */
    uint32_t                   seldom_one_in;
    const struct command_kind *commands;
    struct dice                dice;
    struct legal               list;
    uint8_t                   *text;
};

/* Memory for the list and for texts, after the terms' bounds. */
size_t policy_bytes(const struct match_terms *terms);
void   policy_init(struct policy *policy, enum policy_kind kind, uint32_t seldom_one_in,
                   uint64_t seed, const struct match_terms *terms, void *memory);

/* Picks a command for a seat that is to act; false if there is none to pick. The list stays in
 * `policy->list`. */
bool policy_pick(struct policy *policy, const struct match *match, uint32_t seat,
                 struct command *command);

/* One of the seats in the mask, evenly. */
uint32_t policy_seat(struct policy *policy, seat_mask to_act);

#endif
