/* look.h: what a store is like, beside its owners and without touching it: for doctors and copies. */
#ifndef ARBITER_STORE_LOOK_H
#define ARBITER_STORE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "core/row.h"

struct store_look {
    uint32_t version;          /* Of its schema; 0: nobody's yet.                                */
    uint32_t oldest;           /* Programs that know this version of it may use it.              */
    uint64_t bytes, wal_bytes; /* Of the file, and of the log beside it.                         */
    int64_t  owner;            /* The process that has it open; 0: none.                         */
};

/* Looks at FOLDER/NAME.db. `is_at_rest`: nobody writes it, so nothing is laid beside it. `is_whole`: every page
 * is read and the indexes are compared with the rows, which takes its time. False, and a sentence: it cannot be
 * read, or is damaged. */
bool store_look(const char *folder, const char *name, bool is_at_rest, bool is_whole,
                struct store_look *look, struct text *fault);

struct store_server {
    uint32_t version;     /* Of the schema's tables; 0: they are not there yet.                   */
    uint32_t oldest;      /* Programs that know this version of them may use them.                */
    uint64_t term;        /* Of the server that was found.                                        */
    bool     is_filling;  /* A copy into it has not ended.                                        */
    bool     has_standby; /* Commits wait for one.                                                */
};

/* Looks at the schema's tables in a database. False, and a sentence: no server of it can be reached and written to. */
bool store_look_server(const struct schema *schema, const char *place, struct store_server *look,
                       struct text *fault);

#endif
