/* started.c: see started.h. */
#include "services/console/judge/started.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "services/console/command/holes.h"
#include "services/console/command/progress.h"

#define PATIENCE_S 3.0
#define LOOK_NS 5000000
#define FILE_BYTES_MOST ((rlim_t) 64 << 20)

static const char *const hole_names[START_HOLES] = {
    [START_PORT] = "{port}",       [START_CONFIG] = "{config}",   [START_SEED] = "{seed}",
    [START_TIMEOUT] = "{timeout}", [START_EDITION] = "{edition}",
};

const char *start_hole_name(enum start_hole hole)
{
    return hole_names[hole];
}

static void name_holes(struct hole holes[START_HOLES], const char *const values[START_HOLES])
{
    for (uint32_t i = 0; i < START_HOLES; i++)
        holes[i] = (struct hole){ hole_names[i], values != NULL ? values[i] : NULL };
}

/* Splitting. */

/* One word from `at` on, which is moved behind it; NULL: a quote has no end. The caller frees it. */
static char *take_word(const char **at)
{
    char  *word = calloc(1, strlen(*at) + 1);
    size_t size = 0;
    char   quote = '\0';
    if (word == NULL)
        abort();
    for (; **at != '\0' && (quote != '\0' || strchr(" \t\r\n", **at) == NULL); ++*at) {
        if (**at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (**at == '\'' || **at == '"')) {
            quote = **at;
        } else {
            bool is_escape = **at == '\\' && quote != '\'' && (*at)[1] != '\0';
            *at += is_escape;
            word[size++] = **at;
        }
    }
    if (quote == '\0')
        return word;
    free(word);
    return NULL;
}

/* What only a shell would understand, where it stands by itself. */
static bool is_of_shells(const char *word)
{
    static const char *const signs[] = { "|", "||", "&", "&&", ";", "<", ">", ">>", "2>&1", NULL };
    for (uint32_t i = 0; signs[i] != NULL; i++)
        if (strcmp(signs[i], word) == 0)
            return true;
    return false;
}

/* Whether every brace is one of ours. */
static bool note_holes(struct start_line *line, const char *word, struct text *fault)
{
    struct hole holes[START_HOLES];
    name_holes(holes, NULL);
    for (const char *at = strchr(word, '{'); at != NULL; at = strchr(at + 1, '{')) {
        const struct hole *hole = hole_at(at, holes, START_HOLES);
        if (hole != NULL) {
            line->has[hole - holes] = true;
            continue;
        }
        text_put(fault, "there is no ");
        text_put(fault, at);
        text_put(fault, "; there are {port}, {config}, {seed}, {timeout} and {edition}");
        return false;
    }
    return true;
}

static bool add_word(struct start_line *line, char *word, struct text *fault)
{
    if (word == NULL) {
        text_put(fault, "a quote has no end");
        return false;
    }
    if (line->count == START_WORDS_MAX) {
        text_put(fault, "more than 64 words");
        free(word);
        return false;
    }
    line->word[line->count++] = word;
    if (is_of_shells(word)) {
        text_put(fault, "no shell reads it, so \"");
        text_put(fault, word);
        text_put(fault, "\" has no meaning; put it into a script, or say sh -c '...'");
        return false;
    }
    return note_holes(line, word, fault);
}

bool start_split(struct start_line *line, const char *command, struct text *fault)
{
    memset(line, 0, sizeof *line);
    text_clear(fault);
    bool good = true;
    while (good) {
        command += strspn(command, " \t\r\n");
        if (*command == '\0')
            break;
        good = add_word(line, take_word(&command), fault);
    }
    if (good && line->count == 0)
        text_put(fault, "it names no program");
    return good && line->count > 0;
}

void start_drop(struct start_line *line)
{
    for (uint32_t i = 0; i < line->count; i++)
        free(line->word[i]);
    memset(line, 0, sizeof *line);
}

/* Filling in. */

/* Whether something stands in this word that is to be left out. */
static bool is_left_out(const char *word, const struct hole holes[START_HOLES])
{
    for (uint32_t i = 0; i < START_HOLES; i++)
        if (holes[i].value == NULL && strstr(word, holes[i].name) != NULL)
            return true;
    return false;
}

/* The words of one start; those left out take the option in front of them along. */
static uint32_t fill_all(const struct start_line *line, const char *const values[START_HOLES],
                         const char *const *more, char **words)
{
    struct hole holes[START_HOLES];
    uint32_t    count = 0;
    name_holes(holes, values);
    for (uint32_t i = 0; i < line->count; i++) {
        const char *word = line->word[i];
        if (!is_left_out(word, holes))
            words[count++] = holes_fill(word, holes, START_HOLES);
        else if (word[0] == '{' && count > 1 && words[count - 1][0] == '-')
            free(words[--count]);
    }
    for (; more != NULL && *more != NULL; more++)
        words[count++] = strdup(*more);
    words[count] = NULL;
    return count;
}

/* Running. */

/* Between fork and exec. A group of its own: Ctrl-C at the terminal is ours, and we end it in order. */
static void become(char *const *words, const char *said, int why)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(said, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    (void) setpgid(0, 0);
    (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void) setrlimit(RLIMIT_FSIZE, &(struct rlimit){ FILE_BYTES_MOST, FILE_BYTES_MOST });
    (void) signal(SIGPIPE, SIG_DFL);
    (void) signal(SIGXFSZ, SIG_DFL);
    if (nothing >= 0 && out >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        (void) execvp(words[0] != NULL ? words[0] : "", words);
    int number = errno;
    _exit(write(why, &number, sizeof number) == sizeof number ? 127 : 126);
}

static bool run(struct started *started, char *const *words, struct text *fault)
{
    int     why[2], number = 0;
    ssize_t got;
    if (pipe2(why, O_CLOEXEC) != 0) {
        text_put(fault, strerror(errno));
        return false;
    }
    started->pid = fork();
    if (started->pid == 0)
        become(words, started->said, why[1]);
    (void) close(why[1]);
    do
        got = read(why[0], &number, sizeof number);
    while (got < 0 && errno == EINTR);
    (void) close(why[0]);
    if (started->pid > 0 && got != sizeof number)
        return true;
    text_put(fault, words[0] != NULL ? words[0] : "");
    text_put(fault, ": ");
    text_put(fault, strerror(started->pid > 0 ? number : errno));
    started_end(started);
    return false;
}

bool started_begin(struct started *started, const struct start_line *line,
                   const char *const holes[START_HOLES], const char *const *more,
                   struct text *fault)
{
    char *words[2 * START_WORDS_MAX] = { NULL };
    text_clear(fault);
    started->pid = 0;
    started->ended = 0;
    uint32_t count = fill_all(line, holes, more, words);
    bool     runs = count > 0 && run(started, words, fault);
    for (uint32_t i = 0; i < count; i++)
        free(words[i]);
    return runs;
}

bool started_runs(struct started *started)
{
    pid_t pid = started->pid;
    if (pid > 0 && waitpid(pid, &started->ended, WNOHANG) == pid) {
        (void) kill(-pid, SIGKILL); /* What it left behind. */
        started->pid = 0;
    }
    return started->pid > 0;
}

int started_code(const struct started *started)
{
    return WIFEXITED(started->ended) ? WEXITSTATUS(started->ended) : 128 + WTERMSIG(started->ended);
}

void started_end(struct started *started)
{
    double begun = seconds_now();
    pid_t  pid = started->pid;
    if (pid <= 0)
        return;
    if (kill(-pid, SIGTERM) != 0)
        (void) kill(pid, SIGTERM); /* It has not made its group yet. */
    while (started_runs(started) && seconds_now() - begun < PATIENCE_S)
        (void) nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
    if (started->pid == 0)
        return;
    (void) kill(-pid, SIGKILL);
    (void) kill(pid, SIGKILL);
    (void) waitpid(pid, &started->ended, 0);
    started->pid = 0;
}
