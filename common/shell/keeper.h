/* keeper.h: the narrow door between a shell and what keeps its core's rows.
 *
 * A table of functions, so that a shell can be tested with a store that fails on demand. */
#ifndef ARBITER_SHELL_KEEPER_H
#define ARBITER_SHELL_KEEPER_H

#include "store/store.h"

struct keeper {
    void *store; /* Handed to commit and rest; `fault` tells of it and of the reader, ...         */
    void *reader; /* ... and to read: rows are read while batches are committed.                  */
    enum store_outcome (*commit)(void *store, const struct row *const *rows, uint32_t row_count,
                                 const struct fence *fences, uint32_t fence_count);
    bool (*read)(void *reader, const struct query                       *query,
                 bool (*each)(void *taker, const struct row *row), void *taker);
    const char *(*fault)(void *store);
    bool (*survives)(void *store); /* Whether it is asked again when nobody knows what is kept.   */
    void (*rest)(void *store, bool is_idle); /* Between batches; NULL: nothing to do.            */
};

/* What keeps nothing: every batch is committed, every read is empty. */
struct keeper keeper_of_nothing(void);
/* A store of common/store and a second connection to read by: what a core writes while it is fed rows
 * is committed in between. `store` NULL: nothing is written. The log is moved into the file when
 * nothing waits, or when it has grown too long. */
struct keeper keeper_of(struct store *store, struct store *reader);

#endif
