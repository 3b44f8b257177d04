/* replay_private.h: the parts of a replay that stand in files of their own. */
#ifndef ARBITER_MATCH_REPLAY_PRIVATE_H
#define ARBITER_MATCH_REPLAY_PRIVATE_H

#include "dice/commitment.h"
#include "match/replay.h"

/* Reads the whole file once and keeps what is needed to play it: header, contributions, holders, end.
 * False after a fault. */
bool replay_scan(struct replay *replay, struct contributions *contributions, FILE *complaints);
/* Compares what the rules say of the present act with the published bytes. False after a fault. */
bool replay_compare(struct replay *replay, const uint8_t *body, size_t size);
/* The same of an act in which only the house spoke: first what the command says, and nothing secret. */
bool replay_compare_said(struct replay *replay, const uint8_t *body, size_t size);

#endif
