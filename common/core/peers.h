/* peers.h: who else is there: a service's connections, kept as the lobby's directory says.
 *
 * Every core but the lobby's holds one of these and hands it each event first. It connects to the
 * lobby, says hello and follows the directory. It opens and closes connections to the services that
 * its own role needs (a table in peers.c), and says hello to each. It hands admissions and bans on
 * to the shell. Connections are numbered: peer * PEERS_DOORS + door; peer 0 is the lobby. Pure,
 * like every core. */
#ifndef ARBITER_PEERS_H
#define ARBITER_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/event.h"
#include "core/outbox.h"

#define PEERS_MAX 256
#define PEERS_DOORS 4
#define PEERS_LOBBY 0u
#define NO_PEER UINT32_MAX
#define PEER_NAME_MAX 32
#define PEER_ADDRESS_MAX 128

/* Where this process can be reached; empty strings: it has no such door. */
struct peers_doors {
    char address[PEERS_DOORS][PEER_ADDRESS_MAX]; /* By enum door. */
};

struct peers_settings {
    uint32_t role;                /* directory.Role: what this process is.             */
    char     name[PEER_NAME_MAX]; /* "engine-1"; unique among its role.                */
    uint32_t protocol;            /* The newest version it speaks; 0: all that there are. */
    char     software[PEER_NAME_MAX];
    char     upstream[PEER_NAME_MAX];   /* A fanout's: the fanout it follows instead of engines, */
                                        /* NUL to the end; empty: none.                      */
    struct peers_doors doors;           /* Its own; and ...                                  */
    struct peers_doors outside;         /* ... where clients outside find them; empty: not.  */
    struct peers_doors lobby;           /* DOOR_REQUESTS and DOOR_STREAM of the lobby, and   */
    uint8_t lobby_key[CALLER_KEY_SIZE]; /* its key: all that is configured anywhere.    */
};

struct peer {
    uint32_t           role; /* 0: this place is free.                                            */
    char               name[PEER_NAME_MAX];
    uint8_t            key[CALLER_KEY_SIZE];
    uint64_t           started_ms; /* Another one is another process.                             */
    struct peers_doors doors;
    uint32_t           load;
    uint32_t protocol; /* The version to speak with it, as its Welcome said; 0: none yet. */
    bool     welcome;  /* It answered our hello.                                        */
    bool     draining; /* It takes nothing new.                                         */
    uint64_t hello_ms; /* When we last said hello.                                      */
    uint64_t seen_ms;  /* When it last stood in a directory.                            */
};

struct peers {
    struct peers_settings settings;
    struct peer           list[PEERS_MAX];
    uint64_t              directory;  /* Number of the last one.                                  */
    uint64_t              admitted;   /* Of the last one whose admissions were handed on.         */
    uint64_t              heard_ms;   /* When the lobby was last heard.                           */
    uint64_t              started_ms; /* Of this process, since 1970.                             */
    uint32_t owner[SLOTS];            /* The engine's peer, as the directory says; NO_PEER.      */
    uint64_t owner_epoch[SLOTS];
    /* What this process says of itself with each hello; its core's to set. */
    uint32_t load;
    bool     draining;
    uint64_t own_epoch[SLOTS]; /* Of an engine's slots; 0: not its own. */
    /* We came to the lobby by another address than its own, and it has one for such. */
    bool     is_outside;
    bool has_news; /* One of these has changed: the lobby is told at once, not when it is due. */
};

/* What an event was to the peers. */
enum peers_news {
    PEERS_NOTHING, /* Not theirs: the core's own business.                                        */
    PEERS_CONSUMED, /* Theirs, done with. */
    PEERS_CHANGED, /* The directory changed: somebody came, went, or owns other slots.            */
    PEERS_WELCOME /* A peer (peers_of_event) answered our hello: a connection stands anew.        */
};

void            peers_init(struct peers *peers, const struct peers_settings *settings);
/* Hands over an event, first of all; EVENT_STARTED and EVENT_TIME go to both, and give PEERS_NOTHING. */
enum peers_news peers_step(struct peers *peers, const struct event *event, struct outbox *out);

/* The peer an event came from over a connection of ours; NO_PEER: it came in by a door. */
uint32_t peers_of_event(const struct event *event);
/* The connection to a peer's door. */
uint64_t peers_connection(uint32_t peer, uint32_t door);
/* The engine that owns this slot; NO_PEER. */
uint32_t peers_engine_of(const struct peers *peers, uint8_t slot);
/* The version of a client's request to this peer: the newest that both read. */
uint8_t  peers_version(const struct peers *peers, uint32_t peer);
/* The next welcome peer of this role behind `after` (NO_PEER: the first); NO_PEER: no more. */
uint32_t peers_next(const struct peers *peers, uint32_t role, uint32_t after);

#endif
