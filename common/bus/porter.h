/* porter.h: guards the doors of a process: how often an address may knock, and how much it may send
 * before it is heard.
 *
 * libzmq lets everybody connect, for ever. A handshake costs us a fifth of a millisecond and a
 * stranger nothing. A message may have any number of frames, and nobody can hang up on a peer. So
 * the porter stands where libzmq meets the kernel: it defines `accept4` and `recv`, by which libzmq
 * takes connections and bytes (README.md, "The porter").
 *
 * A connection costs its source, which is an address, a token. The token comes back when an
 * admitted key says something over the connection. So admitted keys may connect as often as they
 * like, and others only so many times a second. Doors are the process's, and so is the porter. */
#ifndef ARBITER_BUS_PORTER_H
#define ARBITER_BUS_PORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/keys.h"

/* Connections whose descriptor is above are let in unwatched: raise it with the limit of open files. */
#define PORTER_FILES_MAX 65536u
/* So much that is no message at all ends a connection: somebody's program is not ours. */
#define PORTER_MISDEEDS_MAX 64u

struct porter_limits {
    uint32_t connections_max; /* No new ones while the process has so many files open.            */
    uint32_t knocks_burst;    /* Connections of one source at once that have not proved a key ... */
    uint32_t knocks_per_second; /* ... and how many more each second, unless it floods.           */
    uint32_t unheard_bytes; /* What may come over a connection without one whole message.        */
};

struct porter_counters {
    uint64_t let_in;
    uint64_t turned_away; /* Connections closed at once: too many knocks, or too many files ...   */
    uint64_t full;        /* ... which is why so many of them were.                               */
    uint64_t barred;      /* Times that a source was sent to the blind doors (blind.h) ...        */
    uint64_t dropped;     /* ... and its packets that the kernel dropped there, one for each knock
                             and one for each time that it was repeated.                          */
    uint64_t hung_up;     /* Connections ended: banned, or said to be by porter_hang_up.          */
    uint64_t drowned;     /* Connections ended: too many bytes and no message.                    */
};

/* A number that is 0 is no limit; all are, until this is called. */
void     porter_set_limits(const struct porter_limits *limits);
void     porter_counts(struct porter_counters *counters);
/* How many files are open, as `connections_max` counts them: the descriptor that the next connection would get. */
uint32_t porter_files(void);
/* 0: any number. */
uint32_t porter_files_max(void);

/* Around a call that makes this thread listen. Returns the number of a blind door beside the new
 * one, for porter_closes; -1: none is wanted, or to be had. */
void    porter_opens(void);
int     porter_opened(void);
void    porter_closes(int number);
/* A thread that waits for news of a door calls this before each wait, and waits no longer than so
 * many milliseconds (-1: any time). So nobody is barred for longer than they should be. */
int64_t porter_tend(void);

/* A message came over this connection; `key`: of an admitted peer, NULL: the peer need not have
 * one. `owner` is whoever looks after it (a bus). */
void     porter_heard(int file, const void *owner, const uint8_t *key);
/* A number for the peer at this connection; no earlier peer at the same descriptor had it. 0: it
 * did not come in by a door. */
uint64_t porter_guest(int file);
/* Topics that the peer asked for and did not give back, `change` counted in. */
uint32_t porter_topics(int file, int change);
/* What came over it is no message: several frames, or none that we could read. */
void     porter_misdeed(int file);
/* Ends a connection, if it is one that came in by a door; false: nobody is there. */
bool     porter_hang_up(int file);
/* Ends the connections of this owner whose keys are no longer admitted. `is_unwelcome` must be true
 * at two calls in a row, so that there is time to say why. Returns how many. */
uint32_t porter_sweep(const void *owner,
                      bool (*is_unwelcome)(const void *owner, const uint8_t *key));

#endif
