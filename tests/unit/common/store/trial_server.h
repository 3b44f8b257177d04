/* trial_server.h: a PostgreSQL server of a test's own, in a folder, heard of through a socket there. */
#ifndef ARBITER_TRIAL_SERVER_H
#define ARBITER_TRIAL_SERVER_H

#include <libpq-fe.h>
#include <sys/types.h>

struct trial_server {
    char  folder[64];
    char  place[256]; /* postgresql://..., of its database `postgres`.                          */
    pid_t child;
};

/* Made, not started. Whatever goes wrong ends the test. */
void        trial_server_make(struct trial_server *server);
/* Until it answers. */
void        trial_server_start(struct trial_server *server);
/* By this signal, and waits for its end. */
void        trial_server_stop(struct trial_server *server, int signal);
/* And nothing is left of it. */
void        trial_server_remove(struct trial_server *server);
/* A connection of somebody else's. */
PGconn     *trial_server_connect(const struct trial_server *server);
/* Does it, and gives what the first row's first column says, if there is one: good until the next time. */
const char *trial_server_ask(PGconn *stranger, const char *sql);

#endif
