/* holes.c: see holes.h. */
#include "services/console/command/holes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct hole *hole_at(const char *at, const struct hole *holes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(at, holes[i].name, strlen(holes[i].name)) == 0)
            return &holes[i];
    return NULL;
}

char *holes_fill(const char *word, const struct hole *holes, size_t count)
{
    size_t size;
    char  *text = NULL;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    while (*word != '\0') {
        const struct hole *hole = hole_at(word, holes, count);
        if (hole == NULL) {
            (void) fputc(*word++, out);
            continue;
        }
        (void) fputs(hole->value != NULL ? hole->value : "", out);
        word += strlen(hole->name);
    }
    (void) fclose(out);
    return text;
}
