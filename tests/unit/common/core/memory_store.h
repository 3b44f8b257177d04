/* memory_store.h: a store in memory, for tests that hold one core in their hand.
 *
 * It takes batches and gives rows back as common/store does, by the owner's schema. Fences are not
 * looked at: a test of epochs needs a world (tests/cluster). */
#ifndef ARBITER_MEMORY_STORE_H
#define ARBITER_MEMORY_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/row.h"

struct memory_store {
    const struct schema *schema;
    struct row         **rows; /* By table and key.                                            */
    uint32_t             count, capacity;
};

void               memory_store_open(struct memory_store *store, const struct schema *schema);
void               memory_store_close(struct memory_store *store);
/* All of them or, if one was to be added and is there, none. */
enum store_outcome memory_store_commit(struct memory_store *store, struct row *const *rows,
                                       uint32_t count);
/* The rows of a query, in its order, into a list that the caller frees; they live until the next
 * commit. */
struct row       **memory_store_read(const struct memory_store *store, const struct query *query,
                                     uint32_t *count);
/* Whether both hold the same rows. */
bool memory_store_same(const struct memory_store *one, const struct memory_store *other);
void memory_store_copy(struct memory_store *to, const struct memory_store *from);

#endif
