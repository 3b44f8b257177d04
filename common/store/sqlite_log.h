/* sqlite_log.h: a write-ahead log read frame by frame, before SQLite reads it.
 *
 * SQLite takes a log up to its first broken frame, and forgets the rest without a word. That is right for what a
 * crash leaves: the last transaction, half written. It is wrong when whole transactions stand behind the broken
 * frame. Each was synced before the next one began, so no crash leaves that: somebody or something changed bytes. */
#ifndef ARBITER_SQLITE_LOG_H
#define ARBITER_SQLITE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct sqlite_log {
    uint64_t frames;  /* Whole ones, from the log's beginning.                                  */
    uint64_t offset;  /* Where the first broken one begins; the log's end without one.          */
    uint64_t behind;  /* Whole frames that stand behind the broken one's transaction.           */
    uint64_t commits; /* So many of these end a transaction.                                    */
    uint64_t newest;  /* Which use of the file it is: its salts.                                */
};

/* Reads folder/name.db-wal, or nothing if it is not there. False, and a sentence: it cannot be read. */
bool sqlite_log_read(const char *folder, const char *name, struct sqlite_log *log,
                     struct text *fault);
/* False, and a sentence with the remedy: the log is damaged in the middle. It may be written meanwhile, if `is_in_use`. */
bool sqlite_log_is_whole(const char *folder, const char *name, bool is_in_use, struct text *fault);
/* Ends a damaged log where it is broken, under the store's lock; the whole one is kept beside it as
 * NAME.db-wal.damaged. False, and a sentence. `log` says what was given up. */
bool sqlite_log_cut(const char *folder, const char *name, struct sqlite_log *log,
                    struct text *fault);

#endif
