/* vocabulary.h: a game's words.json: what its fields hold, and what its kinds and values are called.
 *
 * common/games/README.md has the format. The files are compiled in, so words and rules are always of one build.
 * A word that the reader's language lacks is looked for in English. */
#ifndef ARBITER_VOCABULARY_H
#define ARBITER_VOCABULARY_H

#include <jansson.h>

#include "services/console/faces/phrase.h"

enum field_kind {
    FIELD_NUMBER, /* As it is; also an amount, which only a page has a use for.             */
    FIELD_SEAT,
    FIELD_TURN,
    FIELD_WINNERS,
    FIELD_IN,    /* Seats that are still in.                                                */
    FIELD_PLACE, /* A place, a row or a column: people count from 1.                        */
    FIELD_PILES,
    FIELD_PER_SEAT,
    FIELD_GRID,
    FIELD_HIDDEN,
};

struct field_use {
    enum field_kind kind;
    const char     *of;         /* PLACE: "place", "column" or "row" of ...                       */
    const char     *list;       /* ... this list or grid; NULL: of none in particular.            */
    uint32_t        columns;    /* GRID; 0: each string is a row.                                 */
    const char     *columns_by; /* GRID: the field beside it that says how many; NULL: `columns`. */
    bool            of_seats;   /* GRID: its numbers are seats.                                   */
};

/* What a field of this name holds. */
struct field_use vocabulary_field(const struct phrase *phrase, const char *name);
/* Whether some field chooses a place, column or row (`of`) of this list. */
bool             vocabulary_chooses(const struct phrase *phrase, const char *of, const char *list);

/* A word of a group: "commands", "events", "fields", "refusals"; with group NULL "title" or "about". NULL:
 * there is none, in no language. */
const char   *vocabulary_word(const struct phrase *phrase, const char *group, const char *key);
/* What stands for this value of a field; NULL: nothing does. */
const char   *vocabulary_value(const struct phrase *phrase, const char *field, const char *value);
/* The rules, a list of paragraphs; NULL: there are none. */
const json_t *vocabulary_rules(const struct phrase *phrase);
/* The set-up that is played if nobody names one; NULL: the words name none. */
const char   *vocabulary_play_now(const char *game);

#endif
