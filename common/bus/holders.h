/* holders.h: which connection asked an XPUB for which topic, so that nobody gives back what they
 * never had.
 *
 * libzmq passes on every unsubscription, even of a topic that the subscriber never had. And a
 * subscription made twice is passed on twice, but ends once. Simple counting would fail: the first
 * case would take topics away from others, and in the second a topic would never end. A
 * connection's end is not told: what it held is swept when room is needed. */
#ifndef ARBITER_BUS_HOLDERS_H
#define ARBITER_BUS_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct holding {
    uint64_t topic; /* A hash of it.                                                              */
    uint64_t guest; /* porter_guest; 0: this place is free.                                       */
    int      file;  /* Its connection.                                                            */
};

struct holders {
    struct holding *list; /* Open addressing; a quarter stays free. Grows with its use, ...       */
    uint32_t        capacity, used;
    uint32_t        most; /* ... until it holds so many.                                          */
};

/* False: no memory. */
bool holders_open(struct holders *holders, uint32_t most);
void holders_close(struct holders *holders);
/* False: the connection holds it already, or there is no room. */
bool holders_add(struct holders *holders, int file, const uint8_t *topic, size_t size);
/* False: the connection does not hold it. */
bool holders_remove(struct holders *holders, int file, const uint8_t *topic, size_t size);

#endif
