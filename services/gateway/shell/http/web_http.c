/* web_http.c: requests: judged by their headers, read to their end, handed on. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock/clock.h"
#include "services/gateway/shell/http/web_private.h"

#define HEADER_MAX 256

/* A header as text; false: it is not there. One that is longer than any we read is as good as a wrong one. */
static bool long_header_of(struct lws *wsi, enum lws_token_indexes token, char *text, int room)
{
    text[0] = '\0';
    int size = lws_hdr_total_length(wsi, token);
    if (size <= 0)
        return size == 0 ? false : (text[0] = '?', text[1] = '\0', true);
    if (size >= room || lws_hdr_copy(wsi, text, room, token) < 0) {
        text[0] = '?';
        text[1] = '\0';
    }
    return true;
}

static bool header_of(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_MAX])
{
    return long_header_of(wsi, token, text, HEADER_MAX);
}

/* By its media type alone, however long its parameters are. */
static bool type_fits(struct lws *wsi)
{
    char text[WEB_HEADERS_BYTES];
    bool has_type = long_header_of(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, text, sizeof text);
    return rest_type_fits(has_type ? text : NULL, strlen(text));
}

/* The length that was announced; -1: none was; -2: it is no length. */
static int64_t length_of(struct lws *wsi)
{
    char    text[HEADER_MAX];
    int64_t sum = 0;
    if (!header_of(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text))
        return -1;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || sum > INT64_MAX / 16)
            return -2;
        sum = sum * 10 + (*at - '0');
    }
    return sum;
}

static bool is_chunked(struct lws *wsi)
{
    char text[HEADER_MAX];
    return header_of(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING, text) &&
           strcasecmp(text, "chunked") == 0;
}

/* The status to refuse a request with, by its headers alone; 0: it may be read. */
static unsigned judge(const struct web *web, struct lws *wsi, const struct web_session *session,
                      int64_t length)
{
    char text[HEADER_MAX];
    bool is_post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 ||
                   lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) > 0;
    if (session->path == ARBITER__GATEWAY__REST_PATH__REST_PATH_UNSPECIFIED)
        return 404;
    if (!is_post)
        return 405;
    if (!type_fits(wsi))
        return 415;
    if (length > (int64_t) web->settings.body_max)
        return 413;
    bool is_framed = header_of(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING, text);
    if (length == -2 || (is_framed && (length >= 0 || !session->is_chunked)))
        return 400; /* Two who read the same bytes must not see two requests. */
    return 0;
}

bool web_take_place(struct web *web, struct lws *wsi, struct web_session *session)
{
    struct web_place *place = NULL;
    for (uint32_t i = 0; i < web->settings.connections_max && place == NULL; i++) {
        uint64_t number = web->numbers + 1 + i;
        if (web->places[number % web->settings.connections_max].number == 0) {
            place = &web->places[number % web->settings.connections_max];
            web->numbers = number;
        }
    }
    if (place == NULL)
        return false;
    session->is_read = true;
    session->came_ms = clock_ms();
    session->number = web->numbers;
    *place = (struct web_place){ session->number, wsi, session };
    web_leaving_watch(web, wsi, session->number);
    lws_set_timer_usecs(wsi, LWS_SET_TIMER_USEC_CANCEL);
    lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
    (void) lws_rx_flow_control(wsi, 0); /* What comes behind is not read. */
    return true;
}

int web_tell_core(struct web *web, struct lws *wsi, struct web_session *session)
{
    if (web->news_count == web->news_max || !web_take_place(web, wsi, session))
        return web_refuse(web, session, 503) ? web_write(wsi, session) : -1;
    (void) web_news_put(web, (struct web_news){ .number = session->number });
    web->counters.requests++;
    return 0;
}

/* Sends what was answered at once; a body that does not fit in one piece takes a place. */
static int send_answer(struct web *web, struct lws *wsi, struct web_session *session)
{
    if (session->blob != NULL && !web_take_place(web, wsi, session))
        return -1;
    return web_write(wsi, session);
}

static int refuse(struct web *web, struct lws *wsi, struct web_session *session, unsigned status)
{
    session->is_read = true;
    return web_refuse(web, session, status) ? web_write(wsi, session) : -1;
}

static void say_continue(struct lws *wsi)
{
    static const char line[] = "HTTP/1.1 100 Continue\r\n\r\n";
    unsigned char     bytes[LWS_PRE + sizeof line];
    char              text[HEADER_MAX];
    if (!header_of(wsi, WSI_TOKEN_HTTP_EXPECT, text) || strcasecmp(text, "100-continue") != 0)
        return;
    memcpy(bytes + LWS_PRE, line, sizeof line - 1);
    (void) lws_write(wsi, bytes + LWS_PRE, sizeof line - 1, LWS_WRITE_HTTP);
}

static void begin(struct web *web, struct web_session *session)
{
    free(session->body);
    free(session->answer);
    web_body_end(web, session);
    web_call_free(&session->call);
    memset(session, 0, sizeof *session);
}

int web_on_request(struct web *web, struct lws *wsi, struct web_session *session, const char *uri,
                   size_t size)
{
    begin(web, session);
    session->is_secure = web_is_secure(wsi);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 ||
        lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0) {
        enum web_got got = web_get(web, wsi, session, uri, size);
        if (got == WEB_WAITS)
            return web_tell_core(web, wsi, session);
        if (got != WEB_NOT_OURS)
            return got == WEB_ANSWERED ? send_answer(web, wsi, session) : -1;
    }
    if (web_house_is(uri, size))
        return web_house_begin(web, wsi, session);
    int64_t length = length_of(wsi);
    session->path = rest_path_of(uri, size);
    session->is_chunked = is_chunked(wsi);
    unsigned status = judge(web, wsi, session, length);
    if (status != 0)
        return refuse(web, wsi, session, status);
    session->room = session->is_chunked ? 1024 : length > 0 ? (size_t) length : 0;
    session->body = malloc(session->room + 1);
    if (session->body == NULL)
        return -1;
    if (length > 0 || session->is_chunked) {
        lws_set_timer_usecs(wsi, (lws_usec_t) web->settings.read_ms * 1000);
        say_continue(wsi);
        return 0;
    }
    return web_tell_core(web, wsi, session);
}

static bool grow(const struct web *web, struct web_session *session, size_t more)
{
    size_t wanted = session->size + more, most = web->settings.body_max;
    if (wanted <= session->room)
        return true;
    if (wanted > most)
        return false;
    size_t room = 2 * session->room < wanted ? wanted : 2 * session->room;
    room = room > most ? most : room;
    char *body = realloc(session->body, room + 1);
    if (body == NULL)
        return false;
    session->body = body;
    session->room = room;
    return true;
}

static int take_chunks(struct web *web, struct lws *wsi, struct web_session *session,
                       const uint8_t *in, size_t size)
{
    uint8_t part[1024];
    for (size_t at = 0; at < size && session->chunked.step < CHUNKED_DONE;) {
        size_t piece = size - at < sizeof part ? size - at : sizeof part;
        size_t got = chunked_take(&session->chunked, in + at, piece, part);
        if (!grow(web, session, got))
            return refuse(web, wsi, session, 413);
        memcpy(session->body + session->size, part, got);
        session->size += got;
        at += piece;
    }
    if (session->chunked.step == CHUNKED_BROKEN)
        return refuse(web, wsi, session, 400);
    return session->chunked.step == CHUNKED_DONE ? web_tell_core(web, wsi, session) : 0;
}

int web_on_body(struct web *web, struct lws *wsi, struct web_session *session, const void *in,
                size_t size)
{
    if (session->is_read)
        return 0; /* Behind the end: no request of ours. */
    if (session->is_chunked)
        return take_chunks(web, wsi, session, in, size);
    if (session->size + size > session->room)
        return -1;
    memcpy(session->body + session->size, in, size);
    session->size += size;
    return 0;
}

int web_on_body_end(struct web *web, struct lws *wsi, struct web_session *session)
{
    if (session->is_read || session->is_chunked)
        return 0;
    return session->call != NULL ? web_house_read(web, wsi, session)
                                 : web_tell_core(web, wsi, session);
}

/* The connection, or its request, has ended. */
void web_on_gone(struct web *web, struct web_session *session)
{
    if (session->number != 0) {
        struct web_place *place = &web->places[session->number % web->settings.connections_max];
        if (place->number == session->number)
            *place = (struct web_place){ 0, NULL, NULL };
        web_news_put_first(web, (struct web_news){ .number = session->number, .is_hangup = true });
        web->counters.hangups += !session->is_half;
    }
    begin(web, session);
}
