/* search.h: a player that thinks ahead, in any game whose rules can be guessed back from a view.
 *
 * It is a Monte Carlo tree search over information sets. It goes through many futures. Each begins
 * with a guess: a state that agrees with all that the seat was shown (rules/foresight.h). There it
 * follows the commands that did best so far, adds one that is new, and plays on by rule of thumb.
 * How this ends is counted for every command on the way, for each seat what it is worth to that seat.
 *
 *     guess --> known commands, the promising ones first --> a new one --> on to the end, or an estimate
 *       ^                                                                          |
 *       +--------------------------- what it was worth, for each seat <-----------+
 *
 * It is never shown a true state: what is handed in are the words of a View, and notes. So it runs
 * wherever views arrive. It can be asked for its best command at any time. Its memory is handed in
 * once, and nothing is allocated. There are no fractions, no clock and no entropy in it: the same
 * view, seed and number of nodes give the same command on every machine. */
#ifndef ARBITER_SEARCH_H
#define ARBITER_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dice/dice.h"
#include "rules/foresight.h"
#include "rules/game.h"

#define SEARCH_NODES_MAX 1000000 /* In one tree; 88 bytes each.                            */
#define SEARCH_DEPTH_MAX 128     /* Commands of one future that are counted in the tree.   */
#define SEARCH_LOOKS_MAX 64      /* Of a long list so many are judged, evenly spread.      */

/* A command that was tried behind another one; node 0 is the present. */
struct search_node {
    uint32_t first;  /* The newest that was tried behind it; 0: none.              */
    uint32_t next;   /* The one before it behind the same; 0: it was the first.    */
    uint32_t visits; /* Futures that went through here.                            */
    uint32_t seat;   /* Who gives this command.                                    */
    uint64_t worth;  /* To that seat, the sum over these futures.                  */
    uint32_t liked;  /* 1: none was judged better where it was tried first.        */
    uint32_t kind;
    word     arg[COMMAND_ARGS_MAX];
};

/* Memory is asked for by these sizes; all else is the search's own business. */
struct search {
    const struct game  *game;
    const void         *setup;
    uint32_t            seats;
    struct bounds       bounds;
    struct known        known; /* Copied: view and notes lie in its memory.                 */
    word               *view, *notes;
    word               *shown; /* A view of a guessed match. */
    struct dice         dice;
    void               *state, *opinion;
    struct legal        list;
    uint64_t            usual; /* So many of its commands neither give up nor take back.   */
    uint8_t            *text;  /* For commands that the rules propose.                      */
    struct search_node *node;
    uint32_t            nodes, nodes_most;
    uint32_t            futures; /* Gone through.                                           */
    uint32_t            depth;   /* Of the future at work, and its nodes.                   */
    uint32_t            path[SEARCH_DEPTH_MAX];
    bool                is_settled; /* Nothing more is learned: the tree stays as it is. */
    uint32_t worth[SEATS_MAX];      /* What it was worth to each seat: 0 to twice ESTIMATE_MOST. */
};

/* Memory for a tree of so many nodes in matches of this set-up; to be aligned for a uint64_t. */
size_t search_bytes(const struct game *game, const void *setup, uint32_t seats, uint32_t nodes);
/* Lays it out. The set-up has to stay; the game offers foresight. */
void search_init(struct search *search, const struct game *game, const void *setup, uint32_t seats,
                 uint32_t nodes, void *memory);

/* Begins anew with what a seat knows now, which is copied. False: there is nothing to think about,
 * because the seat has no listed command to choose. */
bool search_begin(struct search *search, const struct known *known, uint64_t seed);
/* Goes through so many more futures. In two calls they are the same as in one. */
void search_think(struct search *search, uint32_t futures);
/* Begins anew for who only looks on: whoever's turn it is, and also when the match is over. False: there
 * is no guess now. Then only search_try goes on. */
bool search_look(struct search *search, const struct known *known, uint64_t seed);
/* In futures of a settled search nothing is tried out: in the tree all seats give the commands that did best so
 * far, and nothing is learned. So the mean of such futures is what good play is worth. */
void search_settle(struct search *search, bool is_settled);
/* Goes through one future, which begins with this command of this seat (NULL: with any). What it was worth
 * stands in `worth`. False: this time the guess did not allow the command, or there was none. */
bool search_try(struct search *search, uint32_t seat, const struct command *first);
/* The command that did best so far. Before any thought it is the one that is judged best. */
void search_best(struct search *search, struct command *best);

/* How good a command that was tried looks for the seat that thinks, for hints and analysis. */
struct search_choice {
    struct command command;
    uint32_t       visits;
    int32_t        worth; /* -ESTIMATE_MOST to ESTIMATE_MOST.                              */
};
/* The k-th command that was tried, in no order; false: there are no more. */
bool search_choice(const struct search *search, uint32_t k, struct search_choice *choice);

#endif
