/* client_core.h: a player's side of the protocol as a core: what the library, and the simulation, run.
 *
 * Like every core it is a struct and two functions: messages and time come in as events, messages
 * go out through an outbox. What is meant for the caller goes into a queue of bounded size;
 * client_core_next empties it. The caller asks for things with the functions below, between steps
 * and into the same outbox. What the queue has no room for is left out and fetched again later.
 * That works for everything. An ask and a command get the same answer again; events and acts are
 * kept. So a slow caller costs nobody memory and loses nothing.
 *
 *     lobby    asks are numbered, one under way, sent again until answered; tables' events in order
 *     engine   attach, commands (one under way for each seat), what a seat may do
 *     fanout   acts and heads as they come; a hole is asked for at a fanout, then at the engine
 *
 * Whoever dies, the other side is asked again: at the same place, or where the directory says now. */
#ifndef ARBITER_CLIENT_CORE_H
#define ARBITER_CLIENT_CORE_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_event.h"
#include "core/core.h"
#include "core/peers.h"
#include "wire/crypto.h"

struct client_core;

struct client_core_settings {
    struct peers_settings peers; /* Role and name, the lobby's doors and key.                   */
    const struct crypto_ops *crypto;
    /* Contributions to dice are made from this, match, seat and commitment. So a restarted program, or a
     * second device with the same key, still knows the bytes whose hash it posted. */
    uint8_t                  secret[CLIENT_KEY_SIZE];
    /* Or the caller makes them, always the same for the same three; NULL: it does not. */
    void (*own_bytes)(void *own, const uint8_t match_id[CLIENT_ID_SIZE], uint32_t seat,
                      const uint8_t commitment[CLIENT_KEY_SIZE], uint8_t bytes[CLIENT_DICE_BYTES]);
    void    *own;
    uint32_t seats_max;  /* Seats attached, or watched, at a time.                                */
    uint32_t tables_max; /* Tables followed at a time.                                           */
    uint32_t queue_bytes; /* At least CLIENT_QUEUE_BYTES_MIN.                                     */
    uint32_t asks_bytes;  /* Asks of the lobby that wait; at least CLIENT_ASKS_BYTES_MIN.        */
    uint32_t files_max;   /* Files of finished matches asked for at a time.                       */
    uint32_t command_bytes; /* The longest command, for each seat.                                */

    uint32_t retry_ms, retry_max_ms; /* An unanswered message is sent again after this, and after */
                                     /* twice as long each time, up to that.                     */
    uint32_t act_wait_ms; /* An act known of is waited for so long before it is asked for.        */
    /* Nothing was heard: whether there is anything, and doubled. */
    uint32_t quiet_ms, quiet_max_ms;
    uint32_t engine_history_ms; /* A seat asks the engine's own history at most so often ...     */
    uint32_t engine_asks;       /* ... and all of them so many times in 10 ms.                   */
    bool from_start; /* A match is told from act 1 on, not from where its view stands.            */
    bool follows; /* View and list are told behind acts, unasked (client_core_follow).          */
    uint32_t
        follow_bytes; /* Room for those whose acts are on their way; what does not fit is lost. */
};

#define CLIENT_QUEUE_BYTES_MIN (512u << 10) /* An act of 64 KiB with its box opened, twice. */
#define CLIENT_ASKS_BYTES_MIN (72u << 10) /* One set-up of 64 KiB.                                */

/* Good settings for one who plays a few matches; who it is and where the lobby is are left open. */
void client_core_defaults(struct client_core_settings *settings);

size_t              client_core_bytes(const struct client_core_settings *settings);
struct client_core *client_core_init(void *memory, const struct client_core_settings *settings);

/* Its step and settle; it keeps no rows. */
extern const struct core_ops client_core_ops;

/* The next thing for the caller; false: nothing. What it points to lives until the next call. */
bool client_core_next(struct client_core *core, struct client_event *event);
/* Whether the next call would give something. */
bool client_core_has_next(const struct client_core *core);

/* What the caller wants. `now_ms` is the clock of events. Each returns a number. The CLIENT_ANSWER,
 * CLIENT_REPLY, CLIENT_LEGAL, CLIENT_VIEW or CLIENT_FILE for it repeats that number. 0: not now (no
 * room, another one is under way, or not attached). */

/* A lobby.Ask as bytes. */
uint32_t client_core_ask(struct client_core *core, const uint8_t *ask, size_t size, uint64_t now_ms,
                         struct outbox *out);
/* A game's Command as bytes. */
uint32_t client_core_play(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, const uint8_t *command, size_t size, uint64_t now_ms,
                          struct outbox *out);
/* A command of somebody for whom the caller speaks. */
struct client_came {
    uint64_t came_ms; /* When it came to the caller, by the clock of events.                      */
    bool     has_id;
    uint8_t  id[TRACE_ID_SIZE]; /* Its name; without one it is given one.                         */
};
uint32_t client_core_play_for(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                              uint32_t seat, const uint8_t *command, size_t size,
                              const struct client_came *came, uint64_t now_ms, struct outbox *out);
/* Where the time went of the seat's last command, of which CLIENT_REPLY has just been told. False: it is lost. */
bool     client_core_took(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, uint64_t now_ms, struct trace *trace);
/* What the seat may do: engine.LegalAsk. */
uint32_t client_core_legal(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                           uint32_t seat, uint64_t luck, bool best, uint64_t now_ms,
                           struct outbox *out);
/* The match as the seat, or who watches, may see it now. */
uint32_t client_core_look(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, uint64_t now_ms, struct outbox *out);
/* From now on CLIENT_VIEW and, if the seat is awaited, CLIENT_LEGAL are told behind acts, unasked, with
 * `request` 0; or (`follow` NULL) no more. They may be lost: whoever misses one asks. An engine of version 1
 * tells none. */
struct client_wish {
    bool     best, has_luck; /* As for client_core_legal ...                                      */
    uint64_t luck;           /* ... and each act draws anew from it.                             */
};
void     client_core_follow(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                            uint32_t seat, const struct client_wish *wish, uint64_t now_ms,
                            struct outbox *out);
/* Takes a seat of a match, or watches it (NO_SEAT; `code` for a private table's). Seats at the tables
 * one sits at are taken by themselves. False: seats_max are attached. */
bool     client_core_attach(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                            uint32_t seat, const char *code, uint64_t now_ms, struct outbox *out);
/* The same for a player whom a gateway speaks for: `ticket` is a wire.SignedTicket, as the lobby gave
 * it. A gateway's seats are taken by nothing else. */
bool     client_core_attach_for(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                                uint32_t seat, const ProtobufCMessage *ticket, uint64_t now_ms,
                                struct outbox *out);
/* A finished match as the file of match.proto: pieces in order (CLIENT_FILE), or CLIENT_REFUSED. `code` is a
 * private table's (size 0: none). 0: files_max are under way. */
uint32_t client_core_file(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          const uint8_t *code, size_t code_size, uint64_t now_ms,
                          struct outbox *out);
/* No more of it is wanted; what was told already comes still. */
void     client_core_file_stop(struct client_core *core, uint32_t number);
/* The caller is told at most so many acts that are in its view already, whatever the settings say.
 * Call it right behind an attach. 0: from the view on. If the seat was another's before, none of
 * those acts is ever told. */
void     client_core_past(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                          uint32_t seat, uint64_t most);
/* From now on the caller makes this seat's bytes for hosted dice, or the core does again. Call it before
 * the seat's hash is posted. */
void client_core_dice_by_caller(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                                uint32_t seat, bool is_callers);
/* The round as acts have it, with what is wanted of the caller; NULL: no acts of one were heard. */
const struct client_dice *client_core_dice(struct client_core *core,
                                           const uint8_t match_id[CLIENT_ID_SIZE], uint32_t seat);
/* What CLIENT_DICE_WANTED asks for: the hash (32 bytes), or the bytes (16) that make the hash which
 * stands there. False: that is not wanted. */
bool     client_core_contribute(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                                uint32_t seat, const uint8_t *bytes, size_t size, uint64_t now_ms,
                                struct outbox *out);
/* The newest version of the protocol that the lobby reads, too: the oldest before its Welcome. */
uint32_t client_core_lobby_version(const struct client_core *core);
/* It said Welcome, and reads nothing newer than the first version. */
bool     client_core_lobby_is_old(const struct client_core *core);
/* How all services do, as a gateway or the operator may ask: a CLIENT_LIFE of each watchdog that is there. */
void     client_core_ask_life(struct client_core *core, struct outbox *out);
/* When the lobby was last heard; 0: never. */
uint64_t client_core_heard_ms(const struct client_core *core);
/* So often a view or a list was asked for. */
uint64_t client_core_looks(const struct client_core *core);
/* Hears no more of it. */
void     client_core_detach(struct client_core *core, const uint8_t match_id[CLIENT_ID_SIZE],
                            uint32_t seat, struct outbox *out);

/* Who we are to the lobby; zeros before a name is bound. */
const uint8_t *client_core_player(const struct client_core *core);

#endif
