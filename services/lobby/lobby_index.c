/* lobby_index.c: open addressing with hints. Pure. */
#include "services/lobby/lobby_index.h"

#include <assert.h>
#include <string.h>

uint32_t lobby_index_size(uint64_t names)
{
    uint32_t size = 64;
    while (size < names * 2)
        size *= 2;
    return size;
}

void lobby_index_init(struct index *index, struct index_entry *entries, uint32_t size)
{
    assert((size & (size - 1)) == 0);
    *index = (struct index){ .entries = entries, .size = size };
    lobby_index_clear(index);
}

void lobby_index_clear(struct index *index)
{
    memset(index->entries, 0, index->size * sizeof index->entries[0]);
    index->used = 0;
}

bool lobby_index_is_full(const struct index *index)
{
    return index->used >= index->size - index->size / 4;
}

/* FNV-1a, stirred so that its low bits are as good as its high ones; never 0. */
static uint64_t hash_from(uint64_t start, const uint8_t *bytes, size_t size)
{
    uint64_t hash = start ^ 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    return hash == 0 ? 1 : hash;
}

uint64_t lobby_index_hash(const struct index *index, uint32_t kind, const void *name, size_t size)
{
    return hash_from(index->salt + kind, name, size);
}

uint64_t lobby_digest(const void *bytes, size_t size)
{
    return hash_from(0, bytes, size);
}

void lobby_index_put(struct index *index, uint64_t hash, uint32_t place)
{
    assert(index->used < index->size - 1 && hash != 0);
    uint32_t at = (uint32_t) hash & (index->size - 1);
    for (; index->entries[at].hash != 0; at = (at + 1) & (index->size - 1))
        if (index->entries[at].hash == hash && index->entries[at].place == place)
            return;
    index->entries[at] = (struct index_entry){ .hash = hash, .place = place };
    index->used++;
}

uint32_t lobby_index_next(const struct index *index, uint64_t hash, uint32_t *cursor)
{
    for (;;) {
        const struct index_entry *entry =
            &index->entries[((uint32_t) hash + (*cursor)++) & (index->size - 1)];
        if (entry->hash == 0)
            return UINT32_MAX;
        if (entry->hash == hash)
            return entry->place;
    }
}
