/* client_world.h: a client core among scripted services: a test says what they say and sees what is said.
 *
 * The directory names one lobby, two engines (the first owns all slots) and two fanouts. A match of
 * these tests is a history made beforehand: acts with a true chain and true boxes. A test loses,
 * doubles, reorders and forges them as it likes. */
#ifndef ARBITER_TEST_CLIENT_WORLD_H
#define ARBITER_TEST_CLIENT_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "core/peers.h"

#include "contract/directory.pb-c.h"
#include "contract/engine.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/lobby.pb-c.h"
#include "contract/stream.pb-c.h"
#include "wire/names.h"

/* Each file of tests opens and closes its world as it needs it. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

/* Peers as the directory below gives them places. */
enum { LOBBY = 0, ENGINE = 1, ENGINE_2 = 2, FANOUT = 3, FANOUT_2 = 4 };

#define OUR_SEAT 1u
#define ACTS_MAX 32
#define SENT_MAX 256
#define SENT_BYTES 4096

/* A frame the core wanted sent, or a topic it wanted (kind 0). */
struct sent {
    uint32_t      peer, door;
    struct header header;
    bool          is_listen, is_unlisten;
    uint8_t       bytes[SENT_BYTES];
    size_t        size;
};

#define SCENE_SECRET 0x5e /* Each byte of what the core makes contributions of. */

/* One act of the true history. */
struct true_act {
    uint8_t  body[2048];
    size_t   size;
    uint8_t  before[32], after[32], hash[32];
    uint32_t actor;
    uint64_t epoch;
};

/* Who makes our bytes for dice in the scenes that are opened next; NULL: the core. */
extern void (*scene_own_bytes)(void *own, const uint8_t *match_id, uint32_t seat,
                               const uint8_t *commitment, uint8_t *bytes);

struct scene {
    struct client_core *core;
    void               *memory;
    struct outbox       out;
    uint64_t            now_ms;
    uint64_t            directory;
    uint32_t        missing; /* A service that the directory leaves out; 0: none.              */
    bool            are_stopping; /* The fanouts. */
    struct sent     sent[SENT_MAX];
    uint32_t        sent_count;
    uint8_t         match_id[16];
    uint8_t         secret[32];     /* The match's. */
    uint8_t         house;          /* First byte of the dice's secret; the others are zeros. */
    struct true_act acts[ACTS_MAX]; /* By number. */
    uint32_t        generation;     /* Of our seat, for the acts made next. */
    uint64_t        epoch;
    struct client_event event; /* The last one told. */
    /* Of a match of protocol 2: whose bytes the header says its dice are made of, by seats; 0: not named. */
    uint32_t            origin[2];
    bool                has_origins;
};

/* A core that has started, with the lobby's welcome and directory. */
void scene_open(struct scene *world, uint32_t queue_bytes);
/* The same as something else than a client: directory.Role. */
void scene_open_as(struct scene *world, uint32_t queue_bytes, uint32_t role);
/* A match of which we saw act `seen`, and which has gone on to act `last`. */
void scene_open_behind(struct scene *world, uint64_t seen, uint64_t last);
void scene_close(struct scene *world);

/* The lobby says again who is there; `owner` has all slots under `epoch`. */
void scene_directory(struct scene *world, uint32_t owner, uint64_t epoch);
/* A message comes in from a peer's door. */
void scene_say(struct scene *world, uint32_t peer, uint32_t door, const struct header *header,
               const void *body);
/* The connection to a peer's door is lost. */
void scene_cut(struct scene *world, uint32_t peer, uint32_t door);
/* Time passes. */
void scene_wait(struct scene *world, uint64_t ms);

/* How many frames of this kind were sent since the last call that looked; `last` is the last of them. All
 * of the kind are forgotten. */
uint32_t scene_sent(struct scene *world, uint16_t kind, struct sent *last);
/* A body that was sent, unpacked; to be freed with protobuf_c_message_free_unpacked. */
void    *scene_body(const struct sent *sent, const ProtobufCMessageDescriptor *descriptor);

/* The next event told must be of this kind; it is in world->event. */
void     scene_told(struct scene *world, enum client_event_kind kind);
void     scene_told_nothing(struct scene *world);
/* The next event told must be this act, with its true body. */
void     scene_told_act(struct scene *world, uint64_t number);
/* A HistoryAsk was sent, once, to this peer, for acts from `from` on. */
void     scene_asked_history(struct scene *world, uint32_t peer, uint64_t from);
/* None was. */
void     scene_asked_no_history(struct scene *world);
/* The one place that says which fanout is ours: slots are spread over both. */
uint32_t scene_our_fanout(const struct scene *world);

/* Makes act `number` of the history: `house` (may be NULL) among its public events, and `secret_event`
 * (may be NULL) in our box. */
void scene_make(struct scene *world, uint64_t number, uint32_t actor,
                const Arbiter__Stream__HouseEvent *house, const char *secret_event);
/* An act as stream.Act. Points into the world. */
void scene_act(struct scene *world, uint64_t number, Arbiter__Stream__Act *act);
/* Publishes an act at a fanout. */
void scene_publish(struct scene *world, uint32_t fanout, uint64_t number);
/* Answers a HistoryAsk with acts from..to, `last` being what there is. */
void scene_history(struct scene *world, uint32_t peer, uint64_t from, uint64_t to, uint64_t last);
void scene_head(struct scene *world, uint32_t fanout, uint64_t number, bool over);

/* Attaches OUR_SEAT (or NO_SEAT) at act `number` and takes the view. */
void scene_attach(struct scene *world, uint32_t seat, uint64_t number);
/* The engine's answer to an attach. */
void scene_attached(struct scene *world, uint32_t peer, uint32_t seat, uint64_t number,
                    uint32_t session, uint32_t request, const Arbiter__Engine__DiceRound *dice);
/* Refuses what was sent. */
void scene_refuse(struct scene *world, const struct sent *sent, uint32_t refusal,
                  uint64_t after_ms);
/* Accepts or refuses a command by the rules. */
void scene_reply(struct scene *world, const struct sent *sent, bool accepted, uint64_t number);

#endif
