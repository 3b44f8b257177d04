/* scratch.c: makes a private folder, and takes it away. */
#include "services/console/command/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "services/console/command/console.h"

bool scratch_make(char folder[SCRATCH_MAX])
{
    const char *where = getenv("TMPDIR");
    (void) snprintf(folder, SCRATCH_MAX, "%.40s/arbiter-XXXXXX",
                    where != NULL && where[0] == '/' ? where : "/tmp");
    if (mkdtemp(folder) != NULL)
        return true;
    complain("there is no folder for the processes, %s: %s.", folder, strerror(errno));
    return false;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void) about, (void) kind, (void) place;
    return remove(path);
}

void scratch_remove(const char *folder)
{
    (void) nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
