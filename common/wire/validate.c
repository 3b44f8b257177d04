/* validate.c: see validate.h. */
#include "wire/validate.h"

#include <string.h>

#include "wire/reflect.h"
#include "wire/utf8.h"

static bool is_good_value(const ProtobufCFieldDescriptor *field, const void *at)
{
    const char *text;
    switch (field->type) {
    case PROTOBUF_C_TYPE_ENUM:
        return protobuf_c_enum_descriptor_get_value(field->descriptor, *(const int32_t *) at) !=
               NULL;
    case PROTOBUF_C_TYPE_STRING:
        text = *(const char *const *) at;
        return text != NULL && utf8_is_string((const uint8_t *) text, strlen(text));
    case PROTOBUF_C_TYPE_MESSAGE: return validate_message(*(ProtobufCMessage *const *) at);
    default: return true;
    }
}

bool validate_message(const ProtobufCMessage *message)
{
    if (message->n_unknown_fields > 0)
        return false;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        size_t                          count = reflect_count(message, field);
        for (size_t at = 0; at < count; at++)
            if (!is_good_value(field, reflect_at(message, field, at)))
                return false;
    }
    return true;
}

/* A message that was sent as its own reading says has that reading's size. A NUL in a string cuts it,
 * a second value overwrites the first, a long bool shrinks: each makes the size another. */
ProtobufCMessage *validate_unpack(const ProtobufCMessageDescriptor *descriptor,
                                  const uint8_t *bytes, size_t size, struct arena *arena)
{
    if (size > VALIDATE_BODY_MAX)
        return NULL;
    ProtobufCMessage *message =
        protobuf_c_message_unpack(descriptor, &arena->allocator, size, bytes);
    if (message == NULL || !validate_message(message) ||
        protobuf_c_message_get_packed_size(message) != size)
        return NULL;
    return message;
}
