/* terminal.h: printing what others wrote onto a person's terminal, safely.
 *
 * A name or a text in a match file may hold escape sequences; a terminal would obey them. Control
 * characters, C0 and C1, in UTF-8 or as lone bytes, are shown as "?". So are characters that are
 * invisible or turn the direction of writing (U+202E): with them one text could pass for another.
 * Colour is used only where a terminal is. */
#ifndef ARBITER_TERMINAL_H
#define ARBITER_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_DIM, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW };

/* Whether the stream is a terminal that may be coloured (TERM is not "dumb", NO_COLOR not set). */
bool  terminal_has_colour(FILE *out);
/* How large the terminal is to which the standard output goes; 80 x 24 if it does not say. */
void  terminal_size(uint32_t *columns, uint32_t *rows);
/* Prints bytes of others; what is not to be shown (wire/utf8.h) and what is no UTF-8 become "?". */
void  terminal_put(FILE *out, const char *bytes, size_t size);
/* A stream whose lines go to another one as terminal_put puts them, each when it is whole or the stream is
 * closed. NULL: there is no memory for it. */
FILE *terminal_plain(FILE *out);
/* The same in a colour, if `coloured`. */
void  terminal_put_in(FILE *out, bool coloured, enum colour colour, const char *string);

#endif
