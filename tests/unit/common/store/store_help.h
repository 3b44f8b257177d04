/* store_help.h: a small schema and batches for it, for all tests of stores. */
#ifndef ARBITER_STORE_HELP_H
#define ARBITER_STORE_HELP_H

#include "store/store.h"

enum help_table { TRIAL_SLOTS, TRIAL_ACTS, TRIAL_PLAYERS, TRIAL_SCORES };

/* Version 1 has slots, acts and players; version 2 brings scores, and a column more for players. */
extern const struct schema help_schema_1, help_schema_2;
/* Version 2 whose stores programs of version 1 may use. */
extern const struct schema help_schema_2_for_1;

#define HELP_ROWS 64
#define HELP_CELLS 5

/* A batch under construction. */
struct help_batch {
    struct row  *rows[HELP_ROWS];
    uint32_t     row_count;
    struct fence fences[4];
    uint32_t     fence_count;
};

void        help_begin(struct help_batch *batch);
/* A row, all its cells NULL. */
struct row *help_row(struct help_batch *batch, enum row_op op, uint32_t table, uint32_t count);
void help_act(struct help_batch *batch, const char *match, uint64_t number, const char *body);
void help_slot(struct help_batch *batch, uint32_t slot, uint64_t epoch);
void help_fence(struct help_batch *batch, uint32_t slot, uint64_t epoch);
/* Commits, and forgets the batch. */
enum store_outcome help_commit(struct store *store, struct help_batch *batch);

/* What a query gives, as a line: cells by commas, rows by blanks, "-" for NULL, bytes as they are. */
#define HELP_LINE 4096
const char  *help_line(struct store *store, const struct query *query, char line[HELP_LINE]);
/* All of a table. */
const char  *help_all(struct store *store, uint32_t table, char line[HELP_LINE]);
/* The acts of one match. */
struct query help_acts_of(const char *match);

#endif
