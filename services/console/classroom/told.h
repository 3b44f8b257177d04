/* told.h: commands and events as lines of a recording: CamelCase kinds, camelCase arguments.
 *
 * Games' own messages have the same names in snake_case. The recordings of the dead are written so,
 * and `arbiter conform` reads them. */
#ifndef ARBITER_TOLD_H
#define ARBITER_TOLD_H

#include <jansson.h>
#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

/* A Command: {"from": 3, "cmd": "Move", "args": {...}}. NULL: the bytes are none. */
json_t *told_command(const ProtobufCMessageDescriptor *kinds, uint32_t from, const uint8_t *bytes,
                     size_t size);
/* An Event for one client: {"to": 3, "ev": "Characters", "args": {...}}; TOLD_ALL: {"to": "all", ...}.
 * NULL: the bytes are none. */
#define TOLD_ALL UINT32_MAX
json_t *told_event(const ProtobufCMessageDescriptor *kinds, uint32_t to, const uint8_t *bytes,
                   size_t size);

#endif
