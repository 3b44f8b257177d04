/* reflect.c: see reflect.h. */
#include "wire/reflect.h"

#include <stdint.h>

size_t reflect_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: return sizeof(int64_t);
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    default: return sizeof(int32_t);
    }
}

size_t reflect_count(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    const uint8_t *bytes = (const uint8_t *) message;
    const void    *quantifier = bytes + field->quantifier_offset;
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return *(const size_t *) quantifier;
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
        return *(const uint32_t *) quantifier == field->id;
    if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE)
        return *(const void *const *) (const void *) (bytes + field->offset) != NULL;
    return *(const protobuf_c_boolean *) quantifier != 0;
}

const void *reflect_at(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                       size_t index)
{
    const uint8_t *place = (const uint8_t *) message + field->offset;
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return place;
    return *(const uint8_t *const *) (const void *) place + index * reflect_size(field->type);
}
