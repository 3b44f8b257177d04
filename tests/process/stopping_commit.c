/* stopping_commit.c: an engine that is stopped in the worst moment. Loaded before libpq
 * (LD_PRELOAD), it stops the engine that finds the file named in ARBITER_STOP_COMMIT. Then the
 * transaction has its locks and has written its rows, and COMMIT was not sent yet. The engine's pid
 * is in FILE.pid. */
#include <dlfcn.h>
#include <errno.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_pid(const char *flag)
{
    char  path[4096];
    FILE *file;
    (void) snprintf(path, sizeof path, "%s.pid", flag);
    file = fopen(path, "we");
    if (file == NULL)
        return;
    (void) fprintf(file, "%d\n", (int) getpid());
    (void) fclose(file);
}

/* Of two that come at once one takes the file away. */
static void stop_if_told(const char *statement)
{
    const char *flag = getenv("ARBITER_STOP_COMMIT");
    bool        is_engine = strcmp(program_invocation_short_name, "arbiter-engine") == 0;
    if (flag == NULL || !is_engine || strcmp(statement, "commit") != 0 || unlink(flag) != 0)
        return;
    write_pid(flag);
    (void) raise(SIGSTOP);
}

int PQsendQueryPrepared(PGconn *conn, const char *stmtName, int nParams,
                        const char *const *paramValues, const int *paramLengths,
                        const int *paramFormats, int resultFormat)
{
    int (*real)(PGconn *, const char *, int, const char *const *, const int *, const int *, int);
    void *found = dlsym(RTLD_NEXT, "PQsendQueryPrepared");
    memcpy(&real, &found, sizeof real);
    stop_if_told(stmtName);
    return real(conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat);
}
