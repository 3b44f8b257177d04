/* client_private.h: what the parts of the client core share; nobody else's business. */
#ifndef ARBITER_CLIENT_PRIVATE_H
#define ARBITER_CLIENT_PRIVATE_H

#include "client/client_core.h"
#include "client/client_ring.h"
#include "core/outbox.h"
#include "wire/box.h"
#include "wire/chain.h"
#include "wire/header.h"

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/stream.pb-c.h"
#include "contract/watchdog.pb-c.h"
#include "wire/names.h"

#define CLIENT_CHAINS 8       /* Of the last acts: late frames and heads are compared with them. */
#define CLIENT_CODE_MAX 64    /* Of a private table. */
#define CLIENT_TICKET_MAX 128 /* Of a gateway's ticket, and of its signature. */
#define CLIENT_REPLY_MAX 160  /* An accepted Reply has two hashes less than this. */
#define DICE_BYTES 16         /* A contribution. */

/* What the header's request says of messages that are no numbered requests, so that a refusal tells
 * which of them it is for. Requests of sessions stay below. */
#define TAG_TABLE 0x20000000u
#define TAG_SERIAL 0x0fffffffu /* What is behind it. */
#define TAG_ATTACH 0x40000000u
#define TAG_LEGAL 0x80000000u
#define TAG_HISTORY 0x10000000u

/* When something is to be done that is said again until it is answered. */
struct due {
    uint64_t at_ms; /* NO_WAKE: nothing is to be done. */
    uint32_t tries; /* Sent so often since the last answer. */
};

enum own_kind { OWN_NONE, OWN_PLAY, OWN_HASH, OWN_REVEAL };

/* Of a command: its name, and when it was where. */
struct own_took {
    uint8_t  id[TRACE_ID_SIZE];
    uint64_t came_ms, sent_ms, answered_ms; /* 0: not yet. */
    uint64_t number;                        /* The act it became; 0: none. */
    uint64_t engine_us[TRACE_COUNT];        /* As its answer says. */
};

/* The command under way, or nothing. */
struct own_command {
    enum own_kind   kind;
    uint32_t        number; /* What the caller was given; 0: the core's own. */
    uint32_t        size;
    struct due      due;
    bool            is_sent;    /* In `session`, at least once. */
    uint32_t        session;    /* It may have been played in no other. */
    uint64_t        sent_after; /* Our acts behind this one may be it. */
    bool            is_doubted; /* Its session is gone: acts up to `doubt_until` decide. */
    uint64_t        doubt_until;
    uint64_t        seen;       /* The first act of our seat since; 0: none. */
    uint64_t        told_after; /* Accepted: its reply is told behind this act; 0: not answered. */
    uint32_t        reply_size;
    uint8_t         reply[CLIENT_REPLY_MAX];
    struct own_took took;
};

struct dice_round {
    uint32_t step;    /* engine.DiceRound.Step, as acts say; 0: no round was opened. */
    uint32_t awaited; /* Bit s: seat s has to answer; ours is taken out when we do. */
    bool     is_posted, is_revealed; /* Ours. */
    bool     is_older;               /* Ours is made as builds of before made it. */
    bool     is_callers;             /* Ours is made by the caller ... */
    bool     has_bytes;              /* ... who has given it. */
    uint8_t  bytes[DICE_BYTES];
    uint64_t
                       behind; /* The engine has spoken of the acts up to this one: they are heard before we say anything. */
    bool               has_commitment;
    bool               is_named; /* The header says who contributes: ... */
    uint32_t           named;    /* ... these seats. */
    struct client_dice seen;     /* What stands in the acts. */
};

/* One seat of one match, or one place to watch it from. */
struct client_seat {
    bool     is_used;
    uint32_t next_place; /* client_seats.c: the next one of its bucket. */
    uint8_t  match_id[CLIENT_ID_SIZE];
    uint32_t seat;     /* NO_SEAT: watching. */
    uint64_t past;     /* At most so many acts that are in the first view are told, too. */
    uint32_t protocol; /* The match's, as its engine said; 0: not known yet. */
    char     code[CLIENT_CODE_MAX];
    uint8_t  ticket[CLIENT_TICKET_MAX], signature[CLIENT_TICKET_MAX]; /* A gateway's. */
    size_t   ticket_size, signature_size;                             /* 0: none. */

    struct due attach; /* NO_WAKE while attached. */
    uint32_t   attach_number;
    bool       was_heard_of; /* Something of the match, before it was last attached to. */
    uint32_t   missing;      /* How often no such match was said ... */
    uint64_t   missing_ms;   /* ... and when first. */
    uint32_t   session;      /* 0: none was ever had. */
    uint32_t   answered;     /* The session's last request that was. */

    struct own_command own;
    uint8_t           *command; /* Its bytes. */
    struct own_took    took;    /* Of the last one. */
    struct dice_round  dice;

    struct due legal; /* What may I do; NO_WAKE: not asked. */
    uint32_t   legal_number;
    uint64_t   legal_luck;
    bool       legal_best;

    struct due look; /* How does it stand; NO_WAKE: not asked. */
    uint32_t   look_number;

    bool               follows;     /* Both are wanted unasked, with this: ... */
    bool               must_say_so; /* ... which the engine has not heard. */
    struct client_wish wish;

    uint64_t next; /* The next act; 0: no view was had yet. */
    uint64_t
        told_from; /* Acts before this one are heard for the dice, and the caller is not told them. */
    uint64_t   known;                                  /* The last act known of. */
    uint8_t    chain[CLIENT_CHAINS][CRYPTO_HASH_SIZE]; /* Of act n at n % CLIENT_CHAINS. */
    uint64_t   oldest;                                 /* The first act whose chain stands there. */
    uint64_t   promised; /* The act whose chain we were told before it came; below next: none.    */
    uint8_t    promised_chain[CRYPTO_HASH_SIZE];
    struct due fetch; /* Asking for acts, or whether there are any. */
    uint32_t   quiet_ms;
    uint32_t   asked;  /* The fanout asked last, if it may have kept silent; NO_PEER: none. */
    bool       is_cut; /* The stream was lost, and whoever we listen to has not spoken since: ... */
    bool       is_engines; /* ... it is the engine's turn to be asked, ...                      */
    uint64_t   engine_ms;  /* ... but never before this.                                       */
    bool     is_behind; /* Somebody answered for an owner of before: once the newer one is heard */
                        /* of, what we lack is asked for at once.                           */
    uint32_t fanout;    /* Whose stream is listened to; NO_PEER: none. */
    uint64_t fanout_ms; /* Its hello when we began: another one is another connection. */
    uint64_t chosen_ms; /* When it was chosen: who came later was not looked at ...  */
    uint64_t directory; /* ... before this directory. */

    struct box_keys keys[2];    /* Of the last two generations we were given; seat-less: none. */
    uint32_t        generation; /* Of the next act's box. */
    bool            is_over;
    uint64_t        last; /* The last act, when is_over. */
    uint32_t        proof;
    uint32_t        found;  /* Bit f: enum client_fault f was found ... */
    uint32_t        faults; /* ... and told. */
};

/* A seat, or a place to watch from, whose match was told to its end. */
struct client_told {
    uint8_t  match_id[CLIENT_ID_SIZE];
    uint32_t seat;
};

/* One table. */
struct client_follow {
    bool     is_used;
    bool     is_watched; /* We hold no seat and want to see the match. */
    uint32_t serial; /* Of this use of the place: answers to a former one are not for this table. */
    uint8_t  table[CLIENT_ID_SIZE];
    uint8_t  player[CLIENT_ID_SIZE];   /* For whom; zeros: ourselves. */
    uint8_t  match_id[CLIENT_ID_SIZE]; /* That was begun here last; zeros: none. */
    char     code[CLIENT_CODE_MAX];
    uint64_t next; /* Event. */
    struct due ask;
    uint32_t   quiet_ms;
    uint64_t held_ms; /* The match's end was heard then, and waits for its last act; 0: nothing. */
};

/* A file that is being asked for. */
struct client_file {
    uint32_t   number;  /* What the caller was given; 0: this place is free. */
    uint32_t   request; /* Of the piece asked for: a late answer to another one is not for this. */
    uint8_t    match_id[CLIENT_ID_SIZE];
    uint8_t    code[CLIENT_CODE_MAX];
    size_t     code_size;
    uint64_t   from, skip; /* Where the next piece begins. */
    uint64_t   told;       /* So many bytes were. */
    struct due due;
};

struct client_core {
    struct client_core_settings settings;
    struct peers                peers;
    uint32_t                    follows;  /* Tables followed so far. */
    struct client_ring          queue;    /* For the caller. */
    bool                        is_taken; /* Its first one is in the caller's hands. */
    struct client_ring          asks;
    struct client_ring          followed;      /* Views and lists whose acts are on their way. */
    struct due                  ask;           /* The first of them. */
    uint32_t                    numbers;       /* Given out so far. */
    uint32_t                    lobby_request; /* Of the ask under way, or of the last one. */
    uint64_t                    looks;         /* Views and lists asked for. */
    uint32_t                    asked; /* Times it was said and not put off: may have been done.  */
    uint32_t            jitter; /* Of 1024: who lost the same engine does not come back at once. */
    uint64_t            salt;   /* Ours: others choose other fanouts. */
    uint8_t             ids[TRACE_ID_SIZE / 2]; /* Ours: the commands' names begin with it, ... */
    uint64_t            named;                  /* ... and end with how many they are. */
    uint64_t            spread_ms;              /* When seats look at fanouts that have come. */
    bool                is_seeded;
    bool                is_short; /* The queue had no room for something. */
    uint8_t             player[CLIENT_ID_SIZE];
    uint64_t            engine_history_ms; /* Until then engines' history may be asked ... */
    uint32_t            engine_asks;       /* ... so often, and has been so often. */
    uint64_t            epoch[SLOTS];      /* The highest seen. */
    struct client_seat *seats;
    uint32_t           *buckets;                /* Of seats, by their matches: client_seats.c. */
    uint32_t            seats_used, seats_free; /* How many; no free place is below this one. */
    uint64_t            seats_looked;           /* Looked at while one was sought: for tests. */
    struct client_told *told; /* The last ones, as many as there are places, round and round. */
    uint32_t            told_count; /* So far. */
    struct client_follow *tables;
    struct client_file   *files;
};

/* What is going on in this call. */
struct turn {
    struct client_core *core;
    uint64_t            now_ms;
    struct outbox      *out;
};

/* client_core.c */
struct due due_now(const struct turn *turn);
struct due due_never(void);
bool       is_due(const struct turn *turn, const struct due *due);
/* It was said; it is due again later, each time twice as late. */
void       due_again(const struct turn *turn, struct due *due);
/* Whoever refused says when to come back. */
void       due_refused(const struct turn *turn, struct due *due, const struct event *event);
/* Whether what was refused is to be asked again. */
bool       is_for_later(const struct event *event);
/* Makes room for something for the caller, with so many bytes behind it; NULL: not now. */
struct client_event *told_reserve(struct client_core *core, enum client_event_kind kind,
                                  size_t bytes);
/* Where those bytes stand. */
uint8_t             *told_bytes(struct client_event *told);
void                 told_put(struct client_core *core, struct client_event *told, size_t bytes);
/* All in one: an event with a copy of a message; false: no room now. */
bool     tell(struct client_core *core, const struct client_event *what, const uint8_t *bytes,
              size_t size);
/* client_seats.c */
uint32_t seats_buckets(const struct client_core_settings *settings);
/* A place with nothing in it but this match; NULL: there is none. */
struct client_seat *seat_take(struct client_core *core, const uint8_t *match_id);
void                seat_release(struct client_core *core, struct client_seat *seat);
/* Those of a match, one after the other. */
struct client_seat *seat_first(struct client_core *core, const uint8_t *match_id);
struct client_seat *seat_after(struct client_core *core, const struct client_seat *seat);
struct client_seat *seat_find(struct client_core *core, const uint8_t *match_id, uint32_t seat);

/* client_lobby.c: asks. */
void lobby_header(const struct client_core *core, struct header *header, uint16_t kind,
                  uint32_t request);
void lobby_pump(const struct turn *turn);
void lobby_welcome(const struct turn *turn, const struct event *event);
void lobby_message(const struct turn *turn, const struct event *event);

/* client_table.c: tables. */
bool id_is_none(const uint8_t id[CLIENT_ID_SIZE]);
bool id_is_whole(const ProtobufCBinaryData *id);
void table_pump(const struct turn *turn);
/* A table as the lobby shows it, to this player (zeros: ourselves); one that was asked for is followed,
 * others if we are there. */
void table_left(struct client_core *core, const uint8_t table[CLIENT_ID_SIZE],
                const uint8_t player[CLIENT_ID_SIZE]);
void table_look(const struct turn *turn, const Arbiter__Lobby__Table *table,
                const uint8_t player[CLIENT_ID_SIZE], bool is_asked_for);
void table_event(const struct turn *turn, const struct event *event);
void table_answer(const struct turn *turn, const struct event *event);
void table_refused(const struct turn *turn, const struct event *event, bool is_for_later);

/* client_attach.c: sessions, and what is said to the engine in them. */
bool seat_open(const struct turn *turn, const uint8_t *match_id, uint32_t seat, const char *code);
bool seat_open_for(const struct turn *turn, const uint8_t *match_id, uint32_t seat,
                   const Arbiter__Wire__SignedTicket *ticket);
void seat_close(const struct turn *turn, struct client_seat *seat);
/* The lobby may say late that a match begins or goes on: what was told to its end is not told again. */
void seat_was_told(struct client_core *core, const struct client_seat *seat);
bool seat_is_told(const struct client_core *core, const uint8_t *match_id, uint32_t seat);
void seat_attach_again(const struct turn *turn, struct client_seat *seat);
/* The first that is heard of a match whose engine did not know it yet. */
void seat_has_begun(const struct turn *turn, struct client_seat *seat);
void attach_pump(const struct turn *turn, struct client_seat *seat);
void attach_message(const struct turn *turn, const struct event *event);
/* Tells that the seat is lost, and closes it. */
void seat_lose(const struct turn *turn, struct client_seat *seat, uint32_t refusal, uint32_t closed,
               const struct event *event);
/* Its table was closed: seats of which no view was had yet are lost, for perhaps it never began. */
void seat_lose_unbegun(const struct turn *turn, const uint8_t *match_id);
/* A service's address; NO_PEER: the directory names none for the slot. */
uint32_t seat_engine(const struct client_core *core, const struct client_seat *seat);
void     seat_header(const struct client_core *core, const struct client_seat *seat, uint16_t kind,
                     struct header *header);

/* client_command.c: the command under way and its answer. */
void command_start(const struct turn *turn, struct client_seat *seat, enum own_kind kind,
                   const uint8_t *bytes, size_t size, uint32_t number);
void command_pump(const struct turn *turn, struct client_seat *seat);
void command_reply(const struct turn *turn, struct client_seat *seat, const struct event *event);
void command_refused(const struct turn *turn, struct client_seat *seat, const struct event *event);
/* The match is over and its sessions with it, so nobody will ever answer: says what is known of the command
 * under way. False: no room now. */
bool command_over(const struct turn *turn, struct client_seat *seat, uint32_t refusal);
/* A new session was granted at act `number`; what it says was answered last. */
void command_session(struct client_seat *seat, uint32_t session, uint32_t answered,
                     uint64_t number);
/* An act of our own seat. */
void command_seen(struct client_seat *seat, uint64_t number);

/* client_took.c: a command's name, and where its time goes. */
void took_begin(const struct turn *turn, struct own_took *took);
/* It is said, perhaps once more: what an engine that reads version 2 hears beside it. */
void took_say(const struct turn *turn, struct own_took *took, const struct header *header,
              Arbiter__Engine__Command *command);
void took_answered(const struct turn *turn, struct own_took *took,
                   const Arbiter__Engine__Reply *reply);

/* client_dice.c: contributions to hosted dice, and what is shown at the end. */
void dice_pump(const struct turn *turn, struct client_seat *seat);
void dice_attached(const struct turn *turn, struct client_seat *seat,
                   const Arbiter__Engine__Attached *attached);
void dice_hear(const struct turn *turn, struct client_seat *seat, uint64_t number,
               const uint8_t *event, size_t size);
void dice_contribution(const struct client_core *core, const struct client_seat *seat,
                       uint8_t bytes[DICE_BYTES]);

/* client_caller.c: the same, made by the caller. */
/* What is wanted of it now. */
void caller_ask(const struct turn *turn, struct client_seat *seat, enum client_wanted wanted);
/* A hash or bytes. False: that is not wanted. */
bool caller_contribute(const struct turn *turn, struct client_seat *seat, const uint8_t *bytes,
                       size_t size);

/* client_stream.c: acts in order. */
void     stream_begin(const struct turn *turn, struct client_seat *seat, uint64_t number,
                      const uint8_t *chain);
/* The same from act `first` on, up to this one, whose chain must come of it, and further. */
void     stream_begin_at(const struct turn *turn, struct client_seat *seat, uint64_t first,
                         uint64_t number, const uint8_t *chain);
/* The match ends with this act, if it is not behind us already. */
void     stream_over(struct client_seat *seat, uint64_t number);
void     stream_known(const struct turn *turn, struct client_seat *seat, uint64_t number,
                      uint64_t wait_ms);
void     stream_pump(const struct turn *turn, struct client_seat *seat);
/* client_spread.c: the fanout for this seat; NO_PEER: there is none. */
uint32_t spread_choose(const struct client_core *core, const struct client_seat *seat);
/* One that came since it chose, and is the better one now; NO_PEER: none. */
uint32_t spread_better(const struct client_core *core, const struct client_seat *seat);
void     stream_message(const struct turn *turn, const struct event *event);
/* Another chain for an act we know, or were told of before it came, is a fork. */
void     stream_compare(const struct turn *turn, struct client_seat *seat, uint64_t number,
                        const uint8_t *chain, size_t size);
void     stream_unlisten(const struct turn *turn, struct client_seat *seat);
void     seat_fault(const struct turn *turn, struct client_seat *seat, enum client_fault fault,
                    uint64_t number);

/* Listens to this fanout and no other; NO_PEER: to none. */
void stream_listen(const struct turn *turn, struct client_seat *seat, uint32_t fanout);
bool stream_is_listening(const struct client_core *core, const struct client_seat *seat);

/* client_cut.c: whom to ask. */
/* The peer to ask for the next act now; NO_PEER: there is nobody. */
uint32_t cut_choose_door(const struct turn *turn, struct client_seat *seat);
/* It is the engine's turn, and there is nobody better: it is waited for, if it may not be asked yet. */
bool     cut_waits_for_engine(const struct turn *turn, struct client_seat *seat);
/* What was said since then did not come, and nothing will before somebody listens anew: whether at the same fanout. */
void cut_doubt(const struct turn *turn, struct client_seat *seat, bool is_same, uint64_t wait_ms);
/* The connection to a fanout's stream was lost. */
void cut_stream(const struct turn *turn, uint32_t fanout);
/* History is refused, of a match that some seat may have asked about. */
void cut_refused(const struct turn *turn, const struct event *event);
/* Somebody spoke about the seat's match. */
void cut_heard_from(struct client_seat *seat, const struct event *event);

/* client_look.c: how it stands, and what the seat may do. */
void legal_say(const struct turn *turn, struct client_seat *seat, uint32_t engine);
void legal_told(const struct turn *turn, struct client_seat *seat, const struct event *event);
void legal_refused(const struct turn *turn, struct client_seat *seat, const struct event *event,
                   uint32_t refusal);
void look_told(const struct turn *turn, struct client_seat *seat, const struct event *event,
               const Arbiter__Engine__Attached *attached);
void look_refused(const struct turn *turn, struct client_seat *seat, const struct event *event,
                  uint32_t refusal);

/* client_followed.c: both, unasked, behind acts. */
void followed_begin(const struct client_core *core, struct client_seat *seat);
/* What an Attach wishes. */
void followed_wish(const struct turn *turn, struct client_seat *seat, uint32_t version,
                   Arbiter__Engine__Attach *attach);
void followed_hear(const struct turn *turn, struct client_seat *seat, const struct event *event);
/* An act was told: what waited for it is. */
void followed_act(const struct turn *turn, const struct client_seat *seat);

/* client_file.c: files of finished matches. */
void file_pump(const struct turn *turn);
/* False: the message is about none. */
bool file_message(const struct turn *turn, const struct event *event);

/* client_act.c: one act, judged, opened, told. */
enum taken { ACT_TAKEN, ACT_LATER, ACT_BAD };
/* An act we were told already, once more: whether it is the same one. */
void       act_compare(const struct turn *turn, struct client_seat *seat,
                       const Arbiter__Stream__Act *act);
enum taken act_take(const struct turn *turn, struct client_seat *seat,
                    const Arbiter__Stream__Act *act);

#endif
