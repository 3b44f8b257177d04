/* worded.h: a game without a face of its own, shown by its words (vocabulary.h) and its messages.
 *
 * Its events and commands are the sentences of words.json; its view is a board of labelled values, piles, tables and
 * grids. Where a word is missing the names of the .proto stand for it, so that every game can be played. */
#ifndef ARBITER_WORDED_H
#define ARBITER_WORDED_H

#include "services/console/faces/board.h"

/* What happened. False: it is not told. */
bool     worded_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                      uint32_t count);
/* A command, whole. */
void     worded_command(const struct phrase *phrase, FILE *out, const struct command *command);
/* The same with its first argument alone, if it has several: "Take … from heap 1". */
void     worded_group(const struct phrase *phrase, FILE *out, const struct command *command);
/* The place, counted from 1, that a command chooses and nothing else; 0: it chooses no place, or more. */
uint32_t worded_place(const struct phrase *phrase, const struct command *command);
/* Why the rules refuse. False: words do not say it. */
bool     worded_refusal(const struct phrase *phrase, FILE *out, uint32_t refused);
/* The game's title. */
void     worded_title(const struct phrase *phrase, FILE *out);

/* The board, and its first line alone. */
void worded_draw(struct drawing *drawing);
void worded_draw_head(struct drawing *drawing);

#endif
