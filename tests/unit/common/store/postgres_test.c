/* postgres_test.c: PostgreSQL keeps the contract of every store, and the promises of its own. */
#include "store/postgres_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/store/store_contract.h"
#include "common/store/store_help.h"
#include "common/store/trial_server.h"

static struct trial_server server;
static PGconn             *stranger; /* The operator, or another program. */
static struct help_batch   batch;
static char                line[HELP_LINE];

/* The same tables, of one owner without fences. */
static struct schema lonely;

static void wipe(void)
{
    (void) trial_server_ask(stranger, "SET client_min_messages = warning;"
                                      "DROP SCHEMA IF EXISTS trial CASCADE;"
                                      "DROP SCHEMA IF EXISTS lonely CASCADE");
}

static struct store *open_here(const struct schema *schema, struct text *fault)
{
    return store_open(schema, server.place, fault);
}

static struct store *open_reader_here(const struct schema *schema, struct text *fault)
{
    return store_open_reader(schema, server.place, fault);
}

static struct store *must_open(const struct schema *schema)
{
    struct text   fault;
    struct store *store = store_open(schema, server.place, &fault);
    if (!store)
        fail_msg("%s", fault.bytes);
    return store;
}

static int begin(void **unused)
{
    (void) unused;
    wipe();
    help_begin(&batch);
    return 0;
}

#define assert_acts(store, text) assert_string_equal(help_all(store, TRIAL_ACTS, line), text)
#define assert_says(store, text) assert_non_null(strstr(store_fault(store), text))

static enum store_outcome commit_act(struct store *store, uint64_t number)
{
    help_act(&batch, "a", number, "act");
    return help_commit(store, &batch);
}

static enum store_outcome commit_fenced(struct store *store, uint64_t number, uint64_t epoch)
{
    help_fence(&batch, 5, epoch);
    return commit_act(store, number);
}

static enum store_outcome take_slot(struct store *store, uint64_t from, uint64_t to)
{
    help_fence(&batch, 5, from);
    help_slot(&batch, 5, to);
    return help_commit(store, &batch);
}

static void of_two_writers_who_raised_the_epoch_last_owns_the_slot(void **unused)
{
    (void) unused;
    struct store *one = must_open(&help_schema_2);
    struct store *two = must_open(&help_schema_2);
    assert_int_equal(take_slot(one, 0, 1), STORE_COMMITTED);
    assert_int_equal(take_slot(two, 0, 1), STORE_OLD_EPOCH);
    assert_int_equal(commit_fenced(one, 1, 1), STORE_COMMITTED);
    assert_int_equal(take_slot(two, 1, 2), STORE_COMMITTED);
    assert_int_equal(commit_fenced(one, 2, 1), STORE_OLD_EPOCH);
    assert_says(one, "slot 5 is held under epoch 2, not 1");
    assert_int_equal(commit_fenced(two, 2, 2), STORE_COMMITTED);
    /* A row that its successor has written already is no conflict of the stale one's: it is stale. */
    assert_int_equal(commit_fenced(one, 2, 1), STORE_OLD_EPOCH);
    assert_acts(one, "a,1,act a,2,act");
    store_close(&one);
    store_close(&two);
}

/* What somebody else does while a batch waits, and what became of the batch. */
struct meanwhile {
    const char  *until, *deed; /* Asked until it says "t"; then done.                            */
    PGconn      *other;
    _Atomic bool is_over; /* The batch has ended without that.                                    */
};

static void *do_meanwhile(void *argument)
{
    struct meanwhile *meanwhile = argument;
    struct timespec   pause = { .tv_nsec = 2000000 };
    while (strcmp(trial_server_ask(meanwhile->other, meanwhile->until), "t") != 0) {
        if (meanwhile->is_over)
            return NULL;
        (void) nanosleep(&pause, NULL);
    }
    (void) trial_server_ask(meanwhile->other, meanwhile->deed);
    return NULL;
}

/* What `other` does while `store` waits for the moment that `until` tells. */
static enum store_outcome commit_while(struct store *store, PGconn *other, const char *until,
                                       const char *deed)
{
    struct meanwhile meanwhile = { .until = until, .deed = deed, .other = other };
    pthread_t        thread;
    assert_int_equal(pthread_create(&thread, NULL, do_meanwhile, &meanwhile), 0);
    enum store_outcome outcome = help_commit(store, &batch);
    meanwhile.is_over = true;
    (void) pthread_join(thread, NULL);
    return outcome;
}

#define WAITS_FOR_A_LOCK                                                                           \
    "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'arbiter-trial' "          \
    "AND wait_event_type = 'Lock'"

/* Both found no row; the second sees the first one's when it may. */
static void of_two_who_take_a_new_slot_at_once_one_does(void **unused)
{
    (void) unused;
    struct store *store = must_open(&help_schema_2);
    (void) trial_server_ask(stranger, "BEGIN; INSERT INTO trial.slots VALUES (5, 1)");
    help_fence(&batch, 5, 0);
    help_slot(&batch, 5, 1);
    assert_int_equal(commit_while(store, stranger, WAITS_FOR_A_LOCK, "COMMIT"), STORE_OLD_EPOCH);
    store_close(&store);
}

/* The owner keeps the slot while its transaction lasts: another one that takes it waits, and is
 * told to try again. */
static void who_takes_a_slot_waits_for_its_owners_transaction(void **unused)
{
    (void) unused;
    struct store *store = must_open(&help_schema_2);
    assert_int_equal(take_slot(store, 0, 1), STORE_COMMITTED);
    (void) trial_server_ask(stranger, "BEGIN; SELECT * FROM trial.slots FOR SHARE");
    assert_int_equal(take_slot(store, 1, 2), STORE_BUSY);
    assert_says(store, "lock timeout");
    help_fence(&batch, 5, 1); /* An owner that holds no transaction is not in its own way. */
    assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
    help_fence(&batch, 5, 1);
    help_slot(&batch, 5, 2);
    assert_int_equal(commit_while(store, stranger, WAITS_FOR_A_LOCK, "COMMIT"), STORE_COMMITTED);
    store_close(&store);
}

#define END_SESSIONS                                                                               \
    "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE "                   \
    "application_name LIKE 'arbiter-%'"

static void a_connection_lost_before_the_commit_means_try_again(void **unused)
{
    (void) unused;
    struct store *store = must_open(&help_schema_2);
    assert_int_equal(commit_act(store, 1), STORE_COMMITTED);
    assert_string_not_equal(trial_server_ask(stranger, END_SESSIONS), "0");
    assert_int_equal(commit_act(store, 2), STORE_BUSY);
    assert_int_equal(commit_act(store, 2), STORE_COMMITTED);
    assert_acts(store, "a,1,act a,2,act");
    assert_string_not_equal(trial_server_ask(stranger, END_SESSIONS), "0");
    assert_false(store_read(store, &(struct query){ .table = TRIAL_SLOTS }, NULL, NULL));
    assert_acts(store, "a,1,act a,2,act");
    store_close(&store);
}

#define WAITS_FOR_STANDBY                                                                          \
    "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name LIKE 'arbiter-%' "           \
    "AND wait_event = 'SyncRep'"

static void need_standby(const char *name)
{
    char sql[128];
    (void) snprintf(sql, sizeof sql, "ALTER SYSTEM SET synchronous_standby_names = '%s'", name);
    (void) trial_server_ask(stranger, sql);
    (void) trial_server_ask(stranger, "SELECT pg_reload_conf()");
}

/* Three ways in which a commit that waits for its standby is not answered. It is there, but only here. */
static void an_unanswered_commit_is_unknown_and_a_shared_store_goes_on(void **unused)
{
    (void) unused;
    static const char *const ways[] = {
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        "SELECT 1", /* Nothing: the store's patience ends. */
    };
    struct store *store = must_open(&help_schema_2);
    assert_true(store_survives(store));
    for (uint64_t i = 0; i < 3; i++) {
        enum store_outcome outcome = STORE_COMMITTED;
        uint64_t           number = 1000 * i;
        need_standby("nobody"); /* A server hears of it a little later. */
        postgres_wait_ms = i == 2 ? 300 : 10000;
        while (outcome == STORE_COMMITTED) {
            help_act(&batch, "a", ++number, "act");
            outcome = commit_while(store, stranger, WAITS_FOR_STANDBY, ways[i]);
        }
        assert_int_equal(outcome, STORE_UNKNOWN);
        assert_says(store, "nobody knows whether the batch is kept");
        postgres_wait_ms = 10000;
        need_standby("");
        while (strcmp(trial_server_ask(stranger, WAITS_FOR_STANDBY), "t") == 0)
            ;
        assert_int_equal(commit_act(store, number), STORE_CONFLICT); /* It is there, after all. */
    }
    assert_int_equal(commit_act(store, 3000), STORE_COMMITTED);
    store_close(&store);
}

/* Stands before libpq's: a process that comes to its COMMIT when its session has ended. */
static bool is_slow;

int PQsendQueryPrepared(PGconn *conn, const char *stmtName, int nParams,
                        const char *const *paramValues, const int *paramLengths,
                        const int *paramFormats, int resultFormat)
{
    int (*real)(PGconn *, const char *, int, const char *const *, const int *, const int *, int);
    void           *found = dlsym(RTLD_NEXT, "PQsendQueryPrepared");
    struct timespec pause = { .tv_nsec = 2000000 };
    memcpy(&real, &found, sizeof real);
    while (is_slow && strcmp(stmtName, "commit") == 0 &&
           strcmp(trial_server_ask(stranger,
                                   "SELECT count(*) FROM pg_stat_activity WHERE state = "
                                   "'idle in transaction' AND application_name LIKE 'arbiter-%'"),
                  "0") != 0)
        (void) nanosleep(&pause, NULL);
    return real(conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat);
}

/* Nothing of the batch is there, that much is certain, and its owner may try again: with fences,
 * and as the one owner. */
static void who_is_too_slow_to_commit_tries_again(void **unused)
{
    (void) unused;
    const struct schema *const schemas[] = { &help_schema_2, &lonely };
    postgres_idle_ms = postgres_idle_owner_ms = 50;
    for (size_t i = 0; i < 2; i++) {
        struct store *store = must_open(schemas[i]);
        assert_int_equal(commit_act(store, 1), STORE_COMMITTED);
        is_slow = true;
        assert_int_equal(commit_act(store, 2), STORE_BUSY);
        assert_says(store, "this process was too slow between rows and commit");
        is_slow = false;
        assert_acts(store, "a,1,act");
        assert_int_equal(commit_act(store, 2), STORE_COMMITTED);
        assert_acts(store, "a,1,act a,2,act");
        store_close(&store);
    }
    postgres_idle_ms = 2000;
    postgres_idle_owner_ms = 5000;
}

static void a_database_of_somebody_else_is_left_alone(void **unused)
{
    (void) unused;
    struct text fault;
    (void) trial_server_ask(stranger, "CREATE SCHEMA trial CREATE TABLE mine (x int)");
    assert_null(store_open(&help_schema_2, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "the schema trial belongs to another program"));
}

static void what_has_no_fences_has_one_owner_at_a_time(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *one = must_open(&lonely);
    assert_false(store_survives(one));
    postgres_owner_wait_ms = 100;
    assert_null(store_open(&lonely, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "another process keeps lonely in this database: stop it"));
    assert_int_equal(commit_act(one, 1), STORE_COMMITTED);
    /* The owner's session ends, as it does when its machine is cut off, and another owner comes. */
    assert_string_not_equal(trial_server_ask(stranger, END_SESSIONS), "0");
    postgres_owner_wait_ms = 15000;
    struct store *two = must_open(&lonely);
    assert_int_equal(commit_act(one, 2), STORE_BUSY);
    assert_int_equal(commit_act(one, 2), STORE_BUSY); /* The lock is another's ... */
    assert_int_equal(commit_act(two, 2), STORE_COMMITTED);
    store_close(&two);
    while (commit_act(one, 3) ==
           STORE_BUSY) /* ... until its session has gone; then the new owner reads that ... */
        ;
    assert_int_equal(commit_act(one, 3), STORE_UNKNOWN);
    assert_says(one, "another process has opened it since");
    store_close(&one);
    one = must_open(&lonely);
    assert_acts(one, "a,1,act a,2,act");
    store_close(&one);
}

static void what_is_being_filled_is_opened_by_nobody_else(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *store = store_open_empty(&help_schema_2, server.place, &fault);
    assert_non_null(store);
    assert_int_equal(commit_act(store, 1), STORE_COMMITTED);
    assert_null(store_open(&help_schema_2, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "a copy into it was not finished"));
    assert_null(store_open_reader(&help_schema_2, server.place, &fault));
    store_close(&store);
    store =
        store_open_empty(&help_schema_2, server.place, &fault); /* Once more, from where it was. */
    assert_non_null(store);
    assert_acts(store, "a,1,act");
    assert_true(store_filled(store));
    store_close(&store);
    store = must_open(&help_schema_2);
    assert_acts(store, "a,1,act");
    store_close(&store);
    assert_null(store_open_empty(&help_schema_2, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "there is something in its table acts already"));
    assert_null(store_open_empty(&help_schema_2, "/tmp", &fault));
}

/* More than lies on its way between server and reader, who reads slowly. */
#define LARGE_ROWS 60u

static bool take_slowly(void *taker, const struct row *row)
{
    const struct timespec pause = { .tv_nsec = 10000000L };
    (void) row;
    (void) nanosleep(&pause, NULL);
    ++*(uint32_t *) taker;
    return true;
}

static uint32_t read_slowly(struct store *store)
{
    uint32_t count = 0;
    (void) store_read(store, &(struct query){ .table = TRIAL_ACTS }, take_slowly, &count);
    return count;
}

/* A whole journal is compared in one read; anybody else's statement ends in time. */
static void who_fills_a_store_may_read_for_long(void **unused)
{
    (void) unused;
    static char   large[65536];
    uint32_t      before_ms = postgres_statement_ms;
    struct text   fault;
    struct store *store = store_open_empty(&help_schema_2, server.place, &fault);
    assert_non_null(store);
    memset(large, 'x', sizeof large - 1);
    for (uint32_t i = 0; i < LARGE_ROWS; i++) {
        help_act(&batch, "a", i, large);
        assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
    }
    store_close(&store);
    postgres_statement_ms = 200;
    store = store_open_empty(&help_schema_2, server.place, &fault);
    assert_non_null(store);
    assert_int_equal(read_slowly(store), LARGE_ROWS);
    assert_true(store_filled(store));
    store_close(&store);
    store = must_open(&help_schema_2);
    assert_in_range(read_slowly(store), 0, LARGE_ROWS - 1);
    store_close(&store);
    postgres_statement_ms = before_ms;
}

static void an_old_database_is_migrated_beside_who_works_on_it(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *store = must_open(&help_schema_1);
    assert_null(store_open_reader(&help_schema_2, server.place, &fault));
    assert_true(store_migrate(&help_schema_2, server.place, &fault));
    assert_true(store_migrate(&help_schema_2, server.place, &fault));
    assert_int_equal(commit_act(store, 1), STORE_COMMITTED); /* The older program goes on. */
    store_close(&store);
    store = store_open_reader(&help_schema_2, server.place, &fault);
    assert_non_null(store);
    assert_acts(store, "a,1,act");
    store_close(&store);
    assert_false(store_migrate(&help_schema_1, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "has version 2 and this program knows 1"));
}

static void several_hosts_are_tried_and_who_cannot_be_reached_is_named(void **unused)
{
    (void) unused;
    struct text fault;
    char        place[300];
    (void) snprintf(place, sizeof place,
                    "postgresql:///postgres?host=/nowhere,%s,/nowhere&user=arbiter", server.folder);
    struct store *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    store_close(&store);
    assert_null(
        store_open(&help_schema_2, "postgresql://eve:secret@/postgres?host=/nowhere", &fault));
    assert_non_null(strstr(fault.bytes, "no server can be reached that may be written to"));
    assert_null(strstr(fault.bytes, "secret"));
    assert_null(store_open(&help_schema_2, "postgresql://a/b?nonsense=1", &fault));
    assert_non_null(strstr(fault.bytes, "nonsense"));
}

/* A standby may be read, and is not what writes are for. */
static void a_server_that_only_reads_is_none(void **unused)
{
    (void) unused;
    struct text fault;
    (void) trial_server_ask(stranger, "ALTER ROLE arbiter SET default_transaction_read_only = on");
    assert_null(store_open(&help_schema_2, server.place, &fault));
    (void) trial_server_ask(stranger, "ALTER ROLE arbiter RESET default_transaction_read_only");
    assert_non_null(strstr(fault.bytes, "read-only"));
}

/* Of the last test: this process has seen term 7 then, and for it there is no way back. */
static void a_primary_of_before_is_refused(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *store = must_open(&help_schema_2);
    assert_int_equal(commit_act(store, 1), STORE_COMMITTED);
    (void) trial_server_ask(stranger, "UPDATE trial.store SET term = 7"); /* One was promoted. */
    assert_int_equal(commit_act(store, 2), STORE_BUSY);
    assert_says(store, "the term of the server has changed");
    assert_int_equal(commit_act(store, 2), STORE_UNKNOWN); /* And may lack what was kept before. */
    assert_says(store, "another server has taken the place");
    assert_int_equal(commit_act(store, 2), STORE_COMMITTED);
    assert_int_equal(commit_act(store, 3), STORE_COMMITTED);
    (void) trial_server_ask(stranger, "UPDATE trial.store SET term = 3"); /* It is the old one. */
    assert_int_equal(commit_act(store, 4), STORE_BUSY);
    assert_int_equal(commit_act(store, 4), STORE_BUSY);
    assert_says(store, "it is a primary of before");
    assert_false(store_read(store, &(struct query){ .table = TRIAL_ACTS }, NULL, NULL));
    store_close(&store);
    assert_null(store_open(&help_schema_2, server.place, &fault));
    assert_non_null(strstr(fault.bytes, "has term 3, and term 7 has begun elsewhere"));
}

static int run(void)
{
    static const struct store_kind postgres = { "the contract, on PostgreSQL", open_here,
                                                open_reader_here, wipe };
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(of_two_writers_who_raised_the_epoch_last_owns_the_slot, begin),
        cmocka_unit_test_setup(of_two_who_take_a_new_slot_at_once_one_does, begin),
        cmocka_unit_test_setup(who_takes_a_slot_waits_for_its_owners_transaction, begin),
        cmocka_unit_test_setup(a_connection_lost_before_the_commit_means_try_again, begin),
        cmocka_unit_test_setup(an_unanswered_commit_is_unknown_and_a_shared_store_goes_on, begin),
        cmocka_unit_test_setup(who_is_too_slow_to_commit_tries_again, begin),
        cmocka_unit_test_setup(a_database_of_somebody_else_is_left_alone, begin),
        cmocka_unit_test_setup(what_has_no_fences_has_one_owner_at_a_time, begin),
        cmocka_unit_test_setup(what_is_being_filled_is_opened_by_nobody_else, begin),
        cmocka_unit_test_setup(who_fills_a_store_may_read_for_long, begin),
        cmocka_unit_test_setup(an_old_database_is_migrated_beside_who_works_on_it, begin),
        cmocka_unit_test_setup(several_hosts_are_tried_and_who_cannot_be_reached_is_named, begin),
        cmocka_unit_test_setup(a_server_that_only_reads_is_none, begin),
        cmocka_unit_test_setup(a_primary_of_before_is_refused, begin),
    };
    return store_contract(&postgres) + cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    lonely = help_schema_2;
    lonely.name = "lonely";
    lonely.fences = NO_FENCES;
    trial_server_make(&server);
    trial_server_start(&server);
    stranger = trial_server_connect(&server);
    int failed = run();
    PQfinish(stranger);
    trial_server_remove(&server);
    return failed;
}
