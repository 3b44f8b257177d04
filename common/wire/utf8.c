/* utf8.c: the table of well-formed sequences from RFC 3629, section 4, as code, and which characters are
 * not shown. Pure. */
#include "wire/utf8.h"

#include "wire/utf8_ranges.h"

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

size_t utf8_character(const uint8_t *bytes, size_t left, uint32_t *code)
{
    if (left == 0)
        return 0;
    *code = bytes[0];
    if (bytes[0] < 0x80)
        return 1;
    size_t size = sequence(bytes, left);
    if (size == 0)
        return 0;
    *code = bytes[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++)
        *code = *code << 6 | (bytes[i] & 0x3f);
    return size;
}

/* The ranges grow. */
static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (code > ranges[middle].last)
            from = middle + 1;
        else
            to = middle;
    }
    return from < count && code >= ranges[from].first;
}

bool utf8_is_shown(uint32_t code)
{
    static const struct range hidden[] = {
        { 0x0, 0x1f },        { 0x7f, 0x9f },     { 0xad, 0xad },       { 0x34f, 0x34f },
        { 0x600, 0x605 },     { 0x61c, 0x61c },   { 0x6dd, 0x6dd },     { 0x70f, 0x70f },
        { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },   { 0x200b, 0x200f },
        { 0x2028, 0x202e },   { 0x2060, 0x206f }, { 0x3164, 0x3164 },   { 0xfeff, 0xfeff },
        { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
        { 0xe0000, 0xe0fff },
    };
    return !is_in(code, hidden, sizeof hidden / sizeof *hidden);
}

bool utf8_is_of_name(uint32_t code)
{
    return utf8_is_shown(code) && !is_in(code, unseen, sizeof unseen / sizeof *unseen);
}

bool utf8_may_follow(uint32_t before, uint32_t code)
{
    bool has_base = before != 0 && before != ' ' && utf8_is_of_name(before);
    return has_base || !is_in(code, marks, sizeof marks / sizeof *marks);
}

bool utf8_is_name(const uint8_t *bytes, size_t size)
{
    uint32_t code, before = 0;
    size_t   step;
    for (size_t at = 0; at < size; at += step, before = code) {
        step = utf8_character(bytes + at, size - at, &code);
        if (step == 0 || !utf8_is_of_name(code) || !utf8_may_follow(before, code))
            return false;
    }
    return size > 0;
}

size_t utf8_seen(uint8_t *to, const uint8_t *bytes, size_t size)
{
    uint32_t code, before = 0;
    size_t   step, length = 0;
    for (size_t at = 0; at < size; at += step) {
        step = utf8_character(bytes + at, size - at, &code);
        if (step == 0) {
            code = bytes[at];
            step = 1;
        }
        if (!utf8_is_of_name(code) || !utf8_may_follow(before, code))
            continue;
        for (size_t i = 0; i < step; i++)
            to[length++] = bytes[at + i];
        before = code;
    }
    return length;
}
