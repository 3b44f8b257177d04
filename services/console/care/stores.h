/* stores.h: the stores that lie in a home, whichever services it has: data/SERVICE/NAME.db. Where
 * each process of a role has a folder of its own (home.h), they are data/ROLE/SERVICE/NAME.db. */
#ifndef ARBITER_STORES_H
#define ARBITER_STORES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/moment.h"

struct store_place {
    char     service[72]; /* "engine", "gateway/gateway-2": its folder below data/.              */
    char     name[32];    /* "journal".                                                          */
    char     folder[PATH_MAX];
    char     path[PATH_MAX];
    uint32_t known; /* The version of its schema in this build; 0: this build does not know it.   */
};

struct stores {
    uint32_t           count;
    struct store_place place[MOMENT_FILES_MAX];
};

/* Finds them below `home`/data, in order of name; false after a complaint. */
bool stores_find(struct stores *stores, const char *home);

#endif
