/* player_private.h: what the halves of a player's head share: playing, and asking the lobby. */
#ifndef ARBITER_CLUSTER_PLAYER_PRIVATE_H
#define ARBITER_CLUSTER_PLAYER_PRIVATE_H

#include "player.h"

/* The place this is followed from, a new one if need be; NULL: there are no more heads. */
struct player_seat     *player_seat(struct player *player, const uint8_t *match_id, uint32_t seat);
/* What is played in the match that the player was told of. */
const struct mind_game *player_game(const struct player *player, const struct client_event *told);
/* The player was told what may be done. */
void player_plays(struct player *player, const struct client_event *event, uint64_t luck,
                  uint64_t now_ms, struct outbox *out);
/* What the player wants of the lobby now. */
void player_asks(struct player *player, const struct event *event, struct outbox *out);
void player_answered(struct player *player, const struct client_event *event, uint64_t now_ms,
                     struct outbox *out);
void player_refused(struct player *player, const struct client_event *event);
void player_at_table(struct player *player, const struct client_event *event);

#endif
