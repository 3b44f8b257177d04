/* sqlite_commit_test.c: whatever fails, and whenever the power goes, the store has not lied.
 *
 * A story opens a store, commits batches and moves the log into the file, while one thing fails. Then
 * everything works again, with or without a loss of power between, and it is asked what is there. */
#include "common/store/fault_vfs.h"
#include "common/store/store_help.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The last one is committed when all is over. */
#define BATCHES 10
#define LAST (BATCHES - 1)
#define NO_POWER_LOSS POWER_LOSSES
/* Of a batch no larger body is made: two pages, so that a row is written in pieces. */
#define BODY_MAX 9000

enum fate { NOT_TRIED, ACKNOWLEDGED, REFUSED, UNKNOWN };

struct story {
    enum fate fates[BATCHES];
    uint64_t  epoch; /* Of slot 1, as of the last acknowledged batch.                            */
    uint32_t  found[BATCHES];
};

/* What must have happened at least once, or the stories were too tame. */
static struct {
    uint32_t refused_opens, full, unknown_whole, unknown_absent, failed_checkpoints;
} seen;

/* In memory: what a loss of power leaves is the shadow's to say, and a disk would only be waited for. */
static char place[] = "/dev/shm/arbiter-faults-XXXXXX";

/* The file itself is emptied: making it anew would sync the folder, in earnest, for every story. */
static void wipe(bool is_last)
{
    static const char *const names[] = { "trial.db-wal", "trial.db-shm", "trial.db-journal",
                                         "trial.lock", "trial.db" };
    char                     path[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", place, names[i]);
        if (is_last || i < 4)
            unlink(path);
        else if (!access(path, F_OK))
            assert_int_equal(truncate(path, 0), 0);
    }
    shadows_forget();
}

static uint32_t rows_of(uint32_t number)
{
    return 1 + number % 3;
}

static enum store_outcome commit_batch(struct store *store, const struct story *story,
                                       uint32_t number)
{
    static char       body[BODY_MAX + 1];
    struct help_batch batch;
    help_begin(&batch);
    memset(body, 'a' + (int) number, BODY_MAX);
    body[number * 2711 % BODY_MAX] = '\0';
    for (uint32_t i = 0; i < rows_of(number); i++)
        help_act(&batch, "m", number * 10 + i, body);
    help_fence(&batch, 1, story->epoch);
    help_slot(&batch, 1, number + 1);
    enum store_outcome outcome = help_commit(store, &batch);
    body[number * 2711 % BODY_MAX] = 'a';
    return outcome;
}

/* A store that does not know is done: it says so again, and above all asks for no sync. */
static void assert_silent(struct store *store, const struct story *story)
{
    uint32_t syncs = fault_vfs_count(FAULT_SYNC);
    uint32_t writes = fault_vfs_count(FAULT_WRITE);
    assert_int_equal(commit_batch(store, story, LAST), STORE_UNKNOWN);
    assert_false(store_checkpoint(store));
    store_close(&store);
    assert_int_equal(fault_vfs_count(FAULT_SYNC), syncs);
    assert_int_equal(fault_vfs_count(FAULT_WRITE), writes);
}

static void note(struct story *story, uint32_t number, enum store_outcome outcome)
{
    /* Nothing else can be: one owner, keys of its own, its own epoch. */
    assert_true(outcome == STORE_COMMITTED || outcome == STORE_FULL || outcome == STORE_UNKNOWN);
    story->fates[number] = outcome == STORE_COMMITTED ? ACKNOWLEDGED
                           : outcome == STORE_FULL    ? REFUSED
                                                      : UNKNOWN;
    seen.full += outcome == STORE_FULL;
    if (outcome == STORE_COMMITTED)
        story->epoch = number + 1;
}

/* Whether the store goes on after it. Readers, of which there are none, and a full disk would pass. */
static bool checkpoint(struct store *store)
{
    if (store_checkpoint(store))
        return true;
    seen.failed_checkpoints++;
    return strstr(store_fault(store), "(database or disk is full)") != NULL;
}

/* The batches [first, end). */
static void tell(struct story *story, uint32_t first, uint32_t end)
{
    struct text   fault;
    struct store *store = store_open(&help_schema_2, place, &fault);
    if (!store) {
        assert_true(fault.size > 20);
        assert_true(fault_vfs_has_failed());
        seen.refused_opens++;
        return;
    }
    bool goes_on = true;
    for (uint32_t number = first; number < end; number++) {
        note(story, number, commit_batch(store, story, number));
        assert_true(goes_on || story->fates[number] == UNKNOWN);
        if (story->fates[number] == UNKNOWN) {
            assert_silent(store, story);
            return;
        }
        if (number % 4 == 2)
            goes_on = checkpoint(store);
    }
    store_close(&store);
}

static bool count_row(void *taker, const struct row *row)
{
    struct story *story = taker;
    uint32_t      number = (uint32_t) row->cells[1].number / 10;
    assert_in_range(number, 0, LAST);
    assert_int_equal(row->cells[2].size, number * 2711 % BODY_MAX);
    for (size_t i = 0; i < row->cells[2].size; i++)
        assert_int_equal(row->cells[2].bytes[i], 'a' + (int) number);
    story->found[number]++;
    return true;
}

/* Acknowledged: whole. Refused: not there. Unknown: whole or not there. */
static uint64_t judge(const struct story *story)
{
    uint64_t epoch = 0;
    for (uint32_t i = 0; i < BATCHES; i++) {
        bool is_whole = story->found[i] == rows_of(i);
        if (story->fates[i] == ACKNOWLEDGED)
            assert_true(is_whole);
        else if (story->fates[i] != UNKNOWN)
            assert_int_equal(story->found[i], 0);
        else
            assert_true(is_whole || !story->found[i]);
        seen.unknown_whole += story->fates[i] == UNKNOWN && is_whole;
        seen.unknown_absent += story->fates[i] == UNKNOWN && !is_whole;
        epoch = is_whole ? i + 1 : epoch;
    }
    return epoch;
}

static void lose_power(enum power_loss loss, uint64_t seed)
{
    char index[256];
    snprintf(index, sizeof index, "%s/trial.db-shm", place);
    shadows_lose_power(loss, seed);
    unlink(index);
}

/* What is there, when nothing fails any more. */
static struct store *reopen(struct story *story)
{
    struct text   fault;
    struct store *store = store_open(&help_schema_2, place, &fault);
    if (!store)
        fail_msg("%s", fault.bytes);
    memset(story->found, 0, sizeof story->found);
    assert_true(store_read(store, &(struct query){ .table = TRIAL_ACTS }, count_row, story));
    return store;
}

/* What was found stays so, and what is acknowledged on top of it too. Perhaps a log reads well, but
 * a part of it never came to the disk. The second loss of power would show it. */
static void end(struct story *story, uint32_t ending, uint64_t seed)
{
    char     line[HELP_LINE], slots[32] = "";
    uint32_t found[BATCHES];
    fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
    if (ending != NO_POWER_LOSS)
        lose_power((enum power_loss) ending, seed);
    struct store *store = reopen(story);
    story->epoch = judge(story);
    if (story->epoch)
        snprintf(slots, sizeof slots, "1,%u", (unsigned) story->epoch);
    assert_string_equal(help_all(store, TRIAL_SLOTS, line), slots);
    memcpy(found, story->found, sizeof found);
    assert_int_equal(commit_batch(store, story, LAST), STORE_COMMITTED);
    store_close(&store);
    lose_power(LOSE_ALL, seed);
    store = reopen(story);
    found[LAST] = rows_of(LAST);
    assert_memory_equal(story->found, found, sizeof found);
    store_close(&store);
}

/* `kept` batches are committed in peace, into the log, before anything fails. */
static bool story_fails(struct fault fault, uint32_t kept, uint32_t ending)
{
    struct story story = { .epoch = 0 };
    wipe(false);
    fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
    if (kept)
        tell(&story, 0, kept);
    fault_vfs_plan(fault);
    tell(&story, kept, LAST);
    bool has_failed = fault_vfs_has_failed();
    end(&story, ending, fault.at);
    return has_failed;
}

/* Fails the first, the second, the third ... until a story comes to its end without. It fails once,
 * or from there on; in an empty store, or in one with a log. Each story is told twice: to go on
 * after it, and with one of the losses of power. Of the many writes every WRITES_APART-th is taken,
 * each time from another one on. What fails once and what stays, and the three errors, share them
 * so that none is left out. */
#define WRITES_APART 5
static void fail_each(enum fault_kind kind, int error, uint32_t first)
{
    uint32_t apart = kind == FAULT_WRITE ? WRITES_APART : 1;
    for (uint32_t variant = 0; variant < 4; variant++) {
        struct fault fault = { .kind = kind, .error = error, .stays = variant & 1 };
        uint32_t     kept = variant & 2 ? 4 : 0;
        bool         has_failed = true;
        for (fault.at = 1 + (first + (variant & 1)) % apart; has_failed; fault.at += apart) {
            has_failed = story_fails(fault, kept, NO_POWER_LOSS);
            story_fails(fault, kept, (fault.at + variant) % POWER_LOSSES);
        }
        assert_true(fault.at > 3);
    }
}

static void a_write_may_fail_at_any_time(void **unused)
{
    (void) unused;
    fail_each(FAULT_WRITE, EIO, 0);
}

static void a_write_may_find_the_disk_full_at_any_time(void **unused)
{
    (void) unused;
    seen.full = 0;
    fail_each(FAULT_WRITE, ENOSPC, 2);
    assert_true(seen.full > 0);
}

static void a_write_may_find_the_quota_used_up_at_any_time(void **unused)
{
    (void) unused;
    seen.full = 0;
    fail_each(FAULT_WRITE, EDQUOT, 4);
    assert_true(seen.full > 0);
}

static void a_sync_may_fail_at_any_time(void **unused)
{
    (void) unused;
    memset(&seen, 0, sizeof seen);
    fail_each(FAULT_SYNC, EIO, 0);
    assert_true(seen.unknown_whole && seen.unknown_absent && seen.failed_checkpoints);
    seen.full = 0;
    fail_each(FAULT_SYNC, ENOSPC, 0); /* "Full" at a sync is no certainty. */
    assert_int_equal(seen.full, 0);
}

/* A log's head has 32 bytes, a frame 24 and a page of 4096. */
static uint64_t next_step(uint64_t room)
{
    uint64_t in_frame = (room + 4120 - 32) % 4120;
    return in_frame < 28 || in_frame > 4116 ? 3 : in_frame < 3900 ? 839 : 41;
}

/* Every third byte where frames meet, others with each frame, and some between. Nobody is ever in doubt. */
static void the_disk_may_be_full_at_any_byte(void **unused)
{
    (void) unused;
    uint64_t room = 0, last = 0;
    seen.full = 0;
    do {
        struct story story = { .epoch = 0 };
        wipe(false);
        fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
        tell(&story, 0, 1);
        fault_vfs_room(room);
        tell(&story, 1, 6);
        last = fault_vfs_has_failed() ? 0 : room;
        for (uint32_t i = 1; i < 6; i++)
            assert_true(story.fates[i] == ACKNOWLEDGED || story.fates[i] == REFUSED ||
                        story.fates[i] == NOT_TRIED);
        end(&story, room % 2 ? NO_POWER_LOSS : (uint32_t) (room / 2 % POWER_LOSSES), room);
        room += next_step(room);
    } while (!last);
    assert_true(seen.full > 100);
}

static void an_open_may_fail_at_any_time(void **unused)
{
    (void) unused;
    seen.refused_opens = 0;
    fail_each(FAULT_OPEN, EMFILE, 0);
    assert_true(seen.refused_opens > 0);
}

static void a_truncation_may_fail_at_any_time(void **unused)
{
    (void) unused;
    fail_each(FAULT_TRUNCATE, EIO, 0);
}

static void a_read_may_fail_at_any_time(void **unused)
{
    (void) unused;
    fail_each(FAULT_READ, EIO, 0);
}

static void the_index_may_fail_to_be_mapped_at_any_time(void **unused)
{
    (void) unused;
    fail_each(FAULT_MAP, ENOSPC, 0);
}

static void the_power_may_go_after_any_batch(void **unused)
{
    (void) unused;
    for (uint32_t ending = 0; ending <= NO_POWER_LOSS; ending++) {
        for (uint32_t kept = 1; kept <= LAST; kept++) {
            struct story story = { .epoch = 0 };
            wipe(false);
            fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
            tell(&story, 0, kept);
            end(&story, ending, kept);
        }
    }
}

static enum store_outcome commit_acts(struct store *store, uint64_t one, uint64_t other,
                                      uint64_t epoch)
{
    struct help_batch batch;
    help_begin(&batch);
    help_act(&batch, "m", one, "x");
    help_act(&batch, "m", other, "x");
    help_fence(&batch, 1, epoch);
    return help_commit(store, &batch);
}

/* What was half done is rolled back at once: it is not in the next batch, and does not stand in its way. */
static void a_refused_batch_leaves_nothing_to_the_next_one(void **unused)
{
    (void) unused;
    struct text fault;
    char        line[HELP_LINE];
    wipe(false);
    fault_vfs_plan((struct fault){ .kind = FAULT_NONE });
    struct store *store = store_open(&help_schema_2, place, &fault);
    assert_non_null(store);
    assert_int_equal(commit_acts(store, 1, 1, 0), STORE_CONFLICT);
    assert_true(store_checkpoint(store));
    assert_int_equal(commit_acts(store, 2, 3, 0), STORE_COMMITTED);
    assert_int_equal(commit_acts(store, 4, 5, 7), STORE_OLD_EPOCH);
    assert_true(store_checkpoint(store));
    assert_int_equal(commit_acts(store, 6, 7, 0), STORE_COMMITTED);
    assert_int_equal(commit_acts(store, 8, 2, 0), STORE_CONFLICT);
    store_close(&store);
    lose_power(LOSE_ALL, 1);
    store = store_open(&help_schema_2, place, &fault);
    assert_string_equal(help_all(store, TRIAL_ACTS, line), "m,2,x m,3,x m,6,x m,7,x");
    store_close(&store);
}

static int set_up(void **unused)
{
    (void) unused;
    fault_vfs_register();
    return mkdtemp(place) ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void) unused;
    wipe(true);
    fault_vfs_unregister();
    return rmdir(place);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_power_may_go_after_any_batch),
        cmocka_unit_test(a_write_may_fail_at_any_time),
        cmocka_unit_test(a_write_may_find_the_disk_full_at_any_time),
        cmocka_unit_test(a_write_may_find_the_quota_used_up_at_any_time),
        cmocka_unit_test(a_sync_may_fail_at_any_time),
        cmocka_unit_test(the_disk_may_be_full_at_any_byte),
        cmocka_unit_test(an_open_may_fail_at_any_time),
        cmocka_unit_test(a_truncation_may_fail_at_any_time),
        cmocka_unit_test(a_read_may_fail_at_any_time),
        cmocka_unit_test(the_index_may_fail_to_be_mapped_at_any_time),
        cmocka_unit_test(a_refused_batch_leaves_nothing_to_the_next_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
