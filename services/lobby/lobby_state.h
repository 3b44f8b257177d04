/* lobby_state.h: what the lobby's files share: its records, its memory, and how they call each other.
 *
 * Records stand in pools, each at a *place* that never moves and that is their key in the store.
 * Every change of a record begins with a touch (lobby_undo.c), which takes a copy. The copy undoes
 * the change if the batch is refused, and tells at the end of the step which rows to write. So
 * memory and store cannot differ, and nothing here writes a row but lobby_rows.c. What is not
 * stored - services, ways back, clocks - is no record and is never undone. */
#ifndef ARBITER_LOBBY_STATE_H
#define ARBITER_LOBBY_STATE_H

#include <assert.h>
#include <stdbool.h>

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "services/lobby/lobby.h"
#include "services/lobby/lobby_index.h"
#include "services/lobby/lobby_names.h"
#include "services/lobby/lobby_sources.h"
#include "wire/names.h"

/* Sets an optional field of a message, and one that is bytes. */
#define SET(message, field, value) ((message)->has_##field = true, (message)->field = (value))
#define SET_BYTES(message, field, at, size)                                                        \
    ((message)->has_##field = true,                                                                \
     (message)->field = (ProtobufCBinaryData){ .len = (size), .data = (at) })
/* An empty message in an outbox. */
#define MAKE(out, package, name) outbox_message((out), &arbiter__##package##__##name##__descriptor)

#define NOBODY UINT32_MAX /* No key, player, table, seat or game.                                 */
#define EVERYBODY UINT32_MAX
#define ID_SIZE 16
#define CODE_SIZE 8
#define AT_TABLES_MAX 16 /* So many one may be at. */
#define MEMBERS_MAX 32 /* At one table, seated and watching.                                      */
#define INVITED_MAX 8
#define CHAT_MAX 280
#define REASON_MAX 120
#define NOTICE_MAX 200 /* Bytes of what is announced.                                           */
#define EVENT_TEXT_MAX 288
#define PHRASES 16
#define PERSON_TEXT_MAX 256 /* As much as an engine takes.                                        */
#define PERSONS_SECRET_SIZE ID_SIZE
#define PERSONS_UNKNOWN UINT64_MAX
/* A tree of a text so long finds room: what json/json.h's JSON_VALUE_BYTES says. */
#define LOBBY_TREE_BYTES ((size_t) LOBBY_TEXT_MAX * 48 + 1024)
#define SINK_WORDS 16384  /* What a registration may say at once.                                */
#define SENTENCE_MAX 4096 /* All faults of a set-up.                                             */
#define ASKERS_MAX 512    /* Asks in one batch.                                                  */
#define UNDO_BYTES (1u << 20)
#define UNDO_STEP (256u << 10)   /* What one step may touch. */
#define STEP_BUDGET (160u << 10) /* What the passing of time may put into an outbox at once. */

/* The last answer to an ask that may change something: enough to say it again. */
struct kept {
    uint32_t request; /* 0: none yet. */
    uint32_t verdict;
    uint32_t detail; /* VERDICT_RULES: the game's reason; its place among the games.           */
    uint32_t game;
    uint32_t answer;     /* Which of Answer's kinds.                                             */
    uint8_t id[ID_SIZE]; /* The player's, the table's.                                            */
    uint64_t number;     /* When the ticket runs out.                                             */
    uint64_t digest;     /* Of the ask; 0: from before digests were kept.                         */
};

/* A key the operator admitted, or did once. */
struct key {
    uint32_t used, admitted;
    uint8_t  key[CALLER_KEY_SIZE];
    uint32_t role;
    char     name[LOBBY_NAME_MAX + 1];
    uint32_t player; /* Bound to it; NOBODY.                                                    */
    struct kept kept;
    uint64_t drained_ms; /* An engine's: the start of the process the operator drains; 0: none. */
    uint32_t helper; /* A client's: it may do what a helper may.                                 */
};

/* Somebody who plays. */
struct player {
    uint32_t used;
    uint8_t  id[ID_SIZE];
    char     name[LOBBY_NAME_MAX + 1]; /* Empty: forgotten.                                     */
    uint32_t bot;
    uint32_t guest; /* A gateway or a bot service speaks for the player. */
    uint32_t banned;
    uint64_t until_ms; /* 0: for ever.                                                         */
    char     reason[REASON_MAX + 1];
    uint32_t key;     /* The player's own, or of the service that spoke last. */
    uint32_t number;  /* Under the name, in games with person tables; 0: none yet.              */
    struct kept kept; /* Of a guest; others' stands with their key. */
    uint64_t    seen_ms;        /* A guest: when it last spoke, roughly; 0: not known. */
    uint64_t    results_before; /* Results up to this one are of who had this place before. */
    uint32_t    muted;          /* At every table. */
    uint64_t    muted_until_ms; /* 0: for ever. */
    char        mute_reason[REASON_MAX + 1];
    char     avatar[LOBBY_AVATAR_MAX + 1]; /* Empty: none was chosen, or the name is forgotten. */
    /* Not stored, but worked out from the tables. */
    uint32_t table;     /* Where it sits in a match or before one; NOBODY. */
    uint32_t promised;  /* A bot: the table that waits for it; NOBODY. */
    uint32_t at_tables; /* Of how many it is a member. */
    /* Not stored either, but said again: wire.Origin of its bytes for dice; 0: it has not said. */
    uint32_t origin;
};

struct seat {
    uint32_t player; /* NOBODY: free.                                                          */
    uint32_t generation; /* Of the seat's key, in a match. */
    uint32_t vacant;   /* The holder left during the match.                                      */
    uint32_t changing; /* The engine has still to confirm this holder.                           */
    uint32_t promised; /* To a bot or a friend; NOBODY.                                          */
    uint32_t policy;   /* Of the bot: lobby_bots.c; with BOT_WAS_HERE, of the last match's.       */
    uint32_t number;   /* Of who registered here: lobby_persons.c; 0: none.                      */
};

/* In a seat's policy: a bot sat here in the match that is over, and got up. A rematch calls one for it. */
#define BOT_WAS_HERE 0x10000u

struct member {
    uint32_t player; /* NOBODY: this place is free. */
    uint32_t muted; /* By the host, for all.                                                      */
    uint32_t rematch;
    uint32_t mutes; /* By this member: mask of members. */
    uint64_t since; /* The number of the table's last event on arrival. */
};

struct ballot {
    uint32_t choice; /* lobby.Vote.Choice; 0: none. */
    uint32_t friend_player;
};

enum match_stage { STAGE_NONE, STAGE_STARTING, STAGE_STARTED };

#define ABORT_ASKED 1u
#define ABORT_HELD 2u /* By the operator. */
struct table {
    uint32_t used;
    uint8_t  id[ID_SIZE];
    uint64_t serial; /* Tables are numbered as they are opened. */
    uint32_t phase;
    uint32_t game; /* Place among the settings' games.                                            */
    uint32_t setup; /* Place among the set-ups of the game; NOBODY: the host's own. */
    uint32_t text;  /* Where that text stands; NOBODY: no text of its own, options included. */
    uint32_t setup_size, options_size; /* Of it.                                                  */
    char     title[LOBBY_TITLE_MAX + 1];
    uint32_t seat_count, seats_min;
    uint32_t host; /* A player.                                                                   */
    /* Yes or no. */
    uint32_t is_private, is_shown, has_seed, watchers, chat, registration, hotseat, rigged;
    uint32_t is_rematch; /* The next match begins when the bots sit that were called. */
    uint64_t turn_ms, seed;
    char     code[CODE_SIZE + 1];
    uint64_t last_event;
    uint32_t desk_size; /* Of the registration's state; 0: there is none.                      */
    uint32_t stage;     /* enum match_stage.                                                  */
    uint8_t  match_id[ID_SIZE];
    uint32_t match_seats;
    uint32_t protocol; /* Of the match's acts; 0: the first one, or there is no match yet.      */
    uint32_t abort;    /* The engine is asked to end the match (ABORT_HELD: even if it holds it), */
    char     abort_reason[REASON_MAX + 1]; /* for this reason. */
    uint64_t patience_ms; /* The registration may be silent so long; NO_WAKE: for ever. */
    uint64_t result;      /* Its number; 0: none yet. */
    uint32_t invited[INVITED_MAX];
    struct seat   seat[SEATS_MAX];
    struct member member[MEMBERS_MAX];
    struct ballot ballot[SEATS_MAX][SEATS_MAX]; /* On a vacant seat, by the voter's seat. */
};

/* What happened at a table, as little as it takes to say it again. */
struct table_event {
    uint64_t number; /* 0: nothing here. */
    uint32_t kind; /* Of TableEvent.                                                             */
    uint32_t to;   /* Mask of members, or EVERYBODY.                                             */
    uint32_t seat, from;
    uint32_t player, other;
    uint32_t choice; /* A vote, a phrase, a generation.                                          */
    uint32_t with_setup;
    uint64_t figure; /* Milliseconds; the number of a result.                                    */
    uint32_t size;
    uint8_t  text[EVENT_TEXT_MAX];
};

struct result {
    uint64_t number; /* 1, 2, 3, ...; 0: nothing here. */
    uint8_t  match_id[ID_SIZE];
    uint32_t game, setup, seats, aborted;
    uint64_t over_ms;
    uint32_t player[SEATS_MAX];
    int32_t  outcome[SEATS_MAX];
    uint32_t chance; /* CHANCE_...: what was not left to it. */
};

#define CHANCE_RIGGED 1u /* Cards were laid. */
#define CHANCE_OPEN 2u   /* The dice came from a seed that everybody knew. */

/* One record: what does not belong to any other. */
struct meta {
    uint64_t starts; /* How often the lobby has started: the directory's number begins with it. */
    uint64_t tables; /* Opened so far.                                                            */
    uint64_t results;
    uint64_t bots;
    uint64_t persons; /* Numbered so far; PERSONS_UNKNOWN: the store is older than that. */
    uint8_t persons_secret[PERSONS_SECRET_SIZE]; /* 0: not needed yet.                            */
    uint64_t audits;                 /* Deeds written down so far.                               */
    uint64_t stop_ms;                /* Of the house, as announced; 0: it was not said.          */
    uint64_t told;                   /* Tables below this place have heard the notice.           */
    char     notice[NOTICE_MAX + 1]; /* Empty: nothing is announced.                             */
};

/* So many were written down since then. */
struct tries {
    uint64_t since_ms;
    uint32_t rows;
};

/* What somebody did who looks after the house, or tried to do. */
struct audited {
    uint64_t number; /* 1, 2, 3, ...; 0: nothing here. */
    uint64_t at_ms, until_ms;
    uint32_t deed; /* Of Ask's kinds. */
    uint32_t undone, verdict, helper;
    uint32_t target_size;
    uint8_t  key[CALLER_KEY_SIZE];
    uint8_t  target[CALLER_KEY_SIZE]; /* A player's or a match's id, or a key. Nobody's name. */
    char     name[LOBBY_NAME_MAX + 1], token[LOBBY_NAME_MAX + 1];
    char     text[NOTICE_MAX + 1], reason[REASON_MAX + 1];
};

/* Whose row an engine has still to write. */
struct registrant {
    uint32_t number; /* 0: this place is free. */
    uint32_t player, game;
    uint32_t size;
    char     text[PERSON_TEXT_MAX]; /* What was registered; empty: forgotten. */
};

/* A text's place is taken by the tables that play by it; freed, it is used again only by a later batch. */
struct text_owner {
    uint32_t tables;
    uint32_t setup_size, options_size;
    uint64_t freed_in;
};

enum record {
    RECORD_META,
    RECORD_KEY,
    RECORD_PLAYER,
    RECORD_TABLE,
    RECORD_EVENT, /* Place: table * events_kept + number % events_kept.                           */
    RECORD_DESK,  /* Place: the table's.                                                          */
    RECORD_RESULT, /* Place: number % results_max. */
    RECORD_TEXT, /* struct text_owner.                                                           */
    RECORD_PERSON,
    RECORD_AUDIT, /* Place: number % audit_max.                                                  */
    RECORDS
};

struct pool {
    uint8_t *base;
    size_t size; /* Of one record.                                                               */
    uint32_t count;
};

/* A way back to a key's owner: where it last said something. */
struct route {
    bool     is_known;
    uint8_t  protocol; /* As its last hello said; 0: there was none yet.                       */
    uint32_t door;
    uint64_t route;
    uint64_t heard_ms;
};

/* A service that says hello. */
struct service {
    bool     used, draining;
    uint32_t role, load, protocol;
    char     name[LOBBY_NAME_MAX + 1], software[LOBBY_NAME_MAX + 1];
    uint8_t  key[CALLER_KEY_SIZE];
    char door[6][LOBBY_ADDRESS_MAX];    /* By directory.Door.Kind, ...                            */
    char outside[6][LOBBY_ADDRESS_MAX]; /* ... and as those find them who come from outside.      */
    uint64_t epoch[SLOTS];
    uint64_t started_ms;
    uint64_t hello_ms; /* When it said hello, ...                                                 */
    uint64_t route;    /* ... and from where.                                                     */
    /* Our connection to its door for requests; its number is the service's place. */
    bool     connected, welcome;
    char     connected_to[LOBBY_ADDRESS_MAX];
    uint8_t  connected_key[CALLER_KEY_SIZE];
    uint64_t greeted_ms;
};

/* What a table waits for; not stored: waiting begins anew when the lobby does. */
struct clock {
    uint64_t again_ms;    /* The engine, or a bot service, is asked again. */
    uint64_t silent_ms;   /* The registration runs out; NO_WAKE. */
    uint64_t happened_ms; /* Something, for the last time.                                       */
    uint64_t vote_ms[SEATS_MAX]; /* Votes are counted; NO_WAKE. */
};

/* Who asked something in this batch, and is told "again" if it is refused. */
struct asker {
    struct caller caller;
    struct header header;
};

/* A copy taken at the first touch of a step. Its bytes stand behind it. */
struct touched {
    uint32_t kind, place;
    size_t   size;
};

/* A match that is to end as soon as its engine hears of it: so many at once, and said so often. */
#define UNWANTED_MAX 16
#define UNWANTED_TRIES 120
struct unwanted {
    uint8_t  match_id[ID_SIZE];
    uint32_t tries; /* 0: it has ended, or there is none. */
};

struct lobby {
    struct lobby_settings settings;
    struct pool           pool[RECORDS];
    struct index          index;
    struct route         *routes; /* By key.                                                     */
    struct clock         *clocks; /* By table.                                                   */
    uint64_t        *freed_in;    /* By table: the batch in which it was last closed.            */
    bool            *missing;     /* By player: a bot whose service has begun anew.              */
    bool            *spoken_of;   /* By player: scratch of lobby_guests.c.                        */
    struct source   *sources;     /* By player: where its last word came from.                   */
    struct spending *spendings;   /* Of sources, in this minute.                                 */
    struct tally    *tallies;     /* Scratch of lobby_sources.c, of tallies_size, a power of two. */
    uint32_t         tallies_size, most;
    struct service  *services;
    char            *texts; /* LOBBY_TEXT_MAX + 2 bytes each: set-up NUL options NUL.         */

    uint8_t *undo; /* struct touched and copies.                                              */
    size_t   undo_used; /* In this batch; its steps' beginning: */
    size_t   undo_step;
    struct asker *askers;
    uint32_t      asker_count;
    uint64_t      batch;

    bool     is_read;  /* Everything is.                                                      */
    bool     is_ready; /* And the start is counted: the doors are open.                       */
    bool     is_stopping;
    bool     is_news; /* The directory has changed since it was last published.              */
    uint32_t reads_left;
    uint64_t now_ms, wall_ms; /* Of the event that is being handled. */
    uint32_t
        spoken; /* The version of the protocol in which it is being said; 0: the oldest.        */
    const uint8_t *entropy;
    uint32_t drawn; /* Ids made in this step.                                                */
    uint64_t started_ms, opened_ms; /* By the wall, and by the clock of events.                  */
    uint64_t directory; /* Its number.                                                       */
    uint64_t published_ms;
    uint64_t tidy_ms;    /* When to look next who is silent, and which bans are over. */
    uint32_t looked_at;  /* The table at which the passing of time goes on. */
    uint64_t persons_ms; /* When the engines are told again who has registered, ... */
    uint32_t person_at;  /* ... from this one on. */
    struct unwanted unwanted[UNWANTED_MAX];
    uint32_t        unwanted_next;
    uint64_t        unwanted_ms; /* When it is said again.                                  */
    struct tries    tries[2]; /* By rank, RANK_NONE and RANK_HELPER: deeds that were refused.    */
    uint64_t        guests_told_ms; /* When it may be said again that some were forgotten.     */
    uint32_t        greedy_at;      /* The same for those of who has most tables.              */
    uint32_t        abandoned_at;   /* Where to look next for a match that nobody plays.       */
    /* Counted anew each second; those that are closed count at once. */
    uint32_t        tables_left, texts_left;
    uint32_t bot_turn; /* The service that was called last.                                  */

    /* Scratch: one compiled set-up, the trees it was read from, what a registration says. */
    uint8_t *compiled;
    uint64_t compiled_for; /* The serial of the table whose it is; 0: nobody's.                */
    struct arena arena[2];
    word        *words;
    char        *sentence;
};

static inline struct meta *meta_of(const struct lobby *lobby)
{
    return (struct meta *) (void *) lobby->pool[RECORD_META].base;
}

static inline void *record_of(const struct lobby *lobby, enum record kind, uint32_t place)
{
    assert(place < lobby->pool[kind].count);
    return lobby->pool[kind].base + lobby->pool[kind].size * place;
}

static inline struct key *key_of(const struct lobby *lobby, uint32_t place)
{
    return record_of(lobby, RECORD_KEY, place);
}

static inline struct player *player_of(const struct lobby *lobby, uint32_t place)
{
    return record_of(lobby, RECORD_PLAYER, place);
}

static inline struct table *table_of(const struct lobby *lobby, uint32_t place)
{
    return record_of(lobby, RECORD_TABLE, place);
}

/* A set-up's text, NUL, its options, NUL. */
static inline char *lobby_text_at(const struct lobby *lobby, uint32_t at)
{
    assert(at < lobby->settings.texts_max);
    return lobby->texts + (size_t) at * (LOBBY_TEXT_MAX + 2);
}

static inline struct registrant *registrant_of(const struct lobby *lobby, uint32_t place)
{
    return record_of(lobby, RECORD_PERSON, place);
}

static inline const struct lobby_game *game_of(const struct lobby *lobby, const struct table *table)
{
    return &lobby->settings.games[table->game];
}

#endif
