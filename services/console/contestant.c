/* contestant.c: see contestant.h. */
#include "services/console/contestant.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "services/console/console.h"
#include "services/console/progress.h"

#define LINE_MAX_BYTES ((size_t) 1 << 20)

static bool read_words(struct contestant *into, const json_t *words)
{
    size_t count = json_array_size(words);
    if (count == 0 || count > CONTESTANT_WORDS_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        into->words[i] = json_string_value(json_array_get(words, i));
        if (into->words[i] == NULL)
            return false;
    }
    return true;
}

/* The key under which an entrant's words stand. */
static const char *const doors[] = { [CONTESTANT_BOT] = "bot",
                                     [CONTESTANT_LINES] = "program",
                                     [CONTESTANT_REST] = "rest",
                                     [CONTESTANT_PLAIN] = "plain" };

static bool read_one(struct contestant *into, const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *bot = json_string_value(json_object_get(json, "bot"));
    if (name == NULL || name[0] == '\0' || strlen(name) >= sizeof into->name)
        return false;
    (void) snprintf(into->name, sizeof into->name, "%s", name);
    for (int door = CONTESTANT_LINES; bot == NULL && door <= CONTESTANT_PLAIN; door++) {
        const json_t *words = json_object_get(json, doors[door]);
        into->door = (enum contestant_door) door;
        if (words != NULL)
            return read_words(into, words);
    }
    into->door = CONTESTANT_BOT;
    if (bot == NULL)
        return false;
    into->policy = strcmp(bot, "greedy") == 0 ? POLICY_GREEDY : POLICY_RANDOM;
    return strcmp(bot, "greedy") == 0 || strcmp(bot, "random") == 0;
}

static bool is_twice(const struct contestants *all)
{
    for (uint32_t i = 0; i + 1 < all->count; i++)
        if (strcmp(all->list[i].name, all->list[all->count - 1].name) == 0)
            return true;
    return false;
}

int contestants_read(struct contestants *all, const char *path)
{
    json_error_t error;
    memset(all, 0, sizeof *all);
    all->json = strcmp(path, "-") == 0 ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &error)
                                       : json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (all->json == NULL) {
        complain("%s:%d: %s.", path, error.line, error.text);
        return CONSOLE_BAD_INPUT;
    }
    size_t count = json_array_size(all->json);
    for (size_t i = 0; i < count && i < CONTESTANTS_MAX; i++) {
        all->count++;
        if (read_one(&all->list[i], json_array_get(all->json, i)) && !is_twice(all))
            continue;
        complain("%s: /%zu: an entrant has a \"name\" of its own of at most %d bytes and either "
                 "\"bot\", \"random\" or \"greedy\", or a list of words under \"program\", "
                 "\"rest\" or \"plain\".",
                 path, i, CONTESTANT_NAME_MAX - 1);
        return CONSOLE_BAD_INPUT;
    }
    if (count >= 2 && count <= CONTESTANTS_MAX)
        return CONSOLE_OK;
    complain("%s: a tournament has 2 to %d entrants, in a list.", path, CONTESTANTS_MAX);
    return CONSOLE_BAD_INPUT;
}

void contestants_close(struct contestants *all)
{
    json_decref(all->json);
}

/* A word of the command line, with what the braces stand for in their place. The caller frees it. */
static char *fill_in(const char *from, const char *where)
{
    static const char *const holes[] = { "{address}", "{url}", "{port}" };
    const char              *there = where != NULL ? where : "";
    const char              *colon = strrchr(there, ':'), *authority = strstr(there, "//");
    const char *const        what[] = { there, authority != NULL ? authority : there,
                                 colon != NULL ? colon + 1 : there };
    size_t                   size;
    char                    *text = NULL;
    FILE                    *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    while (*from != '\0') {
        size_t i = where != NULL ? 0 : 3; /* Lines come by no address. */
        while (i < 3 && strncmp(from, holes[i], strlen(holes[i])) != 0)
            i++;
        if (i == 3)
            (void) fputc(*from++, out);
        else
            (void) fprintf(out, "%s%s", i == 1 ? "http:" : "", what[i]);
        from += i == 3 ? 0 : strlen(holes[i]);
    }
    (void) fclose(out);
    return text;
}

/* Between fork and exec: a group of its own, so that all it starts can be ended with it. Who has a door
 * elsewhere reads nothing here, and what he prints is nobody's. */
static void become(char *const *words, const char *where, const int to[2], const int from[2])
{
    (void) setpgid(0, 0);
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void) signal(SIGPIPE, SIG_DFL);
    (void) signal(SIGINT, SIG_IGN);
    int in = where == NULL ? to[0] : open("/dev/null", O_RDONLY);
    int out = where == NULL ? from[1] : open("/dev/null", O_WRONLY);
    if (words[0] != NULL && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        (void) execvp(words[0], words);
    _exit(127);
}

bool contestant_start(struct contestant_run *run, const struct contestant *of, const char *where,
                      uint64_t limit_ms, uint64_t start_ms)
{
    int to[2], from[2];
    memset(run, 0, sizeof *run);
    run->limit_ms = limit_ms;
    run->start_ms = start_ms;
    run->line = malloc(LINE_MAX_BYTES);
    if (run->line == NULL || pipe2(to, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from, O_CLOEXEC) != 0) {
        (void) close(to[0]);
        (void) close(to[1]);
        return false;
    }
    char *words[CONTESTANT_WORDS_MAX + 1] = { NULL };
    for (size_t i = 0; of->words[i] != NULL; i++)
        words[i] = fill_in(of->words[i], where);
    run->pid = fork();
    if (run->pid == 0)
        become(words, where, to, from);
    for (size_t i = 0; words[i] != NULL; i++)
        free(words[i]);
    (void) setpgid(run->pid, run->pid);
    (void) close(to[0]);
    (void) close(from[1]);
    run->to = to[1];
    run->from = from[0];
    (void) fcntl(run->to, F_SETFL, O_NONBLOCK);
    return run->pid > 0;
}

/* Until the file may be read or written, or the time is up. */
static bool wait_for(int file, bool to_write, double until_s)
{
    double         left_s = until_s - seconds_now();
    fd_set         files;
    struct timeval time;
    if (left_s <= 0 || file >= FD_SETSIZE)
        return false;
    time.tv_sec = (long) left_s;
    time.tv_usec = (long) ((left_s - (double) time.tv_sec) * 1e6);
    FD_ZERO(&files);
    FD_SET(file, &files);
    return select(file + 1, to_write ? NULL : &files, to_write ? &files : NULL, NULL, &time) > 0;
}

bool contestant_say(struct contestant_run *run, json_t *json)
{
    double until_s = seconds_now() + (double) run->limit_ms / 1000;
    char  *text = json_dumps(json, JSON_COMPACT);
    size_t size = text != NULL ? strlen(text) : 0, done = 0;
    json_decref(json);
    if (text != NULL)
        text[size++] = '\n'; /* Where its NUL was. */
    while (done < size) {
        ssize_t put = write(run->to, text + done, size - done);
        if (put > 0)
            done += (size_t) put;
        else if (errno != EAGAIN || !wait_for(run->to, true, until_s))
            break;
    }
    free(text);
    return size > 0 && done == size;
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

json_t *contestant_hear(struct contestant_run *run, const char **why)
{
    double begun_s = seconds_now(), until_s = begun_s + (double) run->limit_ms / 1000;
    bool   is_line = false;
    *why = "nonsense";
    if (!run->has_answered)
        until_s += (double) run->start_ms / 1000;
    json_t *json = take_line(run, &is_line);
    while (!is_line && run->size < LINE_MAX_BYTES) {
        if (!wait_for(run->from, false, until_s)) {
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
    }
    free(run->line);
    run->line = NULL;
    run->pid = 0;
}

/* Whoever has no parent any more becomes our child: so nobody gets away by leaving his group. */
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
