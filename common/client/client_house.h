/* client_house.h: what a player must know of the house's events, read from their bytes. Pure.
 *
 * The core may not call protobuf-c, and needs eight fields of six messages; so they are read here, from
 * bytes that anybody may have sent. */
#ifndef ARBITER_CLIENT_HOUSE_H
#define ARBITER_CLIENT_HOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/varint.h"

/* Numbers of stream.HouseEvent's oneof. */
enum house_kind {
    HOUSE_OTHER = 0,
    HOUSE_DICE_COMMITTED = 1,
    HOUSE_HASH_POSTED = 2,
    HOUSE_BYTES_REVEALED = 3,
    HOUSE_SEAT_SILENT = 4,
    HOUSE_SEAT_CHANGED = 5,
    HOUSE_SECRETS_SHOWN = 8
};

struct house_news {
    enum house_kind kind;
    uint32_t        seat;
    uint32_t        seats; /* DICE_COMMITTED: bit s: seat s contributes.                      */
    uint32_t generation;   /* SEAT_CHANGED.                                                    */
    const uint8_t *bytes;  /* The commitment, hash, contribution or sealing secret ...            */
    size_t         size;
    const uint8_t *dice; /* ... and the dice's secret.                                          */
    size_t         dice_size;
};

/* One field of a message. */
struct house_field {
    uint32_t      number;
    uint64_t      value; /* A varint.                                                            */
    struct reader body;  /* A string, bytes or message; empty else.                             */
};

/* The next field; false: the end, or bytes that are no field of a kind we have. */
bool house_field(struct reader *in, struct house_field *field);

/* False: the bytes are no HouseEvent. */
bool client_house_read(const uint8_t *bytes, size_t size, struct house_news *news);

#endif
