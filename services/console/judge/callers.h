/* callers.h: the clients that a judge plays: each a DEALER of its own, with frames of plain.proto. */
#ifndef ARBITER_JUDGE_CALLERS_H
#define ARBITER_JUDGE_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/bus.h"

#define CALLERS_MAX 128

struct callers {
    struct bus        *bus;
    struct bus_socket *socket[CALLERS_MAX]; /* NULL: has not spoken yet.                          */
    char               address[BUS_ADDRESS_MAX];
};

/* Once for all games. False, and a sentence. */
bool callers_start(struct callers *callers, struct text *fault);
void callers_stop(struct callers *callers);
/* From now on they call at this place; whoever was connected elsewhere is no more. */
void callers_call(struct callers *callers, const char *host, uint32_t port);
void callers_hang_up(struct callers *callers);

/* A command's bytes as this client says them. False: it cannot be sent. */
bool callers_say(struct callers *callers, uint32_t client, const uint8_t *command, size_t size);
/* Bytes that are no frame of plain.proto at all. */
bool callers_mumble(struct callers *callers, uint32_t client);
/* The next frame that this client was sent; it lives until the next call. False: there is none. */
bool callers_hear(struct callers *callers, uint32_t client, const uint8_t **bytes, size_t *size);
/* So many messages for this client were thrown away: they had several frames, or were too long. */
uint64_t callers_thrown_away(const struct callers *callers, uint32_t client);
/* Whether this client lost its connection. */
bool     callers_was_cut(struct callers *callers, uint32_t client);
/* Waits until somebody was sent something, at most so long. */
void     callers_wait(struct callers *callers, int64_t wait_ms);

#endif
