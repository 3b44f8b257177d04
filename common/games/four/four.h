/* four.h: four in a row, the smallest game with a grid.
 *
 * Two players take turns. Who is on turn drops a disc into a column that is not full; it falls on
 * what lies there. The first player with four own discs in a line wins: in a row, a column or a
 * diagonal. When the grid is full and there is no such line, the match is drawn. A player whose
 * time runs out, or whom the house removes, loses. */
#ifndef ARBITER_FOUR_H
#define ARBITER_FOUR_H

#include <stdint.h>

#include "rules/game.h"

#define FOUR_SEATS 2
#define FOUR_SIDE_LEAST 3 /* Columns or rows of a set-up,       */
#define FOUR_SIDE_MAX 12  /* at most.                           */
#define FOUR_COLUMNS 7    /* What a set-up that says nothing    */
#define FOUR_ROWS 6       /* has, and how many discs in a line  */
#define FOUR_LINE 4       /* win then.                          */
#define FOUR_CELLS_MAX (FOUR_SIDE_MAX * FOUR_SIDE_MAX)

/* Kinds, as numbered in four.proto. */
enum four_command { FOUR_DROP = 1, FOUR_COMMANDS };
enum four_event { FOUR_STARTED = 1, FOUR_TURN, FOUR_DROPPED, FOUR_OUT, FOUR_OVER, FOUR_EVENTS };
enum four_reason {
    FOUR_NOT_YOUR_TURN = 1,
    FOUR_NOT_A_MOVE,
    FOUR_NO_SUCH_COLUMN,
    FOUR_COLUMN_FULL,
    FOUR_REASONS
};

/* What the table was created with. */
struct four_setup {
    uint32_t columns;
    uint32_t rows;
    uint32_t line; /* So many discs in a line win. */
};

/* Who has won. */
enum four_winner {
    FOUR_NOBODY_YET = 0,
    FOUR_DRAWN = FOUR_SEATS + 1
}; /* Between: the seat and 1. */

/* A match. All numbers of one width, so there is no padding between them. */
struct four_state {
    uint32_t turn;   /* Whose turn it is, while nobody has won. */
    uint32_t winner; /* As above.                               */
    uint32_t dropped;
    uint32_t height[FOUR_SIDE_MAX]; /* Discs in each column.                                   */
    uint32_t cell[FOUR_CELLS_MAX];  /* row x columns + column, from the bottom: seat and 1, or 0. */
};

extern const struct game      game_four;
extern const struct foresight four_foresight;

#endif
