/* reload.c: `arbiter reload`: has every service that `arbiter up` runs read its settings again, and tells what came of it.
 *
 * A service is asked by SIGHUP, and answers in its log. The services are the children of the process whose number stands
 * in the home's lock. */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "services/console/command/console.h"
#include "services/console/command/files.h"
#include "services/console/command/progress.h"
#include "services/console/home/children.h"
#include "services/console/home/home.h"

#define PATIENCE_S 20.0
#define WORD "message" /* Of a line in either format of the log. */
#define ANSWER "settings: "
#define GOOD "read again; "
#define BAD "not read again; "

struct asked {
    pid_t pid;
    char  name[64];
    char  log[PATH_MAX];
    long  seen; /* Bytes of the log that were read. */
    bool  is_done, is_good;
};

struct reload_ask {
    const char *home;
};

static const struct option options[] = {
    { .name = "home",
      .value = "DIR",
      .kind = OPTION_TEXT,
      .offset = offsetof(struct reload_ask, home),
      .help = "The folder of the Arbiter. Default: ~/.local/share/arbiter." },
    { .name = NULL },
};

/* A line of a file of the kernel's, or its first bytes. */
static size_t read_some(const char *path, char *to, size_t capacity)
{
    FILE  *file = fopen(path, "re");
    size_t size = file != NULL ? fread(to, 1, capacity - 1, file) : 0;
    if (file != NULL)
        (void) fclose(file);
    to[size] = '\0';
    return size;
}

static pid_t parent_of(pid_t pid)
{
    char path[64], text[512];
    (void) snprintf(path, sizeof path, "/proc/%d/stat", (int) pid);
    (void) read_some(path, text, sizeof text);
    const char *behind = strrchr(text, ')'); /* The name before it may hold anything. */
    return behind != NULL && strlen(behind) > 4 ? (pid_t) strtol(behind + 4, NULL, 10) : 0;
}

/* What stands behind --name on its command line. False: nothing does. */
static bool name_of(pid_t pid, char *name, size_t capacity)
{
    char path[64], words[8192];
    (void) snprintf(path, sizeof path, "/proc/%d/cmdline", (int) pid);
    size_t size = read_some(path, words, sizeof words);
    for (const char *word = words; word < words + size; word += strlen(word) + 1)
        if (strcmp(word, "--name") == 0) {
            (void) snprintf(name, capacity, "%s", word + sizeof "--name");
            return name[0] != '\0' && strchr(name, '/') == NULL;
        }
    return false;
}

static uint32_t find_children(const struct home *home, pid_t parent, struct asked *list)
{
    uint32_t       count = 0;
    struct dirent *entry;
    DIR           *all = opendir("/proc");
    while (all != NULL && count < CHILDREN_MAX && (entry = readdir(all)) != NULL) {
        pid_t         pid = (pid_t) strtol(entry->d_name, NULL, 10);
        struct asked *one = &list[count];
        if (pid > 0 && parent_of(pid) == parent && name_of(pid, one->name, sizeof one->name) &&
            home_path(home, one->log, "log", one->name, ".log")) {
            one->pid = pid;
            count++;
        }
    }
    if (all != NULL)
        (void) closedir(all);
    return count;
}

/* What a service says of its settings in this line, without what quotes it; NULL: nothing. */
static char *answer_in(char *line)
{
    char *at = strstr(line, WORD);
    at = at != NULL ? strstr(at, ANSWER) : NULL;
    if (at == NULL)
        return NULL;
    char *said = at += sizeof ANSWER - 1, *to = at;
    for (; *at != '\0' && *at != '"'; at++) {
        at += *at == '\\' && at[1] != '\0';
        *to++ = *at;
    }
    *to = '\0';
    return said;
}

static void hear(struct asked *one, const char *said)
{
    bool is_good = strncmp(said, GOOD, sizeof GOOD - 1) == 0;
    printf("%-12s %s\n", one->name, said);
    one->is_done = is_good || strncmp(said, BAD, sizeof BAD - 1) == 0;
    one->is_good = is_good;
}

/* Whole lines alone, so that none is read by half. */
static void listen(struct asked *one)
{
    char  line[4096];
    FILE *log = fopen(one->log, "re");
    if (log == NULL)
        return;
    (void) fseek(log, one->seen, SEEK_SET);
    while (!one->is_done && fgets(line, sizeof line, log) != NULL && strchr(line, '\n') != NULL) {
        one->seen = ftell(log);
        const char *said = answer_in(line);
        if (said != NULL)
            hear(one, said);
    }
    (void) fclose(log);
}

static bool listen_to_all(struct asked *list, uint32_t count)
{
    bool is_done = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!list[i].is_done)
            listen(&list[i]);
        is_done = is_done && list[i].is_done;
    }
    return is_done;
}

static void ask_all(struct asked *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stat log;
        list[i].seen = stat(list[i].log, &log) == 0 ? (long) log.st_size : 0;
        (void) kill(list[i].pid, SIGHUP);
    }
    double begun = seconds_now();
    while (!listen_to_all(list, count) && seconds_now() - begun < PATIENCE_S) {
        struct timespec pause = { .tv_nsec = 20000000 };
        (void) nanosleep(&pause, NULL);
    }
}

static int judge(const struct asked *list, uint32_t count)
{
    int end = CONSOLE_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (!list[i].is_done)
            printf("%-12s does not answer; %s says why\n", list[i].name, list[i].log);
        if (!list[i].is_good)
            end = CONSOLE_DISAGREES;
    }
    return end;
}

static int run(const struct console_command *self, int argc, char **argv)
{
    static struct asked list[CHILDREN_MAX];
    struct reload_ask   ask = { 0 };
    struct words        words;
    struct home         home;
    struct text         fault;
    char                path[PATH_MAX], parent[32] = "";
    if (!console_read(self, argc, argv, &ask, &words))
        return CONSOLE_USAGE;
    if (!home_find(&home, ask.home, &fault)) {
        complain("%s.", fault.bytes);
        return CONSOLE_BAD_INPUT;
    }
    if (home_is_running(&home) && home_path(&home, path, "run", "lock", ""))
        (void) read_some(path, parent, sizeof parent);
    pid_t    up = (pid_t) strtol(parent, NULL, 10);
    uint32_t count = up > 0 ? find_children(&home, up, list) : 0;
    if (count == 0) {
        complain("no \"arbiter up\" of this release runs in %s. Units: systemctl reload "
                 "'arbiter-*'. Containers: "
                 "docker-compose kill -s HUP.",
                 home.folder);
        return CONSOLE_BAD_INPUT;
    }
    ask_all(list, count);
    return judge(list, count);
}

const struct console_command command_reload = {
    .name = "reload",
    .arguments = "",
    .summary = "Has all services read their settings again, without a restart.",
    .about = "  arbiter reload                     what \"arbiter up\" runs\n"
             "\n"
             "Each service reads config/SERVICE.json in its home, for example\n"
             "config/gateway.json, and the files that its settings name: admitted keys, tokens,\n"
             "certificates. It says what has changed, and what waits for a restart. A fault in\n"
             "a file changes nothing in that service, and is printed with its place.\n"
             "\n"
             "Exit code 0: all have read them. 1: one has not. 3: nothing runs there.\n",
    .options = options,
    .words_least = 0,
    .words_most = 0,
    .run = run,
};
