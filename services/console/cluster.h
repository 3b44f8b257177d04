/* cluster.h: all services of one machine, as children of this process. */
#ifndef ARBITER_CLUSTER_H
#define ARBITER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "services/console/children.h"
#include "services/console/home.h"

struct cluster {
    struct home     home;
    struct children children;
    int             lock; /* The home is ours while this file is open; 0: it is not.           */
    uint32_t        word_count;
    char           *words[CHILDREN_MAX * CHILD_WORDS_MAX]; /* What the command lines are made of. */
};

/* Lays out home and command lines. `port` 0: sockets in the home's folder; else the lobby listens on
 * loopback at this port and its doors at the next ones. `http`: ADDRESS:PORT of a gateway's door, with which
 * come bots that play for the house; NULL: neither. `tell` says what happens to the processes. */
bool cluster_init(struct cluster *cluster, const char *home, uint32_t port, const char *http,
                  void (*tell)(const struct child *child, const char *sentence),
                  struct text *fault);
/* Children are started and watched by children_tend(&cluster->children, ...). Ends all of them, and frees. */
bool cluster_stop(struct cluster *cluster);

#endif
