/* json_read.c: JSON as a message, strictly: what is wrong is said in a sentence that begins with the
 * JSON pointer of the place. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/reflect.h"
#include "json/json.h"

#define BASE64 sodium_base64_VARIANT_ORIGINAL

/* Where in the JSON one is. */
struct place {
    const struct place *around; /* NULL at the top. */
    const char         *key;    /* NULL: an index.  */
    size_t              index;
};

/* What one reading shares. */
struct reading {
    struct arena            *arena;
    struct text             *fault;
    const struct json_bytes *bytes; /* NULL: bytes are base64. */
};

static bool read_message(const struct reading *reading, const struct place *place,
                         const json_t *json, const ProtobufCMessageDescriptor *descriptor,
                         ProtobufCMessage **message);

static void put_place(struct text *text, const struct place *place)
{
    if (place->around == NULL)
        return;
    put_place(text, place->around);
    text_put(text, "/");
    if (place->key == NULL)
        text_put_number(text, (int64_t) place->index);
    for (const char *at = place->key; at != NULL && *at != '\0'; at++) {
        if (*at == '~' || *at == '/')
            text_put(text, *at == '~' ? "~0" : "~1");
        else
            text_put_bytes(text, at, 1);
    }
}

static bool wrong(const struct reading *reading, const struct place *place, const char *what)
{
    text_clear(reading->fault);
    put_place(reading->fault, place);
    text_put(reading->fault, ": ");
    text_put(reading->fault, what);
    return false;
}

/* Exactly the digits a number has: no sign but a minus, no zero in front. */
static bool is_decimal(const char *text, size_t size)
{
    size_t at = size > 1 && text[0] == '-';
    if (at == size || size > 20 || (text[at] == '0' && size > 1))
        return false;
    for (; at < size; at++)
        if (text[at] < '0' || text[at] > '9')
            return false;
    return true;
}

static bool read_long(const struct reading *reading, const struct place *place, const json_t *json,
                      bool is_signed, void *at)
{
    const char *text = json_string_value(json);
    if (text == NULL || !is_decimal(text, json_string_length(json)))
        return wrong(reading, place, "a 64-bit number is written as a string of decimal digits");
    char spelt[24];
    snprintf(spelt, sizeof spelt, "%s", text);
    int64_t  number = (int64_t) strtoll(text, NULL, 10);
    uint64_t natural = strtoull(text, NULL, 10);
    char     back[24];
    if (is_signed)
        snprintf(back, sizeof back, "%lld", (long long) number);
    else
        snprintf(back, sizeof back, "%llu", (unsigned long long) natural);
    /* What did not fit was clamped, and does not read the same any more. */
    if (strcmp(back, spelt) != 0)
        return wrong(reading, place, "this number does not fit 64 bits");
    memcpy(at, is_signed ? (const void *) &number : (const void *) &natural, sizeof number);
    return true;
}

static bool read_int(const struct reading *reading, const struct place *place, const json_t *json,
                     int64_t least, int64_t most, void *at)
{
    int64_t number = json_integer_value(json);
    if (!json_is_integer(json) || number < least || number > most)
        return wrong(reading, place,
                     least < 0 ? "a whole number from -2147483648 to 2147483647 is wanted"
                               : "a whole number from 0 to 4294967295 is wanted");
    uint32_t bits = (uint32_t) number;
    memcpy(at, &bits, sizeof bits);
    return true;
}

static bool read_enum(const struct reading *reading, const struct place *place, const json_t *json,
                      const ProtobufCEnumDescriptor *names, void *at)
{
    const char               *text = json_string_value(json);
    const ProtobufCEnumValue *named =
        text != NULL ? protobuf_c_enum_descriptor_get_value_by_name(names, text) : NULL;
    if (named == NULL || strlen(text) != json_string_length(json)) {
        wrong(reading, place, "one of these names is wanted:");
        for (unsigned i = 0; i < names->n_values; i++) {
            text_put(reading->fault, i > 0 ? ", " : " ");
            text_put(reading->fault, names->values[i].name);
        }
        return false;
    }
    memcpy(at, &named->value, sizeof named->value);
    return true;
}

static bool read_string(const struct reading *reading, const struct place *place,
                        const json_t *json, void *at)
{
    size_t size = json_string_length(json);
    if (!json_is_string(json) || strlen(json_string_value(json)) != size)
        return wrong(reading, place, "a string without NUL is wanted");
    char *copy = arena_take(reading->arena, size + 1);
    if (copy == NULL)
        return wrong(reading, place, "the message is too large");
    memcpy(copy, json_string_value(json), size);
    memcpy(at, &copy, sizeof(char *));
    return true;
}

static bool read_bytes(const struct reading *reading, const struct place *place, const json_t *json,
                       void *at)
{
    size_t              size = json_string_length(json);
    const char         *end = NULL;
    ProtobufCBinaryData data = { 0, NULL };
    if (!json_is_string(json))
        return wrong(reading, place, "bytes are written as a base64 string");
    data.data = arena_take(reading->arena, size + 1);
    if (data.data == NULL)
        return wrong(reading, place, "the message is too large");
    const char *text = json_string_value(json);
    if (sodium_base642bin(data.data, size + 1, text, size, NULL, &data.len, &end, BASE64) != 0 ||
        end != text + size)
        return wrong(reading, place, "this is no base64");
    memcpy(at, &data, sizeof data);
    return true;
}

/* Bytes that were written as the message that they are. */
static bool read_body(const struct reading *reading, const struct place *place, const json_t *json,
                      const ProtobufCMessageDescriptor *in, const ProtobufCFieldDescriptor *field,
                      void *at)
{
    const ProtobufCMessageDescriptor *kind = NULL;
    ProtobufCMessage                 *message;
    ProtobufCBinaryData               data = { 0, NULL };
    if (reading->bytes != NULL && json_is_object(json))
        kind = reading->bytes->kind_of(reading->bytes->asked, in, field);
    if (kind == NULL)
        return read_bytes(reading, place, json, at);
    if (!read_message(reading, place, json, kind, &message))
        return false;
    data.len = protobuf_c_message_get_packed_size(message);
    data.data = arena_take(reading->arena, data.len + 1);
    if (data.data == NULL)
        return wrong(reading, place, "the message is too large");
    (void) protobuf_c_message_pack(message, data.data);
    memcpy(at, &data, sizeof data);
    return true;
}

static bool read_value(const struct reading *reading, const struct place *place, const json_t *json,
                       const ProtobufCMessageDescriptor *in, const ProtobufCFieldDescriptor *field,
                       void *at)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64: return read_long(reading, place, json, true, at);
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: return read_long(reading, place, json, false, at);
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32: return read_int(reading, place, json, 0, UINT32_MAX, at);
    case PROTOBUF_C_TYPE_BOOL:
        if (!json_is_boolean(json))
            return wrong(reading, place, "true or false is wanted");
        *(protobuf_c_boolean *) at = json_is_true(json);
        return true;
    case PROTOBUF_C_TYPE_ENUM: return read_enum(reading, place, json, field->descriptor, at);
    case PROTOBUF_C_TYPE_STRING: return read_string(reading, place, json, at);
    case PROTOBUF_C_TYPE_BYTES: return read_body(reading, place, json, in, field, at);
    case PROTOBUF_C_TYPE_MESSAGE: return read_message(reading, place, json, field->descriptor, at);
    default: return read_int(reading, place, json, INT32_MIN, INT32_MAX, at);
    }
}

static bool read_list(const struct reading *reading, const struct place *place, const json_t *json,
                      const ProtobufCFieldDescriptor *field, uint8_t *message)
{
    const ProtobufCMessage *of = (const ProtobufCMessage *) (const void *) message;
    if (!json_is_array(json))
        return wrong(reading, place, "a list is wanted");
    size_t   count = json_array_size(json);
    size_t   size = reflect_size(field->type);
    uint8_t *list = arena_take(reading->arena, count * size);
    if (list == NULL)
        return wrong(reading, place, "the message is too large");
    for (size_t i = 0; i < count; i++) {
        const struct place inside = { place, NULL, i };
        if (!read_value(reading, &inside, json_array_get(json, i), of->descriptor, field,
                        list + i * size))
            return false;
    }
    memcpy(message + field->quantifier_offset, &count, sizeof count);
    if (count > 0)
        memcpy(message + field->offset, &list, sizeof list);
    return true;
}

static bool read_field(const struct reading *reading, const struct place *place, const json_t *json,
                       const ProtobufCFieldDescriptor *field, uint8_t *message)
{
    uint8_t *quantifier = message + field->quantifier_offset;
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return read_list(reading, place, json, field, message);
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        uint32_t set;
        memcpy(&set, quantifier, sizeof set);
        if (set != 0)
            return wrong(reading, place, "another key of the same choice is set already");
        memcpy(quantifier, &field->id, sizeof field->id);
    } else if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE) {
        *(protobuf_c_boolean *) (void *) quantifier = 1;
    }
    const ProtobufCMessage *of = (const ProtobufCMessage *) (const void *) message;
    return read_value(reading, place, json, of->descriptor, field, message + field->offset);
}

static bool read_message(const struct reading *reading, const struct place *place,
                         const json_t *json, const ProtobufCMessageDescriptor *descriptor,
                         ProtobufCMessage **message)
{
    const char *key;
    json_t     *value;
    if (!json_is_object(json))
        return wrong(reading, place, "an object is wanted");
    *message = arena_take(reading->arena, descriptor->sizeof_message);
    if (*message == NULL)
        return wrong(reading, place, "the message is too large");
    protobuf_c_message_init(descriptor, *message);
    /* Jansson walks an object through a pointer that is not const, and does not change it. */
    json_object_foreach((json_t *) json, key, value)
    {
        const struct place              inside = { place, key, 0 };
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field_by_name(descriptor, key);
        if (field == NULL)
            return wrong(reading, &inside, "there is no such key");
        if (!read_field(reading, &inside, value, field, (uint8_t *) *message))
            return false;
    }
    return true;
}

ProtobufCMessage *json_to_message_with(const json_t                     *json,
                                       const ProtobufCMessageDescriptor *descriptor,
                                       struct arena *arena, const struct json_bytes *bytes,
                                       struct text *fault)
{
    const struct reading reading = { arena, fault, bytes };
    const struct place   top = { NULL, NULL, 0 };
    ProtobufCMessage    *message = NULL;
    text_clear(fault);
    return read_message(&reading, &top, json, descriptor, &message) ? message : NULL;
}

ProtobufCMessage *json_to_message(const json_t *json, const ProtobufCMessageDescriptor *descriptor,
                                  struct arena *arena, struct text *fault)
{
    return json_to_message_with(json, descriptor, arena, NULL, fault);
}
