/* dead_moves_conform.h: what somebody says next in a game that is made up. */
#ifndef ARBITER_DEAD_MOVES_CONFORM_H
#define ARBITER_DEAD_MOVES_CONFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "dice/dice.h"
#include "games/dead/conform/dead_script_conform.h"
#include "games/dead/conform/dead_table_conform.h"
#include "games/dead/conform/dead_wrongs_conform.h"
#include "rules/legal.h"

#define DEAD_CLASSES 2048u
#define DEAD_STRANGERS 2u /* So many clients have no seat. */

/* How a game goes on; its lists have room for what the rules may list. */
struct dead_moves {
    struct dice          *dice;
    struct dead_refusals *refusals; /* Of all games that were made so far.            */
    struct legal          list;
    uint32_t              players; /* So many register; clients from 0 on.                        */
    uint32_t              registered;
    uint32_t wrong_in;            /* One command in so many is wrong.                            */
    uint32_t favourite;           /* A class of commands that is preferred in this game.         */
    uint32_t ends_after;          /* Then players do little but end their turns.                */
    bool     breaks_off;          /* The registration does not come to a game.                  */
    uint32_t silences;            /* So many are still to come.                                 */
    uint32_t silent_in;           /* In this phase; 0: in any.                                  */
    uint16_t taken[DEAD_CLASSES]; /* How often each class of commands was.             */
};

/* The next step, behind those of the script. */
void dead_moves_next(struct dead_moves *moves, const struct dead_inside *inside,
                     struct dead_script *script);

#endif
