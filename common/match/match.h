/* match.h: one match in memory: the rules' state, its dice, its numbers, its seals and its chain.
 *
 * The engine's core, the simulator, replay, verify and the benchmarks all play matches through this
 * one door, so what they see cannot differ. *Terms* are what matches may share: the game, its
 * compiled set-up, the number of seats, and how acts become bytes. A *match* is one flat block,
 * with its state at the end. To undo something, put a copy of the block back: this undoes
 * everything, dice included. A *room* is the scratch memory one act is written in; one serves any
 * number of matches.
 *
 * Nothing here allocates, opens, reads a clock or draws entropy. The caller hands in memory, of
 * sizes these functions work out from the game's bounds. It also hands in identities, seeds and
 * secrets. The terms choose how much is done with an act. For pure simulation its events stay words
 * (MATCH_WORDS). With MATCH_CHAINED they become the bytes that are published and chained. With
 * MATCH_SEALED private events are also sealed for their seats. What the rules do is the same. */
#ifndef ARBITER_MATCH_H
#define ARBITER_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dice/dice.h"
#include "rules/game.h"
#include "wire/box.h"
#include "wire/crypto.h"
#include "wire/plan.h"

#define MATCH_ID_SIZE 16
#define MATCH_SECRET_SIZE 32
#define MATCH_HASH_SIZE 32

/* Who did an act: a seat (below SEATS_MAX), or one of these. */
#define ACTOR_START 0x100u /* The match begins, by its rules. Its command is empty.           */
#define ACTOR_TIME 0x101u  /* Seats' time ran out. Its command is their mask, 4 bytes.       */
#define ACTOR_HOUSE 0x102u /* The house removed a seat. Its command is the seat, 4 bytes.    */
#define ACTOR_ANNUL 0x103u /* The house ended the match. Its command is empty.               */
#define ACTOR_SAY 0x104u   /* The house said something that no rule hears: about dice before  */
                           /* the start, hands, clocks. Its command is the stream.proto      */
                           /* HouseEvent, which also is the body's first event.              */

/* A command may hold so many bytes of text, encoded in UTF-8; its sender's edge refuses longer ones. */
#define MATCH_TEXT_MAX 32768

/* How acts are written down; MATCH_SEALED and MATCH_CHAINED may be joined. */
enum match_flags { MATCH_WORDS = 0, MATCH_CHAINED = 1, MATCH_SEALED = 2 };

/* How acts become bytes; one for all matches of a game. */
struct match_form {
    const struct plan       *commands; /* Of the game's Command.                                */
    const struct plan       *events;   /* Of the game's Event.                                  */
    const struct crypto_ops *crypto;
};

/* What all matches of one table share. Filled by match_terms_init, then never written. */
struct match_terms {
    const struct game       *game;
    const void              *setup; /* Compiled; shared, constant.                              */
    const struct match_form *form;  /* NULL with MATCH_WORDS, if nobody asks for digests.       */
    uint32_t                 seats;
    uint32_t                 flags; /* enum match_flags.                                        */
    struct bounds            bounds;
};

/* A match. Followed in memory by the rules' state and the seats' keys; match_bytes says how much it
 * all takes. */
struct match {
    const struct match_terms *terms;
    uint64_t                  number; /* Acts so far; 0: not started.                          */
    uint64_t                  epoch;  /* Of the slot's owner; goes into the nonces of boxes.   */
    uint8_t                   id[MATCH_ID_SIZE];
    uint8_t                   secret[MATCH_SECRET_SIZE]; /* Seals boxes, hides commands.       */
    uint8_t                   chain[MATCH_HASH_SIZE];    /* At `number`.                       */
    uint32_t                  generation[SEATS_MAX];     /* Of each seat's key, from 1.        */
    struct dice               dice;
    uint64_t                  state[]; /* The rules' block: terms->bounds.state_bytes.         */
};

/* What must be known to begin. */
struct match_begin {
    uint8_t            id[MATCH_ID_SIZE];
    uint8_t            secret[MATCH_SECRET_SIZE]; /* From the shell's entropy, or from a file. */
    uint8_t            chain[MATCH_HASH_SIZE];    /* Chain 0: the hash of the match's header.  */
    uint64_t           epoch;
    const struct dice *dice; /* Copied.                                                        */
};

/* What the house adds to an act: HouseEvents as bytes, at most so many in one body. */
#define MATCH_HOUSE_MAX 1024
struct match_house {
    const uint8_t *bytes;
    size_t         size;
};

/* Scratch memory for one act: events as words, body and boxes as bytes. */
struct match_room {
    struct sink        sink;
    struct match_house said; /* Goes behind the events of the next act, whatever it is; and this */
    /* behind that, if by the rules the act ends the match. Size 0: none. */
    struct match_house last;
    uint8_t           *command;
    uint8_t           *body;
    uint8_t *text; /* What goes into a box, before it is sealed.                            */
    size_t   command_max, body_max, text_max;
};

/* One accepted act, as it is stored and published. Points into the room; the next act overwrites it. */
struct match_act {
    uint64_t           number;
    uint32_t           actor;
    const struct sink *events; /* What happened, whatever the flags.                          */
    const uint8_t     *command;
    size_t             command_size;
    const uint8_t     *body;      /* What is published (wire/act.h), boxes included; NULL with    */
    size_t             body_size; /* MATCH_WORDS.                                             */
    uint8_t            chain[MATCH_HASH_SIZE];
};

/* Fixes the terms of `seats` seats. With MATCH_WORDS the form may be NULL. The number of seats is the
 * caller's to judge beforehand (game->seats); here it is asserted. */
void match_terms_init(struct match_terms *terms, const struct game *game, const void *setup,
                      uint32_t seats, uint32_t flags, const struct match_form *form);

/* The bytes one match takes, and one room. Memory is to be aligned for a uint64_t. */
size_t match_bytes(const struct match_terms *terms);
size_t match_room_bytes(const struct match_terms *terms);
/* Lays a room out in `memory`, for all matches whose terms need no more. */
void   match_room_init(struct match_room *room, const struct match_terms *terms, void *memory);

/* Begins a match in `memory`: its first act. The next two functions are its halves, for callers
 * that must know the match before it begins. Such are a replay, a recovery from a snapshot, and a
 * table whose dice are still being made. */
struct match *match_start(void *memory, const struct match_terms *terms,
                          const struct match_begin *begin, struct match_room *room,
                          struct match_act *act);
struct match *match_prepare(void *memory, const struct match_terms *terms,
                            const struct match_begin *begin);
void          match_first(struct match *match, struct match_room *room, struct match_act *act);
/* A seat's command. Refused: nothing has happened, `act` is untouched. The seat is
 * one of the match's: who speaks for it was judged before. */
verdict       match_play(struct match *match, uint32_t seat, const struct command *command,
                         struct match_room *room, struct match_act *act);
/* The time of these seats ran out at one instant; false: nothing has happened. */
bool          match_expire(struct match *match, seat_mask late, struct match_room *room,
                           struct match_act *act);
/* The house ends the whole match; false: nothing has happened, as with games that cannot be ended so. */
bool          match_annul(struct match *match, struct match_room *room, struct match_act *act);
/* The house removes a seat; false: nothing has happened. */
bool          match_leave(struct match *match, uint32_t seat, struct match_room *room,
                          struct match_act *act);

/* The house says something, a HouseEvent of at most MATCH_TEXT_MAX bytes: an act without rules and boxes.
 * May come before the start. `last` follows it in any case: who says the match is over ends it so. */
void match_say(struct match *match, const uint8_t *event, size_t size, struct match_room *room,
               struct match_act *act);

/* Whom the match waits for; 0: it is over. */
seat_mask   match_to_act(const struct match *match);
/* What a seat may do, the result, and the first broken invariant: see game.h. */
void        match_legal(const struct match *match, uint32_t seat, struct legal *list);
void        match_view(const struct match *match, uint32_t viewer, struct sink *out);
void        match_outcome(const struct match *match, int32_t *per_seat);
const char *match_check(const struct match *match);

/* The seat has changed hands: from the next act on its boxes are sealed with this generation's key. */
void match_set_generation(struct match *match, uint32_t seat, uint32_t generation);
/* The keys of a seat, with MATCH_SEALED. */
const struct box_keys *match_keys(const struct match *match, uint32_t seat);

/* Undo: a copy taken before the first touch, and back. `copy` has room for match_bytes. */
void match_keep(const struct match *match, void *copy);
void match_undo(struct match *match, const void *copy);

/* A hash of the rules' state and of the dice: two matches with the same digest go on alike. */
void match_digest(const struct match *match, uint8_t digest[MATCH_HASH_SIZE]);

/* A snapshot: number, chain, generations, dice and state, under a layout's name and over a digest.
 * Layouts are private to builds: a reader that does not know one ignores it and replays. */
size_t match_snapshot_bytes(const struct match_terms *terms);
size_t match_save(const struct match *match, uint8_t *bytes, size_t capacity);
/* Loads a snapshot into a match that was begun with the same terms. False, and nothing has
 * happened, if the bytes are of another layout, damaged, or not of this match. */
bool   match_load(struct match *match, const uint8_t *bytes, size_t size);

#endif
