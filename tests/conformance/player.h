/* player.h: a random player, and commands that are almost, but not quite, what a seat may do.
 *
 * Shared by the conformance tests, the fuzzers and the benchmarks. */
#ifndef ARBITER_TESTS_PLAYER_H
#define ARBITER_TESTS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "games/registry.h"
#include "luck.h"

/* Picks a listed command: half the time any, half the time any of a random pattern, so that kinds with
 * few choices are played too. Leaving is picked seldom, or no match would be long. The list must not be
 * empty. */
void player_pick(struct luck *luck, const struct game *game, const struct legal *list,
                 struct command *command);

/* How many arguments a kind of command has in its message; a kind that is none has 0. What no
 * decoder can produce, no rule needs to refuse. */
uint32_t player_fields(const struct game_wire *wire, uint32_t kind);

/* Changes one thing in a command: a value by one or to something else, two arguments swapped, one left
 * out or added, another kind. The result may be a legal command all the same. */
void player_mutate(struct luck *luck, const struct game_wire *wire, const struct legal *list,
                   struct command *command);

#endif
