/* fanout.h: the relay: every match's frames live to whoever subscribed, and its past to whoever asks.
 *
 * It owns nothing and invents nothing. Acts go out as the bytes they came in, in order, each once,
 * and only if their chain fits what it holds of the match. It listens to the slots it has readers
 * for, at every engine. Or it listens to one other fanout: the messages are the same, so fanouts
 * can be chained. It counts the acts of each slot against the owner's count. When the counts
 * differ, it asks which matches moved, and fetches what is missing from the history door. Acts are
 * kept in one block of memory. A match with readers keeps its last acts, however many other matches
 * are read. Evicted acts are fetched again, once for all who ask.
 *
 * No reader waits for another one. A history answer is bounded, a question that must wait holds a
 * few dozen bytes, and a reader is only a cursor that the reader keeps. */
#ifndef ARBITER_FANOUT_H
#define ARBITER_FANOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "core/peers.h"
#include "wire/crypto.h"

struct fanout_settings {
    struct peers_settings peers; /* peers.upstream: another fanout to follow instead of engines. */
    const struct crypto_ops *crypto; /* hash: for the chain.                                   */

    uint64_t acts_bytes; /* The block acts are kept in, its lists included. At least 1 MiB.     */
    /* Matches known at once; the least recently moved, unread are forgotten. */
    uint32_t matches_max;
    uint32_t keep_acts; /* So many last acts of a match with readers are evicted last of all.   */
    uint32_t asks_max;  /* History questions that wait for upstream at once; more: "too much".  */
    uint32_t asks_per_caller_max; /* Of them by one key that is no fanout's and no gateway's.     */
    uint32_t fetches_max;         /* Questions upstream at once, one for each match at most.      */
    uint32_t answer_bytes_max;    /* Of acts in one history answer, unless one act is larger.     */
    /* Over all matches. Half the high-water mark of the door, or less. */
    uint32_t heads_per_second;
    uint64_t head_gap_ms;  /* Between two heads of one match, at least.                    */
    uint64_t ask_again_ms; /* A question upstream without an answer is asked again.        */
    uint64_t ask_lives_ms; /* A history question is given up ("again") after this.         */
    uint64_t idle_ms;      /* A slot without readers is left after this.                   */
};

/* What a person asks about. They only grow, but for the last six. */
struct fanout_facts {
    uint64_t relayed;      /* Acts published live, and ... */
    uint64_t fetched;      /* ... those of them that had been missing and came from history.  */
    uint64_t duplicates;   /* Acts that had been relayed already.                             */
    uint64_t old_epochs;   /* Frames, heads, answers of an owner that has been replaced.      */
    uint64_t forks;        /* Acts and heads whose chain is not the one that is known.        */
    uint64_t rollbacks;    /* Matches of which a new owner has less than was published.       */
    uint64_t malformed;    /* Messages from upstream that said not what their kind must.      */
    uint64_t heads;        /* Published.                                                      */
    uint64_t answers;      /* History answers given, and ... */
    uint64_t waited;       /* ... questions that had to wait for upstream.                    */
    uint64_t refused;      /* Questions refused for a limit or for age.                       */
    uint64_t asked;        /* History questions to upstream.                                  */
    uint64_t moved_asked;  /* Questions which matches moved.                                  */
    uint64_t evicted;      /* Acts evicted, and ... */
    uint64_t evicted_kept; /* ... those of a match's last ones: acts_bytes is too small.      */
    uint64_t forgotten;    /* Matches.                                                        */
    uint32_t matches;      /* Known now.                                                      */
    uint32_t read;         /* Matches with readers of their own.                              */
    uint32_t slots;        /* Listened to.                                                    */
    uint32_t level;        /* Of these: nothing is known to be missing.                       */
    uint32_t waiting;      /* History questions.                                              */
    uint64_t behind_ms;    /* For so long a slot that is listened to has not been level, at most. */
};

struct fanout;

/* Sensible limits for one small machine; peers and crypto are left to fill in. */
void                    fanout_defaults(struct fanout_settings *settings);
/* NULL, or what is wrong with the settings, as a sentence. */
const char             *fanout_check(const struct fanout_settings *settings);
size_t                  fanout_bytes(const struct fanout_settings *settings);
/* Memory aligned for any type. The settings are copied. */
struct fanout          *fanout_init(void *memory, const struct fanout_settings *settings);
/* What it was told, for whoever changes it while it runs. What memory was made for stays. */
struct fanout_settings *fanout_told(struct fanout *fanout);

extern const struct core_ops fanout_ops;

struct fanout_facts fanout_facts(const struct fanout *fanout);
/* The last act of a match that it has heard of; 0: of none. For the simulation's invariants. */
uint64_t            fanout_stands(struct fanout *fanout, const uint8_t *match_id);

#endif
