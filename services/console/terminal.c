/* terminal.c: text of others without their control characters, and colour where a terminal is. */
#include "services/console/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_has_colour(FILE *out)
{
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && getenv("NO_COLOR") == NULL && term != NULL &&
           strcmp(term, "dumb") != 0;
}

/* The bytes of the UTF-8 character that begins here; 0 if none does (RFC 3629, table 3-7 of Unicode:
 * no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t character_size(const unsigned char *bytes, size_t left)
{
    unsigned char first = bytes[0];
    size_t        size = first < 0x80   ? 1
                         : first < 0xc2 ? 0
                         : first < 0xe0 ? 2
                         : first < 0xf0 ? 3
                         : first < 0xf5 ? 4
                                        : 0;
    if (size == 0 || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] > 0x9f) ||
        (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] > 0x8f))
        return 0;
    return size;
}

static bool is_control(const unsigned char *bytes, size_t size)
{
    if (size == 1)
        return bytes[0] < 0x20 || bytes[0] == 0x7f;
    return size == 2 && bytes[0] == 0xc2 && bytes[1] < 0xa0; /* C1: U+0080 to U+009F. */
}

void terminal_put(FILE *out, const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *) bytes;
    while (size > 0) {
        size_t step = character_size(at, size);
        if (step == 0 || is_control(at, step)) {
            fputc('?', out);
            step = step == 0 ? 1 : step;
        } else {
            fwrite(at, 1, step, out);
        }
        at += step;
        size -= step;
    }
}

void terminal_put_in(FILE *out, bool coloured, enum colour colour, const char *string)
{
    static const char *const codes[] = { "0", "2", "1", "31", "32", "33" };
    bool                     painted = coloured && colour != COLOUR_NONE && string[0] != '\0';
    if (painted)
        fprintf(out, "\033[%sm", codes[colour]);
    terminal_put(out, string, strlen(string));
    if (painted)
        fputs("\033[0m", out);
}
