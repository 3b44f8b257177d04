/* match_mend.h: match files mended after a fuzzer changed them, so that it gets past checks and chain. */
#ifndef ARBITER_FUZZ_MATCH_MEND_H
#define ARBITER_FUZZ_MATCH_MEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/match.h"

/* Gives every record a length that fits, and its check, in place. */
void     match_mend_checks(uint8_t *bytes, size_t size);
/* Writes the file again with every chain right for what now stands in it. Allocated; NULL if its bytes
 * are no records, or lack what a chain is made of. */
uint8_t *match_mend_chains(const uint8_t *bytes, size_t size, size_t *written);
/* A hash of all that a file proves. Left out is what stands in it for people alone: who sat where,
 * times, requests, contributions that were never revealed. Epochs are left out, too: boxes prove
 * them where there are any. False: these are no records. */
bool     match_essence(const uint8_t *bytes, size_t size, uint8_t hash[MATCH_HASH_SIZE]);

#endif
