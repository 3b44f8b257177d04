/* varint.h: protobuf's varints. Pure. */
#ifndef ARBITER_VARINT_H
#define ARBITER_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARINT_MAX 10      /* Bytes of the longest.                  */
#define VARINT_SHORT_MAX 5 /* Of the longest that is a tag or length. */

/* Bytes still to be read. */
struct reader {
    const uint8_t *at;
    const uint8_t *end;
};

/* Nothing may be at NULL, to which not even 0 may be added. */
static inline struct reader reader_of(const uint8_t *bytes, size_t size)
{
    return (struct reader){ bytes, size == 0 ? bytes : bytes + size };
}

/* Writes one; returns where to go on. */
static inline uint8_t *varint_write(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t) (value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t) value;
    return at;
}

static inline uint32_t varint_size(uint64_t value)
{
    uint32_t size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size;
}

/* Reads one; false if it does not end, or does not fit 64 bits. */
static inline bool varint_read(struct reader *in, uint64_t *value)
{
    uint64_t sum = 0;
    for (uint32_t shift = 0; shift < 70; shift += 7) {
        if (in->at == in->end)
            return false;
        uint8_t byte = *in->at++;
        if (shift == 63 && byte > 1)
            return false;
        sum |= (uint64_t) (byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = sum;
            return true;
        }
    }
    return false;
}

/* Reads a tag or a length. Other readers of protobuf take no more than five bytes for either, and what
 * one of them refuses shall be refused here. */
static inline bool varint_read_short(struct reader *in, uint64_t *value)
{
    const uint8_t *first = in->at;
    return varint_read(in, value) && in->at - first <= VARINT_SHORT_MAX && *value <= UINT32_MAX;
}

/* Reads a length and as many bytes behind it. */
static inline bool varint_read_body(struct reader *in, struct reader *body)
{
    uint64_t size;
    if (!varint_read_short(in, &size) || size > (uint64_t) (in->end - in->at))
        return false;
    *body = (struct reader){ in->at, in->at + size };
    in->at += size;
    return true;
}

#endif
