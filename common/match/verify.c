/* verify.c: replays a match file to its end and reports. */
#include "match/verify.h"

#include <string.h>

void verify(struct verify_report *report, const uint8_t *bytes, size_t size)
{
    struct replay    replay;
    enum replay_step step = REPLAY_BAD;
    memset(report, 0, sizeof *report);
    if (replay_open(&replay, bytes, size, NULL)) {
        do
            step = replay_next(&replay);
        while (step == REPLAY_ACT);
    }
    report->is_match = match_file_is_one(bytes, size);
    report->holds = step == REPLAY_DONE;
    report->replayed = replay.wire != NULL;
    memcpy(report->game, replay.game, sizeof report->game);
    report->rules_version = replay.rules_version;
    report->acts = replay.number;
    report->finished = replay.end.finished;
    memcpy(report->chain, replay.chain, sizeof report->chain);
    report->fault = replay.file.fault;
    replay_close(&replay);
}
