/* box.h: a seat's key, and the box that only its holder opens. Pure; handed the crypto it needs.
 *
 * A box is its nonce (24 bytes), then a secretbox. The nonce is a keyed hash of the box's place and
 * content, not a counter and not random. So the same act gives the same bytes. And a store that was
 * rolled back and goes on differently can never use a nonce for another text. The opener computes
 * the nonce again from what the box holds, so a box moved to another act, match or seat does not
 * open. */
#ifndef ARBITER_BOX_H
#define ARBITER_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/crypto.h"

/* Bytes a box is longer than its text. */
#define BOX_OVERHEAD (CRYPTO_NONCE_SIZE + CRYPTO_TAG_SIZE)
#define BOX_MATCH_ID_SIZE 16

/* A seat's keys of one generation. */
struct box_keys {
    uint8_t  seal[CRYPTO_KEY_SIZE];  /* The seat's key: what `attach` hands out.  */
    uint8_t  nonce[CRYPTO_KEY_SIZE]; /* A subkey of it, for nonces.               */
    uint32_t seat;
    uint32_t generation; /* From 1; the next one with each change of hands.       */
};

/* Where a box stands. */
struct box_place {
    uint8_t  match_id[BOX_MATCH_ID_SIZE];
    uint64_t epoch;  /* Of the act's commit.  */
    uint64_t number; /* Of the act.           */
};

/* The engine's way to a seat's keys: from the match's sealing secret. */
void box_keys_of_secret(struct box_keys *keys, const struct crypto_ops *crypto,
                        const uint8_t secret[CRYPTO_KEY_SIZE], uint32_t seat, uint32_t generation);
/* A player's way: from the key that the player was handed. */
void box_keys_of_key(struct box_keys *keys, const struct crypto_ops *crypto,
                     const uint8_t key[CRYPTO_KEY_SIZE], uint32_t seat, uint32_t generation);

/* Seals a padded text; writes size + BOX_OVERHEAD bytes. */
void box_seal(uint8_t *box, const struct crypto_ops *crypto, const struct box_keys *keys,
              const struct box_place *place, const uint8_t *text, size_t size);
/* Opens a box of `size` bytes; writes size - BOX_OVERHEAD bytes. False: it is not this seat's, not of
 * this place, or damaged, and what was written is to be thrown away. */
bool box_open(uint8_t *text, const struct crypto_ops *crypto, const struct box_keys *keys,
              const struct box_place *place, const uint8_t *box, size_t size);

#endif
