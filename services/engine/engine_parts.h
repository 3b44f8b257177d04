/* engine_parts.h: what the engine's files share: its matches, sessions and slots in memory.
 *
 * Private to services/engine. Everything a batch may have to undo is told to the undo log before it is
 * changed: a match by `engine_touch`, which copies it once a batch, everything else by `engine_undo_keep`. */
#ifndef ARBITER_ENGINE_PARTS_H
#define ARBITER_ENGINE_PARTS_H

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "dice/commitment.h"
#include "services/engine/engine.h"
#include "services/engine/journal.h"
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
#define WANTED_MAX 256u
#define BANNED_MAX 1024u
#define SETUP_BYTES_MAX (1u << 20)
#define MATCH_BYTES_MAX (384u << 10)
#define ENGINE_COMMAND_BYTES (256u << 10) /* What one command may unpack to.                   */

#define KIND(name) ARBITER__WIRE__KIND__KIND_##name
#define REFUSAL(name) ARBITER__WIRE__REFUSAL__REFUSAL_##name

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
    uint64_t        route; /* Where its holder was last heard ...                               */
    uint32_t        door;  /* ... 0: not since this engine has the match.                       */
    uint32_t        reserved;
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
    uint32_t        person_size; /* What he registered with, for his game's record; 0: nothing. */
    uint32_t        spare;
    char            name[SEAT_NAME_MAX];
    char            person[SEAT_PERSON_MAX];
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
    const char *quarantined; /* Why nothing is done with it any more; NULL: it is sound.     */
    uint32_t    index;       /* In the engine's list.                                        */
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
    uint64_t    turn_ms;
    uint64_t    created_ms;
    uint64_t    recorded; /* Its number in its game's tables; 0: the game has none.          */
    uint64_t    told_ms;  /* When the lobby was last told that it is over; when it was heard. */
    uint8_t     table[TABLE_SIZE];
    uint8_t     code[CODE_MAX];
    uint8_t     commitment[COMMITMENT_BYTES];
    uint8_t     dice_secret[SECRET_BYTES];
    uint8_t    *opening; /* Until it begins: seat (1), size (4), command, again and again.    */
    uint64_t    opening_size;
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
    uint32_t               careful; /* So many batches more hold one match each.                */
    bool                   changed; /* This batch changes something.                            */
    bool                   takes;   /* The store's epochs are being asked for.                  */
    bool                   must_ask_slots;
    bool                   must_read_again; /* Some slot must be.                               */
    bool                  setup_failed; /* Of those asked for last, the store could not read one. */
    bool                  checking; /* A fence did not hold: nothing is said until we know which. */
    bool                  full;     /* The disk was.                                           */
    bool                  probing;  /* This batch tries whether it still is.                   */
    bool                  stopping;
    struct wanted         wanted[WANTED_MAX];
    uint32_t              wanted_count, wanted_asked;
    uint32_t              run; /* Of reading slots and set-ups.                                */
    uint64_t              now_ms, wall_ms, full_until_ms;
    uint64_t              count_ms; /* When slot counts are due, ...                          */
    uint64_t              sweep_ms; /* ... a piece of the sweep, ...                          */
    uint64_t              waits_ms; /* ... open waits once more, ...                          */
    uint64_t              slots_ms; /* ... slots that could not be taken.                     */
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

/* engine_table.c: matches and set-ups. */
struct hosted *engine_table_find(const struct engine *engine, const uint8_t *id);
/* A new one, linked everywhere, with nothing in it; NULL: there is no room. */
struct hosted *engine_table_add(struct engine *engine, const uint8_t *id, struct setup *setup);
void           engine_table_drop(struct engine *engine, struct hosted *hosted);
/* Copies a match for the undo, once a batch; to be called before anything of it is changed. */
void           engine_touch(struct engine *engine, struct hosted *hosted);
size_t         engine_hosted_bytes(uint32_t seats);
/* It had an act: it is the newest of its slot. */
void           engine_table_moved(struct engine *engine, struct hosted *hosted);
bool engine_table_place_match(struct engine *engine, struct hosted *hosted, const uint8_t *secret,
                              const struct dice *dice);
void engine_table_quarantine(struct engine *engine, struct hosted *hosted, const char *why,
                             struct outbox *out);

/* engine_setup.c */
/* The set-up of this text; NULL, and a sentence why, or no sentence: no room. */
struct setup *engine_setup_find(struct engine *engine, const struct engine_game *game,
                                uint32_t seats, const struct engine_setup_text *text,
                                struct text *fault, bool *is_new);
void          engine_setup_leave(struct engine *engine, struct setup *setup);
/* One that is in memory, by its text's hash; NULL. */
struct setup *engine_setup_known(const struct engine *engine, const struct engine_game *game,
                                 uint32_t seats, const uint8_t *text_hash);
const struct engine_game *engine_game_find(const struct engine *engine, const char *name,
                                           size_t size, uint32_t version);

/* engine_rows.c: what is kept. */
void engine_row_of_match(const struct hosted *hosted, enum journal_table table, struct outbox *out);
void engine_row_of_setup(const struct setup *setup, struct outbox *out);
void engine_row_of_seat(const struct hosted *hosted, uint32_t index, uint64_t since,
                        struct outbox *out);
void engine_row_of_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, const struct header *asked, struct outbox *out);
void engine_row_of_session(const struct hosted *hosted, uint32_t seat,
                           const struct session *session, bool closed, struct outbox *out);
void engine_row_of_session_gone(const struct hosted *hosted, uint32_t seat, uint32_t session,
                                struct outbox *out);
void engine_row_of_snapshot(struct hosted *hosted, struct outbox *out);
void engine_row_of_result(const struct engine *engine, const struct hosted *hosted,
                          struct outbox *out);
void engine_rows_of_gone(const struct hosted *hosted, struct outbox *out);

/* engine_answer.c: answers and refusals. */
void engine_answer(const struct engine *engine, const struct event *event, uint16_t kind,
                   uint64_t number, const void *body, struct outbox *out);
void engine_refuse(const struct engine *engine, const struct event *event, uint32_t refusal,
                   uint64_t after_ms, const char *sentence, struct outbox *out);
/* Remembers who asks, to tell him "again" if the batch is not kept. */
void engine_asked(struct engine *engine, const struct event *event, struct outbox *out);
/* Whether the header's slot is held here; else the caller is told so. The slot is fenced. */
bool engine_is_slot_here(struct engine *engine, const struct event *event, struct outbox *out);
/* The header's match, sound; else the caller is told so, and NULL. */
struct hosted *engine_match_asked(struct engine *engine, const struct event *event,
                                  struct outbox *out);
/* Whether anything may be written now; else the caller is told "again". */
bool engine_may_write(struct engine *engine, const struct event *event, struct outbox *out);
bool engine_is_from(const struct engine *engine, const struct event *event, uint32_t role);
/* Fences the slot of a match that is touched without being asked for. */
void engine_fence(const struct engine *engine, const struct hosted *hosted, struct outbox *out);

/* engine_house.c: what the house says, as bytes. */
#define HOUSE_BYTES_MAX 512
struct house {
    uint8_t bytes[HOUSE_BYTES_MAX];
    size_t  size;
};
enum house_kind {
    HOUSE_DICE_COMMITTED = 1,
    HOUSE_HASH_POSTED,
    HOUSE_BYTES_REVEALED,
    HOUSE_SEAT_SILENT,
    HOUSE_SEAT_CHANGED,
    HOUSE_WAIT_RESTARTED,
    HOUSE_MATCH_ABORTED,
    HOUSE_SECRETS_SHOWN
};
void   engine_house_dice_committed(struct house *house, const uint8_t *commitment, seat_mask seats);
/* HASH_POSTED, BYTES_REVEALED, SEAT_SILENT (no bytes). */
void   engine_house_contribution(struct house *house, enum house_kind kind, uint32_t seat,
                                 const uint8_t *bytes, size_t size);
void   engine_house_seat_changed(struct house *house, uint32_t seat, uint32_t generation, bool bot);
void   engine_house_wait_restarted(struct house *house, uint64_t wait, uint64_t full_ms);
void   engine_house_match_aborted(struct house *house, const char *reason);
/* Writes at most 128 bytes. */
size_t engine_house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice);
/* What a house event says, read back. */
struct heard {
    uint32_t       kind;
    uint32_t       seat; /* Its first number.                                                   */
    seat_mask      seats;
    const uint8_t *bytes;
    size_t         size;
};
bool engine_house_read(const uint8_t *bytes, size_t size, struct heard *heard);

/* engine_publish.c */
/* To be called before a match is played: copies it, and lays the room out. */
void engine_act_begin(struct engine *engine, struct hosted *hosted);
/* An act was done: numbered in its slot, kept, published; clocks and the end follow. `asked` is the
 * header of the request it came from, or NULL. */
void engine_act_done(struct engine *engine, struct hosted *hosted, const struct match_act *act,
                     const struct header *asked, struct outbox *out);
/* The house says something in an act of its own. */
void engine_act_say(struct engine *engine, struct hosted *hosted, const struct house *house,
                    const struct header *asked, struct outbox *out);
void engine_say_slot_counts(struct engine *engine, struct outbox *out);
void engine_on_moved_ask(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_record.c: what a game keeps and logs of its own. */
/* Whether a match of this game and slot can be numbered: the slot that counts is held. */
bool engine_record_counts(const struct engine *engine, const struct game *game, uint32_t slot);
/* Gives the match its number, if its game keeps records. */
void engine_record_number(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_record_act(const struct engine *engine, const struct hosted *hosted,
                       const struct match_act *act, struct outbox *out);

/* engine_over.c */
void engine_match_is_over(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_tell_over(struct engine *engine, struct hosted *hosted, struct outbox *out);
void engine_on_match_over_heard(struct engine *engine, const struct event *event,
                                struct outbox *out);

/* engine_lobby.c */
void engine_on_start_match(struct engine *engine, const struct event *event, struct outbox *out);
void engine_on_change_seat(struct engine *engine, const struct event *event, struct outbox *out);
void engine_on_abort_match(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_attach.c, engine_ticket.c, engine_session.c */
void engine_directory_heard(struct engine *engine, const Arbiter__Directory__Directory *directory);
void engine_on_attach(struct engine *engine, const struct event *event, struct outbox *out);
bool engine_ticket_holds(const struct engine *engine, const struct event *event,
                         const Arbiter__Wire__SignedTicket *ticket, uint8_t player[PLAYER_SIZE],
                         struct outbox *out);
struct session *engine_session_find(const struct hosted *hosted, uint32_t seat, uint32_t number);
/* The session the caller was given on this very line and has not used: he may not have heard of it, and
 * asks again. NULL: there is none. */
struct session *engine_session_unused(const struct hosted *hosted, uint32_t seat,
                                      const struct event *event, const uint8_t *player);
/* A new session of the caller; the ninth closes the oldest. NULL: there is no room. */
struct session *engine_session_open(struct engine *engine, struct hosted *hosted, uint32_t index,
                                    const struct event *event, const uint8_t *player,
                                    struct outbox *out);
void            engine_session_close(struct engine *engine, struct hosted *hosted, uint32_t index,
                                     struct session *session, uint32_t why, struct outbox *out);
void            engine_sessions_free(struct engine *engine, struct seat *seat);
bool engine_session_keep_asks(struct engine *engine, struct session *session, const uint8_t *asks,
                              size_t size);

/* engine_view.c: what a seat sees and is asked, as bytes. */
/* False: it does not fit a message. */
bool   engine_put_view(const struct engine *engine, const struct hosted *hosted, uint32_t viewer,
                       ProtobufCBinaryData *view, struct outbox *out);
/* The questions to a seat, each behind its length; returns how many bytes, in engine->scratch. */
size_t engine_write_asks(const struct engine *engine, const struct hosted *hosted, uint32_t seat,
                         const uint8_t **asks);
/* The same as a list of a message. */
void   engine_put_asks(const uint8_t *asks, size_t size, size_t *count, ProtobufCBinaryData **list,
                       struct outbox *out);

/* engine_command.c */
#define HOUSE_REASON 0x10000u
enum house_reason {
    REASON_DICE_AWAITED = HOUSE_REASON,
    REASON_NO_DICE_ROUND,
    REASON_NOT_AWAITED,
    REASON_WRONG_BYTES,
    REASON_NOT_FOR_PLAYERS,
    REASON_ABORTED
};
void engine_on_command(struct engine *engine, const struct event *event, struct outbox *out);
/* Remembers an answer in the session, keeps it, and gives it. */
void engine_command_answer(struct engine *engine, struct hosted *hosted, const struct event *event,
                           struct session *session, uint32_t judged, struct outbox *out);

/* engine_legal.c */
/* Memory for the list of what a seat may do, and for the text of a proposal. */
size_t engine_legal_bytes(const struct match_terms *terms);
void   engine_on_legal_ask(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_dice.c */
void     engine_dice_open_round(struct engine *engine, struct hosted *hosted, struct outbox *out);
/* A seat's hash or bytes: 0, or why not. */
uint32_t engine_dice_contribute(struct engine *engine, struct hosted *hosted,
                                const struct event *event, const Arbiter__Engine__Command *command,
                                struct outbox *out);
/* Once every contribution is in, the match begins: to be called behind the answer to the last one. */
void     engine_dice_begin(struct engine *engine, struct hosted *hosted, struct outbox *out);
void     engine_dice_expire(struct engine *engine, struct hosted *hosted, seat_mask late,
                            struct outbox *out);
void     engine_match_begins(struct engine *engine, struct hosted *hosted, struct outbox *out);
/* What a contribution or a silence did, done again from its act's command. False: it cannot be. */
bool     engine_dice_replay(struct hosted *hosted, const struct heard *heard);
bool     engine_dice_make(struct hosted *hosted);

/* engine_clock.c */
void     engine_clock_follow(struct engine *engine, struct hosted *hosted, struct outbox *out);
uint64_t engine_clock_left(const struct engine *engine, const struct hosted *hosted);
uint64_t engine_clock_think_ms(const struct engine *engine, const struct hosted *hosted,
                               uint32_t index);
void     engine_clock_recovered(struct engine *engine, struct hosted *hosted);
void     engine_clocks_restart(struct engine *engine, struct outbox *out);
void     engine_on_expire(struct engine *engine, const struct event *event, struct outbox *out);
void     engine_watchdog_hello(struct engine *engine, const struct event *event);
/* Whether there was something to tell. */
bool     engine_tell_waits(struct engine *engine, struct outbox *out);
void     engine_repeat_wait(struct engine *engine, const struct hosted *hosted, struct outbox *out);

/* engine_slots.c */
void engine_ask_slots(struct engine *engine, struct outbox *out);
void engine_on_slots_row(struct engine *engine, const struct row *row);
void engine_on_slots_read(struct engine *engine, bool failed, struct outbox *out);
void engine_on_leases(struct engine *engine, const struct event *event);
void engine_slots_settled(struct engine *engine, bool committed);
void engine_slots_drop_leaving(struct engine *engine);
void engine_slots_read_again(struct engine *engine);
/* The same of those slots alone of which the store could not read something, after a while. */
void engine_slots_read_later(struct engine *engine);
void engine_slots_forget_all(struct engine *engine);

/* engine_recover.c */
enum read_kind {
    READ_SLOTS = 1,
    READ_LIVE,
    READ_SETUP,
    READ_SESSIONS,
    READ_SNAPSHOTS,
    READ_SEATS,
    READ_ACTS
};
uint32_t engine_read_tag(const struct engine *engine, enum read_kind kind, uint32_t index);
/* Begins to read slots that are ours and not yet read, a few at a time. */
void     engine_recover_slots(struct engine *engine, struct outbox *out);
void     engine_on_row(struct engine *engine, const struct event *event, struct outbox *out);
void     engine_on_read_done(struct engine *engine, const struct event *event, struct outbox *out);

/* engine_read.c: a match out of its rows. False: the row is not what was written. */
bool engine_read_match(struct engine *engine, const struct row *row, struct setup *setup);
bool engine_read_snapshot(struct engine *engine, const struct row *row);
bool engine_read_session(struct engine *engine, const struct row *row);
bool engine_read_seat(struct engine *engine, struct hosted *hosted, const struct row *row);

/* engine_replay.c: its acts, played again. */
void engine_replay_act(struct engine *engine, struct hosted *hosted, const struct row *row,
                       struct outbox *out);
void engine_replay_done(struct engine *engine, struct hosted *hosted, struct outbox *out);

/* engine_settle.c */
void engine_settle(void *core, enum store_outcome outcome, struct outbox *out);

/* engine_time.c: what is repeated, dropped, and done at the end. */
void engine_on_time(struct engine *engine, struct outbox *out);

#endif
