/* sqlite_test.c: SQLite keeps the contract of every store, and the promises of its own. */
#include "store/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "common/store/store_contract.h"
#include "common/store/store_help.h"

static char place[] = "/tmp/arbiter-store-XXXXXX";

static const char *in_place(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", place, name);
    return path;
}

static void wipe(void)
{
    static const char *const names[] = { "trial.db",          "trial.db-wal",   "trial.db-shm",
                                         "trial.lock",        "copy/trial.db",  "copy/trial.db-wal",
                                         "copy/trial.db-shm", "copy/trial.lock" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_place(names[i]));
    rmdir(in_place("copy"));
}

static struct store *open_here(const struct schema *schema, struct text *fault)
{
    return store_open(schema, place, fault);
}

static struct store *open_reader_here(const struct schema *schema, struct text *fault)
{
    return store_open_reader(schema, place, fault);
}

static struct store *must_open(void)
{
    struct text   fault;
    struct store *store = store_open(&help_schema_2, place, &fault);
    if (!store)
        fail_msg("%s", fault.bytes);
    return store;
}

static void commit_act(struct store *store, uint64_t number)
{
    struct help_batch batch;
    help_begin(&batch);
    help_act(&batch, "a", number, "act");
    assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
}

static void a_second_owner_is_told_who_the_first_is(void **unused)
{
    (void) unused;
    struct text   fault;
    char          first[64];
    struct store *store = must_open();
    snprintf(first, sizeof first, "another process with pid %d keeps %s", (int) getpid(), place);
    assert_null(store_open(&help_schema_2, place, &fault));
    assert_non_null(strstr(fault.bytes, first));
    assert_non_null(strstr(fault.bytes, "stop it first"));
    store_close(&store);
    store = must_open();
    store_close(&store);
}

/* A child does so, and dies without closing. */
static void what_a_killed_owner_had_committed_is_there(void **unused)
{
    (void) unused;
    int   status = 0;
    char  line[HELP_LINE];
    pid_t child = fork();
    if (!child) {
        commit_act(must_open(), 1);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    struct store *store = must_open();
    assert_string_equal(help_all(store, TRIAL_ACTS, line), "a,1,act");
    store_close(&store);
}

static void its_files_are_for_its_owner_alone(void **unused)
{
    (void) unused;
    static const char *const names[] = { "trial.db", "trial.db-wal", "trial.db-shm", "trial.lock" };
    struct store            *store = must_open();
    struct stat              about;
    commit_act(store, 1);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(stat(in_place(names[i]), &about), 0);
        assert_int_equal(about.st_mode & 0777, 0600);
    }
    store_close(&store);
}

static off_t size_of_log(void)
{
    struct stat about;
    assert_int_equal(stat(in_place("trial.db-wal"), &about), 0);
    return about.st_size;
}

/* Two thousand pages are twice of what SQLite would have waited for. */
static void the_log_grows_until_the_owner_says(void **unused)
{
    (void) unused;
    struct store     *store = must_open();
    struct help_batch batch;
    static char       body[80000];
    memset(body, 'x', sizeof body - 1);
    for (uint64_t i = 0; i < 110; i++) {
        help_begin(&batch);
        help_act(&batch, "a", i, body);
        assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
    }
    off_t size = size_of_log();
    assert_true(size > 2000 * 4096);
    assert_int_equal(store_facts(store).wal_bytes, size);
    assert_true(store_checkpoint(store));
    assert_int_equal(store_facts(store).wal_bytes, 0);
    /* What was moved is written over: the file keeps its place on the disk, and grows no more. */
    commit_act(store, 200);
    assert_int_equal(size_of_log(), size);
    assert_in_range(store_facts(store).wal_bytes, 1, 20 * 4096);
    store_close(&store);
}

struct meanwhile {
    struct store *writer;
    bool          is_moved;
};

static bool checkpoint_meanwhile(void *taker, const struct row *row)
{
    struct meanwhile *meanwhile = taker;
    commit_act(meanwhile->writer, (uint64_t) row->cells[1].number + 10);
    meanwhile->is_moved = store_checkpoint(meanwhile->writer);
    return true;
}

static void a_reader_in_the_way_stops_a_checkpoint_and_no_commit(void **unused)
{
    (void) unused;
    struct text      fault;
    struct meanwhile meanwhile = { .writer = must_open(), .is_moved = true };
    commit_act(meanwhile.writer, 1);
    struct store *reader = store_open_reader(&help_schema_2, place, &fault);
    assert_non_null(reader);
    assert_true(store_read(reader, &(struct query){ .table = TRIAL_ACTS }, checkpoint_meanwhile,
                           &meanwhile));
    assert_false(meanwhile.is_moved);
    assert_non_null(strstr(store_fault(meanwhile.writer), "stays as it is for now"));
    commit_act(meanwhile.writer, 20);
    assert_true(store_checkpoint(meanwhile.writer));
    store_close(&reader);
    store_close(&meanwhile.writer);
}

static void a_stranger_who_holds_the_file_means_try_again(void **unused)
{
    (void) unused;
    struct help_batch batch;
    struct store     *store = must_open();
    sqlite3          *stranger = NULL;
    assert_int_equal(sqlite3_open(in_place("trial.db"), &stranger), SQLITE_OK);
    assert_int_equal(sqlite3_exec(stranger, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    help_begin(&batch);
    help_act(&batch, "a", 1, "act");
    assert_int_equal(help_commit(store, &batch), STORE_BUSY);
    assert_int_equal(sqlite3_exec(stranger, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    commit_act(store, 1);
    sqlite3_close(stranger);
    store_close(&store);
}

static void a_database_of_somebody_else_is_left_alone(void **unused)
{
    (void) unused;
    struct text fault;
    sqlite3    *stranger = NULL;
    assert_int_equal(sqlite3_open(in_place("trial.db"), &stranger), SQLITE_OK);
    assert_int_equal(sqlite3_exec(stranger, "CREATE TABLE mine (x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(stranger);
    assert_null(store_open(&help_schema_2, place, &fault));
    assert_non_null(strstr(fault.bytes, "is a database of another program"));
}

static void a_reader_comes_after_the_owner(void **unused)
{
    (void) unused;
    struct text fault;
    assert_null(store_open_reader(&help_schema_2, place, &fault));
    assert_non_null(strstr(fault.bytes, "cannot be opened"));
}

static void a_folder_that_cannot_be_made_is_named(void **unused)
{
    (void) unused;
    struct text fault;
    assert_null(store_open(&help_schema_2, in_place("no/where"), &fault));
    assert_non_null(strstr(fault.bytes, "no/where: No such file or directory; name a folder"));
}

static void a_copy_is_whole_and_never_takes_a_place(void **unused)
{
    (void) unused;
    struct text   fault;
    char          line[HELP_LINE], folder[256];
    struct store *store = must_open();
    snprintf(folder, sizeof folder, "%s", in_place("copy"));
    commit_act(store, 1);
    struct store *reader = store_open_reader(&help_schema_2, place, &fault);
    assert_true(store_copy(reader, folder)); /* A reader may, beside the owner at work. */
    store_close(&reader);
    commit_act(store, 2);
    assert_false(store_copy(store, folder));
    assert_non_null(strstr(store_fault(store), "File exists; name another folder"));
    assert_int_equal(access(in_place("copy/trial.db.part"), F_OK), -1);
    store_close(&store);
    store = store_open(&help_schema_2, folder, &fault);
    assert_non_null(store);
    assert_string_equal(help_all(store, TRIAL_ACTS, line), "a,1,act");
    commit_act(store, 2);
    store_close(&store);
}

static int begin(void **unused)
{
    (void) unused;
    wipe();
    return 0;
}

/* A file, whole; its size. */
static size_t bytes_of(const char *name, uint8_t bytes[1u << 20])
{
    FILE *file = fopen(in_place(name), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, 1u << 20, file);
    fclose(file);
    return size;
}

/* A build that is too old says so, and whoever starts the newer one finds everything as it was: file and log. */
static void a_store_that_may_not_be_used_is_not_touched(void **unused)
{
    (void) unused;
    static const char *const names[] = { "trial.db", "trial.db-wal" };
    static uint8_t           before[2][1u << 20], after[1u << 20];
    size_t                   size[2];
    struct text              fault;
    struct store            *store = must_open();
    commit_act(store, 1);
    store_close(&store);
    for (int i = 0; i < 2; i++)
        size[i] = bytes_of(names[i], before[i]);
    assert_true(size[0] > 0 && size[1] > 0);
    assert_null(store_open(&help_schema_1, place, &fault));
    assert_null(store_open_reader(&help_schema_1, place, &fault));
    assert_null(store_open_beside(&help_schema_1, place, &fault));
    assert_non_null(strstr(fault.bytes, "has version 2 and this program knows 1: start the newer"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bytes_of(names[i], after), size[i]);
        assert_memory_equal(after, before[i], size[i]);
    }
}

int main(void)
{
    static const struct store_kind sqlite = { "the contract, on SQLite", open_here,
                                              open_reader_here, wipe };
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_second_owner_is_told_who_the_first_is, begin),
        cmocka_unit_test_setup(a_store_that_may_not_be_used_is_not_touched, begin),
        cmocka_unit_test_setup(what_a_killed_owner_had_committed_is_there, begin),
        cmocka_unit_test_setup(its_files_are_for_its_owner_alone, begin),
        cmocka_unit_test_setup(the_log_grows_until_the_owner_says, begin),
        cmocka_unit_test_setup(a_reader_in_the_way_stops_a_checkpoint_and_no_commit, begin),
        cmocka_unit_test_setup(a_stranger_who_holds_the_file_means_try_again, begin),
        cmocka_unit_test_setup(a_database_of_somebody_else_is_left_alone, begin),
        cmocka_unit_test_setup(a_reader_comes_after_the_owner, begin),
        cmocka_unit_test_setup(a_folder_that_cannot_be_made_is_named, begin),
        cmocka_unit_test_setup(a_copy_is_whole_and_never_takes_a_place, begin),
    };
    if (!mkdtemp(place))
        return 1;
    int failed = store_contract(&sqlite) + cmocka_run_group_tests(tests, NULL, NULL);
    wipe();
    rmdir(place);
    return failed;
}
