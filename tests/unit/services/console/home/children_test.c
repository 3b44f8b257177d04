/* children_test.c: a child that dies is started again, later each time; one that is told to stop
 * stops. */
#include "services/console/home/children.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct children children;
static char            told[4096], folder[64], log_file[96];

static void tell(const struct child *child, const char *sentence)
{
    size_t used = strlen(told);
    (void) snprintf(told + used, sizeof told - used, "%s %s\n", child->name, sentence);
}

static int a_folder_for_logs(void **unused)
{
    (void) unused;
    memset(&children, 0, sizeof children);
    told[0] = '\0';
    children.tell = tell;
    (void) snprintf(folder, sizeof folder, "%s/children-XXXXXX",
                    getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void) snprintf(log_file, sizeof log_file, "%s/log", folder);
    return 0;
}

static int nobody_is_left(void **unused)
{
    (void) unused;
    (void) children_stop(&children, 5);
    (void) unlink(log_file);
    return rmdir(folder);
}

static struct child *add(const char *name, const char *script)
{
    struct child *child = &children.child[children.count++];
    child->name = name;
    child->log = log_file;
    child->words[0] = "/bin/sh";
    child->words[1] = "-c";
    child->words[2] = script;
    return child;
}

/* Waits until the child has ended, without taking that from whom it is for. */
static void until_ended(const struct child *child)
{
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t) child->pid, &info, WEXITED | WNOWAIT), 0);
}

static void who_dies_is_started_again_later_each_time(void **unused)
{
    (void) unused;
    struct child *child = add("short", "exit 3");
    double        now = 100;
    for (int time = 0; time < 6; time++) {
        double wait = 0.25 * (1 << time);
        assert_int_equal(children_tend(&children, now), 1);
        until_ended(child);
        assert_int_equal(children_tend(&children, now), 0);
        assert_true(child->next == now + wait);
        assert_int_equal(children_tend(&children, now + wait - 0.01), 0);
        now += wait;
    }
    assert_int_equal(child->restarts, 6);
    assert_non_null(strstr(told, "short ended with 3"));
}

static void who_lived_long_is_started_again_at_once(void **unused)
{
    (void) unused;
    struct child *child = add("long", "exit 0");
    child->deaths = 5;
    (void) children_tend(&children, 100);
    until_ended(child);
    (void) children_tend(&children, 131);
    assert_true(child->next == 131.25);
}

static void a_killed_child_is_noticed_and_named(void **unused)
{
    (void) unused;
    struct child *child = add("victim", "exec sleep 600");
    assert_int_equal(children_tend(&children, 1), 1);
    assert_int_equal(kill(child->pid, SIGKILL), 0);
    until_ended(child);
    assert_int_equal(children_tend(&children, 2), 0);
    assert_non_null(strstr(told, "victim was killed (signal 9)"));
}

static void who_ends_is_told_with_the_last_line_of_its_log(void **unused)
{
    (void) unused;
    struct child *child = add("sorry", "echo begun; echo the door is taken; exit 1");
    (void) children_tend(&children, 1);
    until_ended(child);
    (void) children_tend(&children, 2);
    assert_non_null(strstr(told, " says why: the door is taken\n"));
}

static void a_child_that_does_not_listen_yet_survives_a_reload(void **unused)
{
    (void) unused;
    struct child *child = add("young", "kill -HUP $$; exit 5");
    (void) children_tend(&children, 1);
    until_ended(child);
    (void) children_tend(&children, 2);
    assert_non_null(strstr(told, "young ended with 5"));
}

static void what_they_write_goes_to_the_log(void **unused)
{
    (void) unused;
    struct child *child = add("loud", "echo out; echo err >&2");
    char          line[64] = "";
    (void) children_tend(&children, 1);
    until_ended(child);
    FILE *log = fopen(log_file, "r");
    assert_non_null(log);
    assert_non_null(fgets(line, sizeof line, log));
    assert_string_equal(line, "out\n");
    assert_non_null(fgets(line, sizeof line, log));
    assert_string_equal(line, "err\n");
    (void) fclose(log);
}

/* The script says that its trap stands by making the log, so the signal cannot come too early. */
static void until_written(void)
{
    FILE *log = NULL;
    while ((log = fopen(log_file, "r")) == NULL || fgetc(log) == EOF)
        if (log != NULL)
            (void) fclose(log);
    (void) fclose(log);
}

static void who_is_told_to_stop_may_finish(void **unused)
{
    (void) unused;
    (void) add("polite", "trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done");
    (void) children_tend(&children, 1);
    until_written();
    assert_true(children_stop(&children, 60));
    assert_null(strstr(told, "killed"));
}

/* A child that is told so at once does not listen for it yet, and has nothing to finish. */
static void who_is_stopped_before_he_listens_has_ended_well(void **unused)
{
    (void) unused;
    (void) add("early", "echo ready; while :; do sleep 0.01; done");
    (void) children_tend(&children, 1);
    until_written();
    assert_true(children_stop(&children, 60));
}

static void who_does_not_stop_is_killed(void **unused)
{
    (void) unused;
    (void) add("stubborn", "trap '' TERM; echo ready; while :; do sleep 0.01; done");
    (void) children_tend(&children, 1);
    until_written();
    assert_false(children_stop(&children, 0.1));
    assert_non_null(strstr(told, "stubborn does not stop; killed"));
}

static void what_cannot_be_run_ends_with_127(void **unused)
{
    (void) unused;
    struct child *child = add("absent", "");
    child->words[0] = "/no/such/program";
    (void) children_tend(&children, 1);
    until_ended(child);
    (void) children_tend(&children, 1);
    assert_non_null(strstr(told, "absent ended with 127"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, a_folder_for_logs, nobody_is_left)
    const struct CMUnitTest tests[] = {
        TEST(who_dies_is_started_again_later_each_time),
        TEST(who_lived_long_is_started_again_at_once),
        TEST(a_killed_child_is_noticed_and_named),
        TEST(who_ends_is_told_with_the_last_line_of_its_log),
        TEST(a_child_that_does_not_listen_yet_survives_a_reload),
        TEST(what_they_write_goes_to_the_log),
        TEST(who_is_told_to_stop_may_finish),
        TEST(who_is_stopped_before_he_listens_has_ended_well),
        TEST(who_does_not_stop_is_killed),
        TEST(what_cannot_be_run_ends_with_127),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
