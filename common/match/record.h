/* record.h: one record of a match file as bytes: length, check, the message. Pure.
 *
 * Whoever writes match files writes them with this: a program into a file, an engine into an answer. */
#ifndef ARBITER_MATCH_RECORD_H
#define ARBITER_MATCH_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "contract/match.pb-c.h"
#include "wire/crypto.h"

#define MATCH_FILE_MAGIC "arbiter match 1\n"
#define MATCH_FILE_MAGIC_SIZE 16
#define MATCH_RECORD_FRAME 12u /* Length and check. */
#define MATCH_RECORD_CHECK 8u

/* How many bytes it takes, frame included. */
size_t match_record_size(const Arbiter__Match__Record *record);
/* Writes them; `to` has room for match_record_size bytes. */
void   match_record_write(uint8_t *to, const Arbiter__Match__Record *record,
                          const struct crypto_ops *crypto);

#endif
