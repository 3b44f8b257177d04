/* line.c: see line.h. */
#include "line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define AGAIN_MS 100
#define TURNED_AWAY "HANDSHAKE_FAILED_AUTH"

/* Where each part of a head begins: proto/README.md, "Frames". */
enum {
    AT_MATCH = 1,
    AT_VERSION = 17,
    AT_KIND = 18,
    AT_EPOCH = 20,
    AT_NUMBER = 28,
    AT_SEAT = 36,
    AT_SESSION = 40,
    AT_REQUEST = 44
};

void give_up(const char *form, ...)
{
    va_list words;
    va_start(words, form);
    (void) fputs("native_peer: ", stderr);
    (void) vfprintf(stderr, form, words);
    (void) fputc('\n', stderr);
    va_end(words);
    _Exit(1); /* Without CZMQ's farewell, which would wait for what is still open. */
}

uint8_t slot_of(const uint8_t match[MATCH_SIZE])
{
    static const uint8_t none[MATCH_SIZE];
    uint32_t             hash = 2166136261u; /* FNV-1a. */
    if (memcmp(match, none, MATCH_SIZE) == 0)
        return 0;
    for (int i = 0; i < MATCH_SIZE; i++)
        hash = (hash ^ match[i]) * 16777619u;
    return (uint8_t) (hash >> 24 ^ hash >> 16 ^ hash >> 8 ^ hash);
}

void topic_of(uint8_t topic[TOPIC_SIZE], const uint8_t match[MATCH_SIZE])
{
    topic[0] = slot_of(match);
    memcpy(topic + 1, match, MATCH_SIZE);
}

static void put(uint8_t *bytes, int size, uint64_t number)
{
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t) (number >> 8 * (size - 1 - i));
}

static uint64_t get(const uint8_t *bytes, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | bytes[i];
    return number;
}

static void put_head(uint8_t *bytes, const struct head *head)
{
    topic_of(bytes, head->match);
    bytes[AT_VERSION] = VERSION;
    put(bytes + AT_KIND, 2, head->kind);
    put(bytes + AT_EPOCH, 8, head->epoch);
    put(bytes + AT_NUMBER, 8, head->number);
    put(bytes + AT_SEAT, 4, head->seat);
    put(bytes + AT_SESSION, 4, head->session);
    put(bytes + AT_REQUEST, 4, head->request);
}

static struct head get_head(const uint8_t *bytes)
{
    struct head head = { .kind = (uint16_t) get(bytes + AT_KIND, 2),
                         .epoch = get(bytes + AT_EPOCH, 8),
                         .number = get(bytes + AT_NUMBER, 8),
                         .seat = (uint32_t) get(bytes + AT_SEAT, 4),
                         .session = (uint32_t) get(bytes + AT_SESSION, 4),
                         .request = (uint32_t) get(bytes + AT_REQUEST, 4) };
    memcpy(head.match, bytes + AT_MATCH, MATCH_SIZE);
    return head;
}

void line_open(struct line *line)
{
    line->sock = zsock_new(line->type);
    zcert_apply(line->cert, line->sock);
    zsock_set_curve_serverkey_bin(line->sock, line->server);
    zsock_set_rcvhwm(line->sock, 0);
    zsock_set_sndhwm(line->sock, 0);
    zsock_set_connect_timeout(line->sock, 2000);
    if (line->type == ZMQ_SUB) /* zsock_set_subscribe takes text, and a topic is none. */
        (void) zmq_setsockopt(zsock_resolve(line->sock), ZMQ_SUBSCRIBE, line->topic, TOPIC_SIZE);
    line->monitor = zactor_new(zmonitor, line->sock);
    (void) zstr_sendx(line->monitor, "LISTEN", TURNED_AWAY, NULL);
    (void) zstr_send(line->monitor, "START");
    (void) zsock_wait(line->monitor);
    line->poller = zpoller_new(line->sock, line->monitor, NULL);
    if (zsock_connect(line->sock, "%s", line->address) != 0)
        give_up("cannot connect to %s", line->address);
}

void line_close(struct line *line)
{
    zpoller_destroy(&line->poller);
    zactor_destroy(&line->monitor);
    zsock_destroy(&line->sock);
}

void line_say(struct line *line, const struct head *head, const ProtobufCMessage *body)
{
    size_t    size = protobuf_c_message_get_packed_size(body);
    zframe_t *frame = zframe_new(NULL, HEAD_SIZE + size);
    zmsg_t   *message = zmsg_new();
    put_head(zframe_data(frame), head);
    (void) protobuf_c_message_pack(body, zframe_data(frame) + HEAD_SIZE);
    (void) zmsg_append(message, &frame);
    if (zmsg_send(&message, line->sock) != 0)
        zmsg_destroy(&message); /* What is not answered is said again. */
}

static bool take(struct frame *frame, zmsg_t *message)
{
    zframe_t *first = message != NULL ? zmsg_first(message) : NULL;
    if (first == NULL || zmsg_size(message) != 1 || zframe_size(first) < HEAD_SIZE)
        give_up("a message that is no frame with a head");
    uint8_t *bytes = zframe_data(first);
    *frame = (struct frame){ .head = get_head(bytes),
                             .body = bytes + HEAD_SIZE,
                             .size = zframe_size(first) - HEAD_SIZE,
                             .message = message };
    if (bytes[AT_VERSION] != VERSION || bytes[0] != slot_of(frame->head.match))
        give_up("a frame of another version, or with another slot than its match's");
    return true;
}

/* The door does not know our key yet: the directory is on its way to it. */
static void knock_again(struct line *line)
{
    line_close(line);
    zclock_sleep(AGAIN_MS);
    line_open(line);
}

bool line_hear(struct line *line, int wait_ms, struct frame *frame)
{
    void *which = zpoller_wait(line->poller, wait_ms);
    if (which == line->sock)
        return take(frame, zmsg_recv(line->sock));
    if (which == line->monitor)
        knock_again(line);
    return false;
}

void frame_free(struct frame *frame)
{
    zmsg_destroy(&frame->message);
}
