/* sandbox.c: the command line of bubblewrap, and the limits it does not know. */
#include "services/console/tournament/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "services/console/command/console.h"

#define FILE_BYTES_MOST ((rlim_t) 64 << 20)

static const char *const basis[] = { "bwrap",         "--unshare-all", "--die-with-parent",
                                     "--new-session", "--ro-bind",     "/usr",
                                     "/usr",          "--ro-bind",     "/etc",
                                     "/etc",          "--symlink",     "usr/bin",
                                     "/bin",          "--symlink",     "usr/lib",
                                     "/lib",          "--symlink",     "usr/lib64",
                                     "/lib64",        "--proc",        "/proc",
                                     "--dev",         "/dev",          "--tmpfs",
                                     "/tmp" };

bool sandbox_is_there(void)
{
    int   status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        (void) dup2(nowhere, STDERR_FILENO);
        (void) execlp("bwrap", "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true",
                      (char *) NULL);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    int code = pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 0)
        return true;
    complain(code == 127
                 ? "--sandbox needs bubblewrap: apt install bubblewrap."
                 : "bubblewrap can make no sandbox here: this system does not let it, as in most "
                   "containers. Try: bwrap --unshare-all --ro-bind / / true");
    return false;
}

static void add(struct sandbox *sandbox, const char *word)
{
    if (sandbox->count == SANDBOX_WORDS_MAX)
        return;
    sandbox->words[sandbox->count] = strdup(word);
    if (sandbox->words[sandbox->count++] == NULL)
        abort();
}

static bool is_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* The folder of a file that the command line names, so that what lies beside it can be read, too. */
static void add_folder_of(struct sandbox *sandbox, const char *word)
{
    char        path[PATH_MAX];
    struct stat there;
    if (strchr(word, '{') != NULL || realpath(word, path) == NULL || stat(path, &there) != 0 ||
        !S_ISREG(there.st_mode) || is_below(path, "/usr") || is_below(path, "/etc"))
        return;
    char *slash = strrchr(path, '/');
    if (slash == path)
        return; /* Of the root nothing is shown. */
    *slash = '\0';
    add(sandbox, "--ro-bind");
    add(sandbox, path);
    add(sandbox, path);
}

void sandbox_make(struct sandbox *sandbox, char *const *words, bool has_door)
{
    char here[PATH_MAX];
    memset(sandbox, 0, sizeof *sandbox);
    for (size_t i = 0; i < sizeof basis / sizeof *basis; i++)
        add(sandbox, basis[i]);
    if (has_door)
        add(sandbox, "--share-net");
    for (size_t i = 0; words[i] != NULL; i++)
        add_folder_of(sandbox, words[i]);
    if (getcwd(here, sizeof here) != NULL && !is_below(here, "/usr") && !is_below(here, "/etc")) {
        add(sandbox, "--dir");
        add(sandbox, here);
        add(sandbox, "--chdir");
        add(sandbox, here);
    }
    add(sandbox, "--");
    for (size_t i = 0; words[i] != NULL; i++)
        add(sandbox, words[i]);
}

void sandbox_drop(struct sandbox *sandbox)
{
    for (uint32_t i = 0; i < sandbox->count; i++)
        free(sandbox->words[i]);
    memset(sandbox, 0, sizeof *sandbox);
}

void sandbox_limit(uint64_t memory_mb)
{
    const struct rlimit memory = { memory_mb << 20, memory_mb << 20 };
    const struct rlimit file = { FILE_BYTES_MOST, FILE_BYTES_MOST }, none = { 0, 0 };
    (void) setrlimit(RLIMIT_DATA, &memory);
    (void) setrlimit(RLIMIT_FSIZE, &file);
    (void) setrlimit(RLIMIT_CORE, &none);
}
