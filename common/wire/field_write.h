/* field_write.h: writing a message field by field, for a core that may not call protobuf-c. Pure.
 *
 * Numbers have names, FIELD_PACKAGE_MESSAGE_NAME, which CMake writes from the .proto files. */
#ifndef ARBITER_FIELD_WRITE_H
#define ARBITER_FIELD_WRITE_H

#include <string.h>

#include "wire/varint.h"

/* What stands before a number, and before the length of a text, of bytes or of a message. */
#define NUMBER_TAG(number) ((number) << 3)
#define BYTES_TAG(number) ((number) << 3 | 2)

static inline uint8_t *field_bytes(uint8_t *at, uint32_t number, const void *bytes, size_t size)
{
    at = varint_write(at, BYTES_TAG((uint64_t) number));
    at = varint_write(at, size);
    if (size > 0)
        memcpy(at, bytes, size);
    return at + size;
}

static inline uint8_t *field_number(uint8_t *at, uint32_t number, uint64_t value)
{
    return varint_write(varint_write(at, NUMBER_TAG((uint64_t) number)), value);
}

/* As sint32 and sint64 have it: small numbers are short, whatever their sign. */
static inline uint8_t *field_signed(uint8_t *at, uint32_t number, int64_t value)
{
    uint64_t sign = value < 0 ? UINT64_MAX : 0;
    return field_number(at, number, (uint64_t) value << 1 ^ sign);
}

static inline int64_t field_as_signed(uint64_t value)
{
    return (int64_t) (value >> 1 ^ (~(value & 1) + 1));
}

#endif
