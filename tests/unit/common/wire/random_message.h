/* random_message.h: random messages by reflection, and the words they are, worked out the slow way. */
#ifndef ARBITER_RANDOM_MESSAGE_H
#define ARBITER_RANDOM_MESSAGE_H

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

#include "rules/sink.h"
#include "wire/arena.h"

/* A small generator, so that a failure can be played again from its seed. */
struct luck {
    uint64_t state;
};

uint64_t luck_draw(struct luck *luck);
/* From 0 to bound-1. */
uint32_t luck_below(struct luck *luck, uint32_t bound);

/* A message that breaks no rule of its .proto, every field of which may or may not be there. */
ProtobufCMessage *random_message(const ProtobufCMessageDescriptor *descriptor, struct luck *luck,
                                 struct arena *arena);

/* The words of a message by rules/sink.h, by walking the message; returns how many. */
uint32_t words_of_message(const ProtobufCMessage *message, word *words, uint32_t capacity);

#endif
