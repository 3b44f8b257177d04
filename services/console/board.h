/* board.h: the board of the dead as text, from what a seat or a spectator may see.
 *
 * Pure drawing: a view, the words for it (phrase.h) and the size of the terminal go in, lines come out.
 * From 80 columns on; from 120 on the places stand at the left and the people at the right.
 *
 *     High Season   Round 2 of 6   Ada is on turn
 *     Morale 5   Food 7   Waste 3   Hunger 0   Children 2
 *     Crisis: The boiler goes out (3x Fuel, or else morale -2), given: 1
 *     Goal: 24 barricades (7 stand) within 6 rounds
 *     Spa Hotel Immergrün     1 ZZ#  2 Z..  3 ...     Finck !  Moll
 *     Bäckerei Moll       17  1 Z..  2 ...
 *     > Ada (you)    dice 3 5 6    hand: Provisions +1, Padlock
 *         Aurelio Finck ... */
#ifndef ARBITER_BOARD_H
#define ARBITER_BOARD_H

#include "services/console/board_text.h"
#include "services/console/phrase.h"

struct board_look {
    const struct phrase *phrase; /* Of the dead, with a set-up and a view.                        */
    uint32_t             columns, rows;
    bool                 coloured;
};

#define BOARD_COLUMNS_LEAST 80
#define BOARD_COLUMNS_WIDE 120

/* Puts the board, lines of at most `columns`. With few rows it leaves out what is only nice. */
void board_draw(const struct board_look *look, FILE *out);

#endif
