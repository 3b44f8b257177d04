/* play_menu.h: what may be done, as a numbered menu: rows of deeds, each with what it may be done to.
 *
 * The engine's list stands for hundreds of commands. Commands whose first part reads the same are
 * one row. Commands that read the same altogether are one choice. So a person never has to choose
 * between two cards that are alike.
 *
 * Rows are numbered from 1. If each chooses a place and no more, it has that place's number: column 3 stays 3
 * when column 2 is full. */
#ifndef ARBITER_PLAY_MENU_H
#define ARBITER_PLAY_MENU_H

#include "rules/game.h"
#include "rules/legal.h"
#include "services/console/faces/phrase.h"

/* Of a longer list, the first so many. */
#define MENU_COMMANDS_MAX 16384
/* So few sentences of a game without a face stand in rows of their own. */
#define MENU_FLAT_MAX 20

struct menu_choice {
    struct command command;
    char          *words; /* What it is done to; "" if there is nothing to say. */
};

struct menu_row {
    char               *deed;
    uint32_t            number; /* That is typed for it. */
    struct menu_choice *choices;
    uint32_t            count;
    uint32_t            kind;
    bool                is_last; /* Belongs at the end: ends the turn, or gives up. */
};

struct menu {
    struct menu_row *rows;
    uint32_t         count;
    bool             is_cut;
    bool             is_whole; /* A choice says all, and its row what they have in common ... */
    bool             is_flat;  /* ... or each has a row of its own.                           */
    bool     is_asked; /* A row was chosen, `row`, or is the only one, and a choice is awaited. */
    uint32_t row;
};

void menu_fill(struct menu *menu, const struct phrase *phrase, const struct legal *list);
void menu_clear(struct menu *menu);
/* Prints the rows, or the choices of the row that was chosen. */
void menu_put(const struct menu *menu, const struct phrase *phrase, FILE *out);

enum menu_answer { MENU_NONSENSE, MENU_ASKS, MENU_PLAYS };
/* What somebody typed: "3", or "3 2" for the second choice of the third row, or 0 for one step back.
 * MENU_ASKS: print the menu again; MENU_PLAYS: here is the command. */
enum menu_answer menu_take(struct menu *menu, const char *line, struct command *command);
/* The same for a key that never changes, whatever the numbers are: "e" ends the turn, "l" leaves the match.
 * MENU_NONSENSE: there is no such thing to do now. */
enum menu_answer menu_take_key(struct menu *menu, const struct game *game, const char *line,
                               struct command *command);
bool             menu_is_key(const char *line);

#endif
