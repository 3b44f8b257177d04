/* engine_rig_nim.c: what most of the engine's tests begin with: an engine, and a nim that two play. */
#include "services/engine/engine_rig.h"

const uint32_t rig_two[2] = { RIG_ALICE, RIG_BOB };

struct rig_store *rig_begin(struct rig *rig)
{
    struct rig_store *store = rig_store_new();
    rig_open(rig, store, NULL);
    return store;
}

struct rig_store *rig_begin_nim(struct rig *rig)
{
    struct rig_store *store = rig_begin(rig);
    rig_start(rig, RIG_MATCH, "nim", RIG_NIM, NULL, rig_two, 2, 1, 0);
    return store;
}

void rig_end(struct rig *rig)
{
    struct rig_store *store = rig->store;
    rig_close(rig);
    rig_store_free(store);
}
