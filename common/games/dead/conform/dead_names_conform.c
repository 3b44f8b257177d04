/* dead_names_conform.c: names and values of recordings, to and from words. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "dead.pb-c.h"
#include "games/dead/conform/dead_names_conform.h"
#include "games/dead/dead.h"
#include "rules/sink.h"

#define NAME_MAX_BYTES 64

/* "character_id0" as "characterId0", or, for kinds, as "CharacterId0". */
static void camel_case(const char *snake, bool capital, char name[NAME_MAX_BYTES])
{
    size_t size = 0;
    for (; *snake != '\0'; snake++) {
        assert(size < NAME_MAX_BYTES - 1);
        if (*snake == '_') {
            capital = true;
            continue;
        }
        name[size++] = (char) (capital ? toupper((unsigned char) *snake) : *snake);
        capital = false;
    }
    name[size] = '\0';
}

/* One argument. A string becomes the command's text and takes no word. */
static bool read_arg(const ProtobufCFieldDescriptor *field, const json_t *value,
                     struct command *command, uint32_t *args)
{
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        command->text = (const uint8_t *) json_string_value(value);
        command->text_size = (uint32_t) json_string_length(value);
        return value == NULL || json_is_string(value);
    }
    word *arg = &command->arg[(*args)++];
    if (field->type == PROTOBUF_C_TYPE_BOOL && json_is_boolean(value))
        *arg = json_is_true(value);
    else if (field->type == PROTOBUF_C_TYPE_INT32 && json_is_integer(value))
        *arg = json_integer_value(value);
    else
        return value == NULL;
    return true;
}

static bool read_args(const ProtobufCMessageDescriptor *message, const json_t *args,
                      struct command *command)
{
    uint32_t count = 0;
    size_t   known = 0;
    for (unsigned i = 0; i < message->n_fields; i++) {
        char name[NAME_MAX_BYTES];
        camel_case(message->fields[i].name, false, name);
        const json_t *value = json_object_get(args, name);
        if (!read_arg(&message->fields[i], value, command, &count))
            return false;
        known += value != NULL;
    }
    return json_is_object(args) && known == json_object_size(args);
}

bool dead_read_command(const char *name, const json_t *args, struct command *command)
{
    const ProtobufCMessageDescriptor *kinds = &arbiter__dead__command__descriptor;
    *command = (struct command){ .kind = 0 };
    for (uint32_t i = 0; i < COMMAND_ARGS_MAX; i++)
        command->arg[i] = ABSENT;
    for (unsigned i = 0; i < kinds->n_fields; i++) {
        char kind[NAME_MAX_BYTES];
        camel_case(kinds->fields[i].name, true, kind);
        if (strcmp(kind, name) == 0) {
            command->kind = kinds->fields[i].id;
            return read_args(kinds->fields[i].descriptor, args, command);
        }
    }
    return false;
}

static json_t *show_value(const ProtobufCFieldDescriptor *field, word value)
{
    if (field->type == PROTOBUF_C_TYPE_BOOL)
        return json_boolean(value != 0);
    if (field->type == PROTOBUF_C_TYPE_ENUM) {
        const ProtobufCEnumValue *named =
            protobuf_c_enum_descriptor_get_value(field->descriptor, (int) value);
        assert(named != NULL);
        return json_string(named->name);
    }
    return json_integer(value);
}

json_t *dead_show_event(const word *event)
{
    const ProtobufCFieldDescriptor *kind = protobuf_c_message_descriptor_get_field(
        &arbiter__dead__event__descriptor, event_kind(event));
    assert(kind != NULL);
    const ProtobufCMessageDescriptor *message = kind->descriptor;
    assert(event_length(event) == message->n_fields);

    char name[NAME_MAX_BYTES];
    camel_case(kind->name, true, name);
    json_t *args = json_object();
    json_t *shown = json_pack("{s:s, s:o}", "ev", name, "args", args);
    for (unsigned i = 0; i < message->n_fields; i++) {
        if (event_fields(event)[i] == ABSENT)
            continue;
        camel_case(message->fields[i].name, false, name);
        json_object_set_new(args, name, show_value(&message->fields[i], event_fields(event)[i]));
    }
    return shown;
}

json_t *dead_show_command(const struct command *command)
{
    const ProtobufCFieldDescriptor *kind =
        protobuf_c_message_descriptor_get_field(&arbiter__dead__command__descriptor, command->kind);
    char    name[NAME_MAX_BYTES] = "";
    json_t *args = json_object();
    if (kind != NULL)
        camel_case(kind->name, true, name);
    const ProtobufCMessageDescriptor *message = kind != NULL ? kind->descriptor : NULL;
    uint32_t                          count = 0;
    for (unsigned i = 0; message != NULL && i < message->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->fields[i];
        char                            key[NAME_MAX_BYTES];
        camel_case(field->name, false, key);
        if (field->type == PROTOBUF_C_TYPE_STRING)
            json_object_set_new(args, key,
                                json_stringn((const char *) command->text, command->text_size));
        else if (command->arg[count++] != ABSENT)
            json_object_set_new(args, key, show_value(field, command->arg[count - 1]));
    }
    return json_pack("{s:s, s:o}", "cmd", name, "args", args);
}

/* A field as the message holds it; NULL: it was left out. */
static json_t *read_field(const ProtobufCFieldDescriptor *field, const ProtobufCMessage *message)
{
    const uint8_t *bytes = (const uint8_t *) message;
    const void    *at = bytes + field->offset;
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const char *text = *(char *const *) at;
        json_t     *shown = text != NULL ? json_string(text) : NULL;
        return text != NULL && shown == NULL ? json_string("(no UTF-8)") : shown;
    }
    if (!*(const protobuf_c_boolean *) (bytes + field->quantifier_offset))
        return NULL;
    if (field->type == PROTOBUF_C_TYPE_BOOL)
        return json_boolean(*(const protobuf_c_boolean *) at);
    if (field->type == PROTOBUF_C_TYPE_ENUM) {
        const ProtobufCEnumValue *named =
            protobuf_c_enum_descriptor_get_value(field->descriptor, *(const int *) at);
        return named != NULL ? json_string(named->name) : json_integer(*(const int *) at);
    }
    assert(field->type == PROTOBUF_C_TYPE_INT32 || field->type == PROTOBUF_C_TYPE_UINT32);
    return field->type == PROTOBUF_C_TYPE_INT32 ? json_integer(*(const int32_t *) at)
                                                : json_integer(*(const uint32_t *) at);
}

/* Who is asked knows it: whether the stream says it, too, does not matter. */
static bool is_to_one(uint32_t kind)
{
    return kind == DEAD_ACT_NOW || kind == DEAD_VOTE_NOW || kind == DEAD_COMMAND_FAILED;
}

static json_t *show_message(const ProtobufCFieldDescriptor *kind, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *descriptor = kind->descriptor;
    char                              name[NAME_MAX_BYTES];
    json_t                           *args = json_object();
    for (unsigned i = 0; i < descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
        camel_case(field->name, false, name);
        json_t *value = read_field(field, message);
        if (value != NULL && !(is_to_one(kind->id) && strcmp(name, "player") == 0))
            json_object_set(args, name, value);
        json_decref(value);
    }
    camel_case(kind->name, true, name);
    return json_pack("{s:s, s:o}", "ev", name, "args", args);
}

json_t *dead_read_event(const uint8_t *bytes, size_t size)
{
    Arbiter__Dead__Event *event = arbiter__dead__event__unpack(NULL, size, bytes);
    json_t               *shown = NULL;
    if (event != NULL && event->kind_case != ARBITER__DEAD__EVENT__KIND__NOT_SET) {
        const ProtobufCFieldDescriptor *kind = protobuf_c_message_descriptor_get_field(
            &arbiter__dead__event__descriptor, event->kind_case);
        const void *const *at = (const void *) ((const uint8_t *) event + kind->offset);
        shown = show_message(kind, *at);
    }
    if (event != NULL)
        arbiter__dead__event__free_unpacked(event, NULL);
    return shown;
}
