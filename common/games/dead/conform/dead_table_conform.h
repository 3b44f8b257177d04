/* dead_table_conform.h: the house of a recording, played by the rules in this process: no sockets.
 *
 * What a lobby and an engine do on a running system is done here in the simplest way, for one match. */
#ifndef ARBITER_DEAD_TABLE_CONFORM_H
#define ARBITER_DEAD_TABLE_CONFORM_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "games/house_conform.h"

#define DEAD_PATH_MAX 4096
#define DEAD_CLIENTS_MAX 128 /* A recording's clients are numbered below this. */

/* The text of the config that a line of a recording names, closed by a NUL, and the file it was
 * `found` in. The recording's header is line 1. The caller frees the text. NULL, with the reason
 * printed. */
char *dead_config_text(const json_t *header, const char *path, uint32_t line, FILE *complaints,
                       char found[DEAD_PATH_MAX], size_t *size);
/* Whether a match could begin with the table's set-up and options; all their faults are printed. */
bool  dead_config_is_good(const struct house_table *table, FILE *complaints);
struct dead_setup;
struct dead_state;

/* What stands behind a house that plays by itself, for who looks on. */
struct dead_inside {
    const struct dead_setup *setup;   /* Compiled.                                              */
    const struct dead_state *state;   /* NULL: the match has not begun.                         */
    const uint32_t          *clients; /* By seat.                                               */
    uint32_t                 seats;
    bool                     is_over;
};

/* A house that plays one table at a time by itself; NULL: no memory. */
struct house      *dead_house_new(void);
void               dead_house_destroy(struct house **house);
/* Of a house of the kind above whose table is open. */
struct dead_inside dead_house_inside(const struct house *house);

#endif
