/* replica.h: the reference: every match played a second time, from what was kept of it.
 *
 * An act that becomes durable is played here by the same rules, from the same dice and secrets, in
 * memory of its own. What comes out must be what was kept and published, byte for byte, boxes and
 * chain included. A copy of the match after each act answers every later question: what was the
 * chain at n, what could a seat see at n. */
#ifndef ARBITER_CLUSTER_REPLICA_H
#define ARBITER_CLUSTER_REPLICA_H

#include <stdbool.h>
#include <stdint.h>

#include "dice/commitment.h"
#include "games/registry.h"
#include "match/match.h"
#include "world/vault.h"

/* A game and its plans, made once for the whole program. */
struct played_game {
    const struct game_wire *wire;
    struct match_form       form;
    struct plan            *view;
};

struct replica_act {
    uint32_t          actor, session, request;
    uint64_t          epoch, slot_count, at_ns;
    uint32_t          answers; /* How often it was answered. */
    uint8_t           chain[MATCH_HASH_SIZE];
    struct vault_row *row;  /* Of the journal.                                                 */
    void             *copy; /* The match behind this act.                                      */
};

struct replica {
    uint8_t                   id[MATCH_ID_SIZE];
    const struct played_game *game;
    void                     *setup;
    struct match_terms        terms;
    struct match             *match;
    struct match_room         room;
    void                     *memory, *room_memory;
    bool                      is_hosted, has_begun;
    struct contributions      contributions;
    uint8_t                   dice_secret[SECRET_BYTES];
    uint64_t                  turn_ms;
    struct replica_act       *acts; /* [0] is act 1.                                           */
    uint32_t                  count, capacity;
    bool                      has_result;
    bool                      is_set_back;   /* The journal has lost acts of it that were told.  */
    uint32_t                  overs, starts; /* How often the lobby heard of them.             */
    uint64_t                  expired;       /* The last wait of which an Expire came.         */
    uint8_t                   table[16]; /* The lobby's.                                        */
};

const struct played_game *replica_game(const char *name, uint32_t version);
/* Sets a match up from its rows; false: they make no sense. */
bool        replica_open(struct replica *replica, const struct row *match, const struct row *setup);
void        replica_close(struct replica *replica);
/* Plays one more act; NULL, or what is wrong with it. */
const char *replica_play(struct replica *replica, struct vault_row *row, uint64_t now_ns);
/* What a seat, or a spectator, sees behind act `number`; the bytes it takes, 0: it cannot be said. */
size_t replica_view(const struct replica *replica, uint64_t number, uint32_t viewer, uint8_t *bytes,
                    size_t capacity);

#endif
