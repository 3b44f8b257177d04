/* doctor_builds.c: whether the programs beside this one are of the same build: an installation that was replaced by half shows. */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/build.h"
#include "services/console/care/doctor.h"

#define LINE_MAX_SIZE 1024

/* What PROGRAM --version says, its first line. */
static bool ask_version(char *path, char line[LINE_MAX_SIZE])
{
    static char                option[] = "--version";
    char                      *words[] = { path, option, NULL };
    posix_spawn_file_actions_t actions;
    int                        ends[2];
    pid_t                      child = 0;
    if (pipe(ends) != 0)
        return false;
    (void) posix_spawn_file_actions_init(&actions);
    (void) posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    (void) posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void) posix_spawn_file_actions_addclose(&actions, ends[1]);
    bool is_started = posix_spawn(&child, path, &actions, NULL, words, environ) == 0;
    (void) posix_spawn_file_actions_destroy(&actions);
    (void) close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    bool  is_read = said != NULL && fgets(line, LINE_MAX_SIZE, said) != NULL;
    if (said != NULL)
        (void) fclose(said);
    if (is_started)
        (void) waitpid(child, NULL, 0);
    return is_started && is_read;
}

/* "arbiter-lobby 0.1.0, protocol 1, build 094ec42" -> "0.1.0+094ec42". */
static void name_of(const char *line, char name[LINE_MAX_SIZE])
{
    const char *version = strchr(line, ' ');
    const char *made = strstr(line, ", build ");
    version = version != NULL ? version + 1 : line;
    made = made != NULL ? made + strlen(", build ") : "";
    (void) snprintf(name, LINE_MAX_SIZE, "%.*s%s%.*s", (int) strcspn(version, ",\n"), version,
                    made[0] != '\0' ? "+" : "", (int) strcspn(made, ",\n"), made);
}

void doctor_builds(struct doctor *doctor)
{
    static const char *const roles[] = {
        "lobby", "engine", "fanout", "watchdog", "gateway", "bot"
    };
    char     here[PATH_MAX], path[PATH_MAX + 32];
    char     line[LINE_MAX_SIZE], name[LINE_MAX_SIZE];
    uint32_t same = 0, others = 0;
    ssize_t  size = readlink("/proc/self/exe", here, sizeof here - 1);
    if (size <= 0)
        return;
    here[size] = '\0';
    char *slash = strrchr(here, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        (void) snprintf(path, sizeof path, "%s/arbiter-%s", here, roles[i]);
        if (access(path, X_OK) != 0 || !ask_version(path, line))
            continue;
        name_of(line, name);
        bool is_same = strcmp(name, arbiter_build.name) == 0;
        same += is_same;
        others += !is_same;
        if (!is_same)
            doctor_say(doctor, "versions", FINDING_WARNING, "install all programs of one build",
                       "%s is %s, this is %s", path, name, arbiter_build.name);
    }
    if (others == 0)
        doctor_say(doctor, "versions", FINDING_WELL, "", "this is %s, as are %u programs beside it",
                   arbiter_build.name, same);
}
