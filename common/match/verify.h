/* verify.h: whether a match file is what really happened, as one answer.
 *
 * True means: every byte is as it was written. The dice are those that the house committed to and
 * the players contributed to. Every command is legal. All that was published, told in secret and
 * recorded at the end follows from them. But a file cannot prove that it is the match somebody
 * played: for that compare `chain` with the one the players saw. */
#ifndef ARBITER_MATCH_VERIFY_H
#define ARBITER_MATCH_VERIFY_H

#include "match/replay.h"

/* What became of a seat's bytes for hosted dice. Who withholds them has seen what the others revealed. */
enum verify_given { GAVE_NONE, GAVE_REVEALED, GAVE_WITHHELD, GAVE_UNANNOUNCED };

struct verify_bytes {
    enum verify_given given;  /* GAVE_NONE: nobody asked for them.                              */
    uint32_t          origin; /* wire.Origin: who made them. Of protocol 1, ORIGIN_HOUSE.       */
};

/* "its own bytes, withheld": a constant. */
const char *verify_bytes_said(const struct verify_bytes *bytes);

struct verify_report {
    bool     holds;
    bool     is_match;      /* False: it is no match file at all, and does not hold.            */
    bool     replayed;      /* False: this build lacks the rules; chain and dice were checked.  */
    char     game[64];      /* "" if not even that could be read.                               */
    uint32_t rules_version; /* Needed to replay it.                                             */
    uint64_t acts;
    bool     finished;
    uint8_t  chain[MATCH_HASH_SIZE]; /* Of the last act.                                        */
    uint32_t seats;                  /* Of a match with hosted dice; else 0.            */
    struct verify_bytes bytes_of[SEATS_MAX]; /* What each gave to hosted dice.                  */
    struct text         fault; /* If it does not hold: where and why.                     */
};

void verify(struct verify_report *report, const uint8_t *bytes, size_t size);

#endif
