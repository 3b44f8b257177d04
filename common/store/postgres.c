/* postgres.c: what the parts of the PostgreSQL store share: waiting, asking, cells as the server reads them.
 *
 * Nothing here waits for ever: libpq is used without blocking, and who gives no sign for
 * `postgres_wait_ms` is given up. An answer that does not come is never cancelled, because a commit that
 * waits for its standby would then show others what no standby has. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "store/postgres_private.h"

uint32_t postgres_wait_ms = 10000;

/* The server's own words, as one line and without its address, which would fill the sentence. */
static void put_reason(struct text *fault, const char *reason)
{
    const char *error = strstr(reason, "ERROR:  ");
    const char *fatal = strstr(reason, "FATAL:  ");
    reason = error ? error + 8 : fatal ? fatal + 8 : reason;
    text_put(fault, " (");
    text_put_bytes(fault, reason, strcspn(reason, "\n"));
    text_put(fault, ")");
}

void postgres_blame(struct postgres_store *store, const char *what)
{
    struct text *fault = &store->base.fault;
    const char  *reason = store->connection ? PQerrorMessage(store->connection) : "";
    sentence(fault, "PostgreSQL, ", store->base.schema->name, ": ", what);
    if (*reason)
        put_reason(fault, reason);
}

void postgres_drop(struct postgres_store *store)
{
    PQfinish(store->connection);
    store->connection = NULL;
    memset(store->is_prepared, 0, store->base.schema->table_count * SQL_SHAPES);
}

bool postgres_is_lost(const struct postgres_store *store)
{
    return !store->connection || PQstatus(store->connection) == CONNECTION_BAD;
}

/* Waits for the server; false: it gave no sign for too long. */
static bool await(PGconn *connection, bool has_more, uint64_t until_us)
{
    uint64_t      now_us = clock_us();
    struct pollfd file = { .fd = PQsocket(connection),
                           .events = (short) (POLLIN | (has_more ? POLLOUT : 0)) };
    if (now_us >= until_us)
        return false;
    int found = poll(&file, 1, (int) ((until_us - now_us) / 1000 + 1));
    return found > 0 || (found < 0 && errno == EINTR) || clock_us() < until_us;
}

PGresult *postgres_next(struct postgres_store *store)
{
    uint64_t until_us = clock_us() + (uint64_t) postgres_wait_ms * 1000;
    while (store->connection) {
        int has_more = PQflush(store->connection);
        if (has_more == 0 && !PQisBusy(store->connection))
            return PQgetResult(store->connection);
        if (has_more < 0 || !await(store->connection, has_more > 0, until_us) ||
            !PQconsumeInput(store->connection)) {
            postgres_blame(store,
                           has_more < 0 ? "the connection is lost" : "it does not answer any more");
            postgres_drop(store);
        }
    }
    return NULL;
}

static bool is_good(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

PGresult *postgres_ask(struct postgres_store *store, const char *sql)
{
    PGresult *last = NULL;
    if (!store->connection || !PQsendQuery(store->connection, sql)) {
        postgres_blame(store, "it cannot be asked");
        return NULL;
    }
    for (PGresult *result = postgres_next(store); result; result = postgres_next(store)) {
        PQclear(last);
        last = result;
        if (PQresultStatus(result) == PGRES_FATAL_ERROR && postgres_is_lost(store))
            break;
    }
    if (last && is_good(last))
        return last;
    if (store->connection)
        postgres_blame(store, "it refuses what it was asked");
    PQclear(last);
    return NULL;
}

bool postgres_do(struct postgres_store *store, const char *sql)
{
    PGresult *result = postgres_ask(store, sql);
    PQclear(result);
    return result != NULL;
}

uint64_t postgres_number(const PGresult *result, int column)
{
    if (PQntuples(result) == 0 || PQgetisnull(result, 0, column))
        return 0;
    return (uint64_t) strtoll(PQgetvalue(result, 0, column), NULL, 10);
}

static void put_number(uint8_t *to, uint64_t number)
{
    for (int i = 7; i >= 0; i--, number >>= 8)
        to[i] = (uint8_t) number;
}

/* In the binary form, because libpq counts the bytes of text itself, up to a NUL that ours has not. Of no bytes
 * the place must be somewhere, or it would be a NULL. */
void postgres_put_cell(struct pg_cells *cells, const struct cell *cell)
{
    int at = cells->count++;
    cells->formats[at] = 1;
    cells->sizes[at] = (int) cell->size;
    cells->values[at] = cell->size ? (const char *) cell->bytes : "";
    if (cell->kind == CELL_NULL)
        cells->values[at] = NULL;
    if (cell->kind != CELL_NUMBER)
        return;
    put_number(cells->numbers[at], (uint64_t) cell->number);
    cells->sizes[at] = 8;
    cells->values[at] = (const char *) cells->numbers[at];
}

static void postgres_close(struct store *base)
{
    struct postgres_store *store = (struct postgres_store *) base;
    PQfinish(store->connection);
    free(store->is_prepared);
    free(store->place);
    free(store->row);
    free(store);
}

/* The server looks after its own log. */
static bool postgres_checkpoint(struct store *base)
{
    (void) base;
    return true;
}

static bool postgres_copy(struct store *base, const char *folder)
{
    (void) folder;
    sentence(&base->fault,
             "PostgreSQL is copied by its own programs while it runs: pg_basebackup, or pg_dump");
    return false;
}

const struct store_ops postgres_ops = { .close = postgres_close,
                                        .commit = postgres_commit,
                                        .read = postgres_read,
                                        .checkpoint = postgres_checkpoint,
                                        .copy = postgres_copy };
