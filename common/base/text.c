/* text.c: see text.h. */
#include "base/text.h"

#include <string.h>

void text_clear(struct text *text)
{
    text->size = 0;
    text->bytes[0] = '\0';
}

void text_put_bytes(struct text *text, const char *bytes, size_t size)
{
    size_t room = TEXT_MAX - 1 - text->size;
    if (size > room)
        size = room;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += (uint32_t) size;
    text->bytes[text->size] = '\0';
}

/* Written out because strlen is a library call, and this file is linked into the rules. The
 * volatile-free loop over memcmp would be slower to read; compilers are told not to turn this
 * one back into strlen (-fno-builtin for this library). */
size_t text_length(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

void text_put(struct text *text, const char *string)
{
    text_put_bytes(text, string, text_length(string));
}

void text_put_number(struct text *text, int64_t number)
{
    char     digits[20];
    size_t   at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t) number : (uint64_t) number;

    do {
        digits[--at] = (char) ('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        text_put_bytes(text, "-", 1);
    text_put_bytes(text, digits + at, sizeof digits - at);
}

bool text_is(const char *bytes, size_t size, const char *string)
{
    return size == text_length(string) && memcmp(bytes, string, size) == 0;
}

bool text_copy(char *to, size_t capacity, const char *from)
{
    size_t size = from == NULL ? 0 : text_length(from);
    if (size >= capacity)
        return false;
    memset(to, 0, capacity);
    if (size > 0)
        memcpy(to, from, size);
    return true;
}
