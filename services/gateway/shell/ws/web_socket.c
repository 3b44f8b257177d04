/* web_socket.c: tabs: they come, say, hear, go. What tabs say waits for the core in the order in
 * which it came. What they hear is written straight from the core's logs, once as text for all that
 * read text. */
#include "services/gateway/shell/ws/web_socket.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "clock/clock.h"
#include "services/gateway/shell/ws/web_socket_private.h"

/* When so many wait to be written in one go, the others have their turn. */
#define BATCH_BYTES 16384u
#define HEAD_BYTES 10u        /* Before a message, at most. */
#define KERNEL_BYTES 32768    /* Of what was written and not read; the kernel takes it twice. */
#define GRACE_MS 30000u       /* A tab that wakes up within it hears why it is closed. */
#define HEADERS_TOO_LARGE 431 /* RFC 6585, section 5. */

struct web_sockets *web_sockets_open(const struct web_socket_settings *settings)
{
    struct web_sockets *sockets = calloc(1, sizeof *sockets);
    if (sockets == NULL)
        return NULL;
    sockets->settings = *settings;
    sockets->json = web_json_open();
    sockets->places = calloc(settings->tabs_max, sizeof *sockets->places);
    sockets->batch = malloc(LWS_PRE + BATCH_BYTES + HEAD_BYTES + WEB_JSON_MAX);
    sockets->packed = malloc(UP_BYTES_MAX);
    if (sockets->json == NULL || sockets->places == NULL || sockets->batch == NULL ||
        sockets->packed == NULL)
        web_sockets_close(&sockets);
    return sockets;
}

static void free_news(struct web_socket_news *news)
{
    if (news != NULL)
        free(news->said);
    free(news);
}

void web_sockets_close(struct web_sockets **sockets)
{
    struct web_sockets *closed = *sockets;
    if (closed == NULL)
        return;
    while (closed->first != NULL) {
        struct web_socket_news *next = closed->first->next;
        free_news(closed->first);
        closed->first = next;
    }
    free_news(closed->told);
    for (uint32_t i = 0; i < TEXTS; i++)
        free(closed->texts[i].text);
    web_json_close(&closed->json);
    free(closed->places);
    free(closed->batch);
    free(closed->packed);
    free(closed);
    *sockets = NULL;
}

void web_sockets_change(struct web_sockets *sockets, const struct web_socket_settings *settings)
{
    memcpy(sockets->settings.origins, settings->origins, sizeof sockets->settings.origins);
    sockets->settings.per_address = settings->per_address;
    sockets->settings.per_crowd = settings->per_crowd;
    sockets->settings.stall_ms = settings->stall_ms;
}

void web_sockets_show(struct web_sockets *sockets, struct browser *browser)
{
    sockets->browser = browser;
}

static_assert(sizeof(struct web_tab) <= WEB_TAB_BYTES, "a tab finds room beside its connection");

uint32_t web_sockets_count(const struct web_sockets *sockets)
{
    return sockets->count;
}

struct web_socket_refusals web_sockets_refusals(const struct web_sockets *sockets)
{
    struct web_socket_refusals refusals = sockets->refusals;
    refusals.per_address = sockets->settings.per_address;
    return refusals;
}

uint64_t web_sockets_refused(const struct web_sockets *sockets)
{
    return sockets->refused;
}

static bool header_of(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    text[0] = '\0';
    return lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, text, (int) size, token) >= 0;
}

#define OTHER_PROTOCOL                                                                             \
    "arbiter.v1 and arbiter.v1+json are spoken here: load the page again, or take a program of "   \
    "this release"

/* Whether one of the subprotocols that are wished for is spoken here. libwebsockets would hang up without a word. */
static bool speaks_ours(struct lws *wsi)
{
    char wishes[256];
    if (!header_of(wsi, WSI_TOKEN_PROTOCOL, wishes, sizeof wishes))
        return false;
    for (char *rest = NULL, *wish = strtok_r(wishes, ", ", &rest); wish != NULL;
         wish = strtok_r(NULL, ", ", &rest))
        if (strcmp(wish, "arbiter.v1") == 0 || strcmp(wish, "arbiter.v1+json") == 0)
            return true;
    return false;
}

static bool has_room(struct web_sockets *sockets, struct lws *wsi)
{
    const struct web_socket_settings *settings = &sockets->settings;
    if (sockets->count >= settings->tabs_max) {
        sockets->refusals.full++;
        return false;
    }
    if (!web_peer_is_full(lws_get_opaque_user_data(wsi), settings->per_address,
                          settings->per_crowd))
        return true;
    sockets->refusals.of_one++;
    return false;
}

/* The status to refuse it with; 0: it may come in. A visitor with unreadable cookies is not taken
 * for a new one: a new secret would lose the old identity. */
static unsigned judge(struct web_sockets *sockets, struct lws *wsi)
{
    if (!speaks_ours(wsi))
        return HTTP_STATUS_BAD_REQUEST;
    if (!web_origin_enters(sockets, wsi))
        return HTTP_STATUS_FORBIDDEN;
    if (!web_cookies_are_readable(wsi))
        return HEADERS_TOO_LARGE;
    return has_room(sockets, wsi) ? 0 : HTTP_STATUS_SERVICE_UNAVAILABLE;
}

int web_sockets_confirm(struct web_sockets *sockets, struct lws *wsi)
{
    unsigned status = judge(sockets, wsi);
    if (status == 0)
        return 0;
    sockets->refused++;
    const char *why = status == HTTP_STATUS_BAD_REQUEST ? OTHER_PROTOCOL : NULL;
    return lws_return_http_status(wsi, status, why) < 0 ? -1 : 1;
}

static struct web_socket_news *put_news(struct web_sockets *sockets, enum web_socket_kind kind,
                                        const struct web_tab *tab)
{
    struct web_socket_news *news = calloc(1, sizeof *news);
    if (news == NULL)
        return NULL;
    news->kind = kind;
    news->route = tab->route;
    news->is_json = tab->is_json;
    news->came_ms = clock_ms();
    if (sockets->last != NULL)
        sockets->last->next = news;
    else
        sockets->first = news;
    sockets->last = news;
    return news;
}

static int on_open(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab, bool is_json)
{
    int      bytes = KERNEL_BYTES;
    uint32_t max = sockets->settings.tabs_max;
    assert(max > 0);
    for (uint32_t i = 0; i < max && tab->route == 0; i++) {
        uint64_t number = ++sockets->numbers;
        if (sockets->places[number % max] == NULL)
            tab->route = number | BROWSER_ROUTE;
    }
    if (tab->route == 0)
        return -1;
    sockets->places[(tab->route & ~BROWSER_ROUTE) % max] = tab;
    tab->wsi = wsi;
    tab->is_json = is_json;
    tab->next = sockets->tabs;
    if (tab->next != NULL)
        tab->next->before = tab;
    sockets->tabs = tab;
    sockets->count++;
    tab->peer = lws_get_opaque_user_data(wsi);
    if (tab->peer != NULL)
        tab->peer->tabs++;
    (void) setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    struct web_socket_news *news = put_news(sockets, SOCKET_OPEN, tab);
    if (news == NULL)
        return -1;
    news->is_page = tab->is_page;
    news->from = tab->peer != NULL ? tab->peer->from : 0;
    news->is_crowd = tab->peer != NULL && tab->peer->is_crowd;
    memcpy(news->secret, tab->secret, sizeof news->secret);
    memcpy(news->drawn, tab->drawn, sizeof news->drawn);
    return 0;
}

static void on_closed(struct web_sockets *sockets, struct web_tab *tab)
{
    if (tab->route == 0)
        return;
    *(tab->before != NULL ? &tab->before->next : &sockets->tabs) = tab->next;
    if (tab->next != NULL)
        tab->next->before = tab->before;
    if (tab->peer != NULL)
        tab->peer->tabs--;
    (void) put_news(sockets, SOCKET_HANGUP, tab);
    sockets->places[(tab->route & ~BROWSER_ROUTE) % sockets->settings.tabs_max] = NULL;
    sockets->count--;
    free(tab->said);
    tab->said = NULL;
    tab->route = 0;
}

static int end(struct lws *wsi, enum lws_close_status status, const char *why)
{
    lws_close_reason(wsi, status, (unsigned char *) why, strlen(why));
    return -1;
}

static int take_said(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab,
                     const void *in, size_t size)
{
    size_t most = tab->has_heard ? UP_BYTES_MAX : STRANGER_BYTES_MAX - tab->taken;
    if (tab->size + size > most)
        return end(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "That message is too large.");
    if (tab->size + size > tab->room) {
        size_t room = 2 * (tab->size + size);
        char  *said = realloc(tab->said, room);
        if (said == NULL)
            return -1;
        tab->said = said;
        tab->room = room;
    }
    if (size > 0)
        memcpy(tab->said + tab->size, in, size);
    tab->size += size;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;
    if (lws_frame_is_binary(wsi) == tab->is_json)
        return end(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                   tab->is_json ? "Text is spoken here." : "Bytes are spoken here.");
    struct web_socket_news *news = put_news(sockets, SOCKET_UP, tab);
    if (news == NULL)
        return -1;
    news->said = tab->said;
    news->size = tab->size;
    tab->taken += tab->has_heard ? 0 : tab->size;
    tab->said = NULL;
    tab->size = tab->room = 0;
    return 0;
}

/* A Down as text, made once for all who are sent the same. */
static const struct web_text *text_of(struct web_sockets *sockets, const struct browser_down *down)
{
    struct web_text *text = &sockets->texts[(down->place / 8 + down->size) % TEXTS];
    size_t           size = 0;
    if (down->place != 0 && text->place == down->place && text->of == down->size)
        return text;
    const char *json = web_json_down(sockets->json, down, &size);
    char       *copy = json == NULL ? NULL : realloc(text->text, LWS_PRE + size);
    if (copy == NULL)
        return NULL;
    memcpy(copy + LWS_PRE, json, size);
    *text = (struct web_text){ down->place, down->size, size, copy };
    return text;
}

/* True: it is written, or waits in libwebsockets' hands. */
static bool flush(struct web_sockets *sockets, const struct web_tab *tab)
{
    size_t size = sockets->batched;
    sockets->batched = 0;
    return size == 0 ||
           lws_write(tab->wsi, sockets->batch + LWS_PRE, size, LWS_WRITE_RAW) >= (int) size;
}

/* What stands before a message of ours, which is never in pieces and never masked (RFC 6455, 5.2). */
static size_t put_head(unsigned char *to, bool is_text, size_t size)
{
    size_t bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
    to[0] = is_text ? 0x81 : 0x82;
    to[1] = (unsigned char) (bytes == 0 ? size : bytes == 2 ? 126 : 127);
    for (size_t i = 0; i < bytes; i++)
        to[2 + i] = (unsigned char) (size >> 8 * (bytes - 1 - i));
    return 2 + bytes;
}

/* Puts a message behind those that go out with it: the more wait, the fewer calls they take. */
static bool put_one(struct web_sockets *sockets, const struct web_tab *tab,
                    const struct browser_down *down)
{
    unsigned char       *at = sockets->batch + LWS_PRE + sockets->batched;
    const unsigned char *from = down->bytes;
    size_t               size = down->size;
    if (tab->is_json) {
        const struct web_text *text = text_of(sockets, down);
        if (text == NULL)
            return false;
        from = (const unsigned char *) text->text + LWS_PRE;
        size = text->size;
    }
    size_t head = put_head(at, tab->is_json, size);
    memcpy(at + head, from, size);
    sockets->batched += head + size;
    return true;
}

static int write_some(struct web_sockets *sockets, struct lws *wsi, struct web_tab *tab)
{
    struct browser_down down = { .is_last = false };
    bool                has_more = true;
    tab->waits_ms = 0;
    if (tab->is_ending)
        return end(wsi, LWS_CLOSE_STATUS_GOINGAWAY, "As was said.");
    if (lws_send_pipe_choked(wsi)) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    while (has_more && !down.is_last && sockets->batched < BATCH_BYTES) {
        has_more = browser_next(sockets->browser, tab->route, &down);
        tab->has_heard = tab->has_heard || has_more;
        if (has_more && !put_one(sockets, tab, &down)) {
            sockets->batched = 0;
            return -1;
        }
    }
    tab->is_ending = has_more && down.is_last;
    if (!flush(sockets, tab))
        return -1;
    if (has_more)
        lws_callback_on_writable(wsi);
    return 0;
}

int web_sockets_on(struct web_sockets *sockets, struct lws *wsi, enum lws_callback_reasons reason,
                   void *user, void *in, size_t size, bool is_json)
{
    struct web_tab *tab = user;
    switch (reason) {
    case LWS_CALLBACK_ADD_HEADERS: return web_cookie_give(sockets, wsi, tab, in);
    case LWS_CALLBACK_ESTABLISHED: return on_open(sockets, wsi, tab, is_json);
    case LWS_CALLBACK_RECEIVE: return take_said(sockets, wsi, tab, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_some(sockets, wsi, tab);
    case LWS_CALLBACK_CLOSED: on_closed(sockets, tab); return 0;
    default: return 0;
    }
}

static void pump_one(struct web_sockets *sockets, struct web_tab *tab, uint64_t now_ms)
{
    bool waits = tab->is_ending || browser_has_next(sockets->browser, tab->route);
    if (!waits)
        return;
    lws_callback_on_writable(tab->wsi);
    if (tab->waits_ms == 0)
        tab->waits_ms = now_ms;
    if (now_ms - tab->waits_ms >= sockets->settings.stall_ms && !tab->is_slow) {
        tab->is_slow = true;
        browser_is_slow(sockets->browser, tab->route);
    } else if (now_ms - tab->waits_ms >= sockets->settings.stall_ms + GRACE_MS) {
        lws_set_timeout(tab->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
}

void web_sockets_pump(struct web_sockets *sockets)
{
    uint64_t now_ms = clock_ms();
    if (sockets->browser == NULL || sockets->stirs == browser_stirs(sockets->browser))
        return;
    sockets->stirs = browser_stirs(sockets->browser);
    for (struct web_tab *tab = sockets->tabs; tab != NULL; tab = tab->next)
        pump_one(sockets, tab, now_ms);
}

bool web_sockets_has_next(const struct web_sockets *sockets)
{
    return sockets->first != NULL;
}

/* What was said, as a message; false: it is none, and the tab is told so. */
static bool read_up(struct web_sockets *sockets, const struct web_socket_news *news,
                    struct event *event)
{
    static const char           nothing[] = "This is no message of browser.proto.";
    const Arbiter__Browser__Up *up;
    struct web_tab             *tab =
        sockets->places[(news->route & ~BROWSER_ROUTE) % sockets->settings.tabs_max];
    struct text fault;
    text_clear(&fault);
    text_put(&fault, nothing);
    up = news->is_json
             ? web_json_up(sockets->json, sockets->browser, news->said, news->size, &fault)
             : web_json_unpack(sockets->json, (const uint8_t *) news->said, news->size);
    size_t size = up == NULL ? 0 : arbiter__browser__up__get_packed_size(up);
    if (up == NULL || size > UP_BYTES_MAX) {
        if (tab == NULL || tab->route != news->route)
            return false;
        if (news->is_json)
            browser_misread_request(sockets->browser, news->route, web_json_request(sockets->json),
                                    fault.bytes);
        else
            browser_misread(sockets->browser, news->route, fault.bytes);
        return false;
    }
    (void) arbiter__browser__up__pack(up, sockets->packed);
    event->body = &up->base;
    event->bytes = sockets->packed;
    event->size = size;
    return true;
}

bool web_sockets_next(struct web_sockets *sockets, struct event *event)
{
    bool is_told = false;
    while (sockets->first != NULL && !is_told) {
        struct web_socket_news *news = sockets->first;
        free_news(sockets->told);
        sockets->told = news;
        sockets->first = news->next;
        if (sockets->first == NULL)
            sockets->last = NULL;
        event->caller.route = news->route;
        event->came_ms = news->came_ms;
        is_told = true;
        if (news->kind == SOCKET_OPEN) {
            arbiter__gateway__browser_open__init(&sockets->open);
            sockets->open.has_secret = sockets->open.has_drawn = sockets->open.has_page = true;
            sockets->open.drawn = (ProtobufCBinaryData){ sizeof news->drawn, news->drawn };
            sockets->open.secret = (ProtobufCBinaryData){ sizeof news->secret, news->secret };
            sockets->open.page = news->is_page;
            sockets->open.from = news->from;
            sockets->open.has_from = news->from != 0;
            sockets->open.has_crowd = sockets->open.crowd = news->is_crowd;
            event->body = &sockets->open.base;
        } else if (news->kind == SOCKET_HANGUP) {
            arbiter__gateway__hangup__init(&sockets->hangup);
            event->body = &sockets->hangup.base;
        } else {
            is_told = read_up(sockets, news, event);
        }
    }
    return is_told;
}
