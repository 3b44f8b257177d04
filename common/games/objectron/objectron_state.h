/* objectron_state.h: all that changes in a match of objectron, flat, and how to look at it.
 *
 * Squares are numbers, y * width + x, and -1 is none. Items stand in order of their ids and are never
 * taken out of the list: what is destroyed lies nowhere. Failures and fields stand in order of ids. */
#ifndef ARBITER_OBJECTRON_STATE_H
#define ARBITER_OBJECTRON_STATE_H

#include "games/objectron/objectron_setup.h"

#define OBJECTRON_TRAIL_MAX 3

struct objectron_piece {
    int16_t at;
    uint8_t left; /* Further actions it survives.                  */
    uint8_t link; /* Whether it is linked to what comes before it. */
};

struct objectron_player {
    int16_t                at, home;
    uint8_t                alive, pieces, carried, unused;
    uint32_t               captured; /* Bit s: the flag of seat s.  */
    int32_t                pending;  /* Actions still to be lost.   */
    int32_t                skip;     /* Turns still to be skipped.  */
    struct objectron_piece trail[OBJECTRON_TRAIL_MAX];
    uint16_t               inventory[OBJECTRON_INVENTORY_MAX]; /* Indexes of items. */
};

struct objectron_item {
    int32_t  id;
    int16_t  at;
    uint8_t  kind, state;
    int16_t  holder; /* Seat, or -1.                                     */
    int16_t  by;     /* Who placed this grenade, or -1.                  */
    int16_t  dest;   /* Index of a teleporter's other end, or -1.        */
    int16_t  owner;  /* Of a flag, or -1.                                */
    uint32_t uses;   /* Of a teleporter in a disc's flight; 0 otherwise. */
};

struct objectron_failure {
    int32_t id;
    int32_t count; /* Actions it has seen.                          */
    int32_t turns; /* Left, this one included.                      */
    int16_t primary, secondary, tertiary;
    uint8_t dir;      /* 0 to 7.                                    */
    uint8_t rotation; /* 1 clockwise, 2 not; 0: never a secondary.  */
};

struct objectron_field {
    int32_t  id;
    uint16_t a, b;   /* Indexes of generators.             */
    int16_t  from;   /* Its first square.                  */
    int8_t   step;   /* From each square to the next.      */
    uint8_t  length; /* In squares, 2 to 4.                */
    uint16_t trapped;
    uint8_t  on, counter;
};

struct objectron_state {
    int32_t  seats, width, height, mode;
    int32_t  actions, inventory, failure_bp;
    int32_t  turn, current, left, granted, moved, turn_start;
    int32_t  over, winner, reason; /* Winner: seat or -1.                                  */
    int32_t  items, failures, fields;
    int32_t  next_failure, next_field;
    uint32_t held; /* As last said.                          */
    int32_t  items_at, failures_at, fields_at, letters_at;
    int32_t  failures_most, fields_most;
    struct objectron_player player[OBJECTRON_PLAYERS_MAX];
};

/* Places of the arrays. Asking a question does not change what stands there. */

static inline struct objectron_item *objectron_items(const struct objectron_state *state)
{
    return (void *) ((const char *) state + state->items_at);
}

static inline struct objectron_failure *objectron_failures(const struct objectron_state *state)
{
    return (void *) ((const char *) state + state->failures_at);
}

static inline struct objectron_field *objectron_fields(const struct objectron_state *state)
{
    return (void *) ((const char *) state + state->fields_at);
}

static inline char *objectron_cells(const struct objectron_state *state)
{
    return (char *) ((const char *) state + state->letters_at);
}

/* Small questions. Squares may be -1, which is a hole. */

static inline int32_t objectron_squares(const struct objectron_state *state)
{
    return state->width * state->height;
}

static inline char objectron_cell(const struct objectron_state *state, int32_t square)
{
    return square < 0 ? OBJECTRON_HOLE : objectron_cells(state)[square];
}

static inline bool objectron_in_grid(const struct objectron_state *state, int32_t square)
{
    return objectron_cell(state, square) != OBJECTRON_HOLE;
}

static inline bool objectron_free(const struct objectron_state *state, int32_t square)
{
    return objectron_cell(state, square) == OBJECTRON_FREE;
}

/* The square so many columns and rows away, or -1 outside the rectangle. */
int32_t objectron_beside(const struct objectron_state *state, int32_t square, int32_t dx,
                         int32_t dy);
/* The next square in a direction, 0 (north) to 7, clockwise. */
int32_t objectron_step(const struct objectron_state *state, int32_t square, uint32_t dir);
/* All eight of them. */
void    objectron_around(const struct objectron_state *state, int32_t square, int32_t around[8]);
int32_t objectron_dx(uint32_t dir);
int32_t objectron_dy(uint32_t dir);

/* The index of an item by its id, of one of a kind that lies on a square; -1: there is none. An active
 * grenade lies nowhere for the latter. */
int32_t objectron_item_of(const struct objectron_state *state, word id);
int32_t objectron_lying(const struct objectron_state *state, int32_t square, uint32_t kind);
/* The active grenade of a square: only for who enters it. */
int32_t objectron_active(const struct objectron_state *state, int32_t square);
/* The flag a player carries, or -1. */
int32_t objectron_carried_flag(const struct objectron_state *state, uint32_t seat);
/* The living player on a square, or -1. */
int32_t objectron_player_on(const struct objectron_state *state, int32_t square);
bool    objectron_dark(const struct objectron_state *state, int32_t square);

/* Fields. */

static inline int32_t objectron_field_square(const struct objectron_field *field, uint32_t index)
{
    return field->from + (int32_t) index * field->step;
}

static inline bool objectron_field_covers(const struct objectron_field *field, int32_t square)
{
    for (uint32_t i = 0; i < field->length; i++)
        if (objectron_field_square(field, i) == square)
            return true;
    return false;
}

/* Whether a field that is on covers the square. */
bool     objectron_charged(const struct objectron_state *state, int32_t square);
/* The living players on a field's squares. */
uint32_t objectron_caught(const struct objectron_state *state, const struct objectron_field *field);

#endif
