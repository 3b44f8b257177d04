/* postgres_private.h: tables in a PostgreSQL database as a store: its connection, its term, its owner. */
#ifndef ARBITER_POSTGRES_PRIVATE_H
#define ARBITER_POSTGRES_PRIVATE_H

#include <libpq-fe.h>

#include "store/look.h"
#include "store/sql.h"
#include "store/store_private.h"

#define PG_STATEMENT_NAME 32
/* As many as there are slots. */
#define PG_FENCES_MAX 256

/* Cells on their way: in the binary form, numbers in the network's byte order. */
struct pg_cells {
    int         count;
    const char *values[ROW_COLUMNS_MAX];
    int         sizes[ROW_COLUMNS_MAX];
    int         formats[ROW_COLUMNS_MAX];
    uint8_t     numbers[ROW_COLUMNS_MAX][8];
};

struct postgres_store {
    struct store base;
    char        *place;       /* Hosts, database, user, as libpq reads them.                     */
    PGconn      *connection;  /* NULL: it is made when something is asked.                       */
    uint64_t     term;        /* Of the server behind it.                                        */
    uint64_t     kept_term;   /* Under which our last batch was kept; 0: none, or nobody knows. */
    uint64_t     owner;       /* Which opening of a store with one owner ours is; 0: many own it.*/
    bool         is_broken;   /* Nobody knows, and somebody must read anew: nothing goes on.     */
    bool         is_doubtful; /* The server warned while it committed.                           */
    bool         is_filling;  /* A copy into it: its reads are of whole tables, and nobody waits.*/
    bool        *is_prepared; /* Reads, by table and shape, on this connection.                  */
    struct row  *row;         /* The row being read.                                             */
};

extern const struct dialect   postgres_dialect;
extern const struct store_ops postgres_ops;
/* So long an answer is waited for; a server that takes longer is as good as dead. */
extern uint32_t               postgres_wait_ms;
/* So long for the lock of a store with one owner: the session of one that was killed goes when the server
 * hears of it. */
extern uint32_t               postgres_owner_wait_ms;
/* So long one statement of a writer may take; where a copy fills it, any time. */
extern uint32_t               postgres_statement_ms;
/* So long a session may be silent in the middle of a transaction. The first is for stores with
 * fences: less than their owner's lease lasts. The second is for stores with one owner. */
extern uint32_t               postgres_idle_ms, postgres_idle_owner_ms;

/* postgres.c: what its parts share. */
/* The store's fault: what could not be done, and what the server says of it, if it says anything. */
void      postgres_blame(struct postgres_store *store, const char *what);
/* The connection is given up, and with it all that was not committed. */
void      postgres_drop(struct postgres_store *store);
bool      postgres_is_lost(const struct postgres_store *store);
/* The next result; NULL: the end of a statement's results, or the connection is lost. */
PGresult *postgres_next(struct postgres_store *store);
/* Asks for something by text, one statement and its cells, or several without any; the last result, whose
 * rows are text. NULL with the reason in the store's fault. */
PGresult *postgres_ask(struct postgres_store *store, const char *sql);
/* The same, of what gives no rows. */
bool      postgres_do(struct postgres_store *store, const char *sql);
/* The number that one column of the first row is; 0 for a NULL. */
uint64_t  postgres_number(const PGresult *result, int column);
void      postgres_put_cell(struct pg_cells *cells, const struct cell *cell);

/* postgres_connect.c: the newest of the servers that can be written to. False with the reason; nothing is
 * there then. */
bool postgres_connect(struct postgres_store *store);
/* Connected, with the tables' version, the term and the owner as they must be. */
bool postgres_restore(struct postgres_store *store);
/* postgres_commit.c: prepares every statement of a commit. */
bool postgres_prepare(struct postgres_store *store);

/* postgres_migrate.c: makes the tables of a new database, brings older ones forward. */
bool postgres_migrate(struct postgres_store *store);
/* What the row beside the tables says. */
struct pg_state {
    bool     is_there;
    uint64_t version, term, owner, filling, oldest;
};
bool postgres_state(struct postgres_store *store, struct pg_state *state);
bool postgres_is_current(struct postgres_store *store, const struct pg_state *state,
                         bool may_be_newer);
/* Writes down that the server's term has begun. */
bool postgres_raise_term(struct postgres_store *store, const struct pg_state *state);

enum store_outcome postgres_commit(struct store *base, const struct batch *batch);
bool               postgres_read(struct store *base, const struct query                 *query,
                                 bool (*each)(void *taker, const struct row *row), void *taker);

/* postgres_open.c: the lock of a store's one owner, if it has one; false with the reason. */
bool          postgres_lock(struct postgres_store *store, uint32_t wait_ms);
/* See store.h. */
struct store *postgres_open(const struct schema *schema, const char *place, struct text *fault);
struct store *postgres_open_empty(const struct schema *schema, const char *place,
                                  struct text *fault);
bool          postgres_filled(struct store *base);
bool postgres_open_migrate(const struct schema *schema, const char *place, struct text *fault);
/* See look.h. */
bool postgres_look(const struct schema *schema, const char *place, struct store_server *look,
                   struct text *fault);
struct store *postgres_open_reader(const struct schema *schema, const char *place,
                                   struct text *fault);

#endif
