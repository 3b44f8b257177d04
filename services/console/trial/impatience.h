/* impatience.h: a watchdog whose owner says when time is up.
 *
 * It greets lobby and engine as a watchdog of its own, hears of every wait, and says Expire about the one
 * it is asked to end. So a house can be run by another clock than its own: `arbiter serve`
 * keeps the original's time with it. */
#ifndef ARBITER_IMPATIENCE_H
#define ARBITER_IMPATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "bus/bus.h"
#include "rules/game.h"
#include "services/console/home/home.h"

#define IMPATIENCE_ID_SIZE 16

#define IMPATIENCE_MATCHES_MAX 256

/* One of the matches that are followed. */
struct impatience_match {
    uint8_t  match_id[IMPATIENCE_ID_SIZE];
    uint64_t wait, epoch; /* What the match waits for, as the engine said last; 0: nothing. */
    uint32_t late[SEATS_MAX], late_count;
};

struct impatience {
    struct bus        *bus;
    struct bus_socket *lobby, *engine; /* The engine: NULL until the lobby names one.           */
    double             said;           /* When both were greeted last.                          */
    struct impatience_match match[IMPATIENCE_MATCHES_MAX];
    uint32_t                matches; /* So many of them are followed.                           */
};

/* `keys`: admitted as a watchdog's, and nobody else's. False, and a sentence. */
bool impatience_open(struct impatience *clock, const struct home *home, const struct bus_keys *keys,
                     struct text *fault);
void impatience_close(struct impatience *clock);
/* Whose waits are of interest. */
void impatience_follow(struct impatience *clock, const uint8_t match_id[IMPATIENCE_ID_SIZE]);
/* The same for one of several, by its number. */
void impatience_follow_at(struct impatience *clock, uint32_t number,
                          const uint8_t match_id[IMPATIENCE_ID_SIZE]);
/* Takes in what has come, and greets again from time to time, since services are started anew. */
void impatience_look(struct impatience *clock, double now);
/* The time of a table's registration is over; that of all whom the match waits for. */
void impatience_expire_table(struct impatience *clock, const uint8_t table[IMPATIENCE_ID_SIZE]);
void impatience_expire_match(struct impatience *clock);
void impatience_expire_match_at(struct impatience *clock, uint32_t number);

#endif
