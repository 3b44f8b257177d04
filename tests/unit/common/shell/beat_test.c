/* beat_test.c: a loop that stands still ends its process, one that waits for its store does not; and what systemd is told. */
#include "common/shell/toy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell/supervisor.h"

#define STUCK_MS 500
#define LONG_MS 2500 /* Five times as long. */
#define SILENCE_MS 1500
#define STANDS_STILL 7

static struct toy_world world;
static char name[64]; /* Of the socket on which the test plays systemd; empty: nobody does. */

static void beat_and_judge(struct toy_world *changed)
{
    changed->settings.beats = true;
    changed->settings.stuck_ms = STUCK_MS;
    changed->settings.supervisor = name;
}

static void beat_only(struct toy_world *changed)
{
    beat_and_judge(changed);
    changed->settings.stuck_ms = 0;
}

static void have_a_slow_store(struct toy_world *changed)
{
    beat_and_judge(changed);
    changed->toy->store_ms = LONG_MS;
}

/* A process with a toy, to which these nonces are said; 0 is the last. Each
 * is answered, but the one it hangs by; then it is asked to stop. */
static pid_t start(void (*change)(struct toy_world *), const uint64_t *nonces)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    toy_world_open(&world, change);
    toy_world_run(&world);
    uint64_t number = 0;
    for (; *nonces != 0; nonces++) {
        toy_world_ping(&world, *nonces);
        if (*nonces == TOY_HANG) {
            (void) usleep(LONG_MS * 1000);
            _exit(STANDS_STILL);
        }
        while (toy_world_hear(&world, &number) == 0)
            ;
    }
    shell_stop(world.shell);
    _exit(toy_world_end(&world));
}

static int end_of(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void a_loop_that_stands_still_ends_the_process(void **unused)
{
    (void) unused;
    static const uint64_t nonces[] = { 1, TOY_HANG, 0 };
    assert_int_equal(end_of(start(beat_and_judge, nonces)), -SIGABRT);
}

static void where_nobody_wants_that_it_stands_still(void **unused)
{
    (void) unused;
    static const uint64_t nonces[] = { 1, TOY_HANG, 0 };
    assert_int_equal(end_of(start(beat_only, nonces)), STANDS_STILL);
}

static void a_slow_store_ends_nothing(void **unused)
{
    (void) unused;
    static const uint64_t commit[] = { 1, 0 };
    static const uint64_t read[] = { TOY_READ, 0 };
    pid_t children[] = { start(have_a_slow_store, commit), start(have_a_slow_store, read) };
    for (int i = 0; i < 2; i++)
        assert_int_equal(end_of(children[i]), SHELL_DONE);
}

/* The process is stopped as a whole, and goes on. */
static void a_process_that_was_stopped_goes_on(void **unused)
{
    (void) unused;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        toy_world_open(&world, beat_and_judge);
        toy_world_run(&world);
        (void) usleep(LONG_MS * 1000);
        shell_stop(world.shell);
        _exit(toy_world_end(&world));
    }
    (void) usleep(STUCK_MS * 1000);
    assert_int_equal(kill(child, SIGSTOP), 0);
    (void) usleep(3 * STUCK_MS * 1000);
    assert_int_equal(kill(child, SIGCONT), 0);
    assert_int_equal(end_of(child), SHELL_DONE);
}

/* systemd's socket, in the abstract namespace. */
static int play_systemd(void)
{
    struct sockaddr_un here = { .sun_family = AF_UNIX };
    int                socket_file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int                length = snprintf(name, sizeof name, "@arbiter-beat-%ld", (long) getpid());
    memcpy(here.sun_path + 1, name + 1, (size_t) length - 1);
    socklen_t size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + (size_t) length);
    assert_int_equal(bind(socket_file, (struct sockaddr *) &here, size), 0);
    return socket_file;
}

/* What comes within so long; "": nothing. */
static void hear(int systemd, char word[32], long ms)
{
    struct timeval patience = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };
    assert_int_equal(setsockopt(systemd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    ssize_t size = recv(systemd, word, 31, 0);
    word[size > 0 ? size : 0] = '\0';
}

static void systemd_hears_of_a_loop_that_turns_and_of_no_other(void **unused)
{
    (void) unused;
    static const uint64_t nonces[] = { 1, TOY_HANG, 0 };
    char                  word[32];
    int                   systemd = play_systemd();
    pid_t                 child = start(beat_only, nonces);
    hear(systemd, word, PATIENCE_MS);
    assert_string_equal(word, SUPERVISOR_READY);
    for (hear(systemd, word, SILENCE_MS); word[0] != '\0'; hear(systemd, word, SILENCE_MS))
        assert_string_equal(word, SUPERVISOR_ALIVE);
    assert_int_equal(waitpid(child, NULL, WNOHANG),
                     0); /* It is still there, and nobody vouches for it. */
    assert_int_equal(end_of(child), STANDS_STILL);
    (void) close(systemd);
    name[0] = '\0';
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_that_stands_still_ends_the_process),
        cmocka_unit_test(where_nobody_wants_that_it_stands_still),
        cmocka_unit_test(a_slow_store_ends_nothing),
        cmocka_unit_test(a_process_that_was_stopped_goes_on),
        cmocka_unit_test(systemd_hears_of_a_loop_that_turns_and_of_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
