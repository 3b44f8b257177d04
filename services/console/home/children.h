/* children.h: the processes of one machine, kept running until they are told to stop.
 *
 * A child that dies is started again after a pause. The pause doubles with each death in a row,
 * from a quarter of a second to eight. It is short again once the child has lived for half a
 * minute. What it writes goes to a file of its own. Children die with their parent, even if that is
 * killed; nothing is left behind. */
#ifndef ARBITER_CHILDREN_H
#define ARBITER_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CHILD_WORDS_MAX 32
#define CHILDREN_MAX 16

struct child {
    const char *name;
    const char *words[CHILD_WORDS_MAX]; /* The command line; NULL behind the last.              */
    const char *log;                    /* The file it writes to, appended.                     */
    pid_t       pid;                    /* 0: it is not running.                                */
    uint32_t    deaths;                 /* In a row.                                            */
    uint32_t    restarts;               /* In all.                                              */
    double      started, next;          /* Seconds: since when it runs; when it is started again. */
    int         ended;                  /* How it ended last, as waitpid says.                    */
};

struct children {
    struct child child[CHILDREN_MAX];
    uint32_t     count;
    void (*tell)(const struct child *child, const char *sentence); /* What happened, for people. */
};

/* Looks once after each: starts a child that is due, notices one that has ended. Returns how many
 * run. */
uint32_t children_tend(struct children *children, double now);
/* Asks all to stop, the last one first, and waits for each: `patience` seconds, then it is killed. True:
 * all ended well. */
bool     children_stop(struct children *children, double patience);

#endif
