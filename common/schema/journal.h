/* journal.h: what the engine keeps of its matches, as tables, and which reads they are made for.
 *
 *     recovery of a slot       live, sessions, snapshots: all rows under (slot)
 *     recovery of a match      seats: all rows under (match); acts: from the snapshot's number on
 *     history                  acts: a range under (match), and the last one
 *     a finished match's file  matches, setups, seats, acts, results: by match
 *
 * `live` repeats a match's header while it is played, so that a start reads only what is still
 * being played. `sessions` hold the answer to their last request. If the request was accepted since
 * the snapshot, the row of its act tells the answer instead (version 3). They and `snapshots` go
 * when the lobby has heard the result. Names stand in `seats` alone, so that a person can be
 * forgotten. */
#ifndef ARBITER_SCHEMA_JOURNAL_H
#define ARBITER_SCHEMA_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/row.h"

struct game_record;
struct game_wire;

enum journal_table {
    JOURNAL_SLOTS,
    JOURNAL_MATCHES,
    JOURNAL_LIVE,
    JOURNAL_SETUPS,
    JOURNAL_SEATS,
    JOURNAL_ACTS,
    JOURNAL_SESSIONS,
    JOURNAL_SNAPSHOTS,
    JOURNAL_RESULTS,
    JOURNAL_TABLES
};

enum {
    SLOTS_SLOT,
    SLOTS_EPOCH,
    SLOTS_RECORDED, /* Matches numbered in it so far (engine_record.c); null: none.             */
    SLOTS_COLUMNS
};

/* Of `matches` and of `live`, which has the same columns. */
enum {
    MATCHES_SLOT,
    MATCHES_ID,
    MATCHES_STATE, /* enum journal_state.                                                       */
    MATCHES_GAME,
    MATCHES_RULES_VERSION,
    MATCHES_SETUP, /* Key of `setups`.                                                          */
    MATCHES_SEATS,
    MATCHES_DICE,
    MATCHES_SEED,        /* Open dice; null with hosted ones.                                    */
    MATCHES_COMMITMENT,  /* Hosted dice; null with open ones ...                                 */
    MATCHES_DICE_SECRET, /* ... and what it is the hash of.                                     */
    MATCHES_SECRET,      /* Seals the boxes.                                                    */
    MATCHES_TURN_MS,     /* 0: no clock.                                                        */
    MATCHES_TABLE,       /* The lobby's; null without.                                          */
    MATCHES_SPECTATORS,
    MATCHES_CODE, /* Of a private table; null without.                                          */
    MATCHES_CREATED_MS,
    MATCHES_OPENING,  /* What was said at the table and is played right after the start; or null. */
    MATCHES_RECORDED, /* Its number in the tables of its game; null: the game has none.       */
    MATCHES_PROTOCOL, /* Of its acts (version 5); null: 1.                                       */
    MATCHES_CONTRIBUTORS, /* As chain 0 has them (version 5); null: none, or not fixed.          */
    MATCHES_GIVEN_UP, /* Acts up to this one were told, lost, and given up (version 6); null: none. */
    MATCHES_COLUMNS
};

enum journal_state {
    JOURNAL_PLAYED,
    JOURNAL_OVER, /* The lobby has not heard the result.                                       */
    JOURNAL_HEARD /* It has; the match lingers for who missed its end.                         */
};

enum { SETUPS_HASH, SETUPS_SETUP, SETUPS_OPTIONS, SETUPS_COLUMNS };

/* A row for each holder a seat ever had. */
enum {
    SEATS_ID,
    SEATS_SEAT,
    SEATS_GENERATION,
    SEATS_SINCE, /* Held from this act on.                                                      */
    SEATS_BOT,
    SEATS_PLAYER,
    SEATS_KEY,    /* Null: the player comes by a gateway. */
    SEATS_NAME,   /* Null: forgotten.                                                             */
    SEATS_PERSON, /* What the player registered with, if the game keeps records; null: forgotten. */
    SEATS_NUMBER, /* The number in the game's tables (version 4); null: none (record.h). */
    SEATS_COLUMNS
};

enum {
    ACTS_ID,
    ACTS_NUMBER,
    ACTS_EPOCH,
    ACTS_SLOT_COUNT,
    ACTS_ACTOR,
    ACTS_SESSION,
    ACTS_REQUEST,
    ACTS_AT_MS,
    ACTS_CHAIN_BEFORE,
    ACTS_CHAIN,
    ACTS_COMMAND_HASH,
    ACTS_COMMAND,
    ACTS_BODY,
    ACTS_COLUMNS
};

enum {
    SESSIONS_SLOT,
    SESSIONS_ID,
    SESSIONS_SEAT,
    SESSIONS_SESSION,
    SESSIONS_CLOSED, /* Kept only so that its number is not given out again.                    */
    SESSIONS_KEY,
    SESSIONS_PLAYER,
    SESSIONS_REQUEST, /* The last that was answered, and the answer.                            */
    SESSIONS_VERDICT, /* 0: accepted.                                                           */
    SESSIONS_NUMBER,
    SESSIONS_CHAIN,
    SESSIONS_ASKS, /* Each behind its length, 4 bytes.                                          */
    SESSIONS_COLUMNS
};

enum { SNAPSHOTS_SLOT, SNAPSHOTS_ID, SNAPSHOTS_NUMBER, SNAPSHOTS_BYTES, SNAPSHOTS_COLUMNS };

enum {
    RESULTS_ID,
    RESULTS_SLOT,
    RESULTS_ACTS,
    RESULTS_CHAIN,
    RESULTS_ABORTED,
    RESULTS_OUTCOME, /* 4 bytes for each seat, network byte order; empty if it was aborted.     */
    RESULTS_DIGEST,
    RESULTS_OVER_MS,
    RESULTS_COLUMNS
};

extern const struct schema journal_schema;

/* "Anna Muster": whom the holder in this row of `seats` registered as, by the first two lines of it. The size without
 * the NUL behind it; 0: nobody registered, or it does not fit. */
size_t journal_person_name(const struct row *row, char *to, size_t room);

/* The journal and the tables of some games beside it, in one schema: what an engine opens. */
#define JOURNAL_RECORD_TABLES_MAX 32u
#define JOURNAL_RECORD_COLUMNS_MAX 128u
struct journal_schema {
    struct schema    schema;
    struct row_table tables[JOURNAL_TABLES + JOURNAL_RECORD_TABLES_MAX];
    struct column    columns[JOURNAL_RECORD_COLUMNS_MAX];
    uint32_t         column_count;
};
/* With the tables of all these games (registry_games()); NULL: none yet. */
void     journal_schema_init(struct journal_schema *own, const struct game_wire *const *games);
/* Adds a game's tables behind those that are there; returns the index of the first. Versions of a game
 * share them: what is there already is found. */
uint32_t journal_schema_add(struct journal_schema *own, const struct game_record *record);

/* A query of a table by the first cells of its key: a slot, a match's id. */
void journal_ask_slot(struct query *query, uint32_t tag, enum journal_table table, uint32_t slot);
void journal_ask_match(struct query *query, uint32_t tag, enum journal_table table,
                       const uint8_t *id);
/* By slot and match: the one row of `matches`, `live`, `snapshots`, or the rows of `sessions`. */
void journal_ask_row(struct query *query, uint32_t tag, enum journal_table table,
                     const uint8_t *id);
/* A set-up by its key. */
void journal_ask_setup(struct query *query, uint32_t tag, const uint8_t *hash);

#endif
