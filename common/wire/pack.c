/* pack.c: see pack.h. Fields in the order of their numbers, as protobuf-c has them. */
#include "wire/pack.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "wire/reflect.h"
#include "wire/varint.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* A number as its varint. Negative ones of the plain kinds are as long as 64 bits make them. */
static uint64_t number_of(ProtobufCType type, const void *at)
{
    switch (type) {
    case PROTOBUF_C_TYPE_UINT64: return *(const uint64_t *) at;
    case PROTOBUF_C_TYPE_INT64: return (uint64_t) * (const int64_t *) at;
    case PROTOBUF_C_TYPE_SINT64: {
        int64_t number = *(const int64_t *) at;
        return (uint64_t) number << 1 ^ (number < 0 ? UINT64_MAX : 0);
    }
    case PROTOBUF_C_TYPE_SINT32: {
        int32_t number = *(const int32_t *) at;
        return (uint32_t) number << 1 ^ (number < 0 ? UINT32_MAX : 0);
    }
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_ENUM: return (uint64_t) (int64_t) * (const int32_t *) at;
    case PROTOBUF_C_TYPE_BOOL: return *(const protobuf_c_boolean *) at != 0;
    default:
        assert(type == PROTOBUF_C_TYPE_UINT32); /* Our messages have no numbers of fixed size. */
        return *(const uint32_t *) at;
    }
}

/* What a value that is no number is made of, but for messages. */
static struct reader body_of(ProtobufCType type, const void *at)
{
    struct reader body = { NULL, NULL };
    if (type == PROTOBUF_C_TYPE_STRING) {
        body.at = *(const uint8_t *const *) at;
        body.end = body.at + text_length((const char *) body.at);
    } else {
        const ProtobufCBinaryData *bytes = at;
        body.at = bytes->data;
        body.end = bytes->len > 0 ? body.at + bytes->len : body.at;
    }
    return body;
}

static const ProtobufCMessage *message_at(const void *at)
{
    return *(const ProtobufCMessage *const *) at;
}

static bool is_number(ProtobufCType type)
{
    return type != PROTOBUF_C_TYPE_STRING && type != PROTOBUF_C_TYPE_BYTES &&
           type != PROTOBUF_C_TYPE_MESSAGE;
}

static size_t value_size(const ProtobufCFieldDescriptor *field, const void *at)
{
    if (is_number(field->type))
        return varint_size(number_of(field->type, at));
    struct reader body = { NULL, NULL };
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        body = body_of(field->type, at);
    size_t size = field->type == PROTOBUF_C_TYPE_MESSAGE ? pack_size(message_at(at))
                                                         : (size_t) (body.end - body.at);
    return varint_size(size) + size;
}

static bool is_packed(const ProtobufCFieldDescriptor *field)
{
    return (field->flags & PROTOBUF_C_FIELD_FLAG_PACKED) != 0;
}

/* All values of a list, one behind the other under one tag. */
static size_t list_size(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                        size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += value_size(field, reflect_at(message, field, i));
    return size;
}

size_t pack_size(const ProtobufCMessage *message)
{
    size_t size = 0;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        size_t                          count = reflect_count(message, field);
        size_t                          values = list_size(message, field, count);
        size_t                          tag = varint_size((uint64_t) field->id << 3);
        if (is_packed(field))
            size += count > 0 ? tag + varint_size(values) + values : 0;
        else
            size += count * tag + values;
    }
    return size;
}

static uint8_t *put_value(uint8_t *to, const ProtobufCFieldDescriptor *field, const void *at)
{
    if (is_number(field->type))
        return varint_write(to, number_of(field->type, at));
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return pack(varint_write(to, pack_size(message_at(at))), message_at(at));
    struct reader body = body_of(field->type, at);
    size_t        size = (size_t) (body.end - body.at);
    to = varint_write(to, size);
    if (size > 0)
        memcpy(to, body.at, size);
    return to + size;
}

static uint8_t *put_tag(uint8_t *to, const ProtobufCFieldDescriptor *field, enum wire_type type)
{
    return varint_write(to, (uint64_t) field->id << 3 | type);
}

uint8_t *pack(uint8_t *to, const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        size_t                          count = reflect_count(message, field);
        enum wire_type                  type = is_number(field->type) ? WIRE_VARINT : WIRE_BYTES;
        if (is_packed(field) && count > 0)
            to = varint_write(put_tag(to, field, WIRE_BYTES), list_size(message, field, count));
        for (size_t at = 0; at < count; at++) {
            if (!is_packed(field))
                to = put_tag(to, field, type);
            to = put_value(to, field, reflect_at(message, field, at));
        }
    }
    return to;
}
