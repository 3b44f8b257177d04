/* export.h: a match out of the engine's journal, as a file that stands for itself. */
#ifndef ARBITER_EXPORT_H
#define ARBITER_EXPORT_H

#include <stdint.h>

/* Writes the match of this id, whose journal lies in the home at `where` (NULL: the usual one), to `path`.
 * A console_exit; what is wrong has been said. */
int export_match(const char *where, const uint8_t *id, const char *path);

#endif
