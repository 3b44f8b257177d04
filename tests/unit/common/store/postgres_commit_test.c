/* postgres_commit_test.c: a writer that is stopped in the middle of a batch keeps nobody from its slots. */
#include "store/postgres_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/store/store_help.h"
#include "common/store/trial_server.h"

static struct trial_server server;
static PGconn             *stranger, *stopped;
static struct help_batch   batch;
static struct store       *store;

static enum store_outcome take_slot(uint64_t from, uint64_t to)
{
    help_fence(&batch, 5, from);
    help_slot(&batch, 5, to);
    return help_commit(store, &batch);
}

static void wait_until(const char *question)
{
    struct timespec pause = { .tv_nsec = 2000000 };
    while (strcmp(trial_server_ask(stranger, question), "t") != 0)
        (void) nanosleep(&pause, NULL);
}

/* Another engine's session, which has locked the slot, and whose next words do not come. */
static int stop_in_the_middle(void **unused)
{
    (void) unused;
    struct text fault;
    (void) trial_server_ask(stranger, "SET client_min_messages = warning;"
                                      "DROP SCHEMA IF EXISTS trial CASCADE");
    help_begin(&batch);
    store = store_open(&help_schema_2, server.place, &fault);
    assert_non_null(store);
    assert_int_equal(take_slot(0, 1), STORE_COMMITTED);
    stopped = trial_server_connect(&server);
    (void) trial_server_ask(stopped, "SET application_name = 'arbiter-trial'");
    assert_true(PQenterPipelineMode(stopped) &&
                PQsendQueryParams(stopped, "BEGIN", 0, NULL, NULL, NULL, NULL, 0) &&
                PQsendQueryParams(stopped, "SELECT * FROM trial.slots FOR SHARE", 0, NULL, NULL,
                                  NULL, NULL, 0) &&
                PQsendFlushRequest(stopped) && PQflush(stopped) == 0);
    wait_until(
        "SELECT count(*) = 1 FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE "
        "application_name = 'arbiter-trial' AND wait_event = 'ClientRead' AND state = 'active' AND "
        "mode = 'RowShareLock' AND relation = 'trial.slots'::regclass");
    return 0;
}

static int end(void **unused)
{
    (void) unused;
    PQfinish(stopped);
    store_close(&store);
    postgres_idle_ms = 2000;
    return 0;
}

static void whoever_is_to_have_its_slot_ends_it(void **unused)
{
    (void) unused;
    postgres_idle_ms = 100;
    assert_int_equal(take_slot(1, 2), STORE_BUSY);
    assert_int_equal(take_slot(1, 2), STORE_COMMITTED);
}

/* The reader has a transaction of its own, for long, and holds nothing that anybody could wait
 * for. */
static void but_nobody_who_only_reads(void **unused)
{
    (void) unused;
    PGconn *reader = trial_server_connect(&server);
    (void) trial_server_ask(reader, "SET application_name = 'arbiter-trial'; BEGIN; SELECT 1");
    postgres_idle_ms = 100;
    assert_int_equal(take_slot(1, 2), STORE_BUSY);
    assert_string_equal(trial_server_ask(reader, "SELECT 2"), "2");
    assert_int_equal(take_slot(1, 2), STORE_COMMITTED);
    PQfinish(reader);
}

static void but_not_one_that_may_just_be_slow(void **unused)
{
    (void) unused;
    postgres_idle_ms = 600000;
    assert_int_equal(take_slot(1, 2), STORE_BUSY);
    assert_int_equal(take_slot(1, 2), STORE_BUSY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whoever_is_to_have_its_slot_ends_it, stop_in_the_middle,
                                        end),
        cmocka_unit_test_setup_teardown(but_nobody_who_only_reads, stop_in_the_middle, end),
        cmocka_unit_test_setup_teardown(but_not_one_that_may_just_be_slow, stop_in_the_middle, end),
    };
    trial_server_make(&server);
    trial_server_start(&server);
    stranger = trial_server_connect(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    PQfinish(stranger);
    trial_server_remove(&server);
    return failed;
}
