/* nim.h: nim, the smallest game that shows everything a game needs.
 *
 * Some heaps of counters lie on the table. Two to four players take turns. In a turn a player takes
 * any number of counters, at least one, from one heap. The player who takes the last counter wins.
 * In the *misere* form that player loses and the others win. A player whose time runs out, or whom
 * the house removes, is out; the last one who is in wins at once. */
#ifndef ARBITER_NIM_H
#define ARBITER_NIM_H

#include <stdint.h>

#include "rules/game.h"

#define NIM_HEAPS_MAX 8
#define NIM_HEAP_MAX 1000        /* Counters in one heap of a set-up.                */
#define NIM_RANDOM_HEAPS_LEAST 3 /* Of "heaps": "random": this many heaps to MAX,    */
#define NIM_RANDOM_HEAP_MAX 9    /* each of 1 to this many counters.                 */

/* Kinds, as numbered in nim.proto. */
enum nim_command { NIM_TAKE = 1, NIM_COMMANDS };
enum nim_event { NIM_STARTED = 1, NIM_TURN, NIM_TAKEN, NIM_OUT, NIM_OVER, NIM_EVENTS };
enum nim_reason { NIM_NOT_YOUR_TURN = 1, NIM_NOT_A_MOVE, NIM_NO_SUCH_HEAP, NIM_COUNT, NIM_REASONS };

/* What the table was created with. */
struct nim_setup {
    uint32_t heaps;  /* 0: the dice decide.                       */
    uint32_t misere; /* 1: who takes the last counter loses.      */
    uint32_t heap[NIM_HEAPS_MAX];
};

/* A match. All numbers of one width, so there is no padding between them. */
struct nim_state {
    uint32_t seats;
    uint32_t in;      /* Mask of the seats that are in.              */
    uint32_t turn;    /* Whose turn it is, while nobody has won.     */
    uint32_t winners; /* Mask; 0: the match goes on.                 */
    uint32_t heaps;
    uint32_t heap[NIM_HEAPS_MAX]; /* What is left of each.           */
};

extern const struct game      game_nim;
extern const struct foresight nim_foresight;

#endif
