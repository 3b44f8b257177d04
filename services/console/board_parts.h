/* board_parts.h: what the files of board.h share; nobody else's business. */
#ifndef ARBITER_BOARD_PARTS_H
#define ARBITER_BOARD_PARTS_H

#include "games/dead/dead_setup.h"
#include "services/console/board.h"

/* A board in the making. */
struct drawing {
    const struct board_look   *look;
    const struct phrase       *phrase;
    const Arbiter__Dead__View *view;
    const struct dead_setup   *setup;
    struct board_text          text;
    bool                       is_roomy; /* There are rows for what is only nice. */
};

/* What a function of phrase.h puts, as a string to be freed. */
char *board_string(const struct drawing *drawing, void (*put)(const struct phrase *, FILE *, word),
                   word                  value);
/* Puts what such a function puts, wrapped as a whole. */
void  board_name(struct drawing *drawing, enum colour                   colour,
                 void (*put)(const struct phrase *, FILE *, word), word value);
/* Puts a sentence of our own, by language, wrapped between words. */
void  board_say(struct drawing *drawing, enum colour colour, const char *english,
                const char *german);
/* " 7" behind what it counts. */
void  board_number(struct drawing *drawing, enum colour colour, int64_t number);
/* Wounds and frostbites as marks, in the colour of blood. */
void  board_injuries(struct drawing *drawing, const Arbiter__Dead__View__Survivor *survivor);

/* The parts, from top to bottom. */
void board_head(struct drawing *drawing);
void board_offer(struct drawing *drawing);
void board_places(struct drawing *drawing);
void board_seats(struct drawing *drawing);

#endif
