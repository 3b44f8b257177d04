/* moment_test.c: copies of several stores show one instant, however busily their owner writes them. */
#include "store/moment.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/store/store_help.h"
#include "store/look.h"

#define MOMENTS 25

static char place[] = "/tmp/arbiter-moment-XXXXXX";

static const char *in_place(const char *name)
{
    static char paths[8][256];
    static int  next;
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", place, name);
    return paths[next];
}

static struct store *must_open(const char *folder)
{
    struct text   fault;
    struct store *store = store_open(&help_schema_2, in_place(folder), &fault);
    if (store == NULL)
        fail_msg("%s", fault.bytes);
    return store;
}

/* A moment may hold it up for longer than the store waits by itself; the shell asks again, too. */
static void commit_act(struct store *store, uint64_t number)
{
    enum store_outcome outcome = STORE_BUSY;
    while (outcome == STORE_BUSY) {
        struct help_batch batch;
        help_begin(&batch);
        help_act(&batch, "a", number, "something that was done");
        outcome = help_commit(store, &batch);
    }
    if (outcome != STORE_COMMITTED)
        _exit(1);
}

/* Act n is in the first store before it is in the second one, and act n + 1 in neither until then. */
static void write_for_ever(int begun)
{
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL); /* A test that fails leaves nobody behind. */
    struct store *first = must_open("first"), *second = must_open("second");
    for (uint64_t number = 1;; number++) {
        commit_act(first, number);
        commit_act(second, number);
        if (number == 1 && write(begun, "1", 1) != 1)
            _exit(1);
    }
}

static bool count(void *taker, const struct row *row)
{
    (void) row;
    (*(uint64_t *) taker)++;
    return true;
}

static uint64_t acts_in(const char *folder)
{
    struct text   fault;
    uint64_t      acts = 0;
    struct query  all = { .table = TRIAL_ACTS };
    struct store *store = store_open_reader(&help_schema_2, in_place(folder), &fault);
    if (store == NULL)
        fail_msg("%s", fault.bytes);
    assert_true(store_read(store, &all, count, &acts));
    store_close(&store);
    return acts;
}

static struct moment *must_take(void)
{
    struct text    fault;
    const char    *paths[] = { in_place("first/trial.db"), in_place("second/trial.db") };
    struct moment *moment = moment_take(paths, 2, &fault);
    if (moment == NULL)
        fail_msg("%s", fault.bytes);
    return moment;
}

static void forget(const char *folder)
{
    static const char *const names[] = { "trial.db", "trial.db-wal", "trial.db-shm",
                                         "trial.db.part" };
    char                     path[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", in_place(folder), names[i]);
        unlink(path);
    }
    rmdir(in_place(folder));
}

static void copies_show_one_instant_under_load(void **unused)
{
    (void) unused;
    struct text fault;
    uint64_t    before = 0;
    int         ended = 0, begun[2];
    char        byte;
    assert_int_equal(pipe(begun), 0);
    pid_t writer = fork();
    if (writer == 0)
        write_for_ever(begun[1]);
    assert_true(writer > 0);
    (void) close(begun[1]);
    assert_int_equal(read(begun[0], &byte, 1), 1);
    (void) close(begun[0]);
    for (int i = 0; i < MOMENTS; i++) {
        usleep(5000);
        struct moment *moment = must_take();
        usleep(2000); /* The writer goes on; what is copied stays. */
        for (uint32_t file = 0; file < 2; file++)
            if (!moment_copy(moment, file, in_place(file == 0 ? "copy1" : "copy2"), "trial.db",
                             NULL, NULL, &fault))
                fail_msg("%s", fault.bytes);
        moment_release(&moment);
        uint64_t first = acts_in("copy1"), second = acts_in("copy2");
        assert_true(first == second || first == second + 1);
        assert_true(first >= before);
        before = first;
        forget("copy1");
        forget("copy2");
    }
    assert_true(before > 0);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, &ended, 0), writer);
    assert_true(WIFSIGNALED(ended));
}

static bool refuse(void *taker, uint64_t bytes)
{
    (void) bytes;
    (*(int *) taker)++;
    return false;
}

static void a_copy_that_is_broken_off_is_not_there(void **unused)
{
    (void) unused;
    struct text    fault;
    int            asked = 0;
    struct moment *moment = must_take();
    assert_false(moment_copy(moment, 0, in_place("copy1"), "trial.db", refuse, &asked, &fault));
    assert_int_equal(asked, 1);
    assert_non_null(strstr(fault.bytes, "broken off"));
    assert_int_not_equal(access(in_place("copy1/trial.db"), F_OK), 0);
    assert_int_not_equal(access(in_place("copy1/trial.db.part"), F_OK), 0);
    /* The same moment can be copied again, and then never over what is there. */
    assert_true(moment_copy(moment, 0, in_place("copy1"), "trial.db", NULL, NULL, &fault));
    assert_false(moment_copy(moment, 0, in_place("copy1"), "trial.db", NULL, NULL, &fault));
    assert_non_null(strstr(fault.bytes, "name another folder"));
    moment_release(&moment);
    forget("copy1");
}

static void what_is_not_there_is_named(void **unused)
{
    (void) unused;
    struct text fault;
    const char *paths[] = { in_place("first/trial.db"), in_place("nothing.db") };
    assert_null(moment_take(paths, 2, &fault));
    assert_non_null(strstr(fault.bytes, "nothing.db"));
}

static void a_look_says_who_owns_it_and_whether_it_is_sound(void **unused)
{
    (void) unused;
    struct text       fault;
    struct store_look look;
    struct store     *store = must_open("first");
    assert_true(store_look(in_place("first"), "trial", false, true, &look, &fault));
    assert_int_equal(look.owner, getpid());
    assert_int_equal(look.version, 2);
    assert_true(look.bytes > 0);
    store_close(&store);
    assert_true(store_look(in_place("first"), "trial", false, false, &look, &fault));
    assert_int_equal(look.owner, 0);
    struct moment *moment = must_take(); /* A copy: what lies in a log is not looked at twice. */
    assert_true(moment_copy(moment, 0, in_place("copy1"), "trial.db", NULL, NULL, &fault));
    moment_release(&moment);
    assert_true(store_look(in_place("copy1"), "trial", true, true, &look, &fault));
    FILE *file = fopen(in_place("copy1/trial.db"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
    for (int i = 0; i < 8192; i++)
        fputc('x', file);
    assert_int_equal(fclose(file), 0);
    assert_false(store_look(in_place("copy1"), "trial", true, true, &look, &fault));
    assert_true(strstr(fault.bytes, "damaged") != NULL || strstr(fault.bytes, "malformed") != NULL);
    forget("copy1");
}

static int make_place(void **unused)
{
    (void) unused;
    return mkdtemp(place) == NULL || mkdir(in_place("first"), 0700) != 0 ||
           mkdir(in_place("second"), 0700) != 0;
}

static int leave_place(void **unused)
{
    (void) unused;
    forget("first");
    forget("second");
    unlink(in_place("first/trial.lock"));
    unlink(in_place("second/trial.lock"));
    rmdir(in_place("first"));
    rmdir(in_place("second"));
    return rmdir(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_show_one_instant_under_load),
        cmocka_unit_test(a_copy_that_is_broken_off_is_not_there),
        cmocka_unit_test(what_is_not_there_is_named),
        cmocka_unit_test(a_look_says_who_owns_it_and_whether_it_is_sound),
    };
    return cmocka_run_group_tests(tests, make_place, leave_place);
}
