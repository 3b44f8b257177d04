/* replay_json.h: an act of a replay as one line of JSON, secrets and all. */
#ifndef ARBITER_REPLAY_JSON_H
#define ARBITER_REPLAY_JSON_H

#include <stdio.h>

#include "match/replay.h"

/* {"number": ..., "actor": ..., "command": {...}, "events": [{"to": ..., "event": {...}}], "chain": ...};
 * messages as wire/json.h writes them. False after a complaint. */
bool replay_json_act(FILE *out, const struct replay *replay);

#endif
