/* step.c: what happened, as an event, into the core; see runner.h. */
#include <assert.h>
#include <string.h>

#include "campaign/bugs.h"
#include "contract/envelope.pb-c.h"
#include "core/rights.h"
#include "wire/kinds.h"
#include "wire/names.h"
#include "wire/validate.h"
#include "world.h"

/* The wall clock of the universe begins at some day of 2026. */
#define WALL_BEGINS_MS 1780000000000u

static void tell(struct world *world, const struct process *process, const struct event *event)
{
    if (!world->is_traced || event->kind != EVENT_MESSAGE)
        return;
    const ProtobufCEnumValue *kind =
        protobuf_c_enum_descriptor_get_value(&arbiter__wire__kind__descriptor, event->header.kind);
    world_tell(world, "%s hears %s, match %02x%02x, epoch %llu, number %llu, request %u",
               process->name, kind->name, event->header.match_id[0], event->header.match_id[1],
               (unsigned long long) event->header.epoch, (unsigned long long) event->header.number,
               event->header.request);
    if (event->header.kind == KIND(REFUSED)) {
        const Arbiter__Wire__Refused *refused = BODY(Arbiter__Wire__Refused, event);
        world_tell(world, "    refusal %d: %s", (int) refused->refusal,
                   refused->sentence != NULL ? refused->sentence : "");
    }
}

static void step(struct world *world, struct process *process, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    chance_fill(&world->chance[CHANCE_ENTROPY], entropy, sizeof entropy);
    event->entropy = entropy;
    event->now_ms = process_now_ms(world, process);
    event->wall_ms = WALL_BEGINS_MS + world->now_ns / NS_PER_MS + (uint64_t) process->wall_ms;
    tell(world, process, event);
    bugs_in_event(world, process, event);
    if (world->cast->taken != NULL)
        world->cast->taken(world, process, event);
    size_t   used = process->out.used;
    uint32_t effects = process->out.effect_count;
    process->steps++;
    process->ops->step(process->core, event, &process->out);
    if (process->out.used - used > OUTBOX_STEP_BYTES ||
        process->out.effect_count - effects > OUTBOX_STEP_EFFECTS)
        world_fail(world, "I8", "%s puts %zu bytes and %u effects into its outbox in one step",
                   process->name, process->out.used - used, process->out.effect_count - effects);
}

void step_started(struct world *world, struct process *process)
{
    struct event event = { .kind = EVENT_STARTED };
    process->is_started = true;
    step(world, process, &event);
    process->started_ms = event.wall_ms;
}

void step_time(struct world *world, struct process *process)
{
    struct event event = { .kind = EVENT_TIME };
    process->is_woken = false;
    process->out.wake_ms = NO_WAKE;
    step(world, process, &event);
}

/* What is none of a core's business is refused at the door, where somebody asks there. */
static void refuse(struct world *world, struct process *process, const struct event *event,
                   enum mark which, Arbiter__Wire__Refusal refusal)
{
    Arbiter__Wire__Refused refused = ARBITER__WIRE__REFUSED__INIT;
    struct effect          effect = { .kind = EFFECT_SEND,
                                      .header = event->header,
                                      .door = event->caller.door,
                                      .route = event->caller.route,
                                      .body = &refused.base };
    mark(world->marks, which);
    if (event->caller.door == DOOR_PEER || event->header.kind == KIND(REFUSED))
        return;
    refused.has_refusal = true;
    refused.refusal = refusal;
    effect.header.version = header_spoken(effect.header.version);
    effect.header.kind = KIND(REFUSED);
    net_send(world, process, &effect);
}

static bool is_good(struct world *world, struct process *process, struct event *event,
                    const struct frame *frame)
{
    enum header_fault fault = header_decode(&event->header, frame->bytes, frame->size);
    if (fault == HEADER_SHORT) {
        mark(world->marks, MARK_FRAME_BROKEN);
        return false;
    }
    if (process->protocol != 0 && event->header.version > process->protocol) {
        world_fail(world, "I14", "a player is told something in a version that it does not speak");
        return false;
    }
    if (fault == HEADER_OTHER_SLOT)
        event->header.slot = header_slot(event->header.match_id);
    if (fault != HEADER_GOOD)
        refuse(world, process, event, MARK_FRAME_BROKEN,
               fault == HEADER_OTHER_VERSION ? REFUSAL(VERSION) : REFUSAL(MALFORMED));
    else if (event->caller.door != DOOR_PEER &&
             !rights_may_say(event->caller.role, event->header.kind))
        refuse(world, process, event, MARK_FRAME_REFUSED,
               event->caller.role == 0 ? REFUSAL(BANNED) : REFUSAL(NOT_YOURS));
    else
        return true;
    return false;
}

/* A frame as a process finds it: bytes from somebody whose key is proved, and nothing else is. */
static void step_message(struct world *world, struct process *process,
                         const struct delivery *delivery)
{
    struct arena       *arena = &world->net.arena;
    const struct frame *frame = delivery->frame;
    struct event        event = { .kind = EVENT_MESSAGE, .caller = delivery->caller };
    event.caller.role = process_role_of(process, event.caller.key);
    if (!is_good(world, process, &event, frame))
        return;
    arena_reset(arena);
    event.bytes = frame->bytes + HEADER_SIZE;
    event.size = frame->size - HEADER_SIZE;
    event.body = validate_unpack(kinds_find(event.header.kind), event.bytes, event.size, arena);
    if (event.body == NULL)
        refuse(world, process, &event, MARK_FRAME_BROKEN, REFUSAL(MALFORMED));
    else
        step(world, process, &event);
}

void step_delivery(struct world *world, struct process *process, const struct delivery *delivery)
{
    struct event event = { .kind = delivery->kind, .caller = delivery->caller };
    switch (delivery->kind) {
    case EVENT_MESSAGE: step_message(world, process, delivery); return;
    case EVENT_ROW:
        event.row = delivery->row->row;
        event.tag = delivery->tag;
        break;
    case EVENT_READ_DONE:
        event.tag = delivery->tag;
        event.rows = delivery->rows;
        event.failed = delivery->failed;
        break;
    case EVENT_READER:
    case EVENT_READER_GONE:
        event.bytes = delivery->topic;
        event.size = delivery->topic_size;
        event.caller.role = process_role_of(process, event.caller.key);
        break;
    default: break;
    }
    step(world, process, &event);
}
