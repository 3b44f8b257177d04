/* keeper.c: see keeper.h. */
#include "shell/keeper.h"

#include <assert.h>

/* A log so long is moved at leisure; one so long, at once: recovery reads all of it. */
#define IDLE_WAL_BYTES (4u << 20)
#define BUSY_WAL_BYTES (64u << 20)

static enum store_outcome commit_nothing(void *store, const struct row *const *rows,
                                         uint32_t row_count, const struct fence *fences,
                                         uint32_t fence_count)
{
    (void) store;
    (void) rows;
    (void) fences;
    assert(row_count == 0 && fence_count == 0); /* A core without a schema keeps nothing. */
    return STORE_COMMITTED;
}

static bool read_nothing(void *store, const struct query                        *query,
                         bool (*each)(void *taker, const struct row *row), void *taker)
{
    (void) store;
    (void) query;
    (void) each;
    (void) taker;
    return true;
}

static bool survives_nothing(void *store)
{
    (void) store;
    return false;
}

static const char *no_fault(void *store)
{
    (void) store;
    return "";
}

struct keeper keeper_of_nothing(void)
{
    return (struct keeper){ .commit = commit_nothing,
                            .read = read_nothing,
                            .fault = no_fault,
                            .survives = survives_nothing };
}

static enum store_outcome commit(void *store, const struct row *const *rows, uint32_t row_count,
                                 const struct fence *fences, uint32_t fence_count)
{
    return store_commit(store, rows, row_count, fences, fence_count);
}

static bool read_rows(void *reader, const struct query                       *query,
                      bool (*each)(void *taker, const struct row *row), void *taker)
{
    return store_read(reader, query, each, taker);
}

static const char *fault_of(void *store)
{
    return store_fault(store);
}

static bool survives(void *store)
{
    return store_survives(store);
}

static void rest(void *store, bool is_idle)
{
    if (store_facts(store).wal_bytes > (is_idle ? IDLE_WAL_BYTES : BUSY_WAL_BYTES))
        (void) store_checkpoint(store); /* False: readers; it is asked again. */
}

struct keeper keeper_of(struct store *store, struct store *reader)
{
    struct keeper keeper = keeper_of_nothing();
    keeper.reader = reader;
    keeper.read = read_rows;
    if (store == NULL)
        return keeper;
    keeper.store = store;
    keeper.commit = commit;
    keeper.fault = fault_of;
    keeper.survives = survives;
    keeper.rest = rest;
    return keeper;
}
