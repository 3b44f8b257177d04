/* store_test.c: `arbiter store`: what a home keeps is copied into a database, whole, and as often as it takes. */
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/store/store_help.h"
#include "common/store/trial_server.h"
#include "core/outbox.h"
#include "games/registry.h"
#include "schema/journal.h"
#include "schema/lobby.h"

#define ACTS 1700u /* Several transactions. */

static struct trial_server   server;
static struct journal_schema journal;
static char                  home[64], line[HELP_LINE];

static const char *in_home(const char *name)
{
    static char path[128];
    (void) snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

static int end_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        ;
    return WEXITSTATUS(status);
}

/* Runs the program; what it says to people is in `line`. */
static int run(char *const *words)
{
    int    ends[2];
    size_t size = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void) dup2(ends[1], STDOUT_FILENO);
        (void) dup2(ends[1], STDERR_FILENO);
        (void) execv(ARBITER_BINARY, words);
        _exit(127);
    }
    (void) close(ends[1]);
    for (ssize_t got = 1; got > 0; size += (size_t) got) {
        got = read(ends[0], line + size, sizeof line - 1 - size);
        assert_true(got >= 0);
    }
    line[size] = '\0';
    (void) close(ends[0]);
    return end_of(child);
}

static int arbiter(const char *deed)
{
    char *const words[] = { (char *) "arbiter",
                            (char *) "store",
                            (char *) deed,
                            server.place,
                            (char *) "--home",
                            home,
                            NULL };
    return run(words);
}

static void remove_home(void)
{
    pid_t child = fork();
    if (child == 0) {
        (void) execlp("rm", "rm", "-rf", home, (char *) NULL);
        _exit(127);
    }
    (void) end_of(child);
}

static struct store *must_open(const struct schema *schema, const char *place)
{
    struct text   fault;
    struct store *store = store_open(schema, place, &fault);
    if (!store)
        fail_msg("%s", fault.bytes);
    return store;
}

/* Acts [first, last) of one match, a transaction each hundred. */
static void write_acts(struct store *store, uint64_t first, uint64_t last)
{
    struct help_batch batch;
    help_begin(&batch);
    for (uint64_t i = first; i < last; i++) {
        struct row *row = help_row(&batch, ROW_ADD, JOURNAL_SLOTS, SLOTS_COLUMNS);
        row_number(row, SLOTS_SLOT, i);
        row_number(row, SLOTS_EPOCH, i * i);
        if (batch.row_count == HELP_ROWS || i + 1 == last)
            assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
    }
}

/* One row of the lobby's. */
static void write_text(struct store *store)
{
    struct help_batch batch;
    help_begin(&batch);
    struct row *row = help_row(&batch, ROW_PUT, LOBBY_TEXTS, 3);
    row_number(row, 0, 1);
    row_text(row, 1, "{}", 2);
    row->cells[2] = (struct cell){ .kind = CELL_NULL };
    assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
}

static bool count_row(void *taker, const struct row *row)
{
    uint64_t *count = taker;
    assert_int_equal(row->cells[SLOTS_EPOCH].number, *count * *count);
    ++*count;
    return true;
}

static uint64_t rows_there(void)
{
    struct text   fault;
    uint64_t      count = 0;
    struct store *store = store_open_reader(&journal.schema, server.place, &fault);
    if (!store)
        fail_msg("%s", fault.bytes);
    assert_true(store_read(store, &(struct query){ .table = JOURNAL_SLOTS }, count_row, &count));
    store_close(&store);
    return count;
}

static void a_home_is_copied_and_a_copy_that_was_cut_short_goes_on(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *half = store_open_empty(&journal.schema, server.place, &fault);
    assert_non_null(half);
    write_acts(half, 0, ACTS / 2);
    store_close(&half);
    assert_null(store_open(&journal.schema, server.place, &fault));
    assert_int_equal(arbiter("copy"), 0);
    assert_non_null(strstr(line, "slots        1700 rows"));
    assert_int_equal(rows_there(), ACTS);
}

static void who_says_it_once_more_is_told_that_it_is_there(void **unused)
{
    (void) unused;
    assert_int_equal(arbiter("copy"), 0);
    assert_non_null(strstr(line, "journal is there already, row by row"));
    assert_int_equal(rows_there(), ACTS);
}

/* The lobby's was whole when it was interrupted, and so was all of the journal but for the last word. */
static void a_copy_goes_on_behind_what_had_ended(void **unused)
{
    (void) unused;
    PGconn *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger, "UPDATE journal.store SET filling = 1;"
                                      "DELETE FROM journal.slots WHERE slot >= 1000");
    assert_string_equal(trial_server_ask(stranger, "SELECT count(*) FROM lobby.texts"), "1");
    PQfinish(stranger);
    assert_int_equal(arbiter("copy"), 0);
    assert_non_null(strstr(line, "lobby is there already, row by row"));
    assert_non_null(strstr(line, "slots        1700 rows"));
    assert_int_equal(rows_there(), ACTS);
}

static void what_is_there_is_never_overwritten(void **unused)
{
    (void) unused;
    PGconn *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger, "UPDATE journal.slots SET epoch = 8 WHERE slot = 3");
    assert_int_equal(arbiter("copy"), 3);
    assert_non_null(strstr(line, "already: name an empty database"));
    assert_string_equal(
        trial_server_ask(stranger, "SELECT epoch FROM journal.slots WHERE slot = 3"), "8");
    PQfinish(stranger);
}

/* Until all of it is there nobody opens the part that is. */
static void no_part_is_opened_while_another_is_copied(void **unused)
{
    (void) unused;
    struct text   fault;
    struct store *half = NULL;
    PGconn       *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger,
                            "SET client_min_messages = warning; DROP SCHEMA journal CASCADE;"
                            "DROP SCHEMA lobby CASCADE; CREATE SCHEMA journal;"
                            "CREATE TABLE journal.somebodys (number bigint)");
    assert_int_equal(arbiter("copy"), 3); /* The journal's cannot be made. */
    half = store_open(&lobby_schema, server.place, &fault);
    assert_null(half);
    assert_non_null(strstr(fault.bytes, "a copy into it was not finished"));
    PQfinish(stranger);
}

static void a_database_that_has_something_else_is_found_out(void **unused)
{
    (void) unused;
    struct text fault;
    PGconn     *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger,
                            "SET client_min_messages = warning; DROP SCHEMA journal CASCADE;"
                            "DROP SCHEMA lobby CASCADE");
    struct store *half = store_open_empty(&journal.schema, server.place, &fault);
    assert_non_null(half);
    write_acts(half, 0, 10);
    (void) trial_server_ask(stranger, "UPDATE journal.slots SET epoch = 0 WHERE slot = 3");
    store_close(&half);
    assert_int_equal(arbiter("copy"), 3);
    assert_non_null(strstr(line, "or they are not the same"));
    PQfinish(stranger);
}

static void migrate_makes_all_tables(void **unused)
{
    (void) unused;
    struct text fault;
    PGconn     *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger,
                            "SET client_min_messages = warning; DROP SCHEMA journal CASCADE");
    PQfinish(stranger);
    assert_int_equal(arbiter("migrate"), 0);
    assert_non_null(strstr(line, "journal has version"));
    assert_non_null(strstr(line, "leases has version"));
    struct store *store = store_open_reader(&journal.schema, server.place, &fault);
    assert_non_null(store);
    store_close(&store);
}

static void the_doctor_looks_at_it(void **unused)
{
    (void) unused;
    char *const words[] = { (char *) "arbiter",
                            (char *) "doctor",
                            (char *) "--home",
                            home,
                            (char *) "--store",
                            server.place,
                            NULL };
    PGconn     *stranger = trial_server_connect(&server);
    (void) trial_server_ask(stranger, "UPDATE lobby.store SET filling = 0");
    (void) run(words);
    assert_non_null(strstr(line, "lobby of the database has version"));
    assert_non_null(strstr(line, "waits for no standby"));
    (void) trial_server_ask(stranger, "UPDATE journal.store SET version = 99");
    assert_int_equal(run(words), 1);
    assert_non_null(strstr(line, "journal of the database has version 99"));
    (void) trial_server_ask(stranger, "UPDATE journal.store SET version = 1, filling = 1");
    assert_int_equal(run(words), 1);
    assert_non_null(strstr(line, "a copy into journal of the database was not finished"));
    (void) trial_server_ask(stranger,
                            "SET client_min_messages = warning; DROP SCHEMA journal CASCADE");
    (void) run(words);
    assert_non_null(strstr(line, "journal of the database has version 0"));
    PQfinish(stranger);
}

/* Two that were over long ago, of which an engine still knows the second, in slot 44. */
static void write_finished(PGconn *stranger)
{
    (void) trial_server_ask(
        stranger,
        "INSERT INTO journal.results (match_id, over_ms) SELECT id, 1 FROM (VALUES "
        "(decode(repeat('01', 16), 'hex')), (decode(repeat('02', 16), 'hex'))) AS ids (id);"
        "INSERT INTO journal.acts (match_id, number) SELECT match_id, 1 FROM journal.results;"
        "INSERT INTO journal.live (slot, match_id) VALUES (44, decode(repeat('02', 16), 'hex'))");
}

static const char *rows_of(PGconn *stranger, const char *table)
{
    char sql[128];
    (void) snprintf(sql, sizeof sql,
                    "SELECT string_agg(left(encode(match_id, 'hex'), 2), ' ') FROM journal.%s",
                    table);
    return trial_server_ask(stranger, sql);
}

/* Beside engines, one of which has the journal open. */
static void finished_matches_leave_a_database_too(void **unused)
{
    (void) unused;
    PGconn       *stranger = trial_server_connect(&server);
    struct store *engine = must_open(&journal.schema, server.place);
    char *const dry[] = { (char *) "arbiter", (char *) "retain", (char *) "--store",   server.place,
                          (char *) "--older", (char *) "1",      (char *) "--dry-run", NULL };
    char *const real[] = { (char *) "arbiter", (char *) "retain", (char *) "--store",  server.place,
                           (char *) "--older", (char *) "1",      (char *) "--delete", NULL };
    write_finished(stranger);
    assert_int_equal(run(dry), 0);
    assert_non_null(strstr(line, "1 of 2 finished matches"));
    assert_string_equal(rows_of(stranger, "results"), "01 02");
    assert_int_equal(run(real), 0);
    assert_non_null(strstr(line, "1 of 2 finished matches"));
    assert_string_equal(rows_of(stranger, "results"), "02");
    assert_string_equal(rows_of(stranger, "acts"), "02");
    store_close(&engine);
    PQfinish(stranger);
}

static void make_home(void)
{
    (void) snprintf(home, sizeof home, "/tmp/arbiter-copied-XXXXXX");
    assert_non_null(mkdtemp(home));
    (void) mkdir(in_home("data"), 0700);
    struct store *store = must_open(&journal.schema, in_home("data/engine"));
    write_acts(store, 0, ACTS);
    store_close(&store);
    store = must_open(&lobby_schema, in_home("data/lobby"));
    write_text(store);
    store_close(&store);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_home_is_copied_and_a_copy_that_was_cut_short_goes_on),
        cmocka_unit_test(who_says_it_once_more_is_told_that_it_is_there),
        cmocka_unit_test(a_copy_goes_on_behind_what_had_ended),
        cmocka_unit_test(what_is_there_is_never_overwritten),
        cmocka_unit_test(no_part_is_opened_while_another_is_copied),
        cmocka_unit_test(a_database_that_has_something_else_is_found_out),
        cmocka_unit_test(migrate_makes_all_tables),
        cmocka_unit_test(the_doctor_looks_at_it),
        cmocka_unit_test(finished_matches_leave_a_database_too),
    };
    journal_schema_init(&journal, registry_games());
    make_home();
    trial_server_make(&server);
    trial_server_start(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    trial_server_remove(&server);
    remove_home();
    return failed;
}
