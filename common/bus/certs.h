/* certs.h: the text of a key file: a certificate of ZeroMQ's, or the three lines that older builds wrote.
 *
 * keys.h shows both. This reads and writes their text; whether the keys in it are good, and who may read
 * the file, is keys.c's to judge. */
#ifndef ARBITER_BUS_CERTS_H
#define ARBITER_BUS_CERTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bus/keys.h"

/* What the text says; a word that is not there is empty. Keys have room for one character too many, so that one
 * that is too long is seen. */
struct certs_words {
    char role[BUS_ROLE_MAX], public_text[BUS_KEY_TEXT + 1], secret_text[BUS_KEY_TEXT + 1];
};

/* The text of a certificate; whoever asked frees it. NULL: no memory. */
char *certs_compose(const struct bus_keys *keys);
/* False: it is no key file. */
bool  certs_read(struct certs_words *words, const char *bytes);
/* The word behind "NAME " at the beginning of a line; false: no such line, or too long. */
bool  certs_find_line(const char *bytes, const char *name, char *word, size_t word_max);

#endif
