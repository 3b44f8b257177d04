/* sqlite_log_test.c: a log that is damaged in the middle is told from one that a crash left. */
#include "store/sqlite_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/store/store_help.h"
#include "store/look.h"
#include "store/store.h"

#define HEAD 32u
#define FRAME 4120u /* With its head of 24 bytes. */
#define LOG_MAX (4u << 20)
#define COMMITS 40u

static char     place[] = "/tmp/arbiter-log-XXXXXX";
static char     log_path[64];
static uint8_t  whole[LOG_MAX], bytes[LOG_MAX];
static size_t   size;
static uint64_t ends[COMMITS]; /* Where in the log each commit ends. */

static void remove_files(void)
{
    static const char *const names[] = { ".db", ".db-wal", ".db-shm", ".lock", ".db-wal.damaged" };
    char                     name[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/trial%s", place, names[i]);
        unlink(name);
    }
}

static size_t read_log(uint8_t *to)
{
    FILE *file = fopen(log_path, "rb");
    assert_non_null(file);
    size_t count = fread(to, 1, LOG_MAX, file);
    assert_int_equal(fclose(file), 0);
    return count;
}

static void write_log(const uint8_t *from, size_t count)
{
    FILE *file = fopen(log_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(from, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void commit_some(struct store *store, uint64_t first, uint64_t count)
{
    struct help_batch batch;
    char              body[2000];
    memset(body, 'x', sizeof body);
    body[sizeof body - 1] = '\0';
    for (uint64_t i = first; i < first + count; i++) {
        help_begin(&batch);
        help_act(&batch, i % 2 ? "one" : "two", i, body + i % 20 * 97);
        help_slot(&batch, (uint32_t) i % 5, i);
        assert_int_equal(help_commit(store, &batch), STORE_COMMITTED);
        if (i < COMMITS)
            ends[i] = store_facts(store).wal_bytes;
    }
}

/* A store whose last owner died: all commits stand in the log alone. */
static void leave_log(void)
{
    struct text fault;
    remove_files();
    struct store *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    commit_some(store, 0, COMMITS);
    store_close(&store);
    size = read_log(whole);
    assert_in_range(size, 100 * FRAME, LOG_MAX - 1);
    memcpy(bytes, whole, size);
}

static uint64_t acts_there(void)
{
    struct text   fault;
    char          line[HELP_LINE] = "", *rest = line;
    struct query  query = { .table = TRIAL_SLOTS, .descending = true };
    struct store *store = store_open(&help_schema_2, place, &fault);
    if (store == NULL)
        fail_msg("%s", fault.bytes);
    uint64_t newest = 0;
    help_line(store, &query, line);
    for (char *word = strsep(&rest, " "); word != NULL; word = strsep(&rest, " ")) {
        uint64_t epoch = strtoull(strchr(word, ',') + 1, NULL, 10);
        newest = epoch > newest ? epoch : newest;
    }
    store_close(&store);
    return newest + 1;
}

/* The file stays as it is: somebody who looks at it afterwards finds the same. */
static void assert_refused(uint64_t offset)
{
    struct text       fault;
    struct store_look look;
    char              at[64];
    size_t            before = read_log(bytes);
    snprintf(at, sizeof at, "damaged at byte %llu: ", (unsigned long long) offset);
    assert_null(store_open(&help_schema_2, place, &fault));
    assert_non_null(strstr(fault.bytes, "trial.db-wal"));
    assert_non_null(strstr(fault.bytes, at));
    assert_non_null(strstr(fault.bytes, "whole frames stand behind it"));
    assert_non_null(strstr(fault.bytes, "arbiter store cut"));
    assert_false(store_look(place, "trial", false, false, &look, &fault));
    assert_non_null(strstr(fault.bytes, at));
    assert_int_equal(read_log(whole), before);
    assert_memory_equal(whole, bytes, before);
}

static void bytes_damaged_in_the_middle_of_a_log_are_said(void **unused)
{
    (void) unused;
    for (uint64_t frame = 1; frame < 100; frame += 7) {
        leave_log();
        uint64_t at = HEAD + frame * FRAME;
        for (uint64_t i = 0; i < 64; i++)
            bytes[at + 500 + i] ^= 0x55;
        write_log(bytes, size);
        assert_refused(at);
    }
}

/* Its own checksum is gone, and so the one the next frame goes on from. */
static void a_frame_whose_head_is_gone_is_said(void **unused)
{
    (void) unused;
    leave_log();
    memset(bytes + HEAD + 20 * FRAME, 0, FRAME);
    write_log(bytes, size);
    assert_refused(HEAD + 20 * FRAME);
}

static void a_log_whose_first_bytes_are_gone_is_said(void **unused)
{
    (void) unused;
    leave_log();
    memset(bytes, 0, HEAD);
    write_log(bytes, size);
    assert_refused(0);
}

static void what_a_crash_cut_short_is_opened(void **unused)
{
    (void) unused;
    leave_log();
    for (uint64_t cut = ends[COMMITS - 3]; cut < size; cut += 1000) {
        leave_log();
        write_log(bytes, cut);
        assert_in_range(acts_there(), COMMITS - 3, COMMITS);
    }
}

/* Power fails while the last transaction is on its way: any part of it may be there, its end, too. */
static void a_last_transaction_with_holes_is_opened(void **unused)
{
    (void) unused;
    leave_log();
    for (uint64_t at = ends[COMMITS - 2]; at < ends[COMMITS - 1]; at += FRAME) {
        leave_log();
        memset(bytes + at, 0, FRAME / 2);
        write_log(bytes, size);
        assert_int_equal(acts_there(), COMMITS - 1);
    }
}

/* Behind a checkpoint the log is written over from its beginning: what stands behind is of before. */
static void frames_of_an_older_use_of_the_log_are_no_damage(void **unused)
{
    struct text fault;
    (void) unused;
    leave_log();
    struct store *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    commit_some(store, COMMITS, 60);
    assert_true(store_checkpoint(store));
    commit_some(store, COMMITS + 60, 3);
    store_close(&store);
    assert_true(read_log(bytes) > 60 * FRAME);
    assert_int_equal(acts_there(), COMMITS + 63);
}

/* What is given up is kept beside it; what stood before it is there. */
static void a_damaged_log_is_cut_where_it_is_broken(void **unused)
{
    struct sqlite_log log;
    struct text       fault;
    char              kept[96];
    (void) unused;
    leave_log();
    bytes[ends[23] + 100] ^= 1;
    write_log(bytes, size);
    assert_refused(ends[23]);
    assert_true(sqlite_log_cut(place, "trial", &log, &fault));
    assert_int_equal(log.offset, ends[23]);
    assert_int_equal(log.commits, COMMITS - 25);
    assert_int_equal(acts_there(), 24);
    snprintf(kept, sizeof kept, "%s.damaged", log_path);
    FILE *file = fopen(kept, "rb");
    assert_non_null(file);
    assert_int_equal(fread(whole, 1, LOG_MAX, file), size);
    assert_int_equal(fclose(file), 0);
    assert_memory_equal(whole, bytes, size);
}

static void a_sound_log_is_not_cut(void **unused)
{
    struct sqlite_log log;
    struct text       fault;
    (void) unused;
    leave_log();
    assert_false(sqlite_log_cut(place, "trial", &log, &fault));
    assert_non_null(strstr(fault.bytes, "is not damaged"));
    assert_int_equal(acts_there(), COMMITS);
}

static int set_up(void **unused)
{
    (void) unused;
    if (!mkdtemp(place))
        return -1;
    snprintf(log_path, sizeof log_path, "%s/trial.db-wal", place);
    return 0;
}

static int tear_down(void **unused)
{
    (void) unused;
    remove_files();
    return rmdir(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_damaged_in_the_middle_of_a_log_are_said),
        cmocka_unit_test(a_frame_whose_head_is_gone_is_said),
        cmocka_unit_test(a_log_whose_first_bytes_are_gone_is_said),
        cmocka_unit_test(what_a_crash_cut_short_is_opened),
        cmocka_unit_test(a_last_transaction_with_holes_is_opened),
        cmocka_unit_test(frames_of_an_older_use_of_the_log_are_no_damage),
        cmocka_unit_test(a_damaged_log_is_cut_where_it_is_broken),
        cmocka_unit_test(a_sound_log_is_not_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
