/* web_body.c: answers with a body of any size, sent in pieces as the connection takes them.
 *
 * Nothing more is read from a client that is being answered, since a second request in its bytes
 * would hang this version of libwebsockets. And then libwebsockets does not tell either when the
 * connection can be written. So it is asked, a few hundred times a second while a body waits. A
 * piece is small enough to be taken whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "services/gateway/shell/http/web_private.h"

#define PIECE_BYTES 4096u /* libwebsockets sends no more at a time, and keeps the rest. */
#define SLOW_MS 30000u    /* Who has taken nothing for so long has gone. */
#define GZIP_WINDOW (15 + 16)

/* Who did not ask for it compressed gets it unpacked on its way. */
static bool begin_unpacking(struct web_session *session)
{
    session->inflate = calloc(1, sizeof *session->inflate);
    if (session->inflate == NULL)
        return false;
    session->inflate->next_in = session->blob->bytes;
    session->inflate->avail_in = (uInt) session->blob->size;
    if (inflateInit2(session->inflate, GZIP_WINDOW) == Z_OK)
        return true;
    free(session->inflate);
    session->inflate = NULL;
    return false;
}

void web_body_begin(struct web *web, struct web_session *session, struct web_blob *blob)
{
    session->blob = blob_hold(blob);
    session->blob_at = 0;
    session->pushed_ms = clock_ms();
    web->bodies++;
}

bool web_answer_blob(struct web *web, struct web_session *session, const struct web_head *head,
                     struct web_blob *blob)
{
    bool   is_packed = blob->is_gzip && session->takes_gzip;
    bool   is_unpacked = blob->is_gzip && !session->takes_gzip;
    size_t size = is_unpacked ? blob->raw_size : blob->size;
    if (!web_answer_head(web, session, head, is_packed ? "gzip" : NULL, size))
        return false;
    if (session->is_head || size == 0)
        return true;
    web_body_begin(web, session, blob);
    return !is_unpacked || begin_unpacking(session);
}

/* The next piece behind LWS_PRE bytes; 0: it is all sent, or cannot be unpacked. */
static size_t next_piece(struct web_session *session, uint8_t *to)
{
    if (session->inflate != NULL) {
        session->inflate->next_out = to;
        session->inflate->avail_out = PIECE_BYTES;
        int done = inflate(session->inflate, Z_NO_FLUSH);
        return done == Z_OK || done == Z_STREAM_END ? PIECE_BYTES - session->inflate->avail_out : 0;
    }
    size_t size = session->blob->size - session->blob_at;
    size = size < PIECE_BYTES ? size : PIECE_BYTES;
    memcpy(to, session->blob->bytes + session->blob_at, size);
    session->blob_at += size;
    return size;
}

/* What the connection takes now. True: that was all, or the connection is of no use any more. */
static bool push(struct lws *wsi, struct web_session *session)
{
    static uint8_t bytes[LWS_PRE + PIECE_BYTES];
    while (!lws_send_pipe_choked(wsi)) {
        size_t size = next_piece(session, bytes + LWS_PRE);
        if (size == 0 || lws_write(wsi, bytes + LWS_PRE, size, LWS_WRITE_HTTP) < (int) size)
            return true;
        session->pushed_ms = clock_ms();
    }
    return lws_partial_buffered(wsi) != 0 || clock_ms() - session->pushed_ms > SLOW_MS;
}

bool web_bodies_push(struct web *web)
{
    bool is_busy = false;
    for (uint32_t i = 0; web->bodies > 0 && i < web->settings.connections_max; i++) {
        struct web_place   *place = &web->places[i];
        struct web_session *session = place->session;
        if (session == NULL || session->blob == NULL)
            continue;
        is_busy = true;
        if (!push(place->wsi, session))
            continue;
        lws_set_timeout(place->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
        *place = (struct web_place){ 0, NULL, NULL };
        session->number = 0;
        web_body_end(web, session);
    }
    return is_busy;
}

void web_body_end(struct web *web, struct web_session *session)
{
    if (session->inflate != NULL)
        (void) inflateEnd(session->inflate);
    free(session->inflate);
    session->inflate = NULL;
    web->bodies -= session->blob != NULL;
    blob_release(&session->blob);
}
