/* net_frames.c: frames on their way: lost, doubled, overtaken, stopped; see net.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/rights.h"
#include "memory.h"
#include "net_private.h"
#include "world.h"

#define HEALED_DELAY_NS (5u * NS_PER_MS)
/* A frame of a sender who died meanwhile was on the wire already, or it was not. */
#define LEFT_BEHIND 500000u

bool net_is_cut(const struct world *world, uint32_t from, uint32_t to)
{
    return (world->net.cut[from] >> to & 1) != 0;
}

bool net_may_subscribe(const struct world *world, const struct connection *connection, size_t size)
{
    const struct process *target = &world->process[connection->target];
    const uint8_t        *key = world->process[connection->source].key;
    return rights_may_subscribe(process_role_of(target, key), size);
}

uint64_t net_arrival(struct world *world, struct connection *connection, uint32_t way,
                     bool in_order)
{
    struct chance *chance = &world->chance[CHANCE_NETWORK];
    uint64_t       extra_ns = chance_wait(chance, world->plan.delay_mean_ns);
    uint64_t       at_ns = world->now_ns + world->plan.delay_least_ns + extra_ns;
    if (world->is_healed)
        at_ns = world->now_ns + extra_ns % HEALED_DELAY_NS + 1;
    if (at_ns < connection->clogged_ns[way])
        at_ns = connection->clogged_ns[way];
    if (at_ns <= connection->last_ns[way]) {
        if (!in_order && world_breaks(world, FAULT_REORDER)) {
            mark(world->marks, MARK_FRAME_OVERTAKEN);
            return at_ns;
        }
        at_ns = connection->last_ns[way] + 1;
    }
    connection->last_ns[way] = at_ns;
    return at_ns;
}

static struct flight *new_flight(struct world *world, uint32_t place, uint32_t way,
                                 struct frame *frame)
{
    const struct connection *connection = &world->net.connection[place];
    uint32_t                 to = way == 0 ? connection->target : connection->source;
    uint32_t                 from = way == 0 ? connection->source : connection->target;
    struct flight           *flight = memory_new(sizeof *flight);
    flight->frame = frame;
    flight->to = to;
    flight->incarnation = world->process[to].incarnation;
    flight->connection = place;
    flight->serial = connection->serial;
    flight->instance = connection->instance;
    memcpy(flight->caller.key, world->process[from].key, CALLER_KEY_SIZE);
    flight->caller.door = way == 0 ? connection->door : DOOR_PEER;
    flight->caller.route = way == 0 ? connection->instance << 16 | place : connection->number;
    return flight;
}

static void fly(struct world *world, uint32_t place, uint32_t way, struct frame *frame)
{
    uint64_t at_ns = net_arrival(world, &world->net.connection[place], way, false);
    world_after(world, at_ns - world->now_ns, HAPPEN_FRAME, place, way,
                new_flight(world, place, way, frame));
}

void net_transmit(struct world *world, uint32_t place, uint32_t way, struct frame *frame)
{
    struct connection *connection = &world->net.connection[place];
    struct chance     *chance = &world->chance[CHANCE_NETWORK];
    uint32_t           from = way == 0 ? connection->source : connection->target;
    uint32_t           to = way == 0 ? connection->target : connection->source;
    world->net.frames++;
    bool is_lost = net_is_cut(world, from, to);
    if (world_breaks(world, FAULT_LOSS) && chance_is(chance, world->plan.loss))
        is_lost = true;
    if (is_lost) {
        mark(world->marks, MARK_FRAME_LOST);
        world->net.lost++;
        frame_release(frame);
        return;
    }
    if (world_breaks(world, FAULT_DUPLICATE) && chance_is(chance, world->plan.duplicate)) {
        mark(world->marks, MARK_FRAME_DOUBLED);
        frame->refs++;
        fly(world, place, way, frame);
    }
    fly(world, place, way, frame);
}

/* What clients said; others may say it again. */
static void remember(struct world *world, uint32_t process, uint64_t number, struct frame *frame)
{
    struct net *net = &world->net;
    if (!world_breaks(world, FAULT_HOSTILE) && !world_breaks(world, FAULT_STUBBORN))
        return;
    struct said *said = &net->recent[net->recent_at++ % 16];
    if (said->frame != NULL)
        frame_release(said->frame);
    frame->refs++;
    *said = (struct said){ frame, process, number };
}

void net_send_frame(struct world *world, struct process *process, uint64_t number,
                    struct frame *frame)
{
    uint32_t           place = net_find(world, process, number);
    struct connection *connection = place == NO_CONNECTION ? NULL : &world->net.connection[place];
    if (connection != NULL && connection->is_up) {
        net_transmit(world, place, 0, frame);
    } else if (connection != NULL && connection->waiting_count < WAITING_MAX) {
        connection->waiting[connection->waiting_count++] = frame;
    } else {
        frame_release(frame);
    }
}

/* Back by the route by which a question came. */
static void send_back(struct world *world, const struct process *process, uint64_t route,
                      struct frame *frame)
{
    uint32_t                 place = (uint32_t) (route & 0xffff);
    const struct connection *connection =
        place < world->net.connections ? &world->net.connection[place] : NULL;
    if (connection != NULL && connection->in_use && connection->is_up &&
        connection->instance == route >> 16 &&
        connection->target == process_index(world, process)) {
        net_transmit(world, place, 1, frame);
        return;
    }
    mark(world->marks, MARK_FRAME_TO_NOBODY);
    frame_release(frame);
}

void net_send(struct world *world, struct process *process, const struct effect *effect)
{
    struct frame *frame = frame_new(&effect->header, effect->body, effect->bytes, effect->size);
    if (effect->door == DOOR_PEER && process->is_steady)
        remember(world, process_index(world, process), effect->route, frame);
    if (effect->door == DOOR_PEER)
        net_send_frame(world, process, effect->route, frame);
    else
        send_back(world, process, effect->route, frame);
}

static bool wants(const struct connection *reader, const uint8_t *topic)
{
    for (uint32_t t = 0; t < reader->topic_count; t++)
        if (reader->topics[t].is_held &&
            memcmp(reader->topics[t].bytes, topic, reader->topics[t].size) == 0)
            return true;
    return false;
}

/* Whether the publisher's queue for this reader has room: what is said in one instant is a burst. */
static bool has_room(struct world *world, struct connection *reader)
{
    if (reader->burst_ns != world->now_ns) {
        reader->burst_ns = world->now_ns;
        reader->burst = 0;
    }
    if (!world_breaks(world, FAULT_OVERFLOW) || ++reader->burst <= world->plan.queue_length)
        return true;
    mark(world->marks, MARK_FRAME_DROPPED);
    return false;
}

void net_publish(struct world *world, struct process *process, const struct effect *effect)
{
    struct frame *frame = frame_new(&effect->header, effect->body, effect->bytes, effect->size);
    for (uint32_t r = 0; r < process->readers; r++) {
        uint32_t           place = process->reader[r];
        struct connection *reader = &world->net.connection[place];
        if (!wants(reader, frame->bytes) || !has_room(world, reader))
            continue;
        frame->refs++;
        net_transmit(world, place, 1, frame);
    }
    frame_release(frame);
}

static bool arrives(struct world *world, const struct flight *flight)
{
    const struct connection *connection = &world->net.connection[flight->connection];
    const struct process    *to = &world->process[flight->to];
    if (to->state == PROCESS_DOWN || to->incarnation != flight->incarnation)
        return false;
    bool is_same = connection->in_use && connection->serial == flight->serial;
    if (is_same && connection->is_up && connection->instance == flight->instance)
        return true;
    /* The caller has hung up: nothing comes over a connection that is closed. */
    if (!is_same && flight->caller.door == DOOR_PEER)
        return false;
    return chance_is(&world->chance[CHANCE_NETWORK], LEFT_BEHIND);
}

void net_arrived(struct world *world, struct flight *flight)
{
    if (arrives(world, flight)) {
        struct delivery delivery = { .kind = EVENT_MESSAGE,
                                     .frame = flight->frame,
                                     .caller = flight->caller };
        flight->frame->refs++;
        world_mix_bytes(world, flight->frame->bytes, flight->frame->size);
        process_deliver(world, flight->to, &delivery);
    }
    frame_release(flight->frame);
    free(flight);
}

void net_clog(struct world *world, uint32_t place, uint32_t way, uint64_t for_ns)
{
    struct connection *connection = &world->net.connection[place];
    if (connection->in_use && connection->is_up)
        connection->clogged_ns[way] = world->now_ns + for_ns;
}

void net_heal(struct world *world)
{
    memset(world->net.cut, 0, sizeof world->net.cut);
    for (uint32_t i = 0; i < world->net.connections; i++)
        world->net.connection[i].clogged_ns[0] = world->net.connection[i].clogged_ns[1] = 0;
}
