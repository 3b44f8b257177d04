/* contestant.c: see contestant.h. */
#include "services/console/tournament/contestant.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "services/console/command/holes.h"
#include "services/console/command/progress.h"
#include "services/console/command/terminal.h"
#include "services/console/tournament/sandbox.h"

#define LINE_MAX_BYTES ((size_t) 1 << 20)
#define CONTESTANT_URL_MAX 128

/* What stands in braces in its command line; lines come by no address. */
#define HOLES 3

static size_t make_holes(struct hole holes[HOLES], const char *where, char url[CONTESTANT_URL_MAX])
{
    const char *authority = where != NULL ? strstr(where, "//") : NULL;
    const char *colon = where != NULL ? strrchr(where, ':') : NULL;
    if (where == NULL)
        return 0;
    (void) snprintf(url, CONTESTANT_URL_MAX, "http:%s", authority != NULL ? authority : where);
    holes[0] = (struct hole){ "{address}", where };
    holes[1] = (struct hole){ "{url}", url };
    holes[2] = (struct hole){ "{port}", colon != NULL ? colon + 1 : where };
    return HOLES;
}

/* The pipes between us and a program; `[0]` is the end to read from. */
struct pipes {
    int to[2], from[2], errors[2];
    int why[2]; /* What it has to say if it cannot be started. */
};

/* Between fork and exec: a group of its own, so that all it starts can be ended with it. A
 * contestant with a door elsewhere reads nothing here, and what it prints is nobody's. If nothing
 * comes of it, `why` says so; else it is closed by the exec. */
static void become(char *const *words, const char *where, const struct pipes *pipes,
                   uint64_t sandbox_mb)
{
    if (sandbox_mb > 0)
        sandbox_limit(sandbox_mb);
    (void) setpgid(0, 0);
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void) signal(SIGPIPE, SIG_DFL);
    (void) signal(SIGINT, SIG_IGN);
    int in = where == NULL ? pipes->to[0] : open("/dev/null", O_RDONLY);
    int out = where == NULL ? pipes->from[1] : open("/dev/null", O_WRONLY);
    if (words[0] != NULL && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(pipes->errors[1], STDERR_FILENO) >= 0)
        (void) execvp(words[0], words);
    int number = errno;
    _exit(write(pipes->why[1], &number, sizeof number) == sizeof number ? 127 : 126);
}

/* What the other end of `why` has to say: nothing if the program runs. */
static int hear_why(int why)
{
    int     number = 0;
    ssize_t got;
    do
        got = read(why, &number, sizeof number);
    while (got < 0 && errno == EINTR);
    return got == sizeof number ? number : 0;
}

static void close_pipes(struct pipes *pipes)
{
    int *const all[] = { pipes->to, pipes->from, pipes->errors, pipes->why };
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t end = 0; end < 2; end++) {
            if (all[i][end] >= 0)
                (void) close(all[i][end]);
            all[i][end] = -1;
        }
}

static bool open_pipes(struct pipes *pipes)
{
    *pipes = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
    if (pipe2(pipes->to, O_CLOEXEC) == 0 && pipe2(pipes->from, O_CLOEXEC) == 0 &&
        pipe2(pipes->errors, O_CLOEXEC) == 0 && pipe2(pipes->why, O_CLOEXEC) == 0)
        return true;
    int number = errno;
    close_pipes(pipes);
    errno = number;
    return false;
}

static pid_t start(const struct contestant *of, const char *where, const struct pipes *pipes)
{
    char          *words[CONTESTANT_WORDS_MAX + 1] = { NULL };
    struct sandbox sandbox = { .count = 0 };
    struct hole    holes[HOLES];
    char           url[CONTESTANT_URL_MAX];
    size_t         count = make_holes(holes, where, url);
    for (size_t i = 0; of->words[i] != NULL; i++)
        words[i] = holes_fill(of->words[i], holes, count);
    if (of->sandbox_mb > 0)
        sandbox_make(&sandbox, words, where != NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(of->sandbox_mb > 0 ? sandbox.words : words, where, pipes, of->sandbox_mb);
    int number = errno;
    sandbox_drop(&sandbox);
    for (size_t i = 0; words[i] != NULL; i++)
        free(words[i]);
    errno = number;
    return pid;
}

static int take_end(int *end)
{
    int taken = *end;
    *end = -1;
    return taken;
}

int contestant_start(struct contestant_run *run, const struct contestant *of, const char *where,
                     uint64_t limit_ms, uint64_t start_ms)
{
    struct pipes pipes;
    memset(run, 0, sizeof *run);
    run->limit_ms = limit_ms;
    run->start_ms = start_ms;
    run->line = malloc(LINE_MAX_BYTES);
    if (run->line == NULL)
        return ENOMEM;
    if (!open_pipes(&pipes))
        return errno;
    pid_t pid = start(of, where, &pipes);
    int   number = pid < 0 ? errno : 0;
    if (pid > 0) {
        run->pid = pid; /* To be buried, even if it came to nothing. */
        run->to = take_end(&pipes.to[1]);
        run->from = take_end(&pipes.from[0]);
        run->errors = take_end(&pipes.errors[0]);
        (void) fcntl(run->to, F_SETFL, O_NONBLOCK);
        (void) fcntl(run->errors, F_SETFL, O_NONBLOCK);
        (void) close(take_end(&pipes.why[1]));
        number = hear_why(pipes.why[0]);
    }
    close_pipes(&pipes);
    return number;
}

/* The last bytes alone are kept. */
static void keep_last(struct contestant_run *run, const char *bytes, size_t size)
{
    size_t room = sizeof run->last, keep = size < room ? size : room;
    size_t old = run->last_size < room - keep ? run->last_size : room - keep;
    memmove(run->last, run->last + run->last_size - old, old);
    memcpy(run->last + old, bytes + size - keep, keep);
    run->last_size = old + keep;
}

/* A contestant that prints faster than we read is heard as long as a pipe is, and then again
 * later. */
#define DRAINS_MAX 64

void contestant_drain(struct contestant_run *run)
{
    char    bytes[4096];
    ssize_t got = 1;
    for (uint32_t i = 0; i < DRAINS_MAX && run->pid > 0 && run->errors >= 0 && got > 0; i++) {
        got = read(run->errors, bytes, sizeof bytes);
        if (got > 0) {
            keep_last(run, bytes, (size_t) got);
            if (run->errors_to != NULL)
                (void) fwrite(bytes, 1, (size_t) got, run->errors_to);
        } else if (got == 0) {
            (void) close(take_end(&run->errors));
        }
    }
}

static bool is_space(char letter)
{
    return strchr(" \t\r\n", letter) != NULL;
}

void contestant_last_words(struct contestant_run *run, char words[CONTESTANT_SAID_MAX])
{
    char  *shown = NULL;
    size_t size = 0;
    contestant_drain(run);
    size_t end = run->last_size, from;
    while (end > 0 && is_space(run->last[end - 1]))
        end--;
    for (from = end; from > 0 && run->last[from - 1] != '\n';)
        from--;
    while (from < end && is_space(run->last[from]))
        from++;
    FILE *out = open_memstream(&shown, &size);
    if (out == NULL)
        abort();
    terminal_put(out, run->last + from, end - from);
    (void) fclose(out);
    (void) snprintf(words, CONTESTANT_SAID_MAX, "%s", shown);
    free(shown);
}

/* Until it may be written to or has something to say, or the time is up. What it prints on its standard
 * error is taken meanwhile, so that it need not wait for us. */
static bool wait_for(struct contestant_run *run, bool to_write, double until_s)
{
    int  file = to_write ? run->to : run->from;
    bool is_ready = false;
    while (!is_ready) {
        fd_set         reads, writes;
        struct timeval time;
        int            most = file > run->errors ? file : run->errors;
        double         left_s = until_s - seconds_now();
        if (left_s <= 0 || most >= FD_SETSIZE)
            return false;
        time.tv_sec = (long) left_s;
        time.tv_usec = (long) ((left_s - (double) time.tv_sec) * 1e6);
        FD_ZERO(&reads);
        FD_ZERO(&writes);
        FD_SET(file, to_write ? &writes : &reads);
        if (run->errors >= 0)
            FD_SET(run->errors, &reads);
        if (select(most + 1, &reads, &writes, NULL, &time) <= 0)
            return false;
        contestant_drain(run);
        is_ready = FD_ISSET(file, to_write ? &writes : &reads);
    }
    return true;
}

int contestant_say(struct contestant_run *run, json_t *json)
{
    double until_s = seconds_now() + (double) run->limit_ms / 1000;
    char  *text = json_dumps(json, JSON_COMPACT);
    size_t size = text != NULL ? strlen(text) : 0, done = 0;
    int    number = size > 0 ? 0 : EINVAL;
    json_decref(json);
    if (text != NULL)
        text[size++] = '\n'; /* Where its NUL was. */
    while (number == 0 && done < size) {
        ssize_t put = write(run->to, text + done, size - done);
        if (put > 0)
            done += (size_t) put;
        else if (errno != EAGAIN)
            number = errno;
        else if (!wait_for(run, true, until_s))
            number = EAGAIN;
    }
    free(text);
    return number;
}

/* Takes the first line off what has come; NULL: there is no whole one yet. */
static json_t *take_line(struct contestant_run *run, bool *is_line)
{
    const char *end = memchr(run->line, '\n', run->size);
    *is_line = end != NULL;
    if (end == NULL)
        return NULL;
    size_t  size = (size_t) (end - run->line);
    json_t *json = json_loadb(run->line, size, JSON_REJECT_DUPLICATES, NULL);
    run->size -= size + 1;
    memmove(run->line, end + 1, run->size);
    return json;
}

uint64_t contestant_time_ms(const struct contestant_run *run)
{
    return run->limit_ms + (run->has_answered ? 0 : run->start_ms);
}

void contestant_hung(struct contestant_run *run)
{
    uint64_t time_ms = contestant_time_ms(run);
    if (time_ms > run->slowest_ms)
        run->slowest_ms = time_ms;
}

json_t *contestant_hear(struct contestant_run *run, const char **why)
{
    double begun_s = seconds_now();
    double until_s = begun_s + (double) contestant_time_ms(run) / 1000;
    bool   is_line = false;
    *why = "nonsense";
    json_t *json = take_line(run, &is_line);
    while (!is_line && run->size < LINE_MAX_BYTES) {
        if (!wait_for(run, false, until_s)) {
            contestant_hung(run);
            *why = "hung";
            return NULL;
        }
        ssize_t got = read(run->from, run->line + run->size, LINE_MAX_BYTES - run->size);
        if (got <= 0) {
            *why = "crashed";
            return NULL;
        }
        run->size += (size_t) got;
        json = take_line(run, &is_line);
    }
    bool was_awake = run->has_answered;
    run->has_answered = true;
    run->latency_ms = was_awake ? (uint64_t) ((seconds_now() - begun_s) * 1000) : 0;
    if (run->latency_ms > run->slowest_ms)
        run->slowest_ms = run->latency_ms;
    return json;
}

bool contestant_is_gone(const struct contestant_run *run)
{
    siginfo_t ended = { 0 };
    return run->pid <= 0 ||
           (waitid(P_PID, (id_t) run->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid == run->pid);
}

void contestant_end(struct contestant_run *run)
{
    if (run->pid > 0) {
        (void) close(run->to);
        (void) close(run->from);
        (void) kill(-run->pid, SIGKILL);
        (void) kill(run->pid, SIGKILL);
        while (waitpid(run->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        contestant_drain(run); /* What it had printed and nobody had taken. */
        if (run->errors >= 0)
            (void) close(run->errors);
    }
    free(run->line);
    run->line = NULL;
    run->pid = 0;
}

/* A process without a parent becomes our child: so none gets away by leaving its group. */
void contestants_adopt_strays(void)
{
    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Ends those who are our children now; false: there are none. */
static bool end_some(void)
{
    char  line[4096] = "", *at = line;
    char *end;
    (void) snprintf(line, sizeof line, "/proc/self/task/%d/children", (int) getpid());
    FILE *list = fopen(line, "r");
    if (list == NULL || fgets(line, sizeof line, list) == NULL)
        line[0] = '\0';
    if (list != NULL)
        (void) fclose(list);
    for (long pid = strtol(at, &end, 10); end != at; pid = strtol(at, &end, 10)) {
        (void) kill((pid_t) pid, SIGKILL);
        while (waitpid((pid_t) pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        at = end;
    }
    return at != line;
}

void contestants_end_strays(void)
{
    while (end_some())
        continue;
}
