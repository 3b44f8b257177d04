/* net.c: connections: how they stand, break and stand anew, and frames as bytes; see net.h. */
#include "net.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "net_private.h"
#include "wire/validate.h"
#include "world.h"

#define RETRY_NS (80u * NS_PER_MS)

void net_open(struct net *net)
{
    net->arena_memory = memory_new(VALIDATE_ARENA_BYTES);
    arena_init(&net->arena, net->arena_memory, VALIDATE_ARENA_BYTES);
}

void net_close(struct world *world)
{
    struct net *net = &world->net;
    for (uint32_t i = 0; i < net->connections; i++) {
        struct connection *connection = &net->connection[i];
        for (uint32_t w = 0; w < connection->waiting_count; w++)
            frame_release(connection->waiting[w]);
        free(connection->topics);
    }
    for (uint32_t i = 0; i < sizeof net->recent / sizeof net->recent[0]; i++)
        if (net->recent[i].frame != NULL)
            frame_release(net->recent[i].frame);
    free(net->arena_memory);
}

void net_bind(struct world *world, uint32_t process, const char *address)
{
    struct net *net = &world->net;
    assert(net->addresses < sizeof net->address / sizeof net->address[0]);
    struct address *bound = &net->address[net->addresses++];
    assert(strlen(address) < sizeof bound->text);
    memcpy(bound->text, address, strlen(address) + 1);
    bound->process = process;
}

struct frame *frame_of_bytes(const uint8_t *bytes, size_t size)
{
    struct frame *frame = memory_new(sizeof *frame + size);
    frame->refs = 1;
    frame->size = (uint32_t) size;
    if (size > 0)
        memcpy(frame->bytes, bytes, size);
    return frame;
}

struct frame *frame_new(const struct header *header, const ProtobufCMessage *body,
                        const uint8_t *bytes, size_t size)
{
    size_t        body_size = body != NULL ? protobuf_c_message_get_packed_size(body) : size;
    struct frame *frame = memory_new(sizeof *frame + HEADER_SIZE + body_size);
    frame->refs = 1;
    frame->size = (uint32_t) (HEADER_SIZE + body_size);
    header_encode(frame->bytes, header);
    if (body != NULL)
        protobuf_c_message_pack(body, frame->bytes + HEADER_SIZE);
    else if (size > 0)
        memcpy(frame->bytes + HEADER_SIZE, bytes, size);
    return frame;
}

void frame_release(struct frame *frame)
{
    if (--frame->refs == 0)
        free(frame);
}

/* A fresh place; one that was used is used again only when none of its frames can be on its way. */
static uint32_t new_place(struct net *net)
{
    for (uint32_t i = 0; i < net->connections; i++)
        if (!net->connection[i].in_use)
            return i;
    assert(net->connections < CONNECTIONS_MAX);
    return net->connections++;
}

static uint32_t address_of(const struct net *net, const char *address)
{
    for (uint32_t i = 0; i < net->addresses; i++)
        if (strcmp(net->address[i].text, address) == 0)
            return net->address[i].process;
    return NO_PROCESS;
}

uint32_t net_find(const struct world *world, const struct process *process, uint64_t number)
{
    for (uint32_t i = 0; i < process->links; i++)
        if (world->net.connection[process->link[i]].number == number)
            return process->link[i];
    return NO_CONNECTION;
}

void net_connect(struct world *world, struct process *process, const struct effect *effect)
{
    struct net *net = &world->net;
    if (net_find(world, process, effect->route) != NO_CONNECTION)
        net_disconnect(world, process, effect->route);
    uint32_t           place = new_place(net);
    struct connection *connection = &net->connection[place];
    struct topic      *topics = connection->topics;
    memset(connection, 0, sizeof *connection);
    connection->topics = topics;
    connection->in_use = true;
    connection->source = process_index(world, process);
    connection->target = address_of(net, effect->address);
    connection->number = effect->route;
    connection->door = effect->door;
    connection->serial = ++net->instances;
    memcpy(connection->key, effect->key, CALLER_KEY_SIZE);
    assert(process->links < PROCESS_LINKS_MAX);
    process->link[process->links++] = place;
    uint64_t in_ns = chance_wait(&world->chance[CHANCE_NETWORK], NS_PER_MS);
    world_after(world, in_ns, HAPPEN_LINK, place, connection->serial, NULL);
}

static void tell_reader(struct world *world, const struct connection *connection,
                        enum core_event_kind kind, const struct topic *topic)
{
    struct delivery delivery = { .kind = kind, .topic_size = topic->size };
    memcpy(delivery.topic, topic->bytes, topic->size);
    memcpy(delivery.caller.key, world->process[connection->source].key, CALLER_KEY_SIZE);
    delivery.caller.door = DOOR_STREAM;
    process_deliver(world, connection->target, &delivery);
}

static bool is_same(const struct topic *topic, const uint8_t *bytes, size_t size)
{
    return topic->size == size && memcmp(topic->bytes, bytes, size) == 0;
}

static bool anybody_holds(const struct world *world, const struct process *process,
                          const struct topic *topic)
{
    for (uint32_t r = 0; r < process->readers; r++) {
        const struct connection *reader = &world->net.connection[process->reader[r]];
        for (uint32_t t = 0; t < reader->topic_count; t++)
            if (reader->topics[t].is_held && is_same(&reader->topics[t], topic->bytes, topic->size))
                return true;
    }
    return false;
}

static void drop_topic(struct world *world, struct connection *connection, struct topic *topic)
{
    topic->is_held = false;
    struct process *target = &world->process[connection->target];
    if (target->state != PROCESS_DOWN && !anybody_holds(world, target, topic))
        tell_reader(world, connection, EVENT_READER_GONE, topic);
}

/* The source may hear of it, or never; of one that it closes itself it does not. */
static void tell_cut(struct world *world, const struct connection *connection)
{
    struct delivery delivery = { .kind = EVENT_CUT };
    bool            is_told = chance_is(&world->chance[CHANCE_NETWORK], 500000);
    delivery.caller.door = DOOR_PEER;
    delivery.caller.route = connection->number;
    if (!is_told || !connection->in_use || world->process[connection->source].state == PROCESS_DOWN)
        return;
    mark(world->marks, MARK_LINK_CUT);
    process_deliver(world, connection->source, &delivery);
}

/* Both ends notice that the connection does not stand any more; the source tries again. */
void net_fall(struct world *world, uint32_t place)
{
    struct connection *connection = &world->net.connection[place];
    if (!connection->is_up)
        return;
    connection->is_up = false;
    tell_cut(world, connection);
    struct process *target = &world->process[connection->target];
    for (uint32_t r = 0; r < target->readers; r++)
        if (target->reader[r] == place) {
            target->reader[r] = target->reader[--target->readers];
            break;
        }
    for (uint32_t t = 0; t < connection->topic_count; t++)
        if (connection->topics[t].is_held)
            drop_topic(world, connection, &connection->topics[t]);
    uint64_t in_ns = RETRY_NS / 4 + chance_wait(&world->chance[CHANCE_NETWORK], RETRY_NS);
    world_after(world, in_ns, HAPPEN_LINK, place, connection->serial, NULL);
}

static void close_place(struct world *world, uint32_t place)
{
    struct connection *connection = &world->net.connection[place];
    connection->in_use = false;
    net_fall(world, place);
    for (uint32_t w = 0; w < connection->waiting_count; w++)
        frame_release(connection->waiting[w]);
    connection->waiting_count = connection->topic_count = 0;
}

void net_disconnect(struct world *world, struct process *process, uint64_t number)
{
    for (uint32_t i = 0; i < process->links; i++)
        if (world->net.connection[process->link[i]].number == number) {
            close_place(world, process->link[i]);
            process->link[i] = process->link[--process->links];
            return;
        }
    world_fail(world, "shell", "%s closes connection %llu, which it has not", process->name,
               (unsigned long long) number);
}

void net_forget(struct world *world, uint32_t process)
{
    struct process *dead = &world->process[process];
    for (uint32_t i = 0; i < dead->links; i++)
        close_place(world, dead->link[i]);
    dead->links = 0;
    for (uint32_t i = 0; i < world->net.connections; i++)
        if (world->net.connection[i].in_use && world->net.connection[i].target == process)
            net_fall(world, i);
}

static bool can_stand(struct world *world, const struct connection *connection)
{
    if (connection->target == NO_PROCESS)
        return false;
    const struct process *target = &world->process[connection->target];
    const struct process *source = &world->process[connection->source];
    if (target->state == PROCESS_DOWN || target->is_paused || source->is_paused ||
        net_is_cut(world, connection->source, connection->target) ||
        net_is_cut(world, connection->target, connection->source))
        return false;
    if (memcmp(connection->key, target->key, CALLER_KEY_SIZE) != 0)
        return false;
    if (process_role_of(target, source->key) == 0) {
        mark(world->marks, MARK_LINK_REFUSED);
        return false;
    }
    return true;
}

static void send_topic(struct world *world, uint32_t place, const struct topic *topic, bool is_end)
{
    struct connection  *connection = &world->net.connection[place];
    struct subscribing *sent = memory_new(sizeof *sent);
    memcpy(sent->bytes, topic->bytes, topic->size);
    sent->size = topic->size;
    sent->is_end = is_end;
    sent->instance = connection->instance;
    uint64_t at_ns = net_arrival(world, connection, 0, true);
    world_after(world, at_ns - world->now_ns, HAPPEN_SUBSCRIBE, place, connection->serial, sent);
}

static void link_up(struct world *world, uint32_t place)
{
    struct connection *connection = &world->net.connection[place];
    struct process    *target = &world->process[connection->target];
    if (connection->instance != 0)
        mark(world->marks, MARK_LINK_ANEW);
    connection->is_up = true;
    connection->instance = ++world->net.instances;
    connection->last_ns[0] = connection->last_ns[1] = world->now_ns;
    connection->clogged_ns[0] = connection->clogged_ns[1] = 0;
    if (connection->door == DOOR_STREAM) {
        assert(target->readers < PROCESS_LINKS_MAX);
        target->reader[target->readers++] = place;
    }
    for (uint32_t t = 0; t < connection->topic_count; t++)
        if (connection->topics[t].is_wanted)
            send_topic(world, place, &connection->topics[t], false);
    for (uint32_t w = 0; w < connection->waiting_count; w++)
        net_transmit(world, place, 0, connection->waiting[w]);
    connection->waiting_count = 0;
}

static void try_to_stand(struct world *world, uint32_t place, uint64_t serial)
{
    struct connection *connection = &world->net.connection[place];
    if (!connection->in_use || connection->is_up || connection->serial != serial)
        return;
    if (can_stand(world, connection)) {
        link_up(world, place);
        return;
    }
    uint64_t in_ns = RETRY_NS / 2 + chance_wait(&world->chance[CHANCE_NETWORK], RETRY_NS);
    world_after(world, in_ns, HAPPEN_LINK, place, serial, NULL);
}

static struct topic *topic_of(struct connection *connection, const uint8_t *bytes, size_t size)
{
    for (uint32_t t = 0; t < connection->topic_count; t++)
        if (is_same(&connection->topics[t], bytes, size))
            return &connection->topics[t];
    return NULL;
}

static struct topic *new_topic(struct connection *connection, const uint8_t *bytes, size_t size)
{
    if (connection->topics == NULL)
        connection->topics = memory_new(TOPICS_MAX * sizeof *connection->topics);
    for (uint32_t t = 0; t < connection->topic_count; t++)
        if (!connection->topics[t].is_wanted && !connection->topics[t].is_held)
            connection->topics[t] = connection->topics[--connection->topic_count];
    assert(connection->topic_count < TOPICS_MAX);
    struct topic *topic = &connection->topics[connection->topic_count++];
    *topic = (struct topic){ .size = (uint8_t) size };
    memcpy(topic->bytes, bytes, size);
    return topic;
}

void net_listen(struct world *world, struct process *process, const struct effect *effect)
{
    uint32_t place = net_find(world, process, effect->route);
    if (place == NO_CONNECTION || effect->size > TOPIC_SIZE) {
        world_fail(world, "shell", "%s listens to connection %llu, which it has not", process->name,
                   (unsigned long long) effect->route);
        return;
    }
    struct connection *connection = &world->net.connection[place];
    bool               is_end = effect->kind == EFFECT_UNLISTEN;
    struct topic      *topic = topic_of(connection, effect->bytes, effect->size);
    if (topic == NULL && is_end)
        return;
    if (topic == NULL)
        topic = new_topic(connection, effect->bytes, effect->size);
    bool is_news = topic->is_wanted == is_end;
    topic->is_wanted = !is_end;
    if (is_news && connection->is_up)
        send_topic(world, place, topic, is_end);
}

/* What a reader may not have is not given, and no word is said about it. */
static void take_subscription(struct world *world, uint32_t place, uint64_t serial,
                              struct subscribing *sent)
{
    struct connection *connection = &world->net.connection[place];
    bool stands = connection->in_use && connection->serial == serial && connection->is_up &&
                  connection->instance == sent->instance;
    struct topic *topic = stands ? topic_of(connection, sent->bytes, sent->size) : NULL;
    if (topic != NULL && !sent->is_end && !topic->is_held &&
        net_may_subscribe(world, connection, sent->size)) {
        topic->is_held = true;
        tell_reader(world, connection, EVENT_READER, topic);
    } else if (topic != NULL && sent->is_end && topic->is_held) {
        drop_topic(world, connection, topic);
    }
    free(sent);
}

void net_break(struct world *world, uint32_t one, uint32_t other)
{
    for (uint32_t i = 0; i < world->net.connections; i++) {
        struct connection *connection = &world->net.connection[i];
        bool               is_theirs = (connection->source == one && connection->target == other) ||
                         (connection->source == other && connection->target == one);
        if (connection->in_use && is_theirs)
            net_fall(world, i);
    }
}

void net_happening(struct world *world, const struct happening *happening)
{
    if (happening->kind == HAPPEN_LINK)
        try_to_stand(world, happening->who, happening->serial);
    else if (happening->kind == HAPPEN_SUBSCRIBE)
        take_subscription(world, happening->who, happening->serial, happening->data);
    else
        net_arrived(world, happening->data);
}
