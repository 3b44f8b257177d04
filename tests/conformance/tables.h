/* tables.h: the set-ups that tests play every game with.
 *
 * A game says in its own folder what to play: each common/games/NAME/setups/FILE.json is an object
 *
 *     "config"        the set-up itself, or
 *     "config_files"  a pattern of files that are set-ups, from the top of the tree
 *                     ("configs/nim/{small,large}.json": each of these must be there)
 *     "options"       what a table says beside it (may be left out)
 *     "seats"         a list of numbers of seats (left out: all that the set-up allows)
 *
 * and every set-up in it becomes a table here, named FILE or FILE:SET-UP. */
#ifndef ARBITER_TESTS_TABLES_H
#define ARBITER_TESTS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/registry.h"

#define TABLE_NAME_MAX 96

struct table {
    const struct game_wire *wire;
    char                    name[TABLE_NAME_MAX];
    char                   *config;  /* The set-up's text, allocated.   */
    char                   *options; /* As text; NULL: none.            */
    void                   *setup;   /* Compiled, allocated.            */
    size_t                  setup_bytes;
    uint32_t                seats[SEATS_MAX]; /* Numbers of seats to play with.  */
    uint32_t                seat_counts;
};

struct tables {
    struct table *table;
    uint32_t      count;
};

/* All tables of a game, in order of their names. False, with the reasons printed, if a file is none or
 * a set-up has faults; what could be read is there all the same. */
bool tables_load(const struct game_wire *wire, struct tables *tables);
void tables_free(struct tables *tables);

#endif
