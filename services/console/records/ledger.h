/* ledger.h: the tables a game keeps of its own (rules/record.h), read out of an engine's journal as JSON. */
#ifndef ARBITER_LEDGER_H
#define ARBITER_LEDGER_H

#include <jansson.h>

#include "schema/journal.h"
#include "store/store.h"

struct ledger {
    struct journal_schema schema;
    struct store         *store;
    uint32_t              first_table;
};

/* Opens the journal at `store` (a folder, or postgresql://...) for reading, whether its engine runs
 * or not. If `store` is NULL, it is the journal of the home at `where` (NULL: the usual one). A
 * console_exit; what is wrong has been said. */
int  ledger_open(struct ledger *ledger, const char *where, const char *store);
void ledger_close(struct ledger *ledger);

/* The rows of a table in the key's order, an object each; of those with this first key alone, unless it is
 * 0. The caller drops it. */
json_t *ledger_rows(struct ledger *ledger, const char *table, int64_t key);

/* The ids of the matches that have rows in these tables: {"7": "49b2..."}. The caller drops it. */
json_t *ledger_match_ids(struct ledger *ledger);

/* Of a row: a number (0 without one), and a text ("" without one). */
int64_t     ledger_number(const json_t *row, const char *column);
const char *ledger_text(const json_t *row, const char *column);

#endif
