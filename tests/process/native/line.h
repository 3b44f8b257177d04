/* line.h: one connection of a native peer, in CZMQ's words alone: CURVE, frames, and a second try where it was turned away.
 *
 * Nothing here includes common/: what a frame is stands in proto/README.md, and this is written from it. */
#ifndef ARBITER_NATIVE_LINE_H
#define ARBITER_NATIVE_LINE_H

#include <czmq.h>
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stdint.h>

#define KEY_SIZE 32
#define MATCH_SIZE 16
#define TOPIC_SIZE 17
#define HEAD_SIZE 48
#define NOBODY 0xffffffffu

/* What stands in front of each message. */
struct head {
    uint8_t  match[MATCH_SIZE]; /* Zeros: none. */
    uint16_t kind;
    uint64_t epoch, number;
    uint32_t seat, session, request;
};

struct frame {
    struct head    head;
    const uint8_t *body;
    size_t         size;
    zmsg_t *message; /* Has the bytes.                                                       */
};

struct line {
    int      type; /* ZMQ_DEALER or ZMQ_SUB.                                                      */
    char     address[256];
    uint8_t  server[KEY_SIZE];
    uint8_t  topic[TOPIC_SIZE]; /* ZMQ_SUB: what is listened to.                                  */
    zcert_t *cert;              /* Ours; the caller's.                                            */
    zsock_t *sock;
    zactor_t  *monitor; /* Says that a handshake failed: libzmq tries no second one. */
    zpoller_t *poller;
};

/* One of 256, by the match's id. */
uint8_t slot_of(const uint8_t match[MATCH_SIZE]);
void    topic_of(uint8_t topic[TOPIC_SIZE], const uint8_t match[MATCH_SIZE]);
/* The program ends, with a sentence. */
void    give_up(const char *form, ...) __attribute__((noreturn));

/* Connects; address, key and certificate are in `line`. */
void line_open(struct line *line);
void line_close(struct line *line);
void line_say(struct line *line, const struct head *head, const ProtobufCMessage *body);
/* The next frame, to be freed; false: none came in so many milliseconds. */
bool line_hear(struct line *line, int wait_ms, struct frame *frame);
void frame_free(struct frame *frame);

#endif
