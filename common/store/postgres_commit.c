/* postgres_commit.c: a batch in one transaction, sent as a pipeline, and the careful part: what became of it.
 *
 *     BEGIN, term and owner, epochs locked in ascending order, rows  -- one way and back
 *     COMMIT                                                          -- one way and back
 *
 * Until COMMIT is sent nothing can be there for good: what goes wrong is refused, and a connection that is lost
 * takes everything with it. After that two endings are certain: the server says COMMIT, and warns of nothing; or it
 * has ended the session before it heard of COMMIT, and says that.
 * It warns when its wait for the standby was cut short: the batch is then here, but may be on no other
 * machine. Anything else, a lost connection above all: nobody knows. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres_private.h"

static const char *const op_names[] = {
    [ROW_ADD] = "add", [ROW_PUT] = "put", [ROW_KEEP] = "keep", [ROW_DELETE] = "delete"
};

static void name_write(char name[PG_STATEMENT_NAME], uint32_t table, enum row_op op)
{
    (void) snprintf(name, PG_STATEMENT_NAME, "%s %u", op_names[op], table);
}

static bool send_prepare(struct postgres_store *store, const char *name, const char *sql)
{
    return PQsendPrepare(store->connection, name, sql, 0, NULL) == 1;
}

/* A slot without a row has epoch 0, and a row that is not there cannot be locked: it is made. */
static bool prepare_fences(struct postgres_store *store)
{
    const struct schema *schema = store->base.schema;
    struct dialect       takes = postgres_dialect;
    struct sql           sql;
    char                 make[SQL_MAX];
    if (schema->fences == NO_FENCES)
        return true;
    const struct row_table *table = &schema->tables[schema->fences];
    takes.hold = " FOR UPDATE";
    (void) snprintf(make, sizeof make,
                    "INSERT INTO \"%s\" (\"%s\", \"%s\") VALUES ($1, 0) ON CONFLICT DO NOTHING",
                    table->name, table->columns[0].name, table->columns[1].name);
    sql_fence(&sql, &postgres_dialect, table);
    bool is_sent = send_prepare(store, "make", make) && send_prepare(store, "hold", sql.bytes);
    sql_fence(&sql, &takes, table);
    return is_sent && send_prepare(store, "take", sql.bytes);
}

static bool send_prepares(struct postgres_store *store)
{
    const struct schema *schema = store->base.schema;
    struct sql           sql;
    char                 name[PG_STATEMENT_NAME];
    bool                 is_sent =
        send_prepare(store, "begin", "BEGIN") && send_prepare(store, "commit", "COMMIT") &&
        send_prepare(store, "rollback", "ROLLBACK") &&
        send_prepare(store, "state",
                     schema->fences == NO_FENCES ? "SELECT term, owner FROM store FOR SHARE"
                                                 : "SELECT term, 0::bigint FROM store") &&
        prepare_fences(store);
    for (uint32_t i = 0; is_sent && i < schema->table_count; i++)
        for (enum row_op op = ROW_ADD; is_sent && op <= ROW_DELETE; op++) {
            sql_write(&sql, &postgres_dialect, &schema->tables[i], op);
            name_write(name, i, op);
            is_sent = send_prepare(store, name, sql.bytes);
        }
    return is_sent;
}

/* Whoever hears the results of a pipeline, one for each statement, in order; they are text or binary as they
 * were asked for. */
struct hearer {
    void (*hear)(struct hearer *hearer, uint32_t at, PGresult *result);
    const struct fence *fences;
    uint32_t            fence_count;
    bool                has_failed; /* A statement was refused.                                   */
    char                state[8];   /* Why, by the server's code.                                 */
    struct text         reason;     /* Why, in its words.                                         */
    uint64_t            term, owner;
    uint32_t            fence;   /* The first that does not hold; fence_count: all do.           */
    uint64_t            epoch;   /* What there is instead.                                        */
    bool                is_kept; /* The server has said COMMIT.                                   */
};

static void note_failure(struct hearer *hearer, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    hearer->has_failed = true;
    text_clear(&hearer->reason);
    text_put(&hearer->reason, words ? words : PQresultErrorMessage(result));
    (void) snprintf(hearer->state, sizeof hearer->state, "%s", state ? state : "");
}

/* To the end of the pipeline. False: the connection was lost before. */
static bool hear_all(struct postgres_store *store, struct hearer *hearer)
{
    uint32_t at = 0;
    while (store->connection) {
        PGresult      *result = postgres_next(store);
        ExecStatusType status = result ? PQresultStatus(result) : PGRES_EMPTY_QUERY;
        if (!result) {
            at++;
        } else if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
            if (hearer->hear && !hearer->has_failed)
                hearer->hear(hearer, at, result);
        } else if (status == PGRES_FATAL_ERROR && !hearer->has_failed) {
            note_failure(hearer, result);
        }
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC)
            return true;
        if (postgres_is_lost(store)) {
            postgres_blame(store, "the connection is lost");
            postgres_drop(store);
        }
    }
    return false;
}

/* The pipeline's end; its results are heard. */
static bool finish(struct postgres_store *store, struct hearer *hearer)
{
    return PQpipelineSync(store->connection) && hear_all(store, hearer);
}

bool postgres_prepare(struct postgres_store *store)
{
    struct hearer hearer = { .hear = NULL };
    bool          is_done = PQenterPipelineMode(store->connection) && send_prepares(store) &&
                   finish(store, &hearer) && PQexitPipelineMode(store->connection);
    if (is_done && !hearer.has_failed)
        return true;
    sentence(&store->base.fault, "PostgreSQL, ", store->base.schema->name,
             ": its tables are not as they should be, or may not be written (", hearer.reason.bytes,
             ")");
    return false;
}

static bool send_statement(struct postgres_store *store, const char *name,
                           const struct pg_cells *cells)
{
    return PQsendQueryPrepared(store->connection, name, cells->count, cells->values, cells->sizes,
                               cells->formats, 0) == 1;
}

static bool send_words(struct postgres_store *store, const char *name)
{
    struct pg_cells none = { .count = 0 };
    return send_statement(store, name, &none);
}

/* A slot that the batch writes is locked as whoever writes it locks it: two that shared it first would wait for
 * each other. */
static bool is_written(const struct schema *schema, const struct batch *batch, uint32_t slot)
{
    for (uint32_t i = 0; i < batch->row_count; i++)
        if (batch->rows[i]->table == schema->fences &&
            batch->rows[i]->cells[0].number == (int64_t) slot)
            return true;
    return false;
}

static bool send_fence(struct postgres_store *store, const struct batch *batch,
                       const struct fence *fence)
{
    struct pg_cells cells = { .count = 0 };
    struct cell     slot = { .kind = CELL_NUMBER, .number = fence->slot };
    bool            takes = is_written(store->base.schema, batch, fence->slot);
    postgres_put_cell(&cells, &slot);
    return (fence->epoch != 0 || send_statement(store, "make", &cells)) &&
           send_statement(store, takes ? "take" : "hold", &cells);
}

static bool send_row(struct postgres_store *store, const struct row *row)
{
    struct pg_cells cells = { .count = 0 };
    char            name[PG_STATEMENT_NAME];
    name_write(name, row->table, row->op);
    for (uint32_t i = 0; i < row->count; i++)
        postgres_put_cell(&cells, &row->cells[i]);
    return send_statement(store, name, &cells);
}

/* Results come as they were asked for: BEGIN, the state, for each fence its row made if need be, and read. */
static void hear_batch(struct hearer *hearer, uint32_t at, PGresult *result)
{
    uint32_t next = 2;
    if (at == 1) {
        hearer->term = postgres_number(result, 0);
        hearer->owner = postgres_number(result, 1);
    }
    for (uint32_t i = 0; i < hearer->fence_count && next <= at; i++) {
        next += hearer->fences[i].epoch == 0;
        if (next == at && hearer->fence == hearer->fence_count &&
            postgres_number(result, 0) != hearer->fences[i].epoch) {
            hearer->fence = i;
            hearer->epoch = postgres_number(result, 0);
        }
        next++;
    }
}

static int compare_slots(const void *one, const void *other)
{
    uint32_t first = ((const struct fence *) one)->slot;
    uint32_t second = ((const struct fence *) other)->slot;
    return (first > second) - (first < second);
}

static bool send_batch(struct postgres_store *store, const struct batch *batch)
{
    bool is_sent = PQenterPipelineMode(store->connection) && send_words(store, "begin") &&
                   send_words(store, "state");
    for (uint32_t i = 0; is_sent && i < batch->fence_count; i++)
        is_sent = send_fence(store, batch, &batch->fences[i]);
    for (uint32_t i = 0; is_sent && i < batch->row_count; i++)
        is_sent = send_row(store, batch->rows[i]);
    return is_sent;
}

/* What the server's codes mean, by the standard's classes. */
static enum store_outcome outcome_of(const char *state)
{
    static const struct {
        const char        *begin;
        enum store_outcome outcome;
    } known[] = {
        { "53100", STORE_FULL },  { "53", STORE_BUSY },     /* Disk full; too many connections. */
        { "23", STORE_CONFLICT }, { "22", STORE_CONFLICT }, /* A key is there; bytes no text. */
        { "54", STORE_CONFLICT },                           /* A row beyond its limits. */
        { "40", STORE_BUSY },     { "55P03", STORE_BUSY },  /* Two in each other's way. */
        { "57", STORE_BUSY },     { "25", STORE_BUSY },     /* Too late; stopping; a standby now. */
        { "58", STORE_BUSY },     { "08", STORE_BUSY },     /* The system's faults. */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strncmp(state, known[i].begin, strlen(known[i].begin)))
            return known[i].outcome;
    return STORE_UNKNOWN;
}

static const char *words_for(enum store_outcome outcome)
{
    switch (outcome) {
    case STORE_FULL: return "the server's disk is full: make room, and it goes on";
    case STORE_BUSY: return "the server could not take it: try again";
    case STORE_CONFLICT: return "a row was not accepted";
    default: return "its tables are not as they should be";
    }
}

static enum store_outcome refuse_epoch(struct postgres_store *store, const struct hearer *hearer)
{
    struct text *fault = &store->base.fault;
    sentence(fault, "slot ");
    text_put_number(fault, hearer->fences[hearer->fence].slot);
    text_put(fault, " is held under epoch ");
    text_put_number(fault, (int64_t) hearer->epoch);
    text_put(fault, ", not ");
    text_put_number(fault, (int64_t) hearer->fences[hearer->fence].epoch);
    return STORE_OLD_EPOCH;
}

/* Whether the transaction may be committed, before it is. */
static enum store_outcome judge(struct postgres_store *store, const struct hearer *hearer)
{
    if (hearer->fence < hearer->fence_count)
        return refuse_epoch(store, hearer);
    if (hearer->has_failed) {
        enum store_outcome outcome = outcome_of(hearer->state);
        sentence(&store->base.fault, "PostgreSQL, ", store->base.schema->name, ": ",
                 words_for(outcome), " (", hearer->reason.bytes, ")");
        return outcome;
    }
    if (hearer->owner != store->owner) {
        sentence(&store->base.fault, "another process has opened ", store->base.schema->name,
                 " since: this one must read anew");
        return STORE_UNKNOWN;
    }
    if (hearer->term != store->term) {
        sentence(&store->base.fault, "the term of the server has changed: try again");
        return STORE_BUSY;
    }
    return STORE_COMMITTED;
}

/* Ends the transaction without a trace. If even that fails, the end of the connection does it. */
static enum store_outcome roll_back(struct postgres_store *store, enum store_outcome outcome,
                                    const struct hearer *heard)
{
    struct text   fault = store->base.fault;
    struct hearer hearer = { .hear = NULL };
    bool is_over = store->connection && send_words(store, "rollback") && finish(store, &hearer) &&
                   !hearer.has_failed && PQexitPipelineMode(store->connection);
    bool is_elsewhere = heard->term != store->term || !strncmp(heard->state, "25", 2);
    if (!is_over || is_elsewhere)
        postgres_drop(store);
    store->base.fault = fault;
    return outcome;
}

#define LOCKED_OUT "55P03"

/* A writer that is stopped while it sends a batch keeps its locks, and no clock of the server's runs while it waits for
 * the rest. Whoever is to have its slots ends such sessions, as the server ends those that are idle for too long: those
 * that were not heard of for so long, not those that have worked for so long; and only who has an xid holds a row. */
static void end_stopped(struct postgres_store *store)
{
    struct text fault = store->base.fault;
    char        sql[512];
    (void) snprintf(
        sql, sizeof sql,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND usename = current_user AND application_name = current_setting('application_name') AND "
        "pid <> pg_backend_pid() AND wait_event = 'ClientRead' AND state <> 'idle' AND "
        "backend_xid IS NOT NULL AND state_change < clock_timestamp() - interval '%u ms'",
        postgres_idle_ms);
    PQclear(store->connection ? postgres_ask(store, sql) : NULL);
    store->base.fault = fault;
}

static void hear_commit(struct hearer *hearer, uint32_t at, PGresult *result)
{
    (void) at;
    hearer->is_kept = !strcmp(PQcmdStatus(result), "COMMIT");
}

/* The server ends whoever is silent for too long in the middle of a transaction. It does so only
 * while it waits for the client's next words. So it has not heard COMMIT, and nothing is there. */
#define IDLE_TOO_LONG "25P03"

static enum store_outcome send_commit(struct postgres_store *store)
{
    struct hearer hearer = { .hear = hear_commit };
    store->is_doubtful = false;
    bool is_heard = send_words(store, "commit") && finish(store, &hearer);
    if (is_heard && hearer.is_kept && !hearer.has_failed && !store->is_doubtful &&
        PQexitPipelineMode(store->connection))
        return STORE_COMMITTED;
    if (!strcmp(hearer.state, IDLE_TOO_LONG)) {
        sentence(
            &store->base.fault, "PostgreSQL, ", store->base.schema->name,
            ": this process was too slow between rows and commit, and the server has ended the "
            "transaction: try again");
        postgres_drop(store);
        return STORE_BUSY;
    }
    sentence(&store->base.fault, "PostgreSQL, ", store->base.schema->name,
             ": nobody knows whether the batch is kept: ",
             store->is_doubtful  ? "its wait for the standby was cut short"
             : hearer.has_failed ? hearer.reason.bytes
                                 : "no answer came");
    postgres_drop(store);
    store->is_broken = store->base.schema->fences == NO_FENCES;
    store->kept_term = 0;
    return STORE_UNKNOWN;
}

/* Another server has taken the place of the one that kept our batches, and may lack the last of them: a standby need
 * not be synchronous. A batch behind those would leave a hole. Epochs do not show it, they may be as they were. */
static bool is_another_server(struct postgres_store *store)
{
    bool is_another = store->base.schema->fences != NO_FENCES && store->kept_term != 0 &&
                      store->kept_term != store->term;
    if (!is_another)
        return false;
    store->kept_term = 0;
    sentence(&store->base.fault, "PostgreSQL, ", store->base.schema->name,
             ": another server has taken the place of the one that kept what was written before, "
             "and may lack some of it: this must be read anew");
    return true;
}

static enum store_outcome commit_sorted(struct postgres_store *store, const struct batch *batch)
{
    struct hearer hearer = { .hear = hear_batch,
                             .fences = batch->fences,
                             .fence_count = batch->fence_count,
                             .fence = batch->fence_count };
    if (!send_batch(store, batch) || !finish(store, &hearer)) {
        postgres_blame(store,
                       "the connection is lost, and nothing of the batch is there: try again");
        postgres_drop(store);
        return STORE_BUSY;
    }
    enum store_outcome outcome = judge(store, &hearer);
    if (outcome == STORE_COMMITTED) {
        outcome = send_commit(store);
        store->kept_term = outcome == STORE_COMMITTED ? store->term : store->kept_term;
        return outcome;
    }
    store->is_broken = outcome == STORE_UNKNOWN;
    outcome = roll_back(store, outcome, &hearer);
    if (!strcmp(hearer.state, LOCKED_OUT) && store->base.schema->fences != NO_FENCES)
        end_stopped(store);
    return outcome;
}

enum store_outcome postgres_commit(struct store *base, const struct batch *batch)
{
    struct postgres_store *store = (struct postgres_store *) base;
    struct fence           fences[PG_FENCES_MAX];
    struct batch           sorted = *batch;
    assert(batch->fence_count <= PG_FENCES_MAX);
    if (store->is_broken)
        return STORE_UNKNOWN;
    if (!postgres_restore(store))
        return store->is_broken ? STORE_UNKNOWN : STORE_BUSY;
    if (is_another_server(store))
        return STORE_UNKNOWN;
    if (batch->fence_count)
        memcpy(fences, batch->fences, batch->fence_count * sizeof *fences);
    qsort(fences, batch->fence_count, sizeof *fences, compare_slots);
    sorted.fences = fences;
    return commit_sorted(store, &sorted);
}
