/* rest.h: the treasure game over HTTP with XML, as programs of 2017 speak it: who is who, and who waits. Pure.
 *
 * Each id is an ordinary player on the bus. A request becomes what that player says at a table or
 * in a match. Its answer is sent when the house has told what became of it, perhaps minutes later.
 * Until then the request is held, one for each id and path. Time is measured here, from the answer
 * that opens a turn to the last byte of the request, and goes with the command. So a slow house
 * costs nobody the game. */
#ifndef ARBITER_GATEWAY_REST_H
#define ARBITER_GATEWAY_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "contract/gateway.pb-c.h"
#include "core/outbox.h"

#define REST_PERSON_MAX 272 /* Two names of 30 code points, a number, and what divides them. */
#define REST_CODE_MAX 32

enum rest_axis { REST_AXIS_OF_DIALECT, REST_X_IS_COLUMN, REST_X_IS_ROW };

struct rest_settings {
    const char *setup;  /* Of all tables, JSON text.                                            */
    uint32_t    fields; /* Of a half.                                                            */
    bool     has_seed;  /* Open dice.                                                            */
    int64_t  seed;
    bool     is_impl; /* The dialect of who cannot be understood.                               */
    bool     extensions;
    bool     has_base; /* Coordinates begin at `base` in every dialect.                           */
    uint32_t base;
    enum rest_axis axis;
    bool     is_shown;   /* Games are listed while they are played, and anybody may watch them.   */
    bool     random_ids; /* Else 1, 2, 3, ... over the life of the lobby's store.             */
    uint32_t players_max;
    uint32_t per_address;  /* Of them from one address; 0: any number.                          */
    uint32_t crowd_times;  /* So many times that from an address in a listed network; 0: any.    */
    uint32_t retention_ms; /* An id is known so long after its game.                          */
    uint32_t bot_ms;       /* Alone for so long, one plays a bot; 0: never. */
    uint32_t bot_level;    /* How well that bot plays; 0: as the game's own judgement likes best. */
    bool     keeps; /* Ids are kept in a store, and known again after a restart.              */
};

enum rest_state {
    REST_FREE,
    REST_QUEUED, /* One registers at a time, so that they are paired in order. */
    REST_NAMING,
    REST_SITTING,
    REST_ENTERING,
    REST_ENTERED,   /* Knows the id; is alone at the table, or the match is about to begin. */
    REST_ATTACHING, /* The ticket was asked for, or the seat. */
    REST_PLAYING,
    REST_OVER
};

/* A request that waits. */
struct rest_held {
    bool is_held;
    bool is_malformed;
    bool is_said;   /* A half: the house has it.                                                  */
    bool is_mute;   /* The program has closed its side, and may have gone. */
    uint64_t route; /* 0: the program hung up. */
    uint64_t displaced; /* Who waited here when a message came that loses; 0: nobody. */
    uint64_t came_ms;
    uint64_t order; /* Of all requests here.                                                      */
    int32_t  place[4]; /* An update: figure and target, as the house counts, x before y. */
    int32_t  turns;
};

/* What a player knows. */
struct rest_view {
    int32_t x, y, enemy_x, enemy_y;
    bool    treasure, sees_treasure, sees_castle;
    int32_t treasure_x, treasure_y, castle_x, castle_y; /* Own treasure; the other's castle. */
    int32_t home_x, home_y; /* Own castle.                              */
    bool    has_pending;    /* A countdown is running. */
    int32_t pending_x, pending_y, pending_next;
};

enum rest_said {
    REST_NOTHING,
    REST_HALF,
    REST_UPDATE,
    REST_MALFORMED,
    REST_LEAVE,
    REST_REJOIN,
    REST_FILL
};

struct rest_player {
    enum rest_state state;
    int32_t         id; /* The number that the lobby gave; 0: none yet. */
    uint64_t order;     /* Of registration.                                                      */
    uint64_t from;      /* The address, hashed; 0: this machine's, or not known any more.        */
    bool     is_crowd;
    bool     is_impl;
    uint8_t  player[CLIENT_ID_SIZE], table[CLIENT_ID_SIZE], match_id[CLIENT_ID_SIZE];
    bool     is_named; /* The lobby knows this player.                                         */
    bool     is_spare; /* By a name that somebody had before. */
    bool     has_match;
    uint32_t seat;
    uint64_t route; /* Where the registration is answered. */
    char     person[REST_PERSON_MAX];
    uint32_t person_size;

    uint32_t ask;     /* Of the lobby, under way; 0: none.                                       */
    uint32_t command; /* In the match, under way; 0: none.                                     */
    enum rest_said said; /* What either is. */
    uint64_t flight;     /* Who waits for the Update that is under way, or was answered it last.  */
    bool     is_in_flight;
    struct rest_held map, update;

    uint64_t acts, acts_there; /* Told so far, and when the seat was taken.                       */
    bool is_asked; /* The match has begun, and said what it wants.                                */
    bool has_half; /* Accepted.                                                                  */
    bool has_first;
    bool is_first_said; /* The house has the first half. */
    bool is_joined;
    bool is_turn;
    uint64_t half_ms, turn_ms; /* Since when the time runs; 0: it does not. */
    uint64_t retry_ms;

    struct rest_view view;
    bool     has_ended, won, lost, lost_on_message; /* BAD_MESSAGE or THINK_TIME.              */
    bool     wants_out;                             /* Is to leave the table. */
    uint64_t until_ms;

    bool     is_second; /* Sat down beside a waiting player.                                  */
    uint64_t alone_ms;  /* Since when one waits for an opponent. */
    uint64_t heard_ms;  /* When the program was last there: asked something, or waited. */
    bool     was_told;  /* The program knows the id. */
    uint64_t told;      /* Where it was told; 0: it has arrived, as far as is known. */
    uint64_t
         gone_ms; /* Since when the program has hung up or closed its side, before that; 0: not. */
    bool is_kept; /* The store has this id, or is about to. */
    bool is_changed;  /* The row in the store is out of date. */
    bool is_back;     /* Known before this process began: the table is not followed, ... */
    bool must_rejoin; /* ... or is to be, because the match had not begun. */
    bool may_repeat;  /* May repeat what was carried out before. */
    bool is_doubted;  /* A repeat, and it is not known whether it is allowed. */

    char    *half, *sent; /* The first half; the one that came last. */
    uint32_t half_size, sent_size;
    uint8_t *field; /* The joined map. */
    uint32_t field_size;
};

/* How many players an address has. */
struct rest_tally {
    uint64_t from; /* 0: the place is free. */
    uint32_t count;
};

struct rest {
    struct rest_settings settings;
    struct client_core  *client;
    struct rest_player  *players;
    struct rest_tally   *tallies; /* Scratch of rest_sources.c, of tallies_size, a power of two.  */
    uint32_t             tallies_size;
    uint8_t (*spares)[CLIENT_ID_SIZE]; /* Players of the lobby's whom nobody is.          */
    uint32_t spare_count;
    uint32_t registering; /* Whose turn it is; players_max: nobody's.                       */
    uint64_t orders, requests;
    uint32_t own_ids;  /* So many this door gave out itself, before the lobby did; 0: none.     */
    bool     has_open; /* Somebody waits at `open`.                                        */
    uint8_t  open[CLIENT_ID_SIZE];
    char     code[REST_CODE_MAX]; /* Which opens it; NUL to the end.                       */
    uint64_t games, answers;      /* For people.                                               */
    bool     has_changes;
    bool     is_loaded; /* What was kept has been read.                                       */
    uint32_t rejoining; /* So many must still find their table again.                         */
};

/* What is going on in a step. */
struct rest_turn {
    struct rest   *rest;
    uint64_t       now_ms;
    const uint8_t *entropy;
    struct outbox *out;
};

void   rest_defaults(struct rest_settings *settings);
size_t rest_bytes(const struct rest_settings *settings);
void   rest_init(struct rest *rest, void *memory, const struct rest_settings *settings,
                 struct client_core *client);

/* What happens: a request; a program hangs up or closes its side; the house speaks; time passes. */
void rest_hear(const struct rest_turn *turn, uint64_t route, const Arbiter__Gateway__RestAsk *ask);
void rest_hang_up(const struct rest_turn *turn, uint64_t route, bool is_half);
void rest_told(const struct rest_turn *turn, const struct client_event *event);
void rest_tick(const struct rest_turn *turn);
/* The door closes: whoever waits is told so. */
void rest_stop(const struct rest_turn *turn);
/* rest_sources.c: the most players that any one address has here; crowds aside. */
uint32_t rest_most_from_one(const struct rest *rest);

#endif
