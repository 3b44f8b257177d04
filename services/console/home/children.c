/* children.c: starting, watching and ending the processes of one machine. */
#include "services/console/home/children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "services/console/command/progress.h"

#define FIRST_WAIT_S 0.25
#define LAST_WAIT_S 8.0
#define LIVED_LONG_S 30.0
#define LAST_LINE 256

/* In the child, between fork and exec: only what may be called there. */
static void become(const struct child *child, pid_t parent)
{
    int      log = open(child->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int      nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t again;
    if (log < 0 || nothing < 0 || dup2(log, STDERR_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(nothing, STDIN_FILENO) < 0)
        _exit(127);
    /* A group of its own: Ctrl-C at the terminal is for the parent, which stops them in order. */
    (void) setpgid(0, 0);
    (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    /* Whoever asks it to read its settings again before it listens for that must not end it. */
    (void) sigemptyset(&again);
    (void) sigaddset(&again, SIGHUP);
    (void) sigprocmask(SIG_BLOCK, &again, NULL);
    execv(child->words[0], (char *const *) child->words);
    _exit(127);
}

static void start(struct children *children, struct child *child, double now)
{
    char  sentence[160];
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(child, parent);
    if (pid < 0) {
        (void) snprintf(sentence, sizeof sentence, "cannot be started: %s", strerror(errno));
        children->tell(child, sentence);
        child->next = now + LAST_WAIT_S;
        return;
    }
    child->pid = pid;
    child->started = now;
    (void) snprintf(sentence, sizeof sentence,
                    child->restarts > 0 ? "runs again (%d)" : "runs (%d)", (int) pid);
    children->tell(child, sentence);
}

/* The last line of its log: the log of a home that is for one evening goes with it. */
static void read_last(const char *log, char line[LAST_LINE])
{
    char    end[LAST_LINE];
    int     file = open(log, O_RDONLY | O_CLOEXEC);
    off_t   size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    off_t   from = size > LAST_LINE - 1 ? size - (LAST_LINE - 1) : 0;
    ssize_t count = file < 0 ? 0 : pread(file, end, LAST_LINE - 1, from);
    while (count > 0 && end[count - 1] == '\n')
        count--;
    end[count > 0 ? count : 0] = '\0';
    const char *last = strrchr(end, '\n');
    (void) snprintf(line, LAST_LINE, "%s", last == NULL ? end : last + 1);
    if (file >= 0)
        (void) close(file);
}

static void describe(char *sentence, size_t size, const struct child *child, double wait)
{
    char last[LAST_LINE];
    read_last(child->log, last);
    if (WIFSIGNALED(child->ended))
        (void) snprintf(sentence, size, "was killed (signal %d); again in %.2g s",
                        WTERMSIG(child->ended), wait);
    else
        (void) snprintf(sentence, size, "ended with %d; again in %.2g s; %s says why%s%s",
                        WEXITSTATUS(child->ended), wait, child->log, last[0] == '\0' ? "" : ": ",
                        last);
}

static void bury(struct children *children, struct child *child, double now)
{
    char   sentence[768];
    double wait = FIRST_WAIT_S;
    child->deaths = now - child->started >= LIVED_LONG_S ? 1 : child->deaths + 1;
    for (uint32_t i = 1; i < child->deaths && wait < LAST_WAIT_S; i++)
        wait *= 2;
    child->pid = 0;
    child->restarts++;
    child->next = now + wait;
    describe(sentence, sizeof sentence, child, wait);
    children->tell(child, sentence);
}

uint32_t children_tend(struct children *children, double now)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < children->count; i++) {
        struct child *child = &children->child[i];
        if (child->pid > 0 && waitpid(child->pid, &child->ended, WNOHANG) == child->pid)
            bury(children, child, now);
        if (child->pid == 0 && now >= child->next)
            start(children, child, now);
        running += child->pid > 0;
    }
    return running;
}

static void rest(void)
{
    struct timespec pause = { .tv_nsec = 10000000 };
    (void) nanosleep(&pause, NULL);
}

/* By itself, with 0; or by the signal, which it did not listen for yet, and then there was nothing to finish. */
static bool has_ended_well(int ended)
{
    return (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) ||
           (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
}

static bool stop(struct children *children, struct child *child, double patience)
{
    double begun = seconds_now();
    /* A stopped one could not hear the other. Sent behind it, it would undo the stop by which a
     * sanitizer looks at a process that ends. Then the sanitizer looks for ever. */
    (void) kill(child->pid, SIGCONT);
    (void) kill(child->pid, SIGTERM);
    while (waitpid(child->pid, &child->ended, WNOHANG) == 0) {
        if (seconds_now() - begun < patience) {
            rest();
            continue;
        }
        children->tell(child, "does not stop; killed");
        (void) kill(child->pid, SIGKILL);
        (void) waitpid(child->pid, &child->ended, 0);
        break;
    }
    child->pid = 0;
    return has_ended_well(child->ended);
}

bool children_stop(struct children *children, double patience)
{
    bool well = true;
    for (uint32_t i = children->count; i-- > 0;)
        if (children->child[i].pid > 0)
            well = stop(children, &children->child[i], patience) && well;
    return well;
}
