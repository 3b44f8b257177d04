/* follow.h: the acts of a match of nim in order: each link of the chain is checked, and what happened is read. */
#ifndef ARBITER_NATIVE_FOLLOW_H
#define ARBITER_NATIVE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/engine.pb-c.h"
#include "contract/stream.pb-c.h"
#include "line.h"

#define HASH_SIZE 32
#define HEAPS_MAX 32

struct follow {
    uint64_t next; /* The act that is awaited. */
    uint8_t  chain[HASH_SIZE];
    uint64_t promised;                  /* An act that a reply told of, ... */
    uint8_t  promised_chain[HASH_SIZE]; /* ... and the chain it must have. */
    uint32_t heaps[HEAPS_MAX], heap_count;
    uint32_t turn; /* NOBODY: nobody's.                                                          */
    uint32_t winners; /* Bit s: seat s. */
    bool     is_over;
    uint32_t live, fetched; /* Acts that came by the stream, and from history. */
};

/* Before act 1: chain 0 follows from what the match is. */
void follow_begin(struct follow *follow, const uint8_t match[MATCH_SIZE],
                  const Arbiter__Engine__MatchFacts *facts);
/* The next act. */
void follow_take(struct follow *follow, const Arbiter__Stream__Act *act);
/* An act of this number has this chain, says a reply. */
void follow_promise(struct follow *follow, uint64_t number, ProtobufCBinaryData chain);

#endif
