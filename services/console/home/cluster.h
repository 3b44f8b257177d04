/* cluster.h: all services of one machine, as children of this process. */
#ifndef ARBITER_CLUSTER_H
#define ARBITER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "services/console/home/children.h"
#include "services/console/home/home.h"

struct cluster {
    struct home     home;
    struct children children;
    int             lock; /* The home is ours while this file is open; 0: it is not.           */
    uint32_t        word_count;
    char           *words[CHILDREN_MAX * CHILD_WORDS_MAX]; /* What the command lines are made of. */
};

#define CLUSTER_SETTINGS_MAX 4

/* What is wanted of it; what is left out is 0. */
struct cluster_ask {
    const char *home;  /* Its folder; NULL: the usual one.                                      */
    uint32_t    port;  /* The lobby listens on loopback at this port and its doors at the next  */
                       /* ones; 0: sockets in the home's folder.                                */
    const char *http;  /* ADDRESS:PORT of a gateway's door, with which come bots that play for  */
                       /* the house; NULL: neither.                                             */
    bool allow_rigged; /* Hosts may lay the cards.                                             */
    /* Settings of children, as they call them themselves, "treasure" of "gateway": "hunt.json". */
    struct cluster_setting {
        const char *service, *name, *value; /* NULL: not said. */
    } settings[CLUSTER_SETTINGS_MAX];
    /* Says what happens to the processes. */
    void (*tell)(const struct child *child, const char *sentence);
};

/* Lays out home and command lines. */
bool cluster_init(struct cluster *cluster, const struct cluster_ask *ask, struct text *fault);
/* Children are started and watched by children_tend(&cluster->children, ...). Ends all of them, and frees. */
bool cluster_stop(struct cluster *cluster);

#endif
