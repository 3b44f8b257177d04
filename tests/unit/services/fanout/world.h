/* world.h: a fanout on a table: matches it relays, an owner who answers it, and what it did.
 *
 * The world holds the truth: every act of every match as bytes. Frames and answers are handed to the fanout
 * as its shell would; what it wants done stands in `out` until the next step. Shared by the fanout's
 * tests. */
#ifndef ARBITER_TEST_FANOUT_WORLD_H
#define ARBITER_TEST_FANOUT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/directory.pb-c.h"
#include "contract/envelope.pb-c.h"
#include "contract/stream.pb-c.h"
#include "services/fanout/fanout.h"
#include "wire/names.h"

#define WORLD_MATCHES 8
#define WORLD_ACTS 400
#define WORLD_NOBODY UINT64_MAX

struct world_act {
    uint8_t *bytes; /* A packed stream.Act. */
    size_t   size;
    uint64_t slot_count;
    uint8_t  chain[32]; /* After it. */
};

struct world_match {
    uint8_t          id[16];
    uint8_t          chain[32]; /* Before act 1. */
    uint64_t         number;
    struct world_act acts[WORLD_ACTS + 1];
};

/* Something the fanout asked its owner. */
struct world_question {
    struct header header;
    uint32_t      peer;
    bool          has_count, has_to;
    uint64_t      from, to, count;
};

#define WORLD_QUESTIONS 512

struct world {
    struct world_question questions[WORLD_QUESTIONS]; /* Not yet answered, oldest first. */
    uint32_t              question_count;
    void (*watch)(struct world *world, const struct effect *effect); /* Sees each effect. */
    struct fanout         *fanout;
    struct fanout_settings settings;
    struct outbox          out;
    void                  *memory, *outbox;
    uint64_t               now_ms, epoch, luck;
    uint32_t               moved_max;  /* So many matches in one answer to what moved. */
    uint64_t               slot_count; /* All matches are of slot WORLD_SLOT. */
    struct world_match     matches[WORLD_MATCHES];
};

#define WORLD_SLOT 5

/* A fanout with small limits, which knows two engines: engine-1 (peer 1) and engine-2 (peer 2). If
 * `upstream` is not NULL, it names a fanout that is followed instead (peer 1). */
void world_begin(struct world *world, const struct fanout_settings *settings, const char *upstream);
void world_end(struct world *world);
void world_limits(struct fanout_settings *settings);
uint64_t world_draw(struct world *world, uint64_t below);

/* Another directory: both engines are to be found at this address. */
void world_introduce(struct world *world, uint64_t number, const char *address);
/* A message of the header's kind with every field left out, from engine-1. */
void world_hear_nothing(struct world *world, struct header *header);

/* An event as the shell makes it; the outbox holds what came of it. */
void world_step(struct world *world, struct event *event);
void world_wait(struct world *world, uint64_t ms);
void world_read(struct world *world, enum core_event_kind kind, const uint8_t *topic, size_t size);
void world_read_match(struct world *world, enum core_event_kind kind, uint32_t match);
/* A message from a peer's door, or at the history door from a route. */
void world_hear(struct world *world, uint32_t peer, uint32_t door, struct header *header,
                const ProtobufCMessage *body);
void world_ask(struct world *world, uint64_t route, uint32_t role, struct header *header,
               const ProtobufCMessage *body);
void world_ask_history(struct world *world, uint64_t route, uint32_t match, uint64_t from,
                       uint64_t to);

/* A match moves; nobody is told yet. */
void world_play(struct world *world, uint32_t index);
/* The owner says an act, where the slot stands, a head, to the fanout. */
void world_say_act(struct world *world, uint32_t match, uint64_t number);
void world_say_count(struct world *world);
void world_say_head(struct world *world, uint32_t index, bool over);
/* Says an act as if it were another number. */
void world_say_act_as(struct world *world, uint32_t match, uint64_t number, uint64_t as);
/* Plays and says it. */
void world_move(struct world *world, uint32_t match);

/* Effects of the last step: how many of a kind, and the n-th, NULL: none. */
uint32_t             world_count(const struct world *world, enum effect_kind kind, uint16_t frame);
const struct effect *world_find(const struct world *world, enum effect_kind kind, uint16_t frame,
                                uint32_t nth);
/* The owner's true answer to a question, said by its peer; at most `acts_max` acts. */
void world_answer(struct world *world, const struct world_question *question, uint64_t acts_max);
/* Takes the oldest question out; false: there is none. */
bool world_take_question(struct world *world, struct world_question *question);
/* Answers the oldest question, which is there. */
void world_answer_once(struct world *world);
/* Answers all questions, and those that come of it. */
void world_answer_all(struct world *world);
/* The slot is level: the owner has said where it stands, and what moved is known. */
void world_level(struct world *world);
/* A history answer that the fanout gave, unpacked; to be freed. */
Arbiter__Stream__HistoryAnswer *world_given(const struct effect *answer);
/* Whether these are the bytes of the match's act. */
bool world_is_act(const struct world *world, uint32_t match, uint64_t number, const uint8_t *bytes,
                  size_t size);

#endif
