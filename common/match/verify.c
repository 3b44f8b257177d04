/* verify.c: replays a match file to its end and reports. */
#include "match/verify.h"

#include <string.h>

#include "match/replay_private.h"
#include "wire/header.h"

static const char *const said[4][4] = {
    [GAVE_REVEALED] = { "", "its own bytes", "a gateway's bytes", "the house's bytes" },
    [GAVE_WITHHELD] = { "", "its own bytes, withheld", "a gateway's bytes, withheld",
                        "the house's bytes, withheld" },
    [GAVE_UNANNOUNCED] = { "", "its own bytes, never announced",
                           "a gateway's bytes, never announced",
                           "the house's bytes, never announced" },
};

const char *verify_bytes_said(const struct verify_bytes *bytes)
{
    return bytes->given == GAVE_NONE ? "gives no bytes" : said[bytes->given][bytes->origin & 3];
}

/* A match of protocol 1 does not say whose bytes they are: they may all be the house's. */
static struct verify_bytes bytes_of(const struct replay *replay, uint32_t seat)
{
    const struct contributions *told = &replay->heard->said;
    struct verify_bytes         bytes = { .origin = replay->protocol > PROTOCOL_FIRST
                                                        ? replay->origin[seat]
                                                        : ARBITER__WIRE__ORIGIN__ORIGIN_HOUSE };
    if ((replay->heard->told >> seat & 1) == 0)
        bytes.given = GAVE_NONE;
    else if ((told->revealed >> seat & 1) != 0)
        bytes.given = GAVE_REVEALED;
    else
        bytes.given = (told->posted >> seat & 1) != 0 ? GAVE_WITHHELD : GAVE_UNANNOUNCED;
    return bytes;
}

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
    report->seats = replay.heard != NULL && replay.heard->is_hosted ? replay.seats : 0;
    for (uint32_t seat = 0; report->holds && seat < report->seats; seat++)
        report->bytes_of[seat] = bytes_of(&replay, seat);
    report->fault = replay.file.fault;
    replay_close(&replay);
}
