/* serve_house.h: the house behind the plain door: for one match in this process, or for a class, each
 * match of which has a process and a port of its own. */
#ifndef ARBITER_SERVE_HOUSE_H
#define ARBITER_SERVE_HOUSE_H

#include "services/console/classroom/serve_door.h"

#define SERVE_MATCHES_MAX 128u

/* What is served, and where. */
struct serve_terms {
    const struct serve_table *table;
    const char               *host;
    bool                      is_open;    /* Not on loopback only.                              */
    uint32_t                  port;       /* 0: any free one.                                   */
    uint32_t                  matches;    /* At this port and the next ones.                    */
    double                    patience_s; /* The original's clock; 0: the house keeps the time. */
    const char               *record;     /* NULL: nothing is kept.                             */
    /* The exit code that an ending gets. */
    int (*code_of)(const void *asked, const struct serve_door *door);
    const void *asked;
};

/* Listens, plays, records. A console_exit, or what `code_of` says; what is wrong has been said. */
int serve_one(const struct serve_terms *terms);
/* The same for all matches of a class: the highest code of all. */
int serve_class(const struct serve_terms *terms);

/* serve_house.c, for serve_class.c. */
/* Opens the door of match `number`, from 0; false after a complaint. */
bool serve_open_door(struct serve_door *door, const struct serve_terms *terms, uint32_t number);
/* Plays and records what the opened door serves, in a house that runs. */
int  serve_play(struct serve_door *door, struct cluster *cluster, const struct serve_terms *terms,
                const struct serve_table *table);
/* Sets the lobby up for so many tables of this kind. */
struct serve_lobby_words {
    char timeout_ms[24], desk_bytes[24], tables[24], services[24];
};
void serve_set_lobby(struct cluster *cluster, const struct serve_terms *terms,
                     struct serve_lobby_words *words);
/* A key that the lobby lets in from the beginning: a watchdog of our own. False: it cannot be written. */
bool serve_add_clock(const struct home *home, struct bus_keys *keys);
/* Only what a person should hear of: that a process of the house ended. */
void serve_tell_child(const struct child *child, const char *sentence);
/* Ends the house, and takes its folder away, unless somebody must look at what it said. */
int  serve_end_house(struct cluster *cluster, const char *folder, int code);

#endif
