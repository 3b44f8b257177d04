/* kinds.h: which message a frame of each kind has in its body. Pure.
 *
 * The comments in envelope.proto say it to people; this table says it to programs, and a test holds
 * that no kind is missing. */
#ifndef ARBITER_KINDS_H
#define ARBITER_KINDS_H

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

/* The body's message; NULL if there is no such kind. */
const ProtobufCMessageDescriptor *kinds_find(uint32_t kind);

#endif
