/* face_treasure.h: what the files of the face of the treasure hunt share. */
#ifndef ARBITER_FACE_TREASURE_H
#define ARBITER_FACE_TREASURE_H

#include "contract/treasure.pb-c.h"
#include "games/treasure/treasure.h"
#include "services/console/faces/face.h"

/* As `reads` in face.h: "GGGGGGGG GCMWWMGG ...", "up". */
enum face_reading treasure_read_line(const struct phrase *phrase, FILE *out, const char *line,
                                     struct command *command);
/* A half that a command holds, as it could be typed. */
void treasure_put_half(const struct phrase *phrase, FILE *out, const struct command *command);
/* What a half must be like, for whoever is to hand one in. */
void treasure_draw_half(struct drawing *drawing);

#endif
