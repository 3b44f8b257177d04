/* lobby_index.h: finding a record by what it is called, without looking at them all. Pure.
 *
 * A hash table of hints: an entry says that a record of some name may stand at a place; who asks looks
 * whether it does. So an entry may be out of date, nothing is ever taken out, and undoing a change
 * needs no undoing here. When it is full of old entries its owner clears it and puts in what there is. */
#ifndef ARBITER_LOBBY_INDEX_H
#define ARBITER_LOBBY_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_entry {
    uint64_t hash; /* 0: free. */
    uint32_t place;
};

struct index {
    struct index_entry *entries;
    uint32_t size; /* A power of two.                                                   */
    uint32_t used;
    uint64_t salt; /* So that nobody can choose names that collide.                     */
};

/* How large an index for so many names must be. */
uint32_t lobby_index_size(uint64_t names);
void     lobby_index_init(struct index *index, struct index_entry *entries, uint32_t size);
void     lobby_index_clear(struct index *index);
bool     lobby_index_is_full(const struct index *index);
/* `kind` keeps names of different kinds apart. Neither this nor a digest is ever 0. */
uint64_t lobby_index_hash(const struct index *index, uint32_t kind, const void *name, size_t size);
/* The same for the same bytes in every process: what tells one caller's asks apart, and may be stored. */
uint64_t lobby_digest(const void *bytes, size_t size);
void     lobby_index_put(struct index *index, uint64_t hash, uint32_t place);
/* The places that may have this name, one by one: `cursor` begins as 0; UINT32_MAX: no more. */
uint32_t lobby_index_next(const struct index *index, uint64_t hash, uint32_t *cursor);

#endif
