/* manifest.h: what a backup consists of: backup.json, written last, names every file with its size and hash. */
#ifndef ARBITER_MANIFEST_H
#define ARBITER_MANIFEST_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define MANIFEST_NAME "backup.json"
#define MANIFEST_FILES_MAX 2048
#define MANIFEST_PATH_MAX 128
#define MANIFEST_HASH_TEXT 65 /* SHA-256 in hexadecimal, with the closing NUL. */

struct manifest_file {
    char path[MANIFEST_PATH_MAX]; /* Below the backup, as below a home: "data/engine/journal.db". */
    uint64_t bytes;
    char     hash[MANIFEST_HASH_TEXT];
    uint32_t version; /* Of a store's schema; 0: it is no store.                                  */
};

struct manifest {
    char     made[32]; /* The moment it shows, for people: "2026-11-19T01:40:00Z".                */
    uint32_t count;
    struct manifest_file file[MANIFEST_FILES_MAX];
};

/* Adds a file of `folder` as it is now: reads and hashes it. False after a complaint. */
bool     manifest_add(struct manifest *manifest, const char *folder, const char *path,
                      uint32_t version);
/* Writes FOLDER/backup.json, whole or not at all; false after a complaint. */
bool     manifest_write(const struct manifest *manifest, const char *folder);
/* Reads it, with distrust; false after a complaint. */
bool     manifest_read(struct manifest *manifest, const char *folder);
/* All bytes together. */
uint64_t manifest_bytes(const struct manifest *manifest);

/* Size and hash of a file; false: it cannot be read (errno). */
bool manifest_hash(const char *path, uint64_t *bytes, char hash[MANIFEST_HASH_TEXT]);
/* Makes all folders of a path, private; false after a complaint. */
bool manifest_folders(const char *path);
/* Keeps others of our kind out of a folder, until it is closed or we end; -1 after a complaint. */
int  manifest_hold(const char *folder);
/* Takes away what lies in a folder and is not named: left by another try, of another backup. */
bool manifest_sweep(const struct manifest *manifest, const char *folder);
/* Copies a file, mode 0600, synced, under its name only when it is whole; `told` as in store/moment.h. False
 * after a complaint. */
bool manifest_copy(const char *from, const char *to, bool (*told)(void *taker, uint64_t bytes),
                   void *taker);

#endif
