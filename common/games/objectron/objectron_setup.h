/* objectron_setup.h: a compiled set-up of objectron: the table's numbers, and the grid if it has one of
 * its own. */
#ifndef ARBITER_OBJECTRON_SETUP_H
#define ARBITER_OBJECTRON_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/game.h"

#define OBJECTRON_SIDE_MAX 100
#define OBJECTRON_SQUARES_MAX (OBJECTRON_SIDE_MAX * OBJECTRON_SIDE_MAX)
#define OBJECTRON_PLAYERS_MAX 9
#define OBJECTRON_INVENTORY_MAX 20
#define OBJECTRON_ACTIONS_MAX 10
#define OBJECTRON_PLACEMENTS_MAX 1000
#define OBJECTRON_FIELDS_MAX 12000
#define OBJECTRON_DISC_RANGE 4
#define OBJECTRON_EVENT_WORDS_MAX (32u << 20)

/* What a letter of the grid is. */
#define OBJECTRON_FREE ' '
#define OBJECTRON_HOLE '*'
#define OBJECTRON_WALL '#'

enum objectron_mode { OBJECTRON_RACE = 1, OBJECTRON_CTF };

enum objectron_kind {
    OBJECTRON_GRENADE = 1,
    OBJECTRON_DISC,
    OBJECTRON_CHARGED_DISC,
    OBJECTRON_TELEPORTER,
    OBJECTRON_GENERATOR,
    OBJECTRON_FLAG,
    OBJECTRON_KINDS
};

enum objectron_grenade {
    OBJECTRON_IDLE = 1,
    OBJECTRON_PLACED,
    OBJECTRON_EXPLODED,
    OBJECTRON_ACTIVE /* In nobody's view. */
};

/* An item that a set-up places itself. */
struct objectron_placement {
    int32_t id;
    int32_t kind;
    int32_t at;     /* Square, or -1 in an inventory.      */
    int32_t holder; /* Seat, or -1 on the grid.            */
    int32_t state;  /* enum objectron_grenade, 0 of others. */
    int32_t by;     /* Who placed it, or -1.               */
    int32_t dest;   /* Of a teleporter: the other's id.    */
    int32_t owner;  /* Of a flag: the seat; else -1.       */
};

/* What a table for tests lays into the state (objectron_laid.c). */
#define OBJECTRON_LAID_MAX 100
struct objectron_laid_failure {
    int32_t at, turns;
    int32_t dir, rotation; /* Rotation 0: it never spreads. */
    int32_t tertiary;      /* A direction, or -1: none.     */
};

struct objectron_laid_player {
    int32_t at, pending, skip, captured;
    int32_t pieces, trail[3], left[3];
};

/* Behind it stand the placements, then the letters of the grid, row by row. */
struct objectron_setup {
    int32_t  bytes;
    int32_t  mode;
    int32_t  players;
    int32_t  width, height;
    int32_t  drawn; /* 1: the dice make the grid. */
    int32_t  actions;
    int32_t  inventory;
    int32_t  wall_percent, wall_length;
    int32_t  grenade_percent, disc_percent, teleporter_percent, generator_percent;
    int32_t  charged;
    int32_t  failure_bp;
    int32_t  placed; /* 1: `placements` replace what the dice would place. */
    int32_t  placements;
    int32_t  squares; /* In the grid, walls included. */
    int32_t  failures_most, fields_most;
    int32_t  has_seed;
    uint64_t seed;
    int32_t  home[OBJECTRON_PLAYERS_MAX + 1]; /* By seat; of drawn grids, too. */
    int32_t  laid, laid_failures;             /* 1: what follows is laid before the first turn. */
    struct objectron_laid_failure laid_failure[OBJECTRON_LAID_MAX];
    struct objectron_laid_player  laid_player[OBJECTRON_PLAYERS_MAX + 1];
};

static inline const struct objectron_placement *objectron_placements(
    const struct objectron_setup *setup)
{
    return (const void *) (setup + 1);
}

static inline const char *objectron_letters(const struct objectron_setup *setup)
{
    return (const char *) (objectron_placements(setup) + setup->placements);
}

/* n * p percent, rounded up. */
static inline int32_t objectron_percent(int32_t n, int32_t p)
{
    return (n * p + 99) / 100;
}

/* Functions of `struct game` (rules/game.h). `options` may state "failures" and "fields", the most
 * of each that the table may come to hold. Tables for tests, with "rigged", may also state
 * `players` and `power_failures`. */
size_t   objectron_configure(const struct value *config, const struct value *options, void *setup,
                             size_t capacity, struct faults *faults);
void     objectron_bounds(const void *at, uint32_t seats, struct bounds *bounds);
void     objectron_extents(const void *at, uint32_t seats, struct extents *extents);
uint32_t objectron_state_bytes(const struct objectron_setup *setup);
/* The most there can be of each. */
int32_t  objectron_items_most(const struct objectron_setup *setup);
int32_t  objectron_generators_most(const struct objectron_setup *setup);

/* What is laid, from the options; `letters` NULL: the dice make the grid. */
void objectron_read_laid(struct objectron_setup *setup, const char *letters,
                         const struct value *options, struct faults *faults);

/* The starts of a grid that the dice make: bottom left, top right, top left, bottom right. */
void objectron_corners(struct objectron_setup *setup);

/* The grid of a text. */
struct objectron_drawing {
    int32_t width, height, starts;
    int32_t squares;
    int32_t home[OBJECTRON_PLAYERS_MAX];
    char    letters[OBJECTRON_SQUARES_MAX];
};

/* Reads a grid and judges it; how many starts it has. The first thing that is wrong is reported, and gives 0. */
int32_t objectron_read_grid(struct objectron_drawing *drawing, const struct value *grid,
                            struct faults *faults);
/* Reads placements into `to` (NULL: only judges them and returns how many). */
int32_t objectron_read_placements(const struct objectron_setup *setup, const char *letters,
                                  const struct value *list, struct objectron_placement *to,
                                  struct faults *faults);

#endif
