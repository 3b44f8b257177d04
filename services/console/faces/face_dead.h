/* face_dead.h: what the files of the dead's face share; nobody else's business.
 *
 * Its sentences have, besides the places that phrase.h knows:
 *     {c0} character   {l0} place   {L0} place of the character in that field   {k0} card
 *     {i0} crisis   {f0} fate   {S} the colony */
#ifndef ARBITER_FACE_DEAD_H
#define ARBITER_FACE_DEAD_H

#include "contract/dead.pb-c.h"
#include "games/dead/dead.h"
#include "games/dead/dead_setup.h"
#include "services/console/faces/board.h"
#include "services/console/faces/phrase.h"

/* By kind of event; the ones that depend on their fields are in face_dead.c. */
extern const struct saying dead_event_words[DEAD_EVENT_KINDS];
/* What is put to the line of an event of the same kind and player. */
extern const struct saying dead_more_words[DEAD_EVENT_KINDS];
extern const struct saying dead_deed_words[DEAD_COMMAND_KINDS];
extern const struct saying dead_choice_words[DEAD_COMMAND_KINDS];
extern const struct saying dead_food_words[4];  /* By enum dead_food_reason.                      */
extern const struct saying dead_moral_words[6]; /* By enum dead_moral_reason.                     */
extern const struct saying dead_card_words[DEAD_SWAB + 1];
extern const struct saying dead_injury_words[3]; /* By enum dead_injury.                          */

static inline const struct dead_setup *dead_setup_of(const struct phrase *phrase)
{
    return phrase->setup;
}

static inline const Arbiter__Dead__View *dead_seen(const struct phrase *phrase)
{
    return phrase->view;
}

/* Names and figures. */
void dead_put_place(const struct phrase *phrase, FILE *out, word location);
void dead_put_character(const struct phrase *phrase, FILE *out, word character);
/* What the character is good at, in a few words. */
void dead_put_skill(const struct phrase *phrase, FILE *out, word character);
void dead_put_card(const struct phrase *phrase, FILE *out, word card);
/* Its title, what it asks for and what it costs. */
void dead_put_crisis(const struct phrase *phrase, FILE *out, word crisis);
void dead_put_fate(const struct phrase *phrase, FILE *out, word fate);
/* Puts what a place of a sentence stands for. */
void dead_put_field(const struct phrase *phrase, FILE *out, char letter, word value);

void dead_draw(struct drawing *drawing);
void dead_draw_head(struct drawing *drawing);

#endif
