/* board_text.h: a block of text whose lines know how many columns they take.
 *
 * A terminal counts columns where C counts bytes: letters beyond ASCII take several bytes, colours take no
 * column, and some letters take two. This puts words one behind the other, wraps them, pads and cuts
 * them by columns, and can put two blocks side by side. */
#ifndef ARBITER_BOARD_TEXT_H
#define ARBITER_BOARD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "services/console/command/terminal.h"

struct board_text {
    FILE    *out;
    char    *bytes; /* What has been put; valid after board_text_end. */
    size_t   size;
    uint32_t columns; /* A line has at most so many. */
    uint32_t at;      /* So many are taken in the line at hand. */
    uint32_t indent;  /* Where a wrapped line begins. */
    uint32_t lines;   /* Whole ones. */
    bool     coloured;
};

/* False: no memory. */
bool board_text_begin(struct board_text *text, uint32_t columns, bool coloured);
/* Closes the text: `bytes` is a string now, to be freed with board_text_free. */
void board_text_end(struct board_text *text);
void board_text_free(struct board_text *text);

/* Columns that these bytes take: valid UTF-8 without control characters but our own colours. */
uint32_t board_text_width(const char *bytes, size_t size);

/* Puts a string that wraps as a whole: in the next line, if this one has no room for it. */
void board_text_put(struct board_text *text, enum colour colour, const char *string);
/* Puts a string's words, wrapped between them. */
void board_text_words(struct board_text *text, enum colour colour, const char *string);
/* Puts a string, cut or filled up to so many columns. */
void board_text_cell(struct board_text *text, enum colour colour, const char *string,
                     uint32_t columns);
void board_text_line(struct board_text *text);

/* Puts both texts, which have ended, side by side, the right one from this column on. */
void board_text_join(struct board_text *text, const struct board_text *left,
                     const struct board_text *right, uint32_t column);

#endif
