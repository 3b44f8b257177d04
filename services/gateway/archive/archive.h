/* archive.h: what is asked about matches by who has no seat in them: which there are, and files of finished ones. Pure.
 *
 * Each asker is a connection of the HTTP door with one question. Questions go on to the lobby and
 * to the engines through the gateway's client. A question that cannot be asked now waits here. One
 * without an answer in time is given up. Files pass through in pieces and are not kept. */
#ifndef ARBITER_GATEWAY_ARCHIVE_H
#define ARBITER_GATEWAY_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "client/client_core.h"
#include "contract/gateway.pb-c.h"

#define ARCHIVE_ASK_MAX 1024u /* Bytes of a lobby.Ask. */

struct archive_settings {
    uint32_t asks_max;    /* Questions at a time; more are refused.                             */
    uint32_t patience_ms; /* One is given up when nothing came for so long.                     */
};

struct archive;

/* What is going on in this step. */
struct archive_turn {
    struct archive *archive;
    uint64_t        now_ms;
    struct outbox  *out;
};

void            archive_defaults(struct archive_settings *settings);
size_t          archive_bytes(const struct archive_settings *settings);
struct archive *archive_init(void *memory, const struct archive_settings *settings,
                             struct client_core *client);

/* A LobbyWish, a FileWish or a Hangup from the shell; what is none of them is left alone. */
void archive_hear(const struct archive_turn *turn, const struct event *event);
/* What the house says. False: it is not for anybody here. */
bool archive_told(const struct archive_turn *turn, const struct client_event *told);
void archive_tick(const struct archive_turn *turn);

#endif
