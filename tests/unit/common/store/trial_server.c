/* trial_server.c: see trial_server.h. */
#include "common/store/trial_server.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* It knows as whom a server may run. */
#define SCRIPT ARBITER_SOURCE "/tests/unit/common/store/postgres_trial"

static pid_t start(const char *deed, const char *folder)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    (void) execl(SCRIPT, SCRIPT, deed, folder, (char *) NULL);
    _exit(127);
}

static int end_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        ;
    return status;
}

void trial_server_make(struct trial_server *server)
{
    memset(server, 0, sizeof *server);
    (void) snprintf(server->folder, sizeof server->folder, "/tmp/arbiter-postgres-XXXXXX");
    assert_non_null(mkdtemp(server->folder));
    (void) snprintf(server->place, sizeof server->place,
                    "postgresql:///postgres?host=%s&user=arbiter", server->folder);
    assert_int_equal(end_of(start("make", server->folder)), 0);
}

void trial_server_start(struct trial_server *server)
{
    struct timespec pause = { .tv_nsec = 10000000 };
    server->child = start("run", server->folder);
    while (PQping(server->place) != PQPING_OK) {
        assert_int_equal(waitpid(server->child, NULL, WNOHANG), 0);
        (void) nanosleep(&pause, NULL);
    }
}

void trial_server_stop(struct trial_server *server, int signal)
{
    if (server->child <= 0)
        return;
    (void) kill(server->child, signal);
    (void) end_of(server->child);
    server->child = 0;
}

void trial_server_remove(struct trial_server *server)
{
    trial_server_stop(server, SIGINT);
    pid_t child = fork();
    if (child == 0) {
        (void) execlp("rm", "rm", "-rf", server->folder, (char *) NULL);
        _exit(127);
    }
    (void) end_of(child);
}

PGconn *trial_server_connect(const struct trial_server *server)
{
    PGconn *stranger = PQconnectdb(server->place);
    assert_int_equal(PQstatus(stranger), CONNECTION_OK);
    return stranger;
}

const char *trial_server_ask(PGconn *stranger, const char *sql)
{
    static char answer[256];
    PGresult   *result = PQexec(stranger, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQresultErrorMessage(result));
    (void) snprintf(answer, sizeof answer, "%s",
                    PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return answer;
}
