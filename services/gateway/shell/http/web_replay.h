/* web_replay.h: a match file played again as JSON, a few acts at a time, so that nobody else waits for it.
 *
 *     {"header": {...}, "acts": [{..., "view": {...}}, ...]}        match/replay_json.h; compressed as it comes
 *
 * What is made was compared with the file on the way: a file that does not hold is not shown. */
#ifndef ARBITER_GATEWAY_WEB_REPLAY_H
#define ARBITER_GATEWAY_WEB_REPLAY_H

#include "services/gateway/shell/http/web_blob.h"

struct web_replay;

enum web_replay_step {
    WEB_REPLAY_MORE,
    WEB_REPLAY_DONE,
    WEB_REPLAY_BAD, /* The file does not hold, or it becomes too large, or there is no memory. */
    WEB_REPLAY_UNKNOWN, /* This build has not these rules.                                        */
    WEB_REPLAY_NO_SEAT  /* The match has no such seat.                                            */
};

/* Holds the file. NULL: no memory. */
struct web_replay   *web_replay_new(struct web_blob *file, uint32_t viewer);
void                 web_replay_free(struct web_replay **replay);
/* Plays at most so many acts. */
enum web_replay_step web_replay_step(struct web_replay *replay, uint32_t acts);
/* What was made, compressed, once it is done; NULL: no memory. */
struct web_blob     *web_replay_take(struct web_replay *replay);

#endif
