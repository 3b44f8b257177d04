/* commitment.c: hashes, the two rounds of contributions, and the key they make. */
#include "dice/commitment.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

_Static_assert(COMMITMENT_BYTES == crypto_hash_sha256_BYTES, "a commitment is a SHA-256");
_Static_assert(SECRET_BYTES == crypto_auth_hmacsha256_KEYBYTES, "the secret is the HMAC's key");
_Static_assert(DICE_KEY_BYTES == crypto_auth_hmacsha256_BYTES, "the HMAC is the dice's key");

void commit_secret(const uint8_t secret[SECRET_BYTES], uint8_t commitment[COMMITMENT_BYTES])
{
    crypto_hash_sha256(commitment, secret, SECRET_BYTES);
}

void commit_bytes(const uint8_t bytes[CONTRIBUTION_BYTES], uint8_t commitment[COMMITMENT_BYTES])
{
    crypto_hash_sha256(commitment, bytes, CONTRIBUTION_BYTES);
}

/* The second round begins by itself when nobody is awaited in the first. */
static void turn_round(struct contributions *table)
{
    if (table->awaited != 0 || table->revealing)
        return;
    table->revealing = 1;
    table->awaited = table->posted;
}

void contributions_open(struct contributions *table, const uint8_t match_id[MATCH_ID_BYTES],
                        const uint8_t house[COMMITMENT_BYTES], uint32_t seats)
{
    assert(seats >> CONTRIBUTORS_MAX == 0);
    memset(table, 0, sizeof *table);
    memcpy(table->match_id, match_id, MATCH_ID_BYTES);
    memcpy(table->house, house, COMMITMENT_BYTES);
    table->awaited = seats;
    turn_round(table);
}

static bool is_awaited(const struct contributions *table, uint32_t seat)
{
    return seat < CONTRIBUTORS_MAX && (table->awaited >> seat & 1) != 0;
}

bool contributions_post(struct contributions *table, uint32_t seat,
                        const uint8_t hash[COMMITMENT_BYTES])
{
    if (table->revealing || !is_awaited(table, seat))
        return false;
    memcpy(table->hash[seat], hash, COMMITMENT_BYTES);
    table->posted |= UINT32_C(1) << seat;
    table->awaited &= ~(UINT32_C(1) << seat);
    turn_round(table);
    return true;
}

bool contributions_reveal(struct contributions *table, uint32_t seat,
                          const uint8_t bytes[CONTRIBUTION_BYTES])
{
    uint8_t hash[COMMITMENT_BYTES];

    if (!table->revealing || !is_awaited(table, seat))
        return false;
    commit_bytes(bytes, hash);
    if (memcmp(hash, table->hash[seat], COMMITMENT_BYTES) != 0)
        return false;
    memcpy(table->bytes[seat], bytes, CONTRIBUTION_BYTES);
    table->revealed |= UINT32_C(1) << seat;
    table->awaited &= ~(UINT32_C(1) << seat);
    return true;
}

void contributions_silent(struct contributions *table, uint32_t seats)
{
    table->awaited &= ~seats;
    turn_round(table);
}

bool contributions_done(const struct contributions *table)
{
    return table->revealing && table->awaited == 0;
}

bool contributions_key(const struct contributions *table, const uint8_t secret[SECRET_BYTES],
                       uint8_t key[DICE_KEY_BYTES])
{
    crypto_auth_hmacsha256_state hmac;
    uint8_t                      house[COMMITMENT_BYTES];

    commit_secret(secret, house);
    if (!contributions_done(table) || memcmp(house, table->house, COMMITMENT_BYTES) != 0)
        return false;
    crypto_auth_hmacsha256_init(&hmac, secret, SECRET_BYTES);
    crypto_auth_hmacsha256_update(&hmac, table->match_id, MATCH_ID_BYTES);
    for (uint32_t seat = 0; seat < CONTRIBUTORS_MAX; seat++)
        if ((table->revealed >> seat & 1) != 0)
            crypto_auth_hmacsha256_update(&hmac, table->bytes[seat], CONTRIBUTION_BYTES);
    crypto_auth_hmacsha256_final(&hmac, key);
    return true;
}

bool contributions_hold(const struct contributions *table, uint32_t seat,
                        const uint8_t bytes[CONTRIBUTION_BYTES])
{
    return seat < CONTRIBUTORS_MAX && (table->revealed >> seat & 1) != 0 &&
           memcmp(table->bytes[seat], bytes, CONTRIBUTION_BYTES) == 0;
}
