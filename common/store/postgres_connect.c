/* postgres_connect.c: which server: of all that are named and can be written to, the one with the newest term.
 *
 * A term is a server's timeline, which grows each time a standby is promoted, or what the row
 * beside the tables says, whichever is more. A primary that died and comes back has an older one
 * than the standby that took its place. Everybody refuses it who sees both or has ever seen the
 * newer one. Each transaction refuses it too, because it reads the row. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres_private.h"

/* libpq takes some forty settings, and we add some. */
#define WORDS_MAX 96
#define HOST_BYTES 1024

#define READER_STATEMENT_MS 60000

uint32_t postgres_idle_ms = 2000, postgres_idle_owner_ms = 5000;
uint32_t postgres_statement_ms = 8000;

/* The newest term that any store of this process has seen: its readers follow its writers. */
static _Atomic uint64_t newest_term;

/* A setting's words for libpq; what stands further behind wins. */
struct words {
    const char *names[WORDS_MAX], *values[WORDS_MAX];
    int         count;
};

static void put_word(struct words *words, const char *name, const char *value)
{
    assert(words->count < WORDS_MAX - 1);
    words->names[words->count] = name;
    words->values[words->count++] = value;
}

/* The at-th of a list with commas; the only one, if there is one. False: there are not so many. */
static bool pick(const char *list, uint32_t at, char picked[HOST_BYTES])
{
    const char *next = list;
    bool        is_single = !strchr(list, ',');
    for (uint32_t i = 0; i < at && !is_single; i++) {
        next = strchr(next, ',');
        if (!next)
            return false;
        next++;
    }
    (void) snprintf(picked, HOST_BYTES, "%.*s", (int) strcspn(next, ","), next);
    return true;
}

static bool is_list(const char *name)
{
    return !strcmp(name, "host") || !strcmp(name, "hostaddr") || !strcmp(name, "port");
}

struct host {
    char host[HOST_BYTES], hostaddr[HOST_BYTES], port[HOST_BYTES];
};

static uint32_t count_hosts(const PQconninfoOption *options)
{
    uint32_t most = 1;
    for (; options->keyword; options++) {
        uint32_t count = 1;
        for (const char *at = options->val; at && is_list(options->keyword) && *at; at++)
            count += *at == ',';
        most = count > most ? count : most;
    }
    return most;
}

/* What the operator did not say: who does not answer is found dead in seconds, not in hours. */
static void put_defaults(struct words *words, const char *name)
{
    put_word(words, "connect_timeout", "3");
    put_word(words, "keepalives_idle", "5");
    put_word(words, "keepalives_interval", "2");
    put_word(words, "keepalives_count", "3");
    put_word(words, "tcp_user_timeout", "10000");
    put_word(words, "gssencmode", "disable");
    put_word(words, "application_name", name);
}

static PGconn *try_host(const PQconninfoOption *options, uint32_t at, const char *name)
{
    struct words words = { .count = 0 };
    struct host  host = { .host = "" };
    char         application[64];
    (void) snprintf(application, sizeof application, "arbiter-%s", name);
    put_defaults(&words, application);
    for (; options->keyword; options++) {
        char *picked = !strcmp(options->keyword, "host")       ? host.host
                       : !strcmp(options->keyword, "hostaddr") ? host.hostaddr
                                                               : host.port;
        if (!options->val)
            continue;
        if (is_list(options->keyword) && !pick(options->val, at, picked))
            return NULL;
        put_word(&words, options->keyword, is_list(options->keyword) ? picked : options->val);
    }
    put_word(&words, "target_session_attrs", "read-write");
    put_word(&words, "client_encoding", "UTF8");
    return PQconnectdbParams(words.names, words.values, 0);
}

/* A wait for the standby that was cut short is told by a warning, in the server's language; it warns of
 * nothing else while it commits. */
static void take_notice(void *taker, const PGresult *notice)
{
    struct postgres_store *store = taker;
    const char            *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    store->is_doubtful = store->is_doubtful || (severity && !strcmp(severity, "WARNING"));
}

/* What a session is bound by. An owner that was stopped in the middle of a transaction loses it in
 * seconds. A session that waits for a lock gives up sooner than that. A commit waits for its
 * standby if the operator says so, and for the disk in any case. */
static bool set_up(struct postgres_store *store)
{
    char     sql[1024];
    uint32_t statement_ms = store->base.is_reader ? READER_STATEMENT_MS : postgres_statement_ms;
    (void) snprintf(sql, sizeof sql,
                    "SET search_path = \"%s\"; SET statement_timeout = %u; SET lock_timeout = 500;"
                    "SET idle_in_transaction_session_timeout = %u; SET tcp_keepalives_idle = 5;"
                    "SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;"
                    "SET default_transaction_isolation = 'read committed';"
                    "SELECT set_config('synchronous_commit', 'on', false)"
                    " WHERE current_setting('synchronous_commit') IN ('off', 'local')",
                    store->base.schema->name, store->is_filling ? 0 : statement_ms,
                    store->base.schema->fences == NO_FENCES ? postgres_idle_owner_ms
                                                            : postgres_idle_ms);
    (void) PQsetNoticeReceiver(store->connection, take_notice, store);
    return !PQsetnonblocking(store->connection, 1) && postgres_do(store, sql);
}

static bool is_utf8(struct postgres_store *store)
{
    const char *encoding = PQparameterStatus(store->connection, "server_encoding");
    if (encoding && !strcmp(encoding, "UTF8"))
        return true;
    sentence(&store->base.fault, "the database keeps text as ", encoding ? encoding : "?",
             ": make one with ENCODING 'UTF8'");
    return false;
}

static bool find_term(struct postgres_store *store)
{
    struct pg_state state;
    PGresult       *result = postgres_ask(
              store,
              "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint");
    if (!result)
        return false;
    store->term = postgres_number(result, 0);
    PQclear(result);
    if (!postgres_state(store, &state))
        return false;
    store->term = state.term > store->term ? state.term : store->term;
    return true;
}

/* Why it did not become a connection, kept for the sentence if none does. */
static bool is_well(struct postgres_store *store)
{
    if (PQstatus(store->connection) == CONNECTION_OK)
        return set_up(store) && is_utf8(store) && find_term(store);
    postgres_blame(store, "no server can be reached that may be written to");
    return false;
}

static void note_term(uint64_t term)
{
    uint64_t newest = atomic_load(&newest_term);
    while (term > newest && !atomic_compare_exchange_weak(&newest_term, &newest, term))
        ;
}

static void refuse_term(struct postgres_store *store, uint64_t newest)
{
    struct text *fault = &store->base.fault;
    sentence(fault, "the server at ", PQhost(store->connection), " port ",
             PQport(store->connection), " has term ");
    text_put_number(fault, (int64_t) store->term);
    text_put(fault, ", and term ");
    text_put_number(fault, (int64_t) newest);
    text_put(fault,
             " has begun elsewhere: it is a primary of before; make it a standby of the new one");
    postgres_drop(store);
}

/* Looks at all of them, and keeps the one with the newest term. */
static void look(struct postgres_store *store, const PQconninfoOption *options)
{
    PGconn  *best = NULL;
    uint64_t best_term = 0;
    uint32_t hosts = count_hosts(options);
    for (uint32_t i = 0; i < hosts; i++) {
        store->connection = try_host(options, i, store->base.schema->name);
        bool is_better = store->connection && is_well(store) && (!best || store->term > best_term);
        if (is_better) {
            PQfinish(best);
            best = store->connection;
            best_term = store->term;
            store->connection = NULL;
        }
        postgres_drop(store);
    }
    store->connection = best;
    store->term = best_term;
}

bool postgres_connect(struct postgres_store *store)
{
    char             *complaint = NULL;
    PQconninfoOption *options = PQconninfoParse(store->place, &complaint);
    if (!options) {
        sentence(&store->base.fault, "--store: ", complaint ? complaint : "out of memory");
        PQfreemem(complaint);
        return false;
    }
    look(store, options);
    PQconninfoFree(options);
    if (!store->connection)
        return false;
    if (store->term < atomic_load(&newest_term)) {
        refuse_term(store, atomic_load(&newest_term));
        return false;
    }
    note_term(store->term);
    return true;
}

static bool is_owner(struct postgres_store *store, const struct pg_state *state)
{
    if (state->owner == store->owner)
        return true;
    postgres_blame(store, "another process has opened it since: this one must read anew");
    store->is_broken = true;
    return false;
}

static bool is_ours_again(struct postgres_store *store, const struct pg_state *state)
{
    return postgres_lock(store, 0) && is_owner(store, state) && postgres_raise_term(store, state) &&
           postgres_prepare(store);
}

/* A connection that was lost is made again, and what is behind it must still be ours. */
bool postgres_restore(struct postgres_store *store)
{
    struct pg_state state;
    if (store->connection && PQstatus(store->connection) == CONNECTION_OK &&
        store->term == atomic_load(&newest_term))
        return true;
    postgres_drop(store);
    bool is_back = postgres_connect(store) && postgres_state(store, &state) &&
                   postgres_is_current(store, &state, true) &&
                   (store->base.is_reader || is_ours_again(store, &state));
    if (!is_back)
        postgres_drop(store);
    return is_back;
}
