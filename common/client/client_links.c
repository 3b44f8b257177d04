/* client_links.c: sockets below the client's core: effects out, messages in. */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "client/client_shell.h"
#include "clock/clock.h"
#include "wire/kinds.h"
#include "wire/validate.h"

#define MEND_MS 250

uint64_t client_now_ms(void)
{
    return clock_ms();
}

static void list_open(struct client *client)
{
    client->open_count = 0;
    for (size_t i = 0; i < CLIENT_CONNECTIONS_MAX; i++)
        if (client->links[i].socket != NULL)
            client->open[client->open_count++] = client->links[i].socket;
}

static void disconnect(struct client *client, uint64_t route)
{
    if (route < CLIENT_CONNECTIONS_MAX && client->links[route].socket != NULL)
        bus_close(&client->links[route].socket);
    list_open(client);
}

/* A service that cannot be connected to is as good as one that does not answer: the core goes on. */
static void connect_to(struct client *client, const struct effect *effect)
{
    struct text why;
    assert(effect->route < CLIENT_CONNECTIONS_MAX);
    disconnect(client, effect->route);
    struct client_link *link = &client->links[effect->route];
    struct bus_place    place = { .kind = effect->door == DOOR_STREAM ? BUS_SUB : BUS_DEALER,
                                  .address = effect->address,
                                  .key = effect->key };
    link->door = effect->door;
    memcpy(link->key, effect->key, sizeof link->key);
    link->socket = bus_open(client->bus, &place, &why);
    list_open(client);
}

static void send_to(struct client *client, const struct effect *effect)
{
    struct bus_socket *socket =
        effect->route < CLIENT_CONNECTIONS_MAX ? client->links[effect->route].socket : NULL;
    size_t size = effect->size;
    if (effect->body != NULL)
        size = protobuf_c_message_get_packed_size(effect->body);
    if (socket == NULL || size > VALIDATE_BODY_MAX)
        return; /* What is not answered is said again, elsewhere perhaps. */
    uint8_t *frame = bus_compose(socket, HEADER_SIZE + size);
    if (frame == NULL)
        return;
    header_encode(frame, &effect->header);
    if (effect->body != NULL)
        protobuf_c_message_pack(effect->body, frame + HEADER_SIZE);
    else if (size > 0)
        memcpy(frame + HEADER_SIZE, effect->bytes, size);
    (void) bus_send(socket, 0);
}

static void subscribe(struct client *client, const struct effect *effect)
{
    struct bus_socket *socket =
        effect->route < CLIENT_CONNECTIONS_MAX ? client->links[effect->route].socket : NULL;
    if (socket == NULL || client->links[effect->route].door != DOOR_STREAM)
        return;
    if (effect->kind == EFFECT_LISTEN)
        bus_listen(socket, effect->bytes, effect->size);
    else
        bus_unlisten(socket, effect->bytes, effect->size);
}

void client_perform(struct client *client)
{
    for (uint32_t i = 0; i < client->out.effect_count; i++) {
        const struct effect *effect = &client->out.effects[i];
        switch (effect->kind) {
        case EFFECT_SEND: send_to(client, effect); break;
        case EFFECT_CONNECT: connect_to(client, effect); break;
        case EFFECT_DISCONNECT: disconnect(client, effect->route); break;
        case EFFECT_LISTEN:
        case EFFECT_UNLISTEN: subscribe(client, effect); break;
        default: break; /* It keeps nothing, admits nobody and ends when its owner says so. */
        }
    }
    outbox_reset(&client->out);
}

static void step(struct client *client, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    randombytes_buf(entropy, sizeof entropy);
    event->now_ms = client_now_ms();
    event->entropy = entropy;
    client_core_ops.step(client->core, event, &client->out);
    if (outbox_is_full(&client->out))
        client_perform(client);
}

void client_step_time(struct client *client)
{
    struct event event = { .kind = EVENT_TIME };
    client->out.wake_ms = NO_WAKE;
    step(client, &event);
    client_perform(client);
}

/* A frame that is no message of ours is dropped: whoever sent it will be asked again, or someone else. */
static void take_frame(struct client *client, size_t route, const struct bus_message *message)
{
    struct event event = { .kind = EVENT_MESSAGE };
    if (header_decode(&event.header, message->bytes, message->size) != HEADER_GOOD)
        return;
    event.bytes = message->bytes + HEADER_SIZE;
    event.size = message->size - HEADER_SIZE;
    const ProtobufCMessageDescriptor *descriptor = kinds_find(event.header.kind);
    if (descriptor == NULL)
        return;
    arena_reset(&client->incoming);
    event.body = validate_unpack(descriptor, event.bytes, event.size, &client->incoming);
    if (event.body == NULL)
        return;
    event.caller.door = DOOR_PEER;
    event.caller.route = route;
    memcpy(event.caller.key, message->key, sizeof event.caller.key);
    step(client, &event);
}

/* A socket may be closed by what it brings, so it is looked for anew each time. */
static void drain(struct client *client, size_t route)
{
    struct bus_message message;
    while (client->links[route].socket != NULL &&
           bus_receive(client->links[route].socket, &message) == BUS_MESSAGE) {
        take_frame(client, route, &message);
        client_perform(client);
    }
}

/* A connection that was lost is news for the core, which may close it, or others. */
static void mend(struct client *client)
{
    uint64_t now_ms = client_now_ms();
    if (now_ms - client->mend_ms < MEND_MS)
        return;
    client->mend_ms = now_ms;
    for (size_t i = 0; i < CLIENT_CONNECTIONS_MAX; i++) {
        struct event cut = { .kind = EVENT_CUT, .caller = { .door = DOOR_PEER, .route = i } };
        if (client->links[i].socket == NULL)
            continue;
        (void) bus_mend(client->links[i].socket);
        if (!bus_was_cut(client->links[i].socket))
            continue;
        step(client, &cut);
        client_perform(client);
    }
}

void client_receive(struct client *client, int64_t wait_ms, const int *files, size_t count)
{
    if (bus_wait(client->open, client->open_count, files, count, wait_ms))
        for (size_t i = 0; i < CLIENT_CONNECTIONS_MAX; i++)
            if (client->links[i].socket != NULL && bus_has(client->links[i].socket))
                drain(client, i);
    mend(client);
}

void client_close_links(struct client *client)
{
    for (size_t i = 0; i < CLIENT_CONNECTIONS_MAX; i++)
        if (client->links[i].socket != NULL)
            bus_close(&client->links[i].socket);
}
