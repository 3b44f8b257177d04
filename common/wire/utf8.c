/* utf8.c: the table of well-formed sequences from RFC 3629, section 4, as code. Pure. */
#include "wire/utf8.h"

static bool is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* The length of the well-formed sequence of two or more bytes at `at`; 0 if there is none. */
static size_t sequence(const uint8_t *at, size_t left)
{
    uint8_t lead = at[0];
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (left < size)
        return 0;
    /* The second byte alone tells overlong forms, surrogates and what lies above U+10FFFF. */
    uint8_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    uint8_t most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (at[1] < least || at[1] > most)
        return 0;
    for (size_t i = 2; i < size; i++)
        if (!is_tail(at[i]))
            return 0;
    return size;
}

bool utf8_is_string(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (at < size) {
        if (bytes[at] == 0)
            return false;
        size_t step = bytes[at] < 0x80 ? 1 : sequence(bytes + at, size - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}
