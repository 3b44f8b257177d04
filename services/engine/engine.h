/* engine.h: the core that owns matches: it decides, numbers, seals, keeps and publishes what happens.
 *
 * One engine holds many matches of any game and rules version in one block of memory that is asked
 * for at start. It takes its slots, all of them or those that a watchdog's leases give it, and
 * reads their matches back. From then on every command becomes an act. Its rows go into the batch.
 * Its answer and its frame leave when the batch is kept. What a batch touches is copied before the
 * first touch, so a batch that was not kept leaves no trace. README.md says what is promised and
 * why.
 *
 * Pure: what it needs of the world beyond events comes as tables of functions in its settings. */
#ifndef ARBITER_ENGINE_H
#define ARBITER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "core/core.h"
#include "core/peers.h"
#include "match/match.h"
#include "rules/game.h"
#include "wire/crypto.h"
#include "wire/plan.h"

/* A game this engine plays: its rules and how its words become bytes. */
struct engine_game {
    const struct game *game;
    struct match_form  form; /* Plans of its Command and Event, and the crypto.                 */
    const struct plan *view; /* Of its View.                                                    */
    uint32_t first_table; /* Of those its record keeps, in the schema of the store (journal.h).  */
};

/* What a set-up's text is; `options` NULL: there are none. */
struct engine_setup_text {
    const char *setup, *options;
    size_t      setup_size, options_size;
};

/* What cannot be done purely, done by others. */
struct engine_helpers {
    const struct crypto_ops *crypto;
    /* Reads and compiles a set-up into `setup`. Returns the bytes it takes; they are written only
     * if `capacity` suffices. 0, and a sentence with the place: it is no set-up. `setup` NULL asks
     * for the size. The same text always gives the same bytes. */
    size_t (*compile)(const struct game *game, const struct engine_setup_text *text, void *setup,
                      size_t capacity, struct text *fault);
    /* Whether this is the Ed25519 signature (64 bytes) of the text under this public key. NULL: no
     * gateway's ticket is taken. */
    bool (*verify)(const uint8_t *signature, const uint8_t *text, size_t size, const uint8_t *key);
};

struct engine_settings {
    struct peers_settings     peers;
    struct engine_helpers     helpers;
    const struct engine_game *games; /* Every version of the rules this build knows.            */
    uint32_t                  game_count;
    bool takes_all_slots; /* The embedded store has one owner. Otherwise leases say which.      */

    uint64_t memory_bytes;  /* For matches, sessions and set-ups; all else is little beside it. */
    uint64_t undo_bytes;    /* For copies of what a batch touches; 0: 16 MiB.                  */
    uint64_t room_bytes;    /* For one act while it is written; 0: 16 MiB. Games that need     */
                            /* more are refused.                                               */
    uint32_t matches_max;   /* Live at once.                                                   */
    uint32_t setups_max;    /* Different ones at once; 0: 1,024.                               */
    uint32_t snapshot_acts; /* A snapshot after so many acts; 0: 16.                           */
    uint32_t dice_ms;       /* Time for each round of contributions to hosted dice; 0: 20,000. */
    uint32_t linger_ms;     /* So long a match that is over is still known; 0: 600,000.        */
    uint32_t full_ms;       /* After a full disk the store is tried again so late; 0: 1,000.   */
    uint32_t slot_count_ms; /* A slot's count is said so often; 0: 250.                        */
    uint32_t waits_ms;      /* Open waits are repeated so often; 0: 10,000.                    */
    uint32_t marks_ms;      /* Matches that were read stand still for so long, and others say   */
                            /* what they know of them. With an embedded store after its start;   */
                            /* with leases after a slot was taken, until all relays have spoken. */
    uint32_t restarts_max;  /* Clocks begun anew in one step after a recovery; 0: 64.          */
};

/* What it counts, for whoever asks. */
struct engine_facts {
    uint64_t matches;     /* Held, finished ones that linger included.                           */
    uint64_t commands;    /* Accepted since the start.                                          */
    uint64_t refused;     /* By rules.                                                          */
    uint64_t undone;      /* Batches that were not kept.                                        */
    uint64_t quarantined; /* Matches held for inspection.                                       */
    uint64_t slots;       /* Owned, and read.                                                   */
    uint64_t memory_used; /* Of memory_bytes.                                                   */
};

struct engine;

/* The bytes that an engine of these settings takes, and an engine in so many bytes, aligned for
 * anything and zero, as calloc gives them. Memory that no match needs yet is never touched, so a
 * large engine starts as fast as a small one. The settings are copied; what they point to must
 * outlive the engine. */
size_t                  engine_bytes(const struct engine_settings *settings);
struct engine          *engine_init(void *memory, const struct engine_settings *settings);
/* What it was told, for whoever changes it while it runs. What memory was made for stays. */
struct engine_settings *engine_told(struct engine *engine);

/* step and settle; `core` is the engine. Its schema is the journal's (journal.h). */
extern const struct core_ops engine_ops;

struct engine_facts engine_facts(const struct engine *engine);
/* The match of this id while this engine holds it, its state zeros until its dice are made; NULL. For
 * tests and the simulation's invariants. */
const struct match *engine_match(const struct engine *engine, const uint8_t id[MATCH_ID_SIZE]);

#endif
