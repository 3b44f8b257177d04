/* shell.h: the one loop that runs a core: receive, decode, step, keep, settle, then send.
 *
 * All services share it. It turns what the world does into events, and performs the effects that
 * come back. First, what has arrived is stepped until the outbox is full or nothing waits. Then the
 * batch's rows are committed. Then the core learns what became of them. Only then does anything
 * leave the process. A process may hold several shells, each in a thread of its own, on one bus. */
#ifndef ARBITER_SHELL_H
#define ARBITER_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/bus.h"
#include "core/core.h"
#include "core/peers.h"
#include "shell/counters.h"
#include "shell/keeper.h"
#include "shell/log.h"
#include "shell/pace.h"

/* How a process ends, for its supervisor. */
enum shell_end {
    SHELL_DONE = 0, /* The core had finished.                                                  */
    SHELL_NO_START = 1, /* A setting, a key, a door or the store: a person must act.              */
    SHELL_STORE = 75, /* Nobody knows what became of a batch: start again, and read.             */
    SHELL_AT_ONCE = 130 /* Asked twice to stop.                                                   */
};

/* A door of another kind beside the sockets: a gateway's HTTP. Its library waits in a loop of its own and
 * cannot be waited for from outside, so the shell waits in there. */
struct shell_side {
    void *asked;
    /* Waits for what comes in there, or until `file` can be read, at most so long. */
    void (*wait)(void *asked, int file, int64_t wait_ms);
    /* The next message: fills in `body` and the caller's route. False: none waits. */
    bool (*next)(void *asked, struct event *event);
    /* A message of the core's to DOOR_SIDE, `route`. */
    void (*send)(void *asked, const struct effect *effect);
    /* How full it is, and how often somebody was refused for that; NULL: it has no limits. */
    void (*bounds)(void *asked, struct fullness *bounds);
};

struct shell_settings {
    struct bus       *bus;
    const struct log *log;
    struct keeper     keeper;
    const char       *name; /* "engine-1".                                                        */
    uint32_t          role; /* directory.Role: what this process is.                              */
    const char *listen[PEERS_DOORS]; /* By enum door; NULL or empty: it has no such door.         */
    uint8_t lobby_key[CALLER_KEY_SIZE]; /* Always admitted, as the lobby; zeros: there is none.  */
    struct pace_limits pace; /* What each client may ask.                                         */
    uint32_t client_topics_max; /* Of one connection of a client; 0: any number.                 */
    uint32_t plain_role; /* At a plain bus everybody is this.                                   */
    bool     beats;      /* Tell the watchdogs that this process lives.             */
    int      signals;    /* Where signals can be read (shell_signals); -1: somebody else does.  */
    bool (*again)(void *asked); /* SIGHUP: reads the settings again. True: the core hears of it. */
    void    *asked;             /* Its own.                                                       */
    size_t   outbox_bytes; /* Room for one batch; 0: 16 MiB.                                      */
    uint32_t drain_max;    /* Messages stepped before the batch is settled; 0: 4,096.             */
    uint32_t slow_ms;      /* A command that takes longer is explained in the log; 0: none is.   */
    uint32_t busy_ms;      /* A busy store is tried again for so long; 0: 2,000.                  */
    const struct shell_side *side; /* NULL: there is no such door.                                */
    const char *pulse; /* A file that is touched while the loop turns; NULL or empty: none.       */
    const char
        *supervisor; /* systemd's socket (supervisor.h); NULL: there is none.               */
    uint32_t
        stuck_ms; /* With `beats`: a loop that stands still for so long ends the process; 0: it does not. */
};

struct shell;

/* Catches SIGTERM, SIGINT, SIGHUP and SIGUSR1 for the process; call it before any thread is started. What to
 * hand to the one shell that listens; -1: it cannot. */
int shell_signals(void);

/* Opens the doors and tries their locks. NULL, and a sentence. */
struct shell *shell_open(const struct shell_settings *settings, struct text *fault);
/* Where a door is, with the port it was given; "": there is none. */
const char   *shell_address(const struct shell *shell, uint32_t door);
/* Runs a core until it is done, or must not go on; enum shell_end. */
int           shell_run(struct shell *shell, void *core, const struct core_ops *ops);
/* Asks it to stop, as a signal would. Any thread. */
void          shell_stop(struct shell *shell);
void          shell_close(struct shell **shell);

/* From its next turn on it holds clients to other bounds. Any thread. */
void shell_bound(struct shell *shell, const struct pace_limits *pace, uint32_t client_topics_max);

const struct shell_counters *shell_counters(const struct shell *shell);

#endif
