/* referee.h: plays one random match of any game and holds the game to everything game.h promises.
 *
 * Each match is played on two *sides* at once, home and its twin, whose blocks lie at other addresses
 * and whose unused memory holds other junk. On the way, again and again, the referee tries every
 * kind of listed command on a copy, and commands that are almost listed. It looks from every seat,
 * flips what is hidden, takes moves back and plays them again. The first broken promise ends the
 * match. */
#ifndef ARBITER_TESTS_REFEREE_H
#define ARBITER_TESTS_REFEREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/registry.h"
#include "tables.h"

#define SENTENCE_MAX 400

/* What to play. */
struct fixture {
    const struct game_wire *wire; /* Perhaps not the table's: a broken copy of it, in a test.     */
    const struct table     *table;
    uint32_t                seats;
    uint64_t                seed;
    uint64_t commands_max; /* Stops there, if the game names no end itself.         */
    FILE    *trace;        /* Every command is printed here; NULL: none is.         */
};

/* How it went. */
struct report {
    uint64_t commands; /* Acts of the match, expiries and leaves included.       */
    uint64_t tried;    /* Commands tried on copies.                              */
    bool     ended;
    char     broken[SENTENCE_MAX]; /* The promise that was broken; empty: none.              */
};

/* True if every promise was kept. */
bool referee_match(const struct fixture *fixture, struct report *report);

/* The command now at work, for a handler of aborts: an assertion in the rules ends the program. */
extern volatile uint64_t referee_command;

#endif
