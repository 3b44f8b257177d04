/* chain.h: the hash that makes a match's past unchangeable. Pure; handed the crypto it needs.
 *
 *     chain 0 = SHA-256 of the header
 *     chain n = SHA-256(chain n-1 | number | actor | length, keyed hash of the command | length, body)
 *
 * Numbers are in network byte order, number 8 bytes, actor 4, lengths 8. The command goes in as a hash
 * under the match's secret: a plain one would let anyone guess a secret choice from twelve
 * candidates. With the secret, shown at the end, everybody can check it. */
#ifndef ARBITER_CHAIN_H
#define ARBITER_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "wire/crypto.h"

/* What chain 0 is the hash of: each field behind its length. */
struct chain_header {
    uint8_t     match_id[16];
    uint32_t    protocol; /* The match's.                                           */
    uint32_t    rules_version;
    uint32_t    seats;
    const char *game;
    size_t      game_size;
    const void *setup; /* As it was written.                                         */
    size_t      setup_size;
    const void *options; /* As they were written; NULL without.                      */
    size_t      options_size;
    const char *dice; /* "java", "splitmix", "chacha".                               */
    size_t      dice_size;
    const void *commitment; /* Hosted dice: 32 bytes. Open dice: the seed, 8 bytes.  */
    size_t      commitment_size;
    const void *
        contributors; /* From protocol 2 on: of each contributor its seat and its origin, a byte each. */
    size_t contributors_size;
};

void chain_begin(uint8_t chain[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto,
                 const struct chain_header *header);
/* The hash of a command under the match's secret. */
void chain_command(uint8_t hash[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto,
                   const uint8_t secret[CRYPTO_KEY_SIZE], const uint8_t *command, size_t size);
/* From chain number-1, in place, to chain `number`. */
void chain_next(uint8_t chain[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto, uint64_t number,
                uint32_t actor, const uint8_t command_hash[CRYPTO_HASH_SIZE], const uint8_t *body,
                size_t size);

#endif
