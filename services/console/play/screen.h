/* screen.h: how a board and a menu share the rows of a terminal, so that whoever is asked sees both. Pure.
 *
 * They stand one below the other if they fit. If they do not, the menu's rows stand two or three in
 * a line. The board leaves out what a person can do without for a moment. If even that is too much,
 * the board leaves over the upper edge, where one can scroll to it. Its head is then repeated right
 * above the menu. A menu longer than the screen comes in pages. */
#ifndef ARBITER_SCREEN_H
#define ARBITER_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Strings of whole lines. */
struct screen {
    const char *board, *terse; /* The board, and the same in fewer lines.                         */
    const char *head;          /* What must never be out of sight; "": nothing.                   */
    const char *clock;         /* Between board and menu; "": nothing.                            */
    const char *menu;          /* Lines that begin with a blank may stand side by side.           */
    const char *more;          /* What stands below a page of a menu: a word for the next one.    */
    uint32_t    columns, rows; /* Of the terminal; rows 0: it is none, and everything fits.       */
    uint32_t    prompt;        /* Rows that are put below.                                        */
    uint32_t    page;          /* Of a menu that needs several, counted round.                    */
};

/* Puts it. True: there is another page. */
bool screen_put(const struct screen *screen, FILE *out);

#endif
