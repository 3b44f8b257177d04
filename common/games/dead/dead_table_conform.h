/* dead_table_conform.h: a table as the original server kept it: clients, registration, then a match.
 *
 * What a lobby and an engine do on a running system is done here in the simplest way, for one match
 * and without sockets. What the clients would have received is queued, in the recordings' form. */
#ifndef ARBITER_DEAD_TABLE_CONFORM_H
#define ARBITER_DEAD_TABLE_CONFORM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/game.h"

struct dead_table {
    void       *setup; /* Compiled.                                              */
    void       *state;
    void       *desk; /* The registration's.                                    */
    struct dice dice;
    struct sink out;
    json_t     *names; /* By client, as registered: {"1": "Player A"}.           */
    json_t     *queue; /* Events nobody has asked for yet.                       */
    uint32_t    client[SEATS_MAX];
    uint32_t    seats;
    uint32_t    gone; /* Bit s: seat s has left.                                */
    bool        begun;
    bool        over;
};

/* Opens the table a recording's header asks for; false, with the reason printed, if its config cannot
 * be found or is refused. */
bool    dead_table_open(struct dead_table *table, const json_t *header, const char *path,
                        FILE *complaints);
void    dead_table_close(struct dead_table *table);
/* A client says something; nobody does in time. */
void    dead_table_hear(struct dead_table *table, uint32_t client, const struct command *command);
void    dead_table_expire(struct dead_table *table);
/* The next event somebody received, {"to": ..., "ev": ..., "args": ...}; NULL if there is none. The
 * caller holds the reference. */
json_t *dead_table_next(struct dead_table *table);

#endif
