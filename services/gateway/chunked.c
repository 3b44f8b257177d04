/* chunked.c: see chunked.h. Pure. */
#include "services/gateway/chunked.h"

#include <string.h>

#define DIGITS_MAX 8u /* Four GiB; far above what any body may have. */
#define LINE_MAX_BYTES 4096u

static int digit_of(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    return -1;
}

/* The line with the size has ended. */
static void begin_chunk(struct chunked *chunked)
{
    if (chunked->digits == 0)
        chunked->step = CHUNKED_BROKEN;
    else
        chunked->step = chunked->left > 0 ? CHUNKED_DATA : CHUNKED_TRAILER;
    chunked->line = 0;
}

static void take_size(struct chunked *chunked, uint8_t byte)
{
    int digit = digit_of(byte);
    if (digit >= 0 && chunked->digits < DIGITS_MAX) {
        chunked->left = chunked->left << 4 | (uint64_t) digit;
        chunked->digits++;
    } else if (byte == '\n') {
        begin_chunk(chunked);
    } else if (digit < 0 && (byte == '\r' || byte == ';' || byte == ' ' || byte == '\t')) {
        chunked->step = CHUNKED_EXTENSION;
    } else {
        chunked->step = CHUNKED_BROKEN;
    }
}

/* Whether a line of no meaning is still of a bearable length. */
static void bear(struct chunked *chunked)
{
    if (++chunked->line > LINE_MAX_BYTES)
        chunked->step = CHUNKED_BROKEN;
}

static void take_trailer(struct chunked *chunked, uint8_t byte)
{
    if (byte == '\n' && chunked->digits == 0)
        chunked->step = CHUNKED_DONE;
    else if (byte == '\n')
        chunked->digits = 0; /* Now: characters of this line. */
    else if (byte != '\r')
        chunked->digits = 1;
    if (chunked->step != CHUNKED_DONE)
        bear(chunked);
}

static void take_byte(struct chunked *chunked, uint8_t byte)
{
    switch (chunked->step) {
    case CHUNKED_SIZE: take_size(chunked, byte); break;
    case CHUNKED_EXTENSION:
        if (byte == '\n')
            begin_chunk(chunked);
        else
            bear(chunked);
        break;
    case CHUNKED_DATA_END:
        if (byte == '\n')
            *chunked = (struct chunked){ .step = CHUNKED_SIZE };
        else if (byte != '\r')
            chunked->step = CHUNKED_BROKEN;
        break;
    case CHUNKED_TRAILER: take_trailer(chunked, byte); break;
    default: break;
    }
    if (chunked->step == CHUNKED_TRAILER && chunked->line == 0)
        chunked->digits = 0;
}

size_t chunked_take(struct chunked *chunked, const uint8_t *in, size_t size, uint8_t *to)
{
    size_t written = 0;
    for (size_t i = 0; i < size && chunked->step < CHUNKED_DONE;) {
        if (chunked->step != CHUNKED_DATA) {
            take_byte(chunked, in[i++]);
            continue;
        }
        size_t part = size - i;
        if (part > chunked->left)
            part = (size_t) chunked->left;
        memmove(to + written, in + i, part);
        written += part;
        i += part;
        chunked->left -= part;
        if (chunked->left == 0)
            chunked->step = CHUNKED_DATA_END;
    }
    return written;
}
