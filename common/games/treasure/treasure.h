/* treasure.h: the treasure hunt: two programs each build half a map and hunt across the whole.
 *
 * The halves are joined and a treasure is hidden in each. A figure starts on its own castle, must
 * find its own treasure and then enter the enemy's castle. A step is announced, counted down by one
 * action each, and executes at 0. Any mistake loses. A player is told only what that player
 * sees. */
#ifndef ARBITER_TREASURE_H
#define ARBITER_TREASURE_H

#include <stdint.h>

#include "rules/game.h"

#define TREASURE_SIDE_MAX 64 /* Columns or rows of a half.                                       */
#define TREASURE_FIELDS_MAX (TREASURE_SIDE_MAX * TREASURE_SIDE_MAX)
#define TREASURE_SEATS 2u
#define TREASURE_DELAY_MAX 1000     /* Actions that spectators may lag behind.                   */
#define TREASURE_DELAYED_MAX 131072 /* Fields of all snapshots that are kept for them.           */
#define TREASURE_GRACE_MS 2000      /* What a slow bus may cost before an expiry.                */
#define TREASURE_FAULTS_MAX 13
#define TREASURE_NOWHERE (-1)

/* Kinds and words, as numbered in treasure.proto. */
enum treasure_command {
    TREASURE_REGISTER = 1,
    TREASURE_SUBMIT_HALF,
    TREASURE_SUBMIT_ROWS,
    TREASURE_UPDATE,
    TREASURE_STEP,
    TREASURE_MALFORMED,
    TREASURE_LEAVE,
    TREASURE_COMMANDS
};
enum treasure_event {
    TREASURE_HALF_ACCEPTED = 1,
    TREASURE_HALF_REJECTED,
    TREASURE_MAP_READY,
    TREASURE_ACT_NOW,
    TREASURE_UPDATED,
    TREASURE_ENEMY_POSITION,
    TREASURE_SIGHTED,
    TREASURE_COLLECTED,
    TREASURE_CASTLE_SIGHTED,
    TREASURE_PLAYER,
    TREASURE_GAME_STARTED,
    TREASURE_ACTION_DONE,
    TREASURE_LEFT,
    TREASURE_GAME_END,
    TREASURE_REVEAL,
    TREASURE_REGISTRATION_ABORTED,
    TREASURE_WATCHED,
    TREASURE_EVENTS
};
enum treasure_direction { TREASURE_UP = 1, TREASURE_DOWN, TREASURE_TO_LEFT, TREASURE_TO_RIGHT };
#define TREASURE_STAY 5 /* Of an action: nobody moved. The others are the directions. */
enum treasure_fault {
    TREASURE_BAD_LENGTH = 1,
    TREASURE_BAD_CODE,
    TREASURE_FORBIDDEN,
    TREASURE_CASTLE_COUNT,
    TREASURE_CASTLE_NOT_ON_GRASS,
    TREASURE_TOO_FEW_MOUNTAIN,
    TREASURE_TOO_FEW_GRASS,
    TREASURE_TOO_FEW_WATER,
    TREASURE_EDGE_TOP,
    TREASURE_EDGE_BOTTOM,
    TREASURE_EDGE_LEFT,
    TREASURE_EDGE_RIGHT,
    TREASURE_ISLAND
};
enum treasure_result { TREASURE_P1_WIN = 1, TREASURE_P2_WIN, TREASURE_BOTH_LOSE, TREASURE_ABORTED };
enum treasure_why {
    TREASURE_CASTLE_TAKEN = 1,
    TREASURE_IN_WATER,
    TREASURE_OFF_MAP,
    TREASURE_BAD_POSITION,
    TREASURE_ILLEGAL_STEP,
    TREASURE_BAD_COUNTDOWN,
    TREASURE_NOT_YOUR_TURN,
    TREASURE_BAD_MAP,
    TREASURE_BAD_MESSAGE,
    TREASURE_THINK_TIME,
    TREASURE_HAS_LEFT,
    TREASURE_ACTION_LIMIT,
    TREASURE_SHUTDOWN
};
enum treasure_phase { TREASURE_HALVES = 2, TREASURE_MOVES, TREASURE_END };
enum treasure_terrain { TREASURE_GRASS, TREASURE_MOUNTAIN, TREASURE_WATER, TREASURE_OUTSIDE };
enum treasure_layout { TREASURE_STACK, TREASURE_SIDE_BY_SIDE, TREASURE_RANDOM_LAYOUT };

/* Why a command is refused. Mistakes of the game are not refused: they lose. */
enum treasure_no {
    TREASURE_NO_OVER = 1,
    TREASURE_NO_SEAT,
    TREASURE_NO_KIND,
    TREASURE_NO_INCOMPLETE,
    TREASURE_NO_DIRECTION,
    TREASURE_NO_TURN,
    TREASURE_NO_HALF_TWICE,
    TREASURE_NO_LATE_HALF,
    TREASURE_NO_REGISTERED,
    TREASURE_NO_REGISTERED_TWICE,
    TREASURE_NO_PERSON,
    TREASURE_NO_ROOM,
    TREASURE_NO_REASONS
};

/* What the table was created with. */
struct treasure_setup {
    uint32_t width, height; /* Of a half. */
    uint32_t min_mountain, min_grass, min_water;
    uint32_t edge_long, edge_short; /* Most water on an edge.                              */
    uint32_t layout;                /* enum treasure_layout.                               */
    uint32_t order_random;
    uint32_t castle_random; /* A half may come without a castle.                           */
    uint32_t treasure_distance;
    uint32_t exact_cost;    /* 1: cost actions a step; 0: one more.                       */
    uint32_t enter_cost[4]; /* By enum treasure_terrain; outside costs like water.        */
    uint32_t leave_cost[2];
    uint32_t max_actions;
    uint32_t mover_loses; /* At the limit only the player of the last action loses.        */
    uint32_t think_ms;    /* 0: no limit.                                                  */
    uint32_t reject_out_of_turn;
    uint32_t registration_ms; /* 0: no limit.                                              */
    uint32_t mask_actions;
    uint32_t mountain_radius;
    uint32_t watch_all; /* Spectators see everything, `delay` actions late.                */
    uint32_t delay;
};

/* A countdown; `running` 0: there is none and the rest is 0. */
struct treasure_pending {
    int32_t running, x, y, next;
};

/* A player. Places are in the joined map, from the merge on. */
struct treasure_seat {
    int32_t                 has_half;
    /* Field of the half where its sender put the castle; TREASURE_NOWHERE: nowhere. */
    int32_t                 given;
    int32_t                 castle_x, castle_y;
    int32_t                 x, y; /* The figure. */
    struct treasure_pending pending;
    int32_t                 treasure_x, treasure_y;
    int32_t treasure_seen, treasure; /* The player has seen it; has it.                    */
    int32_t castle_seen;             /* The player saw the other's castle.                 */
    int32_t enemy_x, enemy_y;        /* Where the enemy seems to be while masked.          */
    int32_t shown; /* Nothing masks the figure any more. When that began, it stood here, ...   */
    int32_t shown_x, shown_y;
    int32_t shown_after; /* ... after so many actions of the game.                         */
};

/* The last action, as it is stored. */
struct treasure_last {
    int32_t id; /* 0: there was none.                                                      */
    int32_t seat, action;
    int32_t readable; /* 0: target and turns could not be read.                            */
    int32_t x, y, turns;
    int32_t violation; /* enum treasure_why; 0: none.                                      */
};

/* What changes with an action, kept for spectators who are behind. */
struct treasure_snapshot {
    int32_t                 n;
    int32_t                 x[TREASURE_SEATS], y[TREASURE_SEATS];
    struct treasure_pending pending[TREASURE_SEATS];
    int32_t                 treasure[TREASURE_SEATS];
    struct treasure_last    last;
};

/* A match. All numbers of one width; behind it stand the arrays of treasure_rules.h. */
struct treasure_state {
    int32_t              phase;
    int32_t              merged;
    int32_t              n;      /* Actions so far.                                        */
    int32_t              side;   /* The halves lie side by side.                           */
    int32_t              first;  /* Whose half is above or on the left.                    */
    int32_t              result; /* enum treasure_result; 0: it goes on.                   */
    int32_t              reason;
    int32_t              shown; /* Snapshots that spectators were shown.                   */
    struct treasure_last last;
    struct treasure_seat seat[TREASURE_SEATS];
};

extern const struct game         game_treasure;
extern const struct foresight    treasure_foresight;
extern const struct registration treasure_registration;

#endif
