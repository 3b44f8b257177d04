/* step.c: what happened, as an event, into the core; see runner.h. */
#include <assert.h>
#include <string.h>

#include "bugs.h"
#include "core/rights.h"
#include "wire/kinds.h"
#include "wire/validate.h"
#include "world.h"

/* The wall clock of the universe begins at some day of 2026. */
#define WALL_BEGINS_MS 1780000000000u

static void step(struct world *world, struct process *process, struct event *event)
{
    uint8_t entropy[ENTROPY_SIZE];
    chance_fill(&world->chance[CHANCE_ENTROPY], entropy, sizeof entropy);
    event->entropy = entropy;
    event->now_ms = process_now_ms(world, process);
    event->wall_ms = WALL_BEGINS_MS + world->now_ns / NS_PER_MS + (uint64_t) process->wall_ms;
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
}

void step_time(struct world *world, struct process *process)
{
    struct event event = { .kind = EVENT_TIME };
    process->is_woken = false;
    process->out.wake_ms = NO_WAKE;
    step(world, process, &event);
}

/* A frame as a process finds it: bytes from somebody whose key is proved, and nothing else is. */
static void step_message(struct world *world, struct process *process,
                         const struct delivery *delivery)
{
    struct arena       *arena = &world->net.arena;
    const struct frame *frame = delivery->frame;
    struct event        event = { .kind = EVENT_MESSAGE, .caller = delivery->caller };
    arena_reset(arena);
    if (header_decode(&event.header, frame->bytes, frame->size) != HEADER_GOOD) {
        mark(world->marks, MARK_FRAME_BROKEN);
        return;
    }
    event.bytes = frame->bytes + HEADER_SIZE;
    event.size = frame->size - HEADER_SIZE;
    event.caller.role = process_role_of(process, event.caller.key);
    if (event.caller.door != DOOR_PEER && !rights_may_say(event.caller.role, event.header.kind)) {
        mark(world->marks, MARK_FRAME_REFUSED);
        return;
    }
    event.body = validate_unpack(kinds_find(event.header.kind), event.bytes, event.size, arena);
    if (event.body == NULL) {
        mark(world->marks, MARK_FRAME_BROKEN);
        return;
    }
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
