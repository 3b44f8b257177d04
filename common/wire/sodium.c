/* sodium.c: the table of crypto.h, made of libsodium. Not pure. */
#include <assert.h>
#include <sodium.h>

#include "wire/crypto.h"

_Static_assert(CRYPTO_HASH_SIZE == crypto_hash_sha256_BYTES, "SHA-256");
_Static_assert(CRYPTO_KEY_SIZE == crypto_secretbox_KEYBYTES, "a seat's key");
_Static_assert(CRYPTO_NONCE_SIZE == crypto_secretbox_NONCEBYTES, "a box's nonce");
_Static_assert(CRYPTO_TAG_SIZE == crypto_secretbox_MACBYTES, "what sealing adds");

static void hash_pieces(uint8_t hash[CRYPTO_HASH_SIZE], const struct piece *pieces, uint32_t count)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (uint32_t i = 0; i < count; i++)
        crypto_hash_sha256_update(&state, pieces[i].bytes, pieces[i].size);
    crypto_hash_sha256_final(&state, hash);
}

static void keyed_pieces(uint8_t *hash, size_t size, const uint8_t key[CRYPTO_KEY_SIZE],
                         const struct piece *pieces, uint32_t count)
{
    crypto_generichash_state state;
    int                      failed = crypto_generichash_init(&state, key, CRYPTO_KEY_SIZE, size);
    assert(!failed);
    for (uint32_t i = 0; i < count; i++)
        crypto_generichash_update(&state, pieces[i].bytes, pieces[i].size);
    failed = crypto_generichash_final(&state, hash, size);
    assert(!failed);
    sodium_memzero(&state, sizeof state);
}

static void seal_text(uint8_t *sealed, const uint8_t *text, size_t size,
                      const uint8_t nonce[CRYPTO_NONCE_SIZE], const uint8_t key[CRYPTO_KEY_SIZE])
{
    int failed = crypto_secretbox_easy(sealed, text, size, nonce, key);
    assert(!failed);
}

static bool open_text(uint8_t *text, const uint8_t *sealed, size_t size,
                      const uint8_t nonce[CRYPTO_NONCE_SIZE], const uint8_t key[CRYPTO_KEY_SIZE])
{
    return size >= CRYPTO_TAG_SIZE &&
           crypto_secretbox_open_easy(text, sealed, size, nonce, key) == 0;
}

const struct crypto_ops crypto_sodium = { hash_pieces, keyed_pieces, seal_text, open_text };
