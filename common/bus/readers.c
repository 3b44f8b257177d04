/* readers.c: see readers.h. */
#include "bus/readers.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a over a multiplied state: match ids are random already, slots are not. */
static uint32_t place_of(const struct readers *readers, const uint8_t *topic, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ topic[i]) * 1099511628211u;
    return (uint32_t) (hash >> 32) & (readers->capacity - 1);
}

bool readers_open(struct readers *readers, uint32_t topics_max)
{
    memset(readers, 0, sizeof *readers);
    readers->capacity = 64;
    while (readers->capacity / 4 * 3 < topics_max && readers->capacity < 1u << 30)
        readers->capacity *= 2;
    readers->entries = calloc(readers->capacity, sizeof *readers->entries);
    return readers->entries != NULL;
}

void readers_close(struct readers *readers)
{
    free(readers->entries);
    memset(readers, 0, sizeof *readers);
}

/* The topic's entry, or the free one where it would go. */
static struct readers_entry *find(const struct readers *readers, const uint8_t *topic, size_t size)
{
    uint32_t at = place_of(readers, topic, size);
    while (readers->entries[at].size != 0 && (readers->entries[at].size != size ||
                                              memcmp(readers->entries[at].topic, topic, size) != 0))
        at = (at + 1) & (readers->capacity - 1);
    return &readers->entries[at];
}

bool readers_add(struct readers *readers, const uint8_t *topic, size_t size, bool is_granted)
{
    if (size != 1 && size != TOPIC_SIZE)
        return false;
    struct readers_entry *entry = find(readers, topic, size);
    if (entry->size == 0) {
        if (readers->used >= readers->capacity / 4 * 3)
            return false;
        memcpy(entry->topic, topic, size);
        entry->size = (uint8_t) size;
        entry->is_granted = false;
        entry->count = 0;
        readers->used++;
    }
    entry->count += entry->count < UINT32_MAX;
    entry->is_granted = entry->is_granted || is_granted;
    return true;
}

/* Frees a place and moves those up that had stepped aside for it. */
static void free_place(struct readers *readers, uint32_t hole)
{
    uint32_t mask = readers->capacity - 1;
    for (uint32_t at = (hole + 1) & mask; readers->entries[at].size != 0; at = (at + 1) & mask) {
        const struct readers_entry *entry = &readers->entries[at];
        uint32_t                    home = place_of(readers, entry->topic, entry->size);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            readers->entries[hole] = *entry;
            hole = at;
        }
    }
    memset(&readers->entries[hole], 0, sizeof readers->entries[hole]);
    readers->used--;
}

bool readers_remove(struct readers *readers, const uint8_t *topic, size_t size)
{
    if (size != 1 && size != TOPIC_SIZE)
        return false;
    struct readers_entry *entry = find(readers, topic, size);
    if (entry->size == 0 || --entry->count > 0)
        return false;
    bool was_granted = entry->is_granted;
    free_place(readers, (uint32_t) (entry - readers->entries));
    return was_granted;
}
