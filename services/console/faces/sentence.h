/* sentence.h: a sentence from a game's words, with the fields of a message put in.
 *
 *     "{seat} takes {count} from heap {heap}."   {"seat":0,"heap":0,"count":2}   "Ada takes 2 from heap 1."
 *
 * common/games/README.md says what becomes of each sign and of each kind of field. JSON null stands for a value
 * that is still to be chosen, and is shown as three dots. */
#ifndef ARBITER_SENTENCE_H
#define ARBITER_SENTENCE_H

#include <jansson.h>

#include "services/console/faces/phrase.h"

/* What a message says: its type and its fields as JSON (tree.h). */
struct said {
    const ProtobufCMessageDescriptor *message;
    const json_t                     *fields;
};

void sentence_put(const struct phrase *phrase, FILE *out, const char *sentence, struct said said);
/* The same where words have no sentence: "take heap 1 count 2". */
void sentence_put_plain(const struct phrase *phrase, FILE *out, const char *kind, struct said said);

/* The text of a field's value, or of one element of its list. */
void  sentence_value(const struct phrase *phrase, FILE *out, const ProtobufCFieldDescriptor *field,
                     const json_t *value);
/* The same as a string to be freed. */
char *sentence_text(const struct phrase *phrase, const ProtobufCFieldDescriptor *field,
                    const json_t *value);
/* The field's label, or its name. */
void  sentence_label(const struct phrase *phrase, FILE *out, const char *field);

#endif
