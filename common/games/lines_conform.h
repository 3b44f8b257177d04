/* lines_conform.h: the lines of a recording, one JSON value each.
 *
 * Blank lines may stand behind the last one, where editors and shells leave them, and nowhere else. */
#ifndef ARBITER_LINES_CONFORM_H
#define ARBITER_LINES_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline bool recording_line_is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* The next line into `text`, as getline has it, and its number; false behind the last one. A blank line
 * with another one behind it comes as the empty text, which is no JSON, so that whoever reads it says so. */
static inline bool recording_line(FILE *file, char **text, size_t *capacity, uint32_t *number)
{
    uint32_t blank = 0;
    while (getline(text, capacity, file) > 0) {
        if (recording_line_is_blank(*text)) {
            blank++;
            continue;
        }
        ++*number;
        if (blank > 0)
            (*text)[0] = '\0';
        return true;
    }
    return false;
}

#endif
