/* top_house.h: how a house does, as its operator sees it: services, their beats, matches.
 *
 * It has three sources. The lobby's directory says who there is. The watchdog knows what
 * everybody's last beat said. A ping to each door shows how long an answer takes. Each second all
 * are asked anew, and rates come from the difference to the last time. */
#ifndef ARBITER_TOP_HOUSE_H
#define ARBITER_TOP_HOUSE_H

#include "bus/bus.h"
#include "client/client.h"
#include "core/figures.h"
#include "core/peers.h"
#include "services/console/care/slow.h"
#include "services/console/home/home.h"

#define TOP_SERVICES_MAX 64
#define TOP_UNKNOWN (-1.0)

struct top_service {
    uint32_t role;
    char     name[PEER_NAME_MAX];
    uint8_t  key[BUS_KEY_SIZE];
    char     address[PEER_ADDRESS_MAX]; /* Of its requests, or its history; "": it has no door.  */
    uint64_t started_ms;                /* Since 1970.                                          */
    uint32_t slots;                     /* It owns.                                              */
    bool     is_listed, is_draining, is_suspect, is_stopped, has_beat;
    struct bus_socket *socket; /* NULL: it has no door, or none is open.                          */
    uint32_t           pings;  /* It was sent so many.                                           */
    double pinged_s;           /* 0: no answer is awaited.                                       */
    double ping_ms;            /* The last answer took so long; TOP_UNKNOWN.                      */
    char   software[64];      /* "arbiter 0.1.0"; "": it did not say.                             */
    struct figures figures;   /* As its last beat said.                                          */
    struct figures before;    /* As an earlier one did, from which rates are counted.            */
    double         beaten_s;  /* When the watchdog said that; 0: never.                          */
    double acts_s, commit_ms; /* A second, and each, since the time before; TOP_UNKNOWN.         */
};

struct top_house {
    struct bus        *bus;
    struct bus_socket *lobby;
    struct home        home;
    char               name[PEER_NAME_MAX];
    struct client     *client; /* For the list of matches.                                        */
    uint32_t           listing;
    bool     is_connected; /* The lobby has answered.                                     */
    int64_t  clock_off_ms; /* The lobby's clock is so far ahead of ours.                      */
    bool     is_watched;   /* A watchdog has.                                               */
    uint32_t matches;
    bool     has_matches, has_more; /* Than were listed.                                   */
    bool     has_leases; /* Slots are held by lease; else one engine has them all.         */
    uint64_t unowned, moves, waits; /* As the watchdog says.                                */
    struct slow_rows  *slow; /* Where slow commands are put; NULL: nobody asks for them.      */
    uint32_t           count;
    struct top_service services[TOP_SERVICES_MAX];
};

/* Connects with the operator's key. False, and a sentence. */
bool top_open(struct top_house *house, const char *home, struct text *fault);
void top_close(struct top_house *house);
/* Asks everybody. */
void top_ask(struct top_house *house);
/* Hears answers for so long. */
void top_hear(struct top_house *house, double seconds);

#endif
