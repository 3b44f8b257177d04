/* files.h: the folder a store's files lie in: made, synced, and locked for one owner. */
#ifndef ARBITER_STORE_FILES_H
#define ARBITER_STORE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define PATH_BYTES 4096

/* folder/NAME.suffix; false and a sentence if that is too long. */
bool path_in(char path[PATH_BYTES], const char *folder, const char *name, const char *suffix,
             struct text *fault);
/* Makes the folder, for its owner's eyes only, unless it is there; whoever stands above it must be. */
bool folder_make(const char *folder, struct text *fault);
/* Makes an empty file in the folder, for its owner's eyes only, unless it is there. */
bool file_make(const char *path, const char *folder, struct text *fault);
/* A new name in a folder is as safe as the folder's own sync. */
bool folder_sync(const char *folder, struct text *fault);

/* Locks folder/NAME.lock, made if need be, and writes who we are into it. The lock dies with the
 * descriptor that is returned. -1: a sentence with the remedy. */
int     lock_take(const char *folder, const char *name, struct text *fault);
/* The process that holds this lock, or -1 if it does not say; 0: nobody does. */
int64_t lock_owner(const char *folder, const char *name);

#endif
