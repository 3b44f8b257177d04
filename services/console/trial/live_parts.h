/* live_parts.h: what the files of the live house share. */
#ifndef ARBITER_LIVE_PARTS_H
#define ARBITER_LIVE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/client.h"
#include "services/console/trial/impatience.h"
#include "services/console/trial/live.h"
#include "wire/plan.h"

#define LIVE_CLIENTS_MAX 128
#define LIVE_ACCOUNTS_MAX 128
#define LIVE_NAME_MAX 33
/* One thing heard, in memory of its own. */
struct heard {
    word *event;
    char *refused, *setup, *name;
};

/* One account: a key, a name and a client, kept from table to table. */
struct account {
    char           name[LIVE_NAME_MAX];
    struct client *client;
    uint8_t        player[CLIENT_ID_SIZE];
    bool           is_connected;

    /* The ask or command it waits for. */
    uint32_t awaited;
    bool     is_answered, is_done; /* Done: not refused, by whomever.                         */
    uint32_t verdict;              /* lobby.Verdict.                                          */
    char     sentence[512];
    uint64_t number; /* Of a reply.                                                           */
    const struct command *unsaid; /* What it comes back for to a match that is over.           */

    /* At the present table. */
    bool          has_joined, is_closed, is_playing, is_over; /* Playing: the lobby says so.  */
    uint32_t      seat; /* NO_SEAT_HERE: none.                                               */
    uint64_t      acts; /* The last one it was told.                                         */
    word         *view; /* The one it asked for last.                                        */
    uint32_t      view_count;
    struct heard *heard;
    uint32_t      heard_count, heard_capacity, heard_next;
};

struct live {
    struct house            house; /* First: the functions are handed its address.             */
    struct home             home;
    const struct game_wire *wire;
    struct plan            *events;
    double patience_s; /* What is waited for comes within so long, or ...         */
    bool is_silent; /* ... the house is broken, and nobody waits for anything any more.          */
    struct account *operator_account;
    struct account  accounts[LIVE_ACCOUNTS_MAX]; /* The first is the operator's.       */
    uint32_t        account_count;
    uint32_t        client[LIVE_CLIENTS_MAX]; /* Account of each client; NO_SEAT_HERE: none. */

    uint8_t table[CLIENT_ID_SIZE];
    char    code[64];
    bool    has_begun;
    uint8_t match_id[CLIENT_ID_SIZE];
    char    names[SEATS_MAX][LIVE_NAME_MAX]; /* Who sits where.                                */
    FILE   *complaints;
    const char *(*name)(void *asked, uint32_t client); /* As house_table says. */
    void *asked;

    struct impatience clock;
    bool              has_clock; /* It is open.                                                  */
};

/* live_account.c: accounts and what they hear. */
struct account *account_open(struct live *live, const char *name, uint32_t role,
                             struct text *fault);
void            account_close(struct account *account);
/* Forgets the last table. */
void            account_clear(struct account *account);
/* A fresh key in this file, which the operator has the lobby admit. */
bool            live_make_key(struct live *live, const char *path, const char *name, uint32_t role,
                              struct text *fault);
/* It hears that the lobby refused what it said, and why. */
void            account_refused(struct account *account);
/* Takes in whatever has come, for all. */
void            accounts_pump(struct live *live);
/* Whether so long is too long. The first time it is, it is said, and the house counts as silent. */
bool            live_is_too_long(struct live *live, double since_s);
/* Pumps until it is so; false: it did not become so in time, or the house is silent already. */
bool live_until(struct live *live, bool (*is_so)(const struct live *live, const void *what),
                const void  *what);
/* Waits for the answer to a request of this account; 0: it could not be asked. */
bool account_await(struct live *live, struct account *account, uint32_t request);

/* Plays a command; 0: the seat is not open. */
uint32_t account_play(struct live *live, struct account *account, const struct command *command);

/* live_over.c: a match that is over lingers for a while. A client that comes back to it is shown
 * its end, and is answered if it says something (`command`; NULL: it only looks). False: the house
 * is silent. */
bool live_come_back(struct live *live, struct account *account, const struct command *command);
/* The match as this account may see it now, over or not; it is its `view`. */
bool live_look(struct live *live, struct account *account);

/* live.c: the last act that anybody who plays was told. */
uint64_t live_last_act(const struct live *live);

/* live_clock.c: time, as the recording has it. */
bool clock_open(struct live *live, struct text *fault);
void clock_close(struct live *live);
/* Hears what it is told; a socket that nobody reads is no use to anybody. */
void clock_look(struct live *live);
/* The registration's time is over; the match's. */
void clock_expire_table(struct live *live);
bool clock_expire_match(struct live *live);
/* The engine is told so of a seat that it does not wait for. */
bool clock_expire_idle(struct live *live, uint32_t seat);

#endif
