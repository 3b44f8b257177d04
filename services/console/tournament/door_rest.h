/* door_rest.h: a tournament's door for a program of 2017: treasure over HTTP with XML, at a port of its own.
 *
 * There is no house behind it. The tournament plays the rules, asks this door what its program
 * wants to do, and tells it what the program may know then. Requests are read and answered as
 * section 8 of the game's rules says, in both dialects. They are held until they are due, and
 * behind the end answered with the program's true result. Three things differ from the gateway. The
 * program's id is its seat, counted from 1. What a mistake costs it is found out when the
 * tournament asks next. The set-up's part called `rest` is not looked at. */
#ifndef ARBITER_DOOR_REST_H
#define ARBITER_DOOR_REST_H

#include "contract/treasure.pb-c.h"
#include "rules/command.h"
#include "services/gateway/rest/rest_half.h"
#include "services/gateway/shell/xml/small_http.h"

/* A request that waits. */
struct door_held {
    struct small_request *request; /* NULL: none. */
    bool                  is_malformed;
    bool                  is_said; /* A half: the rules have it.                               */
    uint64_t              came_ms;
    int32_t number[5]; /* An update's, as the rules count.                           */
};

struct door_rest {
    struct small_http http;
    uint32_t          seat, fields;
    bool              is_registered, is_impl;
    struct door_held  map, update;
    char  *half, *sent; /* The first half; the one that came last.                      */
    size_t half_size, sent_size;
    bool   has_half;               /* Accepted.                                                   */
    bool   is_asked;               /* Something was said to the rules and not answered yet. */
    struct small_request *flight;  /* Whose answer that will be.                                */
    uint64_t              turn_ms; /* Since when the time runs; 0: it does not. */
    uint64_t              latency_ms, slowest_ms;

    /* What the program knows. */
    bool    is_joined, is_over, won, lost, lost_on_message, has_treasure;
    int32_t x, y, enemy_x, enemy_y, home_x, home_y;
    char   *map_text; /* Numeric alphabet. */
    size_t  map_size;
};

/* False: no port, or no memory. */
bool door_rest_open(struct door_rest *door, uint32_t seat, uint32_t fields);
void door_rest_close(struct door_rest *door);

/* Takes what has come and answers what can be answered. */
void door_rest_serve(struct door_rest *door);
/* What the program does next, as a command that keeps its text here; false: nothing yet. */
bool door_rest_take(struct door_rest *door, struct command *command);
/* Whether it has said something that loses whoever is on turn. */
bool door_rest_loses(const struct door_rest *door);
/* What it may know now. */
void door_rest_told(struct door_rest *door, const Arbiter__Treasure__PlayerView *view);
/* It is over without the rules having said so: somebody forfeits, or it is drawn. */
void door_rest_over(struct door_rest *door, bool won, bool lost);

#endif
