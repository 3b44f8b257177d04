/* web.c: libwebsockets' loop inside the shell's, and what goes in and out of it. */
#include "services/gateway/shell/http/web.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock/clock.h"
#include "services/gateway/rest/rest_write.h"
#include "services/gateway/shell/http/web_private.h"
#include "services/gateway/shell/xml/xml.h"

#define NEWS_FOR_EACH 4u
#define FLUSH_TURNS 64
#define SAY_MS 60000u
/* Of a WebSocket's messages, in one call; what the kernel does not take is kept. */
#define WRITE_BYTES 16384u
#define BODY_MS 3 /* Who takes an answer piece by piece is looked after so often. */

/* A silent peer is asked whether it is there, and soon given up. */
static const lws_retry_bo_t patience = { .secs_since_valid_ping = 20,
                                         .secs_since_valid_hangup = 45 };

/* Its time for a request is over. */
static int on_timer(struct web *web, struct lws *wsi, const struct web_session *session)
{
    if (web_spare_is(web, wsi) || session == NULL)
        return -1;
    web->counters.unread += !session->is_read;
    return session->is_read ? 0 : -1;
}

/* Java's own client, for one, offers HTTP/2 with every request. An offer of HTTP/2 may be passed
 * over (RFC 9110, 7.8). But libwebsockets knows only yes and hanging up, and compares the word once
 * more behind us. So we let it find another word. */
static bool stays_http(char *upgrade)
{
    if (upgrade == NULL || strcasecmp(upgrade, "h2c") != 0)
        return false;
    upgrade[0] = '-';
    return true;
}

/* CONNECT: libwebsockets takes it for a wish for bytes without HTTP, and would keep him for ever. */
static int refuse_tunnel(struct web *web, struct lws *wsi)
{
    static const char line[] = "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST, PUT\r\n"
                               "Content-Length: 0\r\nConnection: close\r\n\r\n";
    unsigned char     bytes[LWS_PRE + sizeof line];
    memcpy(bytes + LWS_PRE, line, sizeof line - 1);
    (void) lws_write(wsi, bytes + LWS_PRE, sizeof line - 1, LWS_WRITE_RAW);
    web->counters.refused++;
    return -1;
}

static int on_request(struct web *web, struct lws *wsi, struct web_session *session,
                      const char *path, size_t size)
{
    if (!web_spare_may(web, wsi, path, size))
        return -1;
    if (!web_page_is_health(path, size) && !web_visitor_is_named(web, wsi))
        return web_visitor_refuse(web, wsi, session);
    return web_on_request(web, wsi, session, path, size);
}

static int on_upgrade(struct web *web, struct lws *wsi)
{
    if (web_visitor_is_named(web, wsi))
        return web_sockets_confirm(web->sockets, wsi);
    return lws_return_http_status(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, NULL) < 0 ? -1 : 1;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    struct web         *web = lws_context_user(lws_get_context(wsi));
    struct web_session *session = user;
    switch (reason) {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: web->tls = user; return 0;
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return web_visitor_knocks(web, (int) (intptr_t) in);
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: /* Listening and our file are no clients. */
        web_visitor_comes(web, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY: web_visitor_goes(web, wsi); return 0;
    case LWS_CALLBACK_HTTP: return on_request(web, wsi, session, in, size);
    case LWS_CALLBACK_HTTP_BODY: return web_on_body(web, wsi, session, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return web_on_body_end(web, wsi, session);
    case LWS_CALLBACK_TIMER: return on_timer(web, wsi, session);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (session != NULL)
            web_on_gone(web, session);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        if (stays_http(in))
            return 0;
        return web_spare_is(web, wsi) ? -1 : on_upgrade(web, wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; /* Of no subprotocol of ours. */
    case LWS_CALLBACK_RAW_ADOPT: return refuse_tunnel(web, wsi);
    case LWS_CALLBACK_RAW_RX_FILE: /* The shell's sockets have something: it looks itself. */
        web_leaving_look(web);     /* Before libwebsockets closes what was reset. */
        return 0;
    default: return lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}

static int on_bytes(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size)
{
    struct web *web = lws_context_user(lws_get_context(wsi));
    return web_sockets_on(web->sockets, wsi, reason, user, in, size, false);
}

static int on_text(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    struct web *web = lws_context_user(lws_get_context(wsi));
    return web_sockets_on(web->sockets, wsi, reason, user, in, size, true);
}

static const struct lws_protocols protocols[] = {
    { "http", on_http, sizeof(struct web_session), 0, 0, NULL, 0 },
    { "arbiter.v1", on_bytes, WEB_TAB_BYTES, 0, 0, NULL, WRITE_BYTES },
    { "arbiter.v1+json", on_text, WEB_TAB_BYTES, 0, 0, NULL, WRITE_BYTES },
    { NULL, NULL, 0, 0, 0, NULL, 0 },
};

static bool take_memory(struct web *web)
{
    const struct web_settings *settings = &web->settings;
    web->news_max = settings->connections_max * NEWS_FOR_EACH;
    web->places = calloc(settings->connections_max, sizeof *web->places);
    web->news = calloc(web->news_max, sizeof *web->news);
    web->texts = malloc(settings->body_max + 1);
    web->half = malloc(settings->body_max + 2);
    web->scratch = malloc(REST_XML_MAX + (64u << 10));
    web->words.half = web->half;
    web->sockets = web_sockets_open(&settings->sockets);
    return web_peers_open(&web->peers, settings->connections_max) && web->places != NULL &&
           web->news != NULL && web->texts != NULL && web->half != NULL && web->scratch != NULL &&
           web->sockets != NULL;
}

/* The last thing libwebsockets found wrong while the door was opened; it says so to nobody else. */
static char wrong[128];

static void hear_wrong(int level, const char *line)
{
    (void) level;
    (void) snprintf(wrong, sizeof wrong, "%s", line);
    wrong[strcspn(wrong, "\n")] = '\0';
}

static void refuse_to_open(const struct web_settings *settings, struct text *fault)
{
    text_clear(fault);
    text_put(fault, "the HTTP door cannot be opened at ");
    text_put(fault, settings->address);
    text_put(fault, ":");
    text_put_number(fault, settings->port);
    if (settings->tls_cert[0] == '\0')
        text_put(fault, ": is something else there? Choose another port with --listen-http");
    else
        text_put(fault, ": something else is there, or the certificate and the key do not fit");
    if (wrong[0] != '\0') {
        text_put(fault, " (");
        text_put(fault, wrong);
        text_put(fault, ")");
    }
}

struct web *web_open(const struct web_settings *settings, struct text *fault)
{
    struct web                      *web = calloc(1, sizeof *web);
    struct lws_context_creation_info info = { 0 };
    if (web == NULL || !web_tls_is_whole(settings, fault)) {
        free(web);
        return NULL;
    }
    web->settings = *settings;
    web->settings.sockets.is_secure = web_is_secure;
    web->file = web->leaving = -1;
    web->api.blobs.bytes_max = settings->cache_bytes;
    xml_begin();
    if (!static_open(&web->pages, settings->folder, fault)) {
        web_close(&web);
        return NULL;
    }
    wrong[0] = '\0';
    lws_set_log_level(LLL_ERR, hear_wrong);
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6;
    info.user = web;
    info.gid = -1;
    info.uid = -1;
    info.max_http_header_data2 = WEB_HEADERS_BYTES;
    info.max_http_header_pool2 = settings->connections_max + 16;
    info.port = settings->port != 0 ? (int) settings->port : 0;
    info.iface = settings->address;
    info.protocols = protocols;
    info.vhost_name = "arbiter";
    info.server_string = "arbiter";
    info.keepalive_timeout = (int) (settings->idle_ms / 1000);
    info.timeout_secs = settings->read_ms / 1000;
    info.timeout_secs_ah_idle = settings->read_ms / 1000;
    info.listen_accept_role = NULL;
    info.retry_and_idle_policy = &patience;
    web_tls_ask(settings, &info);
    bool has_all = web_leaving_open(web) && take_memory(web);
    web->context = has_all ? lws_create_context(&info) : NULL;
    web->vhost = web->context != NULL ? lws_create_vhost(web->context, &info) : NULL;
    lws_set_log_level(0, NULL);
    if (web->vhost == NULL || lws_get_vhost_listen_port(web->vhost) <= 0) {
        refuse_to_open(settings, fault);
        web_close(&web);
    }
    return web;
}

void web_close(struct web **web)
{
    struct web *closed = *web;
    if (closed == NULL)
        return;
    if (closed->context != NULL)
        lws_context_destroy(closed->context);
    static_close(&closed->pages);
    web_leaving_close(closed);
    web_api_close(closed);
    web_peers_close(&closed->peers);
    free(closed->places);
    free(closed->news);
    free(closed->texts);
    free(closed->half);
    free(closed->scratch);
    web_sockets_close(&closed->sockets);
    xml_end();
    free(closed);
    *web = NULL;
}

uint32_t web_port(const struct web *web)
{
    return (uint32_t) lws_get_vhost_listen_port(web->vhost);
}

void web_change(struct web *web, const struct web_settings *settings)
{
    web->settings.per_address = settings->per_address;
    web->settings.per_crowd = settings->per_crowd;
    web->settings.crowds = settings->crowds;
    web->settings.proxies = settings->proxies;
    web->settings.whos = settings->whos;
    web->settings.is_metrics_open = settings->is_metrics_open;
    web_sockets_change(web->sockets, &settings->sockets);
}

void web_show(struct web *web, const struct gateway *gateway)
{
    web->gateway = gateway;
    web_sockets_show(web->sockets, gateway_browser(gateway));
}

/* The time is up: lws_service returns. */
static void on_alarm(lws_sorted_usec_list_t *alarm)
{
    (void) alarm;
}

/* libwebsockets closes what it has adopted, so it gets a copy of its own. */
static bool watch(struct web *web, int file)
{
    lws_sock_file_fd_type adopted;
    adopted.filefd = dup(file);
    return adopted.filefd >= 0 && lws_adopt_descriptor_vhost(web->vhost, LWS_ADOPT_RAW_FILE_DESC,
                                                             adopted, "http", NULL) != NULL;
}

/* Strangers fill no log: one line a minute, with how many there were. */
static void say_turned_away(struct web *web)
{
    const struct web_counters *now = &web->counters;
    uint64_t                   tabs = web_sockets_refused(web->sockets);
    uint64_t sum = now->turned_away + now->refused + now->unread + now->unproved + tabs;
    if (sum == web->said_sum || (web->said_ms != 0 && clock_ms() - web->said_ms < SAY_MS))
        return;
    log_print(
        web->settings.log, SAY_WARNING,
        "strangers, since the start: %llu connections turned away (http_connections_max, "
        "http_per_address), %llu requests refused, %llu too slow, %llu without the operator's "
        "token, %llu WebSockets refused (tabs_max, tabs_per_address)",
        (unsigned long long) now->turned_away, (unsigned long long) now->refused,
        (unsigned long long) now->unread, (unsigned long long) now->unproved,
        (unsigned long long) tabs);
    web->said_sum = sum;
    web->said_ms = clock_ms();
}

void web_wait(void *asked, int file, int64_t wait_ms)
{
    struct web *web = asked;
    say_turned_away(web);
    web_doubts_say(web);
    if (web->file < 0 && watch(web, file) && watch(web, web->leaving))
        web->file = file;
    web_sockets_pump(web->sockets);
    wait_ms = web_api_step(web) ? 0 : wait_ms;
    if (web_bodies_push(web) && (wait_ms < 0 || wait_ms > BODY_MS))
        wait_ms = BODY_MS;
    if (wait_ms > 0 && web->news_count == 0 && !web_sockets_has_next(web->sockets)) {
        lws_sul_schedule(web->context, 0, &web->alarm, on_alarm, wait_ms * LWS_US_PER_MS);
        (void) lws_service(web->context, 0);
    } else {
        (void) lws_service(web->context, -1);
    }
    web_leaving_look(web);
}

void web_flush(struct web *web)
{
    web_sockets_pump(web->sockets);
    for (uint32_t i = 0; i < FLUSH_TURNS; i++)
        (void) lws_service(web->context, -1);
}

static void read_request(struct web *web, const struct web_place *place)
{
    struct web_session *session = place->session;
    struct rest_paper   paper;
    xml_read(session->body, session->size, web->texts, &paper);
    rest_read(&paper, session->path, &web->words, &web->ask);
    web->ask.has_came_ms = true;
    web->ask.came_ms = session->came_ms;
    web_visitor_tells(place->wsi, &web->ask);
    free(session->body);
    session->body = NULL;
    session->room = session->size = 0;
}

bool web_news_put(struct web *web, struct web_news news)
{
    if (web->news_count == web->news_max)
        return false;
    web->news[(web->news_first + web->news_count++) % web->news_max] = news;
    return true;
}

void web_news_put_first(struct web *web, struct web_news news)
{
    if (web->news_count == web->news_max)
        return;
    web->news_first = (web->news_first + web->news_max - 1) % web->news_max;
    web->news[web->news_first] = news;
    web->news_count++;
}

bool web_next(void *asked, struct event *event)
{
    struct web *web = asked;
    while (web->news_count > 0) {
        struct web_news   news = web->news[web->news_first];
        struct web_place *place = &web->places[news.number % web->settings.connections_max];
        web->news_first = (web->news_first + 1) % web->news_max;
        web->news_count--;
        event->caller.route = news.number;
        if (news.is_hangup) {
            arbiter__gateway__hangup__init(&web->hangup);
            web->hangup.has_half = web->hangup.half = news.is_half;
            event->body = &web->hangup.base;
            return true;
        }
        if (place->number != news.number)
            continue; /* It has hung up already. */
        if (place->session->call != NULL) {
            if (web_api_next(web, place->session, event))
                return true;
            continue;
        }
        read_request(web, place);
        place->session->is_told = true;
        web_leaving_look_at(web, place->wsi, place->session);
        web->ask.has_closed = true;
        web->ask.closed = place->session->is_half;
        event->body = &web->ask.base;
        return true;
    }
    return web_sockets_next(web->sockets, event);
}

void web_send(void *asked, const struct effect *effect)
{
    struct web       *web = asked;
    struct web_place *place = &web->places[effect->route % web->settings.connections_max];
    const Arbiter__Gateway__RestAnswer *answer =
        (const Arbiter__Gateway__RestAnswer *) (const void *) effect->body;
    if (place->number != effect->route || effect->route == 0)
        return;
    struct web_session *session = place->session;
    struct lws         *wsi = place->wsi;
    if (session->call != NULL) {
        web_api_send(web, session, effect);
        return;
    }
    size_t size = rest_write(web->scratch, answer);
    web_leaving_look_at(web, wsi, session);
    *place = (struct web_place){ 0, NULL, NULL };
    session->number = 0;
    if (web_answer(web, session, rest_status(answer), "application/xml; charset=UTF-8",
                   web->scratch, size))
        (void) web_write(wsi, session);
    web_leaving_answered(web, wsi, effect->route, session->is_half);
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}
