/* phrase_parts.h: what the files of phrase.h share; nobody else's business.
 *
 * A sentence has places for names: {c0} is the character whose identifier is field 0. The letters:
 *     c character   l place   L place of the character in that field   k card   p player   e entrance
 *     n number   t number of times   s number with its sign   i crisis   f fate
 *     S the colony (without a field) */
#ifndef ARBITER_PHRASE_PARTS_H
#define ARBITER_PHRASE_PARTS_H

#include "games/dead/dead.h"
#include "games/dead/dead_setup.h"
#include "services/console/phrase.h"

/* A sentence in each language. */
struct saying {
    const char *in[LANGUAGES];
};

/* By kind of event; the ones that depend on their fields are below. */
extern const struct saying phrase_events[DEAD_EVENT_KINDS];
/* What is put to the line of an event of the same kind and player. */
extern const struct saying phrase_more[DEAD_EVENT_KINDS];
extern const struct saying phrase_deeds[DEAD_COMMAND_KINDS];
extern const struct saying phrase_choices[DEAD_COMMAND_KINDS];
extern const struct saying phrase_food[4]; /* By enum dead_food_reason.                           */
extern const struct saying
    phrase_moral[6]; /* By enum dead_moral_reason.                          */
extern const struct saying phrase_cards[DEAD_SWAB + 1];
extern const struct saying
    phrase_injuries[3]; /* By enum dead_injury.                             */

/* Puts a sentence with its names. Fields beyond `count` are absent. */
void        phrase_put(const struct phrase *phrase, FILE *out, const struct saying *saying,
                       const word *fields, uint32_t count);
/* A text of the set-up: TEXTS[language][group][key][part]; group and part may be NULL. */
const char *phrase_lookup(const struct phrase *phrase, const char *group, word key,
                          const char *name, const char *part);

static inline const struct dead_setup *phrase_setup(const struct phrase *phrase)
{
    return phrase->setup;
}

#endif
