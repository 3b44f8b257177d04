/* board.h: the board of a game as text, from what a seat or a spectator may see.
 *
 * Pure drawing: a view, the words for it (phrase.h) and the size of the terminal go in, lines come out.
 * From 80 columns on; from 120 on there is room for two things side by side. What stands where is the
 * game's own business (`draw` in face.h); this is what all boards are made with. */
#ifndef ARBITER_BOARD_H
#define ARBITER_BOARD_H

#include "services/console/faces/board_text.h"
#include "services/console/faces/phrase.h"

#define BOARD_COLUMNS_LEAST 80
#define BOARD_COLUMNS_NARROW 40 /* Of a board that is made from words. */
#define BOARD_COLUMNS_WIDE 120

struct board_look {
    const struct phrase *phrase; /* Of a game with a board, with a set-up and a view.             */
    uint32_t             columns, rows;
    bool                 coloured;
    bool terse; /* Rows are dear: what one can do without for a moment is left out.  */
    bool whole; /* Nothing is left out, however many rows that takes. */
};

/* A board in the making. */
struct drawing {
    const struct board_look *look;
    const struct phrase     *phrase;
    struct board_text        text;
    bool is_wide;  /* There are columns for two things side by side.                        */
    bool is_roomy; /* There are rows for what is only nice.                                 */
    bool is_terse; /* There are too few even for what is more than nice.                    */
};

/* Whether there is a board to be drawn. */
bool board_exists(const struct phrase *phrase);
/* Puts the board, lines of at most `columns`. With few rows it leaves out what is only nice. */
void board_draw(const struct board_look *look, FILE *out);
/* Its first lines alone, those that must never be out of sight; nothing of a board that has none. */
void board_draw_head(const struct board_look *look, FILE *out);

/* What a function like those of phrase.h puts, as a string to be freed. */
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
/* Who sits there; "(you)" behind the reader's own name. For board_name. */
void  board_seat(const struct phrase *phrase, FILE *out, word seat);
void  board_player(const struct phrase *phrase, FILE *out, word seat);

#endif
