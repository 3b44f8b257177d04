/* replay.h: a finished match file played again, act by act, everything in it compared.
 *
 * Opening reads the whole file once: its form, its end with the secrets, and the set-up. It also
 * checks that the dice are those the house was committed to. Each step then takes one act. It
 * hashes the stored bytes into the chain and plays the command by the rules. It compares what the
 * rules say with what was published: public events and every seat's box. The last step compares
 * outcome and state.
 *
 * Bytes are hashed as stored and compared decoded: a later build may spell an event differently and
 * still agree. A build without the rules of that version checks dice and chain and says so
 * (`wire` is NULL). Whoever hands in a file hands in bytes: nothing in it reaches an assert. */
#ifndef ARBITER_MATCH_REPLAY_H
#define ARBITER_MATCH_REPLAY_H

#include "games/registry.h"
#include "match/file.h"
#include "match/match.h"

#define REPLAY_HOLDERS_MAX 1024
#define REPLAY_NAME_MAX 64

/* Who holds a seat, from an act on. */
struct replay_holder {
    uint32_t seat;
    uint32_t generation;
    uint64_t since;
    bool     bot;
    bool     is_told; /* The act of the house that says so was there.                           */
    char     name[REPLAY_NAME_MAX]; /* Cut; "" if it was forgotten.                            */
};

/* What the end of the file says; its arrays are copies. */
struct replay_end {
    bool     finished; /* By the rules; else the house ended it.                               */
    uint64_t acts;
    uint8_t  chain[MATCH_HASH_SIZE];
    uint8_t  digest[MATCH_HASH_SIZE];
    uint8_t  sealing_secret[MATCH_SECRET_SIZE];
    uint8_t  dice_secret[32];
    bool     has_dice_secret;
    uint32_t outcomes;
    int32_t  outcome[SEATS_MAX];
};

struct replay_heard; /* replay_private.h */

enum replay_step { REPLAY_ACT, REPLAY_DONE, REPLAY_BAD };

struct replay {
    struct match_file     file;  /* Its `fault` says what is wrong.                          */
    struct arena          arena; /* Of the reader.                                           */
    struct arena          decoded;
    char                  game[64];
    char                  dice_name[16];
    uint32_t              protocol;
    uint32_t              origin[SEATS_MAX]; /* Of protocol 2: wire.Origin; 0: it gives no bytes. */
    uint32_t              rules_version;
    uint32_t              seats;
    uint8_t               id[MATCH_ID_SIZE];
    uint8_t               chain[MATCH_HASH_SIZE]; /* Over the stored bytes so far.           */
    uint64_t              number;                 /* Acts so far.                            */
    struct replay_end     end;
    struct replay_holder *holders; /* In the order of the file.                              */
    uint32_t              holder_count;
    struct replay_heard  *heard;
    const struct game_wire *wire; /* NULL: this build has not these rules.                     */
    void                   *setup;
    struct plan            *commands, *events;
    struct match_form       form;
    struct match_terms      terms;
    struct match           *match;
    struct match_room       room;
    bool                    begun;    /* Its start was played.                                  */
    bool                    annulled; /* And the house ended it, by the rules.                  */
    struct match_act        act;     /* As replayed; its number, actor and chain always stand.    */
    struct command          command; /* Of a seat's act, decoded.                              */
    struct dice             dice;
    void                   *memory[6];
};

/* Begins; the bytes stay the caller's and must outlive it. Faults of the set-up go to `complaints`
 * (NULL: nowhere). False: `file.fault` says why. To be closed in either case. */
bool replay_open(struct replay *replay, const uint8_t *bytes, size_t size, FILE *complaints);
/* The next act; with REPLAY_DONE everything has been compared. */
enum replay_step replay_next(struct replay *replay);
void             replay_close(struct replay *replay);
/* The name of who holds a seat at the present act; NULL if none is known. */
const char      *replay_name(const struct replay *replay, uint32_t seat);

/* Chain 0 of a header, whatever it is read from or about to be written into. */
void replay_chain_begin(uint8_t chain[MATCH_HASH_SIZE], const Arbiter__Match__Header *header);

#endif
