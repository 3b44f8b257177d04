/* reflect.h: a message's fields by its descriptor: whether they are there, how many, and where. */
#ifndef ARBITER_REFLECT_H
#define ARBITER_REFLECT_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes one value of this type takes in a message's struct. */
size_t      reflect_size(ProtobufCType type);
/* How many values the field has: 0 or 1, or the length of a list. */
size_t      reflect_count(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field);
/* One of them. */
const void *reflect_at(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                       size_t index);

#endif
