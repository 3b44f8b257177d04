/* holes.h: a word of a command line in which names in braces stand for values, as {port} for a port.
 *
 * Braces with any other name in them are just letters. A value is put in as it is, so no value becomes two words. */
#ifndef ARBITER_HOLES_H
#define ARBITER_HOLES_H

#include <stddef.h>

struct hole {
    const char *name;  /* "{port}". */
    const char *value; /* NULL: there is none; nothing stands in its place then. */
};

/* The hole whose name stands at this place; NULL: none. */
const struct hole *hole_at(const char *at, const struct hole *holes, size_t count);
/* The word with all of them filled in. The caller frees it. */
char              *holes_fill(const char *word, const struct hole *holes, size_t count);

#endif
