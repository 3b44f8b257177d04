/* pack.h: a message as bytes, for cores, which may not call protobuf-c. Pure.
 *
 * The bytes are those that protobuf-c would write; pack_test compares them. */
#ifndef ARBITER_PACK_H
#define ARBITER_PACK_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

/* How long it will be. */
size_t   pack_size(const ProtobufCMessage *message);
/* Writes it; `to` has room for pack_size bytes. Returns where to go on. */
uint8_t *pack(uint8_t *to, const ProtobufCMessage *message);

#endif
