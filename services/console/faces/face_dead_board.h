/* face_dead_board.h: the parts of the dead's board; the business of its two files alone.
 *
 *     High Season   Round 2 of 6   Ada is on turn
 *     Morale 5   Food 7   Waste 3   Hunger 0   Children 2
 *     Crisis: The boiler goes out (3x Fuel, or else morale -2), given: 1
 *     Goal: 24 barricades (7 stand) within 6 rounds
 *     Spa Hotel Immergrün     1 ZZ#  2 Z..  3 ...     Finck !  Moll
 *     Bäckerei Moll       17  1 Z..  2 ...
 *     > Ada (you)    dice 3 5 6    hand: Provisions +1, Padlock
 *         Aurelio Finck ... */
#ifndef ARBITER_FACE_DEAD_BOARD_H
#define ARBITER_FACE_DEAD_BOARD_H

#include "services/console/faces/board.h"
#include "services/console/faces/face_dead.h"

/* Wounds and frostbites as marks, in the colour of blood. */
void board_injuries(struct drawing *drawing, const Arbiter__Dead__View__Survivor *survivor);

/* The parts, from top to bottom. */
void board_offer(struct drawing *drawing);
void board_places(struct drawing *drawing);
void board_seats(struct drawing *drawing);

#endif
