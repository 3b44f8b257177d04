/* face_quests.h: what the files of the face of quests, and the hot seat, share.
 *
 * Its sentences have, besides the places that phrase.h knows:
 *     {c0} so many cards   {h0} so many shields   {E0} event card   {d0} deck */
#ifndef ARBITER_FACE_QUESTS_H
#define ARBITER_FACE_QUESTS_H

#include "contract/quests.pb-c.h"
#include "games/quests/quests.h"
#include "services/console/faces/board.h"
#include "services/console/faces/phrase.h"

/* How events are told: to a person who sees a board, or at the hot seat. The hot seat has only
 * these lines, and they are fixed word by word. */
enum quests_telling { QUESTS_BESIDE_BOARD, QUESTS_AT_HOT_SEAT };

/* What happened, told to the reader of the phrase; false: it is not worth a line. A stage's end takes
 * several lines, with a line feed between them. */
bool quests_tell(const struct phrase *phrase, FILE *out, enum quests_telling telling, uint32_t kind,
                 const word *fields);

/* "F5", and "no cards" if there are none. */
void quests_put_card(const struct phrase *phrase, FILE *out, word card);
void quests_put_cards(const struct phrase *phrase, FILE *out, const word *cards, uint32_t count);
/* "Q4", "Queen's favor". */
void quests_put_event_card(const struct phrase *phrase, FILE *out, word card);
/* The places of our own. */
void quests_put_field(const struct phrase *phrase, FILE *out, char letter, word value);

static inline const Arbiter__Quests__View *quests_seen(const struct phrase *phrase)
{
    return phrase->view;
}

/* How many cards who is asked must still discard; 0: none. */
word quests_to_discard(const struct phrase *phrase);
void quests_draw_board(struct drawing *drawing);

#endif
