/* act_read.h: a seat's events, in order, out of an act's body and the seat's opened box. Pure.
 *
 * act.h says what a body is made of, and writes it. What stands here is installed with the client library. */
#ifndef ARBITER_ACT_READ_H
#define ARBITER_ACT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bodies come from peers: everything is judged first, then walked. */

/* The seat's box in a body; false: there is none, or the body is none. */
bool act_find_box(const uint8_t *body, size_t size, uint32_t seat, const uint8_t **box,
                  size_t *box_size);

/* One event, as its reader should see it. */
struct act_event {
    const uint8_t *bytes; /* An Event of the game, or a HouseEvent. */
    size_t         size;
    bool           is_house;
    bool           is_private; /* It came out of the box. */
};

struct act_reader {
    const uint8_t *at, *end;           /* The body's entries. */
    const uint8_t *text_at, *text_end; /* The box's entries.  */
    uint32_t       seat;
    uint64_t       place; /* Public entries passed.           */
};

/* Begins to read a body as a seat, with its opened box, or as SPECTATOR, with text NULL. A seat may do
 * without its box where the act has none. False: the bytes are no body or no text. */
bool act_read(struct act_reader *reader, const uint8_t *body, size_t size, uint32_t seat,
              const uint8_t *text, size_t text_size);
/* The next event in order; what the seat has seen elsewhere is skipped. False: there is none. */
bool act_next(struct act_reader *reader, struct act_event *event);

#endif
