/* commitment.h: how a hosted table's dice get a key that neither house nor players chose.
 *
 * The match id and the hash of the house's secret are public first. Then each contributing seat posts
 * the hash of 16 bytes of its own; when all have, each reveals the bytes. The key is
 *
 *     HMAC-SHA-256(secret, match id | revealed bytes in seat order)
 *
 * The house was bound before it saw a contribution, and a seat cannot know the key without the secret.
 * A seat that stays silent, in either round, contributes nothing, and everybody sees that it did. The
 * secret is shown when the match is over; whoever kept the public part checks it with the same
 * functions. The block is flat, so it is copied and undone like everything a match owns. */
#ifndef ARBITER_COMMITMENT_H
#define ARBITER_COMMITMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "dice/kinds.h"

#define CONTRIBUTORS_MAX 16
#define MATCH_ID_BYTES 16
#define SECRET_BYTES 32
#define COMMITMENT_BYTES 32 /* SHA-256.                                   */
#define CONTRIBUTION_BYTES 16

struct contributions {
    uint8_t  match_id[MATCH_ID_BYTES];
    uint8_t  house[COMMITMENT_BYTES]; /* SHA-256 of the house's secret.                     */
    uint32_t revealing;               /* 0: hashes are awaited; 1: bytes are.               */
    uint32_t awaited;                 /* Bit s: seat s has still to answer this round.      */
    uint32_t posted;                  /* Seats whose hash stands below.                     */
    uint32_t revealed;                /* Seats whose bytes stand below and fit their hash.  */
    uint8_t  hash[CONTRIBUTORS_MAX][COMMITMENT_BYTES];
    uint8_t  bytes[CONTRIBUTORS_MAX][CONTRIBUTION_BYTES];
};

/* What is published of a secret, and of a contribution: its SHA-256. */
void commit_secret(const uint8_t secret[SECRET_BYTES], uint8_t commitment[COMMITMENT_BYTES]);
void commit_bytes(const uint8_t bytes[CONTRIBUTION_BYTES], uint8_t commitment[COMMITMENT_BYTES]);

/* Begins; `seats` is the mask of those who contribute (house bots do not). */
void contributions_open(struct contributions *table, const uint8_t match_id[MATCH_ID_BYTES],
                        const uint8_t house[COMMITMENT_BYTES], uint32_t seats);
/* A seat posts its hash. False, and nothing happened: it is not awaited, or that round is over. */
bool contributions_post(struct contributions *table, uint32_t seat,
                        const uint8_t hash[COMMITMENT_BYTES]);
/* A seat reveals its bytes. False, and nothing happened: the seat is not awaited, a hash is
 * missing, or the bytes do not fit the seat's hash. The seat may try again until its time is
 * over. */
bool contributions_reveal(struct contributions *table, uint32_t seat,
                          const uint8_t bytes[CONTRIBUTION_BYTES]);
/* The time of these seats ran out in the present round: they contribute nothing. */
void contributions_silent(struct contributions *table, uint32_t seats);
/* Whether both rounds are over. */
bool contributions_done(const struct contributions *table);

/* The key. False if the rounds are not over or the secret is not the one committed to. The engine
 * calls it to begin a match, `verify` to judge a finished one. */
bool contributions_key(const struct contributions *table, const uint8_t secret[SECRET_BYTES],
                       uint8_t key[DICE_KEY_BYTES]);
/* Whether a seat's own bytes are in, as its client checks before it plays. */
bool contributions_hold(const struct contributions *table, uint32_t seat,
                        const uint8_t bytes[CONTRIBUTION_BYTES]);

#endif
