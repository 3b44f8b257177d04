/* house.h: what the house says in a match, stream.HouseEvent: written and read by hand. Pure.
 *
 * An event is one small message inside another, of numbers and bytes. It stands in an act as its command. What is
 * read may be anybody's bytes, and a core may not ask protobuf-c. */
#ifndef ARBITER_HOUSE_H
#define ARBITER_HOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/stream_fields.h"
#include "rules/game.h"

enum house_kind {
    HOUSE_OTHER = 0, /* Of a later build. */
    HOUSE_DICE_COMMITTED = FIELD_STREAM_HOUSE_EVENT_DICE_COMMITTED,
    HOUSE_HASH_POSTED = FIELD_STREAM_HOUSE_EVENT_HASH_POSTED,
    HOUSE_BYTES_REVEALED = FIELD_STREAM_HOUSE_EVENT_BYTES_REVEALED,
    HOUSE_SEAT_SILENT = FIELD_STREAM_HOUSE_EVENT_SEAT_SILENT,
    HOUSE_SEAT_CHANGED = FIELD_STREAM_HOUSE_EVENT_SEAT_CHANGED,
    HOUSE_WAIT_RESTARTED = FIELD_STREAM_HOUSE_EVENT_WAIT_RESTARTED,
    HOUSE_MATCH_ABORTED = FIELD_STREAM_HOUSE_EVENT_MATCH_ABORTED,
    HOUSE_SECRETS_SHOWN = FIELD_STREAM_HOUSE_EVENT_SECRETS_SHOWN
};

#define HOUSE_BYTES_MAX 512
#define HOUSE_SECRET_SIZE 32

struct house_said {
    uint8_t bytes[HOUSE_BYTES_MAX];
    size_t  size;
};

void   house_dice_committed(struct house_said *said, const uint8_t *commitment, seat_mask seats);
/* HASH_POSTED, BYTES_REVEALED, SEAT_SILENT (no bytes). */
void   house_contribution(struct house_said *said, enum house_kind kind, uint32_t seat,
                          const uint8_t *bytes, size_t size);
void   house_seat_changed(struct house_said *said, uint32_t seat, uint32_t generation, bool bot);
void   house_wait_restarted(struct house_said *said, uint64_t wait, uint64_t full_ms);
void   house_match_aborted(struct house_said *said, const char *reason);
/* Writes at most 128 bytes: the sealing secret and, unless it is NULL, the dice's, HOUSE_SECRET_SIZE bytes each. */
size_t house_secrets(uint8_t *bytes, const uint8_t *sealing, const uint8_t *dice);

/* What a reader must know of an event. */
struct house_news {
    enum house_kind kind;
    uint32_t  seat;  /* SEATS_MAX: there is no such seat.                                     */
    seat_mask seats; /* DICE_COMMITTED: those that contribute.                                */
    uint32_t  generation; /* SEAT_CHANGED.                                                    */
    const uint8_t *bytes; /* The commitment, hash, contribution or sealing secret ...            */
    size_t         size;
    const uint8_t *dice; /* ... and the dice's secret.                                          */
    size_t         dice_size;
};

/* False: the bytes are no HouseEvent. */
bool house_read(const uint8_t *bytes, size_t size, struct house_news *news);

#endif
