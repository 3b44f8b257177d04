/* sentence.c: reads a sentence sign by sign, and turns values into text. */
#include "services/console/faces/sentence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/faces/vocabulary.h"

#define NAME_MAX_SHOWN 256

/* A name of the .proto as words. */
static void put_name(const struct phrase *phrase, FILE *out, const char *name)
{
    char words[NAME_MAX_SHOWN];
    (void) snprintf(words, sizeof words, "%s", name);
    for (char *at = words; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    phrase_text(phrase, out, words);
}

void sentence_label(const struct phrase *phrase, FILE *out, const char *field)
{
    const char *label = vocabulary_word(phrase, "fields", field);
    if (label != NULL)
        phrase_text(phrase, out, label);
    else
        put_name(phrase, out, field);
}

/* The fields of a message that is itself a value: each with its label. */
static void put_fields(const struct phrase *phrase, FILE *out, struct said said)
{
    const char *gap = "";
    for (unsigned i = 0; i < said.message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &said.message->fields[i];
        const json_t                   *value = json_object_get(said.fields, field->name);
        if (value == NULL || vocabulary_field(phrase, field->name).kind == FIELD_HIDDEN)
            continue;
        fputs(gap, out);
        sentence_label(phrase, out, field->name);
        fputc(' ', out);
        sentence_value(phrase, out, field, value);
        gap = " ";
    }
}

/* The value as words.json names it among `values`. */
static const char *key_of(const json_t *value, char number[32])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "true" : "false";
    (void) snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return number;
}

static void put_number(const struct phrase *phrase, FILE *out, enum field_kind kind,
                       json_int_t number)
{
    bool is_seat =
        kind == FIELD_SEAT || kind == FIELD_TURN || kind == FIELD_WINNERS || kind == FIELD_IN;
    if (is_seat && number >= 0 && number < SEATS_MAX)
        phrase_player(phrase, out, (uint32_t) number);
    else
        fprintf(out, "%" JSON_INTEGER_FORMAT, kind == FIELD_PLACE ? number + 1 : number);
}

/* Numbers of 64 bits are text in JSON. False: it is no number. */
static bool number_of(const ProtobufCFieldDescriptor *field, const json_t *value,
                      json_int_t *number)
{
    *number = json_integer_value(value);
    if (json_is_string(value) && field->type <= PROTOBUF_C_TYPE_FIXED64) {
        *number = strtoll(json_string_value(value), NULL, 10);
        return true;
    }
    return json_is_integer(value);
}

static void put_scalar(const struct phrase *phrase, FILE *out,
                       const ProtobufCFieldDescriptor *field, const json_t *value)
{
    char            number[32];
    const char     *key = key_of(value, number);
    const char     *named = vocabulary_value(phrase, field->name, key);
    enum field_kind kind = vocabulary_field(phrase, field->name).kind;
    json_int_t      of_number;
    if (named != NULL)
        phrase_text(phrase, out, named);
    else if (number_of(field, value, &of_number))
        put_number(phrase, out, kind, of_number);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? phrase_say(phrase, "yes", "ja")
                                  : phrase_say(phrase, "no", "nein"),
              out);
    else
        phrase_bytes(phrase, out, key, json_string_length(value));
}

void sentence_value(const struct phrase *phrase, FILE *out, const ProtobufCFieldDescriptor *field,
                    const json_t *value)
{
    if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            fputs(i > 0 ? ", " : "", out);
            sentence_value(phrase, out, field, json_array_get(value, i));
        }
    } else if (json_is_object(value)) {
        put_fields(phrase, out, (struct said){ field->descriptor, value });
    } else if (json_is_null(value)) {
        phrase_text(phrase, out, "…");
    } else if (value != NULL) {
        put_scalar(phrase, out, field, value);
    }
}

char *sentence_text(const struct phrase *phrase, const ProtobufCFieldDescriptor *field,
                    const json_t *value)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    sentence_value(phrase, out, field, value);
    fclose(out);
    return text;
}

/* The field that a placeholder names, "from.row", and its value; NULL: it is left out. */
static const json_t *find(struct said said, const char *path, size_t size,
                          const ProtobufCFieldDescriptor **field)
{
    char name[NAME_MAX_SHOWN];
    for (;;) {
        const char *dot = memchr(path, '.', size);
        size_t      length = dot != NULL ? (size_t) (dot - path) : size;
        if (length >= sizeof name)
            return NULL;
        (void) snprintf(name, sizeof name, "%.*s", (int) length, path);
        *field = protobuf_c_message_descriptor_get_field_by_name(said.message, name);
        const json_t *value = json_object_get(said.fields, name);
        if (*field == NULL || dot == NULL || !json_is_object(value))
            return *field == NULL || dot != NULL ? NULL : value;
        said = (struct said){ (*field)->descriptor, value };
        size -= length + 1;
        path = dot + 1;
    }
}

static bool is_one(const ProtobufCFieldDescriptor *field, const json_t *value)
{
    json_int_t number = 0;
    bool       is_number = value != NULL && number_of(field, value, &number);
    return json_is_true(value) || (is_number && number == 1) || json_array_size(value) == 1;
}

/* One placeholder, without its braces. */
static void put_placeholder(const struct phrase *phrase, FILE *out, struct said said,
                            const char *inside, size_t size)
{
    const ProtobufCFieldDescriptor *field;
    const char                     *bar = memchr(inside, '|', size);
    const char                     *end = inside + size;
    const json_t *value = find(said, inside, bar != NULL ? (size_t) (bar - inside) : size, &field);
    if (bar == NULL) {
        if (value != NULL)
            sentence_value(phrase, out, field, value);
        return;
    }
    const char *one = bar + 1;
    const char *many = memchr(one, '|', (size_t) (end - one));
    const char *stop = many != NULL ? many : end;
    if (is_one(field, value))
        phrase_bytes(phrase, out, one, (size_t) (stop - one));
    else if (many != NULL)
        phrase_bytes(phrase, out, many + 1, (size_t) (end - many - 1));
}

/* Whether a field that is named between these brackets is left out. */
static bool lacks(struct said said, const char *part, size_t size)
{
    const char *end = part + size;
    for (const char *at = memchr(part, '{', size); at != NULL && at < end;
         at = memchr(at + 1, '{', (size_t) (end - at - 1))) {
        const ProtobufCFieldDescriptor *field;
        size_t                          name = strcspn(at + 1, "|}");
        const json_t                   *value = find(said, at + 1, name, &field);
        if (value == NULL || (json_is_array(value) && json_array_size(value) == 0))
            return true;
    }
    return false;
}

/* A part of a sentence without brackets. */
static void put_part(const struct phrase *phrase, FILE *out, struct said said, const char *part,
                     size_t size)
{
    const char *end = part + size;
    while (part < end) {
        const char *brace = memchr(part, '{', (size_t) (end - part));
        const char *stop = brace != NULL ? memchr(brace, '}', (size_t) (end - brace)) : NULL;
        phrase_bytes(phrase, out, part, (size_t) ((stop != NULL ? brace : end) - part));
        if (stop == NULL)
            return;
        put_placeholder(phrase, out, said, brace + 1, (size_t) (stop - brace - 1));
        part = stop + 1;
    }
}

void sentence_put(const struct phrase *phrase, FILE *out, const char *sentence, struct said said)
{
    while (*sentence != '\0') {
        size_t      plainly = strcspn(sentence, "[");
        const char *inside = sentence + plainly + 1;
        put_part(phrase, out, said, sentence, plainly);
        if (sentence[plainly] == '\0')
            return;
        size_t size = strcspn(inside, "]");
        if (!lacks(said, inside, size))
            put_part(phrase, out, said, inside, size);
        sentence = inside + size + (inside[size] == ']');
    }
}

void sentence_put_plain(const struct phrase *phrase, FILE *out, const char *kind, struct said said)
{
    put_name(phrase, out, kind);
    for (unsigned i = 0; i < said.message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &said.message->fields[i];
        const json_t                   *value = json_object_get(said.fields, field->name);
        if (value == NULL)
            continue;
        fputc(' ', out);
        put_name(phrase, out, field->name);
        fputc(' ', out);
        sentence_value(phrase, out, field, value);
    }
}
