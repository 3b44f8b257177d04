/* chunked.h: a request's body in chunks, put together again. Pure: libwebsockets reads none. */
#ifndef ARBITER_GATEWAY_CHUNKED_H
#define ARBITER_GATEWAY_CHUNKED_H

#include <stddef.h>
#include <stdint.h>

enum chunked_step {
    CHUNKED_SIZE, /* Digits, then perhaps an extension.                                          */
    CHUNKED_EXTENSION, /* To the end of the line.                                                    */
    CHUNKED_DATA,
    CHUNKED_DATA_END, /* The line's end behind the data.                                             */
    CHUNKED_TRAILER, /* Lines behind the last chunk, up to an empty one.                             */
    CHUNKED_DONE,
    CHUNKED_BROKEN
};

struct chunked {
    enum chunked_step step;
    uint64_t left;   /* Of the chunk.                                                       */
    uint32_t digits; /* Of its size.                                                        */
    uint32_t line;   /* Characters of a line that means nothing to us: bounded, too.          */
};

/* Takes what came, and writes the body that is in it to `to`, which has room for as much; returns how much
 * that is. What stands behind the end is left alone. */
size_t chunked_take(struct chunked *chunked, const uint8_t *in, size_t size, uint8_t *to);

#endif
