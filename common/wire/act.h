/* act.h: what happened, as bytes: the body of an act from a sink. act_read.h reads it. Pure.
 *
 *     body  = entry* box*                    stream.proto: ActBody
 *     entry = one PublicEvent                TO_ALL, TO_ALL_BUT, TO_SPECTATORS_LATER, house
 *     box   = nonce, sealed text             one per seat, all of one size
 *     text  = length (4) BoxText zeros       TO_SEAT, TO_SEATS_NOW; box.h seals it
 *
 * Every seat has a box. Its size depends on the act's public events alone, so that neither presence
 * nor length tells anything. Inside stand the count of the private events and the place of each
 * among the public ones. The same sink gives the same bytes. */
#ifndef ARBITER_ACT_H
#define ARBITER_ACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/game.h"
#include "rules/sink.h"
#include "wire/act_read.h"
#include "wire/box.h"
#include "wire/plan.h"

/* How much longer than its encoded event an entry can get; a game works out its box sizes with it. */
#define ACT_ENTRY_OVERHEAD 20
#define ACT_TEXT_OVERHEAD 4 /* The length before a box's text. */

/* A body while it is being written. */
struct act_body {
    uint8_t *bytes;
    size_t   capacity;
    size_t   size; /* Written so far. */
};

/* Appends the public events of a sink. False: no room. */
bool act_put_public(struct act_body *body, const struct plan *events, const struct sink *sink);
/* Appends an event of the house: the bytes of a stream.proto HouseEvent. They stand behind those of
 * the game, and before the boxes. */
bool act_put_house(struct act_body *body, const uint8_t *house, size_t size);
/* Whether any of the events is for one seat, or for seats only. */
bool act_has_private(const struct sink *sink);

/* The size of the texts in this act's boxes. It is the size of the highest class that its public
 * events ask for; 0 if the game has none. */
size_t act_text_size(const struct game *game, const struct bounds *bounds, const struct sink *sink);
/* A seat's text, padded to `size`. False: it does not fit, which `configure` must have refused. */
bool act_write_text(uint8_t *text, size_t size, const struct plan *events, const struct sink *sink,
                    uint32_t seat);
/* Appends a box for each seat; `keys` are theirs, in order. `text` is scratch of `text_size` bytes. */
bool act_put_boxes(struct act_body *body, const struct crypto_ops *crypto,
                   const struct plan *events, const struct sink *sink, const struct box_keys *keys,
                   uint32_t seats, const struct box_place *place, uint8_t *text, size_t text_size);

#endif
