/* json.h: JSON text to a set-up's tree, and JSON to and from every message, by reflection.
 *
 * Names are those of the .proto. 64-bit integers are decimal strings, and bytes are base64. An
 * absent optional field is left out. Enums go by name; a oneof is the one key that is set. */
#ifndef ARBITER_JSON_H
#define ARBITER_JSON_H

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

#include "base/text.h"
#include "base/value.h"
#include "wire/arena.h"

/* An arena in which the tree of any text of so many bytes finds room. */
#define JSON_VALUE_BYTES(size) ((size) * (size_t) 48 + 1024)

/* Parses a set-up. Bad syntax is reported with line and column, and gives NULL; so does nesting deeper
 * than 32. Duplicate keys are reported, each of them, and parsing goes on. The tree points into `text`
 * and the arena. */
const struct value *json_value(const char *text, size_t size, struct arena *arena,
                               struct faults *faults);

/* Bytes that are a message themselves, as an Event of a game is, go as its object. `kind_of` says of what
 * kind the bytes in a field of a message are; NULL: they are bytes, in base64. */
struct json_bytes {
    const ProtobufCMessageDescriptor *(*kind_of)(void                             *asked,
                                                 const ProtobufCMessageDescriptor *message,
                                                 const ProtobufCFieldDescriptor   *field);
    void         *asked;
    struct arena *arena; /* Where they are unpacked.                                              */
};

/* A message as JSON; never NULL. The caller holds the reference. */
json_t *json_of_message(const ProtobufCMessage *message);
/* The same; bytes that are not the message they should be stay base64. */
json_t *json_of_message_with(const ProtobufCMessage *message, const struct json_bytes *bytes);
/* JSON as a message, in the arena. NULL, and a sentence with its JSON pointer, if it is not such a
 * message. Faults are an unknown key, a value of another type or out of range, and two keys of one
 * oneof. */
ProtobufCMessage *json_to_message(const json_t *json, const ProtobufCMessageDescriptor *descriptor,
                                  struct arena *arena, struct text *fault);
/* The same; base64 is taken for such bytes, too. */
ProtobufCMessage *json_to_message_with(const json_t                     *json,
                                       const ProtobufCMessageDescriptor *descriptor,
                                       struct arena *arena, const struct json_bytes *bytes,
                                       struct text *fault);

#endif
