/* interrupt_test.c: however a run is ended, it ends as it should and leaves no half-written file. */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/arbiter-test-XXXXXX";

static int make_folder(void **unused)
{
    (void) unused;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **unused)
{
    (void) unused;
    return rmdir(folder); /* Fails, and the tests with it, if anything was left there. */
}

/* A match at random of which nobody sees the end, shown and traced. `ignored` is a signal whose caller
 * has us ignore it, or 0. */
static pid_t start(int *output, int ignored)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (ignored != 0)
            (void) signal(ignored, SIG_IGN);
        if (chdir(folder) == 0 && dup2(ends[1], STDOUT_FILENO) >= 0 && close(ends[0]) == 0 &&
            close(ends[1]) == 0)
            execl(ARBITER_BINARY, "arbiter", "simulate", "quests", "--config", "plain", "--policy",
                  "random", "--most", "4000000000", "--show", "--trace", "a.match", (char *) NULL);
        _exit(99);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

/* Reads until so many bytes have come, or no more come. */
static size_t read_some(int output, size_t most)
{
    static char bytes[1 << 16];
    size_t      size = 0;
    ssize_t     got = 1;
    while (size < most && (got = read(output, bytes, sizeof bytes)) > 0)
        size += (size_t) got;
    return size;
}

/* Waits for its end; returns the status, with nothing left in the folder. */
static int status_of(pid_t child)
{
    char path[64];
    int  status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    snprintf(path, sizeof path, "%s/a.match.part", folder);
    assert_int_not_equal(access(path, F_OK), 0);
    return status;
}

/* Sends a signal and waits until the kernel says that it has been taken, or that it was the end. */
static void signal_and_wait(pid_t child, int number)
{
    char     path[64], line[256];
    uint64_t pending = 1;
    bool     ended = false;
    snprintf(path, sizeof path, "/proc/%d/status", (int) child);
    kill(child, number);
    while (pending != 0 && !ended) {
        FILE *status = fopen(path, "r");
        assert_non_null(status);
        while (fgets(line, sizeof line, status) != NULL) {
            if (strncmp(line, "ShdPnd:", 7) == 0)
                pending = strtoull(line + 7, NULL, 16);
            ended = ended || strncmp(line, "State:\tZ", 8) == 0;
        }
        fclose(status);
        sched_yield();
    }
}

static void who_is_asked_to_end_takes_the_half_file_away(void **unused)
{
    (void) unused;
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int   output;
        pid_t child = start(&output, 0);
        assert_true(read_some(output, 1) > 0); /* It plays. */
        kill(child, numbers[i]);
        (void) read_some(output, SIZE_MAX);
        int status = status_of(child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        close(output);
    }
}

/* As timeout(1) does it: to the process, and to its group. We read nothing meanwhile, so it waits for us
 * to and cannot be at its end already. */
static void two_signals_are_as_good_as_one(void **unused)
{
    (void) unused;
    int   output;
    pid_t child = start(&output, 0);
    assert_true(read_some(output, 1) > 0);
    signal_and_wait(child, SIGINT);
    signal_and_wait(child, SIGINT);
    (void) read_some(output, SIZE_MAX);
    int status = status_of(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    close(output);
}

static void who_is_read_no_more_ends_as_others_do(void **unused)
{
    (void) unused;
    int   output;
    pid_t child = start(&output, 0);
    assert_true(read_some(output, 1) > 0);
    close(output);
    int status = status_of(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGPIPE);
}

/* What nohup is for. */
static void a_signal_that_is_ignored_stays_ignored(void **unused)
{
    (void) unused;
    int   output;
    pid_t child = start(&output, SIGHUP);
    assert_true(read_some(output, 1) > 0);
    kill(child, SIGHUP);
    assert_true(read_some(output, 10000000) >= 10000000); /* It plays on. */
    kill(child, SIGINT);
    (void) read_some(output, SIZE_MAX);
    int status = status_of(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    close(output);
}

/* Judges two set-ups, of which the first is a pipe and ends when we want it to. */
static pid_t start_to_judge(const char *pipe_name, int *output)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(ends[1], STDOUT_FILENO) >= 0 && close(ends[0]) == 0 && close(ends[1]) == 0)
            execl(ARBITER_BINARY, "arbiter", "check-config", "nim", pipe_name,
                  ARBITER_SOURCE "/tests/unit/services/console/absent.json", (char *) NULL);
        _exit(99);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

/* Else it would say that the second is not there, and end with 3. */
static void of_many_set_ups_no_more_are_judged(void **unused)
{
    (void) unused;
    char name[64];
    int  output, status = 0;
    snprintf(name, sizeof name, "%s/setup", folder);
    assert_int_equal(mkfifo(name, 0600), 0);
    pid_t child = start_to_judge(name, &output);
    int   setup = open(name, O_WRONLY); /* Returns when it reads. */
    assert_true(setup >= 0);
    signal_and_wait(child, SIGTERM);
    close(setup);
    assert_int_equal(unlink(name), 0);
    (void) read_some(output, SIZE_MAX);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    close(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_asked_to_end_takes_the_half_file_away),
        cmocka_unit_test(two_signals_are_as_good_as_one),
        cmocka_unit_test(who_is_read_no_more_ends_as_others_do),
        cmocka_unit_test(a_signal_that_is_ignored_stays_ignored),
        cmocka_unit_test(of_many_set_ups_no_more_are_judged),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
