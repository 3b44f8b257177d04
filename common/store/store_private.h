/* store_private.h: what every kind of store begins with, and the functions each kind brings.
 *
 * store.c judges what it is asked and counts; a kind (SQLite, PostgreSQL) does the work. */
#ifndef ARBITER_STORE_PRIVATE_H
#define ARBITER_STORE_PRIVATE_H

#include "store/store.h"

/* One batch, as store_commit was given it. */
struct batch {
    const struct row *const *rows;
    uint32_t                 row_count;
    const struct fence      *fences;
    uint32_t                 fence_count;
};

struct store_ops {
    void (*close)(struct store *store);
    enum store_outcome (*commit)(struct store *store, const struct batch *batch);
    bool (*read)(struct store *store, const struct query                *query,
                 bool (*each)(void *taker, const struct row *row), void *taker);
    bool (*checkpoint)(struct store *store);
    bool (*copy)(struct store *store, const char *folder);
};

struct store {
    const struct store_ops *ops;
    const struct schema    *schema;
    struct store_facts      facts;
    struct text             fault;
    bool                    is_shared; /* It goes on after an unknown outcome.                    */
    bool                    is_reader;
    bool                    is_reading; /* Inside `each`: nothing else may be asked meanwhile.    */
};

/* A sentence of several parts; what does not fit is cut. */
#define sentence(text, ...) sentence_of(text, (const char *const[]){ __VA_ARGS__, NULL })
/* The same; the last part is NULL. */
void sentence_of(struct text *text, const char *const *parts);

#endif
