/* event.h: what happens to a core: everything it learns, it learns as one of these.
 *
 * A core is a struct, `step` and `settle`. It opens no socket, reads no clock, draws no entropy,
 * touches no file and allocates nothing after its start. So the same events give the same effects
 * on every machine, and a test can run a whole cluster in one process. The shell (common/shell)
 * turns what the world does into events, and performs the effects (outbox.h). The simulation in
 * tests/cluster does the same with a world of its own. */
#ifndef ARBITER_EVENT_H
#define ARBITER_EVENT_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

#include "core/row.h"
#include "wire/header.h"

#define CALLER_KEY_SIZE 32
#define ENTROPY_SIZE 64
#define NO_WAKE UINT64_MAX

enum core_event_kind {
    EVENT_STARTED,   /* First of all, once.                                                    */
    EVENT_MESSAGE,   /* A frame from a proved caller: header good, body valid for its kind, and  */
                     /* of a kind that a caller of this role may say at this door.              */
    EVENT_TIME,      /* The wake-up asked for has come, or an earlier one.                      */
    EVENT_ROW,       /* One row of a read, `tag` says of which; in the order asked for.         */
    EVENT_READ_DONE, /* The read is at its end: `rows` came. `failed`: the store could not.     */
    EVENT_READER,    /* Somebody subscribed to `bytes` (a topic, or a slot) at the stream's door; */
    EVENT_READER_GONE, /* the last one who had done so has gone.                                  */
    EVENT_CUT, /* A connection of ours broke, and is being made anew: caller.route. A hint:      */
               /* it may come late, or never, and nothing else may hang on it.                  */
    EVENT_CHANGED, /* The settings were read again, and what of them may change while it runs is new. */
    EVENT_STOP     /* A person wants the process to end: finish, then EFFECT_EXIT.             */
};

/* The places where messages come in and go out. The numbers are those of directory.proto's
 * Door.Kind where both have one. */
enum door {
    DOOR_REQUESTS = 1, /* ROUTER: commands, questions.                                            */
    DOOR_STREAM = 2,   /* XPUB: frames, by topic.                                                 */
    DOOR_HISTORY = 3,  /* ROUTER: what was missed.                                                */
    DOOR_PEER = 16,    /* A connection this process opened: `route` is its number.                */
    DOOR_SIDE =
        17 /* What is no socket of the bus: a gateway's HTTP. `route` is a connection there.  */
};

/* Who speaks, proved by the socket, and the way back for an answer. */
struct caller {
    uint8_t key[CALLER_KEY_SIZE]; /* Its CURVE key; zeros at a plain door.                        */
    uint32_t role;  /* directory.Role that the key is admitted as at this moment; 0: none. */
    uint32_t door;  /* enum door.                                                  */
    uint64_t route; /* Given out by the shell; means nothing to anybody else, and may */
                    /* be another's tomorrow: identity is the key.                  */
};

struct event {
    enum core_event_kind kind;
    uint64_t       now_ms;  /* Monotonic: for waiting.                                           */
    uint64_t       wall_ms; /* Since 1970: for people; never decides anything.                    */
    const uint8_t *entropy; /* ENTROPY_SIZE bytes that nobody has seen; others with each event.   */

    struct caller caller; /* EVENT_MESSAGE; EVENT_READER and _GONE: the key; _CUT: the route.     */
    struct header header; /* EVENT_MESSAGE.                                             */
    const ProtobufCMessage *body; /* Its body, unpacked and valid; the message kinds.h names.     */
    const uint8_t          *bytes; /* The body as it came; the topic subscribed to.               */
    size_t                  size;
    uint64_t
        came_ms; /* EVENT_MESSAGE at DOOR_SIDE: when it was read, by now_ms's clock; 0: now.  */

    uint32_t          tag; /* EVENT_ROW, EVENT_READ_DONE: of the query.                           */
    const struct row *row; /* EVENT_ROW.                                                          */
    uint64_t          rows;
    int               failed;
};

/* The body of a message as what its kind says it is. */
#define BODY(type, event) ((const type *) (const void *) (event)->body)

#endif
