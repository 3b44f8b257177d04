/* browser_write.h: browser.Down's messages, field by field, as the core says them. Pure.
 *
 * What is inside a Down is written first, with room before it for the Down's own fields, which are known
 * last. */
#ifndef ARBITER_GATEWAY_BROWSER_WRITE_H
#define ARBITER_GATEWAY_BROWSER_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/client_event.h"

#define DOWN_BEFORE 48u /* For the fields before the message. */
#define DOWN_BEHIND 16u /* For a request behind it.           */
/* An act of 64 KiB whose box holds as much, with some bytes more for each event. */
#define DOWN_BYTES (384u << 10)

/* A message being written. */
struct down {
    uint8_t *memory, *at, *end; /* `at` goes on from memory + DOWN_BEFORE. */
    bool     is_short;          /* There was no room: it is none.                                 */
};

struct down    down_begin(uint8_t memory[DOWN_BYTES]);
void           down_bytes(struct down *down, uint32_t field, const void *bytes, size_t size);
void           down_text(struct down *down, uint32_t field, const char *text);
void           down_number(struct down *down, uint32_t field, uint64_t value);
/* Makes it a Down: where it begins, and how long it is. `number` and `request` 0: left out. With `tail`
 * the request stands at its end, in so many bytes. */
const uint8_t *down_finish(const struct down *down, uint32_t kind, uint64_t number,
                           uint32_t request, uint32_t *tail, size_t *size);

/* Whole messages. `seat` NO_SEAT: left out. */
void down_match(struct down *down, const uint8_t *match_id, uint32_t seat);
/* Shown, from an engine.Attached's bytes: without its secrets. */
void down_shown(struct down *down, const struct client_event *event);
/* Happened, from a CLIENT_ACT. */
void down_happened(struct down *down, const struct client_event *event);
/* Played, from a CLIENT_REPLY. */
void down_played(struct down *down, const struct client_event *event);

#endif
