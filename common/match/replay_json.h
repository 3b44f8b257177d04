/* replay_json.h: a finished match as JSON: its header, and its acts one by one, secrets and all.
 *
 * What `arbiter replay --json` prints and the gateway gives to pages. Messages are as json/json.h writes them. */
#ifndef ARBITER_MATCH_REPLAY_JSON_H
#define ARBITER_MATCH_REPLAY_JSON_H

#include "match/replay.h"

#define REPLAY_JSON_NO_VIEW (SPECTATOR - 1)

/* What writes acts. */
struct replay_json {
    const struct replay *replay;
    uint32_t     viewer; /* Whose views are wanted: a seat, SPECTATOR, REPLAY_JSON_NO_VIEW.  */
    struct plan *views;
    struct sink  sink;
    uint8_t     *bytes;
};

/* The replay is open and its rules are known. False: no memory; to be closed all the same. */
bool  replay_json_open(struct replay_json *json, const struct replay *replay, uint32_t viewer);
void  replay_json_close(struct replay_json *json);
/* The replay's present act: {"number": ..., "actor": ..., "command": {...}, "events": [{"to": ..., "event": {...}},
 * {"house": {...}}], "chain": ..., "view": {...}}. To be freed; NULL: no memory. */
char *replay_json_act(const struct replay_json *json);
/* What stands before and behind the acts: {"match_id": ..., "game": ..., "rules_version": ..., "setup": ...,
 * "seats": 2, "seat": [{"seat": 0, "name": ..., "bot": false}], ..., "end": {...}}. To be freed; NULL: no memory. */
char *replay_json_header(const struct replay *replay);

#endif
