/* house_conform.h: who plays a recording's commands, if it is not the rules themselves: real processes.
 *
 * A game knows the form of its recordings, the console knows how to reach lobby, engine and fanout; this
 * table of functions stands between them. Clients are numbered as in the recording; each is a client of
 * its own, with its own key and connections. Every function that speaks waits until all that follows from
 * it has reached every client: the answers are the barrier between a recording's lines. */
#ifndef ARBITER_HOUSE_CONFORM_H
#define ARBITER_HOUSE_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rules/command.h"
#include "rules/sink.h"

/* The table a recording asks for. */
struct house_table {
    const char *found;   /* The file the set-up is from, for what is printed.                   */
    const char *setup;   /* JSON text.                                                          */
    const char *options; /* JSON text; NULL: none.                                              */
    int64_t     seed;    /* Open dice.                                                          */
    uint32_t    seats; /* So many clients, from 0, sit down in their order, and the match begins */
                       /* at once. 0: clients register, as their recording has it.            */
    /* What a client is called; NULL: no matter. */
    const char *(*name)(void *asked, uint32_t client);
    void *asked;
};

/* One thing a client heard. Everything lives until the next call. */
struct house_heard {
    const word *event;   /* A row (rules/sink.h); NULL: it is one of the following.               */
    const char *refused; /* The sentence of a refusal.                                          */
    const char *setup;   /* The set-up's text, as somebody is told it who has just registered.   */
    const char *name;    /* Of the player the event is about; NULL: it is about nobody.           */
};

struct house {
    /* A new table, which clients register at, and all clients new. False, with the reason printed. */
    bool (*open)(struct house *house, const struct house_table *table, FILE *complaints);
    /* A client says something. Who has neither registered nor a seat any more is not answered. */
    bool (*say)(struct house *house, uint32_t client, const struct command *command);
    /* The time of whoever is awaited runs out. */
    bool (*expire)(struct house *house);
    /* The time of somebody runs out for whom nobody waits: nothing may come of it. NULL: not here. */
    bool (*expire_idle)(struct house *house, uint32_t client);
    /* What a client may see of the match now, as the words of one View, which live until the next call;
     * NULL: not here. */
    bool (*look)(struct house *house, uint32_t client, const word **words, uint32_t *count);
    /* What a client heard next; false: nothing more. */
    bool (*next)(struct house *house, uint32_t client, struct house_heard *heard);
    /* The client's seat, once the match has begun; NO_SEAT_HERE: none. */
    uint32_t (*seat)(struct house *house, uint32_t client);
    void (*close)(struct house *house);
};

#define NO_SEAT_HERE UINT32_MAX

#endif
