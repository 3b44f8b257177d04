/* chain.c: see chain.h. Pure. */
#include "wire/chain.h"

#include <string.h>

#include "wire/order.h"

static const char header_label[] = "arbiter match";
static const char command_label[] = "arbiter command";

/* A list of pieces in which each is preceded by its length, so that no two headers are one text. */
struct list {
    struct piece pieces[18];
    uint8_t      lengths[9][8];
    uint32_t     count;
};

static void add(struct list *list, const void *bytes, size_t size)
{
    uint8_t *length = list->lengths[list->count / 2];
    order_put(length, size, 8);
    list->pieces[list->count++] = (struct piece){ length, 8 };
    list->pieces[list->count++] = (struct piece){ bytes, size };
}

void chain_begin(uint8_t chain[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto,
                 const struct chain_header *header)
{
    struct list list = { .count = 0 };
    uint8_t     numbers[12];
    order_put(order_put(order_put(numbers, header->protocol, 4), header->rules_version, 4),
              header->seats, 4);
    add(&list, header_label, sizeof header_label - 1);
    add(&list, header->match_id, sizeof header->match_id);
    add(&list, numbers, sizeof numbers);
    add(&list, header->game, header->game_size);
    add(&list, header->setup, header->setup_size);
    add(&list, header->options, header->options_size);
    add(&list, header->dice, header->dice_size);
    add(&list, header->commitment, header->commitment_size);
    if (header->protocol >= 2)
        add(&list, header->contributors, header->contributors_size);
    crypto->hash(chain, list.pieces, list.count);
}

void chain_command(uint8_t hash[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto,
                   const uint8_t secret[CRYPTO_KEY_SIZE], const uint8_t *command, size_t size)
{
    const struct piece pieces[] = { { command_label, sizeof command_label - 1 },
                                    { command, size } };
    crypto->keyed(hash, CRYPTO_HASH_SIZE, secret, pieces, 2);
}

void chain_next(uint8_t chain[CRYPTO_HASH_SIZE], const struct crypto_ops *crypto, uint64_t number,
                uint32_t actor, const uint8_t command_hash[CRYPTO_HASH_SIZE], const uint8_t *body,
                size_t size)
{
    /* chain, number, actor, length and hash stand in one row; then the body behind its length. */
    uint8_t  front[CRYPTO_HASH_SIZE + 8 + 4 + 8 + CRYPTO_HASH_SIZE + 8];
    uint8_t *at = front;
    memcpy(at, chain, CRYPTO_HASH_SIZE);
    at = order_put(order_put(at + CRYPTO_HASH_SIZE, number, 8), actor, 4);
    at = order_put(at, CRYPTO_HASH_SIZE, 8);
    memcpy(at, command_hash, CRYPTO_HASH_SIZE);
    order_put(at + CRYPTO_HASH_SIZE, size, 8);
    const struct piece pieces[] = { { front, sizeof front }, { body, size } };
    crypto->hash(chain, pieces, 2);
}
