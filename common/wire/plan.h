/* plan.h: the words of rules to the bytes of messages and back, by the message's descriptor.
 *
 * Rules say everything in words (rules/sink.h); the .proto says which word is which field. A plan
 * is a descriptor compiled once into a flat program. So encoding an event is a short loop that
 * writes varints, and no game needs mapping code. */
#ifndef ARBITER_PLAN_H
#define ARBITER_PLAN_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/command.h"
#include "rules/sink.h"
#include "wire/arena.h"

struct plan;

/* A plan asks that the cases of a oneof have numbers in a row. What games say keeps to that; what the bus alone says,
 * and no rule hears, need not. */
bool         plan_fits(const ProtobufCMessageDescriptor *descriptor);
struct plan *plan_new(const ProtobufCMessageDescriptor *descriptor);
void         plan_destroy(struct plan **plan);

/* A whole message (a view). Returns the bytes written, or 0 if `capacity` does not suffice; the same
 * words always give the same bytes. */
size_t plan_encode(const struct plan *plan, const word *words, uint32_t count, uint8_t *bytes,
                   size_t capacity);
/* A message that is a oneof `kind`: the kind and its fields. */
size_t plan_encode_kind(const struct plan *plan, uint32_t kind, const word *fields, uint32_t count,
                        uint8_t *bytes, size_t capacity);
/* The way back; false for bytes that are no such message, hold what it does not know, or need more
 * than `capacity` words. The arena is the caller's to reset. */
bool   plan_decode(const struct plan *plan, const uint8_t *bytes, size_t size, struct arena *arena,
                   word *words, uint32_t capacity, uint32_t *count);

/* A command and its message. `command->text` points into the arena. */
bool   plan_decode_command(const struct plan *plan, const uint8_t *bytes, size_t size,
                           struct arena *arena, struct command *command);
size_t plan_encode_command(const struct plan *plan, const struct command *command, uint8_t *bytes,
                           size_t capacity);

#endif
