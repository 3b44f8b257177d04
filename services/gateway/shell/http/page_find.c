/* page_find.c: see page_find.h. */
#include "services/gateway/shell/http/page_find.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seen from bin/ of what was installed, and from the folder of a build, wherever it is. */
static const char *const places[] = { "../share/arbiter/web", "share/arbiter/web" };

void page_find(char *folder, size_t size)
{
    char    program[PATH_MAX], index[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    folder[0] = '\0';
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void) snprintf(index, sizeof index, "%s/%s/index.html", program, places[i]);
        if (access(index, R_OK) == 0 &&
            snprintf(folder, size, "%s/%s", program, places[i]) < (int) size)
            return;
    }
    folder[0] = '\0';
}
