/* crypto.h: the four things cores need of cryptography, as a table of functions.
 *
 * Cores and everything here that seals and chains are pure; the shell hands them this table, filled by
 * sodium.c. A text to hash comes as pieces, so that nobody copies bytes together to hash them. */
#ifndef ARBITER_CRYPTO_H
#define ARBITER_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRYPTO_HASH_SIZE 32 /* SHA-256; also BLAKE2b's usual size here. */
#define CRYPTO_KEY_SIZE 32
#define CRYPTO_NONCE_SIZE 24 /* XSalsa20's.                              */
#define CRYPTO_TAG_SIZE 16   /* Poly1305's; what sealing adds.           */

struct piece {
    const void *bytes;
    size_t      size;
};

struct crypto_ops {
    /* SHA-256 of the pieces, one after the other. */
    void (*hash)(uint8_t hash[CRYPTO_HASH_SIZE], const struct piece *pieces, uint32_t count);
    /* Keyed BLAKE2b of the pieces; `size` is 16 to 64. */
    void (*keyed)(uint8_t *hash, size_t size, const uint8_t key[CRYPTO_KEY_SIZE],
                  const struct piece *pieces, uint32_t count);
    /* Secretbox (XSalsa20-Poly1305); writes CRYPTO_TAG_SIZE bytes more than `size`. */
    void (*seal)(uint8_t *sealed, const uint8_t *text, size_t size,
                 const uint8_t nonce[CRYPTO_NONCE_SIZE], const uint8_t key[CRYPTO_KEY_SIZE]);
    /* The way back; false, and nothing is written, if a bit of it is not what was sealed. `size` is of
     * what was sealed, CRYPTO_TAG_SIZE included. */
    bool (*open)(uint8_t *text, const uint8_t *sealed, size_t size,
                 const uint8_t nonce[CRYPTO_NONCE_SIZE], const uint8_t key[CRYPTO_KEY_SIZE]);
};

/* The table made of libsodium; sodium_init must have been called, once, by the process. */
extern const struct crypto_ops crypto_sodium;

#endif
