/* transfer.c: messages in and out of a socket: what is not ours is dropped, and nothing waits. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "bus/bus_private.h"

/* So much is thrown away in one call before others get their turn. */
#define DROPS_MAX 64
/* A topic that is refused counts as so many. */
#define REFUSED_COUNTS 16
/* Who asks for too much is not let in again for so long. */
#define SHUT_OUT_MS 10000

static const char *proved(zmq_msg_t *message)
{
    return zmq_msg_gets(message, "User-Id");
}

/* Puts the key proved by whoever sent this; false: none was, and there should be one. */
static bool find_key(const struct bus_socket *socket, zmq_msg_t *frame, uint8_t key[BUS_KEY_SIZE])
{
    memset(key, 0, BUS_KEY_SIZE);
    if (socket->bus->settings.is_plain)
        return true;
    if (socket->place.kind == BUS_DEALER || socket->place.kind == BUS_SUB) {
        memcpy(key, socket->key, BUS_KEY_SIZE);
        return true;
    }
    const char *user = proved(frame);
    return user != NULL && bus_key_read(key, user);
}

static uint64_t route_of(const uint8_t id[ROUTE_SIZE])
{
    return (uint64_t) id[1] << 24 | (uint64_t) id[2] << 16 | (uint64_t) id[3] << 8 | id[4];
}

static void id_of(uint8_t id[ROUTE_SIZE], uint64_t route)
{
    id[0] = 0;
    for (unsigned i = 0; i < 4; i++)
        id[1 + i] = (uint8_t) (route >> (24 - 8 * i));
}

/* The next frame into `received`; false: nothing is there. */
static bool take_frame(struct bus_socket *socket)
{
    while (zmq_msg_recv(&socket->received, socket->handle, ZMQ_DONTWAIT) < 0)
        if (zmq_errno() != EINTR)
            return false;
    return true;
}

/* Whether the message went on behind its last frame; what is left of it is thrown away. */
static bool had_more(struct bus_socket *socket)
{
    bool had = false;
    while (zmq_msg_more(&socket->received) && take_frame(socket))
        had = true;
    return had;
}

/* The address in front of a ROUTER's message; false: it is a peer's own choice. */
static bool take_route(struct bus_socket *socket, uint64_t *route)
{
    const uint8_t *id = zmq_msg_data(&socket->received);
    if (zmq_msg_size(&socket->received) != ROUTE_SIZE || id[0] != 0) {
        socket->counters.foreign_routes++;
        return false;
    }
    *route = route_of(id);
    return true;
}

/* By whose connection the frame in `received` came. libzmq says it under a name it calls deprecated, and
 * has no other. */
static void find_file(struct bus_socket *socket)
{
    socket->file = zmq_msg_get(&socket->received, ZMQ_SRCFD);
}

static void heard(const struct bus_socket *socket, const uint8_t *key)
{
    porter_heard(socket->file, socket->bus, socket->bus->settings.is_plain ? NULL : key);
}

/* What was thrown away; true: its sender is to be told. */
static bool is_told(const struct bus_socket *socket, struct bus_message *message,
                    enum bus_misfit misfit)
{
    message->news = BUS_MISFIT;
    message->misfit = misfit;
    return socket->bus->settings.tells_misfits;
}

/* Judges the frame in `received`, the rest of its message, and who sent it. */
static bool take_body(struct bus_socket *socket, struct bus_message *message)
{
    find_file(socket);
    if (zmq_msg_more(&socket->received)) {
        bool is_enveloped = zmq_msg_size(&socket->received) == 0;
        (void) had_more(socket);
        socket->counters.more_frames++;
        porter_misdeed(socket->file);
        return is_told(socket, message, is_enveloped ? BUS_ENVELOPED : BUS_MORE_FRAMES);
    }
    if (!find_key(socket, &socket->received, message->key)) {
        socket->counters.nameless++;
        return false;
    }
    message->bytes = zmq_msg_data(&socket->received);
    message->size = zmq_msg_size(&socket->received);
    if (message->size > BUS_FRAME_MAX) {
        socket->counters.too_large++;
        return is_told(socket, message, BUS_TOO_LARGE);
    }
    if (socket->place.kind == BUS_ROUTER)
        heard(socket, message->key);
    message->news = BUS_MESSAGE;
    socket->counters.received++;
    return true;
}

/* One more topic, or one less, for the sender; false: the sender has too many, and is gone. */
static bool count_topic(struct bus_socket *socket, const uint8_t key[BUS_KEY_SIZE], int change)
{
    const struct bus_place *place = &socket->place;
    uint32_t                topics = porter_topics(socket->file, change);
    uint32_t most = place->topics_max == NULL ? 0 : place->topics_max(place->asked, key);
    if (most == 0 || topics <= most)
        return true;
    socket->counters.cut_off++;
    (void) porter_hang_up(socket->file);
    bus_shut_out(socket->bus, key, SHUT_OUT_MS);
    return false;
}

/* A subscription ends: its owner says so, or has vanished. */
static bool take_back(struct bus_socket *socket, struct bus_message *message, bool is_known)
{
    (void) zmq_setsockopt(socket->handle, ZMQ_UNSUBSCRIBE, message->bytes, message->size);
    if (is_known &&
        !holders_remove(&socket->holders, socket->file, message->bytes, message->size)) {
        porter_misdeed(socket->file);
        return false;
    }
    if (is_known)
        (void) count_topic(socket, message->key, -1);
    message->news = BUS_READER_GONE;
    return readers_remove(&socket->readers, message->bytes, message->size);
}

/* Somebody wants a topic. */
static bool grant(struct bus_socket *socket, struct bus_message *message, bool is_known)
{
    bool is_topic = message->size == 1 || message->size == TOPIC_SIZE;
    bool is_new = is_known && is_topic &&
                  holders_add(&socket->holders, socket->file, message->bytes, message->size);
    bool is_granted = is_new && socket->place.may_subscribe != NULL &&
                      socket->place.may_subscribe(socket->place.asked, message->key, message->bytes,
                                                  message->size);
    bool is_counted =
        is_new && readers_add(&socket->readers, message->bytes, message->size, is_granted);
    is_granted = is_granted && is_counted;
    socket->counters.refused_topics += !is_granted;
    if ((is_known && !count_topic(socket, message->key, is_granted ? 1 : REFUSED_COUNTS)) ||
        !is_granted)
        return false;
    message->news = BUS_READER;
    return zmq_setsockopt(socket->handle, ZMQ_SUBSCRIBE, message->bytes, message->size) == 0;
}

/* What an XPUB receives is 1 and a topic, or 0 and a topic; without a key when its sender vanished. */
static bool take_subscription(struct bus_socket *socket, struct bus_message *message)
{
    const uint8_t *bytes = zmq_msg_data(&socket->received);
    size_t         size = zmq_msg_size(&socket->received);
    if (had_more(socket) || size < 1 || bytes[0] > 1)
        return false;
    bool is_known = find_key(socket, &socket->received, message->key);
    find_file(socket);
    if (is_known)
        heard(socket, message->key);
    message->bytes = bytes + 1;
    message->size = size - 1;
    return bytes[0] == 0 ? take_back(socket, message, is_known) : grant(socket, message, is_known);
}

static bool take_one(struct bus_socket *socket, struct bus_message *message)
{
    if (socket->place.kind == BUS_XPUB)
        return take_subscription(socket, message);
    if (socket->place.kind != BUS_ROUTER)
        return take_body(socket, message);
    bool is_ours = take_route(socket, &message->route);
    if (!is_ours || !zmq_msg_more(&socket->received) || !take_frame(socket)) {
        (void) had_more(socket);
        return false;
    }
    return take_body(socket, message);
}

enum bus_news bus_receive(struct bus_socket *socket, struct bus_message *message)
{
    memset(message, 0, sizeof *message);
    for (unsigned drops = 0; drops < DROPS_MAX && take_frame(socket); drops++)
        if (take_one(socket, message))
            return message->news;
    message->news = BUS_NOTHING;
    return BUS_NOTHING;
}

bool bus_hang_up(struct bus_socket *socket)
{
    return porter_hang_up(socket->file);
}

static struct failing *find_failing(struct bus_socket *socket, uint64_t route)
{
    for (uint32_t i = 0; socket->failing_count > 0 && i < FAILING_MAX; i++)
        if (socket->failing[i].failures > 0 && socket->failing[i].route == route)
            return &socket->failing[i];
    return NULL;
}

void bus_forgive(struct bus_socket *socket, uint64_t route)
{
    struct failing *failing = find_failing(socket, route);
    if (failing != NULL) {
        failing->failures = 0;
        socket->failing_count--;
    }
}

/* One more send in a row that this peer had no room for. Where too many fail at once, the ones noted
 * longest ago are forgotten: they are only tried once more. */
static void note_failure(struct bus_socket *socket, uint64_t route)
{
    struct failing *failing = find_failing(socket, route);
    if (failing == NULL) {
        failing = &socket->failing[socket->failing_next++ % FAILING_MAX];
        socket->failing_count += failing->failures == 0;
        *failing = (struct failing){ .route = route };
    }
    failing->failures++;
}

uint8_t *bus_compose(struct bus_socket *socket, size_t size)
{
    assert(size <= BUS_FRAME_MAX);
    (void) zmq_msg_close(&socket->composed);
    int failed = zmq_msg_init_size(&socket->composed, size);
    assert(failed == 0); /* At most 64 KiB: a machine that has not got them must not go on. */
    (void) failed;
    return zmq_msg_data(&socket->composed);
}

/* The address frame of an answer; false: it cannot go. */
static bool address_answer(struct bus_socket *socket, uint64_t route)
{
    uint8_t               id[ROUTE_SIZE];
    const struct failing *failing = find_failing(socket, route);
    if (failing != NULL && failing->failures >= BUS_FAILURES_MAX) {
        socket->counters.ignored++;
        return false;
    }
    id_of(id, route);
    int sent;
    do
        sent = zmq_send(socket->handle, id, sizeof id, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    while (sent < 0 && zmq_errno() == EINTR);
    if (sent >= 0) {
        if (failing != NULL)
            bus_forgive(socket, route);
        return true;
    }
    if (zmq_errno() == EAGAIN) {
        note_failure(socket, route);
        socket->counters.full++;
    } else {
        bus_forgive(socket, route);
        socket->counters.gone++;
    }
    return false;
}

static bool send_composed(struct bus_socket *socket)
{
    int sent;
    do
        sent = zmq_msg_send(&socket->composed, socket->handle, ZMQ_DONTWAIT);
    while (sent < 0 && zmq_errno() == EINTR);
    if (sent < 0) {
        socket->counters.full++;
        return false;
    }
    socket->counters.sent++;
    return true;
}

bool bus_send(struct bus_socket *socket, uint64_t route)
{
    if (socket->place.kind == BUS_ROUTER && !address_answer(socket, route))
        return false;
    return send_composed(socket);
}

bool bus_send_enveloped(struct bus_socket *socket, uint64_t route)
{
    assert(socket->place.kind == BUS_ROUTER);
    return address_answer(socket, route) &&
           zmq_send(socket->handle, "", 0, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 &&
           send_composed(socket);
}

void bus_listen(struct bus_socket *socket, const uint8_t *topic, size_t size)
{
    (void) zmq_setsockopt(socket->handle, ZMQ_SUBSCRIBE, topic, size);
}

void bus_unlisten(struct bus_socket *socket, const uint8_t *topic, size_t size)
{
    (void) zmq_setsockopt(socket->handle, ZMQ_UNSUBSCRIBE, topic, size);
}
