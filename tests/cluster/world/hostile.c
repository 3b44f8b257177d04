/* hostile.c: see hostile.h. */
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "wire/kinds.h"
#include "world.h"

#define GARBAGE_MAX 256

uint32_t hostile_add(struct world *world, const char *name)
{
    struct process *process = process_add(world, name, 0);
    process->is_steady = true;
    return process_index(world, process);
}

static struct frame *garbage(struct chance *chance)
{
    uint8_t  bytes[GARBAGE_MAX];
    uint64_t size = chance_below(chance, sizeof bytes);
    chance_fill(chance, bytes, size);
    return frame_of_bytes(bytes, size);
}

/* A good header of any kind, and garbage behind it, or nothing. */
static struct frame *half_good(struct chance *chance)
{
    uint8_t       bytes[HEADER_SIZE + 64];
    uint64_t      kind = chance_below(chance, 96);
    uint64_t      size = chance_below(chance, 64);
    uint64_t      is_empty = chance_below(chance, 2);
    struct header header;
    header_init(&header, (uint16_t) kind, NULL);
    chance_fill(chance, (uint8_t *) &header.epoch, sizeof header.epoch);
    uint64_t seat = chance_below(chance, 4);
    header.seat = (uint32_t) seat;
    header.session = header.request = 1;
    header_encode(bytes, &header);
    chance_fill(chance, bytes + HEADER_SIZE, sizeof bytes - HEADER_SIZE);
    return frame_of_bytes(bytes, HEADER_SIZE + (is_empty != 0 ? 0 : size));
}

/* Somebody else's frame, as it was or with a few bytes changed. */
static struct frame *stolen(struct world *world, struct chance *chance)
{
    uint64_t            which = chance_below(chance, 16);
    uint64_t            changes = chance_below(chance, 4);
    const struct frame *other = world->net.recent[which].frame;
    if (other == NULL)
        return garbage(chance);
    struct frame *frame = frame_of_bytes(other->bytes, other->size);
    for (uint64_t i = 0; i < changes && frame->size > 0; i++) {
        uint64_t at = chance_below(chance, frame->size);
        uint64_t byte = chance_below(chance, 256);
        frame->bytes[at] = (uint8_t) byte;
    }
    return frame;
}

/* Some door of some service, connected to at first use. */
static bool reach(struct world *world, struct process *process, uint64_t address)
{
    if (process->links >= PROCESS_LINKS_MAX)
        return false;
    const struct address *bound = &world->net.address[address];
    struct effect         effect = { .kind = EFFECT_CONNECT,
                                     .route = address,
                                     .door = DOOR_REQUESTS,
                                     .address = bound->text,
                                     .key = world->process[bound->process].key };
    for (uint32_t i = 0; i < process->links; i++)
        if (world->net.connection[process->link[i]].number == address)
            return true;
    if (strstr(bound->text, "/2") != NULL)
        effect.door = DOOR_STREAM;
    if (strstr(bound->text, "/3") != NULL)
        effect.door = DOOR_HISTORY;
    net_connect(world, process, &effect);
    return true;
}

void hostile_act(struct world *world)
{
    struct chance  *chance = &world->chance[CHANCE_HOSTILE];
    uint64_t        who = chance_below(chance, world->processes);
    uint64_t        address = chance_below(chance, world->net.addresses);
    uint64_t        what = chance_below(chance, 3);
    struct process *process = &world->process[who];
    if (process->ops != NULL || process->state == PROCESS_DOWN || !reach(world, process, address))
        return;
    struct frame *frame = what == 0   ? garbage(chance)
                          : what == 1 ? half_good(chance)
                                      : stolen(world, chance);
    net_send_frame(world, process, address, frame);
}

void hostile_stubborn(struct world *world)
{
    struct chance     *chance = &world->chance[CHANCE_HOSTILE];
    uint64_t           which = chance_below(chance, 16);
    const struct said *said = &world->net.recent[which];
    if (said->frame == NULL || world->process[said->process].state == PROCESS_DOWN)
        return;
    mark(world->marks, MARK_STALE_FRAME);
    said->frame->refs++;
    net_send_frame(world, &world->process[said->process], said->number, said->frame);
}
