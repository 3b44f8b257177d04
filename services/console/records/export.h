/* export.h: a match out of the engine's journal, as a file that stands for itself. */
#ifndef ARBITER_EXPORT_H
#define ARBITER_EXPORT_H

#include <stdint.h>

/* Where the journal is. */
struct export_place {
    const char *home;  /* NULL: the usual one.                                                   */
    const char *store; /* A database instead; NULL: none.                                        */
};

/* Writes the match of this id to `path`. A console_exit; what is wrong has been said. */
int export_match(const struct export_place *place, const uint8_t *id, const char *path);

#endif
