/* worded.c: events, commands and refusals of a game without a face, as sentences. */
#include "services/console/faces/worded.h"

#include "services/console/faces/sentence.h"
#include "services/console/faces/tree.h"
#include "services/console/faces/vocabulary.h"

/* "" says that it is not told. */
static bool put_said(const struct phrase *phrase, FILE *out, const char *group, const char *kind,
                     struct said said)
{
    const char *sentence = vocabulary_word(phrase, group, kind);
    if (sentence == NULL)
        sentence_put_plain(phrase, out, kind, said);
    else
        sentence_put(phrase, out, sentence, said);
    return sentence == NULL || sentence[0] != '\0';
}

bool worded_event(const struct phrase *phrase, FILE *out, uint32_t kind, const word *fields,
                  uint32_t count)
{
    const ProtobufCFieldDescriptor *of =
        phrase->wire != NULL ? tree_kind(phrase->wire->event, kind) : NULL;
    if (of == NULL)
        return false;
    json_t *tree = tree_of_words(of->descriptor, fields, count);
    bool is_told = put_said(phrase, out, "events", of->name, (struct said){ of->descriptor, tree });
    json_decref(tree);
    return is_told;
}

/* All values behind the first one are left open. */
static void open_all_but_first(const ProtobufCMessageDescriptor *message, json_t *tree)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < message->n_fields; i++) {
        const char *name = message->fields[i].name;
        if (json_object_get(tree, name) != NULL && set++ > 0)
            json_object_set_new_nocheck(tree, name, json_null());
    }
}

static void put_command(const struct phrase *phrase, FILE *out, const struct command *command,
                        bool is_group)
{
    const ProtobufCFieldDescriptor *of =
        phrase->wire != NULL ? tree_kind(phrase->wire->command, command->kind) : NULL;
    if (of == NULL)
        return;
    json_t *tree = tree_of_command(of->descriptor, command);
    if (is_group)
        open_all_but_first(of->descriptor, tree);
    (void) put_said(phrase, out, "commands", of->name, (struct said){ of->descriptor, tree });
    json_decref(tree);
}

void worded_command(const struct phrase *phrase, FILE *out, const struct command *command)
{
    put_command(phrase, out, command, false);
}

void worded_group(const struct phrase *phrase, FILE *out, const struct command *command)
{
    put_command(phrase, out, command, true);
}

uint32_t worded_place(const struct phrase *phrase, const struct command *command)
{
    const ProtobufCFieldDescriptor   *of = tree_kind(phrase->wire->command, command->kind);
    const ProtobufCMessageDescriptor *message = of != NULL ? of->descriptor : NULL;
    json_t     *tree = message != NULL ? tree_of_command(message, command) : NULL;
    json_int_t  place = -1;
    const char *name;
    json_t     *value;
    json_object_foreach(tree, name, value) if (vocabulary_field(phrase, name).kind == FIELD_PLACE)
        place = json_integer_value(value);
    bool is_one = json_object_size(tree) == 1 && place >= 0 && place < UINT16_MAX;
    json_decref(tree);
    return is_one ? (uint32_t) place + 1 : 0;
}

bool worded_refusal(const struct phrase *phrase, FILE *out, uint32_t refused)
{
    const struct game *game = phrase->wire != NULL ? phrase->wire->game : NULL;
    if (game == NULL || refused == ACCEPTED || refused >= game->reason_kinds)
        return false;
    /* Where one code has several sentences, words go by the English one. */
    const char *sentence = vocabulary_word(phrase, "refusals", game->reasons[refused].sentence);
    if (sentence == NULL)
        sentence = vocabulary_word(phrase, "refusals", game->reasons[refused].name);
    if (sentence != NULL)
        phrase_text(phrase, out, sentence);
    return sentence != NULL;
}

void worded_title(const struct phrase *phrase, FILE *out)
{
    const char *title = vocabulary_word(phrase, NULL, "title");
    phrase_text(phrase, out, title != NULL ? title : phrase->wire->game->name);
}
