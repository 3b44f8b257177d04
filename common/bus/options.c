/* options.c: every option of every socket, and why: what libzmq does to those who do not set it. */
#include "bus/bus_private.h"

#define FRAMES_MAX 1000
#define STREAM_FRAMES_MAX 10000
/* What CURVE adds to a frame, rounded up: name, nonce, flags and tag are 33 bytes. */
#define SEALING_BYTES 64
/* The longest frame of a handshake is 257 bytes and what its sender says of himself. */
#define TOPIC_FRAME_MAX 448
/* Subscriptions that one peer may have waiting here; more wait at the peer. */
#define TOPICS_WAITING_MAX 1000

#define ROUTER (1u << BUS_ROUTER)
#define XPUB (1u << BUS_XPUB)
#define DEALER (1u << BUS_DEALER)
#define SUB (1u << BUS_SUB)
#define BOUND (ROUTER | XPUB)
#define CONNECTED (DEALER | SUB)
#define EVERY (BOUND | CONNECTED)

/* Numbers that are the same whoever opens the socket.
 *
 * Not here on purpose: ROUTER_HANDOVER (an impostor would receive the owner's answers), XPUB_NODROP (one
 * slow reader would stop all), ROUTING_ID (identity is the key). */
static const struct option {
    unsigned kinds;
    int      name, value;
} options[] = {
    /* A stopped peer accepts sends for ever. So a bound socket asks, and gives up after two
     * seconds. The other side gives up when it hears no question for so long: the question says so
     * (TTL). A connecting socket does not ask. libzmq 4.3.4 aborts (its assertion !_io_error) when
     * a question is due on a connection that it has stopped reading and whose other end is gone. It
     * stops reading when a socket is being closed. */
    { BOUND, ZMQ_HEARTBEAT_IVL, 500 },
    { BOUND, ZMQ_HEARTBEAT_TIMEOUT, 1500 },
    { BOUND, ZMQ_HEARTBEAT_TTL, 2000 },
    /* Who connects and says nothing is cut; the default is half a minute. */
    { EVERY, ZMQ_HANDSHAKE_IVL, 2000 },
    /* No send and no receive ever waits: who does not read costs himself, not us. */
    { EVERY, ZMQ_SNDTIMEO, 0 },
    { EVERY, ZMQ_RCVTIMEO, 0 },
    /* Answers may take half a second to leave at the end; hints may not. The default is for ever. */
    { ROUTER | DEALER, ZMQ_LINGER, 500 },
    { XPUB | SUB, ZMQ_LINGER, 0 },
    /* A send to a route that is gone, or full, is an error, not a success. */
    { ROUTER, ZMQ_ROUTER_MANDATORY, 1 },
    /* Subscriptions are asked for, and granted by us. */
    { XPUB, ZMQ_XPUB_MANUAL, 1 },
    /* Thousands connect at once after an outage. */
    { BOUND, ZMQ_BACKLOG, 1024 },
    /* A door where others of this address knock too often does not answer (porter.h), and a kernel
     * waits twice as long each time before it knocks again. So we begin anew, and are late by a
     * second, not by minutes. */
    { CONNECTED, ZMQ_CONNECT_TIMEOUT, 2000 },
    { CONNECTED, ZMQ_RECONNECT_IVL, 100 },
    /* An engine that was killed is there again in a fraction of a second. */
    { CONNECTED, ZMQ_RECONNECT_IVL_MAX, 400 },
};

static bool set_number(void *handle, int name, int value)
{
    return zmq_setsockopt(handle, name, &value, sizeof value) == 0;
}

static bool is_heartbeat(int name)
{
    return name == ZMQ_HEARTBEAT_IVL || name == ZMQ_HEARTBEAT_TIMEOUT || name == ZMQ_HEARTBEAT_TTL;
}

static uint32_t or_default(uint32_t number, uint32_t otherwise)
{
    return number != 0 ? number : otherwise;
}

static bool set_limits(const struct bus_settings *settings, void *handle, enum bus_kind kind)
{
    bool     is_stream = kind == BUS_XPUB || kind == BUS_SUB;
    uint32_t frames = is_stream ? or_default(settings->stream_frames_max, STREAM_FRAMES_MAX)
                                : or_default(settings->frames_max, FRAMES_MAX);
    /* Who sends to an XPUB subscribes: each byte of a topic costs libzmq thirty. */
    int64_t  size = (kind == BUS_XPUB ? TOPIC_FRAME_MAX : BUS_FRAME_MAX) + SEALING_BYTES;
    if (settings->tells_misfits && kind == BUS_ROUTER)
        size = BUS_MISFIT_MAX;
    /* What a SUB sends are its subscriptions: beyond the mark they would be lost without a word, and
     * with them their topics, for good. */
    uint32_t sent = kind == BUS_SUB ? 0 : frames;
    /* libzmq 4.3.4 aborts (its assertion _input_stopped) when a connecting socket whose receive pipe is
     * full loses its peer and connects again, and any socket, as said above, at the next heartbeat to a
     * peer who filled it and is gone: one frame too many, and a program ends its service. So input never
     * stops. What is bound is guarded by the porter's unheard bytes and the pace of clients. */
    uint32_t received = kind == BUS_XPUB ? TOPICS_WAITING_MAX : frames;
    if (kind == BUS_SUB || kind == BUS_DEALER || !settings->is_patient)
        received = 0;
    return set_number(handle, ZMQ_SNDHWM, (int) sent) &&
           set_number(handle, ZMQ_RCVHWM, (int) received) &&
           zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &size, sizeof size) == 0;
}

static bool set_keys(const struct bus_keys *keys, void *handle, const struct bus_place *place)
{
    if (zmq_setsockopt(handle, ZMQ_CURVE_SECRETKEY, keys->secret_key, BUS_KEY_SIZE) != 0 ||
        zmq_setsockopt(handle, ZMQ_CURVE_PUBLICKEY, keys->public_key, BUS_KEY_SIZE) != 0)
        return false;
    if (place->kind == BUS_DEALER || place->kind == BUS_SUB)
        return zmq_setsockopt(handle, ZMQ_CURVE_SERVERKEY, place->key, BUS_KEY_SIZE) == 0;
    /* Without the domain, or without enforcing it, every key of the world is let in. */
    return set_number(handle, ZMQ_CURVE_SERVER, 1) &&
           zmq_setsockopt(handle, ZMQ_ZAP_DOMAIN, ZAP_DOMAIN, sizeof ZAP_DOMAIN - 1) == 0 &&
           set_number(handle, BUS_ZAP_ENFORCE_DOMAIN, 1);
}

bool socket_set_options(const struct bus *bus, void *handle, const struct bus_place *place)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if ((options[i].kinds & (1u << place->kind)) != 0 &&
            !(bus->settings.is_patient && is_heartbeat(options[i].name)) &&
            !set_number(handle, options[i].name, options[i].value))
            return false;
    return set_limits(&bus->settings, handle, place->kind) &&
           (bus->settings.is_plain || set_keys(&bus->settings.keys, handle, place));
}
