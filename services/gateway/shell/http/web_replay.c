/* web_replay.c: see web_replay.h. */
#include "services/gateway/shell/http/web_replay.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* What is compressed is not written to. */
#include <zlib.h>

#include "match/replay_json.h"

#define PACKED_MAX ((size_t) 32 << 20)
#define GZIP_WINDOW (15 + 16) /* zlib's way to ask for gzip's header. */
#define LEVEL 5

struct web_replay {
    struct web_blob   *file;
    uint32_t           viewer;
    bool               is_open;
    struct replay      replay;
    struct replay_json json;
    z_stream           deflate;
    uint8_t           *packed;
    size_t             size, room;
};

struct web_replay *web_replay_new(struct web_blob *file, uint32_t viewer)
{
    struct web_replay *replay = calloc(1, sizeof *replay);
    if (replay == NULL)
        return NULL;
    if (deflateInit2(&replay->deflate, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        free(replay);
        return NULL;
    }
    replay->file = blob_hold(file);
    replay->viewer = viewer;
    return replay;
}

void web_replay_free(struct web_replay **replay)
{
    struct web_replay *freed = *replay;
    *replay = NULL;
    if (freed == NULL)
        return;
    replay_json_close(&freed->json);
    if (freed->is_open)
        replay_close(&freed->replay);
    (void) deflateEnd(&freed->deflate);
    blob_release(&freed->file);
    free(freed->packed);
    free(freed);
}

static bool grow(struct web_replay *replay)
{
    size_t   room = replay->room == 0 ? 16384 : 2 * replay->room;
    uint8_t *packed = room <= PACKED_MAX ? realloc(replay->packed, room) : NULL;
    if (packed == NULL)
        return false;
    replay->packed = packed;
    replay->room = room;
    return true;
}

/* Compresses what comes next; `end` behind the last of it. */
static bool put(struct web_replay *replay, const char *text, bool end)
{
    int done = Z_OK;
    replay->deflate.next_in = (const Bytef *) text;
    replay->deflate.avail_in = (uInt) strlen(text);
    while (done == Z_OK && (replay->deflate.avail_in > 0 || end)) {
        if (replay->size == replay->room && !grow(replay))
            return false;
        replay->deflate.next_out = replay->packed + replay->size;
        replay->deflate.avail_out = (uInt) (replay->room - replay->size);
        done = deflate(&replay->deflate, end ? Z_FINISH : Z_NO_FLUSH);
        replay->size = replay->room - replay->deflate.avail_out;
    }
    return done == Z_OK || done == Z_STREAM_END;
}

static bool put_and_free(struct web_replay *replay, char *text)
{
    bool is_put = text != NULL && put(replay, text, false);
    free(text);
    return is_put;
}

static enum web_replay_step begin(struct web_replay *replay)
{
    replay->is_open = true;
    if (!replay_open(&replay->replay, replay->file->bytes, replay->file->size, NULL))
        return WEB_REPLAY_BAD;
    if (replay->replay.wire == NULL)
        return WEB_REPLAY_UNKNOWN;
    if (replay->viewer != SPECTATOR && replay->viewer >= replay->replay.seats)
        return WEB_REPLAY_NO_SEAT;
    bool is_begun = replay_json_open(&replay->json, &replay->replay, replay->viewer) &&
                    put(replay, "{\"header\":", false) &&
                    put_and_free(replay, replay_json_header(&replay->replay)) &&
                    put(replay, ",\"acts\":[", false);
    return is_begun ? WEB_REPLAY_MORE : WEB_REPLAY_BAD;
}

enum web_replay_step web_replay_step(struct web_replay *replay, uint32_t acts)
{
    if (!replay->is_open)
        return begin(replay);
    for (uint32_t i = 0; i < acts; i++) {
        bool is_first = replay->replay.number == 0;
        switch (replay_next(&replay->replay)) {
        case REPLAY_DONE: return put(replay, "]}\n", true) ? WEB_REPLAY_DONE : WEB_REPLAY_BAD;
        case REPLAY_BAD: return WEB_REPLAY_BAD;
        default: break;
        }
        if ((!is_first && !put(replay, ",", false)) ||
            !put_and_free(replay, replay_json_act(&replay->json)))
            return WEB_REPLAY_BAD;
    }
    return WEB_REPLAY_MORE;
}

struct web_blob *web_replay_take(struct web_replay *replay)
{
    uint8_t *packed = replay->packed;
    replay->packed = NULL;
    return blob_new(packed, replay->size, true, replay->deflate.total_in);
}
