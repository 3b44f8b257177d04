/* face_objectron.h: what the files of objectron's face share. */
#ifndef ARBITER_FACE_OBJECTRON_H
#define ARBITER_FACE_OBJECTRON_H

#include "contract/objectron.pb-c.h"
#include "games/objectron/objectron_setup.h"
#include "services/console/faces/board.h"
#include "services/console/faces/phrase.h"

/* The newest view; NULL: none. */
static inline const Arbiter__Objectron__View *objectron_seen(const struct phrase *phrase)
{
    return phrase->view;
}

/* A direction in a word, 1 (north) to 8, clockwise. */
void objectron_put_direction(const struct phrase *phrase, FILE *out, word direction);
/* An item of a kind: "a grenade". */
void objectron_put_kind(const struct phrase *phrase, FILE *out, word kind);
/* An item by its id, as far as it is seen; a flag with its owner. */
void objectron_put_item(const struct phrase *phrase, FILE *out, word id);

/* face_objectron_board.c */
/* All that shares a square, since the grid shows one thing on each; and all squares without power. */
void objectron_put_shared(struct drawing *drawing);
void objectron_put_dark(struct drawing *drawing);
void objectron_draw_board(struct drawing *drawing);

#endif
