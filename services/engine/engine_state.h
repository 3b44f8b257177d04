/* engine_state.h: what an engine holds in memory: matches, their seats and sessions, set-ups, slots.
 *
 * Private to services/engine. Everything that a batch may have to undo is told to the undo log
 * before it changes. `engine_touch` does this for a match, and copies it once a batch;
 * `engine_undo_keep` does it for everything else. */
#ifndef ARBITER_ENGINE_STATE_H
#define ARBITER_ENGINE_STATE_H

#include "dice/commitment.h"
#include "schema/journal.h"
#include "services/engine/engine.h"
#include "services/engine/slab.h"
#include "wire/arena.h"
#include "wire/chain.h"

#define SEAT_SESSIONS_MAX 8u
#define SEAT_NAME_MAX 64u
#define SEAT_PERSON_MAX 256u
#define CODE_MAX 32u
#define TABLE_SIZE 16u
#define PLAYER_SIZE 16u
#define WATCHDOGS_MAX 4u
#define ASKERS_MAX 8192u
#define MOVED_MATCHES_MAX 256u
#define WANTED_MAX 256u
#define BANNED_MAX 1024u
#define SETUP_BYTES_MAX (1u << 20)
#define MATCH_BYTES_MAX (384u << 10)
#define ENGINE_COMMAND_BYTES (256u << 10) /* What one command may unpack to.                   */

/* A set-up in memory, shared by all matches of the same text and number of seats. The compiled set-up,
 * the text and the options, each with a NUL, stand behind it in one piece. */
struct setup {
    struct setup             *next; /* In its bucket.                                           */
    uint8_t                   hash[CRYPTO_HASH_SIZE]; /* Of game, version and seats, too.       */
    uint8_t                   text_hash[CRYPTO_HASH_SIZE]; /* Its key in the journal.           */
    uint32_t                  users;
    uint32_t                  bytes; /* Of the piece.                                           */
    const struct engine_game *game;
    struct match_terms        terms;
    struct match_terms        words; /* The same, playing by rules alone: for recovery.         */
    struct engine_setup_text  text;
};

/* One holder's line of requests. */
struct session {
    struct session *next; /* The older one.                                                     */
    uint32_t        number;
    uint32_t        request; /* The last that was answered, and its answer: ...                 */
    uint32_t        verdict; /* ... 0: accepted; HOUSE_REASON and more: the engine's own word.  */
    uint32_t        asks_size;
    uint64_t        act;
    uint8_t        *asks; /* Each behind its length, 4 bytes.                                   */
    uint8_t         chain[MATCH_HASH_SIZE];
    uint8_t         key[CALLER_KEY_SIZE];
    uint8_t         player[PLAYER_SIZE];
    uint64_t        route;   /* Where its holder was last heard ...                               */
    uint32_t        door;    /* ... 0: not since this engine has the match.                       */
    uint32_t        version; /* Of the protocol, which its holder reads; 0: not known.          */
    bool            follows; /* It is told view and list behind acts; no journal has that: ...  */
    bool            best, has_luck; /* ... what is to be in the list, ...                       */
    uint64_t        luck;           /* ... and what a proposal is drawn from.                  */
};

struct seat {
    uint8_t         player[PLAYER_SIZE];
    uint8_t         key[CALLER_KEY_SIZE];
    bool            has_key;
    bool            bot;
    bool            asked; /* It is awaited; since `asked_ms`, with this question.              */
    uint8_t         name_size;
    uint32_t        last_session; /* The highest number given out.                              */
    uint32_t        open;         /* Sessions.                                                  */
    uint64_t        question;
    uint64_t        asked_ms;
    struct session *sessions; /* The newest first.                                              */
    uint32_t person_size; /* What the player registered with, for the game's record; 0: nothing. */
    uint32_t number;      /* In the game's tables; 0: the lobby gave none.               */
    char     name[SEAT_NAME_MAX];
    char     person[SEAT_PERSON_MAX];
};

enum phase {
    PHASE_READING, /* It comes out of the journal.                                              */
    PHASE_DICE,    /* Its dice are being made; its rules have not begun.                        */
    PHASE_PLAYED,
    PHASE_OVER
};

/* A match this engine holds. */
struct hosted {
    struct hosted *next;          /* In its bucket.                                             */
    struct hosted *newer, *older; /* In its slot, by the last act.                              */
    struct setup  *setup;
    struct match  *match;
    struct contributions *contributions; /* PHASE_DICE; else NULL.                              */
    uint8_t               id[MATCH_ID_SIZE];
    uint8_t               slot;
    bool                  aborted;
    bool                  heard; /* The lobby knows that it is over.                             */
    bool        is_over;         /* PHASE_READING: the journal has its result.                   */
    bool        restarts;        /* Its clock is to begin anew.                                  */
    enum phase  phase;
    const char *quarantined;  /* Why nothing is done with it any more; NULL: it is sound.     */
    bool        is_recovered; /* It came out of the journal.                                 */
    bool        is_doubted;   /* A player said that he was told more of it.                  */
    uint64_t    held_to;      /* Held, because others were told this act; 0: it is not.          */
    uint64_t    given_up;     /* Others were told acts up to this one; the operator gave them up. */
    uint32_t    index;        /* In the engine's list.                                        */
    uint32_t    seats_held;
    uint64_t    batch;        /* It was copied for the undo of this batch.                     */
    uint64_t    slot_count;   /* Of its last act.                                              */
    uint64_t    snapshot;     /* Number of the last one.                                       */
    uint64_t    wait;         /* The open wait: the act that opened it, ...                    */
    uint64_t    wait_ms;      /* ... when, ...                                                 */
    uint64_t    wait_full_ms; /* ... how long it lasts ...                                   */
    seat_mask   wait_seats;   /* ... and whose time it is; 0: no clock runs.                 */
    bool        spectators;
    bool        has_table;
    uint8_t     code_size;
    const char *dice; /* The kind's name.                                                    */
    int64_t     seed;
    uint32_t    protocol; /* The version of its acts.                                        */
    uint32_t    contributors_size;
    uint8_t  contributors[2 * SEATS_MAX]; /* From protocol 2 on: seat, origin, again and again. */
    uint64_t turn_ms;
    uint64_t created_ms;
    uint64_t recorded; /* Its number in its game's tables; 0: the game has none.          */
    /* When the lobby was last told that it has begun, or is over; when that was heard. */
    uint64_t told_ms;
    uint32_t told;     /* So often that it has begun, unasked.                            */
    bool     is_moved; /* Somebody who sits there has done something, ...                 */
    uint64_t moved_ms; /* ... the last time then, as far as this process knows.           */
    uint8_t  table[TABLE_SIZE];
    uint8_t  code[CODE_MAX];
    uint8_t  commitment[COMMITMENT_BYTES];
    uint8_t  dice_secret[SECRET_BYTES];
    uint8_t *opening; /* Until it begins: seat (1), size (4), command, again and again.    */
    uint64_t opening_size;
    struct seat seats[];
};

enum slot_state {
    SLOT_FOREIGN,
    SLOT_TAKING,  /* Its raised epoch is in the batch.                                          */
    SLOT_READING, /* It is ours; its matches come out of the journal.                           */
    SLOT_OURS,
    SLOT_LEAVING /* It is to be dropped when the batch is settled.                              */
};

struct slot {
    enum slot_state state;
    uint32_t        matches;
    uint32_t        stage;   /* SLOT_READING: what is awaited.                                   */
    uint32_t        asked;   /* Reads of matches on their way.                                   */
    uint32_t        run;     /* Of reading: what was asked before is not listened to.            */
    bool            missing; /* Some of its matches wait for set-ups.                           */
    bool            must_read_again; /* The store could not read something of it: ...            */
    uint64_t        again_ms;        /* ... it is asked again, but not before.                    */
    bool            wanted; /* By a lease, or because all are.                                  */
    bool            was_ours;
    uint64_t        epoch;    /* Ours.                                                            */
    uint64_t        stored;   /* The store's, as far as we know.                                  */
    uint64_t        recorded; /* Matches numbered in it.                                    */
    uint64_t        from, raised; /* From and to which we last raised it, or tried to.          */
    uint64_t        lease; /* The epoch of the lease, ...                                      */
    uint64_t        leased_ms; /* ... and since when it says what it says.                      */
    uint64_t        count;
    uint64_t        marks_ms; /* Until then others may say what they know of its matches; ...    */
    uint8_t         marked[PEERS_MAX / 8]; /* ... these relays have.                             */
    struct hosted  *newest, *oldest;
    struct hosted  *reading; /* The match whose rows come next, and ...                         */
    struct hosted  *unasked; /* ... the next one to be asked for; from the oldest to ...        */
    struct hosted  *last;    /* ... this one.                                                   */
};

/* Somebody who waits for an answer from this batch. */
struct asker {
    struct header header;
    uint64_t      route;
    uint32_t      door;
};

/* A set-up that matches in the journal need and memory has not. */
struct wanted {
    uint8_t                   text_hash[CRYPTO_HASH_SIZE];
    const struct engine_game *game; /* NULL: this place is free.                                */
    uint32_t                  seats;
    bool                      is_broken; /* The journal has it not, or it does not compile.     */
};

struct listener {
    uint8_t  key[CALLER_KEY_SIZE];
    char     name[PEER_NAME_MAX]; /* Watchdogs share their role's key.                          */
    uint64_t route;
    uint32_t door;   /* 0: this place is free.                                                  */
    uint32_t cursor; /* Open waits from here on are still to be told.                           */
};

/* A match of a slot of ours that cannot be read here. */
#define UNREAD_MAX 1024u
#define SOUGHT_MAX 64u
struct unread {
    uint8_t id[MATCH_ID_SIZE];
    bool    lacks_rules; /* We do; whoever has them can read it. Else it is damaged.            */
};

struct engine {
    struct engine_settings settings;
    struct peers           peers;
    struct slab            slab;
    struct undo            undo;
    struct slot            slots[SLOTS];
    struct hosted        **buckets; /* By id.                                                   */
    uint32_t               bucket_mask;
    struct hosted        **list; /* All of them, in no order.                                   */
    uint32_t               list_count;
    struct setup         **setups;
    uint32_t               setup_mask, setup_count;
    struct asker          *askers;
    uint32_t               asker_count;
    uint64_t               batch;
    uint8_t                batch_match[MATCH_ID_SIZE]; /* The last match touched in it.         */
    uint32_t               moved_count;                /* Matches that had acts in it, ...      */
    uint8_t               moved[MOVED_MATCHES_MAX][MATCH_ID_SIZE]; /* ... which somebody follows. */
    uint32_t              careful; /* So many batches more hold one match each.                */
    bool                  changed; /* This batch changes something.                            */
    bool                  takes;   /* The store's epochs are being asked for.                  */
    bool                  must_ask_slots;
    bool                  must_read_again; /* Some slot must be.                               */
    bool                  setup_failed; /* Of those asked for last, the store could not read one. */
    bool                  checking; /* A fence did not hold: nothing is said until we know which. */
    bool                  full;     /* The disk was.                                           */
    bool                  probing;  /* This batch tries whether it still is.                   */
    bool                  stopping;
    struct unread         unread[UNREAD_MAX];
    uint32_t              unread_count;
    uint32_t              held; /* Matches in memory that are held.                     */
    uint8_t               sought[SOUGHT_MAX][MATCH_ID_SIZE]; /* Others know them, and we do not. */
    uint32_t              sought_count, sought_number; /* The first is asked for; its read.     */
    uint64_t              sought_ms;
    bool                  sought_found;
    uint64_t              marks_ms; /* Until then others may say what they know of our matches. */
    uint64_t              doubt_ms; /* Until then a slot is taken as if the store went back.    */
    bool                  unread_more; /* There was one more than is known by its id.           */
    struct wanted         wanted[WANTED_MAX];
    uint32_t              wanted_count, wanted_asked;
    uint32_t              run; /* Of reading slots and set-ups.                                */
    uint64_t              now_ms, wall_ms, full_until_ms;
    uint64_t              count_ms;  /* When slot counts are due, ...                          */
    uint64_t              sweep_ms;  /* ... a piece of the sweep, ...                          */
    uint64_t              waits_ms;  /* ... open waits once more, ...                          */
    uint64_t              slots_ms;  /* ... slots that could not be taken.                     */
    uint64_t              leases_ms; /* When leases were heard last.                             */
    uint32_t              sweep_at, restart_at, restarts, stop_at;
    struct listener       watchdogs[WATCHDOGS_MAX];
    uint64_t              lobby_route;
    uint32_t              lobby_door;
    uint64_t              leases; /* Number of the last ones.                                  */
    uint8_t               ticket_key[32];
    bool                  has_ticket_key;
    uint32_t              banned_count;
    uint8_t               banned[BANNED_MAX][PLAYER_SIZE]; /* Whom no ticket admits.          */
    const struct command *heard;    /* What the act being written is about; NULL: no command.  */
    uint32_t              heard_of; /* Whose it is.                                          */
    struct match_room     room; /* The act being written, ...                                  */
    uint8_t              *room_memory;
    uint8_t              *scratch; /* ... and views and questions as words and bytes.          */
    uint8_t               chain_before[MATCH_HASH_SIZE];
    uint8_t               secrets[128]; /* SecretsShown of the match at hand.                  */
    struct arena          arena;
    struct engine_facts   facts;
};

static inline bool is_hosted_dice(const struct hosted *hosted)
{
    return hosted->dice == dice_kind_chacha.name;
}

#endif
