/* box.c: see box.h. Pure. */
#include "wire/box.h"

#include <string.h>

#include "wire/order.h"

/* Labels keep the uses of one key apart; a hash under one can never stand for another. */
static const char seat_label[] = "arbiter seat key";
static const char nonce_label[] = "arbiter box nonce";

void box_keys_of_key(struct box_keys *keys, const struct crypto_ops *crypto,
                     const uint8_t key[CRYPTO_KEY_SIZE], uint32_t seat, uint32_t generation)
{
    const struct piece label = { nonce_label, sizeof nonce_label - 1 };
    memcpy(keys->seal, key, sizeof keys->seal);
    crypto->keyed(keys->nonce, sizeof keys->nonce, key, &label, 1);
    keys->seat = seat;
    keys->generation = generation;
}

void box_keys_of_secret(struct box_keys *keys, const struct crypto_ops *crypto,
                        const uint8_t secret[CRYPTO_KEY_SIZE], uint32_t seat, uint32_t generation)
{
    uint8_t numbers[8];
    uint8_t key[CRYPTO_KEY_SIZE];
    order_put(order_put(numbers, seat, 4), generation, 4);
    const struct piece pieces[] = { { seat_label, sizeof seat_label - 1 },
                                    { numbers, sizeof numbers } };
    crypto->keyed(key, sizeof key, secret, pieces, 2);
    box_keys_of_key(keys, crypto, key, seat, generation);
}

static void nonce_of(uint8_t nonce[CRYPTO_NONCE_SIZE], const struct crypto_ops *crypto,
                     const struct box_keys *keys, const struct box_place *place,
                     const uint8_t *text, size_t size)
{
    uint8_t  numbers[8 + 8 + 4 + 4];
    uint8_t *at = order_put(order_put(numbers, place->epoch, 8), place->number, 8);
    order_put(order_put(at, keys->seat, 4), keys->generation, 4);
    const struct piece pieces[] = { { place->match_id, sizeof place->match_id },
                                    { numbers, sizeof numbers },
                                    { text, size } };
    crypto->keyed(nonce, CRYPTO_NONCE_SIZE, keys->nonce, pieces, 3);
}

void box_seal(uint8_t *box, const struct crypto_ops *crypto, const struct box_keys *keys,
              const struct box_place *place, const uint8_t *text, size_t size)
{
    nonce_of(box, crypto, keys, place, text, size);
    crypto->seal(box + CRYPTO_NONCE_SIZE, text, size, box, keys->seal);
}

bool box_open(uint8_t *text, const struct crypto_ops *crypto, const struct box_keys *keys,
              const struct box_place *place, const uint8_t *box, size_t size)
{
    uint8_t nonce[CRYPTO_NONCE_SIZE];
    if (size < BOX_OVERHEAD ||
        !crypto->open(text, box + CRYPTO_NONCE_SIZE, size - CRYPTO_NONCE_SIZE, box, keys->seal))
        return false;
    nonce_of(nonce, crypto, keys, place, text, size - BOX_OVERHEAD);
    return memcmp(nonce, box, sizeof nonce) == 0;
}
