/* worded_grid.h: a list as a grid of cells, as words.json says; a game without a face has no other board. */
#ifndef ARBITER_WORDED_GRID_H
#define ARBITER_WORDED_GRID_H

#include "services/console/faces/board.h"
#include "services/console/faces/sentence.h"
#include "services/console/faces/vocabulary.h"

/* Which sign is whose in a grid of seats. */
void worded_grid_legend(struct drawing *drawing);
/* Draws the grid `field` of `said`. */
void worded_grid(struct drawing *drawing, struct said said, const ProtobufCFieldDescriptor *field,
                 const struct field_use *use);

#endif
