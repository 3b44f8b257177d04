/* client_event.h: what a caller of the client library is told, one thing after the other.
 *
 * Everything comes in one stream. It has the lobby's answers and what happens at the caller's
 * tables. It also has the views of the caller's seats, every act of their matches, and what became
 * of the commands. Of each table the caller hears every number once, in order. Of each match it
 * hears a view at some act, then every later act once, in order, without a gap, to the last one. An
 * accepted command is told right behind the act it became, and a table's "the match is over" behind
 * the match's last act. */
#ifndef ARBITER_CLIENT_EVENT_H
#define ARBITER_CLIENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_ID_SIZE 16 /* Of a table, a match, a player. */
#define CLIENT_KEY_SIZE 32

enum client_event_kind {
    CLIENT_NOTHING,   /* Only from client_next: the time is over.                                 */
    CLIENT_CONNECTED, /* The lobby knows us; `player` is who we are, zeros before a name is bound.  */
    CLIENT_ANSWER,    /* lobby.Answer to ask `request`.                                          */
    CLIENT_REFUSED,   /* wire.Refused: ask `request` will not be served; `refusal` says why.      */
    CLIENT_TABLE,     /* lobby.TableEvent `number` of `table`.                                    */
    CLIENT_TABLE_NOW,  /* lobby.Table: so long away that events are not kept; goes on behind it.  */
    CLIENT_TABLE_LOST, /* wire.Refused: no news of `table` any more; `refusal` says why.           */
    CLIENT_ATTACHED, /* engine.Attached: the match as the seat may see it, at act `number`.       */
    CLIENT_ACT,      /* stream.ActBody of act `number`, by `actor`; client_happening reads it.   */
    CLIENT_REPLY,    /* engine.Reply to command `request`: `outcome`.                            */
    CLIENT_VIEW, /* engine.Attached, asked for again: the match right behind act `number`,     */
                 /* the last one that was told. `request` 0: unasked, with less in it.  */
    CLIENT_LEGAL, /* engine.LegalAnswer: what the seat may do at act `number`. `request` 0: unasked. */
    CLIENT_FILE, /* A piece of a finished match's file: `bytes` of it, behind `number` others. */
    CLIENT_LIFE, /* watchdog.Life: how all services do, by watchdog `number`.                 */
    CLIENT_DICE, /* Our contribution is among the bytes the dice are made of.                 */
    CLIENT_DICE_WANTED, /* The seat's hash, or its bytes, which the caller makes: struct client_dice. */
    CLIENT_OVER, /* There will be no more acts; `proof` is what its secrets are worth.        */
    CLIENT_LOST, /* No more of this match for this seat: `refusal`, or `closed` and why.      */
    CLIENT_FAULT /* The house broke a promise: `fault`. Keep what you have and tell someone.  */
};

/* What became of a command. */
enum client_outcome {
    CLIENT_ACCEPTED, /* It became act `number`, which has just been told.                         */
    CLIENT_NOT_ACCEPTED, /* The rules refuse it: verdict, reason and sentence are in the Reply.    */
    CLIENT_UNFIT,        /* The engine cannot read it; a wire.Refused instead of a Reply.        */
    CLIENT_UNSURE /* Our session was closed over it, and since then an act of our seat was seen    */
                  /* that may be this command or another device's. It will not be sent again.    */
};

enum client_fault {
    CLIENT_NO_FAULT,
    CLIENT_FAULT_FORK,     /* Act `number` has another past than the one we were shown.           */
    CLIENT_FAULT_ROLLBACK, /* The engine stands before act `number`, which we were shown.         */
    CLIENT_FAULT_BOX,      /* What is in our box of act `number` does not open with our key.     */
    CLIENT_FAULT_DICE,     /* Other bytes than ours were put in for us, or ours were left out.   */
    CLIENT_FAULT_SECRETS   /* The secrets shown at the end are not those the match began with.   */
};

/* What the secrets shown at the end prove. */
enum client_proof {
    CLIENT_PROOF_SEALS = 1, /* The sealing secret makes the key we were given.                  */
    CLIENT_PROOF_DICE = 2,  /* The dice's secret is the one committed to.                     */
    CLIENT_PROOF_OWN_BYTES = 4 /* And our bytes were in.                                          */
};

#define CLIENT_DICE_SEATS 16 /* At most so many contribute. */
#define CLIENT_DICE_BYTES 16

/* What is wanted of a caller that makes its seat's bytes for hosted dice itself. */
enum client_wanted { CLIENT_WANTS_NOTHING, CLIENT_WANTS_HASH, CLIENT_WANTS_BYTES };

/* The round in which hosted dice are made, as the acts of the match have it. Bit s stands for seat s. */
struct client_dice {
    enum client_wanted wanted;
    uint8_t            commitment[CLIENT_KEY_SIZE]; /* The house's: SHA-256 of its secret. */
    uint32_t seats;  /* Who contributes.                                                  */
    uint32_t posted; /* Whose hash is an act, and stands below.                           */
    uint32_t silent; /* Who did not answer in time.                                       */
    uint8_t  hash[CLIENT_DICE_SEATS][CLIENT_KEY_SIZE];
};

struct client_event {
    enum client_event_kind kind;

    uint8_t table[CLIENT_ID_SIZE];
    uint8_t match_id[CLIENT_ID_SIZE];
    uint8_t player[CLIENT_ID_SIZE]; /* CLIENT_CONNECTED.                                          */
    uint32_t seat;                  /* Of the match; UINT32_MAX: watching.                      */
    uint32_t request;               /* What the call that asked for it gave back.                */
    uint64_t number;                /* Of the act, of the table's event, or of the watchdog.     */
    uint64_t epoch;                 /* CLIENT_ACT: of its commit.                                */
    uint32_t actor; /* CLIENT_ACT: a seat, or 256: the start, 257: time, 258, 259: the house.    */
    enum client_outcome outcome; /* CLIENT_REPLY.                                                 */
    uint32_t            refusal; /* wire.Refusal.                                                 */
    uint32_t            closed;  /* CLIENT_LOST: engine.Closed.Why, or 0.                         */
    enum client_fault   fault;
    bool                is_last; /* CLIENT_FILE: the file is whole.                              */
    uint32_t            proof;   /* CLIENT_OVER: enum client_proof, joined.                       */

    /* The message named above, as it came and valid; the text that was in our box. Both live until
     * the next event is asked for. */
    const uint8_t *bytes;
    size_t         size;
    const uint8_t *box; /* NULL without one.                                                     */
    size_t         box_size;
};

#endif
