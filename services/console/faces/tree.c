/* tree.c: walks a message's descriptor and its words side by side, and builds the object. */
#include "services/console/faces/tree.h"

#include <assert.h>
#include <stdlib.h>

struct walk {
    const word *at, *end;
};

static json_t *take_message(struct walk *walk, const ProtobufCMessageDescriptor *message);

static word take(struct walk *walk)
{
    assert(walk->at < walk->end);
    return *walk->at++;
}

const ProtobufCFieldDescriptor *tree_kind(const ProtobufCMessageDescriptor *message, uint32_t kind)
{
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(message, kind);
    bool is_kind = kind != 0 && field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE;
    return is_kind ? field : NULL;
}

static bool is_text(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES;
}

/* Bytes are shown as they are; what is no letter is taken out when it is put on a terminal. */
static json_t *take_text(struct walk *walk, word size)
{
    char *bytes = malloc((size_t) size + 1);
    if (bytes == NULL)
        abort();
    for (word i = 0; i < size; i++)
        bytes[i] = (char) take(walk);
    json_t *text = json_stringn_nocheck(bytes, (size_t) size);
    free(bytes);
    return text;
}

static json_t *scalar(const ProtobufCFieldDescriptor *field, word value)
{
    if (field->type == PROTOBUF_C_TYPE_BOOL)
        return json_boolean(value != 0);
    if (field->type == PROTOBUF_C_TYPE_ENUM) {
        const ProtobufCEnumValue *named =
            protobuf_c_enum_descriptor_get_value(field->descriptor, (int) value);
        if (named != NULL)
            return json_string_nocheck(named->name);
    }
    return json_integer(value);
}

/* A value that is there for certain: an element of a list, or what a oneof holds. */
static json_t *take_value(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    word first;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return take_message(walk, field->descriptor);
    first = take(walk);
    return is_text(field) ? take_text(walk, first) : scalar(field, first);
}

static json_t *take_list(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    word    count = take(walk);
    json_t *list = count > 0 ? json_array() : NULL;
    for (word i = 0; i < count; i++)
        json_array_append_new(list, take_value(walk, field));
    return list;
}

/* NULL: it is left out. */
static json_t *take_optional(struct walk *walk, const ProtobufCFieldDescriptor *field)
{
    word first = *walk->at;
    bool is_message = field->type == PROTOBUF_C_TYPE_MESSAGE;
    if (is_message || first == ABSENT)
        (void) take(walk);
    if (first == ABSENT || (is_message && first == 0))
        return NULL;
    return take_value(walk, field);
}

static void take_oneof(struct walk *walk, const ProtobufCMessageDescriptor *message, json_t *into)
{
    word number = take(walk);
    if (number == 0)
        return;
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(message, (unsigned) number);
    assert(field != NULL);
    json_object_set_new_nocheck(into, field->name, take_value(walk, field));
}

static json_t *take_message(struct walk *walk, const ProtobufCMessageDescriptor *message)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < message->n_fields && walk->at < walk->end; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        json_t                         *value = NULL;
        if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
            /* All fields of a oneof are one word and what is set; the first of them speaks for it. */
            if (i == 0 || message->fields[i - 1].quantifier_offset != field->quantifier_offset)
                take_oneof(walk, message, object);
        } else if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            value = take_list(walk, field);
        } else {
            value = take_optional(walk, field);
        }
        if (value != NULL)
            json_object_set_new_nocheck(object, field->name, value);
    }
    return object;
}

json_t *tree_of_words(const ProtobufCMessageDescriptor *message, const word *words, uint32_t count)
{
    struct walk walk = { words, words + count };
    return take_message(&walk, message);
}

json_t *tree_of_command(const ProtobufCMessageDescriptor *message, const struct command *command)
{
    json_t  *object = json_object();
    uint32_t arg = 0;
    for (unsigned i = 0; i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        json_t                         *value = NULL;
        if (is_text(field) && command->text != NULL)
            value = json_stringn_nocheck((const char *) command->text, command->text_size);
        else if (!is_text(field) && arg < COMMAND_ARGS_MAX && command->arg[arg++] > MISTYPED)
            value = scalar(field, command->arg[arg - 1]);
        if (value != NULL)
            json_object_set_new_nocheck(object, field->name, value);
    }
    return object;
}
