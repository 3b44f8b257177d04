/* shell_private.h: what the files of the shell share. */
#ifndef ARBITER_SHELL_PRIVATE_H
#define ARBITER_SHELL_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "shell/beat.h"
#include "shell/shell.h"
#include "wire/arena.h"

#define SHELL_CONNECTIONS_MAX (PEERS_MAX * PEERS_DOORS)
#define SHELL_ENTROPY_EVENTS 64
#define SHELL_ROLE_WATCHDOG 4u /* directory.Role. */
#define SHELL_ROLE_CLIENT 7u

/* A connection the core asked for; its number is its place. */
struct connection {
    struct bus_socket *socket; /* NULL: there is none.                                            */
    uint32_t           door;   /* To what.                                                        */
    uint8_t            key[CALLER_KEY_SIZE];
};

/* A read that was asked for: the query, and its cells' bytes behind it. */
struct reading {
    struct reading *next;
    struct query    query;
};

/* Of a limit: how often it was in the way, how often since that was last said, and when it was. */
struct full {
    uint64_t refused, unsaid, said_ms;
    uint64_t
        beside; /* So many of them not in the core: at the sockets, and at the door beside them. */
};

/* What is known of the time that commands take. */
struct slow {
    uint64_t since_us;           /* What is taken now came no earlier.                            */
    uint64_t step_us;            /* When this step began.                                         */
    uint64_t commit_us, kept_us; /* When the batch went to the store, and was kept.              */
    uint64_t second, lines;      /* So many lines were said in this second, ...                   */
    uint64_t left_out;           /* ... and so many were not, since the last one.                 */
};

struct shell {
    struct shell_settings  settings;
    void                  *core;
    const struct core_ops *ops;
    struct outbox          out;
    void                  *outbox_memory;
    struct pace            pace;
    pthread_mutex_t        wish_lock;
    atomic_bool        is_wished; /* Of other bounds (shell_bound).                            */
    struct pace_limits wished;
    uint32_t           topics_wished;
    uint64_t           flood_said_ms, floods_said;
    struct arena       arena; /* One message.                                                 */
    void              *arena_memory;
    struct bus_socket *doors[PEERS_DOORS];
    struct connection  connections[SHELL_CONNECTIONS_MAX];
    struct bus_socket *polled[PEERS_DOORS + SHELL_CONNECTIONS_MAX]; /* All that are open, ... */
    uint64_t route_of[PEERS_DOORS + SHELL_CONNECTIONS_MAX]; /* ... and which each is.             */
    size_t   polled_count;
    uint32_t door_count; /* The first so many of them are doors.                                  */
    bool     is_repoll;  /* The two lists are to be made anew.                                    */
    struct reading *first_reading, *last_reading;
    uint8_t         entropy[SHELL_ENTROPY_EVENTS * ENTROPY_SIZE];
    uint32_t        entropy_used;
    int             bell; /* Rung by shell_stop.                                                  */
    int         files;    /* With a door beside the sockets: can be read when any of them may be. */
    int         pulse;    /* The file that is touched; 0: there is none.                         */
    int         supervisor; /* -1: there is none.                                               */
    uint32_t    stops; /* Times we were asked to.                                             */
    bool        is_over;
    int         end; /* enum shell_end.                                                       */
    uint64_t    tended_ms;
    struct beat beat;
    bool        is_beating;
    struct shell_counters counters;
    struct full           full[BOUND_COUNT];
    struct slow           slow;
    uint64_t              bounds_ms; /* When the core was last asked how full it is.             */
};

/* An event of now, to be filled in. */
struct event shell_event(struct shell *shell, enum core_event_kind kind);
/* Hands it to the core; settles the batch if the outbox is full. */
void         shell_step(struct shell *shell, const struct event *event);
/* Commits, settles and performs what has come together; then reads what was asked for. */
void         shell_settle(struct shell *shell);

/* slow.c: the step judged a command; its act has gone out. */
void shell_slow_judged(struct shell *shell);
void shell_slow_took(struct shell *shell, struct trace *trace);

/* again.c: SIGHUP came; and what shell_bound wished for, if anything.                             */
void shell_read_again(struct shell *shell);
void shell_grant_wish(struct shell *shell);
/* show.c: leaves the beats what they tell.                                                       */
void shell_show(struct shell *shell);

/* intake.c: steps what one socket has received, at most `most` messages; how many there were. */
uint32_t shell_take(struct shell *shell, struct bus_socket *socket, uint32_t door, uint64_t route,
                    uint32_t most);
/* show.c: so many more were refused for this limit, which is said once a minute. */
void     shell_say_full(struct shell *shell, uint32_t bound, uint64_t refused);
/* perform.c: what effects `from` to `to` want. */
void     shell_perform(struct shell *shell, uint32_t from, uint32_t to);
/* reads.c: keeps a query for later; then feeds the rows of all that were kept. */
void     shell_keep_query(struct shell *shell, const struct query *query);
void     shell_read(struct shell *shell);
void     shell_forget_queries(struct shell *shell);
/* admit.c: makes a directory's admissions the bus's; NULL: only the lobby. */
void     shell_admit(struct shell *shell, const ProtobufCMessage *body);
uint32_t shell_role_of(const struct shell *shell, const uint8_t key[CALLER_KEY_SIZE]);
/* frame.c: sends a message by a socket; false: it did not go. */
bool     shell_send(struct shell *shell, struct bus_socket *socket, uint64_t route,
                    const struct effect *effect);

#endif
