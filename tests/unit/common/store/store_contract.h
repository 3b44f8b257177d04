/* store_contract.h: what every kind of store must do, as tests that any kind can be put through. */
#ifndef ARBITER_STORE_CONTRACT_H
#define ARBITER_STORE_CONTRACT_H

#include "store/store.h"

/* One kind of store, with a place of its own to keep things in. */
struct store_kind {
    const char *name;
    struct store *(*open)(const struct schema *schema, struct text *fault);
    struct store *(*open_reader)(const struct schema *schema, struct text *fault);
    void (*wipe)(void); /* Empties the place; everything is closed.                            */
};

/* Runs them all; how many failed. */
int store_contract(const struct store_kind *tested);

#endif
