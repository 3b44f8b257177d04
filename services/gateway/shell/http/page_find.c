/* page_find.c: see page_find.h. */
#include "services/gateway/shell/http/page_find.h"
#include "json/config_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seen from bin/ of what was installed, and from the folder of a build, wherever it is. */
static const char *const places[] = { "../share/arbiter/web", "share/arbiter/web" };

void page_find(char *folder, size_t size)
{
    char program[PATH_MAX], index[PATH_MAX + 64];
    folder[0] = '\0';
    if (!config_program(program))
        return;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        (void) snprintf(index, sizeof index, "%s/%s/index.html", program, places[i]);
        if (access(index, R_OK) == 0 &&
            snprintf(folder, size, "%s/%s", program, places[i]) < (int) size)
            return;
    }
    folder[0] = '\0';
}
