/* readers.h: how many subscribed to each topic of an XPUB, so that somebody notices the last one leave.
 *
 * When a subscriber vanishes, libzmq says what it had asked for, not who it was. It also says this
 * of subscriptions that were refused. So both kinds are counted. A topic may be thought read a
 * little too long, but never too short. */
#ifndef ARBITER_BUS_READERS_H
#define ARBITER_BUS_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/header.h"

struct readers_entry {
    uint8_t  topic[TOPIC_SIZE];
    uint8_t  size; /* 1 or TOPIC_SIZE; 0: this place is free.                                     */
    bool     is_granted; /* At least one of them was let in.                                      */
    uint32_t count;
};

struct readers {
    struct readers_entry *entries; /* Open addressing; a quarter stays free.                      */
    uint32_t              capacity, used;
};

/* False: no memory. */
bool readers_open(struct readers *readers, uint32_t topics_max);
void readers_close(struct readers *readers);
/* One more. False: the table is full, or topics are not of this size; nothing is counted. */
bool readers_add(struct readers *readers, const uint8_t *topic, size_t size, bool is_granted);
/* One less; true if it was the last and one had been granted. */
bool readers_remove(struct readers *readers, const uint8_t *topic, size_t size);

#endif
