/* keys.h: CURVE keys: making them, their text, and the file a process keeps its own in.
 *
 * A process's key is its name: there is one for each role, in a file that only its owner can read. As
 * text a key is 40 characters of Z85. The file is a certificate as CZMQ's zcert and pyzmq's zmq.auth write it:
 *
 *     metadata
 *         role = "engine"
 *     curve
 *         public-key = "..."
 *         secret-key = "..."
 *
 * Theirs are read like ours. One that names no role is good for each. Where FILE has the public half
 * alone, as both write it for others, the secret half is read from FILE_secret. Before, our files had the
 * three lines "role ...", "public ..." and "secret ..."; those are read, too. */
#ifndef ARBITER_BUS_KEYS_H
#define ARBITER_BUS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define BUS_KEY_SIZE 32
#define BUS_KEY_TEXT 41 /* With the closing NUL. */
#define BUS_ROLE_MAX 16

struct bus_keys {
    char    role[BUS_ROLE_MAX]; /* "engine": what the key is for.                                 */
    uint8_t public_key[BUS_KEY_SIZE];
    uint8_t secret_key[BUS_KEY_SIZE];
};

/* A fresh pair. */
void bus_keys_make(struct bus_keys *keys, const char *role);
/* Writes a file that must not be there yet, mode 0600, synced. False, and a sentence. */
bool bus_keys_save(const struct bus_keys *keys, const char *path, struct text *fault);
/* Reads a file; refuses a secret that others may read, one that is for another role (NULL: any), or whose two
 * halves do not belong together. False, and a sentence with the remedy. */
bool bus_keys_load(struct bus_keys *keys, const char *path, const char *role, struct text *fault);
/* The same of the key that stands behind the line "name NAME" in a file of several. */
bool bus_keys_pick(struct bus_keys *keys, const char *path, const char *name, const char *role,
                   struct text *fault);
/* The word behind "what " at the beginning of a line of such a file; false, and a sentence: there is none. */
bool bus_keys_word(char *word, size_t word_max, const char *path, const char *what,
                   struct text *fault);

/* A key as text and back; false: it is none. */
void bus_key_write(char text[BUS_KEY_TEXT], const uint8_t key[BUS_KEY_SIZE]);
bool bus_key_read(uint8_t key[BUS_KEY_SIZE], const char *text);
/* The public key that somebody named: by its text, or by a file that has it. False, and a sentence. */
bool bus_key_find(uint8_t key[BUS_KEY_SIZE], const char *named, struct text *fault);

#endif
