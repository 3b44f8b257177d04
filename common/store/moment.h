/* moment.h: the files of several stores at one moment, copied while their owners go on writing.
 *
 * What one service says another has kept, so copies of two moments may contradict each other. A
 * moment stops the writers of all files for the milliseconds in which a reader of each begins, and
 * then lets them go on. So the readers see what was committed at that one instant. A machine would
 * find the same if every process had been killed then. It needs no schema: a file is copied as it
 * is, whatever stands in it. */
#ifndef ARBITER_STORE_MOMENT_H
#define ARBITER_STORE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define MOMENT_FILES_MAX 64

struct moment;

/* Takes one of up to MOMENT_FILES_MAX files; NULL, and a sentence. */
struct moment *moment_take(const char *const *paths, uint32_t count, struct text *fault);
/* What a copy of the file will take. */
uint64_t       moment_bytes(const struct moment *moment, uint32_t file);
/* Copies a file to FOLDER/NAME, which must not be there yet; it is whole and synced, or false and not there.
 * `told` (or NULL) hears now and then how many bytes are done; false from it ends the copy. */
bool moment_copy(struct moment *moment, uint32_t file, const char *folder, const char *name,
                 bool (*told)(void *taker, uint64_t bytes), void *taker, struct text *fault);
void moment_release(struct moment **moment);

#endif
