/* json_message.c: a message as JSON, by reflection; no message needs a line of its own here. */
#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire/reflect.h"
#include "wire/validate.h"
#include "json/json.h"

#define BASE64 sodium_base64_VARIANT_ORIGINAL

static json_t *json_of_bytes(const ProtobufCBinaryData *data)
{
    size_t room = sodium_base64_ENCODED_LEN(data->len, BASE64);
    char  *text = malloc(room);
    assert(text != NULL);
    sodium_bin2base64(text, room, data->data, data->len, BASE64);
    json_t *json = json_string_nocheck(text);
    free(text);
    return json;
}

/* A reader in JavaScript would round a number above 2^53, so these are strings. */
static json_t *json_of_long(int64_t number, bool is_signed)
{
    char text[24];
    if (is_signed)
        snprintf(text, sizeof text, "%" PRId64, number);
    else
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t) number);
    return json_string_nocheck(text);
}

static json_t *json_of_enum(const ProtobufCEnumDescriptor *names, int32_t value)
{
    const ProtobufCEnumValue *named = protobuf_c_enum_descriptor_get_value(names, value);
    return named != NULL ? json_string_nocheck(named->name) : json_integer(value);
}

/* Bytes, or the message that they are. */
static json_t *json_of_body(const ProtobufCMessageDescriptor *in,
                            const ProtobufCFieldDescriptor *field, const ProtobufCBinaryData *data,
                            const struct json_bytes *bytes)
{
    const ProtobufCMessageDescriptor *kind = NULL;
    ProtobufCMessage                 *body = NULL;
    if (bytes != NULL)
        kind = bytes->kind_of(bytes->asked, in, field);
    if (kind != NULL)
        body = validate_unpack(kind, data->data, data->len, bytes->arena);
    return body != NULL ? json_of_message(body) : json_of_bytes(data);
}

static json_t *json_of_value(const ProtobufCMessage *in, const ProtobufCFieldDescriptor *field,
                             const void *at, const struct json_bytes *bytes)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64: return json_of_long(*(const int64_t *) at, true);
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: return json_of_long(*(const int64_t *) at, false);
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32: return json_integer(*(const uint32_t *) at);
    case PROTOBUF_C_TYPE_BOOL: return json_boolean(*(const protobuf_c_boolean *) at);
    case PROTOBUF_C_TYPE_ENUM: return json_of_enum(field->descriptor, *(const int32_t *) at);
    case PROTOBUF_C_TYPE_STRING: return json_string_nocheck(*(const char *const *) at);
    case PROTOBUF_C_TYPE_BYTES: return json_of_body(in->descriptor, field, at, bytes);
    case PROTOBUF_C_TYPE_MESSAGE:
        return json_of_message_with(*(ProtobufCMessage *const *) at, bytes);
    default: return json_integer(*(const int32_t *) at);
    }
}

static json_t *json_of_list(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                            size_t count, const struct json_bytes *bytes)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list,
                              json_of_value(message, field, reflect_at(message, field, i), bytes));
    return list;
}

json_t *json_of_message_with(const ProtobufCMessage *message, const struct json_bytes *bytes)
{
    json_t *json = json_object();
    assert(json != NULL);
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        size_t                          count = reflect_count(message, field);
        if (count == 0)
            continue;
        json_t *value = field->label == PROTOBUF_C_LABEL_REPEATED
                            ? json_of_list(message, field, count, bytes)
                            : json_of_value(message, field, reflect_at(message, field, 0), bytes);
        json_object_set_new_nocheck(json, field->name, value);
    }
    return json;
}

json_t *json_of_message(const ProtobufCMessage *message)
{
    return json_of_message_with(message, NULL);
}
