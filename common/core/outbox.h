/* outbox.h: what a core wants done: rows to keep, messages to send, and when to wake it.
 *
 * Effects are data. The caller of a core first commits the batch's rows, with its fences, in one
 * transaction. Then it tells the core what became of them (`settle`). Only then it performs the
 * effects, in their order. So nothing is said before it is kept. A batch is all that was stepped
 * since the last commit. If the batch was not committed, its effects are dropped, and `settle`
 * undoes what was done in memory. The effects that `settle` itself puts in are performed instead
 * ("again", to everybody who asked).
 *
 * All of it lives in the outbox's own memory until the batch is settled. */
#ifndef ARBITER_OUTBOX_H
#define ARBITER_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "core/event.h"
#include "core/figures.h"
#include "core/row.h"
#include "core/trace.h"

/* One message and all it makes a core do must find so much room. */
#define OUTBOX_STEP_BYTES (512u << 10)
#define OUTBOX_STEP_EFFECTS 2048u

enum effect_kind {
    EFFECT_SEND,    /* A message to one: `door` and `route`.                                   */
    EFFECT_PUBLISH, /* A message to whoever subscribed to its topic.                           */
    EFFECT_CONNECT, /* Open connection `route` to `address`, whose key is `key`: `door` says to  */
                    /* what. DOOR_REQUESTS and DOOR_HISTORY make a DEALER, DOOR_STREAM a SUB.    */
    EFFECT_DISCONNECT, /* Close connection `route`.                                              */
    EFFECT_LISTEN,     /* Subscribe connection `route` to `bytes`.                                */
    EFFECT_UNLISTEN,
    EFFECT_ADMIT, /* From now on `body`, a directory.Directory, says which key may what.      */
    EFFECT_READ,  /* Rows come as events.                                                    */
    EFFECT_SAY,   /* A line for the log: `level`, `text`; or, if `is_full`, a limit.   */
    EFFECT_TOOK,  /* A command's time is over, but for its answer, which is behind it: `trace`.   */
    EFFECT_EXIT   /* The process is done.                                                    */
};

enum say_level { SAY_DEBUG, SAY_INFO, SAY_WARNING, SAY_ERROR };

struct effect {
    enum effect_kind        kind;
    uint32_t                door;
    uint64_t                route;
    struct header           header;
    const ProtobufCMessage *body; /* EFFECT_SEND, EFFECT_PUBLISH: either this, or ...             */
    const uint8_t      *bytes; /* ... the body as bytes (a relay's). LISTEN: the topic.         */
    size_t              size;
    const char         *address;
    const uint8_t      *key; /* EFFECT_CONNECT: CALLER_KEY_SIZE bytes.                        */
    const struct query *query;
    enum say_level      level;
    const struct text  *text;
    bool                is_full; /* EFFECT_SAY: `text` names the setting of `bound`.              */
    enum bound          bound;
    struct trace       *trace;
};

struct outbox {
    uint8_t       *memory; /* For everything below and what it points to.                         */
    size_t         capacity, used;
    struct effect *effects;
    uint32_t       effect_count, effects_max;
    struct row   **rows;
    uint32_t       row_count, rows_max;
    struct fence  *fences; /* At most one for each slot.                                          */
    uint32_t       fence_count;
    uint64_t      wake_ms; /* NO_WAKE: none. Stays asked for until EVENT_TIME is delivered.       */
    bool          wants_commit; /* The core wants this batch settled before its next step.        */
    struct trace *judged; /* The last one of this step, for who measures it.                      */
};

/* Places an outbox into memory its owner keeps; the more, the larger a batch may be. At least
 * OUTBOX_BYTES_MIN. */
#define OUTBOX_BYTES_MIN (4u << 20)
void outbox_init(struct outbox *out, void *memory, size_t bytes);
/* Empties it for the next batch; the wake-up stays. */
void outbox_reset(struct outbox *out);
/* Whether the batch is to be settled before the next step: little room, or the core wants it so. */
bool outbox_is_full(const struct outbox *out);

/* Zeroed memory that lives until the batch is settled. Never NULL: who steps a core sees to it that
 * a step finds room (outbox_is_full). */
void    *outbox_take(struct outbox *out, size_t size);
/* A copy of bytes. */
uint8_t *outbox_copy(struct outbox *out, const void *bytes, size_t size);
/* An empty message of this kind. */
void    *outbox_message(struct outbox *out, const ProtobufCMessageDescriptor *descriptor);

/* To one. The body must live in the outbox or be constant. */
void outbox_send(struct outbox *out, uint32_t door, uint64_t route, const struct header *header,
                 const void *body);
/* The same with a body that is bytes already. They must live in the outbox or be constant, so that one
 * body can go to many. */
void outbox_send_bytes(struct outbox *out, uint32_t door, uint64_t route,
                       const struct header *header, const uint8_t *body, size_t size);
/* Back where a message came from: its header repeated, but for the kind. */
void outbox_answer(struct outbox *out, const struct event *event, uint16_t kind, const void *body);
/* A wire.Refused back where a message came from; `refusal` is wire.Refusal, the sentence constant. */
void outbox_refuse(struct outbox *out, const struct event *event, uint32_t refusal,
                   const char *sentence);
void outbox_publish(struct outbox *out, const struct header *header, const void *body);
/* The same with a body that is bytes already; they are copied. */
void outbox_relay(struct outbox *out, const struct header *header, const uint8_t *body,
                  size_t size);

void outbox_connect(struct outbox *out, uint64_t connection, uint32_t door, const char *address,
                    const uint8_t key[CALLER_KEY_SIZE]);
void outbox_disconnect(struct outbox *out, uint64_t connection);
void outbox_listen(struct outbox *out, uint64_t connection, const uint8_t *topic, size_t size);
void outbox_unlisten(struct outbox *out, uint64_t connection, const uint8_t *topic, size_t size);
void outbox_admit(struct outbox *out, const void *directory);
/* The query is copied; bytes of its cells must live in the outbox or be constant. */
void outbox_read(struct outbox *out, const struct query *query);
void outbox_say(struct outbox *out, enum say_level level, const struct text *text);
/* Somebody was refused for this limit. It is counted, and people hear of it, once a minute. */
void outbox_full(struct outbox *out, enum bound bound);
/* The same for every limit that these bounds say is reached. */
void outbox_full_of(struct outbox *out, const struct fullness *bounds);
/* A command was judged: to be filled in. Put it behind its act and before its answer. */
struct trace *outbox_took(struct outbox *out);
void          outbox_exit(struct outbox *out);
/* Wake me at `at_ms` (event.now_ms's clock) or earlier. */
void          outbox_wake(struct outbox *out, uint64_t at_ms);

/* A row of so many cells, all CELL_NULL, to be filled in. */
struct row *outbox_row(struct outbox *out, enum row_op op, uint32_t table, uint32_t count);
void        row_number(struct row *row, uint32_t cell, uint64_t number);
/* The bytes must live in the outbox or be constant. */
void        row_bytes(struct row *row, uint32_t cell, const void *bytes, size_t size);
void        row_text(struct row *row, uint32_t cell, const char *text, size_t size);
/* This batch counts only while the slot is held under this epoch. Said twice, it counts once. */
void        outbox_fence(struct outbox *out, uint32_t slot, uint64_t epoch);

#endif
