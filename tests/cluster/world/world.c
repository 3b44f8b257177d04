/* world.c: the loop of a universe: the first thing in the queue happens, and everything is checked. */
#include "world.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "memory.h"

#define LOOK_NS (100ull * NS_PER_MS)
/* In the second act everybody must have been answered within so long. */
#define LIVENESS_NS (30ull * NS_PER_S)
/* A universe that has not ended by then turns in a circle. */
#define EVENTS_MAX 30000000u

void world_after(struct world *world, uint64_t in_ns, enum happening_kind kind, uint32_t who,
                 uint64_t serial, void *data)
{
    struct happening happening = {
        .at_ns = world->now_ns + in_ns, .kind = kind, .who = who, .serial = serial, .data = data
    };
    queue_push(&world->queue, &happening);
}

void world_fail(struct world *world, const char *what, const char *format, ...)
{
    if (world->failure.what[0] != '\0')
        return;
    va_list arguments;
    va_start(arguments, format);
    snprintf(world->failure.what, sizeof world->failure.what, "%s", what);
    vsnprintf(world->failure.sentence, sizeof world->failure.sentence, format, arguments);
    va_end(arguments);
    world_tell(world, "BROKEN %s: %s", world->failure.what, world->failure.sentence);
    world->is_over = true;
}

void world_tell(struct world *world, const char *format, ...)
{
    if (!world->is_traced)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("%10.4f  ", (double) world->now_ns / NS_PER_S);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

void world_mix(struct world *world, uint64_t number)
{
    world->hash = (world->hash ^ number) * 0x9e3779b97f4a7c15u;
    world->hash ^= world->hash >> 29;
}

void world_mix_bytes(struct world *world, const uint8_t *bytes, size_t size)
{
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        world_mix(world, word);
        bytes += 8;
        size -= 8;
    }
    for (size_t i = 0; i < size; i++)
        world_mix(world, bytes[i]);
}

/* Each 100 ms: the cast looks; and the acts begin and end. */
static void look(struct world *world)
{
    if (world->cast->look != NULL)
        world->cast->look(world);
    if (!world->is_healed && world->now_ns >= world->plan.safety_ns) {
        world_tell(world, "all is healed");
        world->healed_ns = world->now_ns;
        faults_end(world);
    } else if (world->is_healed && world->now_ns > world->healed_ns + NS_PER_S &&
               world->cast->is_quiet(world)) {
        world->is_over = true;
        return;
    }
    if (world->is_healed && world->now_ns > world->healed_ns + LIVENESS_NS) {
        world_fail(world, "liveness", "%s",
                   world->worry[0] != '\0' ? world->worry : "nobody says why");
        return;
    }
    world_after(world, LOOK_NS, HAPPEN_LOOK, 0, 0, NULL);
}

static void boot(struct world *world, const struct happening *happening)
{
    const struct process *process = &world->process[happening->who];
    if (process->state != PROCESS_DOWN || process->incarnation != happening->serial)
        return;
    process_boot(world, happening->who);
    for (uint32_t i = 0; i < world->processes; i++)
        if (world->process[i].twin == happening->who)
            process_boot(world, i);
}

static void happen(struct world *world, const struct happening *happening)
{
    switch (happening->kind) {
    case HAPPEN_TURN:
    case HAPPEN_APPLY:
    case HAPPEN_SETTLE:
    case HAPPEN_PERFORM:
    case HAPPEN_WAKE:
    case HAPPEN_READ:
    case HAPPEN_RESUME: process_happening(world, happening); break;
    case HAPPEN_FRAME:
    case HAPPEN_LINK:
    case HAPPEN_SUBSCRIBE: net_happening(world, happening); break;
    case HAPPEN_FAULT:
    case HAPPEN_MEND: faults_happening(world, happening); break;
    case HAPPEN_BOOT: boot(world, happening); break;
    case HAPPEN_LOOK: look(world); break;
    }
}

void world_play(struct world *world, const struct cast *cast, const struct plan *plan,
                struct marks *marks, bool is_traced)
{
    memset(world, 0, sizeof *world);
    world->plan = *plan;
    world->cast = cast;
    world->marks = marks;
    world->is_traced = is_traced;
    for (uint32_t i = 0; i < CHANCE_STREAMS; i++)
        chance_init(&world->chance[i], plan->seed, (enum chance_stream) i);
    net_open(&world->net);
    cast->open(world);
    for (uint32_t i = 0; i < world->processes; i++)
        process_boot(world, i);
    faults_begin(world);
    world_after(world, LOOK_NS, HAPPEN_LOOK, 0, 0, NULL);
    struct happening happening;
    while (!world->is_over && queue_pop(&world->queue, &happening)) {
        assert(happening.at_ns >= world->now_ns);
        world->now_ns = happening.at_ns;
        world->events++;
        world_mix(world, happening.at_ns ^ (uint64_t) happening.kind << 56 ^ happening.who);
        happen(world, &happening);
        if (world->events > EVENTS_MAX)
            world_fail(world, "circle", "%u events and no end", EVENTS_MAX);
    }
    if (world->failure.what[0] == '\0' && cast->finish != NULL)
        cast->finish(world);
}

static void forget(const struct happening *happening)
{
    if (happening->kind == HAPPEN_FRAME) {
        struct flight *flight = happening->data;
        frame_release(flight->frame);
        free(flight);
    } else if (happening->kind == HAPPEN_SUBSCRIBE) {
        free(happening->data);
    } else {
        runner_drop(happening);
    }
}

void world_close(struct world *world)
{
    struct happening happening;
    while (queue_pop(&world->queue, &happening))
        forget(&happening);
    queue_free(&world->queue);
    net_close(world);
    for (uint32_t i = 0; i < world->processes; i++)
        process_free(&world->process[i]);
    for (uint32_t i = 0; i < world->vaults; i++)
        vault_close(&world->vault[i]);
    if (world->cast->close != NULL)
        world->cast->close(world);
}
