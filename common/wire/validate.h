/* validate.h: a peer's bytes as a message that breaks no rule of its .proto.
 *
 * protobuf-c trusts its input. It turns 64 KiB of hostile bytes into 4.7 MB and keeps fields that
 * nobody declared. It takes enum values that do not exist, strings with a NUL inside, and a second
 * value where one is allowed. Here messages are unpacked into a bounded arena, and judged before
 * anyone reads them. */
#ifndef ARBITER_VALIDATE_H
#define ARBITER_VALIDATE_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/arena.h"

#define VALIDATE_ARENA_BYTES (256u << 10) /* What one message may become in memory. */
#define VALIDATE_BODY_MAX (64u << 10)     /* What one message may be on its way.    */

/* Whether an unpacked message holds only declared fields and enum values, and well-formed strings. */
bool validate_message(const ProtobufCMessage *message);

/* Unpacks into the arena and judges; NULL for anything else than such a message, and for one that does
 * not fit. The arena is the caller's to reset; the message lives as long. */
ProtobufCMessage *validate_unpack(const ProtobufCMessageDescriptor *descriptor,
                                  const uint8_t *bytes, size_t size, struct arena *arena);

#endif
